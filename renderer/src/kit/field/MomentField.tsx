import { FieldLabel, type Common } from './fields.tsx';
import { Group, Input, TextField } from 'react-aria-components';
import styles from './fields.module.css';
import { useProblem } from './ProblemForm.tsx';
import { moments } from '../../words/frame.ts';
import { fieldTime, otherZone, typedTime } from '../../words/shopClock.ts';

type Props = Common & {
  /** ISO 8601, or null if there is no value. */
  value: string | null;
  onChange(at: string | null): void;
};

/** A field for an optional date and time, in the shop's time zone. */
export function MomentField({ label, hint, help, name, value, onChange }: Props) {
  const { isInvalid, error } = useProblem(name);
  const zone = otherZone();
  return (
    <TextField
      className={styles.field ?? ''}
      name={name}
      type="datetime-local"
      value={fieldTime(value === null ? undefined : Date.parse(value))}
      onChange={(typed) => {
        const at = typedTime(typed);
        onChange(at === undefined ? null : new Date(at).toISOString());
      }}
      isInvalid={isInvalid}
      data-field
    >
      <FieldLabel
        label={label}
        hint={[hint, zone && moments.inZone(zone)].filter(Boolean).join(', ') || undefined}
        help={help}
      />
      <Group className={styles.box ?? ''}>
        <Input className={styles.input ?? ''} />
      </Group>
      {error}
    </TextField>
  );
}

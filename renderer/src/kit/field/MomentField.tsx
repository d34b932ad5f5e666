import { FieldLabel, type Common } from './fields.tsx';
import { Group, Input, TextField } from 'react-aria-components';
import styles from './fields.module.css';
import { useProblem } from './ProblemForm.tsx';

type Props = Common & {
  /** ISO 8601, or null if there is no value. */
  value: string | null;
  onChange(at: string | null): void;
};

/** A field for an optional date and time, in this machine's time zone. */
export function MomentField({ label, hint, help, name, value, onChange }: Props) {
  const { isInvalid, error } = useProblem(name);
  return (
    <TextField
      className={styles.field ?? ''}
      name={name}
      type="datetime-local"
      value={value === null ? '' : localTime(value)}
      onChange={(typed) => {
        const at = Date.parse(typed);
        onChange(Number.isNaN(at) ? null : new Date(at).toISOString());
      }}
      isInvalid={isInvalid}
      data-field
    >
      <FieldLabel label={label} hint={hint} help={help} />
      <Group className={styles.box ?? ''}>
        <Input className={styles.input ?? ''} />
      </Group>
      {error}
    </TextField>
  );
}

/** Returns the time as the value of a datetime-local input, such as `2026-11-20T14:30`. */
function localTime(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

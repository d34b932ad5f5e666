import { readWhole } from './readWhole.ts';
import { Minus, Plus } from 'lucide-react';
import { Button, Group, Input, Label, NumberField, TextField } from 'react-aria-components';
import parts from '../parts.module.css';
import fields from './fields.module.css';
import { type Common, FieldLabel } from './fields.tsx';
import styles from './NumberLine.module.css';
import { useProblem } from './ProblemForm.tsx';
import * as texts from '../../words/texts.ts';

type Props = {
  /** Key of this field in the station's error messages. */
  name: string;
  label: string;
  hint?: string;
  /** The typed text, even if it is not a number. */
  value: string;
  onChange(value: string): void;
  placeholder?: string;
  step?: number;
  most?: number;
  autoFocus?: boolean;
};

/** A field for a whole number from 0. Reports every keystroke, so that a preview can follow the typed number. */
export function NumberLine({
  name,
  label,
  hint,
  value,
  onChange,
  placeholder,
  step = 1,
  most = 1e9,
  autoFocus,
}: Props) {
  const { isInvalid, error } = useProblem(name);
  const number = readWhole(value);
  const by = (change: number) => onChange(String(Math.min(most, Math.max(0, (number ?? 0) + change))));
  return (
    <TextField
      className={fields.field ?? ''}
      name={name}
      value={value}
      onChange={onChange}
      inputMode="numeric"
      isInvalid={isInvalid}
      autoFocus={autoFocus === true}
      data-field={name}
    >
      <Label className={fields.label ?? ''}>
        {label}
        {hint !== undefined && <span className={parts.plain}>{hint}</span>}
      </Label>
      <Group className={fields.box ?? ''}>
        <Input
          className={fields.input ?? ''}
          placeholder={placeholder ?? ''}
          autoComplete="off"
          onKeyDown={(event) => {
            const change = event.key === 'ArrowUp' ? step : event.key === 'ArrowDown' ? -step : 0;
            if (change === 0) return;
            event.preventDefault();
            by(change);
          }}
        />
        {/* Not in the tab order, because the arrow keys do the same. */}
        <Button className={STEP} excludeFromTabOrder aria-label={texts.form.less(label)} onPress={() => by(-step)}>
          <Minus size={16} aria-hidden="true" />
        </Button>
        <Button className={STEP} excludeFromTabOrder aria-label={texts.form.more(label)} onPress={() => by(step)}>
          <Plus size={16} aria-hidden="true" />
        </Button>
      </Group>
      {error}
    </TextField>
  );
}

const STEP = `${fields.step ?? ''} ${styles.step ?? ''}`;

const css = (name: keyof typeof fields): string => fields[name] ?? '';

type WholeNumberProps = Common & {
  value: number | null;
  onChange(value: number | null): void;
  placeholder?: string;
  /** The minimum; 0 by default. */
  least?: number;
};

/** A field for an optional whole number. */
export function WholeNumberField(props: WholeNumberProps) {
  const { label, hint, help, value, onChange, name, placeholder, least = 0 } = props;
  const { isInvalid, error } = useProblem(name);
  return (
    <NumberField
      isInvalid={isInvalid}
      data-field={name}
      className={`${css('field')} ${css('number')}`}
      name={name}
      value={value ?? Number.NaN}
      onChange={(next) => onChange(Number.isNaN(next) ? null : next)}
      minValue={least}
      formatOptions={{ useGrouping: false, maximumFractionDigits: 0 }}
    >
      <FieldLabel label={label} hint={hint} help={help} />
      <Group className={css('box')}>
        <Input className={css('input')} placeholder={placeholder ?? ''} />
        <Button slot="decrement" className={css('step')} aria-label={texts.form.decrease}>
          <Minus size={16} aria-hidden="true" />
        </Button>
        <Button slot="increment" className={css('step')} aria-label={texts.form.increase}>
          <Plus size={16} aria-hidden="true" />
        </Button>
      </Group>
      {error}
    </NumberField>
  );
}

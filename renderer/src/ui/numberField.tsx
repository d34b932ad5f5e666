import { Minus, Plus } from 'lucide-react';
import { Button as AriaButton, Group, Input, NumberField } from 'react-aria-components';
import styles from './fields.module.css';
import { FieldLabel, type Common } from './fields.tsx';
import { useProblem } from './ProblemForm.tsx';
import { texts } from './texts.ts';

const css = (name: keyof typeof styles): string => styles[name] ?? '';

type WholeNumberProps = Common & {
  value: number | null;
  onChange(value: number | null): void;
  placeholder?: string;
  /** The smallest; 0 without it. */
  least?: number;
};

/** A whole number, or nothing. */
export function WholeNumberField(props: WholeNumberProps) {
  const { label, hint, help, value, onChange, name, placeholder, least = 0 } = props;
  const { isInvalid, error } = useProblem(name);
  return (
    <NumberField
      isInvalid={isInvalid}
      data-field
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
        <AriaButton slot="decrement" className={css('step')} aria-label={`${texts.form.decrease}: ${label}`}>
          <Minus size={16} aria-hidden="true" />
        </AriaButton>
        <AriaButton slot="increment" className={css('step')} aria-label={`${texts.form.increase}: ${label}`}>
          <Plus size={16} aria-hidden="true" />
        </AriaButton>
      </Group>
      {error}
    </NumberField>
  );
}

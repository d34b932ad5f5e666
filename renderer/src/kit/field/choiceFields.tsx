import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';
import styles from './fields.module.css';
import { FieldLabel, type Common } from './fields.tsx';
import parts from '../parts.module.css';
import { useProblem } from './ProblemForm.tsx';

const css = (name: keyof typeof styles): string => styles[name] ?? '';

export type Choice<Id extends string = string> = { id: Id; text: string; picture?: ReactNode };

type ChoiceProps<Id extends string> = Common & {
  choices: readonly Choice<Id>[];
  value: Id;
  onChange(id: Id): void;
  /** Text shown while `value` is not one of the choices. */
  placeholder?: string;
  /** Whether the field only shows its value, which cannot be changed here. */
  isDisabled?: boolean;
};

/** A choice between a few options in a menu. */
export function ChoiceField<Id extends string>(props: ChoiceProps<Id>) {
  const { label, hint, help, choices, value, onChange, name, placeholder, isDisabled = false } = props;
  const { isInvalid, error } = useProblem(name);
  return (
    <Select
      className={css('field')}
      name={name}
      value={value}
      onChange={(key) => onChange(key as Id)}
      isInvalid={isInvalid}
      isDisabled={isDisabled}
      {...(placeholder === undefined ? {} : { placeholder })}
      data-field={name}
    >
      <FieldLabel label={label} hint={hint} help={help} />
      <AriaButton className={css('trigger')}>
        <SelectValue className={parts.clip ?? ''} />
        <ChevronDown size={16} aria-hidden="true" />
      </AriaButton>
      {error}
      <Popover className={css('popover')}>
        <ListBox className={css('list')} items={choices}>
          {({ id, text, picture }) => (
            <ListBoxItem id={id} textValue={text} className={css('option')}>
              {picture}
              {text}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}

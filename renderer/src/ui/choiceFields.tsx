import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  ComboBox,
  Group,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
} from 'react-aria-components';
import styles from './fields.module.css';
import { FieldLabel, type Common } from './fields.tsx';
import { useProblem } from './ProblemForm.tsx';

const css = (name: keyof typeof styles): string => styles[name] ?? '';

export type Choice = { id: string; text: string; picture?: ReactNode };

type ChoiceProps = Common & { choices: readonly Choice[]; value: string; onChange(id: string): void };

/** One of a few. */
export function ChoiceField({ label, hint, help, choices, value, onChange, name }: ChoiceProps) {
  const { isInvalid, error } = useProblem(name);
  return (
    <Select
      className={css('field')}
      name={name}
      value={value}
      onChange={(key) => onChange(String(key))}
      isInvalid={isInvalid}
      data-field
    >
      <FieldLabel label={label} hint={hint} help={help} />
      <AriaButton className={css('trigger')}>
        <SelectValue className={css('value')} />
        <ChevronDown size={16} aria-hidden="true" />
      </AriaButton>
      {error}
      <Popover className={css('popover')}>
        <Choices choices={choices} />
      </Popover>
    </Select>
  );
}

type SuggestionProps = Common & {
  choices: readonly Choice[];
  value: string;
  onChange(text: string): void;
  placeholder?: string;
  autoFocus?: boolean;
  children?: ReactNode;
};

/** A text with suggestions: what is typed counts, whether it is one of them or not. */
export function SuggestionField({
  label,
  hint,
  help,
  choices,
  value,
  onChange,
  name,
  placeholder,
  autoFocus = false,
  children,
}: SuggestionProps) {
  const { isInvalid, error } = useProblem(name);
  return (
    <ComboBox
      className={css('field')}
      isInvalid={isInvalid}
      data-field
      name={name}
      allowsCustomValue
      autoFocus={autoFocus}
      menuTrigger="manual"
      inputValue={value}
      onInputChange={onChange}
      defaultFilter={() => true}
    >
      <FieldLabel label={label} hint={hint} help={help} />
      <Group className={css('box')}>
        {children}
        <Input className={css('input')} placeholder={placeholder ?? ''} />
        <AriaButton className={css('step')}>
          <ChevronDown size={16} aria-hidden="true" />
        </AriaButton>
      </Group>
      {error}
      <Popover className={css('popover')}>
        <Choices choices={choices} />
      </Popover>
    </ComboBox>
  );
}

function Choices({ choices }: { choices: readonly Choice[] }) {
  return (
    <ListBox className={css('list')} items={choices}>
      {({ id, text, picture }) => (
        <ListBoxItem id={id} textValue={text} className={css('option')}>
          {picture}
          {text}
        </ListBoxItem>
      )}
    </ListBox>
  );
}

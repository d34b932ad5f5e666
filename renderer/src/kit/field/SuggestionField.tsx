import { ChevronDown } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Button, ComboBox, Group, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import type { Choice } from './choiceFields.tsx';
import styles from './fields.module.css';
import { FieldLabel, type Common } from './fields.tsx';
import { useProblem } from './ProblemForm.tsx';

const css = (name: keyof typeof styles): string => styles[name] ?? '';

export type Suggestion = Choice & {
  /** Details, beside the text. */
  note?: string;
  /** What the option shows instead of its text. */
  content?: ReactNode;
};

type Props = Common & {
  choices: readonly Suggestion[];
  value: string;
  onChange(text: string): void;
  placeholder?: string;
  autoFocus?: boolean;
  /** Whether typing opens the list. Otherwise only the button and the arrow keys open it. */
  opensOnTyping?: boolean;
  /** Ids of the choices that cannot be chosen. */
  refused?: Iterable<string>;
  onFocusChange?(isFocused: boolean): void;
  /** Called before the field handles a key. */
  onKey?(event: KeyboardEvent<HTMLElement>): void;
  children?: ReactNode;
};

/** A text field with suggestions that also accepts other text. */
export function SuggestionField({ label, hint, help, choices, value, onChange, name, ...props }: Props) {
  const { placeholder, autoFocus = false, opensOnTyping = false, refused = [], onFocusChange, onKey, children } = props;
  const { isInvalid, error } = useProblem(name);
  return (
    <ComboBox
      className={css('field')}
      isInvalid={isInvalid}
      data-field={name}
      name={name}
      allowsCustomValue
      autoFocus={autoFocus}
      menuTrigger={opensOnTyping ? 'input' : 'manual'}
      items={choices}
      inputValue={value}
      onInputChange={onChange}
      defaultFilter={() => true}
      disabledKeys={refused}
      {...(onFocusChange === undefined ? {} : { onFocusChange })}
    >
      <FieldLabel label={label} hint={hint} help={help} />
      <Group className={css('box')} onKeyDownCapture={(event) => onKey?.(event)}>
        {children}
        <Input className={css('input')} placeholder={placeholder ?? ''} />
        <Button className={css('step')}>
          <ChevronDown size={16} aria-hidden="true" />
        </Button>
      </Group>
      {error}
      <Popover className={css('popover')}>
        <ListBox<Suggestion> className={css('list')}>
          {({ id, text, picture, note, content = text }) => (
            <ListBoxItem id={id} textValue={text} className={css('option')}>
              {picture}
              {content}
              {note !== undefined && <span className={css('note')}>{note}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

import { ChevronDown, Minus, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  ComboBox,
  FieldError,
  Group,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  NumberField,
  Popover,
  Select,
  SelectValue,
  Switch,
  Text,
  TextArea,
  TextField,
} from 'react-aria-components';
import styles from './fields.module.css';
import { texts } from './texts.ts';

const css = (name: keyof typeof styles): string => styles[name] ?? '';

type Common = {
  label: string;
  hint?: string;
  /** A sentence below the label. */
  help?: ReactNode;
  /** The key by which problems of a request name this field. */ name: string;
};

function FieldLabel({ label, hint, help }: { label: string; hint?: string | undefined; help?: ReactNode }) {
  return (
    <>
      <Label className={css('label')}>
        {label}
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </Label>
      {help !== undefined && (
        <Text slot="description" className={css('help')}>
          {help}
        </Text>
      )}
    </>
  );
}

type TextProps = Common & {
  value: string;
  onChange(value: string): void;
  type?: 'text' | 'password';
  autoComplete?: string;
  autoFocus?: boolean;
  placeholder?: string;
  /** What stands at the end of the box. */
  children?: ReactNode;
};

/** One line of text. */
export function LineField({ label, hint, help, children, type = 'text', placeholder, ...props }: TextProps) {
  return (
    <TextField {...props} type={type} className={css('field')} spellCheck="false">
      <FieldLabel label={label} hint={hint} help={help} />
      <Group className={css('box')}>
        <Input className={css('input')} placeholder={placeholder ?? ''} />
        {children}
      </Group>
      <FieldError className={css('error')} />
    </TextField>
  );
}

type LinesProps = Common & { value: string; onChange(value: string): void; rows: number; placeholder?: string };

/** Several lines of text. */
export function LinesField({ label, hint, help, rows, placeholder, ...props }: LinesProps) {
  return (
    <TextField {...props} className={css('field')} spellCheck="false">
      <FieldLabel label={label} hint={hint} help={help} />
      <Group className={css('box')}>
        <TextArea className={css('lines')} rows={rows} placeholder={placeholder ?? ''} />
      </Group>
      <FieldError className={css('error')} />
    </TextField>
  );
}

type SwitchProps = { label: string; help?: string; value: boolean; onChange(value: boolean): void };

/** Yes or no. */
export function SwitchField({ label, help, value, onChange }: SwitchProps) {
  return (
    <Switch className={css('switch')} isSelected={value} onChange={onChange}>
      <span className={styles.slot} aria-hidden="true">
        <span className={styles.knob} />
      </span>
      <span className={styles.switchWords}>
        {label}
        {help !== undefined && <span className={styles.help}>{help}</span>}
      </span>
    </Switch>
  );
}

type WholeNumberProps = Common & { value: number | null; onChange(value: number | null): void; placeholder?: string };

/** A whole number from 0 up, or nothing. */
export function WholeNumberField({ label, hint, help, value, onChange, name, placeholder }: WholeNumberProps) {
  return (
    <NumberField
      className={css('field')}
      name={name}
      value={value ?? Number.NaN}
      onChange={(next) => onChange(Number.isNaN(next) ? null : next)}
      minValue={0}
      formatOptions={{ useGrouping: false, maximumFractionDigits: 0 }}
    >
      <FieldLabel label={label} hint={hint} help={help} />
      <Group className={css('box')}>
        <AriaButton slot="decrement" className={css('step')} aria-label={`${texts.form.decrease}: ${label}`}>
          <Minus size={16} aria-hidden="true" />
        </AriaButton>
        <Input className={css('input')} placeholder={placeholder ?? ''} style={{ textAlign: 'center', padding: 0 }} />
        <AriaButton slot="increment" className={css('step')} aria-label={`${texts.form.increase}: ${label}`}>
          <Plus size={16} aria-hidden="true" />
        </AriaButton>
      </Group>
      <FieldError className={css('error')} />
    </NumberField>
  );
}

export type Choice = { id: string; text: string; picture?: ReactNode };

type ChoiceProps = Common & { choices: readonly Choice[]; value: string; onChange(id: string): void };

/** One of a few. */
export function ChoiceField({ label, hint, help, choices, value, onChange, name }: ChoiceProps) {
  return (
    <Select className={css('field')} name={name} value={value} onChange={(key) => onChange(String(key))}>
      <FieldLabel label={label} hint={hint} help={help} />
      <AriaButton className={css('trigger')}>
        <SelectValue className={css('value')} />
        <ChevronDown size={16} aria-hidden="true" />
      </AriaButton>
      <FieldError className={css('error')} />
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
  children,
}: SuggestionProps) {
  return (
    <ComboBox
      className={css('field')}
      name={name}
      allowsCustomValue
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
      <FieldError className={css('error')} />
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

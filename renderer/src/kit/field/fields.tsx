import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Group, Input, Label, Switch, Text, TextArea, TextField } from 'react-aria-components';
import { Button } from '../button/Button.tsx';
import { Marked } from '../Marked.tsx';
import parts from '../parts.module.css';
import styles from './fields.module.css';
import { useProblem } from './ProblemForm.tsx';
import * as texts from '../../words/texts.ts';

const css = (name: keyof typeof styles): string => styles[name] ?? '';

export type Common = {
  label: string;
  hint?: string;
  /** Explanation below the label. */
  help?: ReactNode;
  /** Key of this field in the station's error messages. */
  name: string;
};

/** The label of a field, with hint and help. */
export function FieldLabel({ label, hint, help }: { label: string; hint?: string | undefined; help?: ReactNode }) {
  return (
    <>
      <Label className={css('label')}>
        <span>
          <Marked text={label} />
        </span>
        {hint !== undefined && <span className={parts.plain}>{hint}</span>}
      </Label>
      {help !== undefined && (
        <Text slot="description" className={parts.plain ?? ''}>
          {typeof help === 'string' ? <Marked text={help} /> : help}
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
  inputMode?: 'numeric';
  autoFocus?: boolean;
  placeholder?: string;
  /** Content at the end of the input box. */
  children?: ReactNode;
};

export function LineField({ label, hint, help, children, type = 'text', placeholder, ...props }: TextProps) {
  const { isInvalid, error } = useProblem(props.name);
  return (
    <TextField
      {...props}
      type={type}
      className={css('field')}
      spellCheck="false"
      isInvalid={isInvalid}
      data-field={props.name}
    >
      <FieldLabel label={label} hint={hint} help={help} />
      <Group className={css('box')}>
        <Input className={css('input')} placeholder={placeholder ?? ''} />
        {children}
      </Group>
      {error}
    </TextField>
  );
}

type LinesProps = Common & { value: string; onChange(value: string): void; rows: number; placeholder?: string };

export function LinesField({ label, hint, help, rows, placeholder, ...props }: LinesProps) {
  const { isInvalid, error } = useProblem(props.name);
  return (
    <TextField {...props} className={css('field')} spellCheck="false" isInvalid={isInvalid} data-field={props.name}>
      <FieldLabel label={label} hint={hint} help={help} />
      <Group className={css('box')}>
        <TextArea className={css('lines')} rows={rows} placeholder={placeholder ?? ''} />
      </Group>
      {error}
    </TextField>
  );
}

type SwitchProps = {
  /** Key of this field in the station's error messages. */
  name?: string;
  label: string;
  help?: string;
  value: boolean;
  onChange(value: boolean): void;
};

export function SwitchField({ name, label, help, value, onChange }: SwitchProps) {
  return (
    <Switch className={css('switch')} isSelected={value} onChange={onChange} data-field={name}>
      <span className={styles.slot} aria-hidden="true">
        <span className={styles.knob} />
      </span>
      <span className={styles.switchWords}>
        <Marked text={label} />
        {help !== undefined && (
          <span className={parts.plain}>
            <Marked text={help} />
          </span>
        )}
      </span>
    </Switch>
  );
}

type Props = {
  label: string;
  help?: string;
  name: string;
  value: string;
  onChange(value: string): void;
  autoComplete: 'current-password' | 'new-password';
  autoFocus?: boolean;
};

/** A password field that can show what is typed. */
export function PasswordField(props: Props) {
  const [visible, setVisible] = useState(false);
  return (
    <LineField {...props} type={visible ? 'text' : 'password'}>
      <Button
        icon={visible ? EyeOff : Eye}
        look="icon"
        aria-label={visible ? texts.password.hide : texts.password.show}
        onPress={() => setVisible(!visible)}
      />
    </LineField>
  );
}

/**
 * Connects fields to the values of a draft and returns the props of each field by key. `row` distinguishes the fields of several drafts in
 * one form.
 */
export function fieldsOf<Draft extends object>(draft: Draft, change: (part: Partial<Draft>) => void, row?: number) {
  return <Name extends keyof Draft & string>(name: Name) => ({
    name: row === undefined ? name : `${name} ${row}`,
    value: draft[name],
    onChange: (value: Draft[Name]) => change({ [name]: value } as unknown as Partial<Draft>),
  });
}

/** Returns the draft of a form, the draft with which the form opened, and a function that returns the props of a field. */
export function useForm<Draft extends object>(start: Draft | (() => Draft)) {
  const [first] = useState(start);
  const [draft, setDraft] = useState(first);
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  return { first, draft, set, field: fieldsOf(draft, set) };
}

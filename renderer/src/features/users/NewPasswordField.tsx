import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { MIN_PASSWORD_CHARACTERS } from '#shared/lib/passwordRule.ts';
import { Button } from '../../ui/Button.tsx';
import { LineField } from '../../ui/fields.tsx';
import type { FieldProblems } from '../../ui/FormDialog.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './NewPasswordField.module.css';
import { makePassword, PASSWORD_KINDS, type PasswordKind } from './makePassword.ts';

const words = texts.users.person;

type Props = {
  value: string;
  onChange(value: string): void;
  /** It was made here: nobody knows it yet. */
  onMade(value: string): void;
  autoFocus?: boolean;
};

/** A password for somebody else: typed, or made here and then to be read. */
export function NewPasswordField({ value, onChange, onMade, autoFocus = false }: Props) {
  const [visible, setVisible] = useState(false);

  function make(kind: PasswordKind): void {
    const made = makePassword(kind, (bytes) => crypto.getRandomValues(bytes));
    onChange(made);
    onMade(made);
    setVisible(true);
  }

  return (
    <div className={styles.place}>
      <LineField
        name="password"
        label={words.password}
        help={texts.password.rule(MIN_PASSWORD_CHARACTERS)}
        type={visible ? 'text' : 'password'}
        autoComplete="new-password"
        autoFocus={autoFocus}
        value={value}
        onChange={onChange}
      >
        <Button
          look="icon"
          aria-label={visible ? texts.password.hide : texts.password.show}
          onPress={() => setVisible(!visible)}
        >
          {visible ? <EyeOff size={18} aria-hidden="true" /> : <Eye size={18} aria-hidden="true" />}
        </Button>
      </LineField>
      <div className={styles.make} role="group" aria-label={words.generate}>
        <span className={styles.quiet}>{words.generate}:</span>
        {PASSWORD_KINDS.map((kind) => (
          <Button key={kind} onPress={() => make(kind)}>
            {words[kind]}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** What the station would refuse. */
export function passwordProblem(password: string): FieldProblems {
  const missing = MIN_PASSWORD_CHARACTERS - password.length;
  return missing > 0 ? { password: words.tooShort(missing) } : {};
}

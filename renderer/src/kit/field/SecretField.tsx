import { Button } from '../button/Button.tsx';
import { LineField, LinesField } from './fields.tsx';
import { Marked } from '../Marked.tsx';
import parts from '../parts.module.css';
import * as texts from '../../words/texts.ts';
import styles from './SecretField.module.css';

type Props = {
  name: string;
  label: string;
  help?: string;
  /** Number of lines of a multi-line secret. Such a secret is visible while it is typed. */
  rows?: number;
  /** Whether the station has a secret. The station never shows it. */
  isSet: boolean;
  /** Whether the secret is set but cannot be decrypted. */
  isUnreadable: boolean;
  /** Undefined keeps the secret, null clears it, and a text replaces it. */
  value: string | null | undefined;
  onChange(value: string | null | undefined): void;
};

const { secret } = texts.settings;

/** A field for a secret that can be set, replaced and cleared, but not shown. */
export function SecretField({ name, label, help, rows, isSet, isUnreadable, value, onChange }: Props) {
  if (typeof value === 'string') {
    const field = { name, label, help, value, onChange };
    return (
      <div className={styles.typed}>
        {rows === undefined ? (
          <LineField {...field} type="password" autoComplete="new-password" autoFocus />
        ) : (
          <LinesField {...field} rows={rows} />
        )}
        <Keep label={label} word={isSet ? secret.keep : texts.frame.cancel} keep={() => onChange(undefined)} />
      </div>
    );
  }
  const isCleared = value === null;
  const state = isCleared ? secret.cleared : isUnreadable ? secret.unreadable : isSet ? secret.isSet : secret.notSet;
  return (
    <div className={styles.secret} role="group" aria-label={label}>
      <div className={styles.words}>
        <span className={parts.medium}>
          <Marked text={label} />
        </span>
        {help !== undefined && (
          <span className={parts.quiet}>
            <Marked text={help} />
          </span>
        )}
        <span className={isUnreadable ? parts.care : parts.quiet} role="status">
          {state}
        </span>
      </div>
      {isCleared ? (
        <Keep label={label} word={secret.keep} keep={() => onChange(undefined)} />
      ) : (
        <>
          <Button onPress={() => onChange('')} aria-label={secret.setLabel(label, isSet)}>
            {isSet ? secret.replace : secret.set}
          </Button>
          {isSet && (
            <Button words={secret.clear} onPress={() => onChange(null)} aria-label={secret.clearLabel(label)} />
          )}
        </>
      )}
    </div>
  );
}

function Keep({ label, word, keep }: { label: string; word: string; keep(): void }) {
  return <Button words={word} onPress={keep} aria-label={secret.keepLabel(word, label)} />;
}

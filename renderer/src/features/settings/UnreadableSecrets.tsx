import { useState } from 'react';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import { Button } from '../../ui/Button.tsx';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import { useServices } from '../../ui/toasts.ts';
import { PassphraseDialog } from './backups/PassphraseDialog.tsx';
import { secretNames } from './backups/secretNames.ts';
import styles from './SettingsPage.module.css';

const words = texts.settings.secret.closed;

/** What to do about secrets that are set and cannot be read; nothing if all can. `opened`: some can be read now. */
export function UnreadableSecrets({ saved, opened }: { saved: SettingsAnswer; opened(): void }) {
  const { api, toasts } = useServices();
  const [isAsked, setIsAsked] = useState(false);
  const names = [...saved.unreadable_secrets, ...saved.unreadable_others];

  async function open(passphrase: string): Promise<void> {
    const { unreadable } = await api.openSecrets(passphrase);
    toasts.say(unreadable.length === 0 ? words.opened : words.left(secretNames(unreadable)));
    opened();
  }

  if (names.length === 0) return null;
  return (
    <section className={styles.section} aria-label={words.title}>
      <div className={`${parts.stack1} ${styles.intro}`}>
        <h2>{words.title}</h2>
      </div>
      <div className={styles.card}>
        <div className={styles.secret}>
          <p className={`${parts.care} ${styles.secretWords}`} role="status">
            {names.every((name) => name === 'backup_passphrase') ? words.ofBackups : words.lead(secretNames(names))}
          </p>
          <Button words={words.open} onPress={() => setIsAsked(true)} />
        </div>
        {isAsked && (
          <PassphraseDialog
            title={words.open}
            label={words.field}
            confirm={words.confirm}
            autoComplete="off"
            onConfirm={open}
            onClose={() => setIsAsked(false)}
          />
        )}
      </div>
    </section>
  );
}

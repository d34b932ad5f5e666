import { useState } from 'react';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { PassphraseDialog } from './backups/PassphraseDialog.tsx';
import { secretNames } from './backups/secretNames.ts';
import { SettingsNotice } from './SettingsNotice.tsx';

const words = texts.settings.secret.closed;

/**
 * Lists secrets that cannot be decrypted, and asks for the passphrase. Hidden if there are none. `opened` is called
 * once the station has used the passphrase.
 */
export function UnreadableSecrets({ saved, opened }: { saved: SettingsAnswer; opened(): void }) {
  const { api, toasts } = useServices();
  const [isAsked, setIsAsked] = useState(false);
  const names = [...saved.unreadable_secrets, ...saved.unreadable_others];

  async function open(passphrase: string): Promise<void> {
    const { unreadable } = await api.openSecrets({ body: { passphrase } });
    toasts.show(unreadable.length === 0 ? words.opened : words.left(secretNames(unreadable)));
    opened();
  }

  if (names.length === 0) return null;
  const lead = names.every((name) => name === 'backup_passphrase') ? words.ofBackups : words.lead(secretNames(names));
  return (
    <SettingsNotice title={words.title} lead={lead} action={words.open} onAction={() => setIsAsked(true)}>
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
    </SettingsNotice>
  );
}

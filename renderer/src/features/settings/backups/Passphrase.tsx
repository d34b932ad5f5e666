import { useState } from 'react';
import { MIN_PASSWORD_CHARACTERS } from '#shared/lib/access/passwordRule.ts';
import { useAct } from '../../../useAct.ts';
import { Button } from '../../../kit/button/Button.tsx';
import { Failure } from '../../../kit/feedback/EmptyState.tsx';
import parts from '../../../kit/parts.module.css';
import * as texts from '../../../words/texts.ts';
import { useServices } from '../../../shop/toasts.ts';
import styles from './Backups.module.css';
import { PassphraseDialog } from './PassphraseDialog.tsx';

const words = texts.settings.backups.passphrase;

/** Sets the passphrase with which another station can read the secrets in a backup. */
export function Passphrase({ isSet, changed }: { isSet: boolean; changed(): void }) {
  const { api, toasts } = useServices();
  const [isAsked, setIsAsked] = useState(false);
  const removal = useAct(() => set(null));

  async function set(passphrase: string | null): Promise<void> {
    await api.setBackupPassphrase({ body: { passphrase } });
    toasts.show(passphrase === null ? words.removed : words.saved, { topic: 'backup' });
    changed();
  }

  const action = isSet ? words.replace : words.set;
  return (
    <div className={styles.passphrase} role="group" aria-label={words.title}>
      <div className={styles.what}>
        <span className={parts.medium}>{words.title}</span>
        <span className={parts.quiet} role="status">
          {isSet ? words.isSet : words.none}
        </span>
      </div>
      <Button words={action} onPress={() => setIsAsked(true)} />
      {isSet && <Button words={words.remove} onPress={() => removal.run()} />}
      {removal.status === 'failed' && <Failure>{removal.failure}</Failure>}
      {isAsked && (
        <PassphraseDialog
          title={action}
          label={words.field}
          help={words.rule(MIN_PASSWORD_CHARACTERS)}
          confirm={words.save}
          autoComplete="new-password"
          onConfirm={(passphrase) => {
            removal.clear();
            return set(passphrase);
          }}
          onClose={() => setIsAsked(false)}
        />
      )}
    </div>
  );
}

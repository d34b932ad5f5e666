import { useEffect, useState } from 'react';
import type { Backup, BackupContents } from '#shared/api/backup.ts';
import { sentenceOf } from '../../../station/apiError.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/Dialog.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import parts from '../../../ui/parts.module.css';
import { texts } from '../../../ui/texts.ts';
import { useServices } from '../../../ui/toasts.ts';
import page from '../SettingsPage.module.css';
import { dayWords } from './BackupRow.tsx';
import styles from './Backups.module.css';

const words = texts.settings.backups;

/** Checks a backup and says what it holds before restoring it. */
export function RestoreDialog({ backup, onClose }: { backup: Backup; onClose(): void }) {
  const { api, toasts } = useServices();
  const [contents, setContents] = useState<BackupContents>();
  const [failure, setFailure] = useState('');

  useEffect(() => {
    api.loadBackupContents(backup.name).then(setContents, (error: unknown) => setFailure(sentenceOf(error)));
  }, [api, backup.name]);

  const title = words.restoreTitle(dayWords(backup.created));
  if (contents === undefined) {
    return (
      <Dialog title={title} isOpen onClose={onClose} actions={<Button onPress={onClose}>{texts.frame.cancel}</Button>}>
        {failure === '' ? <p role="status">{words.reading}</p> : <Failure>{failure}</Failure>}
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={title}
      body={<Holds contents={contents} />}
      confirm={words.restoreConfirm}
      danger
      isOpen
      onConfirm={async () => {
        await api.restoreBackup(backup.name);
        toasts.say(words.restored);
      }}
      onClose={onClose}
    />
  );
}

function Holds({ contents: { made, version, holds } }: { contents: BackupContents }) {
  return (
    <div className={parts.stack4}>
      <p>{words.restoreBody}</p>
      <dl className={page.facts}>
        <dt>{words.madeAt}</dt>
        <dd>{made === null ? words.unknown : dayWords(made)}</dd>
        {version !== '' && (
          <>
            <dt>{words.version}</dt>
            <dd>{version}</dd>
          </>
        )}
        <dt>{words.devices}</dt>
        <dd>{holds.devices.toLocaleString('en')}</dd>
        <dt>{words.aliases}</dt>
        <dd>{holds.location_aliases.toLocaleString('en')}</dd>
        <dt>{words.openCommands}</dt>
        <dd>{words.lit(holds.open_commands)}</dd>
        <dt>{words.people}</dt>
        <dd>{words.peopleAndPrograms(holds.users, holds.api_users)}</dd>
        {holds.pending_callbacks > 0 && (
          <>
            <dt>{words.callbacks}</dt>
            <dd>{words.sentAgain(holds.pending_callbacks)}</dd>
          </>
        )}
      </dl>
      <p className={styles.quiet}>{words.restoreMeans}</p>
    </div>
  );
}

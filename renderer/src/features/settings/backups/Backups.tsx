import { countText } from '#shared/lib/text/locale.ts';
import { Archive, FileUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import type { Backup, BackupContents, BackupStatus } from '#shared/api/backup.ts';
import { BACKUP_TYPE } from '#shared/api/routes/station.ts';
import { sentenceOf } from '../../../words/apiError.ts';
import { useTimed } from '../../../station/time.ts';
import { type Loaded, useStationQuery } from '../../../station/useStationQuery.ts';
import { useAct } from '../../../useAct.ts';
import { Button } from '../../../kit/button/Button.tsx';
import { ConfirmDialog, Dialog } from '../../../kit/dialog/Dialog.tsx';
import { untilWords } from '../../../words/moments.ts';
import { SwitchField } from '../../../kit/field/fields.tsx';
import { Failure } from '../../../kit/feedback/EmptyState.tsx';
import parts from '../../../kit/parts.module.css';
import { Progress } from '../../../kit/feedback/Progress.tsx';
import * as texts from '../../../words/texts.ts';
import { useServices } from '../../../shop/toasts.ts';
import { Section } from '../SettingsGroup.tsx';
import page from '../SettingsPage.module.css';
import { BackupRow, dayWords, sizeWords, Facts } from './BackupRow.tsx';
import styles from './Backups.module.css';
import { Passphrase } from './Passphrase.tsx';
import { secretNames } from './secretNames.ts';

const words = texts.settings.backups;

type Asked = { kind: 'restore' | 'remove'; backup: Backup };

/** Lists, creates and restores backups. */
export function Backups() {
  const work = useBackups();
  const { loaded } = work;
  return (
    <Section id="backups" title={words.title} lead={words.lead}>
      <div className={`${parts.column4} ${styles.part}`}>
        {loaded.value !== undefined ? (
          <LoadedBackups work={work} view={loaded.value} />
        ) : (
          <p className={styles.quiet}>
            {loaded.status === 'failed' ? loaded.failure : texts.frame.loading}{' '}
            {loaded.status === 'failed' && <Button onPress={loaded.reload}>{texts.frame.broken.again}</Button>}
          </p>
        )}
      </div>
    </Section>
  );
}

function LoadedBackups({ work, view: { backups, status } }: { work: BackupWork; view: BackupView }) {
  const { api, toasts } = useServices();
  const [asked, setAsked] = useState<Asked>();
  const next = useTimed((now) => nextWords(status.next, now));
  const isBusy = work.doing !== undefined || status.running !== null;
  const close = (): void => setAsked(undefined);

  async function remove({ name }: Backup): Promise<void> {
    await api.removeBackup({ path: { name } });
    toasts.show(words.removed, { topic: 'backup' });
    work.loaded.reload();
  }

  return (
    <>
      <div className={styles.head}>
        <p className={styles.state}>
          <span>{next}</span>
          <span className={styles.quiet}>
            {words.room(sizeWords(status.database_bytes), sizeWords(status.free_bytes))}
          </span>
        </p>
        <div className={`${parts.rowMiddle} ${styles.do}`}>
          <FileTrigger
            acceptedFileTypes={['.sqlite', 'application/vnd.sqlite3']}
            onSelect={(files) => {
              const [file] = files ?? [];
              if (file !== undefined) work.upload(file);
            }}
          >
            <Button isDisabled={isBusy}>
              <FileUp size={18} aria-hidden="true" />
              {words.upload}
            </Button>
          </FileTrigger>
          <Button look="primary" isDisabled={isBusy} onPress={work.make}>
            <Archive size={18} aria-hidden="true" />
            {words.make}
          </Button>
        </div>
      </div>
      {isBusy && <Running work={work} running={status.running} />}
      <Failure>{work.failure ?? status.failure?.message}</Failure>
      {backups.length === 0 ? (
        <p className={styles.none}>{words.none}</p>
      ) : (
        <ul className={styles.list} aria-label={words.list}>
          {backups.map((backup) => (
            <BackupRow key={backup.name} backup={backup} act={(kind) => setAsked({ kind, backup })} />
          ))}
        </ul>
      )}
      <p className={styles.quiet}>{words.where(status.folder)}</p>
      <Passphrase isSet={status.passphrase_set} changed={work.loaded.reload} />
      {asked?.kind === 'restore' && <RestoreDialog backup={asked.backup} onClose={close} />}
      {asked?.kind === 'remove' && (
        <ConfirmDialog
          title={words.removeTitle}
          body={words.removeBody(asked.backup.name)}
          confirm={words.removeConfirm}
          danger
          isOpen
          onConfirm={() => remove(asked.backup)}
          onClose={close}
        />
      )}
    </>
  );
}

function Running({ work, running }: { work: BackupWork; running: BackupView['status']['running'] }) {
  const isUpload = work.doing === 'upload' || running?.kind === 'uploaded';
  const { step = 'copying', done_bytes: done = 0, total_bytes: total = 0 } = running ?? {};
  const isChecking = step === 'checking';
  return (
    <Progress
      label={isChecking ? words.checking : isUpload ? words.uploading : words.copying}
      value={isChecking ? 1 : done}
      max={isChecking ? 1 : total}
      said={isChecking || isUpload ? '' : words.bytesOf(sizeWords(done), sizeWords(total))}
      onCancel={work.cancel}
    />
  );
}

function nextWords(next: string | null, now: number): string {
  if (next === null) return words.never;
  const at = Date.parse(next);
  return at <= now ? words.soon : words.next(untilWords(at, now));
}

/** Polling interval in milliseconds. It is short, so that the progress moves smoothly. */
const LOOK_EVERY_MS = 400;

type BackupView = { backups: readonly Backup[]; status: BackupStatus };

/** A job that was started here. A message announces its end. */
type Job = { what: 'make' | 'upload'; work(): Promise<Backup> };

type BackupWork = {
  loaded: Loaded<BackupView>;
  doing: Job['what'] | undefined;
  /** The error of the last job, if it failed. */
  failure: string | undefined;
  make(): void;
  upload(file: Blob): void;
  cancel(): void;
};

/** Loads the existing backups and follows a running job even if somebody else started it. */
function useBackups(): BackupWork {
  const { api, toasts } = useServices();
  const job = useAct(async ({ what, work }: Job) => {
    try {
      await work();
      toasts.show(what === 'make' ? words.made : words.uploaded, { topic: 'backup' });
    } finally {
      loaded.reload();
    }
  });
  const cancel = useAct(() => api.cancelBackup());
  const start = (next: Job) => {
    cancel.clear();
    job.run(next);
  };
  const doing = job.status === 'running' ? job.input.what : undefined;
  const failed = job.status === 'failed' ? job : cancel;
  const loaded = useStationQuery(
    ['backups'],
    async () => {
      const [backups, status] = await Promise.all([api.listBackups(), api.getBackupStatus()]);
      return { backups, status };
    },
    // Poll while a job is running, because the stream does not report its progress.
    { everyMs: (view) => (doing !== undefined || (view?.status.running ?? null) !== null ? LOOK_EVERY_MS : false) },
  );
  return {
    loaded,
    doing,
    failure: failed.status === 'failed' ? failed.failure : undefined,
    make: () => start({ what: 'make', work: () => api.makeBackup() }),
    upload: (file) =>
      start({ what: 'upload', work: () => api.uploadBackup({ body: file.slice(0, file.size, BACKUP_TYPE) }) }),
    cancel: () => cancel.run(),
  };
}

/** Checks a backup and shows its contents before restoring it. */
function RestoreDialog({ backup, onClose }: { backup: Backup; onClose(): void }) {
  const { api, toasts } = useServices();
  const [contents, setContents] = useState<BackupContents>();
  const [failure, setFailure] = useState('');
  const [bringBack, setBringBack] = useState<readonly Account[]>([]);

  useEffect(() => {
    api
      .getBackupContents({ path: { name: backup.name } })
      .then(setContents, (error: unknown) => setFailure(sentenceOf(error)));
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
      body={
        <>
          <Holds contents={contents} />
          <Opens doors={contents.opens} />
          <Returning accounts={contents.returning} chosen={bringBack} choose={setBringBack} />
        </>
      }
      confirm={words.restoreConfirm}
      danger
      isOpen
      onConfirm={async () => {
        await api.restoreBackup({ path: { name: backup.name }, body: { bring_back: [...bringBack] } });
        toasts.show(words.restored);
      }}
      onClose={onClose}
    />
  );
}

/** Lists sign-ins, folders and addresses that take effect with the restore. */
function Opens({ doors }: { doors: BackupContents['opens'] }) {
  if (doors.length === 0) return null;
  return (
    <div className={parts.stack4}>
      <p>{words.opens}</p>
      <dl className={page.facts}>
        <Facts of={doors.map(({ name, value }) => [words.opensNames[name] ?? name, value] as const)} />
      </dl>
    </div>
  );
}

type Account = BackupContents['returning'][number];

/** Lists people, keys, kiosks and screens that only the backup has, each with a switch to bring it back. */
function Returning(props: {
  accounts: readonly Account[];
  chosen: readonly Account[];
  choose(next: readonly Account[]): void;
}) {
  const { accounts, chosen, choose } = props;
  if (accounts.length === 0) return null;
  return (
    <fieldset className={page.choices}>
      <legend>{words.returning}</legend>
      {accounts.map((account) => (
        <SwitchField
          key={`${account.kind} ${account.name}`}
          label={words.returningAs[account.kind](account.name)}
          value={chosen.includes(account)}
          onChange={(isOn) => choose(isOn ? [...chosen, account] : chosen.filter((one) => one !== account))}
        />
      ))}
    </fieldset>
  );
}

function Holds({ contents: { made, version, holds, secrets } }: { contents: BackupContents }) {
  return (
    <div className={parts.stack4}>
      <p>{words.restoreBody}</p>
      <dl className={page.facts}>
        <Facts
          of={[
            [words.madeAt, made === null ? words.unknown : dayWords(made)],
            version !== '' && [words.version, version],
            [words.devices, countText(holds.devices)],
            [words.aliases, countText(holds.location_aliases)],
            [words.openCommands, words.lit(holds.open_commands)],
            [words.people, words.peopleAndPrograms(holds.users, holds.api_users)],
            secrets.state !== 'none' && [words.secrets, secretWords(secrets)],
            holds.pending_callbacks > 0 && [words.callbacks, words.sentAgain(holds.pending_callbacks)],
          ]}
        />
      </dl>
      <p className={styles.quiet}>{words.restoreMeans}</p>
    </div>
  );
}

function secretWords({ enter_again: names, passphrase }: BackupContents['secrets']): string {
  if (names.length === 0) return words.secretsHere;
  return passphrase ? words.secretsByPassphrase : words.secretsAgain(secretNames(names));
}

import { useEffect, useState } from 'react';
import type { Backup, BackupStatus } from '#shared/api/backup.ts';
import { sentenceOf } from '../../../station/apiError.ts';
import { useStationContext } from '../../../station/context.ts';
import { texts } from '../../../ui/texts.ts';
import { useToasts } from '../../../ui/toasts.ts';
import { useLoaded, type Loaded } from '../../../station/useLoaded.ts';

const words = texts.settings.backups;
/** Often enough to see it move. */
const LOOK_EVERY_MS = 400;

export type BackupView = { backups: readonly Backup[]; status: BackupStatus };

/** What somebody waits for here, whose end is told. */
export type Doing = 'make' | 'upload';

export type BackupWork = {
  loaded: Loaded<BackupView>;
  doing: Doing | undefined;
  /** Why the last one came to nothing; empty where it did not. */
  failure: string;
  make(): void;
  upload(file: Blob): void;
  cancel(): void;
};

/** The backups that there are, and the one that is being made. Whoever began it, its progress is seen here. */
export function useBackups(): BackupWork {
  const { api } = useStationContext();
  const toasts = useToasts();
  const loaded = useLoaded('backups', '', async () => {
    const [backups, status] = await Promise.all([api.loadBackups(), api.loadBackupStatus()]);
    return { backups, status };
  });
  const { reload, value } = loaded;
  const [doing, setDoing] = useState<Doing>();
  const [failure, setFailure] = useState('');
  const isRunning = doing !== undefined || (value?.status.running ?? null) !== null;

  // The stream says nothing of it.
  useEffect(() => {
    if (!isRunning) return;
    const looking = setInterval(reload, LOOK_EVERY_MS);
    return () => clearInterval(looking);
  }, [isRunning, reload]);

  async function run(what: Doing, work: () => Promise<Backup>): Promise<void> {
    setDoing(what);
    setFailure('');
    try {
      await work();
      toasts.say(what === 'make' ? words.made : words.uploaded, { topic: 'backup' });
    } catch (error) {
      setFailure(sentenceOf(error, texts.failure.other));
    } finally {
      setDoing(undefined);
      reload();
    }
  }

  return {
    loaded,
    doing,
    failure,
    make: () => void run('make', () => api.makeBackup()),
    upload: (file) => void run('upload', () => api.uploadBackup(file)),
    cancel() {
      api.cancelBackup().catch((error: unknown) => setFailure(sentenceOf(error, texts.failure.other)));
    },
  };
}

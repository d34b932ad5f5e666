import type { BackupContents } from '#shared/api/backup.ts';
import type { CopyProgress } from '../ports.ts';

/** What the thread is started for. `flag`: one Int32 at which it waits. */
export type CopyJob = { flag: SharedArrayBuffer } & (
  | { kind: 'copy'; from: string; to: string; by: string; at: number }
  | { kind: 'receive'; file: string }
  | { kind: 'check'; file: string }
);

export type ThreadSays =
  | { kind: 'step'; progress: CopyProgress }
  | { kind: 'checked'; contents: Omit<BackupContents, 'name'> }
  | { kind: 'failed'; code: string; message: string };

/** What the flag says. */
export const MUST_WAIT = 0;
export const GO_ON = 1;
export const GIVE_UP = 2;

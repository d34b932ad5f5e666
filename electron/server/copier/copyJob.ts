import type { BackupContents } from '#shared/api/backup.ts';
import type { CopyProgress } from '../ports.ts';

/** What the process is started for: the first message to it. */
export type CopyJob =
  | { kind: 'copy'; from: string; to: string; by: string; at: number }
  | { kind: 'receive'; file: string }
  | { kind: 'check'; file: string };

/** The process goes on, and at last ends, when it was answered by `GO_ON`. */
export type CopySays =
  | { kind: 'step'; progress: CopyProgress }
  | { kind: 'checked'; contents: Omit<BackupContents, 'name'> }
  | { kind: 'failed'; code: string; message: string };

export const GO_ON = { kind: 'goOn' } as const;

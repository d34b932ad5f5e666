import type { CopyProgress, FoundInBackup } from '../ports.ts';

/** The job of the process: the first message to it. */
export type CopyJob =
  | { kind: 'copy'; from: string; to: string; by: string; at: number }
  | { kind: 'receive'; file: string }
  | { kind: 'check'; file: string }
  | { kind: 'rewrite'; file: string; to: string };

/** Messages of the process. It waits for `GO_ON` after each, and then continues or ends. */
export type CopySays =
  | { kind: 'step'; progress: CopyProgress }
  | { kind: 'checked'; contents: FoundInBackup }
  | { kind: 'failed'; code: string; message: string };

export const GO_ON = { kind: 'goOn' } as const;

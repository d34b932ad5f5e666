import type { CopyProgress, FoundInBackup } from '../ports.ts';

/** The job, in the first message to the process. */
export type CopyJob =
  | { kind: 'copy'; from: string; to: string; by: string; at: number }
  | { kind: 'receive'; file: string }
  | { kind: 'check'; file: string }
  | { kind: 'rewrite'; file: string; to: string }
  | { kind: 'picture' };

/** Messages from the process. After each, it waits for `GO_ON`, or for a piece after `more`. */
export type CopySays =
  | { kind: 'step'; progress: CopyProgress }
  | { kind: 'checked'; contents: FoundInBackup }
  /** Asks for the next piece of the picture. */
  | { kind: 'more' }
  /** In base64. */
  | { kind: 'converted'; content: string; small: string }
  | { kind: 'failed'; code: string; message: string };

export const GO_ON = { kind: 'goOn' } as const;

/** Part of a file in base64, since messages are JSON. Empty at the end of the file. */
export type Piece = { kind: 'piece'; base64: string };

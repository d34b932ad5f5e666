import type { CopyProgress, FoundInBackup } from '../ports.ts';

/** The job of a side process, sent in the first message to it. */
export type CopyJob =
  | { kind: 'copy'; from: string; to: string; by: string; at: number }
  | { kind: 'receive'; file: string }
  | { kind: 'check'; file: string }
  | { kind: 'rewrite'; file: string; to: string }
  | { kind: 'picture' };

/** Messages from the side process. After each message, the process waits for `GO_ON`, or for a piece of the picture after `more`. */
export type CopySays =
  | { kind: 'step'; progress: CopyProgress }
  | { kind: 'checked'; contents: FoundInBackup }
  /** Requests the next piece of the picture. */
  | { kind: 'more' }
  /** The converted pictures in base64. */
  | { kind: 'converted'; content: string; small: string }
  | { kind: 'failed'; code: string; message: string };

export const GO_ON = { kind: 'goOn' } as const;

/** Part of a file in base64, because messages are JSON. Empty at the end of the file. */
export type Piece = { kind: 'piece'; base64: string };

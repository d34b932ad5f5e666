import type { CopyProgress, FoundInBackup } from '../ports.ts';

/** The job of the process: the first message to it. */
export type CopyJob =
  | { kind: 'copy'; from: string; to: string; by: string; at: number }
  | { kind: 'receive'; file: string }
  | { kind: 'check'; file: string }
  | { kind: 'rewrite'; file: string; to: string }
  | { kind: 'picture' };

/** Messages of the process. It waits for `GO_ON` after each, or for a piece after `more`, and then continues or ends. */
export type CopySays =
  | { kind: 'step'; progress: CopyProgress }
  | { kind: 'checked'; contents: FoundInBackup }
  /** Asks for the next piece of the picture. */
  | { kind: 'more' }
  /** In base64. */
  | { kind: 'converted'; content: string; small: string }
  | { kind: 'failed'; code: string; message: string };

export const GO_ON = { kind: 'goOn' } as const;

/** A part of a file in base64, since messages are JSON; empty at its end. */
export type Piece = { kind: 'piece'; base64: string };

import type { CopyProgress, FoundInBackup } from '../ports.ts';

/** The job of a side process, sent in the first message to it. */
export type CopyJob =
  | { kind: 'copy'; from: string; to: string; by: string; at: number }
  | { kind: 'receive'; file: string }
  | { kind: 'check'; file: string }
  | { kind: 'rewrite'; file: string; to: string }
  | { kind: 'picture' }
  | ReadJob;

/** A job that reads a file with orders, articles or places. */
export type ReadJob = { kind: 'table'; encoding: string | null } | { kind: 'document'; format: 'json' | 'xml' };

/** Messages from the side process. After each message, the process waits for `GO_ON`, or for a piece of the file after `more`. */
export type CopySays =
  | { kind: 'step'; progress: CopyProgress }
  | { kind: 'checked'; contents: FoundInBackup }
  /** Requests the next piece of the picture or file. */
  | { kind: 'more' }
  /** The converted pictures in base64. */
  | { kind: 'converted'; content: string; small: string }
  | ({ kind: 'items' } & FoundItems)
  /** The result of reading a file, without the items that were sent before. */
  | { kind: 'read'; rest: unknown }
  | { kind: 'failed'; code: string; message: string };

/**
 * Some of what a file contains: rows of the sheet with the index `list`, or orders of a document. If `isContinued`, the first row has further
 * cells of the row before.
 */
export type FoundItems = { list: number; items: readonly unknown[]; isContinued: boolean };

export function isReadJob(job: CopyJob): job is ReadJob {
  return job.kind === 'table' || job.kind === 'document';
}

export const GO_ON = { kind: 'goOn' } as const;

/** Part of a file in base64, because messages are JSON. Empty at the end of the file. */
export type Piece = { kind: 'piece'; base64: string };

import type { ErrorCode, FieldError } from '#shared/api/problem.ts';
import type { Right } from '#shared/api/rights.ts';

/** An expected failure, said in a sentence. Anything else that is thrown is a bug. The HTTP status of each code stands in http/problem.ts. */
export class StationError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];

  constructor(code: ErrorCode, message: string, errors: readonly FieldError[] = []) {
    super(message);
    this.name = 'StationError';
    this.code = code;
    this.errors = errors;
  }
}

/** A backup of the data folder that can be restored. `createdAt`: epoch milliseconds. */
export type GoodBackup = { path: string; createdAt: number };

/** `storage`, of a start that found less than was stored: `found`, and the newest backup, where there is a good one. */
export class DataLost extends StationError {
  readonly found: string;
  readonly backup: GoodBackup | undefined;

  constructor(found: string, backup: GoodBackup | undefined) {
    const restore =
      backup === undefined
        ? 'There is no backup in the data folder that can be restored; to restore one from elsewhere, start once with --restore FILE.'
        : `To restore the newest backup, of ${new Date(backup.createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC, start once with --restore "${backup.path}".`;
    super(
      'storage',
      `${found} The station did not start, and nothing was changed. ${restore} To start with what is there, start once with --accept-loss; the files as they are now are kept beside it.`,
    );
    this.found = found;
    this.backup = backup;
  }
}

/** `too_many_requests`, with how long to wait. */
export class TooManyRequests extends StationError {
  readonly retryAfterS: number;

  constructor(message: string, retryAfterS: number) {
    super('too_many_requests', message);
    this.retryAfterS = retryAfterS;
  }
}

/** `forbidden`, with the right that the caller lacks. */
export class MissingRight extends StationError {
  readonly right: Right;

  constructor(right: Right, message: string) {
    super('forbidden', message);
    this.right = right;
  }
}

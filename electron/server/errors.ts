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

/** What a start found, in sentences for people; `isEmpty`: nothing of it can be used. */
export type Loss = { found: string; isEmpty: boolean };

/** `storage`, of a start that found less than was stored. `backup`: the newest that can be restored; `unknown`: nobody has looked. */
export class DataLost extends StationError {
  readonly loss: Loss;
  readonly backup: GoodBackup | 'none' | 'unknown';

  constructor(loss: Loss, backup: DataLost['backup']) {
    const otherwise = loss.isEmpty ? 'To start with an empty station' : 'To start with what is there';
    super(
      'storage',
      `${loss.found} The station did not start, and nothing was changed. ${howToRestore(backup)} ${otherwise}, start once with --accept-loss; the files as they are now are kept beside it.`,
    );
    this.loss = loss;
    this.backup = backup;
  }
}

function howToRestore(backup: DataLost['backup']): string {
  if (backup === 'unknown') return 'To restore a backup, start once with --restore FILE.';
  if (backup === 'none')
    return 'There is no backup in the data folder that can be restored; to restore one from elsewhere, start once with --restore FILE.';
  const time = new Date(backup.createdAt).toISOString().slice(0, 16).replace('T', ' ');
  return `To restore the newest backup, of ${time} UTC, start once with --restore "${backup.path}".`;
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

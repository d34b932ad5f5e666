import type { ErrorCode, FieldError } from '#shared/api/problem.ts';
import type { Right } from '#shared/api/rights.ts';

/** An expected failure with a message for the user. Any other exception is a bug. http/problem.ts maps each code to an HTTP status. */
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

/**
 * A backup in the data folder that can be restored. `createdAt` is in epoch milliseconds, and `opens` is what it opens that is closed or
 * different here.
 */
export type GoodBackup = { path: string; createdAt: number; opens: readonly { name: string; value: string }[] };

/** A loss of data found at startup, described in sentences. `isEmpty` tells whether nothing usable is left. */
export type Loss = { found: string; isEmpty: boolean };

/**
 * Error with code `storage`, thrown if less data was found at startup than was stored. `backup` is the newest backup that can be restored,
 * or `unknown` if none was searched for.
 */
export class DataLost extends StationError {
  readonly loss: Loss;
  readonly backup: GoodBackup | 'none' | 'unknown';

  constructor(loss: Loss, backup: DataLost['backup']) {
    const otherwise = loss.isEmpty ? 'To start with an empty station' : 'To start with the remaining data';
    super(
      'storage',
      `${loss.found} The station did not start, and nothing was changed. ${howToRestore(backup)} ${otherwise}, start once with --accept-loss; the current files are kept beside it.`,
    );
    this.loss = loss;
    this.backup = backup;
  }
}

function howToRestore(backup: DataLost['backup']): string {
  if (backup === 'unknown') return 'To restore a backup, start once with --restore FILE.';
  if (backup === 'none')
    return 'No backup in the data folder can be restored. To restore one from elsewhere, start once with --restore FILE.';
  const time = new Date(backup.createdAt).toISOString().slice(0, 16).replace('T', ' ');
  return `To restore the newest backup, of ${time} UTC, start once with --restore "${backup.path}"${backup.opens.length > 0 ? '; the start then lists what the backup opens' : ''}.`;
}

/** Error with code `too_many_requests` and the time to wait. */
export class TooManyRequests extends StationError {
  readonly retryAfterS: number;

  constructor(message: string, retryAfterS: number) {
    super('too_many_requests', message);
    this.retryAfterS = retryAfterS;
  }
}

/** Error with code `conflict`, thrown if an order with this number exists. `same` tells whether that order has the same content. */
export class OrderExists extends StationError {
  readonly same: boolean;

  constructor(message: string, same: boolean) {
    super('conflict', message, [{ path: '/order_number', message }]);
    this.same = same;
  }
}

/** Error with code `forbidden` and the missing right. */
export class MissingRight extends StationError {
  readonly right: Right;

  constructor(right: Right, message: string) {
    super('forbidden', message);
    this.right = right;
  }
}

import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';

/** Maximum age of a confirmation. An older confirmation may be about different goods, so somebody has to check the shelf first. */
const WAITED_MS = 3_600_000;

/** When a confirmation was made, and the fulfilled quantity that the page showed at that time. */
export type Waited = { confirmed_at?: string | undefined; seen?: number | undefined };

/**
 * Throws `outdated` if a confirmation was delayed in a browser and is no longer valid. `item` is the item's current state, or undefined if
 * the item no longer exists.
 */
export function refuseOutdated(
  item: { fulfilled: number; isOver: boolean } | undefined,
  { confirmed_at: confirmedAt, seen }: Waited,
  now: number,
): void {
  if (confirmedAt !== undefined && now - Date.parse(confirmedAt) > WAITED_MS) {
    throw outdated(`It was confirmed at ${confirmedAt}, more than an hour ago.`);
  }
  if (seen === undefined || item === undefined) return;
  if (item.fulfilled !== seen) {
    throw outdated(`The page showed ${seen} as picked, but it is ${item.fulfilled} now.`);
  }
  if (item.isOver) throw outdated('Somebody has finished the line since.');
}

/** Returns the transaction for a confirmation that may have been delayed, with the time at which it was made. */
export function actedAt(tx: Transaction, { confirmed_at: confirmedAt }: Waited): Transaction {
  return confirmedAt === undefined ? tx : { ...tx, actedAt: Math.min(tx.now, Date.parse(confirmedAt)) };
}

/** Throws `outdated` if the scanned code now identifies a different line from the one that the page showed. */
export function refuseOtherLine(itemId: number, shown: number | undefined): void {
  if (shown !== undefined && itemId !== shown) throw outdated('The code means another line now.');
}

function outdated(why: string): StationError {
  return new StationError(
    'outdated',
    `This confirmation waited and was not booked. ${why} Look at the shelf, and book it again without confirmed_at and seen if it is right.`,
  );
}

import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';

/** Maximum age of a confirmation. An older confirmation may be about different goods, so somebody has to check the shelf first. */
const WAITED_MS = 3_600_000;

/** What the page showed of an item: its fulfilled quantity, and possibly its ordered quantity and its place. */
type Seen = number | { picked: number; asked?: number | undefined; place?: string | undefined };

/**
 * When a confirmation was made, and what the page showed at that time. `late`: a person has checked an old confirmation since, so it may be
 * of any age.
 */
export type Waited = { confirmed_at?: string | undefined; seen?: Seen | undefined; late?: boolean | undefined };

/** Current state of an item. `place` is the place of a line without a light. */
type Current = {
  fulfilled: number;
  isOver: boolean;
  ordered?: number;
  litDeviceId?: string | null;
  warehouseLocation?: string | null;
  place?: string | null;
};

/**
 * Throws `outdated` if a confirmation was delayed in a browser and is no longer valid. `item` is the item's current state, or undefined if
 * the item no longer exists.
 */
export function refuseOutdated(
  item: Current | undefined,
  { confirmed_at: confirmedAt, seen, late = false }: Waited,
  now: number,
): void {
  if (!late && confirmedAt !== undefined && now - Date.parse(confirmedAt) > WAITED_MS) {
    throw outdated('It was confirmed more than an hour ago.');
  }
  if (seen === undefined || item === undefined) return;
  const { picked, asked, place } = typeof seen === 'number' ? { picked: seen } : seen;
  if (item.fulfilled !== picked) {
    throw outdated(`The page showed ${picked} as picked, but it is ${item.fulfilled} now.`);
  }
  if (asked !== undefined && item.ordered !== undefined && item.ordered !== asked) {
    throw outdated(`The page showed ${asked} as ordered, but it is ${item.ordered} now.`);
  }
  const dark = item.litDeviceId === null ? (item.warehouseLocation ?? item.place ?? undefined) : undefined;
  if (place !== undefined && dark !== undefined && nameKey(place) !== nameKey(dark)) {
    throw outdated(`The page showed the place ${place}, but it is ${dark} now.`);
  }
  if (item.isOver) throw outdated('Somebody has finished the line since.');
}

/** Returns the transaction for a confirmation that may have been delayed, with the time at which it was made. */
export function actedAt(tx: Transaction, { confirmed_at: confirmedAt }: Waited): Transaction {
  return confirmedAt === undefined ? tx : { ...tx, actedAt: Math.min(tx.now, Date.parse(confirmedAt)) };
}

/** Returns the transaction with the time of an item's last booking, which a later answer corrects. */
export function bookedAt(tx: Transaction, { lastBookedAt }: { lastBookedAt: number | null }): Transaction {
  return lastBookedAt === null ? tx : { ...tx, actedAt: Math.min(tx.actedAt ?? tx.now, lastBookedAt) };
}

/** Throws `outdated` if a delayed confirmation names a device at which the line is not lit any more, because it has moved. */
export function refuseMoved(lit: string | null | undefined, deviceId: string, { seen }: Waited): void {
  if (seen !== undefined && typeof lit === 'string' && lit !== deviceId)
    throw outdated('The line has moved to another place.');
}

/** Throws `outdated` if the scanned code now identifies a different line from the one that the page showed. */
export function refuseOtherLine(itemId: number, shown: number | undefined): void {
  if (shown !== undefined && itemId !== shown) throw outdated('The code means another line now.');
}

/** Throws `outdated` if the line of a delayed confirmation got another article since. */
export function refuseOtherArticle(isOther: boolean): void {
  if (isOther) throw outdated('The line is of another article now.');
}

function outdated(why: string): StationError {
  return new StationError(
    'outdated',
    `This confirmation waited and was not booked. ${why} Look at the shelf, and book it again if it is right. A program leaves out \`confirmed_at\` and \`seen\`.`,
  );
}

import { StationError } from '../../errors.ts';

/** Age above which a confirmation is refused: it may be about other goods, so somebody checks the shelf first. */
const WAITED_MS = 3_600_000;

/** When a confirmation was made, and the fulfilled quantity that the page showed then. */
export type Waited = { confirmed_at?: string | undefined; seen?: number | undefined };

/**
 * Refuses a confirmation that waited in a browser and no longer fits. `item`: its current state; undefined: it does not exist. Throws `outdated`.
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

/** Refuses a scan whose code now means another line than on the page where it was scanned. Throws `outdated`. */
export function refuseOtherLine(itemId: number, shown: number | undefined): void {
  if (shown !== undefined && itemId !== shown) throw outdated('The code means another line now.');
}

function outdated(why: string): StationError {
  return new StationError(
    'outdated',
    `This confirmation waited and was not booked. ${why} Look at the shelf, and book it again without confirmed_at and seen if it is right.`,
  );
}

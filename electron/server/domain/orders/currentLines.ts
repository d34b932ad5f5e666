/** How long a place belongs to a picker after the picker scans or touches something there. */
const ARRIVED_MS = 60_000;
/** How long a line stays current without an update from the page, in case the page was abandoned. */
const CURRENT_MS = 15 * 60_000;

/** The line that a picker's page shows. Times are in monotonic milliseconds. */
export type CurrentLine = {
  picker: string;
  itemId: number;
  /** When the line became the picker's current line. */
  since: number;
  /** When the page last reported the line. */
  namedAt: number;
  /** When the picker last scanned or touched something at the place; null if not yet. */
  arrivedAt: number | null;
};

export function isCurrent({ namedAt }: CurrentLine, now: number): boolean {
  return now - namedAt < CURRENT_MS;
}

export function hasArrived({ arrivedAt }: CurrentLine, now: number): boolean {
  return arrivedAt !== null && now - arrivedAt < ARRIVED_MS;
}

/**
 * Returns the milliseconds until the picker stops counting as arrived or, if not arrived, until the line stops being current. Returns
 * Infinity if neither applies.
 */
export function lastsMs(line: CurrentLine, now: number): number {
  if (hasArrived(line, now)) return (line.arrivedAt ?? now) + ARRIVED_MS - now;
  return isCurrent(line, now) ? line.namedAt + CURRENT_MS - now : Infinity;
}

/**
 * Returns the item that a device should show instead of `shown`, or undefined if nothing should change. `lines` are the current lines at
 * the device. Lines of pickers who have arrived come first, by arrival time; otherwise, the line that has been current for longest.
 */
export function itemToShow(lines: readonly CurrentLine[], shown: number | null, now: number): number | undefined {
  const arrived = lines.filter((line) => hasArrived(line, now));
  const first = arrived.length > 0 ? arrived : lines;
  if (first.some(({ itemId }) => itemId === shown)) return undefined;
  const [earliest] = first.toSorted((a, b) => startOf(a, now) - startOf(b, now));
  return earliest?.itemId;
}

function startOf(line: CurrentLine, now: number): number {
  return hasArrived(line, now) ? (line.arrivedAt ?? line.since) : line.since;
}

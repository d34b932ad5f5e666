/** How long a place belongs to a picker after the picker scans or touches something there. */
const ARRIVED_MS = 60_000;
/** How long a line stays current without an update from the page, in case the page was abandoned. */
const CURRENT_MS = 15 * 60_000;

/** A line that a picker's page can show: an item of an order, or a pick of a batch. */
export type LineOwner = { kind: 'item' | 'pick'; id: number };

/** The line that a picker's page shows. Times are in monotonic milliseconds. */
export type CurrentLine = {
  picker: string;
  owner: LineOwner;
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

/** Whether both are the same line. */
export function isSameLine(one: Pick<LineOwner, 'id'> & { kind: string }, other: LineOwner): boolean {
  return one.kind === other.kind && one.id === other.id;
}

/**
 * Returns the line that a device should show instead of `shown`, or undefined if nothing should change. `lines` are the current lines at
 * the device. Lines of pickers who have arrived come first, by arrival time; otherwise, the line that has been current for longest.
 */
export function lineToShow(lines: readonly CurrentLine[], shown: LineOwner | null, now: number): LineOwner | undefined {
  const arrived = lines.filter((line) => hasArrived(line, now));
  const first = arrived.length > 0 ? arrived : lines;
  if (shown !== null && first.some(({ owner }) => isSameLine(owner, shown))) return undefined;
  const [earliest] = first.toSorted((a, b) => startOf(a, now) - startOf(b, now));
  return earliest?.owner;
}

function startOf(line: CurrentLine, now: number): number {
  return hasArrived(line, now) ? (line.arrivedAt ?? line.since) : line.since;
}

import type { LineBefore } from '../../domain/commands/earlyPress.ts';
import { isSameLine, type LineOwner } from '../../domain/orders/currentLines.ts';

/**
 * Maximum time between two screens that people see as consecutive. A screen remains visible until the next one is drawn, which takes 2 s on
 * slow e-paper.
 */
const JUST_BEFORE_MS = 3_000;

/** A line of an order or batch on a device. `picker` is null if the line has no picker. */
type ShownLine = { owner: LineOwner; picker: string | null };

/**
 * The line that a device showed last. `since` is when the device first showed the line, whose color and count may have changed later.
 * `leftAt` is when the line was pressed or timed out, and `clearedAt` when the background replaced it. Both are null until then, and again
 * once the same line is lit.
 */
type Kept = ShownLine & { before: LineBefore; since: number; leftAt: number | null; clearedAt: number | null };

/** Times of a late report. `at` is when the device showed the content, and `now` when the report arrived. */
type When = { at: number; now: number };

/**
 * Stores the line that each device showed last. The lines are only in memory, so after a restart, no press counts as early. Times are in
 * epoch milliseconds.
 */
export function createShownLines() {
  const shown = new Map<string, Kept>();

  function change(deviceId: string, to: (last: Kept) => Partial<Kept>): void {
    const last = shown.get(deviceId);
    if (last !== undefined) shown.set(deviceId, { ...last, ...to(last) });
  }

  return {
    /** Records that the device has shown this line since `at`. */
    shows(deviceId: string, line: ShownLine, at: number): void {
      const last = shown.get(deviceId);
      const now = { ...line, leftAt: null, clearedAt: null };
      if (last !== undefined && isSameLine(last.owner, line.owner) && last.leftAt === null)
        shown.set(deviceId, { ...last, ...now });
      else shown.set(deviceId, { ...now, before: beforeOf(last, line, at), since: at });
    },
    /** Like `shows`, but for a late report. Ignores reports that are older than the current line. */
    showed(deviceId: string, line: ShownLine, { leftAt, ...when }: When & { leftAt: number | null }): void {
      const { at } = when;
      if (isOlder(shown.get(deviceId), when)) return;
      this.shows(deviceId, line, at);
      if (leftAt !== null) this.left(deviceId, line.owner, leftAt);
    },
    /**
     * Records that the line was pressed or timed out, so that the device no longer shows it. Keeps the first such time until the line is
     * shown again.
     */
    left: (deviceId: string, owner: LineOwner, at: number): void =>
      change(deviceId, (last) => (isSameLine(last.owner, owner) ? { leftAt: last.leftAt ?? at } : {})),
    /** Records that the device shows its background. */
    clears: (deviceId: string, at: number): void => change(deviceId, (last) => ({ clearedAt: last.clearedAt ?? at })),
    /** Handles a late report that the device showed other content. */
    showedOther(deviceId: string, when: When): void {
      if (!isOlder(shown.get(deviceId), when)) shown.delete(deviceId);
    },
    /** Forgets the line because the device shows other content. */
    forget: (deviceId: string): void => void shown.delete(deviceId),
    /**
     * Finds what the device showed before this line, and when it first showed this line (null if not reported). Also finds a line whose
     * light is off, because a press may be in transit.
     */
    find(deviceId: string, owner: LineOwner): { before: LineBefore; shownAt: number | null } {
      const last = shown.get(deviceId);
      if (last === undefined || !isSameLine(last.owner, owner)) return { before: 'none', shownAt: null };
      return { before: last.before, shownAt: last.since };
    },
  };
}

export type ShownLines = ReturnType<typeof createShownLines>;

/** Whether the report is older than the line. Returns false if the line's time is in the future because the clock was set back. */
function isOlder(last: Kept | undefined, { at, now }: When): boolean {
  return last !== undefined && at < last.since && last.since <= now;
}

/**
 * Returns which line people saw just before. A line that was neither pressed nor cleared stays on the screen until the next one is drawn,
 * even if its command ended long ago. `goneAt` is in the future if the clock was set back.
 */
function beforeOf(last: Kept | undefined, { picker }: ShownLine, at: number): LineBefore {
  if (last === undefined) return 'none';
  const goneAt = last.leftAt ?? last.clearedAt;
  if (goneAt !== null && Math.abs(at - goneAt) > JUST_BEFORE_MS) return 'none';
  return last.picker === picker ? 'same' : 'other';
}

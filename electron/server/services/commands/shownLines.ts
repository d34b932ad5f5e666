import type { LineBefore } from '../../domain/earlyPress.ts';

/** A picture stays until the next one is drawn: two seconds on a slow e-paper. */
const JUST_BEFORE_MS = 3_000;

/** A line of an order on a device. `picker`: whose it is; null: nobody's. */
type ShownLine = { itemId: number; picker: string | null };

/** `since`: when the device showed the line first; its color and count may have changed since. */
type Kept = ShownLine & { before: LineBefore; since: number; endedAt: number | null };

/**
 * The line that each device showed last, in memory: after a start nothing is known, and no press is early because of it. Times
 * are epoch milliseconds.
 */
export function createShownLines() {
  const shown = new Map<string, Kept>();
  return {
    /** The device shows this line since `at`. */
    shows(deviceId: string, line: ShownLine, at: number): void {
      const last = shown.get(deviceId);
      if (last?.itemId === line.itemId && last.endedAt === null) return void shown.set(deviceId, { ...last, ...line });
      shown.set(deviceId, { ...line, before: beforeOf(last, line, at), since: at, endedAt: null });
    },
    /** The line is over there. */
    ended(deviceId: string, itemId: number, at: number): void {
      const last = shown.get(deviceId);
      if (last?.itemId === itemId) shown.set(deviceId, { ...last, endedAt: at });
    },
    /** Forgets the line: the device shows other content. */
    forget: (deviceId: string): void => void shown.delete(deviceId),
    /**
     * What was shown before this line, and since when the line is shown; null: the device has not said so. Its light may be off by
     * now: a press may have been on its way.
     */
    find(deviceId: string, itemId: number): { before: LineBefore; shownAt: number | null } {
      const last = shown.get(deviceId);
      if (last?.itemId !== itemId) return { before: 'none', shownAt: null };
      return { before: last.before, shownAt: last.since };
    },
  };
}

export type ShownLines = ReturnType<typeof createShownLines>;

function beforeOf(last: Kept | undefined, { picker }: ShownLine, at: number): LineBefore {
  if (last === undefined || (last.endedAt !== null && at - last.endedAt > JUST_BEFORE_MS)) return 'none';
  return last.picker === picker ? 'same' : 'other';
}

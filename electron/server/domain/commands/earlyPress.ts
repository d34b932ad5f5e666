/** Maximum time between a press and its bounce. Bounces follow within 60 to 200 ms; people need at least 300 ms between presses. */
const BOUNCE_MS = 220;
/** Minimum time that a person needs to read a new line and press. An earlier press was intended for the previous line. */
const NEXT_LINE_MS = 100;
/** Like NEXT_LINE_MS, but longer if the next line belongs to another person, because the press may be intended for the previous line. */
const OTHER_PERSON_MS = 250;

/** What a device showed just before a line: a line of the same person, a line of another person, or none. */
export type LineBefore = 'same' | 'other' | 'none';

/**
 * A press on the front of a device. Times are in epoch milliseconds: when the report arrived, minus the age that the device reports.
 */
export type LinePress = {
  at: number;
  /** For how many milliseconds the report can have waited for a busy station. The press can be this much earlier than `at`. */
  waitedMs: number;
  /** The last counted press on the front of the device; null if unknown. */
  lastAt: number | null;
  /** The time since that press, as the device measured it; null if the device does not measure it. */
  sinceLastMs: number | null;
  /** When the device began to show the line; null if not known yet. */
  shownAt: number | null;
  before: LineBefore;
  hasScreen: boolean;
};

/**
 * Whether a press comes too early to be a reaction to the line that it refers to. An early press books nothing. A press whose time is so
 * uncertain that it can be early counts as early: its line is lit again, so an honest press costs a second one, but a bounce never books.
 */
export function isEarly({ at, waitedMs, lastAt, sinceLastMs, shownAt, before, hasScreen }: LinePress): boolean {
  const isBounce = sinceLastMs === null ? isWithin(at, lastAt, BOUNCE_MS + waitedMs) : sinceLastMs < BOUNCE_MS;
  if (isBounce) return true;
  if (before === 'same') return hasScreen && isWithin(at, shownAt, NEXT_LINE_MS + waitedMs);
  return before === 'other' && isWithin(at, shownAt, OTHER_PERSON_MS + waitedMs);
}

/** Whether `at` is within `ms` after `since`. False if `at` is before `since`, which happens when the wall clock was set back. */
function isWithin(at: number, since: number | null, ms: number): boolean {
  return since !== null && at >= since && at - since < ms;
}

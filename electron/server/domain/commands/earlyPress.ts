/** A bounce follows a press within 60 to 200 ms, and people press at most every 300 ms. */
const BOUNCE_MS = 220;
/** Nobody reads a new line and presses within this time, so the press was meant for the previous line. */
const NEXT_LINE_MS = 100;
/** If the next line is another person's, a press within this time may be meant for the previous line. */
const OTHER_PERSON_MS = 250;

/** What a device showed before a line: a line of the same person, one of somebody else, or none just before. */
export type LineBefore = 'same' | 'other' | 'none';

/** A front press at a line, by the ages that the device reports. Epoch milliseconds. */
export type LinePress = {
  at: number;
  /** The last front press at the device that counted; null: none is known. */
  lastAt: number | null;
  /** Since when the device shows the line; null: not known yet. */
  shownAt: number | null;
  before: LineBefore;
  hasScreen: boolean;
};

/** Whether a press comes too early to be meant for the line that it names. Such a press books nothing. */
export function isEarly({ at, lastAt, shownAt, before, hasScreen }: LinePress): boolean {
  if (isWithin(at, lastAt, BOUNCE_MS)) return true;
  if (before === 'same') return hasScreen && isWithin(at, shownAt, NEXT_LINE_MS);
  return before === 'other' && isWithin(at, shownAt, OTHER_PERSON_MS);
}

/** False if `at` is before `since`, because the wall clock may have been set back. */
function isWithin(at: number, since: number | null, ms: number): boolean {
  return since !== null && at >= since && at - since < ms;
}

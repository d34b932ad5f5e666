/**
 * The only file that specifies a locale, except the page's `words/formats.ts` for times. All texts are in English on every machine, so that
 * programs and logs are the same everywhere.
 */
export const LANGUAGE = 'en';

const counts = new Intl.NumberFormat(LANGUAGE);
const names = new Intl.Collator(LANGUAGE, { numeric: true });
const labels = new Intl.Collator(LANGUAGE, { numeric: true, sensitivity: 'base' });
const lists = new Intl.ListFormat(LANGUAGE);
const characters = new Intl.Segmenter(LANGUAGE, { granularity: 'grapheme' });

/** Formats a number for display, such as `10,000`. */
export function countText(count: number): string {
  return counts.format(count);
}

/** Joins the parts of a list for a sentence, such as `a, b, and c`. */
export function listText(parts: readonly string[]): string {
  return lists.format(parts);
}

/** Formats date and time for display, in an IANA time zone. `at` is in epoch milliseconds. */
export function momentText(at: number, timeZone: string): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });
}

/** Compares in natural order: `A-2` before `A-10`. */
export function compareNames(one: string, other: string): number {
  return names.compare(one, other);
}

/** Compares place labels in natural order, ignoring case and accents. */
export function compareLabels(one: string, other: string): number {
  return labels.compare(one, other);
}

/** Splits a text into characters as people perceive them, such as a letter with its accents. */
export function* graphemesOf(text: string): Generator<string, void, void> {
  for (const { segment } of characters.segment(text)) yield segment;
}

/** Whether a name is an IANA time zone. Returns false for offsets such as +01:00, which ignore daylight saving time. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && timeFormat(name, {}).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Creates a formatter for times in an IANA time zone. Throws a RangeError for an unknown zone. */
export function timeFormat(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(LANGUAGE, { ...options, timeZone });
}

import { MAX_LINE_CHARACTERS } from '../../screen/content.ts';
import { graphemesOf } from './locale.ts';

/**
 * Maximum number of UTF-16 units of a line to normalize, far more than 26 characters of any script need. Normalizing longer texts could
 * take minutes.
 */
const MAX_LINE_UNITS = 1_000;

/** Whether `cutLine` would shorten the text. */
export function isTooLong(text: string, limit: number = MAX_LINE_CHARACTERS): boolean {
  return text.length > MAX_LINE_UNITS || cutLine(text, limit) !== cutLine(text, Number.POSITIVE_INFINITY);
}

/**
 * Returns a text as one line of a screen: normalized, with spaces instead of control characters, and with at most `limit` graphemes.
 * See the contract, section 4.
 */
export function cutLine(text: string, limit: number = MAX_LINE_CHARACTERS): string {
  // Fast path for printable ASCII, which needs no normalization.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length <= limit ? text : text.slice(0, limit);
  const bounded = text.slice(0, MAX_LINE_UNITS).replace(/[\ud800-\udbff]$/, '');
  const line = bounded.normalize('NFC').replace(/\p{Cc}/gu, ' ');
  if (line.length <= limit) return line;
  let cut = '';
  let count = 0;
  for (const segment of graphemesOf(line)) {
    if (count === limit) break;
    cut += segment;
    count += 1;
  }
  return cut;
}

export const CONTROL_CHARACTER =
  'This has a line break, a tab or another character that cannot be seen. Write it again without it.';

/** Soft hyphens, zero-width spaces and direction marks. Excludes the two zero-width joiners, which change how scripts and emoji look. */
const UNSEEN = /[\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/u;

/** Whether a number, a code or a place name contains control characters, which cannot be scanned, typed or used in an address. */
export function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** Whether the text contains invisible characters, so that it could look like a different text. */
export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text);
}

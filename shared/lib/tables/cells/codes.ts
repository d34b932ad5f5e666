import { couldRun } from './csv.ts';
import { expandUpcE, hasRightCheckDigit } from '../../articles/gtin.ts';
import { nameKey } from '../../text/nameKey.ts';
import { hasControl } from '../../text/text.ts';
import { LOWERCASE_MONTHS, MONTH_NAMES } from './months.ts';
import { plainText, refused, shortened } from './texts.ts';
import type { FileCell } from '../table.ts';

/** Result of reading a code. `note` describes how the code was changed, and is empty if it was not. */
export type CodeReading = { ok: true; value: string; note: string; isQuoted: boolean } | { ok: false; message: string };

/** A long number in the short form that spreadsheets use: 4,00638E+12. */
const SHORTENED = /^\d(?:[.,]\d+)?E\+\d{2}$/i;
const monthDate = (names: readonly string[], flags: string): RegExp => {
  const month = names.toSorted((a, b) => b.length - a.length).join('|');
  return new RegExp(
    `^(?:\\d{1,2}[.\\s-]+(?:${month})\\.?(?:[.\\s-]+\\d{2,4})?|(?:${month})\\.?[.\\s-]+\\d{2,4})$`,
    flags,
  );
};
/** A code that a spreadsheet converted to a date: `01. Mrz`, `Oct-12`, `1-Mar-26`, `10-sty`. */
const MONTH_DATE = monthDate(
  [...MONTH_NAMES.keys()].filter((name) => !LOWERCASE_MONTHS.has(name)),
  'iu',
);
const LOWERCASE_DATE = monthDate([...LOWERCASE_MONTHS], 'u');
const DIGIT_DATE = /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2})?)?$/;
/** A code such as `1:10` that a spreadsheet converted to a time, or that it would convert. */
const TIME = /^\d{1,3}:\d{2}(?::\d{2})?(?: ?[ap]m)?$/i;
/** Original length of a barcode, by its length without a leading zero. */
const LOST_ZERO = new Map([
  [7, 8],
  [11, 12],
]);

/** Reads an order number, an article or a place. `isKnown` tells whether the shop has a place with this name. */
export function readCode(cell: FileCell | undefined, isKnown: (text: string) => boolean): CodeReading {
  const text = plainText(typeof cell === 'object' && cell.kind === 'number' ? (cell.code ?? cell) : cell);
  if (!text.ok) return text;
  const { value, isQuoted } = text;
  if (hasControl(value)) {
    return refused(
      `"${shortened(value.replaceAll(/\p{Cc}+/gu, ' '))}" has a line break, a tab or another character that cannot be seen. Write it again without it.`,
    );
  }
  if (isQuoted) return { ok: true, value, note: '', isQuoted };
  if (SHORTENED.test(value)) {
    return refused(`"${value}" was shortened by a spreadsheet. Format the column as text, and enter the code again.`);
  }
  const isDate = (typeof cell === 'object' && cell.kind === 'date') || isDateText(value);
  const isTime = !isDate && TIME.test(value);
  if ((isDate || isTime) && !isKnown(value)) {
    return refused(
      `"${shortened(value)}" is a ${isDate ? 'date' : 'time'}. A spreadsheet may have changed a code: format the column as text, and enter it again.`,
    );
  }
  return { ok: true, value, note: '', isQuoted };
}

/** Reads a barcode. Restores a lost leading zero, and expands a UPC-E to the UPC-A that scanners and shops use, with a note. */
export function readBarcode(cell: FileCell | undefined, isKnown: (text: string) => boolean): CodeReading {
  const read = readCode(cell, isKnown);
  if (!read.ok || read.isQuoted) return read;
  const upcE = expandUpcE(read.value);
  if (upcE !== undefined && !isKnown(read.value)) {
    return { ...read, value: upcE, note: `"${read.value}" is a short UPC and is read as ${upcE}.` };
  }
  const full = LOST_ZERO.get(read.value.length);
  if (full === undefined || !/^\d+$/.test(read.value) || !hasRightCheckDigit(read.value)) return read;
  const value = read.value.padStart(full, '0');
  return { ...read, value, note: `"${read.value}" is read as ${value}, since it lost a zero at its beginning.` };
}

/**
 * Reads a place. Shortens an unknown path such as `WH/Stock/A-1-1` to its last part if that is a known place, but not in `shared`, the keys
 * of places to which several paths of the file lead.
 */
export function readPlace(
  cell: FileCell | undefined,
  isKnown: (text: string) => boolean,
  shared: ReadonlySet<string>,
): CodeReading {
  const read = readCode(cell, isKnown);
  if (read.ok && !read.isQuoted && namesSeveral(read.value, isKnown))
    return refused(
      `"${shortened(read.value)}" names several places. Write one place in the row, or a row for each of them.`,
    );
  const found = read.ok && !read.isQuoted ? pathOf(read.value, isKnown) : undefined;
  if (!read.ok || found === undefined) return read;
  if (shared.has(nameKey(found.place))) {
    return refused(
      `"${shortened(read.value)}" and another name in the file both end with the place ${found.place}. If they are one place, give their paths in place_paths, such as "${shortened(found.path)}". If not, name the places differently.`,
    );
  }
  return { ...read, value: found.place, note: `"${shortened(read.value)}" is read as the place ${found.place}.` };
}

/** Maximum number of characters of a list of places. */
const MAX_LIST = 500;
/** Separators in a list of places. */
const SEPARATOR = /[,;|+&]/;

/** Whether a text that is not a place itself is a list of known places. */
function namesSeveral(text: string, isPlace: (text: string) => boolean): boolean {
  if (text.length > MAX_LIST || !SEPARATOR.test(text) || isPlace(text)) return false;
  const parts = text.split(SEPARATOR).map((part) => part.trim());
  return parts.length > 1 && parts.every((part) => isPlace(part) || isPlace(withoutPieces(part)));
}

/** Removes the pieces after a place in a list: `A-1 (3)`, `A-1: 3`, `A-1 x3`. */
function withoutPieces(text: string): string {
  const at = text.search(/[(:=]/);
  if (at >= 0) return text.slice(0, at).trim();
  const last = text.lastIndexOf(' ');
  return /^[x×]?\d+[x×]?$/.test(text.slice(last + 1)) ? text.slice(0, Math.max(0, last)).trim() : text;
}

/** Splits an unknown path into its last part, which is a known place, and the path before it. Returns undefined for any other text. */
export function pathOf(text: string, isPlace: (text: string) => boolean): { path: string; place: string } | undefined {
  const at = text.lastIndexOf('/');
  if (at < 0 || isPlace(text)) return undefined;
  const place = text.slice(at + 1).trim();
  return place !== '' && isPlace(place) ? { path: text.slice(0, at).trim(), place } : undefined;
}

/** Returns a code as text, or as a formula if the import or a spreadsheet would change the text. */
export function explicitText(code: string): string | { explicit: string } {
  const isUnclear =
    SHORTENED.test(code) ||
    isDateText(code) ||
    TIME.test(code) ||
    (/^\d+$/.test(code) && LOST_ZERO.has(code.length)) ||
    expandUpcE(code) !== undefined ||
    code.includes('/');
  return isUnclear ? { explicit: code } : code;
}

/**
 * Writes a place like `explicitText`, and explicitly if the import would read it as a list of places. Places that a spreadsheet could run as
 * formulas stay texts, and so do places with quotes.
 */
export function explicitPlace(place: string): string | { explicit: string } {
  const isList = SEPARATOR.test(place) && !place.includes('"') && !couldRun(place);
  return isList ? { explicit: place } : explicitText(place);
}

/** Whether a text is a date. Spreadsheets never write a month in capitals, so `OCT-12` is a code. */
function isDateText(text: string): boolean {
  return DIGIT_DATE.test(text) || LOWERCASE_DATE.test(text) || (MONTH_DATE.test(text) && text !== text.toUpperCase());
}

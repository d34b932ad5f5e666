import { countText } from '../../text/locale.ts';
import { MAX_ORDERED } from '../../orders/orderLimits.ts';
import { plainText, refused } from './texts.ts';
import type { FileCell } from '../table.ts';

/** Decimal separator. */
export type DecimalMark = '.' | ',';

/** The value of a cell, or a sentence about why it cannot be read. */
export type ReadValue<T> = { ok: true; value: T } | { ok: false; message: string };

/** Thousands separators that are never decimal separators: spaces and apostrophes. */
const GROUP_SIGNS = /(?<=\d)[ \u00a0\u2009\u202f'\u2019](?=\d{3}(?!\d))/g;
const GROUPED = /^\d{1,3}(?:[ \u00a0\u2009\u202f'\u2019]\d{3})+(?:[.,]\d*)?$/;
/** A unit after a number: `2 Stk.`, `3pcs`. */
const UNIT = /(?<=\d[.,]?)\s*\p{L}+\.?$/u;

/** Maximum number of characters of a number with its unit. */
const MAX_NUMBER_CHARACTERS = 200;
/** Text without a decimal separator. */
const PLAIN = /^\d*$/;

type Parts = { negative: boolean; whole: string; fraction: string; mark: DecimalMark | undefined };
/**
 * Result of examining a number. It is `unclear` if the only separator is followed by three digits, so that it can be a thousands or a
 * decimal separator.
 */
type Parsed =
  | ({ kind: 'number' } & Parts)
  | { kind: 'unclear'; whole: string; fraction: string; negative: boolean }
  | { kind: 'none' };

/** Returns the decimal separator that a number contains or implies, or undefined if there is none or the number is ambiguous. */
export function decimalMarkIn(cell: FileCell | undefined): DecimalMark | undefined {
  if (typeof cell !== 'string' || PLAIN.test(cell)) return undefined;
  const parsed = parse(cell);
  return parsed.kind === 'number' ? parsed.mark : undefined;
}

/** Whether a number such as `1.000` is ambiguous, so that `decimal` decides. */
export function isUnclearNumber(text: string): boolean {
  return parse(text).kind === 'unclear';
}

/**
 * Reads a whole number of pieces: `2`, `2.0`, `2,00`, `1 200`, `2 Stk`. `decimal` is the decimal separator given by the caller or found in
 * the column.
 */
export function readPieces(cell: FileCell, decimal: DecimalMark | undefined): ReadValue<number> {
  const read = readNumber(cell, decimal);
  if (!read.ok) return read;
  const { value, said } = read.value;
  if (!Number.isInteger(value))
    return refused(`"${said}" is not a whole number of pieces. Give a whole number from 0 up.`);
  if (value < 0 || value > MAX_ORDERED) {
    return refused(`"${said}" is not a quantity. Give a whole number from 0 to ${countText(MAX_ORDERED)}.`);
  }
  return { ok: true, value };
}

function readNumber(cell: FileCell, decimal: DecimalMark | undefined): ReadValue<{ value: number; said: string }> {
  const text = plainText(cell);
  if (!text.ok) return text;
  const said = text.value;
  if (typeof cell !== 'string' && cell.kind === 'number') return { ok: true, value: { value: cell.value, said } };
  if (typeof cell !== 'string') return refused(`"${said}" is not a quantity. Give a whole number from 0 up.`);
  const parsed = parse(said);
  if (parsed.kind === 'none') return refused(`"${said}" is not a quantity. Give a whole number from 0 up.`);
  const { negative, whole, fraction } = parsed;
  if (parsed.kind === 'unclear' && decimal === undefined) {
    return refused(
      `"${said}" can be ${Number(whole + fraction)} or ${Number(`${whole}.${fraction}`)} pieces. Write it without a sign between the digits, or say which one is the decimal sign (decimal: "." or ",").`,
    );
  }
  const isThousands = parsed.kind === 'unclear' && !said.includes(decimal ?? '');
  const value = Number(isThousands ? whole + fraction : `${whole}.${fraction === '' ? '0' : fraction}`);
  return { ok: true, value: { value: negative ? -value : value, said } };
}

function parse(text: string): Parsed {
  if (text.length > MAX_NUMBER_CHARACTERS) return { kind: 'none' };
  const bare = text.trim().replace(UNIT, '').trim();
  const negative = /^[-\u2212]/.test(bare);
  const unsigned = negative ? bare.slice(1) : bare;
  const hasGroups = GROUPED.test(unsigned);
  const digits = hasGroups ? unsigned.replaceAll(GROUP_SIGNS, '') : unsigned;
  if (!/^[\d.,]+$/.test(digits) || !/\d/.test(digits)) return { kind: 'none' };
  const marks = [...digits.matchAll(/[.,]/g)];
  const [last] = marks.slice(-1);
  if (last === undefined) return { kind: 'number', negative, whole: digits, fraction: '', mark: undefined };
  const [whole, fraction] = [digits.slice(0, last.index), digits.slice(last.index + 1)];
  const mark = last[0] as DecimalMark;
  if (marks.length === 1) {
    if (fraction.length === 3 && !hasGroups) return { kind: 'unclear', negative, whole, fraction };
    return { kind: 'number', negative, whole: whole === '' ? '0' : whole, fraction, mark };
  }
  const other = mark === '.' ? ',' : '.';
  // A repeated separator is a thousands separator: 1,234,567.
  if (!whole.includes(other)) {
    return isGrouped(digits, mark)
      ? { kind: 'number', negative, whole: digits.replaceAll(mark, ''), fraction: '', mark: other }
      : { kind: 'none' };
  }
  if (whole.includes(mark) || !isGrouped(whole, other) || hasGroups) return { kind: 'none' };
  return { kind: 'number', negative, whole: whole.replaceAll(other, ''), fraction, mark };
}

function isGrouped(digits: string, sign: DecimalMark): boolean {
  const [first = '', ...groups] = digits.split(sign);
  return /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group));
}

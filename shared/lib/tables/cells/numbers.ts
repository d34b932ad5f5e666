import type { FileCell } from '../table.ts';

/** Decimal separator. */
export type DecimalMark = '.' | ',';

/** The value of a cell, or a sentence about why it cannot be read. */
export type ReadValue<T> = { ok: true; value: T } | { ok: false; message: string };

/** Thousands separators that are never decimal separators: spaces and apostrophes. */
const GROUP_SIGNS = /(?<=\d)[ \u00a0\u2009\u202f'\u2019](?=\d{3}(?!\d))/g;
const GROUPED = /^\d{1,3}(?:[ \u00a0\u2009\u202f'\u2019]\d{3})+(?:[.,]\d*)?$/;
/** A number and its unit: `2 Stk.`, `3pcs`, `2 pc(s)`. */
const WITH_UNIT = /^([^\p{L}]*\d[.,]?)\s*(\p{L}.*)$/su;

/** Maximum number of characters of a number with its unit. */
const MAX_NUMBER_CHARACTERS = 200;
/** Text without a decimal separator. */
const PLAIN = /^\d*$/;

type Parts = { negative: boolean; whole: string; fraction: string; mark: DecimalMark | undefined; unit: string };
/**
 * Result of examining a number. It is `unclear` if the only separator is followed by three digits, so that it can be a thousands or a
 * decimal separator.
 */
type Parsed = ({ kind: 'number' } & Parts) | ({ kind: 'unclear' } & Omit<Parts, 'mark'>) | { kind: 'none' };

/** Returns the decimal separator that a number contains or implies, or undefined if there is none or the number is ambiguous. */
export function decimalMarkIn(cell: FileCell | undefined): DecimalMark | undefined {
  if (typeof cell !== 'string' || PLAIN.test(cell)) return undefined;
  const parsed = parseNumber(cell);
  return parsed.kind === 'number' ? parsed.mark : undefined;
}

/** Whether a number such as `1.000` is ambiguous, so that `decimal` decides. */
export function isUnclearNumber(text: string): boolean {
  return parseNumber(text).kind === 'unclear';
}

/** Examines a number with its unit. */
export function parseNumber(text: string): Parsed {
  if (text.length > MAX_NUMBER_CHARACTERS) return { kind: 'none' };
  const [, bare = text.trim(), unit = ''] = WITH_UNIT.exec(text.trim()) ?? [];
  const negative = /^[-\u2212]/.test(bare);
  const unsigned = negative ? bare.slice(1) : bare;
  const hasGroups = GROUPED.test(unsigned);
  const digits = hasGroups ? unsigned.replaceAll(GROUP_SIGNS, '') : unsigned;
  if (!/^[\d.,]+$/.test(digits) || !/\d/.test(digits)) return { kind: 'none' };
  const marks = [...digits.matchAll(/[.,]/g)];
  const [last] = marks.slice(-1);
  if (last === undefined) return { kind: 'number', negative, whole: digits, fraction: '', mark: undefined, unit };
  const [whole, fraction] = [digits.slice(0, last.index), digits.slice(last.index + 1)];
  const mark = last[0] as DecimalMark;
  if (marks.length === 1) {
    if (fraction.length === 3 && !hasGroups) return { kind: 'unclear', negative, whole, fraction, unit };
    return { kind: 'number', negative, whole: whole === '' ? '0' : whole, fraction, mark, unit };
  }
  const other = mark === '.' ? ',' : '.';
  // A repeated separator is a thousands separator: 1,234,567.
  if (!whole.includes(other)) {
    return isGrouped(digits, mark)
      ? { kind: 'number', negative, whole: digits.replaceAll(mark, ''), fraction: '', mark: other, unit }
      : { kind: 'none' };
  }
  if (whole.includes(mark) || !isGrouped(whole, other) || hasGroups) return { kind: 'none' };
  return { kind: 'number', negative, whole: whole.replaceAll(other, ''), fraction, mark, unit };
}

function isGrouped(digits: string, sign: DecimalMark): boolean {
  const [first = '', ...groups] = digits.split(sign);
  return /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group));
}

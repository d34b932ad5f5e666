import { parseDeviceIs } from '../deviceIs.ts';
import { hasRightCheckDigit, isGtinLength } from '../gtin.ts';
import type { FitName } from './ambiguous.ts';
import { pickStateOf } from './states.ts';

const DEVICE_ID = /^[0-9a-f]{6}:[0-9a-f]{6}$/i;
/** A code has a digit, and no blanks: `M8`, `K-100`. */
const CODE = /^(?=.*\d)\S+$/;
const LINE_NUMBER = /^\d{1,6}$/;
const FIRST_LINE = /^0*10?$/;
const WHOLE_NUMBER = /^-?\d{1,3}$/;
/** Values read; more do not change the answer. */
const READ = 2_000;

/** Columns as the fits see them. Values have no surrounding blanks; rows without any cell are left out. */
export type FitColumn = {
  /** Of each row; empty: a blank cell. */
  values: readonly string[];
  /** Order number of each row, carried down; null: the file has no such column. */
  orders: readonly string[] | null;
  /** Whether another column names the article. */
  hasArticle: boolean;
  /** Whether the column at its left names the article. */
  followsArticle: boolean;
  /** Whether the column at its left or right is the name of the article. */
  besideName: boolean;
  isPlace(text: string): boolean;
};

export function isDeviceId(text: string): boolean {
  return DEVICE_ID.test(text);
}

/** Whether a place has this name, or the last part of a path such as `WH/Stock/A-1-1`. */
export function isPlaceOrPath(text: string, isPlace: (text: string) => boolean): boolean {
  return isPlace(text) || (text.includes('/') && isPlace(text.slice(text.lastIndexOf('/') + 1).trim()));
}

/** Whether the values of a column are what a field needs. */
export function fits(fit: FitName, column: FitColumn): boolean {
  const filled = column.values.slice(0, READ).filter((value) => value !== '');
  return filled.length > 0 && FITS[fit](filled, column);
}

const FITS: Readonly<Record<FitName, (filled: readonly string[], column: FitColumn) => boolean>> = {
  places: (filled, { isPlace }) => share(filled, (value) => isPlaceOrPath(value, isPlace)) > 0.5,
  deviceids: (filled) => filled.every(isDeviceId),
  directions: (filled) => filled.every((value) => parseDeviceIs(value) !== undefined),
  barcodes: (filled) => filled.every((value) => isGtinLength(value) && hasRightCheckDigit(value)),
  codes: isCodes,
  articleCodes: (filled, column) =>
    isCodes(filled, column) && (column.besideName || withinOrders(column) === 'different'),
  words: isWords,
  goods: (filled, column) => isWords(filled) && isOfGoods(column),
  states: (filled) => filled.every((value) => pickStateOf(value) !== undefined),
  customers: (_filled, column) => withinOrders(column) === 'same',
  orderTexts: (_filled, column) => withinOrders(column) !== 'different',
  wholeNumbers: (filled) => filled.every((value) => WHOLE_NUMBER.test(value)),
  never: () => false,
};

function isWords(filled: readonly string[]): boolean {
  return share(filled, (value) => CODE.test(value)) < 0.5;
}

/** Codes of articles, not numbers of lines: 1, 2, 3 or 10, 20, 30 in each order. */
function isCodes(filled: readonly string[], { values, orders }: FitColumn): boolean {
  if (!filled.every((value) => CODE.test(value))) return false;
  if (!filled.every((value) => LINE_NUMBER.test(value))) return true;
  const isFirst = (at: number) => orders?.[at] !== orders?.[at - 1];
  return values.some((value, at) => (orders === null ? at === 0 : isFirst(at)) && !FIRST_LINE.test(value));
}

/** Whether the column describes the goods, not the order: lines of one order differ, or nothing else names the article. */
function isOfGoods(column: FitColumn): boolean {
  return !column.hasArticle || column.followsArticle || withinOrders(column) === 'different';
}

/** Whether lines of one order have the same value; `unknown`: no order has several lines with a value. */
function withinOrders({ values, orders }: FitColumn): 'same' | 'different' | 'unknown' {
  const first = new Map<string, string>();
  let found: 'same' | 'unknown' = 'unknown';
  for (const [index, value] of values.slice(0, READ).entries()) {
    const order = orders?.[index];
    if (order === undefined || value === '') continue;
    const before = first.get(order);
    if (before !== undefined && before !== value) return 'different';
    if (before === value) found = 'same';
    first.set(order, value);
  }
  return found;
}

function share(values: readonly string[], is: (value: string) => boolean): number {
  return values.filter(is).length / values.length;
}

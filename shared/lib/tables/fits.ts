import { parseDeviceIs } from '../devices/deviceIs.ts';
import { DEVICE_ID } from '../devices/deviceLimits.ts';
import { hasRightCheckDigit, isGtinLength } from '../articles/gtin.ts';
import { isSpreadsheetError } from './cells/faults.ts';
import type { FitName } from './ambiguous.ts';
import { activeOf } from './cells/active.ts';
import { articleParts } from './articleParts.ts';

/** Pattern of codes, which contain a digit and no blanks: `M8`, `K-100`. */
const CODE = /^(?=.*\d)\S+$/;
const LINE_NUMBER = /^\d{1,6}$/;
const FIRST_LINE = /^0*10?$/;
const WHOLE_NUMBER = /^-?\d{1,3}$/;
/** Number of values to test. More would rarely change the result. */
export const FITTED_ROWS = 2_000;
/** Maximum number of values to look up as articles. */
const READ_ARTICLES = 200;

/** A column to test, with its first FITTED_ROWS rows. */
export type FitColumn = {
  /** The trimmed value of each row. Empty for a blank cell. */
  values: readonly string[];
  /** Order number of each row, repeated for blank cells below it. Null if the file has no such column. */
  orders: readonly string[] | null;
  /** Whether another column names the article. */
  hasArticle: boolean;
  /** Whether another column has the article's SKU or UPC, so that several articles may have one name. */
  hasCode: boolean;
  /** Whether the column to the left of this one names the article. */
  followsArticle: boolean;
  /** Whether a column next to this one is the name or description of the article. */
  besideName: boolean;
  /** The article in each row as far as other columns name it, or null if there are none. */
  articles: readonly string[] | null;
  /** Whether another column has a name such as Product, Part or Item, which can be the article's code. */
  besideProduct: boolean;
  /** Whether another column has the first names of people. */
  besideFirstName: boolean;
  isPlace(text: string): boolean;
  /** Returns the SKU of the article that a text names: its SKU, a barcode, or a name that no other article has. */
  findArticle(text: string): string | undefined;
};

export function isDeviceId(text: string): boolean {
  return DEVICE_ID.test(text);
}

/** Whether the text, or the last part of a path such as `WH/Stock/A-1-1`, names a place. */
export function isPlaceOrPath(text: string, isPlace: (text: string) => boolean): boolean {
  return isPlace(text) || (text.includes('/') && isPlace(text.slice(text.lastIndexOf('/') + 1).trim()));
}

/** Whether a column passes the test. */
export function fits(fit: FitName, given: FitColumn): boolean {
  const column = withoutErrors(given);
  const filled = column.values.filter((value) => value !== '');
  return filled.length > 0 && FITS[fit](filled, column);
}

/** Replaces spreadsheet errors with blanks, because they do not tell what the column contains. */
function withoutErrors(column: FitColumn): FitColumn {
  if (!column.values.some(isSpreadsheetError)) return column;
  return { ...column, values: column.values.map((value) => (isSpreadsheetError(value) ? '' : value)) };
}

const FITS: Readonly<Record<FitName, (filled: readonly string[], column: FitColumn) => boolean>> = {
  places: (filled, { isPlace }) => share(filled, (value) => isPlaceOrPath(value, isPlace)) > 0.5,
  deviceids: (filled) => filled.every(isDeviceId),
  articles: areKnown,
  directions: (filled) => filled.every((value) => parseDeviceIs(value) !== undefined),
  barcodes: (filled) => filled.every((value) => isGtinLength(value) && hasRightCheckDigit(value)),
  codes: isCodes,
  articleCodes: (filled, column) =>
    isArticleCodes(filled, column) && (!column.besideProduct || areKnown(filled, column)),
  doubtfulCodes: (filled, column) =>
    column.besideProduct && !areKnown(filled, column) && isArticleCodes(filled, column, true),
  titles: (filled, column) =>
    column.hasArticle && isWords(filled) && (column.hasCode || !isShared(column)) && !filled.some(isAddress),
  words: isWords,
  goods: (filled, column) => isWords(filled) && isOfGoods(column),
  customers: (_filled, column) => withinOrders(column) === 'same' && !column.besideFirstName,
  lastNames: (_filled, column) => column.besideFirstName && withinOrders(column) !== 'different',
  orderTexts: (_filled, column) => withinOrders(column) !== 'different',
  wholeNumbers: (filled) => filled.every((value) => WHOLE_NUMBER.test(value)),
  different: (filled) => new Set(filled).size > filled.length / 2,
  filled: () => true,
  activities: (filled) => filled.every((value) => activeOf(value) !== undefined),
  never: () => false,
};

function areKnown(filled: readonly string[], { findArticle }: FitColumn): boolean {
  const isKnown = (value: string) => [value, ...articleParts(value)].some((text) => findArticle(text) !== undefined);
  return share(filled.slice(0, READ_ARTICLES), isKnown) > 0.5;
}

/**
 * Whether the values are codes of the articles, and not of orders: no value belongs to different articles. Unless `mayBeAlone`, the column
 * must be next to the article's name, or differ within an order.
 */
function isArticleCodes(filled: readonly string[], column: FitColumn, mayBeAlone = false): boolean {
  if (!isCodes(filled, column) || isShared(column)) return false;
  return mayBeAlone || column.besideName || withinOrders(column) === 'different';
}

/** Whether a value occurs with different articles. */
function isShared({ values, articles }: FitColumn): boolean {
  const first = new Map<string, string>();
  return (articles ?? []).some((article, index) => {
    const value = values[index] ?? '';
    if (value === '' || article === '') return false;
    const before = first.get(value);
    first.set(value, before ?? article);
    return before !== undefined && before !== article;
  });
}

/** Forms of address in a column of titles. */
const ADDRESSES = new Set(
  `mr mrs ms miss mx sir madam dr prof herr frau herrn fräulein familie firma m mme mlle monsieur madame mademoiselle docteur
   sr sra srta señor señora don doña sig sigra signor signora dhr mevr heer mevrouw pan pani`.split(/\s+/),
);

function isAddress(text: string): boolean {
  const [first = ''] = text.toLowerCase().split(/[.\s]/);
  return ADDRESSES.has(first);
}

function isWords(filled: readonly string[]): boolean {
  return share(filled, (value) => CODE.test(value)) < 0.5;
}

/** Whether the values are article codes, and not line numbers such as 1, 2, 3 or 10, 20, 30 in each order. */
function isCodes(filled: readonly string[], { values, orders }: FitColumn): boolean {
  if (!filled.every((value) => CODE.test(value))) return false;
  if (!filled.every((value) => LINE_NUMBER.test(value))) return true;
  const isFirst = (at: number) => orders?.[at] !== orders?.[at - 1];
  return values.some((value, at) => (orders === null ? at === 0 : isFirst(at)) && !FIRST_LINE.test(value));
}

/** Whether the column describes the goods, and not the order: its values differ within an order, or no other column names the article. */
function isOfGoods(column: FitColumn): boolean {
  if (column.besideFirstName) return false;
  return (!column.hasArticle && !column.besideProduct) || column.followsArticle || withinOrders(column) === 'different';
}

/** Whether lines of one order have the same value. The result is `unknown` if no order has several filled lines. */
function withinOrders({ values, orders }: FitColumn): 'same' | 'different' | 'unknown' {
  const first = new Map<string, string>();
  let found: 'same' | 'unknown' = 'unknown';
  for (const [index, value] of values.entries()) {
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

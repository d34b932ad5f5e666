import { countText } from '../text/locale.ts';
import type { InParts } from '../station/inParts.ts';
import { nameKey } from '../text/nameKey.ts';
import type { TableField } from './fields.ts';
import { isRepeatedHead } from './mapping.ts';
import { assessRow, type PickRule } from './pickRules.ts';
import type { ReadMemo } from './readMemo.ts';
import { LEAVE_OUT_SENTENCES } from './states.ts';
import { isLarge, type TableRow, textOf } from './table.ts';
import type { MappedColumns, SortedRow } from './types.ts';

/** Number of rows to sort, number or read per step. */
export const PART_ROWS = 200;

/** Maximum number of rows of one order, including those without items. More would take too long to compare. */
const MAX_ROWS_OF_ORDER = 5_000;
const TOO_MANY_ROWS_OF_ORDER = `The order has more than ${countText(MAX_ROWS_OF_ORDER)} rows. Check the column of order numbers, or split the order.`;

/** Fields that name an article. */
const ARTICLE = ['SKU', 'UPC', 'name', 'sku_and_name'] as const satisfies readonly TableField[];
/** First cells of total rows. */
const TOTALS = new Set(
  [
    'total',
    'totals',
    'grand total',
    'subtotal',
    'sub total',
    'sum',
    'summe',
    'gesamt',
    'gesamtsumme',
    'zwischensumme',
    'insgesamt',
    'total général',
    'sous-total',
    'somme',
    'total general',
    'suma',
    'subtotales',
    'totales',
    'razem',
    'totale',
    'totaal',
  ].map(nameKey),
);

/** Maximum number of characters in a text to look up, more than any entry of `TOTALS` has. */
const MAX_TOTAL_CHARACTERS = 40;

export const REPEATED_HEAD = 'It repeats the names of the columns.';
export const SUMS_UP = 'It sums up other rows.';

/** Whether a row that begins with this text is a total. */
export function isTotal(text: string): boolean {
  return text.length <= MAX_TOTAL_CHARACTERS && TOTALS.has(nameKey(text.replace(/:$/, '')));
}

/** Explains why a row with more filled cells than column names is wrong. Returns an empty text if the row has no surplus cells. */
export function surplusOf({ cells }: TableRow, { head }: Pick<MappedColumns, 'head'>): string {
  if (head.length === 0 || cells.slice(head.length).every((cell) => textOf(cell) === '')) return '';
  return `It has ${cells.length} cells, and there are ${head.length} names. Put quotes around cells that contain the separator.`;
}

/** Classifies rows as lines, other data about orders, or rows to leave out. */
export function* sortRows(mapped: MappedColumns, memo: ReadMemo): InParts<SortedRow[]> {
  const { fields } = mapped;
  const sortRow = (row: TableRow): SortedRow => {
    const cellOf = (field: TableField) => row.cells[fields.get(field) ?? -1];
    const has = (field: TableField) => textOf(cellOf(field)) !== '';
    const sorts = (kind: SortedRow['kind'], message = '', isWrong = false) => ({ row, kind, message, isWrong, cellOf });
    if (row.isHidden) return sorts('hidden');
    if (isRepeatedHead(row, mapped)) return sorts('left_out', REPEATED_HEAD);
    if (isTotal(textOf(row.cells[0]))) return sorts('left_out', SUMS_UP);
    const surplus = surplusOf(row, mapped);
    if (surplus !== '') return sorts('line', surplus, true);
    if (ARTICLE.some(has)) return sorts('line');
    if (has('warehouse_location') || has('deviceid'))
      return sorts('line', 'The item is missing. Give name, SKU or UPC.', true);
    return sorts('part');
  };
  const sorted: SortedRow[] = [];
  for (const row of mapped.body) {
    sorted.push(memo.sorted(row, sortRow));
    if (sorted.length % PART_ROWS === 0 || isLarge(row)) yield;
  }
  return yield* leaveOutFoot(sorted);
}

/** Leaves out rows without an article after the last line, unless their order has lines. */
function* leaveOutFoot(sorted: SortedRow[]): InParts<SortedRow[]> {
  const isLine = ({ kind }: SortedRow) => kind === 'line' || kind === 'hidden';
  const end = sorted.findLastIndex(isLine);
  if (!sorted.some(({ kind }, index) => index > end && kind === 'part')) return sorted;
  const numberOf = ({ cellOf }: SortedRow) => textOf(cellOf('order_number'));
  const numbers = new Set<string>();
  for (const [index, each] of sorted.entries()) {
    if (index % PART_ROWS === 0) yield;
    if (isLine(each)) numbers.add(numberOf(each));
    if (index <= end || each.kind !== 'part') continue;
    const number = numberOf(each);
    if (number !== '' && numbers.has(number)) continue;
    sorted[index] = { ...each, kind: 'left_out', message: 'It names no article, and no line follows.' };
  }
  return sorted;
}

/**
 * Leaves out lines that need no picking, for example because they have been shipped. `problem` explains why the rules cannot decide, and is
 * empty if they can.
 */
export function* leaveOutDone(
  rows: readonly SortedRow[],
  rules: readonly PickRule[],
): InParts<{ rows: readonly SortedRow[]; problem: string }> {
  if (rows.length > MAX_ROWS_OF_ORDER) return { rows, problem: TOO_MANY_ROWS_OF_ORDER };
  if (rules.length === 0) return { rows, problem: '' };
  const firstText = (some: readonly SortedRow[], field: TableField): string => {
    const first = some.find(({ cellOf }) => textOf(cellOf(field)) !== '');
    return textOf(first?.cellOf(field));
  };
  const ofOrder = textOnce((field) => firstText(rows, field));
  const parts = rows.filter(({ kind }) => kind === 'part');
  const ofParts = textOnce((field) => firstText(parts, field));
  let problem = '';
  const assess = (each: SortedRow): SortedRow => {
    if (each.kind !== 'line') return each;
    const verdict = assessRow(rules, (field, of) => {
      const own = textOf(each.cellOf(field));
      if (own !== '') return own;
      return of === 'order' ? ofOrder(field) : ofParts(field);
    });
    if (verdict.outcome === 'leave_out') {
      return { ...each, kind: 'left_out', message: LEAVE_OUT_SENTENCES[verdict.reason], isWrong: false };
    }
    if (verdict.outcome === 'refuse' && problem === '') problem = `Line ${each.row.line}: ${verdict.message}`;
    return each;
  };
  const assessed: SortedRow[] = [];
  for (const each of rows) {
    assessed.push(assess(each));
    if (assessed.length % PART_ROWS === 0) yield;
  }
  return { rows: assessed, problem };
}

/** Caches the text of each field. */
function textOnce(find: (field: TableField) => string): (field: TableField) => string {
  const found = new Map<TableField, string>();
  return (field) => {
    const text = found.get(field) ?? find(field);
    found.set(field, text);
    return text;
  };
}

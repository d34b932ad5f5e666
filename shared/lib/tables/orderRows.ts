import { countText } from '../text/locale.ts';
import { createPace, type InParts } from '../station/inParts.ts';
import { nameKey } from '../text/nameKey.ts';
import { errorIn } from './cells/faults.ts';
import { ARTICLE_FIELDS, type TableField } from './fields.ts';
import { isRepeatedHead } from './mapping.ts';
import { assessRow, type PickRule, type StateAnswers, type StateQuestion } from './pickRules.ts';
import { NONE_LEFT } from './profiles/profile.ts';
import { GENERAL_RULES } from './profiles/profiles.ts';
import type { ReadMemo } from './readMemo.ts';
import { cellsIn } from './rowCells.ts';
import { isCost } from './rowKinds.ts';
import { END_REASONS, type EndReason, LEAVE_OUT_SENTENCES } from './states.ts';
import { type TableRow, textOf } from './table.ts';
import type { MappedColumns, SortedRow } from './types.ts';

/** Maximum number of rows of one order, including those without items. More would take too long to compare. */
const MAX_ROWS_OF_ORDER = 5_000;
const TOO_MANY_ROWS_OF_ORDER = `The order has more than ${countText(MAX_ROWS_OF_ORDER)} rows. Check the column of order numbers, or split the order.`;

/** Fields that only rows of goods have. The name of such a row is not a word for a total or a cost. */
const GOODS = ['SKU', 'UPC', 'warehouse_location', 'deviceid'] as const satisfies readonly TableField[];

/** Whether a row names an article. */
export function namesArticle(cellOf: SortedRow['cellOf']): boolean {
  return ARTICLE_FIELDS.some((field) => textOf(cellOf(field)) !== '');
}

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

/**
 * Explains why a row is wrong because a mapped cell has an error of a spreadsheet program. Returns an empty text if there is none. A due
 * time never refuses an order.
 */
export function errorOf({ cells }: TableRow, { fields }: Pick<MappedColumns, 'fields'>): string {
  for (const [field, index] of fields) {
    const error = field === 'due_time' ? '' : errorIn(cells[index]);
    if (error !== '') return error;
  }
  return '';
}

/** Created apart from other functions, because a file has many and each keeps what is around it. */
function cellFinder(find: ReturnType<typeof cellsIn>, row: TableRow): SortedRow['cellOf'] {
  return (field) => find(row, field);
}

/** Classifies rows as lines, other data about orders, or rows to leave out. */
export function* sortRows(
  mapped: MappedColumns,
  memo: ReadMemo | undefined,
  floats: ReadonlySet<TableField>,
): InParts<SortedRow[]> {
  // Our own export has only goods.
  const isExport = mapped.profile?.isExport === true;
  const pace = createPace();
  const find = cellsIn(mapped, floats);
  const sortRow = (row: TableRow): SortedRow => {
    const cellOf = cellFinder(find, row);
    const has = (field: TableField) => textOf(cellOf(field)) !== '';
    // A property that is added later would take more memory.
    const sorts = (kind: SortedRow['kind'], message = '', isWrong = false): SortedRow => ({
      row,
      kind,
      message,
      isWrong,
      reason: undefined,
      order: undefined,
      cellOf,
    });
    if (row.isHidden) return sorts('hidden');
    if (isRepeatedHead(row, mapped)) return sorts('left_out', REPEATED_HEAD);
    if (isTotal(textOf(row.cells[0]))) return sorts('left_out', SUMS_UP);
    const onlyName = isExport || GOODS.some(has) ? '' : textOf(cellOf('name'));
    if (isTotal(onlyName)) return sorts('left_out', SUMS_UP);
    if (isCost(onlyName)) return sorts('left_out', LEAVE_OUT_SENTENCES.not_shippable);
    const surplus = surplusOf(row, mapped);
    if (surplus !== '') return sorts('line', surplus, true);
    const error = errorOf(row, mapped);
    if (error !== '') return sorts(ARTICLE_FIELDS.some(has) ? 'line' : 'part', error, true);
    if (ARTICLE_FIELDS.some(has)) return sorts('line');
    if (has('warehouse_location') || has('deviceid'))
      return sorts('line', 'The item is missing. Give name, SKU or UPC.', true);
    return sorts('part');
  };
  const sorted: SortedRow[] = [];
  for (const row of mapped.body) {
    sorted.push(memo === undefined ? sortRow(row) : memo.sorted(row, sortRow));
    if (pace.isDue()) yield* pace.rest();
  }
  const columns = new Set(rulesOf(mapped).map(({ column }) => column));
  const saysState = ({ row }: SortedRow): boolean => [...columns].some((column) => stateIn(row, column) !== '');
  return yield* leaveOutFoot(sorted, saysState);
}

/** Leaves out rows without an article after the last line, unless their order has lines, or they have its state. */
function* leaveOutFoot(sorted: SortedRow[], saysState: (row: SortedRow) => boolean): InParts<SortedRow[]> {
  const pace = createPace();
  const isLine = ({ kind }: SortedRow) => kind === 'line' || kind === 'hidden';
  const end = sorted.findLastIndex(isLine);
  if (!sorted.some(({ kind }, index) => index > end && kind === 'part')) return sorted;
  const numberOf = ({ cellOf }: SortedRow) => textOf(cellOf('order_number'));
  const numbers = new Set<string>();
  for (const [index, each] of sorted.entries()) {
    if (pace.isDue()) yield* pace.rest();
    if (isLine(each)) numbers.add(numberOf(each));
    if (index <= end || each.kind !== 'part') continue;
    const number = numberOf(each);
    if (number !== '' && (numbers.has(number) || saysState(each))) continue;
    sorted[index] = { ...each, kind: 'left_out', message: 'It names no article, and no line follows.', isWrong: false };
  }
  return sorted;
}

/** A rule for one column. */
export type ColumnRule = PickRule & { column: number };

/** Returns the rules of a file, each with its column. */
export function rulesOf({ fields, profile, states }: MappedColumns): readonly ColumnRule[] {
  const known = profile?.rules ?? GENERAL_RULES;
  const isCounted = known.some(({ field }) => field === 'quantity_to_ship');
  return [
    ...[...known, ...(isCounted ? [] : [NONE_LEFT])].flatMap((rule) => {
      const column = fields.get(rule.field);
      return column === undefined ? [] : [{ ...rule, column }];
    }),
    ...states.flatMap(({ index, rules }) => rules.map((rule) => ({ ...rule, column: index }))),
  ];
}

/** One array for many orders, to save memory. */
const NO_ASKS: readonly StateQuestion[] = [];

/** Fields that say how many pieces are left, so that a partial state is not asked about. */
const LEFT = ['quantity_to_ship', 'shipped_quantity'] as const satisfies readonly TableField[];

/**
 * Leaves out lines that need no picking, for example because they have been shipped. `problem` explains why the rules cannot decide, and is
 * empty if they can. `asks` contains what is asked about these lines.
 */
export function* leaveOutDone(
  rows: readonly SortedRow[],
  rules: readonly ColumnRule[],
  answers: StateAnswers,
): InParts<{ rows: readonly SortedRow[]; problem: string; asks: readonly StateQuestion[] }> {
  const pace = createPace();
  if (rows.length > MAX_ROWS_OF_ORDER) return { rows, problem: TOO_MANY_ROWS_OF_ORDER, asks: [] };
  if (rules.length === 0) return { rows, problem: '', asks: [] };
  const firstText = (some: readonly SortedRow[], column: number): string => {
    const first = some.find(({ row }) => stateIn(row, column) !== '');
    return first === undefined ? '' : stateIn(first.row, column);
  };
  const ofOrder = textOnce((column) => firstText(rows, column));
  const parts = rows.filter(({ kind }) => kind === 'part');
  const ofParts = textOnce((column) => firstText(parts, column));
  let problem = '';
  const asks: StateQuestion[] = [];
  let head: SortedRow | undefined;
  const assess = (each: SortedRow): SortedRow => {
    if (each.order?.isBlank === false) head = each;
    if (each.kind !== 'line') return each;
    const error = rules.map(({ column }) => errorIn(each.row.cells[column])).find((text) => text !== '');
    if (error !== undefined && problem === '') problem = `Line ${each.row.line}: ${error}`;
    const above = each.order?.isBlank === true ? head : undefined;
    const verdict = assessRow(
      rules,
      {
        textOf({ column, of }) {
          if (of === 'head') return rows[0] === undefined ? '' : stateIn(rows[0].row, column);
          const own = stateIn(each.row, column);
          if (own !== '') return own;
          if (of === 'order') return ofOrder(column);
          const ofAbove = of === 'line' || above === undefined ? '' : stateIn(above.row, column);
          const ofFirst = of === 'first' && rows[0] !== undefined ? stateIn(rows[0].row, column) : '';
          return ofAbove || ofFirst || ofParts(column);
        },
        isCounted: LEFT.some((field) => textOf(each.cellOf(field)) !== ''),
      },
      answers,
    );
    if (verdict.outcome === 'leave_out') {
      const { reason } = verdict;
      return { ...each, kind: 'left_out', message: LEAVE_OUT_SENTENCES[reason], isWrong: false, reason };
    }
    if (verdict.outcome === 'refuse') {
      if (problem === '') problem = `Line ${each.row.line}: ${verdict.message}`;
      if (verdict.asks !== undefined) asks.push(verdict.asks);
    }
    return verdict.outcome === 'pick' && verdict.isOpen === true ? { ...each, isOpen: true } : each;
  };
  const assessed = yield* eachIn(rows, assess);
  if (parts.length === 0) return { rows: assessed, problem, asks: asks.length === 0 ? NO_ASKS : asks };
  const states = rules.filter(({ when }) => when === 'filled' || when === 'state' || when === 'words');
  const endOf = (each: SortedRow): EndReason | undefined => {
    if (each.kind !== 'part' || textOf(each.cellOf('order_number')) === '') return undefined;
    const verdict = assessRow(states, { textOf: ({ column }) => stateIn(each.row, column) }, answers);
    return verdict.outcome === 'leave_out' ? END_REASONS.find((reason) => reason === verdict.reason) : undefined;
  };
  const isWithoutLines = rows.every(({ kind }) => kind === 'part');
  const open = assessed.find(({ kind }) => kind === 'line');
  for (const [index, each] of assessed.entries()) {
    if (pace.isDue()) yield* pace.rest();
    const reason = isWithoutLines || open !== undefined ? endOf(each) : undefined;
    if (reason === undefined) continue;
    if (isWithoutLines) {
      assessed[index] = { ...each, kind: 'left_out', message: LEAVE_OUT_SENTENCES[reason], isWrong: false, reason };
    } else if (
      reason === 'canceled' &&
      problem === '' &&
      !LEFT_OR_ORDERED.some((field) => textOf(each.cellOf(field)) !== '')
    ) {
      problem = `Line ${each.row.line} says that the order is canceled, but line ${open?.row.line ?? 0} is open. Correct one of them.`;
    }
  }
  return { rows: assessed, problem, asks };
}

/** Returns the result of `read` for each row. Copies the array to free its spare room, because a file has many short ones. */
export function* eachIn<T>(rows: readonly SortedRow[], read: (row: SortedRow) => T): InParts<T[]> {
  const pace = createPace();
  const results: T[] = [];
  for (const row of rows) {
    results.push(read(row));
    if (pace.isDue()) yield* pace.rest();
  }
  return results.slice();
}

/** Quantities, which a row about a whole order lacks. */
const LEFT_OR_ORDERED = [...LEFT, 'ordered_quantity'] as const;

/** Returns the text of a cell with a state. A spreadsheet error counts as blank. */
function stateIn({ cells }: TableRow, column: number): string {
  const cell = cells[column];
  return errorIn(cell) === '' ? textOf(cell) : '';
}

/** Caches the text of each column. */
function textOnce(find: (column: number) => string): (column: number) => string {
  const found = new Map<number, string>();
  return (column) => {
    const text = found.get(column) ?? find(column);
    found.set(column, text);
    return text;
  };
}

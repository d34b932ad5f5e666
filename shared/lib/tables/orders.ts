import type { NewOrder } from '../../api/order.ts';
import { createPace, type InParts } from '../station/inParts.ts';
import { MAX_ITEMS, TOO_MANY_ITEMS } from '../orders/orderLimits.ts';
import { countText } from '../text/locale.ts';
import { columnKey, columnKeySet } from './columnKey.ts';
import { createWhenReader } from './cells/whenIs.ts';
import { type DecimalMark, decimalMarkIn } from './cells/numbers.ts';
import { isSameUnit } from './cells/units.ts';
import { COUNT_FIELDS, type TableField } from './fields.ts';
import { type BundleColumns, findBundleColumns, noteBundles } from './bundles.ts';
import { shortened } from './cells/texts.ts';
import { textOf } from './table.ts';
import { createLineReader, type OwnFields, type ReadLine } from './orderLine.ts';
import { numberRows } from './orderNumbers.ts';
import { QUANTITIES } from './orderPieces.ts';
import { floatFieldsOf } from './rowCells.ts';
import { type ColumnRule, eachIn, leaveOutDone, namesArticle, rulesOf, sortRows } from './orderRows.ts';
import type { StateAnswers } from './pickRules.ts';
import { findSharedPlaces, type SharedPlaces } from './placePaths.ts';
import type { PickedOrder, ReadMemo } from './readMemo.ts';
import { type LineColumns, lineColumnsOf, repeatsIn } from './repeatedLines.ts';
import { isCost } from './rowKinds.ts';
import { END_REASONS, isNeverShipped, LEAVE_OUT_SENTENCES, type LeaveOutReason } from './states.ts';
import type {
  EndedOrder,
  WaitingOrder,
  OrderReading,
  ReadRow,
  OrderContent,
  ReadOrder,
  NumberedRows,
  MappedColumns,
  SortedRow,
} from './types.ts';

/** Fields that can leave out a line, but only when the line is read. */
const LEAVING_OUT = ['stock_quantity', ...COUNT_FIELDS] as const;

/** Counts the lines that can be neither costs nor texts. */
function* surelyLines(sorted: readonly SortedRow[]): InParts<number> {
  const pace = createPace();
  let lines = 0;
  for (const row of sorted) {
    if (row.kind === 'line' && !isTextRow(row) && !isCost(textOf(row.cellOf('name')))) lines += 1;
    if (pace.isDue()) yield* pace.rest();
  }
  return lines;
}

/** Removes the elements of an array one by one, to free the memory of a long file as early as possible. */
function* taken<T>(elements: T[]): Generator<T, void, void> {
  elements.reverse();
  for (let each = elements.pop(); each !== undefined; each = elements.pop()) yield each;
}

const linesIn = (rows: readonly { kind: string }[]): number => rows.filter(({ kind }) => kind === 'line').length;

/** Maximum number of units to ask about. */
const MAX_ASKED = 20;

export type OrdersOfFile =
  | {
      ok: true;
      orders: readonly ReadOrder[];
      /** Rows that belong to no order, or to an order without lines to pick. */
      leftOut: readonly ReadRow[];
      /** Orders that ended elsewhere in whole or in part, without lines to pick. Their rows are in `leftOut` too. */
      ended: readonly EndedOrder[];
      /** Orders without lines to pick that wait. Their rows are in `leftOut` too. */
      waiting: readonly WaitingOrder[];
      /** Unknown words for states, each with its first line. */
      unknownStates: ReadonlyMap<string, number>;
      /** Whether orders are not paid, so that somebody must say whether to pick them. */
      asksUnpaid: boolean;
      /** Whether a due time is ambiguous, so that `date_order` is required. */
      asksDateOrder: boolean;
      /** Units of which the number of pieces is unknown, so that their orders are refused. */
      asksUnits: readonly string[];
      /** Places to which several paths lead, so that the orders with these paths are refused. */
      sharedPlaces: SharedPlaces;
      /** Decimal separator for ambiguous numbers. If undefined, they are refused. */
      decimal: DecimalMark | undefined;
    }
  | { ok: false; message: string };

/**
 * Reads the rows below the column names. Each order is either complete or has a problem. `memo` contains results from an earlier version of
 * the file.
 */
export function* readOrderRows(mapped: MappedColumns, how: OrderReading, memo?: ReadMemo): InParts<OrdersOfFile> {
  const pace = createPace();
  if (mapped.body.every(({ isHidden }) => isHidden)) {
    return { ok: false, message: 'The file has column names, but no items. Give a line for each item.' };
  }
  const { maxLines = Infinity } = how;
  const tooMany = { ok: false, message: `The file has more than ${countText(maxLines)} lines. Split it.` } as const;
  const floats = yield* floatFieldsOf(mapped);
  memo?.useFor(mapped, floats);
  const sorted = yield* sortRows(mapped, memo, floats);
  const rules = how.takesLeftOut ? [] : rulesOf(mapped);
  const bundles = yield* findBundleColumns(mapped);
  const canStillLeaveOut = bundles.parents.length > 0 || LEAVING_OUT.some((field) => mapped.fields.has(field));
  // Refuse the file before its rows are grouped by order, which takes memory.
  if (rules.length === 0 && !canStillLeaveOut && (yield* surelyLines(sorted)) > maxLines) return tooMany;
  const numbered = yield* numberRows(sorted, how.orderPrefix);
  if (!numbered.ok) return numbered;
  const answers = { ...how.answers, whenIs: createWhenReader(how) };
  const takesAll = how.takesLeftOut || mapped.profile?.isExport === true;
  const isGoods = (text: string): boolean => takesAll || how.articleUnit(text) !== undefined;
  let lines = 0;
  const picked: PickedOrder[] = [];
  const marks = new Set<DecimalMark>();
  for (const order of taken(numbered.orders)) {
    const each = memo?.findPicked(order) ?? (yield* pickOrder(order, rules, { answers, isGoods }));
    memo?.keepPicked(each);
    picked.push(each);
    if (!canStillLeaveOut) lines += linesIn(each.rows);
    if (lines > maxLines) return tooMany;
    for (const mark of each.marks) marks.add(mark);
    if (pace.isDue()) yield* pace.rest();
  }
  const [mark] = marks;
  // If numbers contradict each other, the separator remains unknown.
  const decimal = how.decimal ?? (marks.size === 1 ? mark : undefined);
  yield;
  const shared = yield* findSharedPlaces(mapped, 'warehouse_location', how);
  const readLine = createLineReader({ ...how, decimal, sharedPlaces: new Set([...shared.keys, ...how.sharedPlaces]) });
  const columns = lineColumnsOf(mapped);
  const reading = JSON.stringify([decimal, [...shared.keys], bundles]);
  const orders: ReadOrder[] = [];
  const leftOut: ReadRow[] = [];
  const ended: EndedOrder[] = [];
  const waiting: WaitingOrder[] = [];
  const unknownStates = new Map<string, number>();
  let asksUnpaid = false;
  let asksDateOrder = false;
  const asksUnits: string[] = [];
  for (const row of numbered.others) {
    const read = (each: SortedRow) => readLine(each).row;
    leftOut.push(memo === undefined ? read(row) : memo.other(row, read));
    if (pace.isDue()) yield* pace.rest();
  }
  for (const each of taken(picked)) {
    if (each.outcome?.reading !== reading)
      each.outcome = { reading, ...(yield* readPicked(each, readLine, { bundles, columns })) };
    const { outcome } = each;
    if (outcome.read !== undefined) orders.push(outcome.read);
    if (canStillLeaveOut) lines += linesIn(outcome.read?.rows ?? []);
    if (lines > maxLines) return tooMany;
    for (const { unknownUnit: unit = '' } of outcome.read?.rows ?? []) {
      if (unit === '' || asksUnits.length === MAX_ASKED || asksUnits.includes(unit)) continue;
      if (!asksUnits.some((each) => isSameUnit(each, unit))) asksUnits.push(unit);
    }
    for (const row of outcome.leftOut) leftOut.push(row);
    if (outcome.ended !== undefined) ended.push(outcome.ended);
    if (outcome.waiting !== undefined) waiting.push(outcome.waiting);
    for (const asked of outcome.read === undefined ? [] : each.asks) {
      if ('unpaid' in asked) asksUnpaid = true;
      else if ('dateOrder' in asked) asksDateOrder = true;
      else if (!unknownStates.has(asked.word)) unknownStates.set(asked.word, each.rows[0]?.row.line ?? 0);
    }
    asksDateOrder ||= outcome.asksDateOrder;
    if (pace.isDue()) yield* pace.rest();
  }
  const asked = { unknownStates, asksUnpaid, asksDateOrder, asksUnits };
  return { ok: true, orders, leftOut, ended, waiting, ...asked, decimal, sharedPlaces: shared };
}

/** Leaves out the lines of an order that need no picking. */
function* pickOrder(
  order: NumberedRows,
  rules: readonly ColumnRule[],
  { answers, isGoods }: { answers: StateAnswers; isGoods(text: string): boolean },
): InParts<PickedOrder> {
  const { number, all } = order;
  const hasTexts = yield* mayHaveTexts(order.rows);
  const goods = yield* eachIn(order.rows, (row) => {
    if (isCostRow(row, isGoods)) return { ...row, ...COST_ROW };
    return hasTexts && isTextRow(row) ? { ...row, ...TEXT_ROW } : row;
  });
  const { rows, problem: undecided, asks } = yield* leaveOutDone(goods, rules, answers);
  const problem = undecided === '' ? yield* problemOfShops(rows) : undecided;
  return {
    number,
    all,
    given: order.problem,
    rows,
    problem: order.problem === '' ? problem : order.problem,
    marks: yield* marksIn(rows),
    asks,
    outcome: undefined,
  };
}

const COST_ROW = { kind: 'left_out', message: LEAVE_OUT_SENTENCES.not_shippable, reason: 'not_shippable' } as const;

const TEXT_ROW = { kind: 'left_out', message: 'It is a text: it has neither a code of goods nor a quantity.' } as const;
/** Fields that a row of text lacks. */
const OF_GOODS = ['SKU', 'UPC', 'sku_and_name', 'warehouse_location', 'deviceid'] as const;
const CODED = ['SKU', 'UPC'] as const;
/** Codes that programs write for rows of text, by `columnKey`. */
const TEXT_CODES = columnKeySet(
  'text; comment; comments; note; remark; Freitext; Kommentar; Bemerkung; Textposition; texte; commentaire; comm; texto; comentario; testo; commento; tekst; opmerking; komentarz',
);

/** Whether an order has lines, and all of its rows with a quantity have codes, so that other rows with a name are only texts. */
function* mayHaveTexts(rows: readonly SortedRow[]): InParts<boolean> {
  const pace = createPace();
  let hasGoods = false;
  for (const row of rows) {
    if (pace.isDue()) yield* pace.rest();
    if (row.kind !== 'line' || QUANTITIES.every((field) => isNone(textOf(row.cellOf(field))))) continue;
    if (!CODED.some((field) => textOf(row.cellOf(field)) !== '')) return false;
    hasGoods = true;
  }
  return hasGoods;
}

/** Whether a row has only a name: no place, no quantity, and no code except one such as `COMMENT`. */
function isTextRow({ kind, isWrong, cellOf }: SortedRow): boolean {
  const isBlank = (field: TableField): boolean =>
    textOf(cellOf(field)) === '' || (field === 'SKU' && TEXT_CODES.has(columnKey(textOf(cellOf(field)))));
  return (
    kind === 'line' && !isWrong && OF_GOODS.every(isBlank) && QUANTITIES.every((field) => isNone(textOf(cellOf(field))))
  );
}

/** Whether a quantity is blank or 0. */
function isNone(text: string): boolean {
  return /^(?:0+(?:[.,]0*)?)?$/.test(text);
}

/** Whether a row with a code is named like a cost or a discount, and is not an article of the station. */
function isCostRow({ kind, isWrong, cellOf }: SortedRow, isGoods: (text: string) => boolean): boolean {
  if (kind !== 'line' || isWrong || !isCost(textOf(cellOf('name'))) || textOf(cellOf('warehouse_location')) !== '')
    return false;
  return !(['SKU', 'UPC', 'name'] as const).some((field) => isGoods(textOf(cellOf(field))));
}

/** Explains why these rows are of several orders with the same number. Returns an empty text if they are not. */
function* problemOfShops(rows: readonly SortedRow[]): InParts<string> {
  const pace = createPace();
  let first: { line: number; shop: string } | undefined;
  for (const { kind, row, cellOf } of rows) {
    if (pace.isDue()) yield* pace.rest();
    const shop = kind === 'line' ? textOf(cellOf('shop')) : '';
    if (shop === '') continue;
    first ??= { line: row.line, shop };
    if (shop !== first.shop)
      return `Lines ${first.line} and ${row.line} have the same order number, but different shops, channels or series: "${shortened(first.shop)}" and "${shortened(shop)}". Import each of them from its own file with order_prefix, or ignore that column if this is one order.`;
  }
  return '';
}

/** Reads the lines of an order. */
function* readPicked(
  { number, rows, all, problem }: PickedOrder,
  readLine: (row: SortedRow) => ReadLine,
  { bundles, columns }: { bundles: BundleColumns; columns: LineColumns },
): InParts<Omit<NonNullable<PickedOrder['outcome']>, 'reading'>> {
  const lines = yield* eachIn(rows, readLine);
  yield* noteBundles(rows, lines, bundles);
  const repeats = yield* repeatsIn(rows, lines, columns);
  if (!lines.some(({ row }) => row.kind === 'line')) {
    const left = lines.map(({ row }) => withoutLines(row));
    const ended = problem === '' ? endOf(left) : undefined;
    const isWhole = rows.every(({ cellOf }) => !namesArticle(cellOf));
    const gone = isWhole ? [] : lines.flatMap(({ ended: line }) => line ?? []);
    return {
      read: undefined,
      leftOut: left,
      ended: ended && { number, rows: left, lines: gone, isWhole, ...ended },
      waiting: problem === '' && ended === undefined && left.some(waits) ? { number, rows: left } : undefined,
      asksDateOrder: false,
    };
  }
  return {
    read: { ...orderOf(number, lines, problem || repeats), source: all },
    leftOut: [],
    ended: undefined,
    waiting: undefined,
    asksDateOrder: lines.some((each) => each.asksDateOrder),
  };
}

/** Whether a line is left out only for now, until it is decided elsewhere. */
function waits({ reason }: ReadRow): boolean {
  return reason === 'on_hold' || reason === 'cancel_requested';
}

/** Returns how lines of an order ended elsewhere, or undefined if none did. */
function endOf(rows: readonly ReadRow[]): Pick<EndedOrder, 'ends' | 'isPart'> | undefined {
  const reasons = new Set(rows.flatMap(({ reason }) => reason ?? []));
  const ends = END_REASONS.find((reason) => reasons.has(reason));
  if (ends === undefined) return undefined;
  const isEnd = (reason: LeaveOutReason): boolean => END_REASONS.some((each) => each === reason);
  return { ends, isPart: [...reasons].some((reason) => !isEnd(reason) && !isNeverShipped(reason)) };
}

const NUMBERS = [...QUANTITIES, 'unit_pieces'] as const;
const NO_MARKS: readonly DecimalMark[] = [];

/** Returns the decimal separators in the quantities and factors of these lines. */
function* marksIn(rows: readonly SortedRow[]): InParts<readonly DecimalMark[]> {
  const pace = createPace();
  const marks = new Set<DecimalMark>();
  for (const { kind, cellOf } of rows) {
    if (pace.isDue()) yield* pace.rest();
    if (kind !== 'line') continue;
    for (const field of NUMBERS) {
      const mark = decimalMarkIn(cellOf(field));
      if (mark !== undefined) marks.add(mark);
    }
  }
  return marks.size === 0 ? NO_MARKS : [...marks];
}

function withoutLines(row: ReadRow): ReadRow {
  const message = row.message === '' ? 'Its order has no line with an article.' : row.message;
  return { ...row, kind: 'left_out', message };
}

function orderOf(number: string, lines: readonly ReadLine[], problem: string): OrderContent {
  const rows = lines.map(({ row }) => row);
  const ended = lines.flatMap((each) => each.ended ?? []);
  const said = { ended, isOpen: lines.every(({ row, isOpen }) => row.kind !== 'line' || isOpen) };
  if (problem !== '') return { number, rows, problem: { line: 0, message: problem }, wanted: undefined };
  const wrong = rows.find(({ isWrong }) => isWrong);
  if (wrong !== undefined)
    return { number, rows, problem: { line: wrong.line, message: wrong.message }, wanted: undefined };
  const items = lines.filter(({ row }) => row.item !== undefined);
  if (items.length > MAX_ITEMS)
    return { number, rows, problem: { line: 0, message: TOO_MANY_ITEMS }, wanted: undefined };
  return {
    number,
    rows,
    said,
    problem: null,
    wanted: { order_number: number, ...ownFieldsOf(lines), ...itemsOf(number, items) },
  };
}

/** Returns the first value of each field of the order. Adds a note to later rows with a different value. */
function ownFieldsOf(lines: readonly ReadLine[]): OwnFields {
  const firstLines = new Map<string, number>();
  const own: OwnFields = {};
  for (const { row, order } of lines) {
    for (const [field, value] of Object.entries(order) as [keyof OwnFields, never][]) {
      const first = firstLines.get(field);
      if (first === undefined) {
        own[field] = value;
        firstLines.set(field, row.line);
      } else if (JSON.stringify(own[field]) !== JSON.stringify(value)) {
        row.message = `${row.message} Its ${field} is not that of line ${first}, which counts.`.trim();
      }
    }
  }
  return own;
}

function itemsOf(number: string, lines: readonly ReadLine[]): Pick<NewOrder, 'items' | 'shipments'> {
  const given = lines.flatMap(({ row }) => row.item ?? []);
  if (lines.every(({ shipment }) => shipment === '')) return { items: given };
  // If other lines have a shipment, lines without one go to a shipment named after the order.
  const byShipment = Map.groupBy(lines, ({ shipment }) => (shipment === '' ? number : shipment));
  return {
    shipments: [...byShipment].map(([shipment_number, group]) => ({
      shipment_number,
      items: group.flatMap(({ row }) => row.item ?? []),
    })),
  };
}

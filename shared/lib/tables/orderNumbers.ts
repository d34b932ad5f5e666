import { createPace, type InParts, sortedInParts } from '../station/inParts.ts';
import { explicitText, readCode } from './cells/codes.ts';
import { errorIn } from './cells/faults.ts';
import { isTotal } from './orderRows.ts';
import { type FileCell, textOf } from './table.ts';
import type { OrderRows, NumberedRows, SortedRow } from './types.ts';

/** Ditto marks, which repeat the value above. */
const DITTO = /^(?:["\u201d\u201c\u201e\u3003]|''|-\s*["\u201d]\s*-)$/;

/**
 * Groups rows by order. A row without a number belongs to the order above it if the file keeps each order in one block; otherwise the file
 * is refused. A row with a spreadsheet error instead of a number belongs to the order that has rows above and below it.
 */
export function* numberRows(
  sorted: readonly SortedRow[],
  prefix: string,
): InParts<{ ok: true; orders: NumberedRows[]; others: SortedRow[] } | { ok: false; message: string }> {
  const pace = createPace();
  const orders = new Map<string, OrderRows>();
  const others: SortedRow[] = [];
  let above: OrderRows | undefined;
  let hasGap = false;
  let recurring: number | undefined;
  let unnumbered: SortedRow | undefined;
  let cut: { row: SortedRow; why: string } | undefined;
  /** The last row with an error instead of a number, and the order above it. */
  let fault: { line: number; above: OrderRows | undefined } | undefined;
  for (const each of sorted) {
    if (pace.isDue()) yield* pace.rest();
    hasGap ||= each.row.followsGap;
    if (each.kind === 'left_out') {
      others.push(each);
      continue;
    }
    const { isBlank, number, problem } = orderOf(each, prefix);
    if (isBlank) {
      unnumbered ??= each;
      if (above === undefined) cut ??= { row: each, why: 'no row above it has one' };
      else if (hasGap) cut ??= { row: each, why: 'an empty row is above it' };
      above?.rows.push(each);
      continue;
    }
    const known = orders.get(number);
    if (known !== undefined && known !== above) recurring ??= each.row.line;
    const isFault = errorIn(each.cellOf('order_number')) !== '';
    if (isFault) fault = { line: each.row.line, above: fault === undefined ? above : fault.above };
    else if (fault !== undefined && known !== undefined && known === fault.above) known.problem ||= inside(fault.line);
    if (!isFault) fault = undefined;
    // An array that begins with its row takes less memory than one to which the row is added, and most orders have few rows.
    above = known ?? { number, rows: [each], problem };
    if (known === undefined) orders.set(number, above);
    else above.rows.push(each);
    hasGap = false;
  }
  if (unnumbered !== undefined && recurring !== undefined)
    cut ??= { row: unnumbered, why: `the order of line ${recurring} also has rows further up` };
  if (cut !== undefined) {
    return {
      ok: false,
      message: `Line ${cut.row.row.line} has no order number, and ${cut.why}. Sort by order, or fill the number down.`,
    };
  }
  return { ok: true, ...(yield* withLeftOut(orders, others, prefix)) };
}

function inside(line: number): string {
  return `Line ${line}, between rows of this order, has a spreadsheet error instead of an order number. Correct it.`;
}

/** Adds left-out rows to their orders, because they may contain the customer or the note. */
function* withLeftOut(
  orders: ReadonlyMap<string, OrderRows>,
  leftOut: readonly SortedRow[],
  prefix: string,
): InParts<{ orders: NumberedRows[]; others: SortedRow[] }> {
  const pace = createPace();
  const others: SortedRow[] = [];
  const mixed = new Set<OrderRows>();
  for (const each of leftOut) {
    if (pace.isDue()) yield* pace.rest();
    const own = orders.get(orderOf(each, prefix).number);
    (own?.rows ?? others).push(each);
    if (own !== undefined) mixed.add(own);
  }
  const whole: NumberedRows[] = [];
  for (const order of orders.values()) {
    const rows = mixed.has(order) ? yield* sortedInParts(order.rows, (a, b) => a.row.line - b.row.line) : order.rows;
    whole.push(visible(rows === order.rows ? order : { ...order, rows }));
    if (pace.isDue()) yield* pace.rest();
  }
  return { orders: whole, others };
}

/** Returns the order of a row. Rows with the same unreadable text belong to one order. */
function orderOf(row: SortedRow, prefix: string): NonNullable<SortedRow['order']> {
  return (row.order ??= readOrder(row.cellOf('order_number'), prefix));
}

function readOrder(cell: FileCell | undefined, prefix: string): NonNullable<SortedRow['order']> {
  const said = textOf(cell);
  const isBlank = said === '' || DITTO.test(said);
  const read = readCode(cell, () => false);
  if (read.ok) return { isBlank, number: prefix + read.value, problem: '' };
  return { isBlank, number: prefix + said, problem: read.message };
}

/** Removes hidden rows. An order with both hidden rows and visible lines is wrong. */
function visible(order: OrderRows): NumberedRows {
  const { number, problem } = order;
  if (!order.rows.some(({ kind }) => kind === 'hidden')) return { number, problem, rows: order.rows, all: order.rows };
  const rows = order.rows.filter(({ kind }) => kind !== 'hidden');
  const isPartial = rows.length < order.rows.length && rows.some(({ kind }) => kind === 'line');
  const hidden = 'The workbook hides some rows of this order. Show all of them, or remove them.';
  return { number, rows, all: order.rows, problem: problem === '' && isPartial ? hidden : problem };
}

/** Writes an order number as a formula if the import would read it as a different number, a ditto mark or a total. */
export function explicitNumber(number: string): string | { explicit: string } {
  return DITTO.test(number) || isTotal(number) ? { explicit: number } : explicitText(number);
}

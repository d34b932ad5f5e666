import { MAX_IMPORT_ROWS } from '#shared/api/locationImport.ts';
import { newOrderSchema } from '#shared/api/order.ts';
import type { ImportedOrderRow, OrderImport } from '#shared/api/orderImport.ts';
import { orderOfRows, readOrders, readQuantity, type OrderCsvRow } from '#shared/lib/orderCsv.ts';
import { MAX_ITEMS, TOO_MANY_ITEMS } from '#shared/lib/orderLimits.ts';
import { StationError } from '../../errors.ts';
import { slowWarning, type Target } from '../devices/index.ts';
import type { ImportContext } from './import.ts';
import { findItemTarget } from './light.ts';

/** One order of a file. */
export type OrderGroup = { number: string; rows: OrderCsvRow[]; judgement: Judgement };
/** Why an order is left out. `line`: of the wrong row, 0 if all rows together are wrong. */
type Judgement = { kind: 'new' } | { kind: 'known' } | { kind: 'wrong'; line: number; message: string };

/** Rows judged and found in one step: about a millisecond each. */
const JUDGED_ROWS = 200;
const FOUND_ROWS = 20;
const ZERO = 'It orders 0 pieces: the item is done and never lit.';

/** Reads the rows of a file. Throws `invalid`. */
export async function readFile({ backgroundReads }: ImportContext, csv: string) {
  const file = await backgroundReads.takeAll(readOrders(csv, MAX_IMPORT_ROWS + 1));
  if (!file.ok) throw unreadable(file.message);
  if (file.rows.length <= MAX_IMPORT_ROWS) return file;
  throw unreadable(`The file has more than ${MAX_IMPORT_ROWS.toLocaleString('en')} rows. Split it.`);
}

/** The orders of these rows, each judged. */
export async function groupsOf(context: ImportContext, all: readonly OrderCsvRow[]): Promise<OrderGroup[]> {
  const byNumber = Map.groupBy(all, ({ cells }) => cells.order_number);
  const groups: OrderGroup[] = [];
  for (const part of portionsOf([...byNumber], ([, rows]) => rows.length, JUDGED_ROWS)) {
    const judged = await context.backgroundReads.take(() =>
      part.map(([number, rows]) => ({ number, rows, judgement: judge(context, number, rows) })),
    );
    groups.push(...judged);
  }
  return groups;
}

function judge({ reads, orders }: ImportContext, number: string, rows: readonly OrderCsvRow[]): Judgement {
  const wrong = rows.find(({ message }) => message !== '');
  if (wrong !== undefined) return { kind: 'wrong', line: wrong.line, message: wrong.message };
  if (rows.length > MAX_ITEMS) return whole(TOO_MANY_ITEMS);
  if (reads.orders.findByNumber(number) !== undefined) return { kind: 'known' };
  const { color, seconds, due_time, priority } = orderOfRows(number, rows);
  const read = newOrderSchema.safeParse({ order_number: number, color, seconds, due_time, priority, items: [] });
  if (!read.success) return whole(read.error.issues.map(({ message }) => message).join(' '));
  try {
    orders.check(read.data);
  } catch (error) {
    if (error instanceof StationError) return whole(error.message);
    throw error;
  }
  return { kind: 'new' };
}

/** The places that a launch would light now, by line. */
export async function devicesOf(
  { reads, backgroundReads }: ImportContext,
  groups: readonly OrderGroup[],
): Promise<Map<number, Target>> {
  const found = new Map<number, Target>();
  const lit = groups.flatMap(({ judgement, rows }) => (judgement.kind === 'new' ? rows : []));
  for (const part of portionsOf(lit, () => 1, FOUND_ROWS)) {
    await backgroundReads.take(() => {
      for (const { line, cells } of part) {
        const target = findItemTarget(reads, {
          deviceId: orNull(cells.deviceid.toUpperCase()),
          warehouseLocation: orNull(cells.warehouse_location),
          sku: orNull(cells.SKU),
          upc: orNull(cells.UPC),
          name: orNull(cells.name),
        });
        if (target !== undefined) found.set(line, target);
      }
    });
  }
  return found;
}

export function rowAnswer(
  { judgement }: OrderGroup,
  { line, cells, message }: OrderCsvRow,
  devices: ReadonlyMap<number, Target>,
): ImportedOrderRow {
  const { order_number, shipment_number, SKU, UPC, name, ordered_quantity, warehouse_location } = cells;
  const said = { line, order_number, shipment_number, SKU, UPC, name, ordered_quantity, warehouse_location };
  const left = { ...said, deviceid: null };
  if (message !== '') return { ...left, outcome: 'refused', message };
  if (judgement.kind === 'known') {
    return { ...left, outcome: 'known', message: `Order ${order_number} already exists and stays unchanged.` };
  }
  if (judgement.kind === 'wrong') {
    if (judgement.line === 0) return { ...left, outcome: 'refused', message: judgement.message };
    const reason = `Line ${judgement.line} of this order is wrong: ${judgement.message}`;
    return { ...left, outcome: 'held', message: reason };
  }
  const target = devices.get(line);
  const slow = target === undefined ? undefined : slowWarning(target);
  const warning = readQuantity(ordered_quantity) === 0 ? ZERO : (slow ?? '');
  return { ...said, outcome: 'new', message: warning, deviceid: target?.deviceId ?? null };
}

export function countsOf(groups: readonly OrderGroup[]): OrderImport['counts'] {
  const counts = { orders: 0, new: 0, known: 0, held: 0, refused: 0 };
  for (const { judgement, rows } of groups) {
    const wrong = rows.filter(({ message }) => message !== '').length;
    if (judgement.kind === 'new') counts.orders += 1;
    if (judgement.kind !== 'wrong') counts[judgement.kind] += rows.length;
    else if (judgement.line === 0) counts.refused += rows.length;
    else {
      counts.refused += wrong;
      counts.held += rows.length - wrong;
    }
  }
  return counts;
}

/** In portions of at most `most` in total. A larger element goes alone. */
export function* portionsOf<T>(all: readonly T[], sizeOf: (each: T) => number, most: number): Generator<T[]> {
  let part: T[] = [];
  let size = 0;
  for (const each of all) {
    const more = sizeOf(each);
    if (part.length > 0 && size + more > most) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(each);
    size += more;
  }
  if (part.length > 0) yield part;
}

function whole(message: string): Judgement {
  return { kind: 'wrong', line: 0, message };
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}

function unreadable(message: string): StationError {
  return new StationError('invalid', message, [{ path: '/csv', message }]);
}

import { MAX_IMPORT_ROWS } from '#shared/api/locationImport.ts';
import { newOrderSchema, type OrderQuery } from '#shared/api/order.ts';
import type { ImportedOrderRow, LastOrderImport, OrderImport, OrderImportUndo } from '#shared/api/orderImport.ts';
import {
  ORDER_CSV_HEAD,
  orderLines,
  orderOfRows,
  readOrders,
  readQuantity,
  type OrderCsvRow,
} from '#shared/lib/orderCsv.ts';
import { MAX_ITEMS } from '#shared/lib/orderLimits.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Audit, BackgroundReadQueue, By } from '../base/index.ts';
import { orderAnswer } from './answers.ts';
import { findItemTarget } from './light.ts';
import type { Orders } from './orders.ts';

/** Orders as files. A file may have many thousand rows: it is worked on a part at a time, and presses go first. */
export type OrderImports = {
  /**
   * Creates the orders of a file, each whole or not at all: one wrong row leaves out its order, and no other. A dry run only
   * says what would be created. Throws `invalid` where the file cannot be read, before anything is created.
   */
  run(csv: string, how: { dryRun: boolean; by: By }): Promise<OrderImport>;
  /** Throws `not_found`. */
  last(): LastOrderImport;
  /**
   * Removes the orders of the last import that nobody has worked on since. `id`: only if it is still the last one. Throws
   * `not_found`.
   */
  undo(id: number | undefined, by: By): Promise<OrderImportUndo>;
  /** Orders as CSV, with the columns of the import. */
  export(query: OrderQuery): Promise<string>;
};

/** One order of a file. */
type Group = { number: string; rows: OrderCsvRow[]; judgement: Judgement };
/** Why an order is left out: `line` has the wrong row, 0 where all rows together are wrong. */
type Judgement = { kind: 'new' } | { kind: 'known' } | { kind: 'wrong'; line: number; message: string };

/** Rows that are judged at once, looked for at once, and written in one commit: about a millisecond each. */
const JUDGED_ROWS = 200;
const FOUND_ROWS = 20;
const WRITTEN_ROWS = 50;
const REMOVED_ROWS = 100;
const EXPORTED_ORDERS = 20;
const ZERO = 'It orders 0 pieces: the item is done and never lit.';

export function createOrderImport(parts: {
  repositories: Repositories;
  reads: Repositories;
  writer: Pick<Writer, 'write'>;
  orders: Pick<Orders, 'check' | 'addWithin' | 'removeWithin'>;
  backgroundReads: Pick<BackgroundReadQueue, 'take' | 'takeAll'>;
  audit: Audit;
}): OrderImports {
  const { repositories, reads, writer, orders, backgroundReads, audit } = parts;
  let lane: Promise<unknown> = Promise.resolve();

  /** One import or undo at a time: two that take turns would undo each other's orders. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const done = lane.then(work, work);
    lane = done;
    return done;
  }

  function judge(number: string, group: readonly OrderCsvRow[]): Judgement {
    const wrong = group.find(({ message }) => message !== '');
    if (wrong !== undefined) return { kind: 'wrong', line: wrong.line, message: wrong.message };
    if (group.length > MAX_ITEMS) return whole(`The order has more than ${MAX_ITEMS.toLocaleString('en')} items.`);
    if (reads.orders.findByNumber(number) !== undefined) return { kind: 'known' };
    const { color, seconds } = orderOfRows(number, group);
    const read = newOrderSchema.safeParse({ order_number: number, color, seconds, items: [] });
    if (!read.success) return whole(read.error.issues.map(({ message }) => message).join(' '));
    try {
      orders.check(read.data);
    } catch (error) {
      if (error instanceof StationError) return whole(error.message);
      throw error;
    }
    return { kind: 'new' };
  }

  async function groupsOf(all: readonly OrderCsvRow[]): Promise<Group[]> {
    const byNumber = Map.groupBy(all, ({ cells }) => cells.order_number);
    const groups: Group[] = [];
    for (const part of portionsOf([...byNumber], ([, group]) => group.length, JUDGED_ROWS)) {
      groups.push(
        ...(await backgroundReads.take(() =>
          part.map(([number, group]) => ({ number, rows: group, judgement: judge(number, group) })),
        )),
      );
    }
    return groups;
  }

  /** Within a use-case: creates the orders of these groups that do not exist by now. */
  function create(tx: Transaction, groups: readonly Group[], counts: OrderImport['counts'], by: By): number | null {
    const created = groups.filter((group) => {
      // Somebody else may have created it since it was judged.
      if (repositories.orders.findByNumber(group.number) !== undefined) group.judgement = { kind: 'known' };
      return group.judgement.kind === 'new';
    });
    if (created.length === 0) return null;
    const id = counts.orders === 0 ? repositories.orderImports.begin({ at: tx.now, by: by.name, counts }) : null;
    for (const group of created) {
      repositories.orderImports.addOrder(orders.addWithin(tx, orderOfRows(group.number, group.rows)));
      counts.orders += 1;
      counts.new += group.rows.length;
    }
    repositories.orderImports.setCounts(counts);
    return id;
  }

  async function createAll(groups: readonly Group[], by: By): Promise<number | null> {
    const done = { orders: 0, new: 0, known: 0, held: 0, refused: 0 };
    let id: number | null = null;
    const wanted = groups.filter(({ judgement }) => judgement.kind === 'new');
    for (const part of portionsOf(wanted, (group) => group.rows.length, WRITTEN_ROWS)) {
      const before = { ...done };
      try {
        const begun = await backgroundReads.take(() => writer.write((tx) => create(tx, part, done, by)));
        id ??= begun;
      } catch (error) {
        Object.assign(done, before);
        throw error;
      }
    }
    if (id === null) return null;
    const counts = countsOf(groups);
    await writer.write((tx) => {
      repositories.orderImports.setCounts(counts);
      // One entry, however many orders.
      audit.record(tx, { action: 'orders.imported', by, subject: '', detail: { rows: { new: counts.orders } } });
    });
    return id;
  }

  /** The devices that a launch would light now, by line. */
  async function devicesOf(groups: readonly Group[]): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    const lit = groups.flatMap(({ judgement, rows: group }) => (judgement.kind === 'new' ? group : []));
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
          if (target !== undefined) found.set(line, target.deviceId);
        }
      });
    }
    return found;
  }

  /** Within a use-case: removes what nobody has worked on. Answers why an order stays; undefined: it is gone. */
  function undoOne(tx: Transaction, id: number, by: By): { order?: OrderRow; message: string } {
    repositories.orderImports.removeOrder(id);
    const order = repositories.orders.find(id);
    if (order === undefined) return { message: '' };
    const message = touched(order);
    if (message === '') orders.removeWithin(tx, order, by.name);
    return { order, message };
  }

  return {
    async run(csv, { dryRun, by }) {
      const file = await backgroundReads.takeAll(readOrders(csv, MAX_IMPORT_ROWS + 1));
      if (!file.ok) throw unreadable(file.message);
      if (file.rows.length > MAX_IMPORT_ROWS) {
        throw unreadable(`The file has more than ${MAX_IMPORT_ROWS.toLocaleString('en')} rows. Split it.`);
      }
      const groups = await groupsOf(file.rows);
      const devices = await devicesOf(groups);
      const id = dryRun ? null : await alone(() => createAll(groups, by));
      const { delimiter, columns, ignored } = file;
      const answered = groups.flatMap((group) => group.rows.map((row) => rowAnswer(group, row, devices)));
      return {
        id,
        dry_run: dryRun,
        delimiter,
        columns,
        ignored,
        counts: countsOf(groups),
        rows: answered.toSorted((a, b) => a.line - b.line),
      };
    },
    last() {
      const last = reads.orderImports.last();
      if (last !== null) return last;
      throw new StationError('not_found', 'There is no import of orders. POST /api/order-import/ imports a file.');
    },
    undo: (id, by) =>
      alone(async () => {
        const last = reads.orderImports.last();
        if (last === null || (id !== undefined && id !== last.id)) {
          throw new StationError(
            'not_found',
            'This import cannot be undone: it was undone already, or another one followed. GET /api/order-import/ names the last one.',
          );
        }
        const kept: OrderImportUndo['kept'] = [];
        let undone = 0;
        const sizes = (orderId: number) => reads.orders.find(orderId)?.counts.items ?? 1;
        for (const part of portionsOf(reads.orderImports.listOrders(), sizes, REMOVED_ROWS)) {
          const results = await backgroundReads.take(() =>
            writer.write((tx) => part.map((orderId) => undoOne(tx, orderId, by))),
          );
          for (const { order, message } of results) {
            if (message !== '') kept.push({ order_number: order?.orderNumber ?? '', message });
            else if (order !== undefined) undone += 1;
          }
        }
        await writer.write((tx) => {
          repositories.orderImports.forget();
          audit.record(tx, { action: 'orders.importUndone', by, subject: '', detail: { rows: { undone } } });
        });
        return { undone, kept };
      }),
    async export({ state, after = '', limit = Number.POSITIVE_INFINITY }) {
      const texts = [ORDER_CSV_HEAD];
      let last = after;
      let left = limit;
      while (left > 0) {
        const most = Math.min(left, EXPORTED_ORDERS);
        const some = await backgroundReads.take(() => reads.orders.list({ state, after: last, limit: most }));
        for (const order of some) texts.push(await backgroundReads.take(() => linesOf(reads, order)));
        last = some.at(-1)?.orderNumber ?? last;
        left -= some.length;
        if (some.length < most) break;
      }
      return texts.join('');
    },
  };
}

function rowAnswer(
  { judgement }: Group,
  { line, cells, message }: OrderCsvRow,
  devices: ReadonlyMap<number, string>,
): ImportedOrderRow {
  const { order_number, shipment_number, SKU, UPC, name, ordered_quantity, warehouse_location } = cells;
  const said = { line, order_number, shipment_number, SKU, UPC, name, ordered_quantity, warehouse_location };
  const left = { ...said, deviceid: null };
  if (message !== '') return { ...left, outcome: 'refused', message };
  if (judgement.kind === 'known') {
    return { ...left, outcome: 'known', message: `Order ${order_number} exists already and stays as it is.` };
  }
  if (judgement.kind === 'wrong') {
    if (judgement.line === 0) return { ...left, outcome: 'refused', message: judgement.message };
    const reason = `Line ${judgement.line} of this order is wrong: ${judgement.message}`;
    return { ...left, outcome: 'held', message: reason };
  }
  const warning = readQuantity(ordered_quantity) === 0 ? ZERO : '';
  return { ...said, outcome: 'new', message: warning, deviceid: devices.get(line) ?? null };
}

function countsOf(groups: readonly Group[]): OrderImport['counts'] {
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

/** Why an undo keeps an order; empty: nobody has worked on it since it was imported, without anything fulfilled. */
function touched({ state, launchedAt, counts }: OrderRow): string {
  if (launchedAt !== null) return 'It was launched since.';
  if (state === 'aborted') return 'It was aborted since.';
  return counts.fulfilled > 0 ? 'Its items were corrected since.' : '';
}

/** With the device of each item as it was given, not where it was lit. */
function linesOf(reads: Repositories, order: OrderRow): string {
  const items = reads.orders.listItems(order.id).map((item) => ({ ...item, litDeviceId: null, foundDeviceId: null }));
  return orderLines(orderAnswer(order, reads.orders.listShipments(order.id), items));
}

/** In parts of at most `most` together; what is larger goes alone. */
function* portionsOf<T>(all: readonly T[], sizeOf: (each: T) => number, most: number): Generator<T[]> {
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

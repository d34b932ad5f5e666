import type { OrderQuery } from '#shared/api/order.ts';
import type { LastOrderImport, OrderImport, OrderImportUndo } from '#shared/api/orderImport.ts';
import { ORDER_CSV_HEAD, orderLines, orderOfRows } from '#shared/lib/orderCsv.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { type Audit, type BackgroundReadQueue, bind, type By, createLane, type In, type Lane } from '../base/index.ts';
import type { TargetTables } from '../devices/index.ts';
import { orderAnswer } from './answers.ts';
import { countsOf, devicesOf, type OrderGroup, groupsOf, portionsOf, readFile, rowAnswer } from './importFile.ts';
import type { Orders } from './orders.ts';

/** Orders as files. A file may have many thousand rows, so it is processed in parts, between which presses are handled. */
export type OrderImports = {
  /**
   * Creates the orders of a file, each whole or not at all: a wrong row leaves out its order only. A dry run only reports what
   * it would create. Throws `invalid`, before it creates anything, if the file cannot be read.
   */
  run(csv: string, how: { dryRun: boolean; by: By }): Promise<OrderImport>;
  /** The orders of a file, each judged, and nothing created. Throws `invalid` if the file cannot be read. */
  judge(csv: string): Promise<OrderGroup[]>;
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

/** Rows written or removed in one commit, and orders exported in one step: about a millisecond each. */
const WRITTEN_ROWS = 50;
const REMOVED_ROWS = 100;
const EXPORTED_ORDERS = 20;

type Parts = {
  repositories: Pick<Repositories, 'orderImports' | 'orders'>;
  reads: Pick<Repositories, 'items' | 'orderImports' | 'orders'> & TargetTables;
  writer: Pick<Writer, 'write' | 'writeLarge'>;
  orders: Pick<Orders, 'check' | 'addWithin' | 'removeWithin'>;
  backgroundReads: Pick<BackgroundReadQueue, 'take' | 'takeAll'>;
  audit: Audit;
};

/** `alone`: one import or undo at a time, so that none undoes the orders of another. */
export type ImportContext = Parts & { alone: Lane };

type InImport<K extends keyof OrderImports> = In<ImportContext, OrderImports[K]>;

export function createOrderImport(parts: Parts): OrderImports {
  return bind({ ...parts, alone: createLane() }, { run, judge, last, undo, export: exportOrders });
}

const run: InImport<'run'> = async (context, csv, { dryRun, by }) => {
  const { rows, delimiter, columns, ignored } = await readFile(context, csv);
  const groups = await groupsOf(context, rows);
  const devices = await devicesOf(context, groups);
  const id = dryRun ? null : await context.alone(() => createAll(context, groups, by));
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
};

const judge: InImport<'judge'> = async (context, csv) => groupsOf(context, (await readFile(context, csv)).rows);

async function createAll(context: ImportContext, groups: readonly OrderGroup[], by: By): Promise<number | null> {
  const { repositories, writer, backgroundReads, audit } = context;
  const done = { orders: 0, new: 0, known: 0, held: 0, refused: 0 };
  let id: number | null = null;
  const wanted = groups.filter(({ judgement }) => judgement.kind === 'new');
  for (const part of portionsOf(wanted, ({ rows }) => rows.length, WRITTEN_ROWS)) {
    const before = { ...done };
    try {
      const begun = await backgroundReads.take(() =>
        writer.writeLarge((tx) => create(context, tx, part, { counts: done, by })),
      );
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

/** Within a use-case: creates the orders that do not exist yet. Returns the id of the import if it begins here. */
function create(
  { repositories, orders }: ImportContext,
  tx: Transaction,
  groups: readonly OrderGroup[],
  { counts, by }: { counts: OrderImport['counts']; by: By },
): number | null {
  const created = groups.filter((group) => {
    // Another caller may have created it since it was judged.
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

const last: InImport<'last'> = ({ reads }) => {
  const found = reads.orderImports.last();
  if (found !== null) return found;
  throw new StationError('not_found', 'There is no import of orders. POST /api/order-import/ imports a file.');
};

const undo: InImport<'undo'> = (context, id, by) => context.alone(() => undoAll(context, id, by));

async function undoAll(context: ImportContext, id: number | undefined, by: By): Promise<OrderImportUndo> {
  const { repositories, reads, writer, backgroundReads, audit } = context;
  const found = reads.orderImports.last();
  if (found === null || (id !== undefined && id !== found.id)) {
    throw new StationError(
      'not_found',
      'This import cannot be undone: it was undone already, or another one followed. GET /api/order-import/ names the last one.',
    );
  }
  const kept: OrderImportUndo['kept'] = [];
  let undone = 0;
  const sizeOf = (orderId: number) => reads.orders.find(orderId)?.counts.items ?? 1;
  for (const part of portionsOf(reads.orderImports.listOrders(), sizeOf, REMOVED_ROWS)) {
    const results = await backgroundReads.take(() =>
      writer.writeLarge((tx) => part.map((orderId) => undoOne(context, tx, orderId, by))),
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
}

/** Within a use-case: removes an order unless somebody worked on it. `message`: why it stays; no `order`: it was gone. */
function undoOne(
  { repositories, orders }: ImportContext,
  tx: Transaction,
  id: number,
  by: By,
): { order?: OrderRow; message: string } {
  repositories.orderImports.removeOrder(id);
  const order = repositories.orders.find(id);
  if (order === undefined) return { message: '' };
  const message = touched(order);
  if (message === '') orders.removeWithin(tx, order, by.name);
  return { order, message };
}

/** Why an undo keeps an order; empty: nobody has worked on it since the import. */
function touched({ state, launchedAt, counts }: OrderRow): string {
  if (launchedAt !== null) return 'It was launched since.';
  if (state === 'aborted') return 'It was aborted since.';
  return counts.fulfilled > 0 ? 'Its items were corrected since.' : '';
}

const exportOrders: InImport<'export'> = async (
  { reads, backgroundReads },
  { state, after: start = '', limit = Number.POSITIVE_INFINITY },
) => {
  const texts = [ORDER_CSV_HEAD];
  let after = start;
  let left = limit;
  while (left > 0) {
    const most = Math.min(left, EXPORTED_ORDERS);
    const from = after;
    const some = await backgroundReads.take(() => reads.orders.list({ state, after: from, limit: most }));
    for (const order of some) texts.push(await backgroundReads.take(() => linesOf(reads, order)));
    after = some.at(-1)?.orderNumber ?? after;
    left -= some.length;
    if (some.length < most) break;
  }
  return texts.join('');
};

/** Exports the device that each item was created with, not the one that it was lit at. */
function linesOf(reads: Pick<Repositories, 'items' | 'orders'>, order: OrderRow): string {
  const items = reads.items.listOf(order.id).map((item) => ({ ...item, litDeviceId: null, foundDeviceId: null }));
  return orderLines(orderAnswer(order, reads.orders.listShipments(order.id), items, { scan_required: false }));
}

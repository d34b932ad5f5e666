import type { OrderTaskRow } from '../../db/repositories/orderTasks.ts';
import type { LitItemRow, OrderPickerRow, OrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { Log } from '../../ports.ts';
import { abortItems, abortOrder, type LaunchFor, type OrderContext, launchItems, takeBack } from './launch.ts';

/** Items of one use-case: a part of a turn of the writer. */
const AT_ONCE = 8;
/** Items are read one by one where those of a part are further apart. */
const MAX_SPAN = 64;

/** Does the rest of what a use-case began with all items of a large order: in parts, so that presses go between. */
export type OrderTasks = {
  /** Resolves when the order has no task, and everything is on disk. A task that fails is done at the next start. */
  finish(orderId: number): Promise<void>;
  /** All tasks that the last run left. */
  finishAll(): Promise<void>;
};

export function createOrderTasks(parts: {
  context: OrderContext & { repositories: Pick<Repositories, 'orderTasks'> };
  reads: Pick<Repositories, 'orders' | 'orderTasks'>;
  writer: Pick<Writer, 'writeEach'>;
  log: Log;
  /** Within a use-case: removes the order, whose items are gone. */
  removeRest: (tx: Transaction, order: OrderRow, by: string) => void;
}): OrderTasks {
  const { context, reads, writer, log, removeRest } = parts;
  const { repositories } = context;

  function idsOf({ kind, orderId, lines, picker, doneTo }: OrderTaskRow): number[] {
    const { orders } = reads;
    if (kind === 'launch') return orders.listIdsToLight(orderId, doneTo, lines === 'all' ? 1 : 0, picker ?? '');
    return kind === 'abort' ? orders.listIdsToAbort(orderId) : orders.listIds(orderId);
  }

  function itemsOf(orderId: number, ids: readonly number[]): LitItemRow[] {
    const [first, last] = [Math.min(...ids), Math.max(...ids)];
    if (last - first > MAX_SPAN) return ids.flatMap((id) => repositories.orders.findItem(id) ?? []);
    const between = repositories.orders.listBetween(first, last);
    const byId = new Map(between.flatMap((item) => (item.orderId === orderId ? [[item.id, item]] : [])));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  function run(tx: Transaction, order: OrderRow, task: OrderTaskRow, ids: readonly number[]): void {
    const items = itemsOf(order.id, ids);
    if (task.kind === 'abort') return abortItems(context, tx, order, items, task.askedBy);
    if (task.kind === 'launch') {
      launchItems(context, tx, order, launchOf(task, order), items);
      repositories.orderTasks.advance(ids.at(-1) ?? task.doneTo, order.id);
      return;
    }
    takeBack(context, tx, items.toReversed(), task.askedBy);
    for (const { id } of items) repositories.orders.removeItem(id);
  }

  function end(tx: Transaction, order: OrderRow, { kind, askedBy }: OrderTaskRow): void {
    repositories.orderTasks.remove(order.id);
    if (kind === 'abort') abortOrder(context, tx, order, askedBy);
    if (kind === 'remove') removeRest(tx, order, askedBy);
  }

  async function finish(orderId: number): Promise<void> {
    const task = reads.orderTasks.find(orderId);
    if (task === undefined) return;
    const ids = idsOf(task);
    // The last part has no items: it ends the task.
    const portions = [...chunksOf(ids), []];
    await writer.writeEach(
      portions,
      (tx, portion: number[]) => {
        const order = repositories.orders.find(orderId);
        // Another task replaced it, or the order was removed.
        if (order === undefined || repositories.orderTasks.find(orderId)?.kind !== task.kind) return;
        if (portion.length === 0) end(tx, order, task);
        else run(tx, order, task, portion);
      },
      (error) => {
        throw error;
      },
    );
  }

  return {
    finish,
    async finishAll() {
      for (const { orderId, kind } of reads.orderTasks.list()) {
        log.info({ orderId, kind }, 'Finishing what was begun with an order');
        await finish(orderId);
      }
    },
  };
}

function chunksOf(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, index) =>
    ids.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
}

function launchOf({ askedBy: by, color, lines, picker: name }: OrderTaskRow, { pickers }: OrderRow): LaunchFor {
  const picker: OrderPickerRow | null | undefined =
    lines === 'all' ? undefined : (pickers.find((each) => each.name === name) ?? null);
  return { by, color: color ?? undefined, picker };
}

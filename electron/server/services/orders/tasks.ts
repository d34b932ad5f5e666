import type { OrderTaskRow } from '../../db/repositories/orderTasks.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { OrderPickerRow, OrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { Log } from '../../ports.ts';
import { isOver } from '../../domain/order.ts';
import { ALONE, type LaunchLimiter } from '../base/index.ts';
import { abortOrder, isLarge, type LaunchFor, type OrderContext, launchItems, takeBack, turnOff } from './launch.ts';
import { recolor } from './pickers.ts';
import { getOrder } from './reading.ts';

/** Items of one use-case: a part of a turn of the writer. */
const AT_ONCE = 8;
/** Items are read one by one where those of a part are further apart. */
const MAX_SPAN = 64;

/** Does the rest of what a use-case began with many items of a large order: in parts, so that presses go between. */
export type OrderTasks = {
  /**
   * A use-case that may process all items of an order, with the parts that it left for later, once what a full disk left of an
   * earlier one is done. Throws `not_found`.
   */
  write<T, Prepared>(
    orderNumber: string,
    useCase: (tx: Transaction, order: OrderRow, prepared: Prepared | undefined) => T,
    use?: WholeUse<Prepared>,
  ): Promise<T>;
  /** Resolves when the tasks of an order are done and on disk. One that fails stays, for the next request or start. */
  finish(orderId: number): Promise<void>;
  /** All tasks that the last run left. */
  finishAll(): Promise<void>;
};

/** `prepare` reads what the use-case needs when its turn has come. `isLast`: it ends whatever else is to be done with the order. */
export type WholeUse<Prepared> = { prepare?: () => Promise<Prepared | undefined>; isLast?: boolean };

type Step = {
  /** Items that are left, in the order in which they are done. */
  idsOf: (task: OrderTaskRow) => number[];
  /** Within a use-case: a part. */
  run: (tx: Transaction, order: OrderRow, task: OrderTaskRow, items: readonly LitItemRow[]) => void;
  /** Its row says how far it is; of other tasks, the items say it. */
  isCounted?: true;
  /** Within the use-case that removes the task. */
  end?: (tx: Transaction, order: OrderRow, task: OrderTaskRow) => void;
};

export function createOrderTasks(parts: {
  context: OrderContext & { repositories: Pick<Repositories, 'orderTasks'> };
  reads: Pick<Repositories, 'items' | 'orders' | 'orderTasks'>;
  writer: Pick<Writer, 'write' | 'writeEach'>;
  launchLimiter: Pick<LaunchLimiter, 'take'>;
  log: Log;
  /** Within a use-case: removes the order, whose items are gone. */
  removeRest: (tx: Transaction, order: OrderRow, by: string) => void;
}): OrderTasks {
  const { context, reads, writer, launchLimiter, log, removeRest } = parts;
  const { repositories } = context;

  const steps: Record<OrderTaskRow['kind'], Step> = {
    launch: {
      isCounted: true,
      idsOf: ({ orderId, doneTo, lines, picker }) =>
        reads.items.listIdsToLight(orderId, doneTo, lines === 'all' ? 1 : 0, picker ?? ''),
      run: (tx, order, task, items) => launchItems(context, tx, order, launchOf(task, order), items),
    },
    recolor: {
      isCounted: true,
      idsOf: ({ orderId, doneTo, picker }) => reads.items.listIdsOfPicker(orderId, doneTo, picker),
      run(tx, order, { picker: name, askedBy: by }, items) {
        const picker = order.pickers.find((each) => each.name === name);
        const own = items.filter((item) => item.picker === name && !isOver(item));
        recolor(context, tx, order, own, { picker, by });
      },
    },
    pause: {
      idsOf: ({ orderId, picker }) => reads.items.listIdsLitFor(orderId, picker ?? ''),
      run(tx, order, { picker, askedBy: by }, items) {
        const own = items.filter((item) => item.picker === picker && item.state === 'active');
        turnOff(context, tx, order, own, { kind: 'killed', by });
      },
    },
    abort: {
      idsOf: ({ orderId }) => reads.items.listIdsToAbort(orderId),
      run: (tx, order, { askedBy: by }, items) => turnOff(context, tx, order, items, { kind: 'aborted', by }),
      end: (tx, order, { askedBy }) => abortOrder(context, tx, order, askedBy),
    },
    remove: {
      idsOf: ({ orderId }) => reads.items.listIds(orderId),
      run(tx, _order, { askedBy }, items) {
        takeBack(context, tx, items.toReversed(), askedBy);
        for (const { id } of items) repositories.items.remove(id);
      },
      end: (tx, order, { askedBy }) => removeRest(tx, order, askedBy),
    },
  };

  function itemsOf(orderId: number, ids: readonly number[]): LitItemRow[] {
    const [first, last] = [Math.min(...ids), Math.max(...ids)];
    if (last - first > MAX_SPAN) return ids.flatMap((id) => repositories.items.find(id) ?? []);
    const between = repositories.items.listBetween(first, last);
    const byId = new Map(between.flatMap((item) => (item.orderId === orderId ? [[item.id, item]] : [])));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async function finishTask(task: OrderTaskRow): Promise<void> {
    const { orderId, kind } = task;
    const { idsOf, run, isCounted = false, end } = steps[kind];
    let isBroken = false;
    // The last part has no items: it ends the task.
    const portions = [...chunksOf(idsOf(task)), []];
    await writer.writeEach(
      portions,
      (tx, ids: number[]) => {
        const order = repositories.orders.find(orderId);
        // Another task replaced it, or the order was removed.
        if (order === undefined || repositories.orderTasks.find(orderId, kind) === undefined) return;
        const last = ids.at(-1);
        if (last === undefined) {
          if (isBroken) return;
          repositories.orderTasks.remove(orderId, kind);
          end?.(tx, order, task);
          return;
        }
        run(tx, order, task, itemsOf(orderId, ids));
        if (isCounted && !isBroken) repositories.orderTasks.advance(last, orderId, kind);
      },
      (error) => {
        isBroken = true;
        throw error;
      },
    );
    // Lines that were opened again meanwhile may be so many that they are a task again.
    const again = isBroken ? undefined : reads.orderTasks.find(orderId, kind);
    if (again !== undefined) await finishTask(again);
  }

  async function finish(orderId: number): Promise<void> {
    for (const task of reads.orderTasks.listOf(orderId)) await finishTask(task);
  }

  return {
    write(orderNumber, useCase, { prepare, isLast = false } = {}) {
      const asked = reads.orders.findByNumber(orderNumber);
      const size = asked?.counts.items ?? 0;
      // Two of one order would replace each other's tasks.
      const room = asked !== undefined && isLarge(asked) ? Math.max(size, ALONE) : size;
      return launchLimiter.take(room, async () => {
        if (asked !== undefined && !isLast) await finish(asked.id);
        const prepared = await prepare?.();
        const [orderId, result] = await writer.write((tx) => {
          const order = getOrder(repositories, orderNumber);
          return [order.id, useCase(tx, order, prepared)] as const;
        });
        await finish(orderId);
        return result;
      });
    },
    finish,
    finishAll: () =>
      launchLimiter.take(1, async () => {
        for (const task of reads.orderTasks.list()) {
          log.info({ orderId: task.orderId, kind: task.kind }, 'Finishing what was begun with an order');
          await finishTask(task);
        }
      }),
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

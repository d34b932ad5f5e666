import type { HistoryDetail } from '../../db/repositories/history.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import type { Transaction } from '../../db/writer.ts';
import { getOrder, readOrder } from './reading.ts';
import { removeCommands } from './turnOff.ts';
import type { OrderContext } from './types.ts';
import type { DeletedOrders, EndedOrdersQuery, Order } from '#shared/api/order.ts';

/** Number of orders to delete at the same time, each in its own transaction. */
export const REMOVED_AT_ONCE = 20;

/** Reason for deleting an old order, which the timeline shows. */
export const TOO_OLD = 'It ended, and changed last, longer ago than the setting order_days allows.';

/** Returns an order as it is at this point of the transaction. */
export function now({ repositories, settings }: OrderContext, orderNumber: string): Order {
  return readOrder(repositories, getOrder(repositories, orderNumber), settings.current());
}

export function removeWithin(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  by: string,
  because: Pick<HistoryDetail, 'upkeep' | 'reason'> = {},
): void {
  const { repositories, endedOrders, work, itemStock, holds } = context;
  holds.stopped(tx, order.id, by);
  const items = repositories.items.listOf(order.id);
  removeCommands(context, tx, items, by);
  endedOrders.removing(order.orderNumber, () => now(context, order.orderNumber));
  itemStock.putBacks.removing(tx, order, items, by);
  repositories.orders.remove(order.id);
  for (const { articleId, state } of items) {
    // Publish the article, because more of its stock is available now. Finished lines had no stock allocated.
    if (articleId !== null && state !== 'done' && state !== 'short') itemStock.publish(tx, articleId);
  }
  work.forget(tx, order);
  const detail = { by, ...because };
  const historyId = work.record(tx, order, { kind: 'order_removed', qty: order.counts.fulfilled, detail });
  if (order.state !== 'fulfilled')
    work.tellOrder(tx, order, { event: 'removed', historyId, picker: by, reason: because.reason });
  tx.emit({ type: 'order.removed', order_number: order.orderNumber });
}

/** Deletes ended orders, a few at a time, each in its own transaction. */
export async function removeEnded(
  context: OrderContext,
  { state, ended_before: endedBefore }: EndedOrdersQuery,
  by: string,
): Promise<DeletedOrders> {
  const { repositories, writer } = context;
  const before = Date.parse(endedBefore);
  // Query again each time, so that a repeated request continues with the remaining orders.
  const removeNext = (tx: Transaction): boolean => {
    const id = repositories.orders.findEnded({ state, before });
    const order = id === undefined ? undefined : repositories.orders.find(id);
    if (order !== undefined) removeWithin(context, tx, order, by, { upkeep: true });
    return order !== undefined;
  };
  for (let deleted = 0; ;) {
    const some = Array.from({ length: REMOVED_AT_ONCE }, () => writer.writeLarge(removeNext));
    // oxlint-disable-next-line no-await-in-loop -- other requests run between the groups
    const count = (await Promise.all(some)).filter((isRemoved) => isRemoved).length;
    deleted += count;
    if (count < REMOVED_AT_ONCE) return { deleted };
  }
}

/**
 * Removes customer and note from orders that ended in this state and last changed before this time. Resolves to the position at which the
 * next step continues, or to undefined if no orders remain.
 */
export async function forgetCustomers(
  { reads, writer, repositories, work }: OrderContext,
  {
    state,
    after,
    before,
    limit,
  }: {
    state: 'fulfilled' | 'aborted';
    after: { updatedAt: number; id: number };
    before: number;
    limit: number;
  },
): Promise<{ updatedAt: number; id: number } | undefined> {
  const ended = reads.orders.listEnded(state, after.updatedAt, after.id, before, limit);
  const named = ended.filter(({ hasWords }) => hasWords === 1);
  if (named.length > 0) {
    await writer.writeSoon((tx) => {
      for (const { id, updatedAt } of named) {
        repositories.orders.removeWords(id, updatedAt);
        work.publishOrder(tx, id);
      }
    });
  }
  return ended.at(-1);
}

/**
 * Deletes the ended order that has been unchanged for longest, if it last changed before this time. Resolves to true if it deleted an
 * order.
 */
export function removeOldest(context: OrderContext, before: number): Promise<boolean> {
  return context.writer.writeLarge((tx) => {
    const id = context.repositories.orders.findEnded({ state: null, before });
    const order = id === undefined ? undefined : context.repositories.orders.find(id);
    if (order === undefined) return false;
    removeWithin(context, tx, order, '', { upkeep: true, reason: TOO_OLD });
    return true;
  });
}

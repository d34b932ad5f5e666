import type { LitItemRow } from '../../../db/repositories/items.ts';
import type { OrderRow } from '../../../db/repositories/orders.ts';
import type { Transaction } from '../../../db/writer.ts';
import { type OrderDefaults, itemAnswer, orderProgress } from '../answers.ts';
import type { OrderTables } from '../tables.ts';

/**
 * If more than one in this many items of an order changed, reading all items of the order together is faster than reading each changed
 * item.
 */
const MANY_OF = 3;

type NewsContext = { repositories: OrderTables; templates: () => OrderDefaults };

type PublishedItem = {
  of?: string | undefined;
  find?: (itemId: number) => LitItemRow | undefined;
  isChange?: boolean;
};

/** Publishes an item once per commit. `isChange` also updates `updated_time` of the order, for changes that do not write the order. */
export function publishItem(
  context: NewsContext,
  tx: Transaction,
  itemId: number,
  { of, find = context.repositories.items.find, isChange = false }: PublishedItem = {},
): void {
  const { repositories } = context;
  tx.beforeCommit(`order.item:${itemId}`, () => {
    const item = find(itemId);
    if (item === undefined) return undefined;
    if (isChange) touchBeforeCommit(context, tx, item.orderId);
    const order_number = of ?? repositories.orders.findNumber(item.orderId);
    if (order_number !== undefined) tx.emit({ type: 'order.item', order_number, item: itemAnswer(item) });
    return undefined;
  });
}

/** Publishes many items of one order, and reads them together if this is faster. */
export function publishItems(
  context: NewsContext,
  tx: Transaction,
  { id: orderId, orderNumber, counts }: Pick<OrderRow, 'id' | 'orderNumber' | 'counts'>,
  itemIds: readonly number[],
): void {
  const { repositories } = context;
  // Read lazily inside `beforeCommit`, when no more items change.
  let read: Map<number, LitItemRow> | undefined;
  const find = (itemId: number): LitItemRow | undefined => {
    read ??= new Map(repositories.items.listOf(orderId).map((item) => [item.id, item]));
    return read.get(itemId);
  };
  const isMany = itemIds.length * MANY_OF > counts.items;
  for (const itemId of itemIds) publishItem(context, tx, itemId, { of: orderNumber, ...(isMany ? { find } : {}) });
}

/** Publishes a changed item once per commit, and updates `updated_time` of its order. `of` is the order number, if known. */
export function publishItemChange(context: NewsContext, tx: Transaction, itemId: number, of?: string): void {
  publishItem(context, tx, itemId, { of, isChange: true });
}

/** Updates an order's `updated_time` only once per commit, even if many of its items change. */
function touchBeforeCommit({ repositories }: NewsContext, tx: Transaction, orderId: number): void {
  tx.beforeCommit(`order.touched:${orderId}`, () => {
    repositories.orders.touch(tx, orderId);
    return undefined;
  });
}

/** Publishes an order, once per commit. */
export function publishOrder({ repositories, templates }: NewsContext, tx: Transaction, orderId: number): void {
  tx.beforeCommit(`order.changed:${orderId}`, () => {
    const order = repositories.orders.find(orderId);
    if (order !== undefined) tx.emit({ type: 'order.changed', order: orderProgress(order, templates()) });
    return undefined;
  });
}

/** Updates an order's `updated_time`, and publishes the order once per commit. */
export function publishOrderChange(context: NewsContext, tx: Transaction, orderId: number): void {
  context.repositories.orders.touch(tx, orderId);
  publishOrder(context, tx, orderId);
}

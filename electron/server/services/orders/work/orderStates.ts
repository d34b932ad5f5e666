import type { OrderStateCallback, OrderStateEvent } from '#shared/api/callback.ts';
import type { BatchRow } from '../../../db/repositories/batches.ts';
import type { LitItemRow } from '../../../db/repositories/items.ts';
import type { OrderRow } from '../../../db/repositories/orders.ts';
import type { TablesOf } from '../../../core.ts';
import type { Transaction } from '../../../db/writer.ts';
import { isOver } from '../../../domain/orders/order.ts';
import type { Callbacks } from '../../callbacks/index.ts';
import { itemNonce, nameOfItem, type NonceTemplates, orderNonce } from '../callbacks.ts';
import { type Cause, type Found, pickerAmong, timeOf } from './stock.ts';

type StatesContext = {
  repositories: TablesOf<'orders'>;
  callbacks: Callbacks;
  templates: () => NonceTemplates;
};

/** What happened to an order. `picker` is the person or program who did it, or for whom; a device is not named. */
export type OrderNews = {
  event: Extract<OrderStateEvent, 'launched' | 'aborted' | 'removed' | 'changed'>;
  historyId: number;
  picker?: string | undefined;
  reason?: string | undefined;
};

/** Queues the callback of the family `order_state` about an order, which is as it was stored last. */
export function tellOrder(
  { repositories, callbacks, templates }: StatesContext,
  tx: Transaction,
  order: OrderRow,
  { event, historyId, picker, reason }: OrderNews,
): void {
  const { state, orderNumber, counts } = order;
  const batch = repositories.batches.findOf(order.id);
  const payload: OrderStateCallback = {
    order_state: event,
    state,
    order: orderNumber,
    quantity_fulfilled: counts.fulfilled,
    ordered_quantity: counts.ordered,
    ...given({ reason, picker: named(picker), batch, nonce: orderNonce(order, templates()) }),
  };
  callbacks.add(tx, { family: 'order_state', historyId, at: tx.actedAt ?? tx.now, payload });
}

/** Queues the callback of the family `order_state` about an item, if the change closed it short, opened it again or dismissed it. */
export function tellItem(
  { repositories, callbacks, templates }: StatesContext,
  tx: Transaction,
  { order, shipment, item: before }: Found,
  after: LitItemRow,
  cause: Cause & { isBooked: boolean },
): void {
  const event = eventOf(before, after, cause);
  if (event === undefined) return;
  const { historyId, by, forWhom } = cause;
  const reason = event === 'item_reopened' ? undefined : cause.reason;
  const picker = pickerAmong(order, forWhom ?? by) ?? after.picker ?? undefined;
  const batch = repositories.batches.findOf(order.id);
  const payload: OrderStateCallback = {
    order_state: event,
    state: after.state,
    order: order.orderNumber,
    shipment: shipment.shipmentNumber,
    item: nameOfItem(after),
    SKU: after.sku ?? '',
    quantity_fulfilled: after.fulfilled,
    ordered_quantity: after.ordered,
    ...given({ reason, picker, batch }),
    nonce: itemNonce(after, shipment, order, templates()),
  };
  callbacks.add(tx, { family: 'order_state', historyId, at: timeOf(tx, cause), payload });
}

/** Queues the callback of the family `order_state` about a batch that has ended. */
export function tellBatch(
  { callbacks }: StatesContext,
  tx: Transaction,
  { id }: Pick<BatchRow, 'id'>,
  { historyId, picker }: Pick<OrderNews, 'historyId' | 'picker'>,
): void {
  const payload: OrderStateCallback = {
    order_state: 'batch_done',
    state: 'done',
    ...given({ picker: named(picker) }),
    batch: id,
  };
  callbacks.add(tx, { family: 'order_state', historyId, at: tx.now, payload });
}

/**
 * Returns the event of a change of an item. A short that gets its reason later is another event. Opening an item again without removing its
 * pieces is an event too, because no other callback reports it.
 */
function eventOf(
  before: LitItemRow,
  after: LitItemRow,
  { reason = '', reasonOf, isBooked }: Cause & { isBooked: boolean },
): OrderStateEvent | undefined {
  if (after.trouble === 'dismissed' && before.trouble !== 'dismissed') return 'item_dismissed';
  if (after.state === 'short') {
    const isNewReason = reasonOf === 'short' && reason !== '';
    return before.state !== 'short' || isNewReason ? 'item_short' : undefined;
  }
  if (before.state === 'short') return 'item_reopened';
  return isOver(before) && !isOver(after) && !isBooked ? 'item_reopened' : undefined;
}

function named(name: string | undefined): string | undefined {
  return name === 'device' ? undefined : name;
}

/** Returns the fields that have a value. */
function given<T extends Readonly<Record<string, unknown>>>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  // Safe cast: it only removes fields without a value.
  return Object.fromEntries(kept) as { [Name in keyof T]?: NonNullable<T[Name]> };
}

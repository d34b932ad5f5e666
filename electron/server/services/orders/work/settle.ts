import type { Order } from '#shared/api/order.ts';
import type { OrderRow, ShipmentRow, Work } from '../../../db/repositories/orders.ts';
import type { TablesOf } from '../../../core.ts';
import type { Transaction } from '../../../db/writer.ts';
import type { ItemStock } from '../../articles/index.ts';
import type { Callbacks } from '../../callbacks/index.ts';
import type { OrderDefaults } from '../answers.ts';
import { type NonceTemplates, orderCallback, orderNonce, shipmentCallback, shipmentNonce } from '../callbacks.ts';
import { type OrderAlertRecords, updateAlerts } from './alerts.ts';
import { doneBy, record } from './history.ts';
import { publishOrder } from './news.ts';
import type { Cause } from './stock.ts';

export type Changed<T> = { before: T; after: T };

/** Functions that write files to the outbox folder when orders end. Each is called inside a transaction. */
export type EndedOrders = {
  /** Called when an order was fulfilled or aborted. */
  ended(tx: Transaction, orderNumber: string): void;
  /** Called when an order is about to be deleted. `answer` returns the order with its items. */
  removing(orderNumber: string, answer: () => Order): void;
};

export type SettleContext = {
  repositories: TablesOf<'orders'>;
  callbacks: Callbacks;
  alerts: OrderAlertRecords;
  endedOrders: EndedOrders;
  itemStock: ItemStock;
  templates: () => NonceTemplates & OrderDefaults;
};

/**
 * Saves and publishes an order and its shipments after a change, queues the callbacks of those that are now fulfilled, and updates alerts.
 */
export function settle(
  context: SettleContext,
  tx: Transaction,
  { before, after }: Changed<OrderRow>,
  shipments: readonly Changed<ShipmentRow>[],
  cause: Cause & { where?: string },
): void {
  const { repositories, endedOrders, alerts } = context;
  updateAlerts(alerts, tx, { before, after }, cause.where ?? '');
  for (const shipment of shipments) settleShipment(context, tx, after, shipment, cause);
  const isNews = becomesFulfilled(before, after);
  const fulfilledAt = isNews ? tx.now : after.state === 'fulfilled' ? after.fulfilledAt : null;
  const changed = { updatedAt: tx.now, revision: tx.revision, isTold: after.isTold || isNews };
  repositories.orders.saveOrder(before, { ...after, fulfilledAt, ...changed });
  publishOrder(context, tx, after.id);
  putBack(context, tx, { before, after }, cause.by);
  if (before.state !== after.state && (isNews || after.state === 'aborted')) endedOrders.ended(tx, after.orderNumber);
  if (isNews) reportFulfilled(context, tx, after, cause);
}

/** Adds a fulfilled order to the history. Queues its callback, unless one was queued since the last launch. */
function reportFulfilled(
  { repositories, templates, callbacks }: SettleContext,
  tx: Transaction,
  order: OrderRow,
  cause: Cause,
): void {
  const detail = doneBy(cause.by, cause.forWhom);
  record(repositories, tx, order, { kind: 'order_fulfilled', qty: order.counts.fulfilled, detail });
  const nonce = order.isTold ? '' : orderNonce(order, templates());
  if (nonce === '') return;
  const { historyId, at = tx.now } = cause;
  callbacks.add(tx, { family: 'order', historyId, at, payload: orderCallback(order, nonce) });
}

function settleShipment(
  { repositories, templates, callbacks }: SettleContext,
  tx: Transaction,
  order: OrderRow,
  { before, after }: Changed<ShipmentRow>,
  cause: Cause,
): void {
  const isNews = becomesFulfilled(before, after);
  repositories.orders.saveShipment(before, { ...after, isTold: after.isTold || isNews });
  const nonce = isNews && !after.isTold ? shipmentNonce(after, order, templates()) : '';
  if (nonce === '') return;
  const payload = shipmentCallback(order, after, nonce);
  const { historyId, at = tx.now } = cause;
  callbacks.add(tx, { family: 'order', historyId, at, payload });
}

/** Creates tasks to put back picked pieces when an order is aborted. Ends these tasks when the order is launched again or fulfilled. */
function putBack(
  { repositories, itemStock }: SettleContext,
  tx: Transaction,
  { before, after }: Changed<OrderRow>,
  by: string,
): void {
  if (before.state === after.state) return;
  if (after.state === 'aborted') itemStock.putBacks.stopped(tx, after, () => repositories.items.listOf(after.id), by);
  else if (before.state === 'aborted' || after.state === 'fulfilled') itemStock.putBacks.resumed(tx, after.orderNumber);
}

function becomesFulfilled(before: Work, after: Work): boolean {
  return before.state !== 'fulfilled' && after.state === 'fulfilled';
}

import type { ItemCallback } from '#shared/api/callback.ts';
import type { HistoryKind } from '#shared/api/history.ts';
import type { HistoryDetail } from '../../db/repositories/history.ts';
import type { LitItemRow, OrderRow, ShipmentRow, Work } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { workOf } from '../../domain/commandQueue.ts';
import { nextWork, recounted } from '../../domain/order.ts';
import type { Callbacks } from '../callbacks/index.ts';
import { itemAnswer, orderProgress } from './answers.ts';
import {
  type NonceTemplates,
  type ItemPlace,
  itemCallback,
  itemNonce,
  orderCallback,
  orderNonce,
  shipmentCallback,
  shipmentNonce,
} from './callbacks.ts';

export type Changed<T> = { before: T; after: T };

/** An item, and what it is in. */
export type Found = { order: OrderRow; shipment: ShipmentRow; item: LitItemRow };

/** The cause of a change: its row in history, and who made it. */
export type Cause = { historyId: number; by: string };

/** Saves changes of items with their history, callbacks and facts. Every function runs inside a use-case. */
export type OrderWork = {
  /** Saves one item with its callbacks, and the shipment and order that it completes. */
  changeItem(
    tx: Transaction,
    found: Found,
    change: { after: LitItemRow; place: ItemPlace; events: readonly ItemCallback['order_event'][]; cause: Cause },
  ): void;
  /** The same of an order of which many items were written: with what of it is complete now. */
  settle(tx: Transaction, order: Changed<OrderRow>, shipments: readonly Changed<ShipmentRow>[], cause: Cause): void;
  /** Answers the row's id. */
  record(
    tx: Transaction,
    order: OrderRow,
    row: {
      kind: HistoryKind;
      qty: number;
      detail: HistoryDetail;
      deviceId?: string;
      location?: string;
      nonce?: string;
    },
  ): number;
  /** Facts, each once in a commit. */
  tellItem(tx: Transaction, itemId: number): void;
  tellOrder(tx: Transaction, orderId: number): void;
};

export function createOrderWork(parts: {
  repositories: Pick<Repositories, 'history' | 'orders'>;
  callbacks: Callbacks;
  templates: () => NonceTemplates;
}): OrderWork {
  const { repositories, callbacks, templates } = parts;

  function tellItem(tx: Transaction, itemId: number): void {
    tx.beforeCommit(`order.item:${itemId}`, () => {
      const item = repositories.orders.findItem(itemId);
      const order = item === undefined ? undefined : repositories.orders.find(item.orderId);
      if (item !== undefined && order !== undefined) {
        tx.emit({ type: 'order.item', order_number: order.orderNumber, item: itemAnswer(item) });
      }
      return undefined;
    });
  }

  function tellOrder(tx: Transaction, orderId: number): void {
    tx.beforeCommit(`order.changed:${orderId}`, () => {
      const order = repositories.orders.find(orderId);
      if (order !== undefined) tx.emit({ type: 'order.changed', order: orderProgress(order) });
      return undefined;
    });
  }

  const record: OrderWork['record'] = (tx, order, row) => {
    const { kind, qty, detail, deviceId = '', location = '', nonce = '' } = row;
    const work = workOf({ kind: 'item', id: 0, of: order.orderNumber });
    return repositories.history.insert({
      at: tx.now,
      kind,
      deviceId,
      commandId: null,
      nonce,
      location,
      qty,
      work,
      detail,
    });
  };

  function settleShipment(
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
    callbacks.add(tx, { family: 'order', historyId: cause.historyId, payload });
  }

  const settle: OrderWork['settle'] = (tx, { before, after }, shipments, cause) => {
    for (const shipment of shipments) settleShipment(tx, after, shipment, cause);
    const isNews = becomesFulfilled(before, after);
    const fulfilledAt = isNews ? tx.now : after.state === 'fulfilled' ? after.fulfilledAt : null;
    repositories.orders.saveOrder(before, { ...after, fulfilledAt, isTold: after.isTold || isNews });
    tellOrder(tx, after.id);
    if (!isNews) return;
    record(tx, after, { kind: 'order_fulfilled', qty: after.counts.fulfilled, detail: { by: cause.by } });
    const nonce = after.isTold ? '' : orderNonce(after, templates());
    if (nonce === '') return;
    const payload = orderCallback(after, nonce);
    callbacks.add(tx, { family: 'order', historyId: cause.historyId, payload });
  };

  return {
    changeItem(tx, { order, shipment, item }, { after, place, events, cause }) {
      repositories.orders.saveItem(item, after);
      tellItem(tx, item.id);
      const nonce = events.length === 0 ? '' : itemNonce(after, shipment, order, templates());
      for (const event of events) {
        const payload = itemCallback(event, { order, shipment, item: after }, place, nonce);
        callbacks.add(tx, { family: 'order', historyId: cause.historyId, payload });
      }
      const reopened = order.state === 'aborted' ? 'aborted' : order.launchedAt === null ? 'open' : 'in_progress';
      const counted = <T extends Work>(work: T): Changed<T> => {
        const counts = recounted(work.counts, item, after);
        return {
          before: work,
          after: { ...work, counts, state: nextWork(work.state, { kind: 'counted', counts, reopened }) },
        };
      };
      settle(tx, counted(order), [counted(shipment)], cause);
    },
    settle,
    record,
    tellItem,
    tellOrder,
  };
}

function becomesFulfilled(before: Work, after: Work): boolean {
  return before.state !== 'fulfilled' && after.state === 'fulfilled';
}

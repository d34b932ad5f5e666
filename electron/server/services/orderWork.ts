import type { ItemCallback } from '#shared/api/callback.ts';
import type { HistoryKind } from '#shared/api/history.ts';
import type { HistoryDetail } from '../db/repositories/history.ts';
import type { LitItemRow, OrderRow, ShipmentRow, Work } from '../db/repositories/orders.ts';
import type { Repositories } from '../db/repositories.ts';
import type { Transaction } from '../db/writer.ts';
import { workOf } from '../domain/commandQueue.ts';
import { nextWork, recounted } from '../domain/order.ts';
import type { Callbacks } from './callbacks.ts';
import { itemAnswer, orderProgress } from './orderAnswers.ts';
import {
  itemCallback,
  itemNonce,
  orderCallback,
  orderNonce,
  shipmentCallback,
  shipmentNonce,
  type NonceTemplates,
  type Place,
} from './orderCallbacks.ts';

export type Changed<T> = { before: T; after: T };

/** An item, and what it is in. */
export type Found = { order: OrderRow; shipment: ShipmentRow; item: LitItemRow };

/** Why something changes: the row of history that tells it, and who did it. */
export type Cause = { historyId: number; by: string };

/** What a change of items comes to, with everything that is told of it. Every function runs inside a use-case. */
export type OrderWork = {
  /** One item is as `after` says: its rows, its callbacks, and what is complete by that. */
  changeItem(
    unit: Transaction,
    found: Found,
    change: { after: LitItemRow; place: Place; events: readonly ItemCallback['order_event'][]; cause: Cause },
  ): void;
  /** The same of an order of which many items were written: with what of it is complete now. */
  settle(unit: Transaction, order: Changed<OrderRow>, shipments: readonly Changed<ShipmentRow>[], cause: Cause): void;
  /** Answers the row's id. */
  record(
    unit: Transaction,
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
  tellItem(unit: Transaction, itemId: number): void;
  tellOrder(unit: Transaction, orderId: number): void;
};

export function createOrderWork(parts: {
  rows: Repositories;
  callbacks: Callbacks;
  templates: () => NonceTemplates;
}): OrderWork {
  const { rows, callbacks, templates } = parts;

  function tellItem(unit: Transaction, itemId: number): void {
    unit.beforeCommit(`order.item:${itemId}`, () => {
      const item = rows.orders.findItem(itemId);
      const order = item === undefined ? undefined : rows.orders.find(item.orderId);
      if (item !== undefined && order !== undefined) {
        unit.emit({ type: 'order.item', order_number: order.orderNumber, item: itemAnswer(item) });
      }
      return undefined;
    });
  }

  function tellOrder(unit: Transaction, orderId: number): void {
    unit.beforeCommit(`order.changed:${orderId}`, () => {
      const order = rows.orders.find(orderId);
      if (order !== undefined) unit.emit({ type: 'order.changed', order: orderProgress(order) });
      return undefined;
    });
  }

  const record: OrderWork['record'] = (unit, order, row) => {
    const { kind, qty, detail, deviceId = '', location = '', nonce = '' } = row;
    const work = workOf({ kind: 'item', id: 0, of: order.orderNumber });
    return rows.history.insert({ at: unit.now, kind, deviceId, commandId: null, nonce, location, qty, work, detail });
  };

  function settleShipment(
    unit: Transaction,
    order: OrderRow,
    { before, after }: Changed<ShipmentRow>,
    cause: Cause,
  ): void {
    const isNews = becomesFulfilled(before, after);
    rows.orders.saveShipment(before, { ...after, isTold: after.isTold || isNews });
    const nonce = isNews && !after.isTold ? shipmentNonce(after, order, templates()) : '';
    if (nonce === '') return;
    const payload = shipmentCallback(order, after, nonce);
    callbacks.add(unit, { family: 'order', historyId: cause.historyId, payload });
  }

  const settle: OrderWork['settle'] = (unit, { before, after }, shipments, cause) => {
    for (const shipment of shipments) settleShipment(unit, after, shipment, cause);
    const isNews = becomesFulfilled(before, after);
    const fulfilledAt = isNews ? unit.now : after.state === 'fulfilled' ? after.fulfilledAt : null;
    rows.orders.saveOrder(before, { ...after, fulfilledAt, isTold: after.isTold || isNews });
    tellOrder(unit, after.id);
    if (!isNews) return;
    record(unit, after, { kind: 'order_fulfilled', qty: after.counts.fulfilled, detail: { by: cause.by } });
    const nonce = after.isTold ? '' : orderNonce(after, templates());
    if (nonce === '') return;
    const payload = orderCallback(after, nonce);
    callbacks.add(unit, { family: 'order', historyId: cause.historyId, payload });
  };

  return {
    changeItem(unit, { order, shipment, item }, { after, place, events, cause }) {
      rows.orders.saveItem(item, after);
      tellItem(unit, item.id);
      const nonce = events.length === 0 ? '' : itemNonce(after, shipment, order, templates());
      for (const event of events) {
        const payload = itemCallback(event, { order, shipment, item: after }, place, nonce);
        callbacks.add(unit, { family: 'order', historyId: cause.historyId, payload });
      }
      const reopened = order.state === 'aborted' ? 'aborted' : order.launchedAt === null ? 'open' : 'in_progress';
      const counted = <T extends Work>(work: T): Changed<T> => {
        const counts = recounted(work.counts, item, after);
        return {
          before: work,
          after: { ...work, counts, state: nextWork(work.state, { kind: 'counted', counts, reopened }) },
        };
      };
      settle(unit, counted(order), [counted(shipment)], cause);
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

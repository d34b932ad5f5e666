import type { NewItem, NewOrder } from '#shared/api/order.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { ItemRow } from '../../db/repositories/items.ts';
import type { NewOrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { counted, newItem, newWork, NO_ITEMS, type WorkCounts } from '../../domain/order.ts';
import { StationError } from '../../errors.ts';
import type { Ids } from '../../ports.ts';
import { slowWarning, type TargetTables } from '../devices/index.ts';
import { findItemTarget, type OrderLight } from './light.ts';
import type { Orders } from './orders.ts';
import type { EndedOrders, OrderWork } from './work.ts';

/** Items whose places are searched for when an order is created: more would hold up presses. */
const MAX_PLACED = 50;
const TOKEN_BYTES = 9;

type NewShipment = NonNullable<NewOrder['shipments']>[number];

/** Items of 0, by JSON Pointer: they are accepted as done, but may be a mistake of the caller. */
export function zeroItems({ shipments = [], items = [] }: NewOrder): FieldError[] {
  const found = (list: readonly NewItem[], path: string): FieldError[] =>
    list.flatMap(({ ordered_quantity: quantity }, index) =>
      quantity === 0
        ? [{ path: `${path}/${index}/ordered_quantity`, message: 'It is 0: the item is done and never lit.' }]
        : [],
    );
  return [
    ...found(items, '/items'),
    ...shipments.flatMap((shipment, index) => found(shipment.items, `/shipments/${index}/items`)),
  ];
}

/** Items among the first of an order that a launch would light at a slow device, by JSON Pointer. */
export function slowItems(tables: TargetTables, { shipments, items = [] }: NewOrder): FieldError[] {
  const lists = shipments?.map((one, index) => ({ list: one.items, path: `/shipments/${index}/items` }));
  const all = (lists ?? [{ list: items, path: '/items' }]).flatMap(({ list, path }) =>
    list.slice(0, MAX_PLACED).map((item, index) => ({ item, path: `${path}/${index}` })),
  );
  return all.slice(0, MAX_PLACED).flatMap(({ item, path }) => {
    const target = item.ordered_quantity === 0 ? undefined : findItemTarget(tables, itemOf(item));
    const message = target && slowWarning(target);
    return message === undefined ? [] : [{ path, message }];
  });
}

/** How its commands light and sound. */
export function lightOf({ color, seconds, sound }: NewOrder): OrderLight {
  return { color: color ?? null, seconds: seconds ?? null, sound: sound ?? null };
}

/** Adds and replaces validated orders. `addWithin` throws `conflict` if the number exists. */
export function createNewOrders(parts: {
  repositories: Pick<Repositories, 'items' | 'orders'>;
  work: Pick<OrderWork, 'record' | 'tellOrder'>;
  endedOrders: Pick<EndedOrders, 'ended'>;
  ids: Pick<Ids, 'bytes'>;
}): Pick<Orders, 'addWithin' | 'replaceWithin'> {
  const { work, endedOrders, ids } = parts;
  const { orders, items: rows } = parts.repositories;

  function addLines(tx: Transaction, orderId: number, wanted: NewOrder): void {
    for (const { shipment_number: shipmentNumber, shipmentnonce = null, items } of shipmentsOf(wanted)) {
      const counts = countsOf(items);
      const state = newWork(counts);
      const shipmentId = orders.insertShipment({
        orderId,
        shipmentNumber,
        shipmentnonce,
        state,
        isTold: false,
        counts,
      });
      for (const item of items) rows.insert({ orderId, shipmentId, ...itemOf(item) });
    }
    work.tellOrder(tx, orderId);
  }

  return {
    addWithin(tx, wanted) {
      refuseKnown(orders, wanted.order_number);
      const token = Buffer.from(ids.bytes(TOKEN_BYTES)).toString('base64url');
      const row = orderOf(wanted, { token, now: tx.now });
      const orderId = orders.insertOrder(row);
      addLines(tx, orderId, wanted);
      if (row.state === 'fulfilled') endedOrders.ended(tx, wanted.order_number);
      return orderId;
    },
    replaceWithin(tx, order, wanted, { by, changed }) {
      const { id, token, createdAt } = order;
      const row = { ...orderOf(wanted, { token, now: tx.now }), createdAt };
      orders.replace(id, row, tx.now);
      addLines(tx, id, wanted);
      work.record(tx, order, { kind: 'order_changed', qty: 0, detail: { by, changed } });
      if (row.state === 'fulfilled') endedOrders.ended(tx, wanted.order_number);
    },
  };
}

function refuseKnown(orders: Repositories['orders'], orderNumber: string): void {
  if (orders.findByNumber(orderNumber) === undefined) return;
  const message = `There is an order ${orderNumber} already. DELETE /api/orders/{order_number}/ removes it.`;
  throw new StationError('conflict', message, [{ path: '/order_number', message }]);
}

function orderOf(wanted: NewOrder, { token, now }: { token: string; now: number }): NewOrderRow {
  const counts = countsOf(shipmentsOf(wanted).flatMap(({ items }) => items));
  const state = newWork(counts);
  return {
    orderNumber: wanted.order_number,
    token,
    ordernonce: wanted.ordernonce ?? null,
    ...lightOf(wanted),
    hasItems: wanted.items !== undefined,
    priority: wanted.priority ?? 0,
    dueAt: wanted.due_time === undefined ? null : Date.parse(wanted.due_time),
    customer: wordsOrNull(wanted.customer),
    note: wordsOrNull(wanted.note),
    scanRequired: wanted.scan_required ?? null,
    createdAt: now,
    launchedAt: null,
    fulfilledAt: state === 'fulfilled' ? now : null,
    state,
    isTold: false,
    counts,
  };
}

/** Blank: not given. */
export function wordsOrNull(text: string | null | undefined): string | null {
  const words = (text ?? '').trim();
  return words === '' ? null : words;
}

function shipmentsOf({ order_number, shipments, items = [] }: NewOrder): readonly NewShipment[] {
  return shipments ?? [{ shipment_number: order_number, items }];
}

function itemOf(
  item: NewItem,
): Omit<ItemRow, 'id' | 'orderId' | 'shipmentId' | 'picker' | 'isVerified' | 'awaitsScan' | 'lastBooked'> {
  return {
    ...newItem(item.ordered_quantity, item.quantity_fulfilled ?? 0),
    deviceId: item.deviceid ?? null,
    foundDeviceId: null,
    name: item.name ?? null,
    sku: item.SKU ?? null,
    upc: item.UPC ?? null,
    description: item.description ?? null,
    warehouseLocation: item.warehouse_location ?? null,
    callbackNonce: item.callback_nonce ?? null,
  };
}

function countsOf(items: readonly NewItem[]): WorkCounts {
  return items.reduce(
    (counts, item) => counted(counts, newItem(item.ordered_quantity, item.quantity_fulfilled ?? 0)),
    NO_ITEMS,
  );
}

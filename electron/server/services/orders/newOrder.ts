import type { NewItem, NewOrder } from '#shared/api/order.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { ItemRow, NewOrderRow, ShipmentRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import { counted, newItem, newWork, NO_ITEMS, type WorkCounts } from '../../domain/order.ts';
import { StationError } from '../../errors.ts';
import { slowWarning, type TargetTables } from '../devices/index.ts';
import { findItemTarget, type OrderLight } from './light.ts';

/** Items whose places are searched for when an order is created: more would hold up presses. */
const MAX_PLACED = 50;

/** How many items it has. */
export function sizeOf({ shipments = [], items = [] }: NewOrder): number {
  return shipments.reduce((sum, shipment) => sum + shipment.items.length, items.length);
}

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

/** Within a use-case: writes a new order. Answers its id. Throws `conflict`. */
export function insertOrder(
  repositories: Pick<Repositories, 'orders'>,
  wanted: NewOrder,
  { token, now }: { token: string; now: number },
): number {
  const { order_number: orderNumber, items } = wanted;
  if (repositories.orders.findByNumber(orderNumber) !== undefined) {
    const message = `There is an order ${orderNumber} already. DELETE /api/orders/{order_number}/ removes it.`;
    throw new StationError('conflict', message, [{ path: '/order_number', message }]);
  }
  const shipments = wanted.shipments ?? [{ shipment_number: orderNumber, items: items ?? [] }];
  const counts = countsOf(shipments.flatMap((shipment) => shipment.items));
  const state = newWork(counts);
  const order: NewOrderRow = {
    orderNumber,
    token,
    ordernonce: wanted.ordernonce ?? null,
    ...lightOf(wanted),
    hasItems: items !== undefined,
    priority: wanted.priority ?? 0,
    dueAt: wanted.due_time === undefined ? null : Date.parse(wanted.due_time),
    scanRequired: wanted.scan_required ?? null,
    createdAt: now,
    launchedAt: null,
    fulfilledAt: state === 'fulfilled' ? now : null,
    state,
    isTold: false,
    counts,
  };
  const orderId = repositories.orders.insertOrder(order);
  for (const { shipment_number: shipmentNumber, shipmentnonce = null, items: itsItems } of shipments) {
    const itsCounts = countsOf(itsItems);
    const work: Omit<ShipmentRow, 'id'> = {
      orderId,
      shipmentNumber,
      shipmentnonce,
      state: newWork(itsCounts),
      isTold: false,
      counts: itsCounts,
    };
    const shipmentId = repositories.orders.insertShipment(work);
    for (const item of itsItems) repositories.orders.insertItem({ orderId, shipmentId, ...itemOf(item) });
  }
  return orderId;
}

function itemOf(item: NewItem): Omit<ItemRow, 'id' | 'orderId' | 'shipmentId' | 'picker' | 'isVerified'> {
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

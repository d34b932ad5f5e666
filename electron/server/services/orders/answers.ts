import type { Item, Order, OrderProgress, Shipment } from '#shared/api/order.ts';
import type { Settings } from '#shared/api/settings.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { OrderRow, ShipmentRow } from '../../db/repositories/orders.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { attentionOf, haltOf, isUnassigned, remainingOf } from '../../domain/orders/order.ts';
import { isoOrNull } from '../base/index.ts';
import { descriptionOfItem } from './itemWords.ts';

/** Settings that apply to orders without their own values. */
export type OrderDefaults = Pick<Settings, 'scan_required'>;

export function orderAnswer(
  order: OrderRow,
  shipments: readonly ShipmentRow[],
  items: readonly LitItemRow[],
  defaults: OrderDefaults,
): Order {
  const byShipment = new Map<number, Item[]>(shipments.map(({ id }) => [id, []]));
  const unassigned: Item[] = [];
  for (const item of items) {
    const answer = itemAnswer(item);
    byShipment.get(item.shipmentId)?.push(answer);
    if (isUnassigned(item)) unassigned.push(answer);
  }
  const answered = shipments.map((shipment) => shipmentAnswer(order, shipment, byShipment.get(shipment.id) ?? []));
  return {
    ...orderFields(order, defaults),
    shipments: answered,
    ...(order.hasItems ? { items: answered.flatMap((shipment) => shipment.items) } : {}),
    unassigned,
  };
}

/** Converts an order to its API form without items. */
export function orderProgress(order: OrderRow, defaults: OrderDefaults): OrderProgress {
  const { counts } = order;
  return {
    ...orderFields(order, defaults),
    item_count: counts.items,
    done_count: counts.done,
    short_count: counts.short,
    active_count: counts.active,
    unassigned_count: counts.unassigned,
    unscanned_count: counts.unscanned,
    ordered_quantity: counts.ordered,
    quantity_fulfilled: counts.fulfilled,
  };
}

/** Converts an item to its API form. Omits fields that the order does not set. */
export function itemAnswer(item: LitItemRow): Item {
  return {
    id: item.id,
    ...given('name', item.name ?? item.articleName),
    ...given('SKU', item.sku),
    ...given('UPC', item.upc),
    ...given('description', descriptionOfItem(item)),
    ordered_quantity: item.ordered,
    quantity_fulfilled: item.fulfilled,
    quantity_remaining: remainingOf(item),
    ...given('warehouse_location', item.warehouseLocation),
    deviceid: deviceOf(item),
    ...given('callback_nonce', item.callbackNonce),
    state: item.state,
    command_id: item.commandId === null ? null : String(item.commandId),
    timed_out: item.trouble === 'timed_out',
    picker: item.picker,
    verified: item.isVerified,
    awaits_scan: item.awaitsScan,
    guessed: item.isGuessed,
    no_stock: item.lacksStock,
  };
}

/** Returns the device that is or was last lit for the item, otherwise the requested device. */
export function deviceOf({ litDeviceId, foundDeviceId, deviceId }: LitItemRow): string | null {
  return litDeviceId ?? foundDeviceId ?? deviceId;
}

function shipmentAnswer(order: OrderRow, shipment: ShipmentRow, items: Item[]): Shipment {
  return {
    id: shipment.id,
    shipment_number: shipment.shipmentNumber,
    ...given('shipmentnonce', shipment.shipmentnonce),
    state: shipment.state,
    attention: attentionOf(shipment, haltOf(order)),
    items,
  };
}

function orderFields(order: OrderRow, defaults: OrderDefaults) {
  return {
    id: order.id,
    order_number: order.orderNumber,
    ...given('ordernonce', order.ordernonce),
    ...given('color', order.color),
    ...given('seconds', order.seconds),
    ...given('sound', order.sound),
    priority: order.priority,
    due_time: isoOrNull(order.dueAt),
    ...given('customer', order.customer),
    ...given('note', order.note),
    ...given('ordered_at', isoOrNull(order.orderedAt)),
    ...given('paid', order.isPaid),
    scan_required: order.scanRequired ?? defaults.scan_required,
    state: order.state,
    attention: attentionOf(order, haltOf(order)),
    ...given('ended_elsewhere', order.endedElsewhere),
    pickers: order.pickers
      .toSorted((a, b) => a.joinedAt - b.joinedAt)
      .map(({ name, color, isPaused, deviceId }) => ({ name, color, paused: isPaused, deviceid: deviceId })),
    waits: order.pickers.some(({ waits }) => waits),
    created_time: isoTime(order.createdAt),
    updated_time: isoTime(order.updatedAt),
    launched_time: isoOrNull(order.launchedAt),
    fulfilled_time: isoOrNull(order.fulfilledAt),
  };
}

function given<Name extends string, T>(name: Name, value: T | null): { [name in Name]?: T } {
  return value === null ? {} : ({ [name]: value } as { [name in Name]: T });
}

import type { ItemCallback, OrderCallback, ShipmentCallback } from '#shared/api/callback.ts';
import type { Settings } from '#shared/api/settings.ts';
import type { ItemRow } from '../../db/repositories/items.ts';
import type { OrderRow, ShipmentRow } from '../../db/repositories/orders.ts';
import { remainingOf } from '../../domain/order.ts';

/** Of the settings: nonces of what gives none of its own. `{order}` and `{shipment}` in them are the numbers. */
export type NonceTemplates = Pick<Settings, 'ordernonce' | 'shipmentnonce' | 'callback_nonce'>;

type Numbers = { order: string; shipment: string };

/** Where the item of a callback is. */
export type ItemPlace = { deviceId: string; location: string };

/** Empty: that an order is fulfilled is not told. */
export function orderNonce({ ordernonce, orderNumber }: OrderRow, templates: NonceTemplates): string {
  return nonceOf(ordernonce, templates.ordernonce, { order: orderNumber, shipment: '' });
}

/** Empty: that a shipment is fulfilled is not told. */
export function shipmentNonce(
  { shipmentnonce, shipmentNumber }: ShipmentRow,
  { orderNumber }: OrderRow,
  templates: NonceTemplates,
): string {
  const numbers = { order: orderNumber, shipment: shipmentNumber };
  return nonceOf(shipmentnonce, templates.shipmentnonce, numbers);
}

/** Never empty: without one of the caller or of the settings it is a token of ours, for ever the same. */
export function itemNonce(item: ItemRow, shipment: ShipmentRow, order: OrderRow, templates: NonceTemplates): string {
  const numbers = { order: order.orderNumber, shipment: shipment.shipmentNumber };
  const nonce = nonceOf(item.callbackNonce, templates.callback_nonce, numbers);
  return nonce === '' ? `item_${order.token}_${item.id}` : nonce;
}

/** Identifies an item to a receiver: at least one of the three is set. */
function nameOfItem({ name, sku, upc }: Pick<ItemRow, 'name' | 'sku' | 'upc'>): string {
  return [name, sku, upc].find((text) => text !== null && text !== '') ?? '';
}

/** Specification, Structured business callbacks: these fields, in this order. */
export function itemCallback(
  event: ItemCallback['order_event'],
  { order, shipment, item }: { order: OrderRow; shipment: ShipmentRow; item: ItemRow },
  { deviceId, location }: ItemPlace,
  nonce: string,
): ItemCallback {
  return {
    order_event: event,
    order: order.orderNumber,
    shipment: shipment.shipmentNumber,
    item: nameOfItem(item),
    SKU: item.sku ?? '',
    UPC: item.upc ?? '',
    location,
    device: deviceId,
    deviceid: deviceId,
    quantity: item.fulfilled,
    ordered_quantity: item.ordered,
    quantity_fulfilled: item.fulfilled,
    quantity_remaining: remainingOf(item),
    nonce,
    vendor_nonce: nonce,
  };
}

export function shipmentCallback(order: OrderRow, shipment: ShipmentRow, nonce: string): ShipmentCallback {
  return {
    order_event: 'shipment_fulfilled',
    order: order.orderNumber,
    shipment: shipment.shipmentNumber,
    nonce,
    vendor_nonce: nonce,
    shipmentnonce: nonce,
  };
}

export function orderCallback(order: OrderRow, nonce: string): OrderCallback {
  return { order_event: 'order_fulfilled', order: order.orderNumber, nonce, vendor_nonce: nonce, ordernonce: nonce };
}

/** `given`: null where it was left out; blank, there is to be none. */
function nonceOf(given: string | null, template: string, numbers: Numbers): string {
  const nonce = given ?? template.replace(/\{(order|shipment)\}/g, (_, name: keyof Numbers) => numbers[name]);
  return nonce.trim() === '' ? '' : nonce;
}

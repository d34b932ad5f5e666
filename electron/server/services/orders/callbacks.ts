import type { ItemCallback, OrderCallback, ShipmentCallback } from '#shared/api/callback.ts';
import type { Settings } from '#shared/api/settings.ts';
import type { ItemRow } from '../../db/repositories/items.ts';
import type { OrderRow, ShipmentRow } from '../../db/repositories/orders.ts';
import { remainingOf } from '../../domain/orders/order.ts';

/**
 * Templates for the nonces of orders, shipments and items without their own nonce. `{order}` and `{shipment}` are replaced with the
 * numbers.
 */
export type NonceTemplates = Pick<Settings, 'ordernonce' | 'shipmentnonce' | 'callback_nonce'>;

type Numbers = { order: string; shipment: string };

/** Device and location that a callback names. */
export type ItemPlace = { deviceId: string; location: string };

/** Returns the nonce of the callback for a fulfilled order. If it is empty, no callback is sent. */
export function orderNonce({ ordernonce, orderNumber }: OrderRow, templates: NonceTemplates): string {
  return nonceOf(ordernonce, templates.ordernonce, { order: orderNumber, shipment: '' });
}

/** Returns the nonce of the callback for a fulfilled shipment. If it is empty, no callback is sent. */
export function shipmentNonce(
  { shipmentnonce, shipmentNumber }: ShipmentRow,
  { orderNumber }: OrderRow,
  templates: NonceTemplates,
): string {
  const numbers = { order: orderNumber, shipment: shipmentNumber };
  return nonceOf(shipmentnonce, templates.shipmentnonce, numbers);
}

/**
 * Returns the nonce of an item's callbacks, which is never empty. If neither the caller nor the settings provide one, the nonce is
 * generated from the order's token and the item's id, so that it stays the same.
 */
export function itemNonce(item: ItemRow, shipment: ShipmentRow, order: OrderRow, templates: NonceTemplates): string {
  const numbers = { order: order.orderNumber, shipment: shipment.shipmentNumber };
  const nonce = nonceOf(item.callbackNonce, templates.callback_nonce, numbers);
  return nonce === '' ? `item_${order.token}_${item.id}` : nonce;
}

/** Returns the text by which receivers identify an item. At least one of the three fields is set. */
export function nameOfItem({ name, sku, upc }: Pick<ItemRow, 'name' | 'sku' | 'upc'>): string {
  return [name, sku, upc].find((text) => text !== null && text !== '') ?? '';
}

/** Builds an item callback. The fields and their order come from the specification, section "Structured business callbacks". */
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

/**
 * Returns the nonce from the caller or, if the caller gave none (null), from the template. Returns '' for a blank nonce, which means that
 * no callback is sent.
 */
function nonceOf(given: string | null, template: string, numbers: Numbers): string {
  const nonce = given ?? template.replace(/\{(order|shipment)\}/g, (_, name: keyof Numbers) => numbers[name]);
  return nonce.trim() === '' ? '' : nonce;
}

import type { Item, NewOrder, Order, OrderProgress } from '#shared/api/order.ts';

type NewItem = NonNullable<NewOrder['items']>[number];

/** Whether the order can be recreated exactly, because it was never launched or completed. */
export function isUntouched({
  state,
  launched_time,
  fulfilled_time,
}: Pick<OrderProgress, 'state' | 'launched_time' | 'fulfilled_time'>): boolean {
  return state === 'open' && launched_time === null && fulfilled_time === null;
}

/** Returns the request that recreates an untouched order. */
export function newOrderOf(order: Order): NewOrder {
  const { order_number, ordernonce, color, seconds, sound, priority, due_time, customer, note, scan_required } = order;
  const { ordered_at, paid, address } = order;
  const own = {
    order_number,
    ...given({ ordernonce, color, seconds, sound, customer, note, ordered_at, paid, address }),
    ...(priority === 0 ? {} : { priority }),
    ...(due_time === null ? {} : { due_time }),
    ...(scan_required ? { scan_required } : {}),
  };
  if (order.items !== undefined) return { ...own, items: order.items.map(newItemOf) };
  const shipments = order.shipments.map(({ shipment_number, shipmentnonce, items }) => ({
    shipment_number,
    ...given({ shipmentnonce }),
    items: items.map(newItemOf),
  }));
  return { ...own, shipments };
}

/**
 * Returns the request for a copy with a different order number: nothing is picked, and nonces are left out, because each nonce belongs to
 * one order.
 */
export function duplicateOf(order: Order, { number, due_time }: { number: string; due_time: string | null }): NewOrder {
  const plain = (item: Item): Item => ({ ...item, quantity_fulfilled: 0, callback_nonce: undefined });
  return newOrderOf({
    ...order,
    order_number: number,
    due_time,
    ordernonce: undefined,
    items: order.items?.map(plain),
    shipments: order.shipments.map((shipment) => ({
      ...shipment,
      shipmentnonce: undefined,
      items: shipment.items.map(plain),
    })),
  });
}

/** Returns the request that recreates a line. */
export function newItemOf(item: Item): NewItem {
  const { name, SKU, UPC, description, warehouse_location, callback_nonce } = item;
  const { ordered_quantity, quantity_fulfilled, deviceid } = item;
  return {
    ...given({ name, SKU, UPC, description, warehouse_location, callback_nonce }),
    ordered_quantity,
    quantity_fulfilled,
    deviceid,
  };
}

/** Returns only the fields that have a value. */
function given<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}

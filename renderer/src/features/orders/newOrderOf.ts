import type { Item, NewOrder, Order, OrderProgress } from '#shared/api/order.ts';

type NewItem = NonNullable<NewOrder['items']>[number];

/** Whether deleting it loses nothing that making it again would not bring back: it was never launched, and nothing was counted. */
export function isUntouched({
  state,
  launched_time,
  fulfilled_time,
}: Pick<OrderProgress, 'state' | 'launched_time' | 'fulfilled_time'>): boolean {
  return state === 'open' && launched_time === null && fulfilled_time === null;
}

/** What makes the same order again, as long as nothing has happened to it. */
export function newOrderOf(order: Order): NewOrder {
  const { order_number, ordernonce, color, seconds, sound } = order;
  const own = given({ ordernonce, color, seconds, sound });
  if (order.items !== undefined) return { order_number, ...own, items: order.items.map(newItemOf) };
  const shipments = order.shipments.map(({ shipment_number, shipmentnonce, items }) => ({
    shipment_number,
    ...given({ shipmentnonce }),
    items: items.map(newItemOf),
  }));
  return { order_number, ...own, shipments };
}

function newItemOf(item: Item): NewItem {
  const { name, SKU, UPC, description, warehouse_location, callback_nonce } = item;
  const { ordered_quantity, quantity_fulfilled, deviceid } = item;
  return {
    ...given({ name, SKU, UPC, description, warehouse_location, callback_nonce }),
    ordered_quantity,
    quantity_fulfilled,
    deviceid,
  };
}

/** The fields that are there. */
function given<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}

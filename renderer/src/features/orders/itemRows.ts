import type { Item, ItemState, Order, Shipment } from '#shared/api/order.ts';
import type { Tone } from '../../kit/feedback/StateTag.tsx';
import { dotted } from '../../words/dotted.ts';
import { itemName } from '../../shop/order/itemName.ts';

/** A row in the table of an order: the heading of a shipment, or an item. */
export type ItemTableRow =
  | { kind: 'shipment'; key: string; shipment: Shipment; done: number }
  | { kind: 'item'; key: string; item: Item; isUnassigned: boolean };

export const ITEM_TONES: Readonly<Record<ItemState, Tone>> = {
  open: 'open',
  active: 'lit',
  done: 'done',
  short: 'care',
  cancelled: 'off',
};

/** Returns shipments with their items. Omits the heading if the only shipment has the same number as the order. */
export function itemRows({ order_number, shipments, unassigned }: Order): readonly ItemTableRow[] {
  const without = new Set(unassigned.map(({ id }) => id));
  const [only] = shipments;
  const isImplicit = shipments.length === 1 && only?.shipment_number === order_number;
  return shipments.flatMap((shipment): ItemTableRow[] => [
    ...(isImplicit
      ? []
      : [
          {
            kind: 'shipment' as const,
            key: `shipment ${shipment.id}`,
            shipment,
            done: shipment.items.filter(({ state }) => state === 'done' || state === 'short').length,
          },
        ]),
    ...shipment.items.map((item) => ({
      kind: 'item' as const,
      key: String(item.id),
      item,
      isUnassigned: without.has(item.id),
    })),
  ]);
}

/** Returns the item's SKU, UPC and description, except the one that serves as its name. */
export function itemNotes(item: Item): string {
  const named = itemName(item);
  const { SKU = '', UPC = '', description = '' } = item;
  return dotted(SKU === named ? '' : SKU, UPC === named ? '' : UPC, description);
}

/** Counts the items and pieces of an order. The fields have the same names as in the list. */
export function orderCounts({ shipments, unassigned }: Order) {
  const items = shipments.flatMap((shipment) => shipment.items);
  const of = (state: ItemState) => items.filter((item) => item.state === state).length;
  const sum = (field: 'ordered_quantity' | 'quantity_fulfilled') =>
    items.reduce((total, item) => total + item[field], 0);
  return {
    item_count: items.length,
    done_count: of('done') + of('short'),
    short_count: of('short'),
    active_count: of('active'),
    unassigned_count: unassigned.length,
    ordered_quantity: sum('ordered_quantity'),
    quantity_fulfilled: sum('quantity_fulfilled'),
  };
}

import type { Batch } from '#shared/api/batch.ts';
import type { Order } from '#shared/api/order.ts';

export type PackSlot = Batch['slots'][number];

/** An item in a slot. All quantities are pieces. */
export type PackLine = {
  itemId: number;
  /** Pieces that are in the slot. */
  put: number;
  ordered: number;
  missing: number;
};

/** Returns the items in a slot, in the order of the slot's shares. Merges the shares of one item from several places into one line. */
export function packLines({ shares }: PackSlot): readonly PackLine[] {
  const lines = new Map<number, PackLine>();
  for (const { item_id: itemId, put, quantity, state } of shares) {
    const before = lines.get(itemId) ?? { itemId, put: 0, ordered: 0, missing: 0 };
    lines.set(itemId, {
      itemId,
      put: before.put + put,
      ordered: before.ordered + quantity,
      missing: before.missing + (state === 'short' ? quantity - put : 0),
    });
  }
  return [...lines.values()];
}

export function missingIn(lines: readonly PackLine[]): number {
  return lines.reduce((sum, { missing }) => sum + missing, 0);
}

/** Returns the order with only the shipment in this slot. */
export function shipmentIn(order: Order, { shipment_number: wanted }: Pick<PackSlot, 'shipment_number'>): Order {
  const own = order.shipments.filter(({ shipment_number: number }) => number === wanted);
  return own.length === 0 ? order : { ...order, shipments: own };
}

/** Returns a key for the content of a slot. It changes when the slot gets another shipment. */
export function contentKey({ slot, order_number: order, shipment_number: shipment }: PackSlot): string {
  return JSON.stringify([slot, order, shipment]);
}

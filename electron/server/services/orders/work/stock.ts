import type { EmptiedPlace, ItemBooking, ItemStock } from '../../articles/index.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { LitItemRow } from '../../../db/repositories/items.ts';
import type { OrderRow, ShipmentRow } from '../../../db/repositories/orders.ts';
import type { Transaction } from '../../../db/writer.ts';
import { itemNonce, type ItemPlace, type NonceTemplates } from '../callbacks.ts';

/** An item with its shipment and order. */
export type Found = { order: OrderRow; shipment: ShipmentRow; item: LitItemRow };

/**
 * The cause of a change: its row in history, who made it, and on whose behalf if that is another person. `at`: when a press was made,
 * which may be before the use-case.
 */
export type Cause = {
  historyId: number;
  at?: number;
  by: string;
  forWhom?: string | undefined;
  /** The reason of a short or a correction. */
  reason?: string | undefined;
  /** The change that the reason explains, if it is one of these. */
  reasonOf?: 'short' | 'correction' | 'lost' | undefined;
  /** Milliseconds from the light to the press; undefined: not pressed, or not known when it was shown. */
  lightMs?: number | undefined;
};

/** A place that was reported empty, with the order of the line and the person who reported it. */
export type EmptiedAt = EmptiedPlace & { orderId: number; by: string };

type StockContext = {
  itemStock: ItemStock;
  templates: () => NonceTemplates;
  /** Called when somebody reports a place as empty, to move other lines that wait there. */
  placeEmptied: (tx: Transaction, emptied: EmptiedAt) => void;
};

/** The fields of an `ItemChange` that concern stock. */
type StockChange = {
  after: LitItemRow;
  place: ItemPlace;
  stockPlace?: string | undefined;
  pickedAt?: string | undefined;
  cause: Cause;
};

/** Books the effect of a change on stock. Every change of a stored item's `quantity_fulfilled` calls this. */
export function bookStock(
  context: StockContext,
  tx: Transaction,
  found: Found,
  change: StockChange,
): EmptiedPlace | undefined {
  return context.itemStock.book(tx, bookingOf(context, found, change));
}

function bookingOf(
  { templates }: StockContext,
  { order, shipment, item }: Found,
  { after, place, stockPlace = place.location, pickedAt, cause }: StockChange,
): ItemBooking {
  const { by, reason, reasonOf } = cause;
  return {
    before: pickedAt === undefined ? item : { ...item, place: pickedAt },
    after,
    at: { deviceId: place.deviceId, location: stockPlace },
    item: () => ({
      orderNumber: order.orderNumber,
      shipmentNumber: shipment.shipmentNumber,
      itemId: item.id,
      ordered: after.ordered,
      fulfilled: after.fulfilled,
      nonce: itemNonce(after, shipment, order, templates()),
    }),
    by,
    picker: pickerAmong(order, cause.forWhom ?? by) ?? after.picker ?? '',
    reason,
    reasonOf,
  };
}

/** The place where pieces of an item were missing, and who reports or reverts that. */
export type MissingAt = {
  place: ItemPlace;
  /** The place of the article. Undefined: the place of the item, or all places to revert. */
  pickedAt: string | undefined;
  by: string;
  forWhom: string | undefined;
};

/** Books why pieces of an open item are missing. The reason `missing` empties the place. */
export function giveReason(
  context: StockContext,
  tx: Transaction,
  found: Found,
  { place, pickedAt, by, forWhom, reason }: MissingAt & { reason: string },
): void {
  const cause = { historyId: 0, by, forWhom, reason, reasonOf: 'short' } as const;
  const booking = bookingOf(context, found, { after: found.item, place, pickedAt, cause });
  const emptied = context.itemStock.giveReason(tx, booking);
  if (emptied !== undefined) context.placeEmptied(tx, { ...emptied, orderId: found.order.id, by: forWhom ?? by });
}

/** Call before missing pieces are searched for again, at `pickedAt` or, without it, at all places where they were missing. */
export function takeReasonBack(
  context: StockContext,
  tx: Transaction,
  found: Found,
  { place, pickedAt, by, forWhom }: MissingAt,
): void {
  const cause = { historyId: 0, by, forWhom, reasonOf: 'short' } as const;
  context.itemStock.takeReasonBack(tx, bookingOf(context, found, { after: found.item, place, cause }), pickedAt);
}

/** The person's name as a picker of the order. Undefined if the person does not pick it. */
export function pickerAmong({ pickers }: Pick<OrderRow, 'pickers'>, typed: string): string | undefined {
  return pickers.find(({ name }) => nameKey(name) === nameKey(typed))?.name;
}

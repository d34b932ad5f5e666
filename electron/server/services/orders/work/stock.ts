import type { EmptiedPlace, EmptiedReport, ItemBooking, ItemStock } from '../../articles/index.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { LitItemRow } from '../../../db/repositories/items.ts';
import type { OrderRow, ShipmentRow } from '../../../db/repositories/orders.ts';
import type { Transaction } from '../../../db/writer.ts';
import { itemNonce, type ItemPlace, type NonceTemplates } from '../callbacks.ts';

export type Found = { order: OrderRow; shipment: ShipmentRow; item: LitItemRow };

/**
 * Cause of a change: its history row, the caller and, if different, the person for whom the caller acts. `at` is the time of the press,
 * which may be earlier than the transaction.
 */
export type Cause = {
  historyId: number;
  at?: number;
  by: string;
  forWhom?: string | undefined;
  /** Reason for a short or a correction. */
  reason?: string | undefined;
  /** What `reason` explains. Undefined if it explains none of these. */
  reasonOf?: 'short' | 'correction' | 'lost' | undefined;
  /** Milliseconds from lighting the device to the press. Undefined if nobody pressed, or if the start is unknown. */
  lightMs?: number | undefined;
};

/** Returns when somebody acted, which may be earlier than the press or the transaction arrived. */
export function timeOf(tx: Transaction, { at = tx.now }: Pick<Cause, 'at'>): number {
  return Math.min(at, tx.actedAt ?? at);
}

/** Place that was reported empty, with the order of the line and the person who reported it. */
export type EmptiedAt = EmptiedPlace & { orderId: number; by: string };

type StockContext = {
  itemStock: ItemStock;
  templates: () => NonceTemplates;
  /** Called when somebody reports a place as empty, to move other open lines away from it. */
  placeEmptied: (tx: Transaction, emptied: EmptiedAt) => void;
};

/** Fields of an `ItemChange` that affect stock. */
type StockChange = {
  after: LitItemRow;
  place: ItemPlace;
  stockPlace?: string | undefined;
  pickedAt?: string | undefined;
  cause: Cause;
  emptied?: EmptiedReport | undefined;
};

/** Books the effect of an item's change on stock. Every change to the fulfilled quantity of a stored item must call this. */
export function bookStock(
  context: StockContext,
  tx: Transaction,
  found: Found,
  change: StockChange,
): EmptiedPlace | undefined {
  return context.itemStock.book(tx, bookingOf(context, tx, found, change));
}

function bookingOf(
  { templates }: StockContext,
  tx: Transaction,
  { order, shipment, item }: Found,
  { after, place, stockPlace = place.location, pickedAt, cause, emptied }: StockChange,
): ItemBooking {
  const { by, forWhom = by, reason, reasonOf } = cause;
  // In a batch, an order and its items have no picker.
  const named = forWhom === by ? '' : forWhom;
  return {
    before: pickedAt === undefined ? item : { ...item, place: pickedAt },
    after,
    at: { deviceId: place.deviceId, location: stockPlace },
    actedAt: timeOf(tx, cause),
    item: () => ({
      orderNumber: order.orderNumber,
      shipmentNumber: shipment.shipmentNumber,
      itemId: item.id,
      ordered: after.ordered,
      fulfilled: after.fulfilled,
      nonce: itemNonce(after, shipment, order, templates()),
    }),
    by,
    picker: pickerAmong(order, forWhom) ?? after.picker ?? named,
    reason,
    reasonOf,
    emptied,
  };
}

/** Place where pieces of an item were missing, and the person who reports or reverts this. */
export type MissingAt = {
  place: ItemPlace;
  /** Place of the article. If undefined, the item's place is reported as empty, or the reports for all places are reverted. */
  pickedAt: string | undefined;
  by: string;
  forWhom: string | undefined;
};

/** Stores why pieces of an open item are missing. The reason `missing` also reports the place as empty. */
export function giveReason(
  context: StockContext,
  tx: Transaction,
  found: Found,
  { place, pickedAt, by, forWhom, reason }: MissingAt & { reason: string },
): void {
  const cause = { historyId: 0, by, forWhom, reason, reasonOf: 'short' } as const;
  const booking = bookingOf(context, tx, found, { after: found.item, place, pickedAt, cause });
  const emptied = context.itemStock.giveReason(tx, booking);
  if (emptied !== undefined) context.placeEmptied(tx, { ...emptied, orderId: found.order.id, by: forWhom ?? by });
}

/** Reverts the report of missing pieces at `pickedAt` (at all places if undefined), before somebody searches for them again. */
export function takeReasonBack(
  context: StockContext,
  tx: Transaction,
  found: Found,
  { place, pickedAt, by, forWhom }: MissingAt,
): void {
  const cause = { historyId: 0, by, forWhom, reasonOf: 'short' } as const;
  context.itemStock.takeReasonBack(tx, bookingOf(context, tx, found, { after: found.item, place, cause }), pickedAt);
}

/** Returns the person's name as it is spelled in the order's pickers, or undefined if the person does not pick the order. */
export function pickerAmong({ pickers }: Pick<OrderRow, 'pickers'>, typed: string): string | undefined {
  return pickers.find(({ name }) => nameKey(name) === nameKey(typed))?.name;
}

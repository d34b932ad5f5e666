import type { ItemCallback } from '#shared/api/callback.ts';
import type { BatchRow } from '../../../db/repositories/batches.ts';
import type { LitItemRow } from '../../../db/repositories/items.ts';
import type { OrderRow, ShipmentRow, Work } from '../../../db/repositories/orders.ts';
import type { EmptiedReport } from '../../articles/index.ts';
import type { TablesOf } from '../../../core.ts';
import type { Transaction } from '../../../db/writer.ts';
import { awaitsScan, isUnassigned, nextWork, recounted } from '../../../domain/orders/order.ts';
import { type ItemPlace, itemCallback, itemNonce } from '../callbacks.ts';
import { endAlerts } from './alerts.ts';
import { type NewOrderHistory, record } from './history.ts';
import { publishItem, publishOrder, publishItemChange, publishItems, publishOrderChange } from './news.ts';
import { countChange } from './figures.ts';
import { type OrderNews, tellBatch, tellItem, tellOrder } from './orderStates.ts';
import { type Changed, settle, type SettleContext } from './settle.ts';
import type { OrderTables } from '../tables.ts';
import {
  bookStock,
  type Cause,
  type EmptiedAt,
  type Found,
  giveReason,
  type MissingAt,
  pickerAmong,
  takeReasonBack,
  timeOf,
} from './stock.ts';

/** Change to one item. `place` is where it happened, and `events` lists the callbacks to send. */
export type ItemChange = {
  after: LitItemRow;
  place: ItemPlace;
  /** Place whose stock changes. Defaults to the location of `place`. */
  stockPlace?: string | undefined;
  /** Place from which the pieces came, if the item has moved to another place since. */
  pickedAt?: string | undefined;
  events: readonly ItemCallback['order_event'][];
  cause: Cause;
  /** Pieces of the item's last booking. Defaults to those of this change, if it books any or closes the item as short. */
  lastBooked?: number;
  /** What to do with the report of an empty place. */
  emptied?: EmptiedReport | undefined;
  /** Picker of the order who gets credit for pieces of a line that stays open, or null if nobody does. */
  countedBy?: string | null;
  /** Person who finished the line without being a picker of the order, or null. */
  finishedBy?: string | null;
  /** Whether nobody worked on the item, so that a stalled order stays stalled. */
  isPassive?: boolean;
  /** Whether the item has new work, so that the completion of its shipment and order is reported again. */
  isNewWork?: boolean;
};

/** State shared by the functions that change items. */
type OrderWorkContext = SettleContext & {
  repositories: TablesOf<'orders'>;
  /** Called when somebody reports a place as empty, to move other open lines away from it. */
  placeEmptied: (tx: Transaction, emptied: EmptiedAt) => void;
};

/**
 * Creates the functions that save changes to items, with history, callbacks and published facts. Call these functions inside a transaction.
 */
export function createOrderWork(context: OrderWorkContext) {
  const { repositories, alerts } = context;
  return {
    changeItem: (tx: Transaction, found: Found, change: ItemChange) => changeItem(context, tx, found, change),
    giveReason: (tx: Transaction, found: Found, missing: MissingAt & { reason: string }) =>
      giveReason(context, tx, found, missing),
    takeReasonBack: (tx: Transaction, found: Found, missing: MissingAt) => takeReasonBack(context, tx, found, missing),
    settle: (
      tx: Transaction,
      order: Changed<OrderRow>,
      shipments: readonly Changed<ShipmentRow>[],
      cause: Cause & { where?: string },
    ) => settle(context, tx, order, shipments, cause),
    record: (tx: Transaction, order: OrderRow, row: NewOrderHistory) => record(repositories, tx, order, row),
    tellOrder: (tx: Transaction, order: OrderRow, news: OrderNews) => tellOrder(context, tx, order, news),
    tellBatch: (tx: Transaction, batch: Pick<BatchRow, 'id'>, news: Pick<OrderNews, 'historyId' | 'picker'>) =>
      tellBatch(context, tx, batch, news),
    publishItemChange: (tx: Transaction, itemId: number, of?: string) => publishItemChange(context, tx, itemId, of),
    publishItems: (
      tx: Transaction,
      order: Pick<OrderRow, 'id' | 'orderNumber' | 'counts'>,
      itemIds: readonly number[],
    ) => publishItems(context, tx, order, itemIds),
    publishOrderChange: (tx: Transaction, orderId: number) => publishOrderChange(context, tx, orderId),
    publishOrder: (tx: Transaction, orderId: number) => publishOrder(context, tx, orderId),
    forget: (tx: Transaction, order: OrderRow) => endAlerts(alerts, tx, order),
  };
}

export type OrderWork = ReturnType<typeof createOrderWork>;

/** Saves one item with its callbacks, and updates its shipment and order. */
function changeItem(context: OrderWorkContext, tx: Transaction, found: Found, change: ItemChange): void {
  const { templates, repositories } = context;
  const { order, shipment, item } = found;
  const {
    place,
    stockPlace,
    pickedAt,
    cause,
    emptied: report,
    countedBy = null,
    finishedBy = null,
    isPassive = false,
    isNewWork = false,
  } = change;
  const booked = change.after.fulfilled - item.fulfilled;
  // A short without further pieces is the last booking, too.
  const isBooking = booked > 0 || (change.after.state === 'short' && item.state !== 'short');
  const isRequired = order.scanRequired ?? templates().scan_required;
  // A waiver applies only to the pieces that were picked at that time.
  const isScanWaived = change.after.isScanWaived && change.after.fulfilled === item.fulfilled;
  const after = {
    ...change.after,
    isScanWaived,
    awaitsScan: awaitsScan(item, { ...change.after, isScanWaived }, isRequired),
    lastBooked: change.lastBooked ?? (isBooking ? Math.max(0, booked) : change.after.lastBooked),
    lastBookedAt: isBooking ? timeOf(tx, cause) : change.after.lastBookedAt,
  };
  repositories.items.save(item, after);
  const emptied = bookStock(context, tx, found, { after, place, stockPlace, pickedAt, cause, emptied: report });
  publishItem(context, tx, item.id, { of: order.orderNumber });
  countChange(repositories, tx, found, { after, booked, place, cause, countedBy, finishedBy });
  addItemCallbacks(context, tx, { order, shipment, item: after }, change, booked);
  tellItem(context, tx, found, after, { ...cause, isBooked: booked !== 0 });
  const whole = counted(order, found, after);
  if (!isPassive) whole.after = { ...whole.after, isStalled: false };
  const part = counted(shipment, found, after);
  if (isNewWork) [whole.after, part.after] = [untold(whole.after), untold(part.after)];
  settle(context, tx, whole, [part], { ...cause, where: place.location });
  if (emptied !== undefined) context.placeEmptied(tx, { ...emptied, orderId: order.id, by: cause.forWhom ?? cause.by });
}

const untold = <T extends Work>(work: T): T => ({ ...work, isTold: false });

/** Queues a callback for each event of the change. */
function addItemCallbacks(
  { templates, callbacks }: OrderWorkContext,
  tx: Transaction,
  found: Found,
  { events, place, cause }: ItemChange,
  booked: number,
): void {
  const nonce = events.length === 0 ? '' : itemNonce(found.item, found.shipment, found.order, templates());
  const { historyId, at = tx.now } = cause;
  for (const event of events) {
    const payload = itemCallback(event, found, place, nonce);
    const picked = event === 'device_ack' ? 0 : booked;
    callbacks.add(tx, { family: 'order', historyId, at, picked, payload });
  }
}

/**
 * Returns the order or one of its shipments with the counts and state after a change to this item. A line that loses its light completes
 * nothing, because nobody has picked it: the order waits until a device hangs there again, or until another line ends.
 */
function counted<T extends Work>(work: T, { order, item }: Found, after: LitItemRow): Changed<T> {
  const reopened = order.state === 'aborted' ? 'aborted' : order.launchedAt === null ? 'open' : 'in_progress';
  const counts = recounted(work.counts, item, after);
  const isLost = isUnassigned(after) && !isUnassigned(item) && work.state !== 'fulfilled';
  const state = isLost ? work.state : nextWork(work.state, { kind: 'counted', counts, reopened });
  return { before: work, after: { ...work, counts, state } };
}

/**
 * Returns the picker who gets credit for the pieces: this person or, if this person does not pick the order, the line's picker. Returns
 * null if neither picks the order.
 */
export function counterOf({ order, item }: Pick<Found, 'order' | 'item'>, doer: string): string | null {
  return pickerAmong(order, doer) ?? pickerAmong(order, item.picker ?? '') ?? null;
}

export function findItem(repositories: OrderTables, itemId: number): Found | undefined {
  const item = repositories.items.find(itemId);
  if (item === undefined) return undefined;
  const order = repositories.orders.find(item.orderId);
  const shipment = repositories.orders.findShipment(item.shipmentId);
  return order === undefined || shipment === undefined ? undefined : { order, shipment, item };
}

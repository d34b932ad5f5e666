import type { ItemCallback } from '#shared/api/callback.ts';
import type { HistoryKind } from '#shared/api/history.ts';
import type { HistoryDetail } from '../../db/repositories/history.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import type { Transaction } from '../../db/writer.ts';
import { isOver, nextItem } from '../../domain/orders/order.ts';
import type { EmptiedReport } from '../articles/index.ts';
import type { Target } from '../devices/index.ts';
import type { ItemPlace } from './callbacks.ts';
import { nextPlaceOf } from './articlePlaces.ts';
import { verify } from './itemChanges.ts';
import { setItem } from './items.ts';
import { titleOfItem } from './itemWords.ts';
import { launchOrder } from './launch.ts';
import type { OrderContext } from './types.ts';
import { pauseOrder } from './pickers.ts';
import { abortOrder, turnOff } from './turnOff.ts';
import { doneBy } from './work/history.ts';
import { findItem } from './work/work.ts';
import type { MissingAt } from './work/stock.ts';

/** Item that a batch picks. `target` is undefined if no device serves the item's place. */
export type PlacedLine = { itemId: number; target: Target | undefined };

/** Another place that may have an item's missing pieces. */
export type NextPlace = NonNullable<ReturnType<typeof nextPlaceOf>>;

/** Change that a batch makes to an item. `pieces` is negative if pieces are removed. */
export type BatchBooking = {
  itemId: number;
  pieces: number;
  /** Whether this change finishes the item: all its pieces are in the slot, or it is short. */
  isOver: boolean;
  place: ItemPlace;
  /** Place whose stock changes. Defaults to `place`. */
  stockPlace?: string | undefined;
  isPressed: boolean;
  /** Place from which the pieces came, if the item has moved to another place since. */
  pickedAt?: string | undefined;
  at?: number | undefined;
  /** Milliseconds from lighting the device to the press. */
  lightMs?: number | undefined;
  by: string;
  picker: string | undefined;
  reason: string | undefined;
  /** Whether the returned pieces are missing from their place. */
  isLost?: boolean;
  /** Whether somebody corrected the quantity, with or without a reason. */
  isCorrection?: boolean;
  /** What to do with the report of an empty place. */
  emptied?: EmptiedReport | undefined;
  /** Pieces of the last pick after a change of its shares. */
  lastPicked?: number | undefined;
  /** Whether the article was scanned. The scan verifies the item. */
  isScanned?: boolean;
  /** Batch and slot of the item, for the history. */
  batch: NonNullable<HistoryDetail['batch']>;
};

/** Entry that a batch writes to an order's history. `item` names an item and its number of pieces before the change. */
type BatchRecord = {
  kind: HistoryKind;
  qty: number;
  item?: { id: number; before: number };
  batch: NonNullable<HistoryDetail['batch']>;
  by: string;
  picker?: string | undefined;
};

/** Creates the functions that batches use to change the orders that they pick. Call these functions inside a transaction. */
export function createBatchWork(context: OrderContext) {
  return {
    /** Turns off the lights of an order that joins or leaves a batch. */
    turnOff: (tx: Transaction, order: OrderRow, by: string) => darken(context, tx, order, by),
    /** Launches these items without lighting them, and returns their places. */
    launch: (tx: Transaction, orderId: number, itemIds: ReadonlySet<number>, by: string) =>
      launchItems(context, tx, orderId, itemIds, by),
    abort: (tx: Transaction, orderId: number, by: string): void => {
      const order = context.repositories.orders.find(orderId);
      if (order !== undefined) abortOrder(context, tx, order, by);
    },
    /** Whether the person is picking an order now. */
    isPicking: (picker: string): boolean => context.repositories.orderPickers.listPicking(picker).length > 0,
    /** Pauses the person's other orders, because a person picks one order at a time. */
    pauseOthers(tx: Transaction, picker: string, by: string): void {
      const { orderPickers, orders } = context.repositories;
      for (const id of orderPickers.listPicking(picker)) {
        const order = orders.find(id);
        if (order !== undefined) pauseOrder(context, tx, order, { by, picker });
      }
    },
    find: (itemId: number) => findItem(context.repositories, itemId),
    book: (tx: Transaction, booking: BatchBooking) => book(context, tx, booking),
    /** Writes history for an order. Does nothing if the order was deleted. */
    record(tx: Transaction, orderId: number, { kind, qty, item, batch, by, picker }: BatchRecord): void {
      const { items, orders } = context.repositories;
      const order = orders.find(orderId);
      if (order === undefined) return;
      const row = item === undefined ? undefined : items.find(item.id);
      const named = row === undefined || item === undefined ? {} : { item: { ...item, name: titleOfItem(row) } };
      context.work.record(tx, order, { kind, qty, detail: { ...doneBy(by, picker), batch, ...named } });
    },
    /** Reports that a batch has ended. */
    tellDone: (tx: Transaction, batch: { id: number }, news: { historyId: number; picker: string }) =>
      context.work.tellBatch(tx, batch, news),
    /** Finds another place for an item's missing pieces. Returns undefined if all other places are known to be empty. */
    nextPlace: (itemId: number, asked: { needed: number; except: ReadonlySet<string> }): NextPlace | undefined => {
      const item = context.repositories.items.find(itemId);
      return item && nextPlaceOf(context, item, asked);
    },
    /** Follows the light of an item's place to another device, or to none. */
    relight: (tx: Transaction, itemId: number, light: Target | undefined, by: string) =>
      relightItem(context, tx, itemId, light, by),
    /** Moves the remaining pieces of an item to another place. */
    move: (tx: Transaction, itemId: number, next: NextPlace, by: string) => moveItem(context, tx, itemId, next, by),
    /**
     * Stores why pieces of an open item are missing. Does nothing for a finished item, because its history entry already contains the
     * reason.
     */
    giveReason(tx: Transaction, itemId: number, missing: MissingAt & { reason: string }): void {
      const found = findItem(context.repositories, itemId);
      if (found !== undefined && !isOver(found.item)) context.work.giveReason(tx, found, missing);
    },
    /** Reverts the report of missing pieces at this place, or at all places, before somebody searches for them again. */
    takeReasonBack(tx: Transaction, itemId: number, missing: MissingAt): void {
      const found = findItem(context.repositories, itemId);
      if (found !== undefined) context.work.takeReasonBack(tx, found, missing);
    },
    /** Records a scan of the article for an item whose pieces are already booked. */
    verify: (tx: Transaction, itemId: number, who: { by: string; forWhom: string }) => verify(context, tx, itemId, who),
  };
}

export type BatchWork = ReturnType<typeof createBatchWork>;

function darken(context: OrderContext, tx: Transaction, order: OrderRow, by: string): void {
  const active = context.repositories.items.listOf(order.id).filter(({ state }) => state === 'active');
  if (active.length === 0) return;
  const { counts, shipments } = turnOff(context, tx, order, active, { kind: 'killed', by });
  const dark = { before: order, after: { ...order, counts, isStalled: false } };
  context.work.settle(tx, dark, shipments, { historyId: 0, by });
}

function launchItems(
  context: OrderContext,
  tx: Transaction,
  orderId: number,
  itemIds: ReadonlySet<number>,
  by: string,
): PlacedLine[] {
  const { items, orders } = context.repositories;
  const order = orders.find(orderId);
  if (order === undefined) return [];
  // Of the lines that were launched before, turn off and relaunch only active ones.
  const again = items.listOf(orderId).filter(({ id, state }) => itemIds.has(id) && state === 'active');
  const isContinued = again.length > 0 || order.launchedAt !== null;
  if (again.length > 0) {
    const { counts, shipments } = turnOff(context, tx, order, again, { kind: 'killed', by });
    context.work.settle(tx, { before: order, after: { ...order, counts } }, shipments, { historyId: 0, by });
  }
  const found = new Map<number, Target>();
  const batch = (placed: readonly { item: LitItemRow; target: Target }[]): void => {
    for (const { item, target } of placed) found.set(item.id, target);
  };
  launchOrder(context, tx, orders.find(orderId) ?? order, { by, isContinued, batch, ids: itemIds });
  return [...itemIds].map((itemId) => ({ itemId, target: found.get(itemId) }));
}

function moveItem(context: OrderContext, tx: Transaction, itemId: number, next: NextPlace, by: string): void {
  const found = findItem(context.repositories, itemId);
  if (found === undefined) return;
  const { item, order } = found;
  const { place, target, article } = next;
  const trouble = target === undefined ? 'no_light' : null;
  const at = { foundDeviceId: target?.deviceId ?? null, isGuessed: false, lacksStock: false };
  const after = { ...item, ...at, articleId: article.id, place, trouble } as const;
  setItem(context, tx, found, after, { kind: 'order_moved', by, reason: undefined });
  context.itemStock.publish(tx, article.id);
  tx.emit({
    type: 'line.moved',
    order_number: order.orderNumber,
    item_id: itemId,
    text: titleOfItem(item),
    from: item.place ?? '',
    location: place,
    picker: item.picker,
    by,
  });
}

function relightItem(
  context: OrderContext,
  tx: Transaction,
  itemId: number,
  light: Target | undefined,
  by: string,
): void {
  const found = findItem(context.repositories, itemId);
  if (found === undefined || found.item.state !== 'active') return;
  const trouble = light === undefined ? 'no_light' : null;
  const after = { ...found.item, foundDeviceId: light?.deviceId ?? null, isGuessed: false, trouble } as const;
  setItem(context, tx, found, after, { kind: 'order_moved', by, reason: undefined });
}

function book(context: OrderContext, tx: Transaction, booking: BatchBooking): void {
  const { repositories, work } = context;
  const {
    itemId,
    pieces,
    place,
    stockPlace,
    pickedAt,
    isPressed,
    at,
    lightMs,
    by,
    picker,
    reason,
    isLost = false,
    isCorrection = false,
  } = booking;
  const found = findItem(repositories, itemId);
  if (found === undefined) return;
  const { item, order } = found;
  const booked = changed(item, booking);
  // If pieces are picked again, another scan is required.
  const isVerified = booking.isScanned === true || (booked.isVerified && booked.fulfilled > 0);
  const after = { ...booked, isVerified };
  const historyId = work.record(tx, order, {
    kind: kindOf(item, after),
    qty: after.fulfilled,
    ...place,
    detail: {
      ...doneBy(by, picker),
      item: { id: item.id, name: titleOfItem(item), before: item.fulfilled },
      batch: booking.batch,
      ...(reason === undefined || reason === '' ? {} : { reason }),
    },
  });
  const added: ItemCallback['order_event'][] = isPressed ? ['device_ack', 'item_added'] : ['item_added'];
  const isShort = after.state === 'short';
  work.changeItem(tx, found, {
    after,
    place,
    stockPlace,
    pickedAt,
    events: pieces === 0 ? [] : pieces > 0 ? added : ['item_removed'],
    lastBooked: lastBooked(item, booking),
    emptied: booking.emptied,
    cause: {
      historyId,
      ...(at === undefined ? {} : { at }),
      lightMs,
      by,
      forWhom: picker,
      reason: reason === '' ? undefined : reason,
      reasonOf: isLost ? 'lost' : isCorrection ? 'correction' : isShort ? 'short' : undefined,
    },
    countedBy: pieces > 0 ? (picker ?? null) : null,
    finishedBy: picker ?? null,
  });
}

function changed(item: LitItemRow, { pieces, isOver: isClosed }: BatchBooking): LitItemRow {
  const fulfilled = item.fulfilled + pieces;
  if (isClosed) {
    const open = isOver(item) ? nextItem(item, { kind: 'reopened' }) : item;
    return nextItem(open, { kind: 'short', fulfilled });
  }
  // Items in a batch stay active until their pieces are put into a slot.
  if (item.state !== 'open') return { ...item, fulfilled, state: 'active' };
  return { ...item, fulfilled };
}

/** Returns the pieces of the item's last pick, or 0 if this change takes back the whole pick. */
function lastBooked({ lastBooked: last }: LitItemRow, { pieces, lastPicked }: BatchBooking): number {
  if (lastPicked !== undefined) return lastPicked;
  return pieces > 0 ? pieces : Math.max(0, last + pieces);
}

function kindOf(before: LitItemRow, after: LitItemRow): HistoryKind {
  if (after.fulfilled > before.fulfilled) return 'order_counted';
  if (after.fulfilled < before.fulfilled) return 'order_corrected';
  if (isOver(before) && !isOver(after)) return 'order_reopened';
  return after.state === 'short' ? 'order_short' : 'order_confirmed';
}

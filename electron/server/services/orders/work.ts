import type { ItemCallback } from '#shared/api/callback.ts';
import type { HistoryKind } from '#shared/api/history.ts';
import type { Order } from '#shared/api/order.ts';
import type { HistoryDetail } from '../../db/repositories/history.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { OrderRow, ShipmentRow, Work } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { workOf } from '../../domain/commandQueue.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { Attention } from '#shared/lib/attention.ts';
import { attentionOf, awaitsScan, haltOf, isOver, nextWork, recounted } from '../../domain/order.ts';
import type { ItemStock } from '../articles/index.ts';
import type { Callbacks } from '../callbacks/index.ts';
import {
  bookStock,
  type Cause,
  type EmptiedAt,
  type Found,
  giveReason,
  type MissingAt,
  pickerAmong,
  takeReasonBack,
} from './workStock.ts';
import { type AlertRecords, orderAlertSubject } from '../alerts/index.ts';
import { type OrderDefaults, itemAnswer, orderProgress } from './answers.ts';
import {
  type NonceTemplates,
  type ItemPlace,
  itemCallback,
  itemNonce,
  orderCallback,
  orderNonce,
  shipmentCallback,
  shipmentNonce,
} from './callbacks.ts';
import type { OrderTables } from './tables.ts';

export type Changed<T> = { before: T; after: T };

/** A line that took longer had a break in it, such as lunch or a night. */
const MAX_LINE_MS = 15 * 60_000;
/** From this many items, reading all items of an order is faster than reading them one by one. */
const MANY_OF = 3;
/** Reopening a line, or giving its reason, within this time corrects the figures. */
const DAY_MS = 24 * 60 * 60_000;

type PublishedItem = {
  of?: string | undefined;
  find?: (itemId: number) => LitItemRow | undefined;
  isChange?: boolean;
};

/** Notified of ended orders, for the files of the outbox folder. Each function runs inside a use-case. */
export type EndedOrders = {
  /** The order was fulfilled or aborted. */
  ended(tx: Transaction, orderNumber: string): void;
  /** The order is about to be deleted. `answer`: the whole order. */
  removing(orderNumber: string, answer: () => Order): void;
};

/** Reasons for which an order raises an alert. Contract, section 16. */
type Alarm = Exclude<Attention, 'guessed'>;

/** Why an order waits, in words for people. `where`: a place, or empty. */
const TROUBLE: Readonly<Record<Alarm, (where: string) => string>> = {
  timed_out: (where) => `${where || 'An item'} timed out: nobody pressed in time.`,
  unassigned: () => 'An item has no device, so that it is not lit.',
  unreachable: (where) => `${where || 'A device of it'} is to be lit, but no turbo reaches the device.`,
  no_stock: (where) => `Nothing is left at ${where || 'any place'} of an article of it.`,
  stalled: () => 'Something of it is lit, and nobody has pressed for a long time.',
  paused: () => 'It was paused a long time ago, and nobody has continued it.',
};

const ALARMS = Object.keys(TROUBLE) as Alarm[];

/** A change of one item. `place`: where it happened. `events`: the callbacks that are due. */
export type ItemChange = {
  after: LitItemRow;
  place: ItemPlace;
  /** The place whose stock changes. Default: `place`. */
  stockPlace?: string | undefined;
  /** The place of the article from which the pieces came, if the item has another place now. */
  pickedAt?: string | undefined;
  events: readonly ItemCallback['order_event'][];
  cause: Cause;
  /** The picker credited with pieces of a line that stays open. Null: not a picker of the order. */
  countedBy?: string | null;
  /** The person who finished the line, if not a picker of the order. */
  finishedBy?: string | null;
  /** Nobody did anything: a stalled order stays stalled. */
  isPassive?: boolean;
};

/** A row in the history of an order. */
export type NewOrderHistory = {
  kind: HistoryKind;
  qty: number;
  detail: HistoryDetail;
  deviceId?: string;
  location?: string;
  nonce?: string;
};

/** State shared by the use-cases of item changes. */
type OrderWorkContext = {
  repositories: Pick<Repositories, 'batches' | 'history' | 'items' | 'orders' | 'picks'>;
  callbacks: Callbacks;
  alerts: Pick<AlertRecords, 'findOpen' | 'raise' | 'end'>;
  endedOrders: EndedOrders;
  itemStock: ItemStock;
  templates: () => NonceTemplates & OrderDefaults;
  /** Called when somebody reports a place as empty, to move other lines that wait there. */
  placeEmptied: (tx: Transaction, emptied: EmptiedAt) => void;
};

/** Saves changes of items with their history, callbacks and facts. Every function runs inside a use-case. */
export function createOrderWork(context: OrderWorkContext) {
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
    record: (tx: Transaction, order: OrderRow, row: NewOrderHistory) => record(context, tx, order, row),
    tellItem: (tx: Transaction, itemId: number, of?: string) => tellItem(context, tx, itemId, of),
    tellItems: (tx: Transaction, order: Pick<OrderRow, 'id' | 'orderNumber' | 'counts'>, itemIds: readonly number[]) =>
      tellItems(context, tx, order, itemIds),
    tellOrder: (tx: Transaction, orderId: number) => tellOrder(context, tx, orderId),
    publishOrder: (tx: Transaction, orderId: number) => publishOrder(context, tx, orderId),
    forget: (tx: Transaction, order: OrderRow) => forget(context, tx, order),
  };
}

export type OrderWork = ReturnType<typeof createOrderWork>;

/** Saves one item with its callbacks, and the shipment and order that it completes. */
function changeItem(
  context: OrderWorkContext,
  tx: Transaction,
  { order, shipment, item }: Found,
  { after: changed, place, stockPlace, pickedAt, events, cause, ...rest }: ItemChange,
): void {
  const { templates, repositories, callbacks } = context;
  const { countedBy = null, finishedBy = null, isPassive = false } = rest;
  const booked = changed.fulfilled - item.fulfilled;
  const isRequired = order.scanRequired ?? templates().scan_required;
  // A waiver is for the pieces that were there.
  const isScanWaived = changed.isScanWaived && changed.fulfilled === item.fulfilled;
  const after = {
    ...changed,
    isScanWaived,
    awaitsScan: awaitsScan(item, { ...changed, isScanWaived }, isRequired),
    lastBooked: booked > 0 ? booked : changed.lastBooked,
  };
  repositories.items.save(item, after);
  const emptied = bookStock(context, tx, { order, shipment, item }, { after, place, stockPlace, pickedAt, cause });
  publishItem(context, tx, item.id, { of: order.orderNumber });
  if (isOver(item) && !isOver(after)) repositories.picks.reopen(item.id, tx.now - DAY_MS, -booked);
  const picker = isOver(after) ? order.pickers.find(({ name }) => name === after.picker) : undefined;
  // Correcting a finished line does not finish it again.
  const isNew = isOver(after) && !isOver(item);
  const line = {
    at: tx.now,
    itemId: item.id,
    units: booked,
    isLine: true,
    isShort: after.state === 'short',
    sku: item.sku ?? '',
    name: item.name ?? item.articleName ?? item.upc ?? '',
    place: place.location === '' ? place.deviceId : place.location,
    reason: cause.reason ?? '',
    lightMs: cause.lightMs ?? null,
  };
  if (isOver(item) && after.state === 'short' && cause.reason !== undefined)
    repositories.picks.setReason(cause.reason, item.id, tx.now - DAY_MS);
  if (picker !== undefined) {
    const { name, confirmedAt } = picker;
    const deviceId = place.deviceId === '' ? picker.deviceId : place.deviceId;
    repositories.orders.savePicker(order.id, { ...picker, deviceId, confirmedAt: isNew ? tx.now : confirmedAt });
    const took = tx.now - confirmedAt;
    if (isNew) {
      const tookMs = took >= 0 && took <= MAX_LINE_MS ? took : null;
      repositories.picks.insert({ ...line, picker: name, tookMs });
    }
  } else {
    const isCounted = countedBy !== null && booked > 0;
    if (isCounted) {
      const pieces = { isLine: false, isShort: false, tookMs: null, lightMs: null };
      repositories.picks.insert({ ...line, ...pieces, picker: countedBy });
    }
    // Otherwise a line of nobody.
    if (isNew)
      repositories.picks.insert({ ...line, picker: finishedBy ?? '', units: isCounted ? 0 : booked, tookMs: null });
  }
  const nonce = events.length === 0 ? '' : itemNonce(after, shipment, order, templates());
  for (const event of events) {
    const payload = itemCallback(event, { order, shipment, item: after }, place, nonce);
    const { historyId, at = tx.now } = cause;
    const picked = event === 'device_ack' ? 0 : booked;
    callbacks.add(tx, { family: 'order', historyId, at, picked, payload });
  }
  const reopened = order.state === 'aborted' ? 'aborted' : order.launchedAt === null ? 'open' : 'in_progress';
  const counted = <T extends Work>(work: T): Changed<T> => {
    const counts = recounted(work.counts, item, after);
    return {
      before: work,
      after: { ...work, counts, state: nextWork(work.state, { kind: 'counted', counts, reopened }) },
    };
  };
  const whole = counted(order);
  if (!isPassive) whole.after = { ...whole.after, isStalled: false };
  settle(context, tx, whole, [counted(shipment)], { ...cause, where: place.location });
  if (emptied !== undefined) context.placeEmptied(tx, { ...emptied, orderId: order.id, by: cause.forWhom ?? cause.by });
}

/** The order is removed: ends its alert. */
function forget({ alerts }: OrderWorkContext, tx: Transaction, { orderNumber }: OrderRow): void {
  for (const reason of ALARMS) {
    const open = alerts.findOpen('order_attention', orderAlertSubject(orderNumber, reason));
    if (open !== undefined) alerts.end(tx, open);
  }
}

/** Publishes an item. `isChange`: update the order's change time, because nothing else writes the order. */
function publishItem(
  context: OrderWorkContext,
  tx: Transaction,
  itemId: number,
  { of, find = context.repositories.items.find, isChange = false }: PublishedItem = {},
): void {
  const { repositories } = context;
  tx.beforeCommit(`order.item:${itemId}`, () => {
    const item = find(itemId);
    if (item === undefined) return undefined;
    if (isChange) touchBeforeCommit(context, tx, item.orderId);
    const order_number = of ?? repositories.orders.findNumber(item.orderId);
    if (order_number !== undefined) tx.emit({ type: 'order.item', order_number, item: itemAnswer(item) });
    return undefined;
  });
}

/** Publishes many items of one order, reading them together. */
function tellItems(
  context: OrderWorkContext,
  tx: Transaction,
  { id: orderId, orderNumber, counts }: Pick<OrderRow, 'id' | 'orderNumber' | 'counts'>,
  itemIds: readonly number[],
): void {
  const { repositories } = context;
  // Read lazily in `beforeCommit`, whose functions change no items.
  let read: Map<number, LitItemRow> | undefined;
  const find = (itemId: number): LitItemRow | undefined => {
    read ??= new Map(repositories.items.listOf(orderId).map((item) => [item.id, item]));
    return read.get(itemId);
  };
  const isMany = itemIds.length * MANY_OF > counts.items;
  for (const itemId of itemIds) publishItem(context, tx, itemId, { of: orderNumber, ...(isMany ? { find } : {}) });
}

/** Updates `updated_time` once per commit for all items of an order. */
function touchBeforeCommit({ repositories }: OrderWorkContext, tx: Transaction, orderId: number): void {
  tx.beforeCommit(`order.touched:${orderId}`, () => {
    repositories.orders.touch(tx.now, orderId);
    return undefined;
  });
}

function publishOrder({ repositories, templates }: OrderWorkContext, tx: Transaction, orderId: number): void {
  tx.beforeCommit(`order.changed:${orderId}`, () => {
    const order = repositories.orders.find(orderId);
    if (order !== undefined) tx.emit({ type: 'order.changed', order: orderProgress(order, templates()) });
    return undefined;
  });
}

/** Publishes an item once per commit. `of`: its order number, if known. */
function tellItem(context: OrderWorkContext, tx: Transaction, itemId: number, of?: string): void {
  publishItem(context, tx, itemId, { of, isChange: true });
}

function tellOrder(context: OrderWorkContext, tx: Transaction, orderId: number): void {
  const { repositories } = context;
  repositories.orders.touch(tx.now, orderId);
  publishOrder(context, tx, orderId);
}

/** Returns the id of the row. */
function record({ repositories }: OrderWorkContext, tx: Transaction, order: OrderRow, row: NewOrderHistory): number {
  const { kind, qty, deviceId = '', location = '', nonce = '' } = row;
  const work = workOf({ kind: 'item', id: 0, of: order.orderNumber });
  const batch = row.detail.batch ?? repositories.batches.findPlaceOf(order.id);
  const detail = batch === undefined ? row.detail : { ...row.detail, batch };
  return repositories.history.insert({
    at: tx.now,
    kind,
    deviceId,
    commandId: null,
    nonce,
    location,
    qty,
    work,
    detail,
  });
}

function settleShipment(
  { repositories, templates, callbacks }: OrderWorkContext,
  tx: Transaction,
  order: OrderRow,
  { before, after }: Changed<ShipmentRow>,
  cause: Cause,
): void {
  const isNews = becomesFulfilled(before, after);
  repositories.orders.saveShipment(before, { ...after, isTold: after.isTold || isNews });
  const nonce = isNews && !after.isTold ? shipmentNonce(after, order, templates()) : '';
  if (nonce === '') return;
  const payload = shipmentCallback(order, after, nonce);
  const { historyId, at = tx.now } = cause;
  callbacks.add(tx, { family: 'order', historyId, at, payload });
}

/** Raises an alert for each new reason why the order waits, and ends those whose reason no longer applies. */
function watch(
  { alerts }: OrderWorkContext,
  tx: Transaction,
  { before, after }: Changed<OrderRow>,
  where: string,
): void {
  const reasons = alarmsOf(after);
  // If the picker who paused the order has left, only `isStalled` still shows that it waited.
  if (!before.isStalled && isSameList(reasons, alarmsOf(before))) return;
  const { orderNumber } = after;
  for (const reason of ALARMS) {
    const subject = orderAlertSubject(orderNumber, reason);
    const open = alerts.findOpen('order_attention', subject);
    const isWaiting = reasons.includes(reason);
    if (!isWaiting && open !== undefined) alerts.end(tx, open);
    if (!isWaiting || open !== undefined) continue;
    const problem = `Order ${orderNumber}: ${TROUBLE[reason](where)}`;
    alerts.raise(tx, { kind: 'order_attention', subject, since: tx.now, value: null, threshold: null, problem });
  }
}

/** Completes a change of many items of an order: publishes, completes shipments and the order, and updates alerts. */
function settle(
  context: OrderWorkContext,
  tx: Transaction,
  { before, after }: Changed<OrderRow>,
  shipments: readonly Changed<ShipmentRow>[],
  cause: Cause & { where?: string },
): void {
  const { repositories, endedOrders, templates, callbacks } = context;
  watch(context, tx, { before, after }, cause.where ?? '');
  for (const shipment of shipments) settleShipment(context, tx, after, shipment, cause);
  const isNews = becomesFulfilled(before, after);
  const fulfilledAt = isNews ? tx.now : after.state === 'fulfilled' ? after.fulfilledAt : null;
  const updatedAt = tx.now;
  repositories.orders.saveOrder(before, { ...after, fulfilledAt, updatedAt, isTold: after.isTold || isNews });
  publishOrder(context, tx, after.id);
  putBack(context, tx, { before, after }, cause.by);
  if (before.state !== after.state && (isNews || after.state === 'aborted')) endedOrders.ended(tx, after.orderNumber);
  if (!isNews) return;
  record(context, tx, after, {
    kind: 'order_fulfilled',
    qty: after.counts.fulfilled,
    detail: doneBy(cause.by, cause.forWhom),
  });
  const nonce = after.isTold ? '' : orderNonce(after, templates());
  if (nonce === '') return;
  const payload = orderCallback(after, nonce);
  const { historyId, at = tx.now } = cause;
  callbacks.add(tx, { family: 'order', historyId, at, payload });
}

/** Opens tasks to put back picked pieces when an order is aborted, and ends them when it is launched again or fulfilled. */
function putBack(
  { repositories, itemStock }: OrderWorkContext,
  tx: Transaction,
  { before, after }: Changed<OrderRow>,
  by: string,
): void {
  if (before.state === after.state) return;
  if (after.state === 'aborted') itemStock.putBacks.stopped(tx, after, () => repositories.items.listOf(after.id), by);
  else if (before.state === 'aborted' || after.state === 'fulfilled') itemStock.putBacks.resumed(tx, after.orderNumber);
}

/** The order's reasons for alerts. A fulfilled order and a guessed place raise none. */
function alarmsOf(order: OrderRow): Alarm[] {
  if (order.state === 'fulfilled') return [];
  return attentionOf(order, haltOf(order)).filter((reason) => reason !== 'guessed');
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each) => other.includes(each));
}

function becomesFulfilled(before: Work, after: Work): boolean {
  return before.state !== 'fulfilled' && after.state === 'fulfilled';
}

/** Who acted and, if in the name of somebody else, for whom. */
export function doneBy(by: string, forWhom: string | undefined): Pick<HistoryDetail, 'by' | 'for'> {
  return forWhom === undefined || nameKey(forWhom) === nameKey(by) ? { by } : { by, for: forWhom };
}

/** The picker who gets the pieces: this person, otherwise the picker of the line. Null: neither picks the order. */
export function counterOf({ order, item }: Pick<Found, 'order' | 'item'>, doer: string): string | null {
  return pickerAmong(order, doer) ?? pickerAmong(order, item.picker ?? '') ?? null;
}

/** Finds an item with its shipment and order. */
export function findItem(repositories: OrderTables, itemId: number): Found | undefined {
  const item = repositories.items.find(itemId);
  if (item === undefined) return undefined;
  const order = repositories.orders.find(item.orderId);
  const shipment = repositories.orders.findShipment(item.shipmentId);
  return order === undefined || shipment === undefined ? undefined : { order, shipment, item };
}

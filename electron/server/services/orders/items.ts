import type { ItemCallback, SimpleCallback } from '#shared/api/callback.ts';
import type { HistoryKind } from '#shared/api/history.ts';
import type { Reopen, Short } from '#shared/api/order.ts';
import type { Correction } from '#shared/api/orderItem.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { Transaction } from '../../db/writer.ts';
import { type QueuedCommand, workOf } from '../../domain/commands/commandQueue.ts';
import { pickerAt, type When } from '../../domain/orders/formerPickers.ts';
import { isLit, isOver, nextItem, remainingOf, type ItemEvent } from '../../domain/orders/order.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { StationError } from '../../errors.ts';
import { type DarkPress, type OwnedEnd, labelOf } from '../commands/index.ts';
import { deviceOf } from './answers.ts';
import { type ItemPlace, itemNonce } from './callbacks.ts';
import { lineWords, titleOfItem } from './itemWords.ts';
import { findById } from '../devices/index.ts';
import { elsewhereIn } from './light.ts';
import type { OrderContext } from './types.ts';
import { lightItem, type LightWhere } from './launch.ts';
import { doneBy } from './work/history.ts';
import { counterOf, findItem } from './work/work.ts';
import { type Cause, type Found, pickerAmong } from './work/stock.ts';

/** Updates an item, its shipment and its order after the item's command ended. */
export function endItem(context: OrderContext, tx: Transaction, found: Found, ended: OwnedEnd): void {
  const { item } = found;
  const { command, recorded, by, for: forWhom, reason } = ended;
  const event = eventOf(item, ended);
  const next = nextItem(item, event);
  if (next === item) return;
  const after = { ...next, foundDeviceId: command.deviceId };
  const lightMs = command.state.kind === 'shown' ? Math.max(0, recorded.at - command.state.shownAt) : undefined;
  const cause = {
    historyId: recorded.historyId,
    at: recorded.at,
    by,
    forWhom,
    lightMs,
    reason,
    reasonOf: 'short',
  } as const;
  const place = { deviceId: command.deviceId, location: recorded.location };
  if (ended.end.kind === 'acknowledged') {
    return bookPress(context, tx, found, { after, place, cause, over: overOf(item, ended) });
  }
  if (ended.end.kind === 'timedOut' && ended.isReported) queueTimeoutCallback(context, tx, found, ended);
  context.work.changeItem(tx, found, { after, place, events: [], cause });
}

function eventOf(item: LitItemRow, { end, ...press }: OwnedEnd): ItemEvent {
  return end.kind === 'acknowledged'
    ? { kind: 'acknowledged', to: bookedBy(item, { ...press, qty: end.qty }) }
    : { kind: end.kind };
}

/** A press of a screen. `asked` is the ordered quantity at the time of the screen, if it has changed since. */
type ItemPress = { qty: number; base: number | null; asked?: number | null };

/** Returns the fulfilled quantity after a press. A screen that asked for more than the line needs now books at most what it needs. */
function bookedBy({ fulfilled, ordered }: LitItemRow, { qty, base, asked = null }: ItemPress): number {
  const to = (base ?? fulfilled) + qty;
  return asked !== null && asked > ordered ? Math.min(to, Math.max(ordered, fulfilled)) : to;
}

/** Returns the pieces of a press that are not booked, because the line needs fewer than its screen asked for. */
function overOf(item: LitItemRow, { end, ...press }: OwnedEnd): number {
  return end.kind === 'acknowledged' ? leftOf(item, { ...press, qty: end.qty }) : 0;
}

function leftOf(item: LitItemRow, press: ItemPress): number {
  return (press.base ?? item.fulfilled) + press.qty - bookedBy(item, press);
}

/**
 * Books a press for an item whose light went out before the press arrived, because of a pause or a timeout. Returns false, without booking
 * anything, if the item is finished, canceled or deleted.
 */
export function bookDark(context: OrderContext, tx: Transaction, press: DarkPress): boolean {
  const { itemId, work, deviceId, by, for: forWhom, reason } = press;
  const found = findItem(context.repositories, itemId);
  if (found === undefined || workOf({ kind: 'item', id: itemId, of: found.order.orderNumber }) !== work) return false;
  const { item } = found;
  const after = nextItem(item, { kind: 'acknowledged', to: bookedBy(item, press) });
  if (after === item) return false;
  const { historyId, at, location } = press.record();
  const cause = { historyId, at, by, forWhom, reason, reasonOf: 'short' } as const;
  bookPress(context, tx, found, { after, place: { deviceId, location }, cause, over: leftOf(item, press) });
  return true;
}

/** Returns the picker of an item now or at the time `when`: null for nobody or if it is unknown, undefined if the item does not exist. */
export function pickerOfItem(
  { items }: Pick<OrderContext['repositories'], 'items'>,
  id: number,
  when?: When,
): string | null | undefined {
  const picker = items.find(id)?.picker;
  if (picker === undefined || when === undefined) return picker;
  return pickerAt({ picker, former: items.listFormerPickers(id) }, when) ?? null;
}

function bookPress(
  { work, commands, repositories }: OrderContext,
  tx: Transaction,
  found: Found,
  {
    after,
    place,
    cause,
    over: left_over,
  }: { after: LitItemRow; place: ItemPlace; cause: Cause & { at: number }; over: number },
): void {
  const { order, item } = found;
  const isDevice = cause.by === 'device';
  const whose = isDevice ? pickerOfItem(repositories, item.id, { at: cause.at, now: tx.now }) : item.picker;
  const picker = pickerAmong(order, cause.forWhom ?? cause.by) ?? whose ?? null;
  const events: ItemCallback['order_event'][] =
    after.fulfilled > item.fulfilled ? ['device_ack', 'item_added'] : ['device_ack'];
  work.changeItem(tx, found, { after: { ...after, picker }, place, events, cause, finishedBy: picker });
  if (left_over > 0) {
    tx.emit({
      type: 'press.over',
      deviceid: place.deviceId,
      at: isoTime(cause.at),
      location: place.location,
      order_number: order.orderNumber,
      item_id: item.id,
      quantity: after.fulfilled - item.fulfilled,
      left_over,
      picker,
    });
  }
  if (!isDevice) return;
  const waiting = commands.waitingAt(place.deviceId, { owner: { kind: 'item', id: item.id }, picker });
  if (waiting.people.length === 0) return;
  tx.emit({
    type: 'line.booked',
    deviceid: place.deviceId,
    at: isoTime(cause.at),
    location: place.location,
    order_number: order.orderNumber,
    item_id: item.id,
    quantity: after.fulfilled - item.fulfilled,
    before: item.fulfilled,
    picker,
    waiting: waiting.people,
    quiet: waiting.isQuiet,
  });
}

/**
 * Queues a timeout callback, but only if the caller gave the item its own nonce. Nonces from the settings request order events, which do
 * not include timeouts.
 */
function queueTimeoutCallback(
  { callbacks }: OrderContext,
  tx: Transaction,
  { item }: Found,
  { command, recorded }: OwnedEnd,
): void {
  const { callbackNonce: nonce } = item;
  if (nonce === null || nonce.trim() === '') return;
  // Report only a quantity that the worker set. Corrections set it too, and old receivers would book that as picked.
  const qty = command.adjustment?.by === 'device' ? (command.adjusted ?? 0) : 0;
  const { deviceId: deviceid } = command;
  const payload: SimpleCallback = { acknack: 'nack', deviceid, location: recorded.location, nonce, qty };
  const { historyId, at } = recorded;
  callbacks.add(tx, { family: 'order', historyId, at, payload });
}

/** Updates a lit item whose device became reachable or unreachable. */
export function noteReach(context: OrderContext, tx: Transaction, item: LitItemRow, isReached: boolean): void {
  const after = nextItem(item, { kind: 'reach', isReached });
  const found = after === item ? undefined : findItem(context.repositories, item.id);
  if (found === undefined) return;
  const deviceId = deviceOf(item) ?? '';
  const place = { deviceId, location: labelOf(context.repositories.devices, deviceId) };
  context.work.changeItem(tx, found, { after, place, events: [], cause: { historyId: 0, by: '' }, isPassive: true });
}

/** Corrects the fulfilled quantity of an item and updates its light. */
export function correctItem(
  context: OrderContext,
  tx: Transaction,
  found: Found,
  { quantity_fulfilled: to, reason, by }: Correction & { by: string },
): void {
  const { item } = found;
  const after = nextItem(item, { kind: 'corrected', to });
  if (after !== item) setItem(context, tx, found, after, { kind: 'order_corrected', by, reason });
}

/**
 * Closes an item as short or, if `elsewhere` names a device, moves the remaining pieces there. Throws `conflict` if the item is finished,
 * and `invalid` if the quantity is less than what is already counted. The caller checks the reason.
 */
export function closeShort(
  context: OrderContext,
  tx: Transaction,
  found: Found,
  { quantity_fulfilled: wanted, reason, elsewhere, by }: Omit<Short, 'key'> & { by: string },
): void {
  const { item } = found;
  const action = { kind: 'order_short', by, reason } as const;
  // A press with a smaller quantity has already closed the item, so only add the reason.
  if (item.state === 'short' && elsewhere === undefined && (wanted ?? item.fulfilled) === item.fulfilled) {
    return setItem(context, tx, found, item, action);
  }
  if (isOver(item)) throw over(found.order.orderNumber, item, 'POST .../reopen/ opens it again.');
  const command = context.repositories.commands.findByOwner({ kind: 'item', id: item.id });
  const fulfilled = wanted ?? item.fulfilled + countedOf(item, command);
  if (fulfilled < item.fulfilled) {
    const message = `${item.fulfilled} pieces are already counted, so you cannot close the line with fewer. PATCH .../items/{id}/ corrects them.`;
    refuse('/quantity_fulfilled', message);
  }
  const closed = nextItem(item, { kind: 'short', fulfilled });
  if (elsewhere === undefined || closed.state === 'done') {
    return setItem(context, tx, found, closed, action);
  }
  if (findById(context.repositories, elsewhere) === undefined) refuse('/elsewhere', `There is no device ${elsewhere}.`);
  const others = elsewhereIn(context.repositories)(item, deviceOf(item));
  const place = others.find(({ deviceid }) => deviceid === elsewhere)?.location ?? null;
  const moved: LitItemRow = { ...item, fulfilled, state: 'open', trouble: null, deviceId: elsewhere };
  if (item.articleId !== null) moved.place = place;
  setItem(context, tx, found, moved, action);
  lightAgain(context, tx, item, by);
}

/** Relights an open item, unless its picker has paused or its order is not in progress. */
export function lightAgain(
  context: OrderContext,
  tx: Transaction,
  { id, orderId, picker }: Pick<LitItemRow, 'id' | 'orderId' | 'picker'>,
  by: string,
  where: LightWhere = 'place',
): void {
  const order = context.repositories.orders.find(orderId);
  if (order?.state !== 'in_progress') return;
  // A line whose picker has left the order belongs to all others.
  const own = order.pickers.filter(({ name }) => name === picker);
  const whose = own.length > 0 ? own : order.pickers;
  const isPaused = whose.length > 0 && whose.every(({ isPaused: pauses }) => pauses);
  if (!isPaused) lightItem(context, tx, id, { by, where });
}

/**
 * Returns the number of pieces counted with plus and minus at the device. Returns 0 while the display shows the whole remaining quantity,
 * as it does after a correction.
 */
function countedOf(item: LitItemRow, command: QueuedCommand | undefined): number {
  if (command === undefined || command.adjusted === null) return 0;
  const isCounted = command.adjustment?.by === 'device' || command.adjusted !== remainingOf(item);
  return isCounted ? command.adjusted : 0;
}

/**
 * Reopens a done or short item and lights it where it was lit before. Completion callbacks that were sent are not repeated, because this is
 * not a launch. With `isPress`, the item loses what its last confirmation booked, even if it is short. The line stays unlit if its picker has
 * started other work since, or with `staysDark`. Throws `conflict` if the item is open.
 */
export function reopenItem(
  context: OrderContext,
  tx: Transaction,
  found: Found,
  {
    quantity_fulfilled: wanted,
    by,
    isPress = false,
    staysDark = false,
  }: Pick<Reopen, 'quantity_fulfilled'> & {
    by: string;
    isPress?: boolean;
    staysDark?: boolean;
  },
): void {
  const { item, order } = found;
  if (!isOver(item)) throw over(order.orderNumber, item, 'Only an item that is done or short can be opened again.');
  if (item.ordered === 0) throw over(order.orderNumber, item, 'Nothing of it was ordered.');
  const fulfilled = wanted ?? (isPress ? Math.max(0, item.fulfilled - item.lastBooked) : keptOf(item));
  if (fulfilled >= item.ordered)
    refuse('/quantity_fulfilled', `An item with ${item.ordered} pieces is full: give fewer.`);
  const after = { ...nextItem(item, { kind: 'reopened' }), fulfilled, isVerified: false, isScanWaived: false };
  setItem(context, tx, found, after, { kind: 'order_reopened', by, reason: undefined });
  if (staysDark) return;
  waitIfBusy(context, item);
  lightAgain(context, tx, item, by, 'before');
}

/** Makes a reopened or added line wait for its picker, unlit, if the picker has started another order or a batch. */
export function waitIfBusy(context: OrderContext, { orderId, picker: name }: LitItemRow): void {
  const { orders, orderPickers } = context.repositories;
  const picker = orders.find(orderId)?.pickers.find((each) => each.name === name);
  if (picker === undefined || picker.isPaused) return;
  if (isBusy(context, orderId, picker.name)) orderPickers.save(orderId, { ...picker, isPaused: true, waits: true });
}

/** Whether a person is picking another order or a batch. */
export function isBusy({ repositories, holds }: OrderContext, orderId: number, name: string): boolean {
  return repositories.orderPickers.listPicking(name).some((id) => id !== orderId) || holds.isPicking(name);
}

/**
 * Returns the quantity that a reopened item keeps. A short item keeps the quantity found, and a full item everything except its last
 * booking.
 */
function keptOf({ state, ordered, fulfilled, lastBooked }: LitItemRow): number {
  if (state === 'short') return fulfilled;
  const kept = Math.max(0, fulfilled - lastBooked);
  return kept < ordered ? kept : 0;
}

/**
 * Books pieces of the line for which a press was intended, by default all that remain. Throws `invalid` for an unknown line, and `conflict` if it has been
 * booked or canceled since.
 */
export function bookIntended(
  context: OrderContext,
  tx: Transaction,
  { itemId, quantity, by }: { itemId: number; quantity: number | undefined; by: string },
): void {
  const found = findItem(context.repositories, itemId);
  if (found === undefined) refuse('/instead', 'This other line is not there any more.');
  const { item, order } = found;
  if (item.state === 'cancelled') {
    const message = `Order ${order.orderNumber} no longer needs ${titleOfItem(item) || 'this line'}: put back what you took. Nothing was changed.`;
    throw new StationError('conflict', message);
  }
  if (isOver(item)) throw new StationError('conflict', 'Both are booked. Nothing was changed.');
  if (context.holds.takes(tx, found, { kind: 'intended', quantity, by })) return;
  const fulfilled = quantity === undefined ? item.ordered : item.fulfilled + quantity;
  const full = nextItem(item, { kind: 'short', fulfilled });
  setItem(context, tx, found, full, { kind: 'order_confirmed', by, reason: undefined });
}

/** Throws `invalid` if the settings do not list the reason. */
export function checkReason({ settings }: Pick<OrderContext, 'settings'>, reason: string): void {
  const reasons = settings.current().short_reasons.map(({ key }) => key);
  if (!reasons.includes(reason)) refuse('/reason', `The reason has to be one of ${reasons.join(', ')}.`);
}

/** Throws `invalid` if `quantity` is less than `rest` without a reason from the settings. */
export function checkFewer(
  context: Pick<OrderContext, 'settings'>,
  { quantity, rest, reason = '' }: { quantity: number; rest: number; reason: string | undefined },
): void {
  if (quantity >= rest) return;
  if (reason === '') refuse('/reason', `That is fewer than the ${rest} to pick. Give a reason.`);
  checkReason(context, reason);
}

function over(orderNumber: string, item: LitItemRow, remedy: string): StationError {
  return new StationError('conflict', `${lineWords(item)} of order ${orderNumber} is ${item.state}. ${remedy}`);
}

export function refuse(path: string, message: string): never {
  throw new StationError('invalid', message, [{ path, message }]);
}

/** Whether the reason for a manual change explains a short or a correction, by kind of change. */
const REASON_OF: Partial<Record<HistoryKind, Cause['reasonOf']>> = {
  order_short: 'short',
  order_confirmed: 'short',
  order_corrected: 'correction',
};

/**
 * Manual change to an item, with its reason. `forWhom` is the person for whom it is made. `pickedAt` is another place of the article, from
 * which the pieces came.
 */
export type ItemAction = {
  kind: HistoryKind;
  by: string;
  reason: string | undefined;
  forWhom?: string | undefined;
  pickedAt?: string | undefined;
};

/** Returns the place where the item is or was last lit. Without a device, this is the place of the order, otherwise that of the article. */
export function placeOf(
  repositories: OrderContext['repositories'],
  item: LitItemRow,
  command: QueuedCommand | undefined,
): ItemPlace {
  if (command === undefined && (item.trouble === 'no_light' || item.trouble === 'unassigned')) {
    return { deviceId: '', location: item.warehouseLocation ?? item.place ?? '' };
  }
  const deviceId = deviceOf(item) ?? '';
  const alias = command?.alias ?? '';
  return { deviceId, location: alias === '' ? labelOf(repositories.devices, deviceId) : alias };
}

/**
 * Saves a manual change to an item, with its history, light and callback. If the picker of a reopened line has left the order, the line
 * loses its picker.
 */
export function setItem(
  { repositories, commands, work, settings }: OrderContext,
  tx: Transaction,
  found: Found,
  changed: LitItemRow,
  { kind, by, reason, forWhom, pickedAt }: ItemAction,
): void {
  const { order, shipment, item } = found;
  const isOpenAgain = isOver(item) && !isOver(changed);
  const hasLeft = order.pickers.every(({ name }) => name !== item.picker);
  const after = isOpenAgain && hasLeft ? { ...changed, picker: null } : changed;
  const to = after.fulfilled;
  const command = repositories.commands.findByOwner({ kind: 'item', id: item.id });
  const usual = placeOf(repositories, item, command);
  const place = pickedAt === undefined ? usual : { ...usual, location: pickedAt };
  const { deviceId, location } = place;
  const name = titleOfItem(item);
  const historyId = work.record(tx, order, {
    kind,
    qty: to,
    deviceId,
    location,
    nonce: itemNonce(item, shipment, order, settings.current()),
    detail: {
      ...doneBy(by, forWhom),
      item: { id: item.id, name, before: item.fulfilled },
      ...(reason === undefined ? {} : { reason }),
    },
  });
  if (command !== undefined) {
    if (isLit(after)) commands.setQuantity(tx, command, { quantity: remainingOf(after), by, base: after.fulfilled });
    else commands.withdraw(tx, { kind: 'item', id: item.id }, by);
  }
  work.changeItem(tx, found, {
    after: pickedAt === undefined ? after : { ...after, place: pickedAt },
    place,
    pickedAt,
    events: to === item.fulfilled ? [] : [to > item.fulfilled ? 'item_added' : 'item_removed'],
    cause: { historyId, by, forWhom, reason, reasonOf: REASON_OF[kind] },
    // Fewer pieces do not mean that anybody found the missing ones.
    emptied: kind === 'order_corrected' && to < item.fulfilled ? 'forgotten' : undefined,
    countedBy: kind === 'order_short' ? counterOf(found, forWhom ?? by) : null,
  });
}

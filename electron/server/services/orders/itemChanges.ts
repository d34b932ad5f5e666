import type { Transaction } from '../../db/writer.ts';
import { workOf } from '../../domain/commands/commandQueue.ts';
import { isLit, isOver, isToLight } from '../../domain/orders/order.ts';
import { StationError } from '../../errors.ts';
import { actedAt, bookedAt, refuseOtherArticle, refuseOutdated, type Waited } from '../base/index.ts';
import { inWords, refuseFaults } from '../commands/index.ts';
import { deviceOf, itemAnswer } from './answers.ts';
import { confirmItem, confirmLate, dismissItem, giveUpScan, verifyItem } from './byHand.ts';
import { countItem, countUnlit, type Count } from './count.ts';
import { bookIntended, checkReason, closeShort, correctItem, refuse, reopenItem } from './items.ts';
import { launchOrder } from './launch.ts';
import { itemTargets } from './articlePlaces.ts';
import { elsewhereIn } from './light.ts';
import { lineWords, LOOKED_FOR, titleOfItem } from './itemWords.ts';
import { changeLine, refuseEnded } from './lines.ts';
import { getOrder } from './reading.ts';
import type { OrderContext } from './types.ts';
import { doneBy } from './work/history.ts';
import { findItem } from './work/work.ts';
import { type Found } from './work/stock.ts';
import type { Elsewhere } from '#shared/api/device.ts';
import type { FieldError } from '#shared/api/problem.ts';
import {
  type Confirm,
  type Dismiss,
  type Item,
  type ItemWithPlaces,
  type Reopen,
  type Returned,
  type Short,
  type ShortResult,
  type Verify,
} from '#shared/api/order.ts';
import { type Correction, isLineChange, type ChangedItem } from '#shared/api/orderItem.ts';

/**
 * Closes an item as short with the quantity found. Throws `not_found`, `invalid`, or `conflict` if the item is finished, or if an item in a
 * batch would move to another device.
 */
export function short(
  context: OrderContext,
  orderNumber: string,
  itemId: number,
  short: Short,
  by: string,
): Promise<ShortResult> {
  return context.writer.write((now) => {
    const tx = actedAt(now, short);
    const found = getItem(context, orderNumber, itemId);
    refuseOutdated({ ...found.item, isOver: false }, short, tx.now);
    refuseExchanged(context, found, short);
    const { quantity_fulfilled: quantity, reason } = short;
    checkReason(context, reason);
    // A batch itself moves missing pieces to the next place.
    if (short.elsewhere !== undefined) context.holds.refuse(found.order);
    if (!context.holds.takes(tx, found, { kind: 'shorted', quantity, reason, by }))
      closeShort(context, tx, found, { ...short, by });
    const { item } = getItem(context, orderNumber, itemId);
    return { ...withOver(itemAnswer(item), found), elsewhere: elsewhereIn(context.reads)(item, deviceOf(item)) };
  });
}

/**
 * Corrects the fulfilled quantity of an item. Throws `not_found`, `outdated` if the quantity has changed since it was `seen` or the
 * correction is too old, or `conflict` if the item's batch does not allow it.
 */
function correct(
  context: OrderContext,
  now: Transaction,
  found: Found,
  { by, ...correction }: Correction & { by: string },
): void {
  const tx = actedAt(now, correction);
  const { quantity_fulfilled: quantity, reason } = correction;
  if (context.holds.takes(tx, found, { kind: 'corrected', quantity, reason, by })) return;
  const fewer = found.item.fulfilled - quantity;
  if (fewer > 0) context.holds.returned(tx, found, { quantity: fewer, by });
  correctItem(context, tx, found, { ...correction, by });
}

/**
 * Changes what an item asks for, what was picked, or both. Throws the errors of `correct`, and `conflict` if the order has ended or is in a
 * batch, or if more pieces are picked.
 */
export async function changeAsked(
  context: OrderContext,
  orderNumber: string,
  itemId: number,
  change: ChangedItem,
  doer: { by: string; strict: boolean },
): Promise<Item & { warnings?: string[] }> {
  const faults: FieldError[] = [];
  const changed = await changeItem(context, orderNumber, itemId, (tx, found) => {
    const { quantity_fulfilled: fulfilled, reason, confirmed_at, seen } = change;
    refuseOutdated({ ...found.item, isOver: false }, change, actedAt(tx, change).now);
    const correction =
      fulfilled === undefined ? undefined : { quantity_fulfilled: fulfilled, reason, confirmed_at, seen };
    const isFewer = fulfilled !== undefined && fulfilled < found.item.fulfilled;
    const isLine = isLineChange(change);
    // A correction would open the order again.
    if (isLine) refuseEnded(context, found.order);
    // The pieces that were picked limit the ordered quantity, so lower them first.
    if (correction !== undefined && isFewer) correct(context, tx, found, { ...correction, by: doer.by });
    if (isLine) {
      const lowered = isFewer ? getItem(context, orderNumber, itemId) : found;
      faults.push(...changeLine(context, tx, lowered, change, doer));
      if (doer.strict) refuseFaults(faults);
    }
    if (correction === undefined || isFewer) return;
    const changed = isLine ? getItem(context, orderNumber, itemId) : found;
    correct(context, tx, changed, { ...correction, by: doer.by });
  });
  return faults.length === 0 ? changed : { ...changed, warnings: faults.map(inWords) };
}

/** Throws `outdated` if the line got another article after the confirmation was made. */
function refuseExchanged(
  { repositories }: OrderContext,
  { item, order }: Found,
  { confirmed_at: confirmedAt }: Waited,
): void {
  if (confirmedAt === undefined) return;
  const work = workOf({ kind: 'item', id: item.id, of: order.orderNumber });
  refuseOtherArticle(repositories.history.wasExchanged(work ?? '', item.id, { at: Date.parse(confirmedAt) }));
}

/** Books an item that no device serves. Throws `not_found`, `invalid`, or `conflict` if the item is lit or finished. */
export function confirm(
  context: OrderContext,
  orderNumber: string,
  itemId: number,
  confirm: Confirm & { picker: string },
  by: string,
): Promise<Item> {
  return changeItem(context, orderNumber, itemId, (now, found) => {
    const tx = actedAt(now, confirm);
    const { quantity, reason, picker, location, late } = confirm;
    refuseOutdated({ ...found.item, isOver: isOver(found.item) }, confirm, tx.now);
    refuseExchanged(context, found, confirm);
    if (late === true) {
      context.holds.refuse(found.order);
      return confirmLate(context, tx, found, { ...confirm, by });
    }
    if (location !== undefined) context.holds.refuse(found.order);
    if (!context.holds.takes(tx, found, { kind: 'confirmed', quantity, reason, picker, by }))
      confirmItem(context, tx, found, { ...confirm, by });
  });
}

/**
 * Records that somebody put pieces back that were taken for an item but never booked. Changes nothing else, and the order may be deleted by
 * now. Throws `not_found` for an order that nobody knows.
 */
export function recordReturned(
  { writer, repositories }: OrderContext,
  orderNumber: string,
  { item_id: id, quantity: qty, location, picker }: Returned & { picker: string },
  by: string,
): Promise<void> {
  return writer.write((tx) => {
    const order = repositories.orders.findByNumber(orderNumber);
    const work = workOf({ kind: 'item', id: 0, of: orderNumber });
    if (order === undefined && !repositories.history.hasWork(work))
      throw new StationError('not_found', `There is no order ${orderNumber}, and history does not know one either.`);
    const item = repositories.items.find(id);
    const named = item === undefined || item.orderId !== order?.id ? undefined : item;
    repositories.history.insert({
      at: tx.now,
      kind: 'order_returned',
      deviceId: '',
      commandId: null,
      nonce: '',
      location,
      qty,
      work,
      detail: {
        ...doneBy(by, picker),
        ...(named === undefined ? {} : { item: { id, name: titleOfItem(named), before: named.fulfilled } }),
      },
    });
  });
}

/** Cancels an item that no device serves. Throws `not_found`, or `conflict` if the item is lit or finished. */
export function dismiss(
  context: OrderContext,
  orderNumber: string,
  itemId: number,
  dismiss: Dismiss,
  by: string,
): Promise<Item> {
  return changeItem(context, orderNumber, itemId, (now, found) => {
    const tx = actedAt(now, dismiss);
    refuseOutdated({ ...found.item, isOver: isOver(found.item) }, dismiss, tx.now);
    context.holds.refuse(found.order);
    dismissItem(context, tx, found, { ...dismiss, by });
  });
}

/**
 * Reopens a done or short item. With `press`, returns what its last press booked together. With `instead`, returns what its last press booked, and books the rest of the line for which the press was
 * intended, or `instead_quantity`. This may be the same line, if its person took another number than the press booked, which is then required. Throws
 * `not_found`, `invalid`, or `conflict` if the item is open, or if the other line has been booked since.
 */
export function reopen(
  context: OrderContext,
  orderNumber: string,
  itemId: number,
  reopen: Reopen,
  by: string,
): Promise<Item> {
  return changeItem(context, orderNumber, itemId, (now, found) => {
    const answered = actedAt(now, reopen);
    refuseOutdated({ ...found.item, isOver: false }, reopen, now.now);
    // Both parts of an exchange happened at the press: a count since then has seen what the hands took.
    const tx = reopen.instead === undefined ? answered : bookedAt(answered, found.item);
    const { quantity_fulfilled: quantity, instead } = reopen;
    const isPress = instead !== undefined || reopen.press === true;
    const isSame = instead === itemId;
    if (isSame) {
      context.holds.refuse(found.order);
      if (reopen.instead_quantity === undefined)
        refuse(
          '/instead_quantity',
          'An item that is its own `instead` needs `instead_quantity`: the pieces that replace those of the press.',
        );
    }
    const isOwn = isPress && instead === undefined;
    if (!context.holds.takes(tx, found, { kind: 'reopened', quantity, by, isPress, isOwn }))
      reopenItem(context, tx, found, { quantity_fulfilled: quantity, by, isPress, staysDark: isSame });
    if (instead !== undefined) bookIntended(context, tx, { itemId: instead, quantity: reopen.instead_quantity, by });
  });
}

/**
 * Relights an item whose light went out, at its place. Does nothing if the item is lit. Throws `not_found`, or `conflict` if the item does
 * not have to be picked, has no device, or its picker has paused.
 */
export function lightItemAgain(context: OrderContext, orderNumber: string, itemId: number, by: string): Promise<Item> {
  return changeItem(context, orderNumber, itemId, (tx, { item, order }) => {
    context.holds.refuse(order);
    if (isLit(item)) return;
    if (!isToLight(item)) {
      const why = isOver(item)
        ? `is ${item.state} already. POST .../reopen/ opens it again.`
        : 'is dismissed, so nobody picks it.';
      throw new StationError('conflict', `${lineWords(item)} of order ${orderNumber} ${why}`);
    }
    const paused = order.pickers.find(({ name, isPaused }) => isPaused && name === item.picker)?.name;
    if (paused !== undefined) {
      throw new StationError(
        'conflict',
        `${lineWords(item)} of order ${orderNumber} is a line of ${paused}, who has paused the order. It lights when ${paused} continues.`,
      );
    }
    const [found] = itemTargets(context, [item], ({ picker }) => picker !== null);
    if (found?.target === undefined && (found?.place === undefined || item.picker === null)) {
      throw new StationError(
        'conflict',
        `${lineWords(item)} of order ${orderNumber} has no light. ${LOOKED_FOR} Nothing was lit.`,
      );
    }
    launchOrder(context, tx, order, { by, only: itemId, isContinued: true });
  });
}

/** Returns an item with the other places of its article. Throws `not_found`. */
export function readItem({ reads }: Pick<OrderContext, 'reads'>, orderNumber: string, itemId: number): ItemWithPlaces {
  const found = getItem({ repositories: reads }, orderNumber, itemId);
  const elsewhere = elsewhereIn(reads)(found.item, deviceOf(found.item));
  return { ...withOver(itemAnswer(found.item), found), elsewhere };
}

/** Lists other places that may have the missing pieces of a short item, or nothing if the item is not short. Call inside a transaction. */
export function elsewhere({ repositories, reads }: OrderContext, itemId: number): Elsewhere[] {
  const item = repositories.items.find(itemId);
  return item?.state === 'short' ? elsewhereIn(reads)(item, deviceOf(item)) : [];
}

/** Books pieces of an open item that a scan counted. A count can close an item only if the item has no light. Call inside a transaction. */
export function count(context: OrderContext, tx: Transaction, itemId: number, count: Count): void {
  const { repositories } = context;
  const found = findItem(repositories, itemId);
  if (found === undefined) return;
  context.holds.refuse(found.order);
  if (found.item.commandId === null) countUnlit(context, tx, found, count);
  else countItem(context, tx, found, count);
}

/** Records that a scan of the article verified this item. Call inside a transaction. */
export function verify(
  context: OrderContext,
  tx: Transaction,
  itemId: number,
  who: { by: string; forWhom: string },
): void {
  const { repositories } = context;
  const found = findItem(repositories, itemId);
  if (found !== undefined) verifyItem(context, tx, found, who);
}

/** Completes a picked item without scanning its article. Throws `not_found`, or `conflict` if the item is not picked. */
export function completeWithoutScan(
  context: OrderContext,
  orderNumber: string,
  itemId: number,
  verify: Verify,
  by: string,
): Promise<Item> {
  return changeItem(context, orderNumber, itemId, (now, found) => {
    const tx = actedAt(now, verify);
    refuseOutdated({ ...found.item, isOver: false }, verify, tx.now);
    giveUpScan(context, tx, found, { ...verify, by });
  });
}

/** Records that an item's article cannot be scanned, within a transaction. Does nothing for an item that waits for no scan. */
export function waive(context: OrderContext, tx: Transaction, itemId: number, by: string): void {
  const found = findItem(context.repositories, itemId);
  if (found !== undefined) giveUpScan(context, tx, found, { by });
}

/** Finds an item in an order. Call inside a transaction. Throws `not_found`. */
export function getItem(
  { repositories }: Pick<OrderContext, 'repositories'>,
  orderNumber: string,
  itemId: number,
): Found {
  const order = getOrder(repositories, orderNumber);
  const found = findItem(repositories, itemId);
  if (found?.order.id !== order.id) throw noItem(orderNumber);
  return found;
}

/** Changes an item in a transaction. Resolves to the changed item. */
export function changeItem(
  context: OrderContext,
  orderNumber: string,
  itemId: number,
  change: (tx: Transaction, found: Found) => void,
): Promise<Item> {
  return context.writer.write((tx) => {
    const found = getItem(context, orderNumber, itemId);
    change(tx, found);
    return withOver(itemAnswer(getItem(context, orderNumber, itemId).item), found);
  });
}

/** Adds a warning if a change booked more than was ordered, because this may be a typing error. */
export function withOver(answer: Item, { item: before }: Found): Item & { warnings?: string[] } {
  const over = answer.quantity_fulfilled - answer.ordered_quantity;
  if (over <= 0 || answer.quantity_fulfilled <= before.fulfilled) return answer;
  const said = `quantity_fulfilled: ${answer.quantity_fulfilled} are booked, ${over} more than ordered. Correct the quantity if this is wrong.`;
  return { ...answer, warnings: [said] };
}

export function noItem(orderNumber: string): StationError {
  return new StationError(
    'not_found',
    `The line is not in order ${orderNumber}. GET /api/orders/{order_number}/ says the id of each.`,
  );
}

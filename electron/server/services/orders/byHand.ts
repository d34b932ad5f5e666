import type { Confirm, Dismiss, Verify } from '#shared/api/order.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { Transaction } from '../../db/writer.ts';
import { isByHand, isLit, isOver, nextItem, remainingOf } from '../../domain/orders/order.ts';
import { StationError } from '../../errors.ts';
import type { OrderDefaults } from './answers.ts';
import { countItem, countUnlit } from './count.ts';
import { checkFewer, setItem } from './items.ts';
import { lineWords } from './itemWords.ts';
import type { OrderContext } from './types.ts';
import { type Found, pickerAmong } from './work/stock.ts';

/**
 * Books an item that no device serves: all remaining pieces, or fewer with a reason. `picker` is the person who picked the item, and
 * `location` another place of its article, where the pieces come from. Throws `conflict` for other items, and `invalid` for a smaller
 * quantity without a reason or an unknown place.
 */
export function confirmItem(
  context: OrderContext,
  tx: Transaction,
  found: Found,
  { quantity, reason, picker, location, by }: Omit<Confirm, 'key' | 'picker'> & { picker: string; by: string },
): void {
  const { item, order } = found;
  if (!isByHand(item)) throw notByHand(found, 'A line without a light is confirmed here.');
  const pickedAt = location === undefined ? undefined : placeOfArticle(context, item, location);
  const rest = remainingOf(item);
  const qty = quantity ?? rest;
  checkFewer(context, { quantity: qty, rest, reason });
  const name = pickerAmong(order, picker) ?? item.picker;
  const after: LitItemRow = { ...nextItem(item, { kind: 'confirmed', qty }), picker: name };
  setItem(context, tx, found, after, { kind: 'order_confirmed', by, reason, forWhom: picker, pickedAt });
}

/**
 * Books pieces that were picked some time ago, at most the remaining ones. A line that is not full stays open or short. Throws `conflict` if
 * nothing of the item is open.
 */
export function confirmLate(
  context: OrderContext,
  tx: Transaction,
  found: Found,
  { quantity, picker, by }: Omit<Confirm, 'key' | 'picker'> & { picker: string; by: string },
): void {
  const { item, order } = found;
  const rest = remainingOf(item);
  const isOpen = item.state === 'open' || item.state === 'active' || item.state === 'short';
  if (!isOpen || rest <= 0 || order.state === 'aborted') throw notByHand(found, 'Nothing of it is open.');
  const pieces = Math.min(quantity ?? rest, rest);
  if (pieces < rest && item.state !== 'short') {
    if (isLit(item)) return countItem(context, tx, found, { pieces, by, forWhom: picker });
    return countUnlit(context, tx, found, { pieces, closes: false, by, forWhom: picker, reason: undefined });
  }
  const name = pickerAmong(order, picker) ?? item.picker;
  const state = pieces < rest ? item.state : 'done';
  const after: LitItemRow = { ...item, fulfilled: item.fulfilled + pieces, state, trouble: null, picker: name };
  setItem(context, tx, found, after, { kind: 'order_confirmed', by, reason: undefined, forWhom: picker });
}

/** Returns a place of the item's article, as it is spelled there. Throws `invalid` if the article does not have it. */
function placeOfArticle({ repositories }: OrderContext, { articleId }: LitItemRow, location: string): string {
  const found = articleId === null ? undefined : repositories.stock.findPlace(articleId, nameKey(location));
  if (found !== undefined) return found.place;
  const message = `${location} is not a place of this article. Add it to the places of the article first, or leave location out.`;
  throw new StationError('invalid', message, [{ path: '/location', message }]);
}

/** Cancels an item that no device serves, so that the order can complete without it. Throws `conflict` for other items. */
export function dismissItem(
  context: OrderContext,
  tx: Transaction,
  found: Found,
  { reason, by }: Omit<Dismiss, 'key'> & { by: string },
): void {
  if (!isByHand(found.item)) throw notByHand(found, 'Only an item that no device serves can be dismissed.');
  const after = nextItem(found.item, { kind: 'dismissed' });
  setItem(context, tx, found, after, { kind: 'order_dismissed', by, reason });
}

/** Records a scan of the item's article. Writes history if the item was waiting for the scan. */
export function verifyItem(
  context: OrderContext,
  tx: Transaction,
  found: Found,
  { by, forWhom }: { by: string; forWhom?: string | undefined },
): void {
  const { item } = found;
  if (item.isVerified) return;
  const after = { ...item, isVerified: true };
  context.holds.publish(tx, found.order.id);
  if (item.awaitsScan)
    return setItem(context, tx, found, after, { kind: 'order_verified', by, reason: undefined, forWhom });
  context.repositories.items.save(item, after);
  context.work.publishItemChange(tx, item.id);
}

/**
 * Completes a picked item without a scan of its article, even if its pieces are not in their batch slot yet. Throws `conflict` if the item
 * is not picked yet.
 */
export function giveUpScan(
  context: OrderContext,
  tx: Transaction,
  found: Found,
  { reason, by }: Omit<Verify, 'key'> & { by: string },
): void {
  const { item, order } = found;
  const isInBatch = context.holds.hasPicked(found);
  if (!isOver(item) && !isInBatch) {
    const message = `${lineWords(item)} of order ${order.orderNumber} is ${item.state}: only a picked item waits for a scan.`;
    throw new StationError('conflict', message);
  }
  const needsScan = isInBatch ? needsScanOf(found, context.settings.current()) : item.awaitsScan;
  if (!needsScan) return;
  context.holds.publish(tx, order.id);
  const after = { ...item, awaitsScan: false, isScanWaived: true };
  setItem(context, tx, found, after, { kind: 'order_not_scanned', by, reason });
}

/** Whether the item's article has to be scanned: before the item is picked or, for a picked item, to complete it. */
export function needsScanOf({ item, order }: Pick<Found, 'item' | 'order'>, defaults: OrderDefaults): boolean {
  if (isOver(item)) return item.awaitsScan;
  return !item.isVerified && !item.isScanWaived && (order.scanRequired ?? defaults.scan_required);
}

function notByHand({ item, order }: Found, rule: string): StationError {
  const which = `${lineWords(item)} of order ${order.orderNumber}`;
  return new StationError('conflict', `${which} ${whyNot(item)} ${rule}`);
}

function whyNot(item: LitItemRow): string {
  if (isLit(item)) return `is lit: press its light. POST /api/device/{id}/acknowledge/ does the same.`;
  if (isOver(item)) return `is ${item.state} already.`;
  if (item.trouble === 'dismissed') return 'was dismissed.';
  return `is ${item.state}, and nobody picks it now: launch the order first.`;
}

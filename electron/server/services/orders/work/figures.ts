import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { LitItemRow } from '../../../db/repositories/items.ts';
import type { OrderPickerRow } from '../../../db/repositories/orderPickers.ts';
import type { TablesOf } from '../../../core.ts';
import type { Transaction } from '../../../db/writer.ts';
import { isOver } from '../../../domain/orders/order.ts';
import type { ItemPlace } from '../callbacks.ts';
import type { Cause, Found } from './stock.ts';

/** Maximum time that counts as picking one line. Longer times mean a break, such as lunch or a night. */
const MAX_LINE_MS = 15 * 60_000;
/** How long after a line was finished its figures change if somebody reopens the line or gives a reason. */
const DAY_MS = 24 * 60 * 60_000;

/** Change to an item for the figures. `booked` is the number of pieces added, or negative if pieces were removed. */
type CountedChange = {
  after: LitItemRow;
  booked: number;
  place: ItemPlace;
  cause: Cause;
  /** Picker of the order who gets credit for pieces of a line that stays open, or null if nobody does. */
  countedBy: string | null;
  /** Person who finished the line without being a picker of the order, or null. */
  finishedBy: string | null;
};

/** Counts a change to an item in the pickers' figures. */
export function countChange(
  repositories: TablesOf<'orders'>,
  tx: Transaction,
  { order, item }: Found,
  { after, booked, place, cause, countedBy, finishedBy }: CountedChange,
): void {
  const { picks } = repositories;
  const isOpenAgain = isOver(item) && !isOver(after);
  if (isOpenAgain) picks.reopen(item.id, tx.now - DAY_MS, -booked);
  if (isOver(item) && after.state === 'short' && cause.reason !== undefined)
    picks.setReason(cause.reason, item.id, tx.now - DAY_MS);
  // Correcting a finished line does not finish it again.
  const isFinished = isOver(after) && !isOver(item);
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
  const owner = order.pickers.find(({ name }) => name === after.picker);
  const deviceId = place.deviceId === '' ? (owner?.deviceId ?? null) : place.deviceId;
  // Pickers who open their own line again continue at its device.
  if (isOpenAgain && owner !== undefined && nameKey(owner.name) === nameKey(cause.by))
    repositories.orderPickers.save(order.id, { ...owner, deviceId });
  const picker = isOver(after) ? owner : undefined;
  if (picker !== undefined) {
    const { name, confirmedAt } = picker;
    repositories.orderPickers.save(order.id, { ...picker, deviceId, confirmedAt: isFinished ? tx.now : confirmedAt });
    if (isFinished) picks.insert({ ...line, picker: name, tookMs: tookMs(picker, tx.now) });
    return;
  }
  const isCounted = countedBy !== null && booked > 0;
  if (isCounted) {
    const pieces = { isLine: false, isShort: false, tookMs: null, lightMs: null };
    picks.insert({ ...line, ...pieces, picker: countedBy });
  }
  // If the line's picker is not a picker of the order, count the line for `finishedBy`, or for nobody.
  if (isFinished) picks.insert({ ...line, picker: finishedBy ?? '', units: isCounted ? 0 : booked, tookMs: null });
}

/** Returns the milliseconds since the picker's previous line. Returns null after a break, or if the clock was set back. */
function tookMs({ confirmedAt }: OrderPickerRow, now: number): number | null {
  const took = now - confirmedAt;
  return took >= 0 && took <= MAX_LINE_MS ? took : null;
}

import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { Transaction } from '../../db/writer.ts';
import { itemTargets, takesPlace } from './articlePlaces.ts';
import { setItem } from './items.ts';
import { titleOfItem } from './itemWords.ts';
import { lightItem } from './launch.ts';
import type { OrderContext } from './types.ts';
import { findItem } from './work/work.ts';
import { type EmptiedAt } from './work/stock.ts';

/**
 * Moves open lines of other orders from a place that was reported empty to the next place of their article. Moves a line only if the
 * station chose its place, none of its pieces are picked, and no picker is working on it. Lines stay lit if all other places are known to
 * be empty. Contract, section 20.
 */
export function leaveEmptied(
  context: OrderContext,
  tx: Transaction,
  { articleId, place, orderId, by }: EmptiedAt,
): void {
  const { batches } = context.repositories;
  const reporting = batches.findOf(orderId);
  const inBatches = new Map<number, number[]>();
  for (const { id } of context.repositories.items.listWaitingAt(articleId, nameKey(place))) {
    // Read the line again, because moving earlier lines may have changed the available stock.
    const found = findItem(context.repositories, id);
    if (found === undefined || found.order.id === orderId || !canMove(context, found.item)) continue;
    const batch = batches.findOf(found.order.id);
    if (batch !== undefined) {
      // The pickers of the reporting batch are at the place, so they decide.
      if (batch !== reporting) inBatches.set(batch, [...(inBatches.get(batch) ?? []), id]);
      continue;
    }
    const { item, order } = found;
    const [next] = itemTargets(context, [item], ({ picker }) => picker !== null);
    if (next?.place === undefined || next.lacksStock || nameKey(next.place) === nameKey(place)) continue;
    const moved: LitItemRow = { ...item, state: 'open', trouble: null };
    setItem(context, tx, found, moved, { kind: 'order_moved', by, reason: undefined });
    lightItem(context, tx, id, { by, where: 'place' });
    tx.emit({
      type: 'line.moved',
      order_number: order.orderNumber,
      item_id: id,
      text: titleOfItem(item),
      from: place,
      location: next.place,
      picker: item.picker,
      by,
    });
  }
  for (const [batch, itemIds] of inBatches) context.holds.emptied(tx, batch, { itemIds, place, by });
}

function canMove({ repositories, commands }: OrderContext, item: LitItemRow): boolean {
  if (item.state !== 'active' || item.fulfilled > 0 || !takesPlace(item)) return false;
  const command = repositories.commands.findByOwner({ kind: 'item', id: item.id });
  const isCounted = command?.adjustment?.by === 'device' && command.adjusted !== null;
  return !isCounted && !commands.isInHand({ kind: 'item', id: item.id });
}

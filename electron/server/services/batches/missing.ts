import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { BatchPickRow } from '../../db/repositories/batches.ts';
import type { Transaction } from '../../db/writer.ts';
import { byRank, openOf, pickedOf } from '../../domain/batches/shares.ts';
import type { Share } from '../../domain/batches/types.ts';
import { apply, getBatch } from './apply.ts';
import { racksOf } from './people.ts';
import { insertSharedPicks } from './sharedPicks.ts';
import type { BatchesContext, Doer, Open } from './types.ts';

/** Returns the keys of the places where pieces of an item were missing, including `place`. */
function missingAt({ repositories }: BatchesContext, { row }: Open, itemId: number, place: string): Set<string> {
  return new Set([nameKey(place), ...repositories.batches.listMissing(row.id, itemId)]);
}

/** Returns the ids of the shares whose missing pieces may be at another place of the same article. Contract, section 21. */
export function movable(
  context: BatchesContext,
  open: Open,
  shares: readonly Share[],
  { place }: Pick<BatchPickRow, 'place'>,
): Set<number> {
  if (place === null) return new Set();
  const canMove = ({ itemId }: Share): boolean =>
    context.batchWork.nextPlace(itemId, { needed: 1, except: missingAt(context, open, itemId, place) }) !== undefined;
  return new Set(shares.filter(canMove).map(({ id }) => id));
}

/**
 * Moves the light for pieces that were missing at the last pick to the next place of their article. If there is no such place, closes the
 * item as short.
 */
export function moveMissing(
  context: BatchesContext,
  tx: Transaction,
  open: Open,
  pick: Pick<BatchPickRow, 'place' | 'picker'>,
  doer: Doer,
): Open {
  const { batches } = context.repositories;
  const { place } = pick;
  if (place === null) return open;
  const waiting = open.batch.shares.filter(
    (share) => share.found !== null && share.pickId === null && openOf(share) > 0,
  );
  const pickOf = insertSharedPicks(context.repositories.batches, open.row.id);
  const helperAt = waiting.length === 0 ? undefined : helpersAt(context, open);
  const picks = new Map<number, number>();
  const lost = new Set<number>();
  for (const share of waiting.toSorted(byRank)) {
    const { itemId, article } = share;
    const except = missingAt(context, open, itemId, place);
    batches.addMissing(open.row.id, itemId, nameKey(place));
    const next = context.batchWork.nextPlace(itemId, { needed: openOf(share), except });
    if (next === undefined) {
      lost.add(itemId);
      continue;
    }
    context.batchWork.move(tx, itemId, next, doer.by);
    const { target } = next;
    const id = pickOf([target?.deviceId ?? '', target?.target ?? '', nameKey(next.place), article], () => ({
      target,
      location: next.place,
      place: next.place,
      picker: helperAt?.(target?.deviceId) ?? pick.picker,
    }));
    picks.set(share.id, id);
  }
  let after = apply(context, tx, open, { kind: 'placed', picks }, doer);
  for (const itemId of lost) after = apply(context, tx, after, { kind: 'shorted', itemId, reason: '' }, doer);
  return after;
}

/**
 * Moves lights away from a place that somebody outside the batch found empty. Each light moves with its open pieces to the next place of
 * its article. A light stays if a worker has changed its quantity on the device, if its picker has arrived there, if `itemIds` lacks one of
 * its items, or if no other place has pieces.
 */
export function leaveEmptied(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  { itemIds, place, by }: { itemIds: readonly number[]; place: string; by: string },
): void {
  const { commands, repositories } = context;
  const { batches } = repositories;
  const open = getBatch(repositories, id);
  const meant = new Set(itemIds);
  const helperAt = helpersAt(context, open);
  const waiting = open.batch.shares.filter((share) => share.pickId !== null && openOf(share) > 0);
  const picks = new Map<number, number>();
  for (const [pickId, shares] of Map.groupBy(waiting, (share) => share.pickId ?? 0)) {
    const pick = batches.findPick(pickId);
    const [first] = shares;
    if (first === undefined || pick === undefined || nameKey(pick.place ?? '') !== nameKey(place)) continue;
    const owner = { kind: 'pick', id: pickId } as const;
    const command = repositories.commands.findByOwner(owner);
    const isCounted = command?.adjustment?.by === 'device' && command.adjusted !== null;
    if (isCounted || commands.isInHand(owner) || shares.some(({ itemId }) => !meant.has(itemId))) continue;
    const needed = shares.reduce((sum, share) => sum + openOf(share), 0);
    const except = new Set(shares.flatMap(({ itemId }) => [...missingAt(context, open, itemId, place)]));
    const next = context.batchWork.nextPlace(first.itemId, { needed, except });
    if (next === undefined) continue;
    const { target } = next;
    if (command !== undefined) commands.withdraw(tx, owner, by);
    // Keep the pick's id, so that a press in transit still counts.
    batches.movePick({
      id: pickId,
      deviceId: target?.deviceId ?? null,
      target: target?.target ?? 'device',
      alias: target?.alias ?? '',
      location: next.place,
      place: next.place,
      picker: helperAt(target?.deviceId) ?? pick.picker,
      now: tx.now,
    });
    for (const { id: shareId, itemId } of shares) {
      batches.addMissing(id, itemId, nameKey(place));
      context.batchWork.move(tx, itemId, next, by);
      picks.set(shareId, pickId);
    }
  }
  if (picks.size > 0) apply(context, tx, open, { kind: 'placed', picks }, { by });
}

/** Returns a function that finds the helper who has all open lines on a device's rack, or returns undefined if there is no such helper. */
function helpersAt({ repositories }: BatchesContext, { row, batch }: Open): (deviceId?: string) => string | undefined {
  if (repositories.batches.listHelpers(row.id).length === 0) return () => undefined;
  const rackAt = racksOf(repositories.map.get());
  const open = new Set(batch.shares.flatMap((share) => (openOf(share) > 0 ? [share.pickId] : [])));
  const pickersAt = new Map<string, Set<string | null>>();
  for (const { id, deviceId, picker } of repositories.batches.listPicks(row.id)) {
    const rack = rackAt.get(deviceId ?? '');
    if (rack !== undefined && open.has(id)) pickersAt.set(rack, (pickersAt.get(rack) ?? new Set()).add(picker));
  }
  return (deviceId = '') => {
    const rack = rackAt.get(deviceId);
    const [picker, ...others] = (rack === undefined ? undefined : pickersAt.get(rack)) ?? [];
    return others.length === 0 ? (picker ?? undefined) : undefined;
  };
}

/** Stores the reason why pieces are missing, either for the shares of the last pick or for those of one item. */
export function giveReason(
  { batchWork }: BatchesContext,
  tx: Transaction,
  { batch }: Open,
  {
    reason,
    pick,
    itemId,
    by,
    picker,
  }: Doer & { reason: string | undefined; pick: BatchPickRow | undefined; itemId?: number | undefined },
): void {
  if (reason === undefined || reason === '') return;
  const isMeant = (share: Share): boolean =>
    share.picked < share.quantity && (itemId === undefined ? share.found !== null : share.itemId === itemId);
  const place = { deviceId: pick?.deviceId ?? '', location: pick?.location ?? '' };
  for (const id of new Set(batch.shares.filter(isMeant).map((share) => share.itemId)))
    batchWork.giveReason(tx, id, { reason, place, pickedAt: pick?.place ?? undefined, by, forWhom: picker });
}

/**
 * Forgets that an item was missing at a place, before somebody searches for its pieces again. Affects the item's current place or, if no
 * pieces are picked, all its places.
 */
export function lookAgain(context: BatchesContext, tx: Transaction, open: Open, itemId: number, doer: Doer): void {
  const { batches, items } = context.repositories;
  const item = items.find(itemId);
  const place = pickedOf(open.batch, itemId) > 0 ? (item?.place ?? undefined) : undefined;
  batches.removeMissing(open.row.id, itemId, place === undefined ? undefined : nameKey(place));
  const { by, picker } = doer;
  const at = { deviceId: item?.foundDeviceId ?? '', location: item?.place ?? '' };
  context.batchWork.takeReasonBack(tx, itemId, { place: at, pickedAt: place, by, forWhom: picker });
}

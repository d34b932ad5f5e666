import { listText } from '#shared/lib/text/locale.ts';
import type { BatchShort } from '#shared/api/batch.ts';
import type { Transaction } from '../../db/writer.ts';
import { nextBatch } from '../../domain/batches/batch.ts';
import { inHandOf, isLive, openOf, pickedOf } from '../../domain/batches/shares.ts';
import type { BatchContent, BatchEvent } from '../../domain/batches/types.ts';
import { StationError } from '../../errors.ts';
import { checkReason, type Found, type HeldChange, lineWords } from '../orders/index.ts';
import { apply, articleWords, getBatch } from './apply.ts';
import { refuseFreed } from './freedSlots.ts';
import { confirmHeld, openPieces, whoseHand } from './confirms.ts';
import { giveReason, lookAgain } from './missing.ts';
import { bookIntended, relight } from './picks.ts';
import type { BatchesContext, Doer, Open } from './types.ts';

/**
 * Books pieces that were returned to their place. Returns true if the order is in a batch, in which case the batch booked the pieces.
 * Throws `conflict` if that batch has fewer pieces to put back.
 */
export function piecesReturned(
  context: BatchesContext,
  tx: Transaction,
  { item, order }: Found,
  { quantity, by }: { quantity: number; by: string },
): boolean {
  const { batches } = context.repositories;
  const holder = batches.findOf(order.id);
  if (holder !== undefined) {
    const open = getBatch(context.repositories, holder);
    const asked = open.batch.shares.reduce(
      (sum, share) => sum + (share.itemId === item.id && isLive(share) ? share.putBack : 0),
      0,
    );
    if (quantity > asked) {
      const remedy = 'Remove the order from its slot first, or correct the line.';
      const known = `which has ${asked} pieces of this line to put back, not ${quantity}`;
      throw new StationError(
        'conflict',
        `Order ${order.orderNumber} is in ${open.row.carrierName}, ${known}. ${remedy}`,
      );
    }
    apply(context, tx, open, { kind: 'returned', itemId: item.id, quantity }, { by });
    return true;
  }
  let rest = quantity;
  const toReturn = ({ batch }: Open): number =>
    batch.shares.reduce((sum, share) => sum + (share.itemId === item.id ? share.putBack : 0), 0);
  for (const id of batches.listPutBack(item.id)) {
    const open = getBatch(context.repositories, id);
    if (rest > 0) apply(context, tx, open, { kind: 'returned', itemId: item.id, quantity: rest }, { by });
    rest -= toReturn(open);
  }
  return false;
}

/**
 * Confirms, closes, reopens or corrects one item of an order that is in a batch. Throws `invalid`, or `conflict` if the change does not fit,
 * for example because the slot of the pieces was freed.
 */
export function changeHeld(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  found: Found,
  change: HeldChange,
): void {
  const { item } = found;
  if (change.kind === 'intended') return bookLight(context, tx, getBatch(context.repositories, id), item.id, change);
  if (change.kind === 'confirmed') {
    const open = getBatch(context.repositories, id);
    const quantity = change.quantity ?? openPieces(open.batch, item.id);
    const { by, picker, reason = '' } = change;
    return void confirmHeld(context, tx, open, new Map([[item.id, quantity]]), { by, picker, reason });
  }
  const isPress = change.kind === 'reopened' && change.isPress === true;
  // Where a pick is a put, no hand tells whose pieces an undo without a number takes.
  const isLast = !isPress && change.quantity === undefined && isPutByPick(getBatch(context.repositories, id).batch);
  if (change.kind === 'reopened' && (change.isOwn === true || isLast))
    refusePressOfOther(context, id, found, change.by);
  // Light everything at once, so that pieces of one article share a light.
  const after = isPress ? reopenPress(context, tx, id, found, change) : changeItem(context, tx, id, found, change);
  relight(context, tx, after, change.by);
}

/** Returns what the last confirmation of an item booked, also of other items. */
function pressOf({ repositories }: BatchesContext, id: number, { shares }: BatchContent, itemId: number) {
  return shares
    .filter((share) => share.itemId === itemId && isLive(share))
    .flatMap(({ id: shareId }) => repositories.batches.listPickedWith({ batchId: id, shareId }));
}

/** Whether picked pieces go straight into their slots. */
const isPutByPick = ({ kind, putConfirmation }: BatchContent): boolean => kind === 'cart' && putConfirmation === 'none';

/** Throws `conflict` if a picker takes back what somebody else has confirmed last. */
function refusePressOfOther(context: BatchesContext, id: number, { item, order }: Found, by: string): void {
  const { batch } = getBatch(context.repositories, id);
  const user = context.repositories.accounts.findUser(by);
  const other = pressOf(context, id, batch, item.id)[0]?.by ?? '';
  if (user?.role !== 'picker' || other === '' || other === user.username) return;
  throw new StationError(
    'conflict',
    `${other} picked ${lineWords(item)} of order ${order.orderNumber} last, so ${user.username} cannot take that back.`,
  );
}

/**
 * Takes back what the last confirmation of this item booked, with everything that it booked together. Pieces that were put since stay in their
 * slots. Throws `conflict` if this is not known, for example because a part of it was confirmed again since.
 */
function reopenPress(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  found: Found,
  { by, picker, quantity: kept }: HeldChange,
): Open {
  const { repositories, batchWork } = context;
  const { item } = found;
  const { batch } = getBatch(repositories, id);
  const live = new Map(batch.shares.filter(isLive).map((share) => [share.id, share]));
  const rows = pressOf(context, id, batch, item.id);
  if (rows.length === 0) {
    throw new StationError(
      'conflict',
      `A part of what was booked with ${lineWords(item)} of order ${found.order.orderNumber} was booked again since. Take back each line on its own.`,
    );
  }
  const pieces = new Map(rows.map((row) => [row.shareId, row]));
  const ofItem = Map.groupBy(pieces.values(), ({ shareId }) => live.get(shareId)?.itemId);
  const isPutToo = isPutByPick(batch);
  let after: Open | undefined;
  for (const [itemId, booked] of ofItem) {
    const other = itemId === undefined ? undefined : batchWork.find(itemId);
    if (other === undefined) continue;
    const taken = booked.reduce((sum, { shareId, quantity }) => {
      const share = live.get(shareId);
      return sum + (share === undefined ? 0 : Math.min(quantity, inHandOf(share) + (isPutToo ? share.put : 0)));
    }, 0);
    const quantity = (itemId === item.id ? kept : undefined) ?? other.item.fulfilled - taken;
    const isEmpty = quantity === other.item.fulfilled;
    // A share of which the confirmation found no pieces is reopened only if it is still short, or moved to another place.
    if (isEmpty && (booked.some((each) => each.quantity > 0) || !isReopened(batch, other))) continue;
    const whose = booked[0]?.by;
    after = changeItem(context, tx, id, other, { kind: 'reopened', quantity, by, picker }, whose);
  }
  // Nothing can be taken back, so the change does not fit.
  const same = { kind: 'reopened', quantity: kept ?? item.fulfilled, by, picker } as const;
  return after ?? changeItem(context, tx, id, found, same);
}

/** Whether the item has pieces to pick again if it keeps its pieces. */
function isReopened(batch: BatchContent, { item }: Found): boolean {
  const event = { kind: 'reopened', itemId: item.id, quantity: pickedOf(batch, item.id) } as const;
  return nextBatch(batch, event) !== batch;
}

function changeItem(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  { item, order }: Found,
  change: CloseChange,
  holder?: string,
): Open {
  const open = getBatch(context.repositories, id);
  const { by, picker, reason = '' } = change;
  const inBatch = pickedOf(open.batch, item.id);
  const before = item.fulfilled - inBatch;
  const doer = { by, picker };
  const share = open.batch.shares.find((each) => each.itemId === item.id && openOf(each) > 0);
  const pickId = share?.pickId ?? null;
  const pick = pickId === null ? undefined : context.repositories.batches.findPick(pickId);
  const whose = holder ?? whoseHand(context, open, { by, picker }, pick);
  const lastBy = holder ?? pressOf(context, id, open.batch, item.id)[0]?.by;
  const event = eventOf(open, { item, before, change, reason, whose, lastBy });
  refuseFreed(open, event);
  // Restore emptied places first, because returned pieces are stock movements at those places.
  const reopened = event.kind === 'reopened' ? nextBatch(open.batch, event) : open.batch;
  if (reopened !== open.batch) lookAgain(context, tx, { ...open, batch: reopened }, item.id, doer);
  const after = apply(context, tx, open, event, {
    ...doer,
    correction: change.kind === 'corrected' ? reason : undefined,
  });
  if (after.batch === open.batch && !(change.kind === 'corrected' && change.quantity === item.fulfilled)) {
    throw new StationError(
      'conflict',
      `${inBatch} pieces of ${lineWords(item)} of order ${order.orderNumber} are picked into ${open.row.carrierName}. This change does not fit. GET /api/batches/${id}/ lists the pieces.`,
    );
  }
  if (event.kind === 'shorted') giveReason(context, tx, after, { ...doer, reason, pick, itemId: item.id });
  if (event.kind === 'reopened') {
    for (const { id: shareId, itemId } of after.batch.shares)
      if (itemId === item.id) context.repositories.batches.forgetPicked(id, shareId);
  }
  return after;
}

/** Books the light of an item as its person found it, by default everything. Throws `conflict` if the item is not lit. */
function bookLight(
  context: BatchesContext,
  tx: Transaction,
  { batch }: Open,
  itemId: number,
  how: { by: string; quantity: number | undefined },
): void {
  const pickId = batch.shares.find((share) => share.itemId === itemId && openOf(share) > 0)?.pickId ?? null;
  if (pickId === null || !bookIntended(context, tx, pickId, how))
    throw new StationError('conflict', 'Both are booked. Nothing was changed.');
}

/**
 * Closes items as short with the pieces picked so far. Returns a warning that names items without missing pieces. Throws `invalid` for an
 * unknown reason, or for an item that is not in the batch.
 */
export function closeShort(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  { items, reason }: Pick<BatchShort, 'items' | 'reason'>,
  doer: Doer,
): string | undefined {
  checkReason(context, reason);
  let open = getBatch(context.repositories, id);
  const known = new Set(open.batch.shares.map(({ itemId }) => itemId));
  const foreign = items.flatMap((itemId, index) => {
    const message = `${articleWords(context.repositories, itemId)} is not in ${open.row.carrierName}. GET /api/batches/${id}/ lists its items.`;
    return known.has(itemId) ? [] : [{ path: `/items/${index}`, message }];
  });
  if (foreign[0] !== undefined) throw new StationError('invalid', foreign[0].message, foreign);
  const unchanged: number[] = [];
  for (const itemId of new Set(items)) {
    const share = open.batch.shares.find((each) => each.itemId === itemId && openOf(each) > 0);
    if (share === undefined) {
      unchanged.push(itemId);
      continue;
    }
    const pick = share.pickId === null ? undefined : context.repositories.batches.findPick(share.pickId);
    open = apply(context, tx, open, { kind: 'shorted', itemId, reason }, doer);
    giveReason(context, tx, open, { ...doer, reason, pick, itemId });
  }
  if (unchanged.length === 0) return undefined;
  const names = [...new Set(unchanged.map((itemId) => articleWords(context.repositories, itemId)))];
  return `${listText(names)} ${names.length === 1 ? 'has' : 'have'} no missing pieces. Nothing was changed there.`;
}

/** A change other than a confirmation. */
type CloseChange = HeldChange & { kind: Exclude<HeldChange['kind'], 'confirmed' | 'intended'> };

function eventOf(
  { row }: Open,
  {
    item,
    before,
    change,
    reason,
    whose,
    lastBy,
  }: {
    item: Found['item'];
    before: number;
    change: CloseChange;
    reason: string;
    whose: string;
    lastBy: string | undefined;
  },
): BatchEvent {
  const itemId = item.id;
  switch (change.kind) {
    case 'shorted':
      if (change.quantity !== undefined && change.quantity !== item.fulfilled) {
        throw new StationError(
          'conflict',
          `${item.fulfilled} pieces are picked into ${row.carrierName}. Correct them first, then close the rest.`,
        );
      }
      return { kind: 'shorted', itemId, reason };
    case 'reopened':
      return {
        kind: 'reopened',
        itemId,
        quantity: change.quantity === undefined ? undefined : change.quantity - before,
        by: whose,
        last: item.lastBooked === 0 ? undefined : item.lastBooked,
        lastBy,
      };
    case 'corrected':
      return { kind: 'corrected', itemId, picked: change.quantity - before };
  }
}

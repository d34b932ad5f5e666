import type { HandChange, Reassign } from '#shared/api/batch.ts';
import type { Transaction } from '../../db/writer.ts';
import { inHandOf, isWaiting } from '../../domain/batches/shares.ts';
import { isRestorable } from '../../domain/batches/slots.ts';
import type { BatchEvent, Held } from '../../domain/batches/types.ts';
import { freeSlots } from '../../domain/batches/wall.ts';
import { StationError } from '../../errors.ts';
import { checkReason } from '../orders/index.ts';
import { apply, articleWords, getBatch, piecesOf } from './apply.ts';
import { refuseFreed } from './freedSlots.ts';
import { holdAgain, refuseOtherBatch } from './holdAgain.ts';
import { giveReason, movable, moveMissing } from './missing.ts';
import { enlistHolder } from './people.ts';
import { relight } from './picks.ts';
import { getSlot } from './puts.ts';
import type { BatchesContext, Doer, Open } from './types.ts';

/** Moves the contents of a slot to a free slot. Throws `not_found` or `conflict`. */
export function moveSlot(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  { slot, to }: { slot: string; to: string },
  doer: Doer,
): void {
  const open = getBatch(context.repositories, id);
  const [from, other] = [getSlot(open, slot), getSlot(open, to)];
  if (from.state === 'free') throw new StationError('conflict', `Slot ${slot} is free: there is nothing to move.`);
  if (other.state !== 'free')
    throw new StationError('conflict', `Slot ${to} holds ${other.held?.orderNumber}. Choose a free slot.`);
  apply(context, tx, open, { kind: 'moved', slot, to }, doer);
}

/** Marks a slot as full: a free slot takes the rest of the shipment. Throws `not_found` or `conflict`. */
export function fullSlot(context: BatchesContext, tx: Transaction, id: number, slot: string, doer: Doer): void {
  const open = getBatch(context.repositories, id);
  const { state } = getSlot(open, slot);
  if (state !== 'open')
    throw new StationError('conflict', `Slot ${slot} is ${state}. Only an open slot can be marked as full.`);
  const [free] = freeSlots(open.batch, tx.now);
  if (free === undefined) throw new StationError('conflict', 'No slot is free. Free one first.');
  apply(context, tx, open, { kind: 'full', slot, to: free }, doer);
}

/** Removes a slot's order from the batch. Throws `not_found`, or `conflict` while pieces for the order are in hand. */
export function removeOrder(context: BatchesContext, tx: Transaction, id: number, slot: string, doer: Doer): void {
  const open = getBatch(context.repositories, id);
  const { held, state } = getSlot(open, slot);
  if (held === null || (state !== 'open' && state !== 'complete')) {
    throw new StationError('conflict', `Slot ${slot} is ${state}. It has no order to remove.`);
  }
  removeUnlessInHand(context, tx, open, held, doer);
}

/** Removes an order from the batch by its number, even if the order waits for a slot. Throws the same errors as `removeOrder`. */
export function removeOrderByNumber(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  orderNumber: string,
  doer: Doer,
): void {
  const open = getBatch(context.repositories, id);
  const order = context.repositories.orders.findByName(orderNumber);
  if (order === undefined || context.repositories.batches.findOf(order.id) !== id)
    throw new StationError('not_found', `Order ${orderNumber} is not in ${open.row.carrierName}.`);
  removeUnlessInHand(context, tx, open, { orderId: order.id, orderNumber: order.orderNumber }, doer);
}

function removeUnlessInHand(
  context: BatchesContext,
  tx: Transaction,
  open: Open,
  { orderId, orderNumber }: Pick<Held, 'orderId' | 'orderNumber'>,
  doer: Doer,
): void {
  const own = open.batch.shares.filter((share) => share.orderId === orderId && share.ending !== 'stopped');
  if (own.some((share) => inHandOf(share) > 0))
    throw new StationError('conflict', `Pieces for ${orderNumber} are in hand. First put them, or undo their pick.`);
  releaseOrder(context, tx, open, orderId, doer);
}

/** Removes the batch that ended first, if it ended before this time. Returns whether it removed a batch. */
export function removeOldest({ repositories }: BatchesContext, tx: Transaction, before: number): boolean {
  const id = repositories.batches.findEnded(before);
  if (id === undefined) return false;
  repositories.batches.remove(id);
  tx.emit({ type: 'batch.removed', batch_id: id });
  return true;
}

/** Removes an order from the batch, with its picked pieces, and turns off its lights. */
function releaseOrder(context: BatchesContext, tx: Transaction, open: Open, orderId: number, doer: Doer): Open {
  const after = apply(context, tx, open, { kind: 'stopped', orderId }, doer);
  const order = context.repositories.orders.find(orderId);
  if (order !== undefined) context.batchWork.turnOff(tx, order, doer.by);
  return after;
}

/** Removes an aborted or deleted order from the batch. The caller turns off the order's items. */
export function orderStopped(context: BatchesContext, tx: Transaction, orderId: number, by: string): void {
  const id = context.repositories.batches.findOf(orderId);
  if (id === undefined) return;
  apply(context, tx, getBatch(context.repositories, id), { kind: 'stopped', orderId }, { by });
}

/**
 * Ends a batch and releases its open orders. With `abortsOrders`, also aborts these orders. With `frees`, also frees all slots. Returns a
 * warning if nothing changed. Throws `not_found`.
 */
export function abortBatch(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  { abortsOrders, frees, by }: { abortsOrders: boolean; frees: boolean; by: string },
): string | undefined {
  const before = getBatch(context.repositories, id);
  let open = before;
  const orders = new Set(
    open.batch.slots.flatMap(({ state, held }) => (state === 'open' && held !== null ? [held.orderId] : [])),
  );
  for (const share of open.batch.shares) if (isWaiting(share)) orders.add(share.orderId);
  for (const orderId of orders) {
    open = releaseOrder(context, tx, open, orderId, { by });
    if (abortsOrders) context.batchWork.abort(tx, orderId, by);
  }
  open = apply(context, tx, open, { kind: 'aborted' }, { by });
  if (frees) open = freeAll(context, tx, open, ['complete', 'stopped'], { by });
  return open.batch === before.batch ? `${open.row.carrierName} has nothing to abort. Nothing was done.` : undefined;
}

/**
 * Frees a slot. Pieces in a stopped slot have to be put back, unless `keeps` is set. Throws `not_found`, or `conflict` if the slot is not
 * complete or stopped.
 */
export function freeSlot(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  slot: string,
  { keeps, ...doer }: Doer & { keeps: boolean },
): void {
  const open = getBatch(context.repositories, id);
  const { state, held } = getSlot(open, slot);
  if (state === 'open') {
    const remedy = `DELETE .../slots/${slot}/ removes the order.`;
    throw new StationError('conflict', `Slot ${slot} is open: ${held?.orderNumber} is not complete. ${remedy}`);
  }
  if (state === 'free') throw new StationError('conflict', `Slot ${slot} is already free.`);
  free(context, tx, open, { slot, keeps }, doer);
}

/** Frees a slot. Pieces of a fulfilled order stay with the order. */
function free(
  context: BatchesContext,
  tx: Transaction,
  open: Open,
  { slot, keeps }: { slot: string; keeps: boolean },
  doer: Doer,
): Open {
  const held = open.batch.slots.find((each) => each.slot === slot)?.held;
  const order = held === null || held === undefined ? undefined : context.repositories.orders.find(held.orderId);
  const by = doer.picker ?? doer.by;
  const event = { kind: 'freed', slot, at: tx.now, by, keeps: keeps || order?.state === 'fulfilled' } as const;
  return apply(context, tx, open, event, doer);
}

/**
 * Frees a complete slot after a long press on its back device, or on its front device if it has no back device. Returns whether it freed
 * the slot.
 */
export function slotHeld(context: BatchesContext, tx: Transaction, deviceId: string): boolean {
  const { batches, carriers } = context.repositories;
  const serves = carriers.findDevice(deviceId);
  const id = serves === undefined ? undefined : batches.findLiveSlots(serves.carrierId);
  if (serves === undefined || id === undefined) return false;
  const open = getBatch(context.repositories, id);
  const isComplete = open.batch.slots.some(({ slot, state }) => slot === serves.slot && state === 'complete');
  const hasBack = carriers.findDeviceAt(serves.carrierId, serves.slot, 'back') !== undefined;
  if (!isComplete || (serves.side === 'front' && hasBack)) return false;
  free(context, tx, open, { slot: serves.slot, keeps: false }, { by: 'device' });
  return true;
}

/** Frees all complete slots. Returns a warning if no slot is complete. */
export function freeComplete(context: BatchesContext, tx: Transaction, id: number, doer: Doer): string | undefined {
  const open = getBatch(context.repositories, id);
  const after = freeAll(context, tx, open, ['complete'], doer);
  return after.batch === open.batch ? `No slot of ${open.row.carrierName} is complete. Nothing was done.` : undefined;
}

function freeAll(context: BatchesContext, tx: Transaction, open: Open, states: readonly string[], doer: Doer): Open {
  let current = open;
  for (const { slot, state } of open.batch.slots)
    if (states.includes(state)) current = free(context, tx, current, { slot, keeps: false }, doer);
  return current;
}

/**
 * Restores a slot that was freed. Drops its tote if another slot has it now. Throws `not_found`, or `conflict` if the slot holds something
 * else, if its contents have changed, or if its cart or wall is in another batch.
 */
export function undoFree(context: BatchesContext, tx: Transaction, id: number, slot: string, doer: Doer): void {
  const open = getBatch(context.repositories, id);
  const restored = getSlot(open, slot);
  const { state, held, freed } = restored;
  if (state !== 'free' || freed === null || held === null) {
    throw new StationError('conflict', `Slot ${slot} is ${state}. There is nothing to undo.`);
  }
  refuseOtherBatch(context, open);
  if (freed.state === 'complete') {
    if (!isRestorable(open.batch, restored)) {
      const isAgain = context.repositories.batches.findOf(held.orderId) === id;
      const what = `${isAgain ? 'has been loaded again into' : 'was removed from'} ${open.row.carrierName}`;
      throw new StationError('conflict', `Order ${held.orderNumber} ${what}. Nothing was changed.`);
    }
    holdAgain(context, open, held);
  }
  if (freed.state === 'stopped' && !isThere(context, open, slot)) {
    throw new StationError(
      'conflict',
      `The pieces from slot ${slot} are already back at their places, or their task was dismissed. Nothing was changed.`,
    );
  }
  // Another slot may have got the tote since.
  const losesTote = restored.tote !== null && context.repositories.batches.findTote(restored.tote) !== undefined;
  apply(context, tx, open, { kind: 'freeUndone', slot, losesTote }, doer);
}

/** Whether the pieces of a freed slot are still waiting to be put back. */
function isThere({ itemStock }: BatchesContext, { batch }: Open, slot: string): boolean {
  const own = batch.shares.filter((share) => share.slot === slot && share.ending === 'stopped');
  const asked = own.filter(({ putBack }) => putBack > 0);
  return (
    own.some(({ put, putBack }) => put + putBack > 0) &&
    asked.every((each) => itemStock.putBacks.isOpen(piecesOf(each)))
  );
}

/**
 * Resolves pieces that a person still holds, or scanned without putting them. With `all`, resolves those of everyone, and returns a warning
 * if there are none. Throws `not_found`, or `conflict` if the person holds nothing.
 */
export function settleHand(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  ask: HandChange,
  doer: Doer,
): string | undefined {
  const before = getBatch(context.repositories, id);
  const { hands, scanned } = before.batch;
  const holders = new Set([...(ask.do === 'set_aside' ? [] : hands), ...scanned].map(({ by }) => by));
  // Pieces that a program takes for nobody belong to everyone.
  const by = context.repositories.accounts.findUser(doer.picker ?? doer.by)?.username ?? '';
  const isScans = ask.do === 'set_aside';
  if (ask.all !== true && !holders.has(ask.by))
    throw new StationError(
      'conflict',
      `${nothingHeld(before.row.carrierName, ask)} GET /api/batches/${id}/ lists the hands and scans.`,
    );
  if (ask.do === 'take' && holders.size > 0) enlistHolder(context, tx, before, { name: by, by: doer.by });
  let open = before;
  for (const from of ask.all === true ? holders : [ask.by]) {
    const event = (
      {
        take: { kind: 'handTaken', from, by },
        missing: { kind: 'handMissing', from },
        put_back: { kind: 'handPutBack', from },
        set_aside: { kind: 'setAside', by: from },
      } as const
    )[ask.do];
    open = apply(context, tx, open, event, { ...doer, isLost: ask.do === 'missing' });
  }
  relight(context, tx, open, doer.by);
  if (ask.all !== true || holders.size > 0) return undefined;
  return `Nothing is ${isScans ? 'scanned' : 'in hand'}. Nothing was done.`;
}

function nothingHeld(carrier: string, { by, do: how }: HandChange): string {
  if (how === 'set_aside')
    return by === ''
      ? `At ${carrier}, all scans belong to a named person, or nothing is scanned.`
      : `${by} has scanned nothing at ${carrier} that is still to be put.`;
  return by === ''
    ? `At ${carrier}, all pieces in hand are held by a named person, or nothing is in hand.`
    : `${by} holds nothing for ${carrier}.`;
}

/** Redistributes the pieces of the last pick among its shares. Throws `invalid` or `conflict`. */
export function reassignShares(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  { shares, reason }: Reassign,
  doer: Doer,
): void {
  const open = getBatch(context.repositories, id);
  if (reason !== undefined) checkReason(context, reason);
  const last = open.batch.shares.filter(({ found }) => found !== null);
  const wanted = new Map<number, number>();
  for (const [index, { item_id: itemId, quantity }] of shares.entries()) {
    const share = last.find((each) => each.itemId === itemId);
    if (share === undefined) {
      const message = `${articleWords(context.repositories, itemId)} was not part of the last pick, or something has been confirmed since.`;
      throw new StationError('conflict', message, [{ path: `/shares/${index}/item_id`, message }]);
    }
    wanted.set(share.id, quantity);
  }
  const { lastPickId } = open.row;
  const pick = lastPickId === null ? undefined : context.repositories.batches.findPick(lastPickId);
  const fewer = last.filter(
    (share) => (wanted.get(share.id) ?? 0) < (share.found ?? 0) + share.quantity - share.picked,
  );
  // Shares that have already moved to another place keep their light.
  const moved = fewer.filter(({ pickId }) => pickId !== null).map(({ id }) => id);
  const moves = pick === undefined ? undefined : new Set([...moved, ...movable(context, open, fewer, pick)]);
  const event: BatchEvent = { kind: 'reassigned', shares: wanted, reason, moves };
  refuseFreed(open, event);
  const after = apply(context, tx, open, event, { ...doer, pickedAt: pick?.place ?? undefined });
  const found = last.reduce((sum, share) => sum + (share.found ?? 0), 0);
  const isSame = last.every((share) => wanted.get(share.id) === share.found);
  if (after.batch === open.batch && !isSame) {
    throw new StationError(
      'conflict',
      `The last pick has ${found} pieces for ${last.length} slots. Give each slot its part: no slot can get more than it needs.`,
    );
  }
  const placed = pick === undefined ? after : moveMissing(context, tx, after, pick, doer);
  giveReason(context, tx, placed, { ...doer, reason, pick });
}

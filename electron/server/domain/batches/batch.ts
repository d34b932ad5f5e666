import {
  bookPieces,
  confirmPieces,
  correctPieces,
  endHand,
  reassign,
  reopen,
  returnPieces,
  shortItem,
  type BatchChange,
} from './pieces.ts';
import { exchange, put, putAll } from './puts.ts';
import { addShipment, freeSlot, fullSlot, moveSlot, stop, undoFree, undoPut } from './slots.ts';
import { isLaunched, isSettled, isWaiting, openOf } from './shares.ts';
import type { BatchContent, BatchEvent, BatchState, Share, Slot } from './types.ts';
import { scanAtWall, setAside, settledScans, undoSingle } from './wall.ts';

/** Returns the batch as it is after an event. Returns the same object if the event does not apply, such as when an open slot is freed. */
export function nextBatch(batch: BatchContent, event: BatchEvent): BatchContent {
  const change = changed(batch, event);
  if (change === undefined) return batch;
  const changes = { ...batch, ...change };
  const settledSlots = { ...changes, slots: settled(changes) };
  const after = { ...settledSlots, scanned: settledScans(batch, settledSlots) };
  const isOver = batch.state === 'loading' ? event.kind === 'aborted' : ENDING.has(event.kind);
  const state = isOver && isDone(after) ? 'done' : isLaunched(after) ? launchedState(after) : after.state;
  return Object.keys(change).length === 0 && state === batch.state ? batch : { ...after, state };
}

/** Events that can end a launched batch. */
const ENDING: ReadonlySet<BatchEvent['kind']> = new Set(['freed', 'stopped', 'aborted', 'scanned', 'shorted']);

/** Returns the state of a launched batch. A bulk batch changes to `sorting` once no share is open. */
function launchedState({ kind, shares }: BatchContent): BatchState {
  if (kind === 'cart') return 'picking';
  return kind === 'bulk' && shares.some((share) => openOf(share) > 0) ? 'picking' : 'sorting';
}

function changed(batch: BatchContent, event: BatchEvent): BatchChange | undefined {
  switch (event.kind) {
    case 'freeUndone':
      return undoFree(batch, event);
    case 'added':
      return batch.state === 'done' ? undefined : addShipment(batch, event);
    case 'launched':
      return batch.state === 'done' ? undefined : launched(batch, event.picks);
    case 'placed':
      return event.picks.size === 0 ? undefined : { shares: placed(batch.shares, event.picks) };
    case 'paused':
      return isLaunched(batch) ? { state: 'paused' } : undefined;
    case 'picked':
      return bookPieces(batch, event);
    case 'confirmed':
      return confirmPieces(batch, event);
    case 'put':
      return put(batch, event);
    case 'putAll':
      return putAll(batch, event);
    case 'scanned':
      return scanAtWall(batch, event);
    case 'setAside':
      return setAside(batch, event.by);
    case 'putUndone':
      return event.slot === undefined ? undoSingle(batch, event) : undoPut(batch, event);
    case 'exchanged':
      return exchange(batch, event);
    case 'reassigned':
      return reassign(batch, event);
    case 'shorted':
      return shortItem(batch, event);
    case 'reopened':
      return reopen(batch, event);
    case 'corrected':
      return correctPieces(batch, event);
    case 'returned':
      return returnPieces(batch, event);
    case 'moved':
      return moveSlot(batch, event);
    case 'full':
      return fullSlot(batch, event);
    case 'freed':
      return freeSlot(batch, event);
    case 'stopped':
      return stop(batch, (share) => share.orderId === event.orderId);
    case 'aborted':
      return stop(batch, (share) => isWaiting(share) || isInOpen(batch, share)) ?? {};
    case 'handTaken':
    case 'handMissing':
    case 'handPutBack':
      return endHand(batch, event);
  }
}

function launched({ shares }: BatchContent, picks: ReadonlyMap<number, number>): BatchChange {
  return { state: 'picking', shares: placed(shares, picks) };
}

function placed(shares: readonly Share[], picks: ReadonlyMap<number, number>): Share[] {
  return shares.map((share) => {
    const pickId = picks.get(share.id);
    return pickId === undefined ? share : { ...share, pickId };
  });
}

/** Completes slots: a slot is complete once every share of its shipment is put or short. */
function settled({ slots, shares }: BatchContent): readonly Slot[] {
  const live = Map.groupBy(
    shares.filter(({ ending }) => ending !== 'stopped'),
    ({ shipmentId }) => shipmentId,
  );
  const isComplete = ({ held }: Slot): boolean => {
    const own = held === null ? undefined : live.get(held.shipmentId);
    return own?.every(isSettled) === true;
  };
  return slots.map((slot) => {
    if (slot.state !== 'open' && slot.state !== 'complete') return slot;
    const state = isComplete(slot) ? 'complete' : 'open';
    return slot.state === state ? slot : { ...slot, state };
  });
}

function isInOpen({ slots }: BatchContent, share: Share): boolean {
  return slots.some(({ slot, state }) => slot === share.slot && state === 'open');
}

function isDone({ slots, hands, scanned, shares }: BatchContent): boolean {
  const isEmpty = hands.length + scanned.length === 0 && slots.every(({ state }) => state === 'free');
  return isEmpty && !shares.some(isWaiting);
}

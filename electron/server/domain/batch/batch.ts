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
import { addShipment, freeSlot, fullSlot, moveSlot, put, putAll, stop, undoFree, undoPut } from './slots.ts';
import { isSettled } from './shares.ts';
import type { BatchContent, BatchEvent, Slot } from './types.ts';

/** State machine of a batch. Unknown pairs change nothing: a slot that holds nothing is not freed, nothing is put twice. */
export function nextBatch(batch: BatchContent, event: BatchEvent): BatchContent {
  const change = changed(batch, event);
  if (change === undefined) return batch;
  const after = { ...batch, ...change };
  const slots = settled(after);
  const isOver = batch.state === 'loading' ? event.kind === 'aborted' : ENDING.has(event.kind);
  const state = isOver && isDone({ ...after, slots }) ? 'done' : after.state;
  return Object.keys(change).length === 0 && state === batch.state ? batch : { ...after, slots, state };
}

/** Only these can end a batch that was launched. */
const ENDING: ReadonlySet<BatchEvent['kind']> = new Set(['freed', 'stopped', 'aborted']);

function changed(batch: BatchContent, event: BatchEvent): BatchChange | undefined {
  switch (event.kind) {
    case 'freeUndone':
      return undoFree(batch, event.slot);
    case 'added':
      return batch.state === 'done' ? undefined : addShipment(batch, event);
    case 'launched':
      return batch.state === 'done' ? undefined : launched(batch, event.picks);
    case 'paused':
      return batch.state === 'picking' ? { state: 'paused' } : undefined;
    case 'picked':
      return bookPieces(batch, event);
    case 'confirmed':
      return confirmPieces(batch, event);
    case 'put':
      return put(batch, event);
    case 'putAll':
      return putAll(batch);
    case 'putUndone':
      return undoPut(batch, event);
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
      return (
        stop(batch, (share) => batch.slots.some(({ slot, state }) => slot === share.slot && state === 'open')) ?? {}
      );
    case 'handTaken':
    case 'handMissing':
    case 'handPutBack':
      return endHand(batch, event);
  }
}

function launched({ shares }: BatchContent, picks: ReadonlyMap<number, number>): BatchChange {
  return {
    state: 'picking',
    shares: shares.map((share) => {
      const pickId = picks.get(share.id);
      return pickId === undefined ? share : { ...share, pickId };
    }),
  };
}

/** A slot is complete once every share of its shipment is put or short. */
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

function isDone({ slots, hands }: BatchContent): boolean {
  return hands.length === 0 && slots.every(({ state }) => state === 'free');
}

import type { BatchChange } from './pieces.ts';
import { inHandOf, isLive, isSettled, withHand, withoutPieces } from './shares.ts';
import type { BatchContent, BatchEvent, HeldPieces, Share, Slot } from './types.ts';

type Of<Kind extends BatchEvent['kind']> = Extract<BatchEvent, { kind: Kind }>;

/**
 * Assigns a free slot to a shipment, or makes the shipment wait for one. Ends the shares of a shipment that was in the batch before, so that
 * only the new ones are picked and corrected.
 */
export function addShipment(
  batch: BatchContent,
  { slot: name, held, tote, shares: added }: Of<'added'>,
): BatchChange | undefined {
  const slot = batch.slots.find((each) => each.slot === name);
  if (added.length === 0 || (name === null ? batch.kind === 'cart' : slot?.state !== 'free')) return undefined;
  const first = nextId(batch);
  const shares = added.map((share, index): Share => {
    const none = { picked: 0, put: 0, putBack: 0, ending: null, reason: '', pickId: null, found: null };
    return { ...held, ...share, ...none, id: first + index, slot: name };
  });
  const earlier = batch.shares.map((share): Share =>
    share.shipmentId === held.shipmentId && isLive(share) && isSettled(share)
      ? { ...share, ending: 'stopped', found: null }
      : share,
  );
  if (slot === undefined) return { shares: [...earlier, ...shares] };
  return {
    shares: [...emptied({ shares: earlier }, slot.slot), ...shares],
    slots: withSlot(batch, { ...slot, state: 'open', held, tote, freed: null }),
  };
}

/** Detaches previous shares from a free slot before it takes another shipment. */
export function emptied({ shares }: Pick<BatchContent, 'shares'>, name: string): Share[] {
  return shares.map((share) => (share.slot === name ? { ...share, slot: null } : share));
}

function nextId({ shares }: BatchContent): number {
  return shares.reduce((last, { id }) => Math.max(last, id), 0) + 1;
}

export function withSlot({ slots }: Pick<BatchContent, 'slots'>, changed: Slot): Slot[] {
  return slots.map((slot) => (slot.slot === changed.slot ? changed : slot));
}

/** Moves pieces from a slot back into the hand of `by`. */
export function undoPut(
  batch: BatchContent,
  { slot: name, itemId, quantity, by }: Of<'putUndone'>,
): BatchChange | undefined {
  const slot = batch.slots.find((each) => each.slot === name);
  if (slot === undefined || (slot.state !== 'open' && slot.state !== 'complete')) return undefined;
  const isThere = (share: Share): boolean =>
    share.slot === name && share.itemId === itemId && share.ending !== 'stopped';
  const there = batch.shares.reduce((sum, share) => sum + (isThere(share) ? share.put : 0), 0);
  let rest = quantity ?? there;
  if (rest <= 0 || rest > there) return undefined;
  let { hands, scanned } = batch;
  const shares = batch.shares.map((share): Share => {
    const pieces = isThere(share) ? Math.min(rest, share.put) : 0;
    if (pieces === 0) return share;
    rest -= pieces;
    const taken = { by, shareId: share.id, quantity: pieces };
    hands = withHand(hands, taken, true);
    if (batch.kind !== 'cart') scanned = withHand(scanned, taken, true);
    return { ...share, put: share.put - pieces, found: null };
  });
  return { shares, hands, scanned };
}

/** Moves the contents of a slot to a free slot. */
export function moveSlot(batch: BatchContent, { slot: name, to }: Of<'moved'>): BatchChange | undefined {
  const [from, other] = [name, to].map((each) => batch.slots.find(({ slot }) => slot === each));
  if (from === undefined || other?.state !== 'free' || from.state === 'free') return undefined;
  const { state, held, tote } = from;
  const slots = withSlot(batch, { slot: name, state: 'free', held: null, tote: null, freed: null });
  return {
    slots: withSlot({ slots }, { slot: to, state, held, tote, freed: null }),
    shares: emptied(batch, to).map((share) => (share.slot === name ? { ...share, slot: to } : share)),
  };
}

/** Moves the rest of a shipment to a free slot. Pieces already put stay in the full slot. */
export function fullSlot(batch: BatchContent, { slot: name, to }: Of<'full'>): BatchChange | undefined {
  const [from, other] = [name, to].map((each) => batch.slots.find(({ slot }) => slot === each));
  if (from?.state !== 'open' || other?.state !== 'free') return undefined;
  let id = nextId(batch);
  const split: Share[] = [];
  let { hands, scanned } = batch;
  const shares = emptied(batch, to).map((share): Share => {
    if (share.slot !== name || share.ending === 'stopped' || share.put === share.quantity) return share;
    if (share.put === 0) return { ...share, slot: to };
    const { put, picked, quantity } = share;
    const rest = { ...share, id, slot: to, put: 0, picked: picked - put, quantity: quantity - put, found: null };
    split.push(rest);
    const follow = (hand: HeldPieces): HeldPieces => (hand.shareId === share.id ? { ...hand, shareId: rest.id } : hand);
    hands = hands.map(follow);
    scanned = scanned.map(follow);
    id += 1;
    return { ...share, picked: put, quantity: put, putBack: 0, ending: null, reason: '', pickId: null, found: null };
  });
  const isMoved = [...shares, ...split].some((share) => share.slot === to);
  if (!isMoved) return undefined;
  const { held } = from;
  return {
    shares: [...shares, ...split],
    hands,
    scanned,
    slots: withSlot(batch, { slot: to, state: 'open', held, tote: null, freed: null }),
  };
}

/** Frees a complete or stopped slot. Pieces in a stopped slot have to be put back, unless `keeps` is true. */
export function freeSlot(
  batch: BatchContent,
  { slot: name, at, by = '', keeps }: Of<'freed'>,
): BatchChange | undefined {
  const slot = batch.slots.find((each) => each.slot === name);
  if (slot?.state !== 'complete' && slot?.state !== 'stopped') return undefined;
  const slots = withSlot(batch, { ...slot, state: 'free', freed: { at, by, state: slot.state } });
  if (slot.state === 'complete' || keeps) return { slots };
  const shares = batch.shares.map((share): Share => {
    const isThere = share.slot === name && share.ending === 'stopped' && share.put > 0;
    return isThere ? { ...share, put: 0, putBack: share.putBack + share.put } : share;
  });
  return { slots, shares };
}

/** Returns whether a slot that was freed when complete can be restored: its order must not have been removed from the batch since. */
export function isRestorable({ shares }: Pick<BatchContent, 'shares'>, { slot: name, held }: Slot): boolean {
  const isRemoved = shares.some((share) => share.slot === name && !isLive(share));
  return !isRemoved && shares.some((share) => share.shipmentId === held?.shipmentId && isLive(share));
}

/** Restores a freed slot. All `putBack` pieces with this slot came out of it, because stopped pieces in hand have no slot. */
export function undoFree(
  batch: BatchContent,
  { slot: name, losesTote = false }: Of<'freeUndone'>,
): BatchChange | undefined {
  const slot = batch.slots.find((each) => each.slot === name);
  if (slot?.state !== 'free' || slot.freed === null) return undefined;
  if (slot.freed.state === 'complete' && !isRestorable(batch, slot)) return undefined;
  const state = batch.state === 'done' ? 'picking' : batch.state;
  const shares =
    slot.freed.state === 'complete'
      ? batch.shares
      : batch.shares.map((share): Share => {
          const isBack = share.slot === name && share.ending === 'stopped' && share.putBack > 0;
          return isBack ? { ...share, put: share.put + share.putBack, putBack: 0 } : share;
        });
  const tote = losesTote ? null : slot.tote;
  return { state, shares, slots: withSlot(batch, { ...slot, state: slot.freed.state, tote, freed: null }) };
}

/** Stops shares: pieces in hand have to be put back, and slots that hold pieces become `stopped`. */
export function stop(batch: BatchContent, isMeant: (share: Share) => boolean): BatchChange | undefined {
  const stopped = batch.shares.filter((share) => share.ending !== 'stopped' && isMeant(share));
  if (stopped.length === 0) return undefined;
  const ids = new Set(stopped.map(({ id }) => id));
  let id = nextId(batch);
  // Split a share that has pieces in the slot as well as pieces to put back, because the slot keeps its pieces until it is freed.
  const split: Share[] = [];
  const rest = batch.shares.map((share): Share => {
    if (!ids.has(share.id)) return share;
    const putBack = share.putBack + inHandOf(share);
    const stop = { ...share, ending: 'stopped', pickId: null, found: null } as const;
    if (putBack === 0) return stop;
    if (share.put === 0) return { ...stop, slot: null, putBack };
    split.push({ ...stop, id, slot: null, quantity: putBack, picked: putBack, put: 0, putBack });
    id += 1;
    return { ...stop, picked: share.put, putBack: 0 };
  });
  const shares = [...rest, ...split];
  const hands = stopped.reduce<readonly HeldPieces[]>((left, { id }) => withoutPieces(left, id, Infinity), batch.hands);
  const names = new Set(stopped.map(({ slot }) => slot));
  const live = new Set(rest.flatMap((share) => (isLive(share) ? [share.shipmentId] : [])));
  const shipments = new Set(stopped.flatMap(({ shipmentId }) => (live.has(shipmentId) ? [] : [shipmentId])));
  // Also free other slots of the shipment, because a second slot may have taken all pieces from the first one.
  const isOf = ({ slot, state, held }: Slot): boolean =>
    names.has(slot) || (state !== 'stopped' && held !== null && shipments.has(held.shipmentId));
  const slots = batch.slots.map((slot): Slot => {
    if (slot.state === 'free' || !isOf(slot)) return slot;
    const holds = shares.some((share) => share.slot === slot.slot && share.put > 0);
    return holds
      ? { ...slot, state: 'stopped' }
      : { slot: slot.slot, state: 'free', held: null, tote: null, freed: null };
  });
  return { shares, hands, slots };
}

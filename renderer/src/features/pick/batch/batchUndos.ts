import type { BatchAct, BatchPieces, BatchSession, BatchUndo, PickUndo } from './batchTypes.ts';
import { putsPicks, viewOf } from './batchView.ts';

/** Adds a pick that Undo can revert. */
export function withPick(undos: readonly BatchUndo[], pick: PickUndo): BatchUndo[] {
  return [...withPickedAgain(undos, pick.pieces), pick];
}

/**
 * Marks the picks of items that this person or somebody else has picked again. The station knows what was picked together only for the last
 * pick of an item, so it can take back these picks only item by item.
 */
export function withPickedAgain(undos: readonly BatchUndo[], pieces: readonly BatchPieces[]): BatchUndo[] {
  const again = new Set(pieces.map(({ item_id: item }) => item));
  const isEarlier = (undo: BatchUndo): undo is PickUndo =>
    undo.does === 'pick' && undo.pieces.some(({ item_id: item, quantity }) => quantity > 0 && again.has(item));
  return undos.map((undo) => (isEarlier(undo) ? { ...undo, isEarlier: true as const } : undo));
}

/** Whether both are the undo of one action, even if it was marked meanwhile. */
export const isSameUndo = (one: BatchUndo | undefined, other: BatchUndo): boolean =>
  one === other || (one?.does === 'pick' && other.does === 'pick' && one.pieces === other.pieces);

/** Returns the action that takes back a pick, in one step unless its pieces have changed since. */
export function unpickOf(state: BatchSession, { pieces, isEarlier }: Pick<PickUndo, 'pieces' | 'isEarlier'>): BatchAct {
  const shown = pieces.map((piece) => withShown(piece, pieces));
  if (isEarlier === true || !isHeld(state, pieces)) return { does: 'unpick', pieces: shown };
  // The first piece names the confirmation. One that found no pieces of an item does not always know it.
  const found = shown.filter(({ quantity }) => quantity > 0);
  return { does: 'unpick', pieces: found.length === 0 ? shown : found, press: true };
}

/** Whether all pieces of a pick are where it left them: in the hand or, without a put, in their slots. */
function isHeld(state: BatchSession, pieces: readonly BatchPieces[]): boolean {
  const { batch } = viewOf(state) ?? {};
  if (batch === undefined) return false;
  const shares = [...batch.slots.flatMap((slot) => slot.shares), ...batch.waiting];
  return pieces.every(({ item_id: item, slot, quantity }) => {
    const share = shares.find((each) => each.item_id === item && each.slot === slot);
    if (share === undefined) return quantity === 0;
    return share.in_hand + (putsPicks(batch) ? share.put : 0) >= quantity;
  });
}

/** Notes the picked quantity of the item that the page shows after a pick, if it is known. */
function withShown(piece: BatchPieces, picked: readonly BatchPieces[]): BatchPieces {
  const { quantity_fulfilled: before, item_id: item } = piece;
  if (before === undefined) return piece;
  const found = picked.reduce((sum, each) => sum + (each.item_id === item ? each.quantity : 0), 0);
  return { ...piece, quantity_fulfilled: before + found };
}

import type { BatchAct, BatchPieces, OutboxAction } from './actions.ts';

/**
 * Returns the undo of what the station has booked although it did not book the action `undone`, or only without the part `rest`. Returns
 * undefined if it has booked nothing.
 */
export function leftToUndo<Undo extends OutboxAction>(
  undo: Undo,
  undone: OutboxAction,
  rest: OutboxAction = undone,
): Undo | undefined {
  // The press that the confirmation would have replaced is still booked.
  if (undo.kind === 'undo' && undone.kind === 'confirm' && undone.instead !== undefined)
    return { ...undo, quantity_fulfilled: undone.seen ?? 0, seen: undone.instead };
  if (undo.kind !== 'cart' || rest.kind !== 'cart' || rest === undone || !('pieces' in undo.act)) return undefined;
  const missing = new Set(piecesOf(rest.act).map(nameOf));
  const pieces = undo.act.pieces.filter((piece) => !missing.has(nameOf(piece)));
  return pieces.length === 0 ? undefined : { ...undo, act: { ...undo.act, pieces } };
}

function piecesOf(act: BatchAct): readonly BatchPieces[] {
  if ('pieces' in act) return act.pieces;
  return 'shares' in act ? act.shares : [];
}

const nameOf = ({ item_id: item, slot }: BatchPieces): string => `${item} ${slot ?? ''}`;

import type { Batch, BatchShare } from '#shared/api/batch.ts';
import type { BatchAct, BatchPieces, HandsDo, Remedy } from './actions.ts';

type Outcome = 'open' | HandsDo;

/**
 * Returns what a person can still do about a refused action in a batch that picked nothing: book it, or move the pieces to where the
 * station has them. `batch` is undefined if it has been deleted.
 */
export function findHandsRemedy(batch: Batch | undefined, act: Exclude<BatchAct, { does: 'pick' }>): Remedy {
  const outcomes = outcomesOf(batch, act);
  if (outcomes.includes('open')) return { kind: 'open' };
  return { kind: 'hands', does: outcomes.find((each) => each !== 'open' && each !== 'nothing') ?? 'nothing' };
}

function outcomesOf(batch: Batch | undefined, act: Exclude<BatchAct, { does: 'pick' }>): Outcome[] {
  const shares = batch === undefined || batch.state === 'done' ? [] : batch.slots.flatMap((slot) => slot.shares);
  const shareOf = (piece: BatchPieces): BatchShare | undefined =>
    shares.find((share) => share.item_id === piece.item_id && share.slot === piece.slot && share.state !== 'stopped');
  if (act.does === 'exchange') return ['open'];
  if (act.does === 'reassign') return act.shares.some((piece) => isHeld(shareOf(piece))) ? ['open'] : ['nothing'];
  return act.pieces.map((piece) => {
    const share = shareOf(piece);
    const isScanned = batch?.scanned.some(({ item_id: item, slot }) => item === piece.item_id && slot === piece.slot);
    switch (act.does) {
      case 'put':
        if (share !== undefined && (isHeld(share) || isScanned === true)) return 'open';
        return share !== undefined && share.put >= piece.quantity ? 'nothing' : 'takeOut';
      case 'takeOut':
        // A piece without a slot was put by its scan.
        if (piece.slot === null) return 'open';
        if (share === undefined) return 'putIn';
        return share.put > 0 ? 'open' : 'nothing';
      case 'unpick':
        if (isHeld(share)) return 'open';
        return share !== undefined && share.picked > 0 ? 'takeAgain' : 'nothing';
      case 'verify':
        return share?.awaits_scan === true ? 'open' : 'nothing';
    }
  });
}

const isHeld = (share: BatchShare | undefined): boolean => share !== undefined && share.in_hand > 0;

/** Returns what the hands have to do once the station has refused an action again. */
export function handsAfter(act: BatchAct | undefined): Remedy {
  const does = { put: 'takeOut', takeOut: 'putIn', unpick: 'takeAgain' } as const;
  const key = act?.does;
  return { kind: 'hands', does: key === 'put' || key === 'takeOut' || key === 'unpick' ? does[key] : 'nothing' };
}

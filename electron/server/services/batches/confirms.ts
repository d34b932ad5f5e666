import { listText } from '#shared/lib/text/locale.ts';
import type { BatchPickRow } from '../../db/repositories/batches.ts';
import type { Transaction } from '../../db/writer.ts';
import { openOf } from '../../domain/batches/shares.ts';
import type { BatchContent } from '../../domain/batches/types.ts';
import { StationError } from '../../errors.ts';
import { checkFewer } from '../orders/index.ts';
import { apply, articleWords } from './apply.ts';
import { refuseFreed } from './freedSlots.ts';
import { giveReason, movable, moveMissing } from './missing.ts';
import { personBehind, relight } from './picks.ts';
import type { BatchesContext, Doer, Open } from './types.ts';

/** Returns how many pieces of an item are left to pick in a batch. */
export function openPieces({ shares }: BatchContent, itemId: number): number {
  return shares.reduce((sum, share) => sum + (share.itemId === itemId ? openOf(share) : 0), 0);
}

/** Returns the person whose hand gets the pieces that `doer` picks; empty if nobody is known. */
export function whoseHand(
  context: BatchesContext,
  open: Open,
  { by, picker }: Doer,
  pick: BatchPickRow | undefined,
): string {
  // If the item has no picker, `picker` is the caller, who can be a program.
  return personBehind(context, open, { by, for: picker === by ? undefined : picker }, pick?.picker) ?? '';
}

/**
 * Books pieces of items at one place without a light, all in one change. `pieces` has the quantity for each item's id. Throws `invalid` for
 * fewer pieces without a reason, and `conflict` if an item is lit, at a wall, or has nothing left to pick.
 */
export function confirmHeld(
  context: BatchesContext,
  tx: Transaction,
  open: Open,
  pieces: ReadonlyMap<number, number>,
  { reason, ...doer }: Doer & { reason: string },
): Open {
  const { row, batch } = open;
  for (const [itemId, quantity] of pieces) {
    checkFewer(context, { quantity, rest: openPieces(batch, itemId), reason });
    refuseOther(context, open, itemId);
  }
  const shares = batch.shares.filter((share) => pieces.has(share.itemId) && openOf(share) > 0);
  const pickId = shares[0]?.pickId ?? null;
  const pick = pickId === null ? undefined : context.repositories.batches.findPick(pickId);
  const fewer = shares.filter(({ itemId }) => (pieces.get(itemId) ?? 0) < openPieces(batch, itemId));
  const moves = pick === undefined || fewer.length === 0 ? undefined : movable(context, open, fewer, pick);
  const by = whoseHand(context, open, doer, pick);
  const event = { kind: 'confirmed', pieces, by, reason, moves } as const;
  refuseFreed(open, event);
  const booked = apply(
    context,
    tx,
    { batch, row: pick === undefined ? row : { ...row, lastPickId: pick.id } },
    event,
    doer,
  );
  if (booked.batch === batch) {
    const which = listText([...pieces.keys()].map((itemId) => articleWords(context.repositories, itemId)));
    throw new StationError(
      'conflict',
      `Nothing is left to pick of ${which}. GET /api/batches/${row.id}/ lists the pieces.`,
    );
  }
  const after = pick === undefined ? booked : moveMissing(context, tx, booked, pick, doer);
  for (const itemId of pieces.keys()) giveReason(context, tx, after, { ...doer, reason, pick, itemId });
  relight(context, tx, after, doer.by);
  return after;
}

function refuseOther({ repositories }: BatchesContext, { batch, row }: Open, itemId: number): void {
  if (batch.kind === 'wall') {
    throw new StationError(
      'conflict',
      `This is sorted at ${row.carrierName}. Scan the article there, then press its slot.`,
    );
  }
  if (repositories.items.find(itemId)?.trouble !== 'no_light') {
    throw new StationError(
      'conflict',
      `${articleWords(repositories, itemId)} is lit. Press its light. Only a line without a light can be confirmed here.`,
    );
  }
}

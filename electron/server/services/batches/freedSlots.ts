import { nextBatch } from '../../domain/batches/batch.ts';
import { isLive, isSettled } from '../../domain/batches/shares.ts';
import type { BatchContent, BatchEvent, Share } from '../../domain/batches/types.ts';
import { StationError } from '../../errors.ts';
import type { Open } from './types.ts';

/** Throws `conflict` if an event reopens pieces whose slot was freed, because nobody could put them anywhere. */
export function refuseFreed({ row, batch }: Open, event: BatchEvent): void {
  const settled = new Set(batch.shares.filter((share) => isLive(share) && isSettled(share)).map(({ id }) => id));
  const after = nextBatch(batch, event);
  const lost = after.shares.find((share) => settled.has(share.id) && !isSettled(share) && !canBePut(after, share));
  if (lost === undefined) return;
  const { slot, orderNumber } = lost;
  const says =
    slot === null
      ? `The slot that held these pieces of order ${orderNumber} was freed. Remove the order from ${row.carrierName} first.`
      : `Slot ${slot} of order ${orderNumber} was freed. Undo that, or remove the order from ${row.carrierName} first.`;
  throw new StationError('conflict', says);
}

/** Whether the pieces of a share have a slot that is not free or, at a wall, can get one. */
function canBePut({ kind, slots }: BatchContent, { slot: name, put }: Share): boolean {
  if (name === null) return kind !== 'cart' && put === 0;
  return slots.some(({ slot, state }) => slot === name && state !== 'free');
}

import type { BatchRow } from '../../db/repositories/batches.ts';
import type { BatchContent, BatchEvent, Share } from '../../domain/batches/types.ts';
import type { BatchesContext } from './types.ts';

type Change = { row: BatchRow; before: BatchContent; after: BatchContent; event: BatchEvent };

/** Stores what a confirmation booked together, and forgets earlier presses whose pieces were changed since. */
export function keepBooked({ repositories }: BatchesContext, change: Change): void {
  const { batches } = repositories;
  const { row, before, after, event } = change;
  const was = new Map(before.shares.map((share) => [share.id, share]));
  for (const share of after.shares) {
    const earlier = was.get(share.id);
    if (earlier === undefined || earlier === share) continue;
    if (event.kind === 'reassigned') batches.setPicked(share.found ?? 0, row.id, share.id);
    else if (isOther(earlier, share)) {
      // Without the pieces that were confirmed again, the earlier confirmation would be taken back only in part.
      if (share.picked > earlier.picked) batches.forgetPicksOf(row.id, share.id);
      batches.forgetPicked(row.id, share.id);
    }
    if (earlier.put === share.put && earlier.slot === share.slot) continue;
    batches.forgetPressOf(row.id, share.id);
    for (const slot of [earlier.slot, share.slot]) if (slot !== null) batches.forgetPressed(row.id, slot);
    const left = share.slot === earlier.slot ? share.put : 0;
    if (earlier.slot !== null && left < earlier.put) batches.forgetAlready(row.id, earlier.slot);
  }
  const slotWas = new Map(before.slots.map((slot) => [slot.slot, slot]));
  for (const { slot, held, state } of after.slots) {
    const earlier = slotWas.get(slot);
    const isGone = earlier?.state !== state && (state === 'free' || state === 'stopped');
    if (earlier !== undefined && (isGone || earlier.held?.shipmentId !== held?.shipmentId)) {
      batches.forgetPressed(row.id, slot);
      batches.forgetAlready(row.id, slot);
    }
  }
  if (event.kind !== 'picked' && event.kind !== 'confirmed') return;
  const booked = after.shares.filter(({ found }) => found !== null);
  const pickId = booked.map(({ id }) => was.get(id)?.pickId ?? null).find((id) => id !== null);
  if (pickId === undefined) return;
  const pieces = booked.map(({ id, found }) => ({ by: event.by, shareId: id, quantity: found ?? 0 }));
  batches.setPressed({ batchId: row.id, slot: '', pickId }, pieces);
}

/** Whether something else than a put changed the pieces of a share. */
function isOther(before: Share, after: Share): boolean {
  return before.picked !== after.picked || before.ending !== after.ending;
}

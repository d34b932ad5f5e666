import { isLaunched } from './shares.ts';
import { handFor } from './puts.ts';
import type { BatchContent, Slot } from './types.ts';

/**
 * What a slot shows: `put` if pieces that `by` holds belong here, `stopped` if the slot must be emptied, and `short` if the slot is
 * complete but pieces are missing.
 */
export type SlotLight =
  | { kind: 'put'; quantity: number; by: string; text: string }
  | { kind: 'complete' | 'short' | 'stopped'; text: string };

/**
 * Returns what a slot shows, or undefined if the slot is unlit. If several people hold pieces for the slot, returns the pieces of the first
 * person. Pieces of people in `absent` light nothing.
 */
export function slotLight(
  batch: BatchContent,
  { slot, state, held }: Slot,
  absent?: ReadonlySet<string>,
): SlotLight | undefined {
  const text = held?.orderNumber ?? '';
  if (state === 'stopped') return { kind: 'stopped', text };
  if (state === 'complete') return { kind: isShort(batch, held?.shipmentId) ? 'short' : 'complete', text };
  if (!isLaunched(batch) || state === 'free') return undefined;
  const hand = handFor(batch, slot, absent === undefined ? {} : { absent });
  const by = hand[0]?.hand.by;
  if (by === undefined) return undefined;
  const quantity = hand.reduce((sum, each) => sum + (each.hand.by === by ? each.hand.quantity : 0), 0);
  return { kind: 'put', quantity, by, text };
}

export function isShort({ shares }: Pick<BatchContent, 'shares'>, shipmentId: number | undefined): boolean {
  return shares.some((share) => share.shipmentId === shipmentId && share.ending === 'short');
}

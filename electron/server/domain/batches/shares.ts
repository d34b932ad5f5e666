import type { BatchContent, HeldPieces, ShareRank, Share } from './types.ts';

/**
 * State of a share: `in_hand` if picked pieces are not put yet, `open` if pieces have to be picked or put back, and `put` if all are put.
 */
export type ShareState = 'open' | 'in_hand' | 'put' | 'short' | 'stopped';

/** Counts the picked pieces, except those that are put or have to be put back. */
export function inHandOf({ picked, put, putBack }: Pick<Share, 'picked' | 'put' | 'putBack'>): number {
  return picked - put - putBack;
}

/** Whether the share's order is still in the batch. */
export function isLive({ ending }: Pick<Share, 'ending'>): boolean {
  return ending !== 'stopped';
}

export function openOf({ ending, quantity, picked }: Pick<Share, 'ending' | 'quantity' | 'picked'>): number {
  return ending === null ? quantity - picked : 0;
}

export function shareState(share: Share): ShareState {
  if (share.ending === 'stopped') return 'stopped';
  if (inHandOf(share) > 0) return 'in_hand';
  if (openOf(share) > 0 || share.putBack > 0) return 'open';
  return share.ending === 'short' ? 'short' : 'put';
}

/** Whether all pieces of the share are put, or it is short. */
export function isSettled(share: Share): boolean {
  const state = shareState(share);
  return state === 'put' || state === 'short';
}

/** Whether the share has no slot yet, because its shipment waits for one or needs none. */
export function isWaiting(share: Share): boolean {
  return share.slot === null && isLive(share) && !isSettled(share);
}

/** Sorts shares: higher priority first, then the earlier due time, then the older order. */
export function byRank(one: ShareRank & { id: number }, other: ShareRank & { id: number }): number {
  const due = ({ dueAt }: ShareRank): number => dueAt ?? Infinity;
  const byDue = due(one) === due(other) ? 0 : due(one) - due(other);
  return other.priority - one.priority || byDue || one.ageAt - other.ageAt || one.id - other.id;
}

/**
 * Distributes found pieces by rank, filling whole shares first. Skips shares that need more than is left; the first skipped share gets the
 * remainder. Omits shares that get nothing.
 */
export function distribute(shares: readonly Share[], found: number): Map<number, number> {
  const given = new Map<number, number>();
  let rest = found;
  let skipped: Share | undefined;
  for (const share of shares.toSorted(byRank)) {
    const wanted = openOf(share);
    if (wanted === 0) continue;
    if (wanted > rest) skipped ??= share;
    else {
      given.set(share.id, wanted);
      rest -= wanted;
    }
  }
  if (skipped !== undefined && rest > 0) given.set(skipped.id, rest);
  return given;
}

/** Returns the open shares at a light, and the number of pieces that the light shows. */
export function sumAt({ shares }: Pick<BatchContent, 'shares'>, pickId: number): { shares: Share[]; sum: number } {
  const waiting = shares.filter((share) => share.pickId === pickId && openOf(share) > 0);
  return { shares: waiting, sum: waiting.reduce((sum, share) => sum + openOf(share), 0) };
}

/** Returns how many pieces of an item this batch has picked. Stopped shares do not count, because their order may be picked elsewhere. */
export function pickedOf({ shares }: Pick<BatchContent, 'shares'>, itemId: number): number {
  return shares.reduce((sum, share) => sum + (isLive(share) && share.itemId === itemId ? share.picked : 0), 0);
}

/** Adds pieces to the hands: to an existing entry with the same share and person, otherwise at the end or, with `isFirst`, at the start. */
export function withHand(hands: readonly HeldPieces[], added: HeldPieces, isFirst = false): HeldPieces[] {
  if (added.quantity === 0) return [...hands];
  const same = hands.findIndex(({ by, shareId }) => by === added.by && shareId === added.shareId);
  if (same < 0) return isFirst ? [added, ...hands] : [...hands, added];
  return hands.map((hand, index) => (index === same ? { ...hand, quantity: hand.quantity + added.quantity } : hand));
}

/** Removes pieces of a share from the hands, latest entries first. */
export function withoutPieces(hands: readonly HeldPieces[], shareId: number, pieces: number): HeldPieces[] {
  let rest = pieces;
  return hands
    .toReversed()
    .map((hand) => {
      if (hand.shareId !== shareId || rest === 0) return hand;
      const taken = Math.min(rest, hand.quantity);
      rest -= taken;
      return { ...hand, quantity: hand.quantity - taken };
    })
    .filter(({ quantity }) => quantity > 0)
    .toReversed();
}

/** Removes pieces of a share from the hands: first from the hand of `by`, then the latest entries. */
export function withoutPiecesOf(
  hands: readonly HeldPieces[],
  { by, shareId, quantity }: { by: string | undefined; shareId: number; quantity: number },
): HeldPieces[] {
  let own = 0;
  const others = hands.flatMap((hand) => {
    if (hand.shareId !== shareId || hand.by !== by) return [hand];
    own = Math.min(quantity, hand.quantity);
    return hand.quantity === own ? [] : [{ ...hand, quantity: hand.quantity - own }];
  });
  return withoutPieces(others, shareId, quantity - own);
}

/** Whether the batch's lights are on. */
export function isLaunched({ state }: Pick<BatchContent, 'state'>): boolean {
  return state === 'picking' || state === 'sorting';
}

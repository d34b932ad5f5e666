import {
  distribute,
  inHandOf,
  isLive,
  openOf,
  pickedOf,
  sumAt,
  withHand,
  withoutPieces,
  withoutPiecesOf,
} from './shares.ts';
import type { BatchContent, BatchEvent, HeldPieces, Share } from './types.ts';

/** The changed parts of a batch. Functions return undefined if nothing changed. */
export type BatchChange = Partial<BatchContent>;

type Of<Kind extends BatchEvent['kind']> = Extract<BatchEvent, { kind: Kind }>;

/**
 * Distributes the pieces found at a light among the shares at this light. Shares that get fewer pieces than they need become short, unless
 * they are in `moves`.
 */
export function bookPieces(
  batch: BatchContent,
  { pickId, quantity, by, reason = '', moves }: Of<'picked'>,
): BatchChange | undefined {
  const { shares, sum } = sumAt(batch, pickId);
  if (shares.length === 0 || quantity < 0) return undefined;
  return give(batch, new Set(shares.map(({ id }) => id)), distribute(shares, Math.min(quantity, sum)), {
    by,
    reason,
    moves,
  });
}

/**
 * Books the pieces found for these items at a place without a light. Shares that get fewer pieces than they need become short, unless they are
 * in `moves`.
 */
export function confirmPieces(
  batch: BatchContent,
  { pieces, by, reason, moves }: Of<'confirmed'>,
): BatchChange | undefined {
  const left = new Map(pieces);
  const given = new Map<number, number>();
  for (const share of batch.shares) {
    const rest = openOf(share) > 0 ? left.get(share.itemId) : undefined;
    if (rest === undefined) continue;
    if (rest < 0) return undefined;
    const some = Math.min(rest, openOf(share));
    given.set(share.id, some);
    left.set(share.itemId, rest - some);
  }
  return given.size === 0 ? undefined : give(batch, new Set(given.keys()), given, { by, reason, moves });
}

function give(
  batch: BatchContent,
  asked: ReadonlySet<number>,
  given: ReadonlyMap<number, number>,
  { by, reason, moves }: { by: string; reason: string; moves: ReadonlySet<number> | undefined },
): BatchChange {
  // In a bulk batch, picked pieces stay in the picker's hand until they are put into the wall.
  const isPut = batch.putConfirmation === 'none' && batch.kind === 'cart';
  let hands: readonly HeldPieces[] = batch.hands;
  const shares = batch.shares.map((share): Share => {
    if (!asked.has(share.id)) return share.found === null ? share : { ...share, found: null };
    const found = given.get(share.id) ?? 0;
    const picked = share.picked + found;
    const put = share.put + (isPut ? found : 0);
    if (!isPut) hands = withHand(hands, { by, shareId: share.id, quantity: found });
    const isShort = picked < share.quantity && moves?.has(share.id) !== true;
    return { ...share, picked, put, found, pickId: null, ...(isShort ? { ending: 'short' as const, reason } : {}) };
  });
  return { shares, hands };
}

/** Redistributes the pieces of the last pick among its shares. Does nothing if pieces have been put since then. */
export function reassign(
  batch: BatchContent,
  { shares: wanted, reason, moves }: Of<'reassigned'>,
): BatchChange | undefined {
  const last = batch.shares.filter(({ found }) => found !== null);
  const sum = (pieces: Iterable<number>): number => [...pieces].reduce((total, each) => total + each, 0);
  const isWhole =
    last.length > 0 &&
    wanted.size === last.length &&
    sum(wanted.values()) === sum(last.map(({ found }) => found ?? 0)) &&
    last.every((share) => {
      const pieces = wanted.get(share.id) ?? -1;
      const before = share.found ?? 0;
      return pieces >= 0 && share.picked - before + pieces <= share.quantity && before - pieces <= inHandOf(share);
    });
  if (!isWhole) return undefined;
  // All pieces of one pick are in the same person's hands.
  const by = batch.hands.findLast(({ shareId }) => last.some(({ id }) => id === shareId))?.by ?? '';
  let hands: readonly HeldPieces[] = batch.hands;
  const shares = batch.shares.map((share): Share => {
    if (share.found === null) return share;
    const found = wanted.get(share.id) ?? 0;
    const more = found - share.found;
    hands =
      more < 0 ? withoutPieces(hands, share.id, -more) : withHand(hands, { by, shareId: share.id, quantity: more });
    const picked = share.picked + more;
    const isMissing = picked < share.quantity;
    const isMoving = isMissing && moves?.has(share.id) === true;
    const isShort = isMissing && !isMoving;
    return {
      ...share,
      found,
      picked,
      pickId: isMoving ? share.pickId : null,
      ending: isShort ? 'short' : null,
      reason: isShort ? (reason ?? share.reason) : '',
    };
  });
  return { shares, hands };
}

/** Closes the open shares of an item as short, or changes the reason of shares that are short. */
export function shortItem({ shares }: BatchContent, { itemId, reason }: Of<'shorted'>): BatchChange | undefined {
  const isMeant = (share: Share): boolean =>
    share.itemId === itemId && (openOf(share) > 0 || (share.ending === 'short' && share.reason !== reason));
  if (!shares.some(isMeant)) return undefined;
  return {
    shares: shares.map((share) => (isMeant(share) ? { ...share, ending: 'short', reason, pickId: null } : share)),
  };
}

/**
 * Returns pieces from the hand to the shelf, and reopens short shares. Pieces in slots stay there, unless a pick is a put
 * (`put_confirmation: none`).
 */
export function reopen(batch: BatchContent, event: Of<'reopened'>): BatchChange | undefined {
  const { itemId, quantity, by, lastBy = by } = event;
  const picked = pickedOf(batch, itemId);
  const own = batch.shares.filter((share) => share.itemId === itemId && share.ending !== 'stopped');
  const isPutToo = batch.kind === 'cart' && batch.putConfirmation === 'none';
  const inHand = own.reduce((sum, share) => sum + inHandOf(share) + (isPutToo ? share.put : 0), 0);
  const isShort = own.some(({ ending }) => ending === 'short');
  // Whether the last pick included this item, and is not another person's while this person holds pieces of it.
  const isOther =
    lastBy !== by && batch.hands.some((hand) => hand.by === by && own.some(({ id }) => id === hand.shareId));
  const isLast = !isOther && own.some(({ found }) => found !== null);
  const last = own.reduce((sum, { found }) => sum + (found ?? 0), 0);
  // Missing pieces can be searched for again even if the last pick found none.
  const isMoved = own.some((share) => share.found !== null && openOf(share) > 0);
  const isFoundNone = last === 0 && (isShort || isMoved);
  const reverted =
    isLast && (last > 0 || isFoundNone) ? Math.min(last, inHand) : earlierPick(batch, event, { own, inHand });
  const taken = quantity === undefined ? reverted : picked - quantity;
  if (taken < 0 || taken > inHand || (taken === 0 && !isShort && !isMoved)) return undefined;
  const change = less(batch, { itemId, pieces: taken, by }, isPutToo ? ['hand', 'put'] : ['hand']);
  const was = new Map(own.map((share) => [share.id, share]));
  const isAgain = ({ id, picked: left }: Share): boolean => {
    const before = was.get(id);
    return before !== undefined && (before.found !== null || before.picked !== left);
  };
  // Clear the light of these shares so that they are assigned a place again.
  return (
    change && {
      ...change,
      shares: change.shares?.map((share) => (isAgain(share) ? { ...share, pickId: null } : share)),
    }
  );
}

/**
 * Returns how many pieces in hand an undo takes back if something else was confirmed since. Pieces of other people stay if the person holds
 * some of the item.
 */
function earlierPick(
  { kind, hands }: BatchContent,
  { by, last }: Of<'reopened'>,
  { own, inHand }: { own: readonly Share[]; inHand: number },
): number {
  const ids = new Set(own.map(({ id }) => id));
  const held = hands.filter(({ shareId }) => ids.has(shareId));
  const sum = (all: readonly HeldPieces[]): number => all.reduce((total, { quantity }) => total + quantity, 0);
  const ofPerson = sum(held.filter((hand) => hand.by === by));
  // The last pick may have been another person's.
  if (ofPerson > 0 && ofPerson < inHand) return ofPerson;
  // At a wall, only pieces whose put was undone are in hand.
  return kind === 'wall' ? inHand : Math.min(last ?? inHand, inHand);
}

/**
 * Sets how many pieces are picked. A decrease takes pieces from `putBack`, then from hands, then from slots; an increase adds pieces to
 * slots.
 */
export function correctPieces(batch: BatchContent, { itemId, picked: to }: Of<'corrected'>): BatchChange | undefined {
  const picked = pickedOf(batch, itemId);
  if (to === picked || to < 0) return undefined;
  if (to < picked) return less(batch, { itemId, pieces: picked - to }, ['putBack', 'hand', 'put']);
  let rest = to - picked;
  const shares = batch.shares.map((share): Share => {
    if (share.itemId !== itemId || share.ending === 'stopped') return share;
    // Pieces cannot be added to a share without a slot.
    const added = share.slot === null ? 0 : Math.min(rest, share.quantity - share.picked);
    if (added === 0) return share;
    rest -= added;
    const isFull = share.picked + added === share.quantity;
    const { ending, reason, pickId } = isFull ? { ending: null, reason: '', pickId: null } : share;
    return { ...share, picked: share.picked + added, put: share.put + added, ending, reason, pickId };
  });
  return rest > 0 ? undefined : { shares };
}

type Source = 'putBack' | 'hand' | 'put';

/** Removes picked pieces of an item from these sources, in order, and those of `by` first. The shares become open again. */
function less(
  batch: BatchContent,
  { itemId, pieces, by }: { itemId: number; pieces: number; by?: string | undefined },
  sources: readonly Source[],
): BatchChange | undefined {
  let rest = pieces;
  let hands: readonly HeldPieces[] = batch.hands;
  const changed = new Map(batch.shares.map((share) => [share.id, share]));
  const isHeld = ({ id }: Share): boolean => batch.hands.some((hand) => hand.by === by && hand.shareId === id);
  const own = batch.shares
    .filter((share) => share.itemId === itemId && isLive(share))
    .toReversed()
    .toSorted((one, other) => Number(isHeld(other)) - Number(isHeld(one)));
  for (const source of sources) {
    for (const { id } of own) {
      const share = changed.get(id);
      if (share === undefined) continue;
      const there = source === 'hand' ? inHandOf(share) : share[source];
      const taken = Math.min(rest, there);
      rest -= taken;
      if (source === 'hand') hands = withoutPiecesOf(hands, { by, shareId: id, quantity: taken });
      const left = source === 'hand' ? {} : { [source]: share[source] - taken };
      const ending = share.ending === 'short' ? null : share.ending;
      changed.set(id, { ...share, ...left, picked: share.picked - taken, ending, reason: '', found: null });
    }
  }
  return rest > 0 ? undefined : { hands, shares: [...changed.values()] };
}

/** Books returned pieces and reopens their shares. Shares whose order is still in the batch come first. */
export function returnPieces({ shares }: BatchContent, { itemId, quantity }: Of<'returned'>): BatchChange | undefined {
  let rest = quantity;
  const returned = new Map<Share, number>();
  for (const share of shares.toSorted((one, other) => Number(isLive(other)) - Number(isLive(one)))) {
    const pieces = share.itemId === itemId ? Math.min(rest, share.putBack) : 0;
    if (pieces > 0) returned.set(share, pieces);
    rest -= pieces;
  }
  if (returned.size === 0) return undefined;
  return {
    shares: shares.map((share): Share => {
      const pieces = returned.get(share);
      if (pieces === undefined) return share;
      const ending = share.ending === 'short' ? null : share.ending;
      return {
        ...share,
        picked: share.picked - pieces,
        putBack: share.putBack - pieces,
        ending,
        reason: '',
        found: null,
      };
    }),
  };
}

/** Ends the holding of a person's pieces: a different person takes them over, they are lost, or they return to their places. */
export function endHand(
  batch: BatchContent,
  event: Of<'handTaken'> | Of<'handMissing'> | Of<'handPutBack'>,
): BatchChange | undefined {
  const isLeft = ({ by }: HeldPieces): boolean => by === event.from;
  const left = batch.hands.filter(isLeft);
  const leftScanned = batch.scanned.filter(isLeft);
  if (left.length + leftScanned.length === 0) return undefined;
  const [others, scanned] = [batch.hands, batch.scanned].map((all) => all.filter((hand) => !isLeft(hand)));
  if (others === undefined || scanned === undefined) return undefined;
  if (event.kind === 'handTaken') {
    const withTaken = (all: readonly HeldPieces[], taken: readonly HeldPieces[]): readonly HeldPieces[] =>
      taken.reduce<readonly HeldPieces[]>((hands, hand) => withHand(hands, { ...hand, by: event.by }), all);
    return { hands: withTaken(others, left), scanned: withTaken(scanned, leftScanned) };
  }
  const of = (shareId: number): number =>
    left.reduce((sum, hand) => sum + (hand.shareId === shareId ? hand.quantity : 0), 0);
  const shares = batch.shares.map((share): Share => {
    const pieces = of(share.id);
    if (pieces === 0) return share;
    if (event.kind === 'handPutBack') return { ...share, putBack: share.putBack + pieces, found: null };
    return { ...share, picked: share.picked - pieces, ending: null, reason: '', found: null };
  });
  return { hands: others, scanned, shares };
}

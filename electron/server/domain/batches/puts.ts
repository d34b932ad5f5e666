import type { BatchChange } from './pieces.ts';
import type { BatchContent, BatchEvent, HeldPieces, Share } from './types.ts';
import { withHand } from './shares.ts';
import { putScanned } from './wall.ts';

type Of<Kind extends BatchEvent['kind']> = Extract<BatchEvent, { kind: Kind }>;

/** Whose pieces to put. `absent` are people whose pieces nobody puts until somebody settles their hands. */
type Whose = {
  itemId?: number | undefined;
  by?: string | undefined;
  /** Only pieces that `by` holds. */
  isExact?: boolean | undefined;
  absent?: ReadonlySet<string>;
};

/**
 * Returns the pieces of one article to put into a slot next. If `by` holds or has scanned anything, uses those pieces and, on a cart, also
 * pieces picked without a person. Otherwise uses everyone's pieces on a cart, or the pieces of the person who scanned first at a wall.
 */
export function handFor(
  batch: Pick<BatchContent, 'kind' | 'hands' | 'scanned' | 'shares'>,
  name: string,
  { itemId, by, isExact = false, absent }: Whose = {},
): { hand: HeldPieces; share: Share }[] {
  const aside = piecesAside(batch).filter((hand) => absent?.has(hand.by) !== true && (!isExact || hand.by === by));
  if (aside.length === 0) return [];
  const shareOf = new Map(batch.shares.map((share) => [share.id, share]));
  const isWall = batch.kind !== 'cart';
  const isOnly = aside.some((hand) => hand.by === by);
  const there = aside.flatMap((hand) => {
    const share = shareOf.get(hand.shareId);
    const isMeant = (itemId === undefined || share?.itemId === itemId) && (!isOnly || isFor(batch, hand, by));
    return share?.slot === name && isMeant ? [{ hand, share }] : [];
  });
  const [first] = there;
  return there.filter(
    ({ hand, share }) => share.article === first?.share.article && (!isWall || hand.by === first.hand.by),
  );
}

/** Whether `by` holds these pieces. On a cart, pieces picked without a person belong to everyone. */
function isFor({ kind }: Pick<BatchContent, 'kind'>, hand: HeldPieces, by: string | undefined): boolean {
  return hand.by === by || (kind === 'cart' && hand.by === '');
}

/** Returns the pieces that wait for a put: on a cart, those in people's hands; at a wall, the scanned pieces. */
export function piecesAside({
  kind,
  hands,
  scanned,
}: Pick<BatchContent, 'kind' | 'hands' | 'scanned'>): readonly HeldPieces[] {
  return kind === 'cart' ? hands : scanned;
}

export function put(
  batch: BatchContent,
  { slot, itemId, quantity = Infinity, by, isExact }: Of<'put'>,
): BatchChange | undefined {
  let rest = quantity;
  const puts = new Map<HeldPieces, number>();
  for (const { hand } of handFor(batch, slot, { itemId, by, isExact })) {
    const pieces = Math.min(rest, hand.quantity);
    rest -= pieces;
    if (pieces > 0) puts.set(hand, pieces);
  }
  if (puts.size === 0) return undefined;
  return batch.kind === 'cart' ? putThese(batch, puts) : putScanned(batch, puts);
}

/** Exchanges pieces in slots for pieces in hands. Returns undefined if a slot or a hand no longer has them. */
export function exchange(batch: BatchContent, { back, put: wanted }: Of<'exchanged'>): BatchChange | undefined {
  let { hands, scanned } = batch;
  const left = new Map(batch.shares.map((share) => [share.id, share.ending === 'stopped' ? 0 : share.put]));
  // Each piece goes to the front of its hand, so the first one goes last.
  for (const piece of back.toReversed()) {
    const rest = (left.get(piece.shareId) ?? 0) - piece.quantity;
    if (rest < 0) return undefined;
    left.set(piece.shareId, rest);
    hands = withHand(hands, piece, true);
    if (batch.kind !== 'cart') scanned = withHand(scanned, piece, true);
  }
  const shares = batch.shares.map((share) =>
    share.ending === 'stopped' ? share : { ...share, put: left.get(share.id) ?? share.put },
  );
  const returned = { ...batch, hands, scanned, shares };
  const aside = piecesAside(returned);
  const puts = new Map<HeldPieces, number>();
  for (const { by, shareId, quantity } of wanted) {
    const hand = aside.find((each) => each.by === by && each.shareId === shareId);
    if (hand === undefined || hand.quantity < quantity) return undefined;
    puts.set(hand, quantity);
  }
  if (back.length === 0 || puts.size === 0) return undefined;
  return batch.kind === 'cart' ? { ...putThese(returned, puts) } : putScanned(returned, puts);
}

export function putAll(batch: BatchContent, { by, isExact = false }: Of<'putAll'>): BatchChange | undefined {
  const isMeant = (hand: HeldPieces): boolean =>
    isExact ? hand.by === by : by === undefined || isFor(batch, hand, by);
  const puts = new Map(
    piecesAside(batch)
      .filter(isMeant)
      .map((hand) => [hand, hand.quantity]),
  );
  if (puts.size === 0) return undefined;
  return batch.kind === 'cart' ? putThese(batch, puts) : putScanned(batch, puts);
}

function putThese({ hands, shares }: BatchContent, puts: ReadonlyMap<HeldPieces, number>): BatchChange {
  const putOf = (id: number): number =>
    [...puts].reduce((sum, [{ shareId }, pieces]) => sum + (shareId === id ? pieces : 0), 0);
  return {
    shares: shares.map((share) => {
      const pieces = putOf(share.id);
      if (pieces === 0) return share.found === null ? share : { ...share, found: null };
      return { ...share, put: share.put + pieces, found: null };
    }),
    hands: hands
      .map((hand) => ({ ...hand, quantity: hand.quantity - (puts.get(hand) ?? 0) }))
      .filter(({ quantity }) => quantity > 0),
  };
}

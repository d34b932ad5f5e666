import type { Batch } from '#shared/api/batch.ts';
import { placeOf } from '../session/lines.ts';
import type { PickLine } from '../session/sessionTypes.ts';
import { isSame } from './batchPeople.ts';
import type { BatchShare, BatchAct, BatchPieces, BatchSession, BatchSlot } from './batchTypes.ts';

/** The batch and its open lines, with this page's pending actions applied. */
export type BatchView = { batch: Batch; lines: readonly PickLine[] };

export const sumOf = (pieces: readonly { quantity: number }[]): number =>
  pieces.reduce((sum, { quantity }) => sum + quantity, 0);

/**
 * Returns a key for a line that stays the same until the line is picked, even if it is reassigned. A command id would
 * not, because a new color needs a new command.
 */
export const lineKey = (line: Pick<PickLine, 'location' | 'deviceid' | 'shares'>): string =>
  keyAt(line.deviceid ?? placeOf(line), line.shares?.[0]?.item_id);

const keyAt = (place: string, item: number | undefined): string => `${place} ${item}`;

/** Returns the key of the line that this pick books. */
export const pickedKey = ({ deviceid, shares }: Extract<BatchAct, { does: 'pick' }>, place: string): string =>
  keyAt(deviceid ?? place, shares[0]?.item_id);

export function viewOf({ read, pending, me }: BatchSession): BatchView | undefined {
  if (read?.batch === undefined) return undefined;
  let view: BatchView = { batch: read.batch, lines: read.lines };
  for (const { action } of pending) view = afterAction(view, action.act, { place: action.place, me });
  return view;
}

/** Whether a pick of this batch is also a put. At a wall, pieces are put by their scans. */
export const putsPicks = ({ mode, put_confirmation: confirmation }: Batch): boolean =>
  mode === 'cart' && confirmation === 'none';

function afterAction(view: BatchView, act: BatchAct, { place, me }: { place: string; me: string }): BatchView {
  const { batch, lines } = view;
  switch (act.does) {
    case 'pick': {
      const key = pickedKey(act, place);
      // The station has booked the pick, but may not have received the shares yet.
      if (!lines.some((line) => lineKey(line) === key)) {
        const shared = sharedOut(batch, act.shares, me);
        return { lines, batch: act.scanned === undefined ? shared : scannedIn(shared, act.shares) };
      }
      const isPut = putsPicks(batch);
      const picked = act.shares.reduce((now, { item_id: item, quantity, slot }) => {
        const changed = withShare(now, { item_id: item, slot }, (share) => ({
          picked: share.picked + quantity,
          ...(isPut ? { put: share.put + quantity } : { in_hand: share.in_hand + quantity }),
          ...(share.picked + quantity < share.quantity ? { state: 'short' as const } : {}),
        }));
        return changed;
      }, batch);
      const hands = isPut ? picked.hands : withHands(picked.hands, me, act.shares);
      const now = settled({ ...picked, hands });
      return {
        batch: act.scanned === undefined ? now : scannedIn(now, act.shares),
        lines: lines.filter((line) => lineKey(line) !== key),
      };
    }
    case 'put':
    case 'takeOut': {
      const move = batch.mode === 'wall' ? movedAtWall : moved;
      return { lines, batch: settled(move(batch, act.pieces, act.does === 'put' ? 1 : -1, me)) };
    }
    case 'unpick': {
      const items = new Set(act.pieces.map(({ item_id: item }) => item));
      const isPut = putsPicks(batch);
      const without = mapShares(batch, (share) => {
        if (!items.has(share.item_id) || share.state === 'stopped') return share;
        const own = act.pieces.filter((piece) => piece.item_id === share.item_id && piece.slot === share.slot);
        const put = isPut ? Math.max(0, share.put - sumOf(own)) : share.put;
        const picked = share.picked - share.in_hand - (share.put - put);
        return { ...share, picked, put, in_hand: 0, state: 'open' };
      });
      const hands = batch.hands.map((hand) => ({
        ...hand,
        shares: hand.shares.filter(({ item_id: item }) => !items.has(item)),
      }));
      const scanned = batch.scanned.filter(({ item_id: item }) => !items.has(item));
      return { lines, batch: settled({ ...without, scanned, hands: hands.filter(({ shares }) => shares.length > 0) }) };
    }
    // The station knows what the press put.
    case 'exchange':
      return view;
    case 'reassign':
      return { lines, batch: sharedOut(batch, act.shares, me) };
    case 'verify':
      return { lines, batch: scannedIn(batch, act.pieces) };
  }
}

/** Records that the article of these pieces was scanned. */
function scannedIn(batch: Batch, pieces: readonly BatchPieces[]): Batch {
  const items = new Set(pieces.flatMap(({ item_id: item, quantity }) => (quantity > 0 ? [item] : [])));
  return mapShares(batch, (share) => (items.has(share.item_id) ? { ...share, awaits_scan: false } : share));
}

/** Distributes the pieces of a pick again, if all of them are still in hand. */
function sharedOut(batch: Batch, shares: readonly BatchPieces[], me: string): Batch {
  const held = (now: Batch, { item_id: item, slot }: BatchPieces): number => findShare(now, item, slot)?.in_hand ?? 0;
  const inHand = shares.reduce((sum, share) => sum + held(batch, share), 0);
  if (inHand !== sumOf(shares)) return batch;
  return settled(
    shares.reduce((now, share) => {
      const more = share.quantity - held(now, share);
      if (more === 0) return now;
      const changed = withShare(now, share, (each) => ({
        picked: each.picked + more,
        in_hand: share.quantity,
        state: each.picked + more < each.quantity ? 'short' : 'in_hand',
      }));
      const hands =
        more > 0
          ? withHands(now.hands, me, [{ ...share, quantity: more }])
          : withoutHands(now.hands, { ...share, quantity: -more }, me);
      return { ...changed, hands };
    }, batch),
  );
}

/** Moves pieces from hands into slots or, if `way` is −1, from slots into this person's hand. */
function moved(batch: Batch, pieces: readonly BatchPieces[], way: 1 | -1, me: string): Batch {
  return pieces.reduce((now, { slot, item_id: item, order_number: order, quantity }) => {
    const share = findShare(now, item, slot);
    const there = way === 1 ? share?.in_hand : share?.put;
    const some = Math.min(quantity, there ?? 0);
    if (some === 0) return now;
    const changed = withShare(now, { item_id: item, slot }, (each) => ({
      in_hand: each.in_hand - way * some,
      put: each.put + way * some,
    }));
    const given = { slot, item_id: item, order_number: order, quantity: some };
    const hands = way === 1 ? withoutHands(now.hands, given, me) : withHands(now.hands, me, [given]);
    return { ...changed, hands };
  }, batch);
}

/**
 * Moves scanned pieces into the slots of a wall or, if `way` is −1, back into this person's hand. A put also picks
 * pieces that were not picked before.
 */
function movedAtWall(batch: Batch, pieces: readonly BatchPieces[], way: 1 | -1, me: string): Batch {
  return pieces.reduce((now, piece) => {
    const { slot, item_id: item } = piece;
    const share = findShare(now, item, slot);
    const lit = sumOf(now.scanned.filter((each) => each.item_id === item && each.slot === slot));
    const some = Math.min(piece.quantity, share === undefined ? 0 : way === 1 ? lit : share.put);
    if (share === undefined || some === 0) return now;
    const given = { ...piece, quantity: some };
    const fromHand = way === 1 ? Math.min(some, share.in_hand) : -some;
    const changed = withShare(now, piece, (each) => ({
      picked: way === 1 ? each.picked + some - fromHand : each.picked,
      in_hand: each.in_hand - fromHand,
      put: each.put + way * some,
    }));
    const held = { ...piece, quantity: fromHand };
    const aside = asideOf(now);
    return {
      ...changed,
      hands: way === 1 ? withoutHands(now.hands, held, me) : withHands(now.hands, me, [given]),
      scanned: scannedBy(way === 1 ? withoutHands(aside, given, me) : withHands(aside, me, [given])),
    };
  }, batch);
}

const scannedBy = (hands: Hands): Batch['scanned'] =>
  hands.flatMap(({ by, shares }) => shares.map((share) => ({ by, ...share })));

/** Returns the pieces that wait to be put, by person: on a cart, the pieces in hand; at a wall, the scanned pieces. */
export function asideOf({ mode, hands, scanned }: Batch): Hands {
  if (mode === 'cart') return hands;
  return [...new Set(scanned.map(({ by }) => by))].map((by) => ({
    by,
    shares: scanned
      .filter((each) => each.by === by)
      .map(({ slot, order_number, item_id, quantity }) => ({ slot, order_number, item_id, quantity })),
  }));
}

const findShare = (batch: Batch, item: number, slot: string | null): BatchShare | undefined =>
  batch.slots.find((each) => each.slot === slot)?.shares.find(({ item_id: id }) => id === item);

function mapShares(batch: Batch, change: (share: BatchShare) => BatchShare): Batch {
  return { ...batch, slots: batch.slots.map((slot) => ({ ...slot, shares: slot.shares.map(change) })) };
}

function withShare(
  batch: Batch,
  { item_id: item, slot }: { item_id: number; slot: string | null },
  change: (share: BatchShare) => Partial<BatchShare>,
): Batch {
  return mapShares(batch, (share) =>
    share.item_id === item && share.slot === slot ? { ...share, ...change(share) } : share,
  );
}

type Hands = Batch['hands'];

function withHands(hands: Hands, by: string, pieces: readonly BatchPieces[]): Hands {
  const added = pieces.filter(({ quantity }) => quantity > 0);
  if (added.length === 0) return hands;
  const own = hands.find((hand) => isSame(hand.by, by))?.shares ?? [];
  const others = hands.filter((hand) => !isSame(hand.by, by));
  return [...others, { by, shares: [...own, ...added] }];
}

/** Removes pieces first from this person's hand, then from those that nobody holds, then from other hands. */
function withoutHands(hands: Hands, { slot, item_id: item, quantity }: BatchPieces, me: string): Hands {
  let rest = quantity;
  const rank = (by: string): number => (isSame(by, me) ? 0 : by === '' ? 1 : 2);
  return hands
    .toSorted((a, b) => rank(a.by) - rank(b.by))
    .map((hand) => ({
      ...hand,
      shares: hand.shares.flatMap((share) => {
        if (share.slot !== slot || share.item_id !== item) return [share];
        const some = Math.min(rest, share.quantity);
        rest -= some;
        return share.quantity === some ? [] : [{ ...share, quantity: share.quantity - some }];
      }),
    }))
    .filter(({ shares }) => shares.length > 0);
}

/** Marks a slot as complete if all its shares are put or closed short. */
function settled(batch: Batch): Batch {
  const isOver = ({ state, quantity, picked, put, in_hand: inHand }: BatchShare): boolean =>
    inHand === 0 && (state === 'short' || (picked >= quantity && put === picked));
  return {
    ...batch,
    slots: batch.slots.map((slot): BatchSlot => {
      if (slot.state !== 'open' && slot.state !== 'complete') return slot;
      return { ...slot, state: slot.shares.length > 0 && slot.shares.every(isOver) ? 'complete' : 'open' };
    }),
  };
}

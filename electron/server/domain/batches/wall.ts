import { compareNames } from '#shared/lib/text/locale.ts';
import type { BatchChange } from './pieces.ts';
import { byRank, inHandOf, isLive, isWaiting, openOf, withHand, withoutPieces } from './shares.ts';
import { emptied, withSlot } from './slots.ts';
import { FREED_MS, type BatchContent, type HeldPieces, type Share, type Slot, type WallScan } from './types.ts';

/** Pieces of a share, and the slot that is lit for them. */
export type WallPut = { share: Share; slot: string; quantity: number };

/**
 * What an article scan at a wall means:
 * - `lit`: the slots in `puts` take the pieces.
 * - `single`: the piece is the only one of its shipment, which does not need a slot.
 * - `press_first`: the person has to put the pieces of the previous scan first.
 * - `wall_full`: only waiting orders need the article, and no slot is free.
 * - `all_done`: every order has its pieces of the article.
 * - `not_needed`: no order contains the article.
 */
export type WallAnswer =
  | { kind: 'lit'; puts: readonly WallPut[]; leftOver: number }
  | { kind: 'single'; share: Share; leftOver: number }
  | { kind: 'press_first'; puts: readonly WallPut[] }
  | { kind: 'wall_full'; waiting: readonly Share[] }
  | { kind: 'all_done'; leftOver: number }
  | { kind: 'not_needed' };

/** Returns what a scan at a wall means, without changing the batch. */
export function readWallScan(batch: BatchContent, scan: WallScan): WallAnswer {
  const open = batch.scanned.filter(({ by }) => by === scan.by);
  if (open.length > 0) return { kind: 'press_first', puts: putsOf(batch, open) };
  const ordered = batch.shares.filter((share) => isLive(share) && share.article === scan.article);
  if (ordered.length === 0) return { kind: 'not_needed' };
  const pieces = scan.quantity ?? 1;
  const needing = ordered.filter((share) => availableOf(batch, share) > 0 && isOpenAt(batch, share));
  if (needing.length === 0) return { kind: 'all_done', leftOver: pieces };
  const { served, singles } = inOrder(batch, needing, scan);
  const [first] = served;
  if (first === undefined) return { kind: 'wall_full', waiting: needing };
  // A stack fills slots first. The remaining pieces can be scanned again for single-piece shipments.
  const single = scan.quantity === undefined ? singles.find((share) => share === first.share) : undefined;
  const stack = served.filter(({ share }) => !singles.includes(share));
  if (single !== undefined || stack.length === 0)
    return { kind: 'single', share: single ?? first.share, leftOver: pieces - 1 };
  let rest = pieces;
  const puts = stack.flatMap(({ share, slot }): WallPut[] => {
    const quantity = Math.min(rest, availableOf(batch, share));
    rest -= quantity;
    return quantity === 0 ? [] : [{ share, slot, quantity }];
  });
  return { kind: 'lit', puts, leftOver: rest };
}

/** Returns how many pieces the share's slot can take; in a bulk batch, only picked pieces count. */
function neededOf({ kind }: Pick<BatchContent, 'kind'>, share: Share): number {
  return inHandOf(share) + (kind === 'wall' ? openOf(share) : 0);
}

function scannedOf({ scanned }: Pick<BatchContent, 'scanned'>, id: number): number {
  return scanned.reduce((sum, { shareId, quantity }) => sum + (shareId === id ? quantity : 0), 0);
}

/** Counts the needed pieces that have not been scanned yet. */
export function availableOf(batch: Pick<BatchContent, 'kind' | 'scanned'>, share: Share): number {
  return neededOf(batch, share) - scannedOf(batch, share.id);
}

/** Whether the share's slot is open, or the share waits for a slot. */
function isOpenAt({ slots }: Pick<BatchContent, 'slots'>, share: Share): boolean {
  if (share.slot === null) return isWaiting(share);
  return slots.some(({ slot, state }) => slot === share.slot && state === 'open');
}

type Candidate = { share: Share; slot: string };

/**
 * Pairs each share with the slot that it has or would take, best first: the shipment with the fewest missing pieces, then slots that nobody
 * else has lit, then priority, due time and age. Omits shares that do not get a slot. `singles` are the shares that do not need one.
 */
function inOrder(
  batch: BatchContent,
  needing: readonly Share[],
  { by, at, singles: hasSingles }: WallScan,
): { served: Candidate[]; singles: Share[] } {
  const free = freeSlots(batch, at);
  const missing = new Map<number, number>();
  for (const share of batch.shares) {
    const pieces = isLive(share) ? openOf(share) + inHandOf(share) : 0;
    missing.set(share.shipmentId, (missing.get(share.shipmentId) ?? 0) + pieces);
  }
  const litByOthers = new Set(
    putsOf(
      batch,
      batch.scanned.filter((hand) => hand.by !== by),
    ).map(({ slot }) => slot),
  );
  const isLit = ({ slot }: Share): number => Number(slot !== null && litByOthers.has(slot));
  const ranked = needing.toSorted(
    (one, other) =>
      (missing.get(one.shipmentId) ?? 0) - (missing.get(other.shipmentId) ?? 0) ||
      isLit(one) - isLit(other) ||
      byRank({ ...one, id: 0 }, { ...other, id: 0 }) ||
      Number(one.slot === null) - Number(other.slot === null) ||
      compareNames(one.slot ?? '', other.slot ?? '') ||
      one.id - other.id,
  );
  const singles = hasSingles ? ranked.filter((share) => isSingle(batch, share)) : [];
  const takes = new Map<number, string>();
  const served = ranked.flatMap((share): Candidate[] => {
    if (share.slot !== null) return [{ share, slot: share.slot }];
    if (singles.includes(share)) return [{ share, slot: '' }];
    const slot = takes.get(share.shipmentId) ?? free.shift();
    if (slot === undefined) return [];
    takes.set(share.shipmentId, slot);
    return [{ share, slot }];
  });
  return { served, singles };
}

/** Returns slots that can take a shipment now. Excludes slots freed less than FREED_MS ago, because that may have been a mistake. */
export function freeSlots({ slots }: Pick<BatchContent, 'slots'>, at: number): string[] {
  return slots
    .filter(({ state, freed }) => state === 'free' && (freed === null || at - freed.at >= FREED_MS))
    .map(({ slot }) => slot);
}

/** Whether the share is the only piece of its shipment and has no slot. */
function isSingle({ shares }: Pick<BatchContent, 'shares'>, share: Share): boolean {
  const own = shares.filter((each) => each.shipmentId === share.shipmentId && isLive(each));
  return own.length === 1 && share.slot === null && share.quantity === 1;
}

function putsOf({ shares }: Pick<BatchContent, 'shares'>, scanned: readonly HeldPieces[]): WallPut[] {
  const shareOf = new Map(shares.map((share) => [share.id, share]));
  return scanned.flatMap(({ shareId, quantity }) => {
    const share = shareOf.get(shareId);
    return share === undefined || share.slot === null ? [] : [{ share, slot: share.slot, quantity }];
  });
}

/**
 * Lights the slots for a scanned article and assigns slots to waiting shipments. Books a single-piece shipment immediately, because it
 * does not need a slot.
 */
export function scanAtWall(batch: BatchContent, scan: WallScan): BatchChange | undefined {
  if (batch.kind === 'cart' || batch.state !== 'sorting') return undefined;
  const answer = readWallScan(batch, scan);
  const { by } = scan;
  if (answer.kind === 'single') return putScanned(batch, new Map([[heldBy(by, answer.share, 1), 1]]));
  if (answer.kind !== 'lit') return undefined;
  let current = batch;
  for (const { share, slot } of answer.puts) if (share.slot === null) current = takeSlot(current, share, slot);
  const puts = answer.puts.map(({ share, quantity }) => heldBy(by, share, quantity));
  const { slots, shares } = current;
  if (batch.putConfirmation === 'none')
    return { slots, ...putScanned(current, new Map(puts.map((each) => [each, each.quantity]))) };
  const scanned = puts.reduce<readonly HeldPieces[]>((all, each) => withHand(all, each), batch.scanned);
  return { slots, shares: withoutFound(shares), scanned };
}

function heldBy(by: string, { id: shareId }: Share, quantity: number): HeldPieces {
  return { by, shareId, quantity };
}

/** Assigns a free slot to a waiting shipment, with all its shares. */
function takeSlot(batch: BatchContent, share: Share, name: string): BatchContent {
  const { orderId, orderNumber, shipmentId, shipmentNumber } = share;
  const held = { orderId, orderNumber, shipmentId, shipmentNumber };
  const slot: Slot = { slot: name, state: 'open', held, tote: null, freed: null };
  const isOwn = (each: Share): boolean =>
    each.shipmentId === shipmentId && each.slot === null && isLive(each) && each.put === 0;
  // Find the waiting shares before `emptied` detaches the previous shares of the slot.
  const own = new Set(batch.shares.filter(isOwn).map(({ id }) => id));
  const shares = emptied(batch, name).map((each) => (own.has(each.id) ? { ...each, slot: name } : each));
  return { ...batch, slots: withSlot(batch, slot), shares };
}

/** Clears the result of the last pick, so that its pieces can no longer be reassigned. */
function withoutFound(shares: readonly Share[]): Share[] {
  return shares.map((share) => (share.found === null ? share : { ...share, found: null }));
}

/** Puts scanned pieces into their slots. For pieces that are not in a hand yet, also books the pick. */
export function putScanned(batch: BatchContent, puts: ReadonlyMap<HeldPieces, number>): BatchChange {
  let { hands } = batch;
  const shares = withoutFound(batch.shares).map((share): Share => {
    const pieces = [...puts].reduce((sum, [{ shareId }, each]) => sum + (shareId === share.id ? each : 0), 0);
    if (pieces === 0) return share;
    const fromHand = Math.min(pieces, inHandOf(share));
    hands = withoutPieces(hands, share.id, fromHand);
    return { ...share, picked: share.picked + pieces - fromHand, put: share.put + pieces };
  });
  const scanned = batch.scanned
    .map((hand) => ({ ...hand, quantity: hand.quantity - (puts.get(hand) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
  return { shares, hands, scanned };
}

/** Finds the put share of a single-piece shipment that went straight to packing and was not removed since. */
export function findPutSingle(batch: Pick<BatchContent, 'shares'>, itemId: number): Share | undefined {
  const isPut = (share: Share): boolean => share.itemId === itemId && share.put === 1 && isLive(share);
  return batch.shares.find((share) => isPut(share) && isSingle(batch, share));
}

/**
 * Reverts the put of a single-piece shipment. The piece returns to the hand if it was picked onto a cart before; otherwise it counts as not
 * picked. A batch that was done continues.
 */
export function undoSingle(
  batch: BatchContent,
  { itemId, by }: { itemId: number; by: string },
): BatchChange | undefined {
  const single = findPutSingle(batch, itemId);
  if (single === undefined) return undefined;
  const isHeld = batch.kind === 'bulk';
  const shares = batch.shares.map((share): Share =>
    share === single ? { ...share, put: 0, picked: isHeld ? 1 : 0, found: null } : share,
  );
  return {
    state: batch.state === 'done' ? 'sorting' : batch.state,
    shares,
    hands: isHeld ? withHand(batch.hands, heldBy(by, single, 1), true) : batch.hands,
  };
}

/** Keeps scanned pieces that their slots still need. Drops scans of pieces that are no longer in hand. */
export function settledScans(before: BatchContent, after: BatchContent): readonly HeldPieces[] {
  const was = new Map(before.shares.map((share) => [share.id, share]));
  // An event that changes the scans itself has already removed the right pieces.
  const isSame = before.scanned === after.scanned;
  let { scanned } = after;
  for (const id of new Set(scanned.map(({ shareId }) => shareId))) {
    const share = after.shares.find((each) => each.id === id);
    const known = was.get(id);
    const lit = scannedOf(after, id);
    const left = isSame && after.kind === 'wall' && share && known ? Math.max(0, inHandOf(known) - inHandOf(share)) : 0;
    const isThere = share !== undefined && isLive(share) && share.slot !== null && isOpenAt(after, share);
    const most = isThere ? Math.min(lit - left, neededOf(after, share)) : 0;
    if (most < lit) scanned = withoutPieces(scanned, id, lit - Math.max(0, most));
  }
  return scanned;
}

/** Drops this person's scans. */
export function setAside({ scanned }: BatchContent, by: string): BatchChange | undefined {
  const rest = scanned.filter((hand) => hand.by !== by);
  return rest.length === scanned.length ? undefined : { scanned: rest };
}

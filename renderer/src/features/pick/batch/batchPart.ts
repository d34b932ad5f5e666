import type { Batch } from '#shared/api/batch.ts';
import type { PickLine } from '../session/sessionTypes.ts';
import { isMine, isSame, othersIn, picksIt } from './batchPeople.ts';
import type { BatchPieces, BatchSession } from './batchTypes.ts';
import { asideOf, type BatchView, lineKey, viewOf } from './batchView.ts';

/** Returns the pieces that this person has to put, including those that nobody holds. */
export function myPieces({ me }: BatchSession, { batch }: BatchView): BatchPieces[] {
  const own = asideOf(batch).filter(({ by }) => by === '' || isSame(by, me));
  const all = new Map<string, BatchPieces>();
  for (const piece of own.flatMap(({ shares }) => shares)) {
    const key = `${piece.slot} ${piece.item_id}`;
    all.set(key, { ...piece, quantity: piece.quantity + (all.get(key)?.quantity ?? 0) });
  }
  return [...all.values()];
}

/** Whether this person still has pieces to put. */
export function isHolding(state: BatchSession): boolean {
  const view = viewOf(state);
  return view !== undefined && myPieces(state, view).length > 0;
}

export const otherHands = ({ me }: BatchSession, { batch }: BatchView): Batch['hands'] =>
  asideOf(batch).filter(({ by }) => by !== '' && !isSame(by, me));

/** Sums up pieces by slot and sorts the sums by slot name. */
export function bySlot(pieces: readonly BatchPieces[]): { slot: string; quantity: number }[] {
  const sums = new Map<string, number>();
  for (const { slot, quantity } of pieces)
    if (slot !== null && quantity > 0) sums.set(slot, (sums.get(slot) ?? 0) + quantity);
  return [...sums].map(([slot, quantity]) => ({ slot, quantity })).toSorted((a, b) => (a.slot < b.slot ? -1 : 1));
}

/**
 * Returns this person's lines in walking order, starting after the last pick. Lines without a light and skipped lines
 * come last.
 */
export function openLines(state: BatchSession, { batch, lines }: BatchView): PickLine[] {
  const rank = (line: PickLine) => state.skipped.indexOf(lineKey(line));
  const walk = [true, false].flatMap((isLit) =>
    startingAt(
      state.ahead,
      lines.filter(({ deviceid }) => (deviceid !== null) === isLit),
    ),
  );
  const own = batch.state === 'picking' ? walk.filter((line) => isMine(state.me, line)) : walk;
  return [
    ...own.filter((line) => rank(line) < 0),
    ...own.filter((line) => rank(line) >= 0).toSorted((a, b) => rank(a) - rank(b)),
  ];
}

function startingAt(ahead: ReadonlySet<string>, lines: readonly PickLine[]): readonly PickLine[] {
  const first = lines.findIndex((line) => ahead.has(lineKey(line)));
  return first <= 0 ? lines : [...lines.slice(first), ...lines.slice(0, first)];
}

/** Returns the new value of `ahead` in the session after this line was picked. */
export function aheadOf({ lines }: BatchView, picked: PickLine): ReadonlySet<string> {
  const keys = lines.map(lineKey);
  return new Set(keys.slice(Math.max(0, keys.indexOf(lineKey(picked)))));
}

/** Returns the lines that belong to other pickers. */
export const linesOfOthers = ({ me }: BatchSession, { batch, lines }: BatchView): PickLine[] =>
  batch.state === 'picking' ? lines.filter((line) => !isMine(me, line)) : [];

/**
 * Returns the items on a cart whose article must be scanned. At a wall, there are none, because scanning each piece
 * verifies it.
 */
const itemsToScan = ({ mode, slots }: Batch): ReadonlySet<number> =>
  new Set(
    (mode === 'cart' ? slots : []).flatMap(({ shares }) =>
      shares.flatMap(({ item_id: item, awaits_scan: awaits }) => (awaits ? [item] : [])),
    ),
  );

/** Whether the article of this line must be scanned. */
export function needsScan({ batch }: BatchView, { shares = [] }: PickLine): boolean {
  const items = itemsToScan(batch);
  return shares.some(({ item_id: item }) => items.has(item));
}

/**
 * Returns pieces of one article that were picked without the required scan: those in this person's hand and, if nobody
 * else picks the batch or this person has nothing left to pick, those already put.
 */
function unscanned(
  { me, names }: BatchSession,
  { batch }: BatchView,
  held: BatchPieces[],
  isLast: boolean,
): BatchPieces[] {
  const items = itemsToScan(batch);
  if (items.size === 0) return [];
  const isMine =
    batch.state === 'picking' &&
    (picksIt(me, batch) ? isLast || othersIn(me, batch).length === 0 : batch.pickers.length === 0);
  const put = isMine
    ? batch.slots.flatMap(({ shares }) =>
        shares.flatMap(({ slot, order_number, item_id, put: quantity, in_hand: inHand }) =>
          quantity > 0 && inHand === 0 ? [{ slot, order_number, item_id, quantity }] : [],
        ),
      )
    : [];
  const all = [...held, ...put].filter(({ item_id: item }) => items.has(item));
  const [first] = all;
  return all.filter(
    ({ item_id: item }) => item === first?.item_id || names.get(item) === names.get(first?.item_id ?? 0),
  );
}

export type BatchPart =
  | { kind: 'loading' }
  | { kind: 'load' }
  | { kind: 'paused' }
  | { kind: 'walk'; line: PickLine }
  /** Only others have places to pick. `isIn` tells whether this person also picks the batch. */
  | { kind: 'others'; isIn: boolean }
  /** The article of pieces that are already picked must be scanned. */
  | { kind: 'verify'; pieces: readonly BatchPieces[] }
  | { kind: 'put'; pieces: readonly BatchPieces[] }
  /** The page waits for the scan of an article at a wall. */
  | { kind: 'sort' }
  | { kind: 'sending' }
  | { kind: 'end' };

export function partOf(state: BatchSession, view = viewOf(state)): BatchPart {
  if (state.read === undefined || state.carrier === undefined) return { kind: 'loading' };
  if (view === undefined) return { kind: 'load' };
  const pieces = myPieces(state, view);
  const [line] = openLines(state, view);
  const toScan = unscanned(state, view, pieces, line === undefined);
  if (toScan.length > 0) return { kind: 'verify', pieces: toScan };
  if (pieces.length > 0) return { kind: 'put', pieces };
  if (view.batch.state === 'loading') return { kind: 'load' };
  if (view.batch.state === 'paused') return { kind: 'paused' };
  if (view.batch.state === 'sorting') return { kind: 'sort' };
  if (line !== undefined) return { kind: 'walk', line };
  if (linesOfOthers(state, view).length > 0) return { kind: 'others', isIn: picksIt(state.me, view.batch) };
  return state.pending.length > 0 && !state.isLost ? { kind: 'sending' } : { kind: 'end' };
}

export const askedOf = ({ quantity }: PickLine): number => quantity ?? 0;

/** Returns the number of pieces in packs that were scanned at this line. */
export function inPacks({ packs }: Pick<BatchSession, 'packs'>, line: PickLine): number {
  return packs.get(lineKey(line))?.quantity ?? 0;
}

/** Returns the number of pieces to pick at this line in addition to the scanned packs. */
export function restOf(state: Pick<BatchSession, 'packs'>, line: PickLine): number {
  return Math.max(0, askedOf(line) - inPacks(state, line));
}

/** Returns the number shown for a line: the count that was set, or the pieces that are still to be picked. */
export function countOf(state: BatchSession, line: PickLine): number {
  return state.counted.get(lineKey(line)) ?? restOf(state, line);
}

/** Stores a number for a line, as the newest one. */
export const withNumber = (counted: BatchSession['counted'], line: string, quantity: number): BatchSession['counted'] =>
  new Map([...[...counted].filter(([each]) => each !== line), [line, quantity]]);

/** Returns the `line` of a number that was typed for the next slot. It no longer matches once other pieces are in hand. */
export const putKey = (pieces: readonly BatchPieces[]): string =>
  `put ${pieces.map(({ slot, item_id: item, quantity }) => `${slot} ${item} ${quantity}`).join(', ')}`;

/**
 * Distributes the found pieces in the same way as the station: whole shares first; the first share that does not fit
 * gets the rest.
 */
export function distribute(shares: NonNullable<PickLine['shares']>, found: number): BatchPieces[] {
  let rest = found;
  let skipped: number | undefined;
  const given = shares.map((share, index): BatchPieces => {
    if (share.quantity > rest) {
      skipped ??= index;
      return { ...share, quantity: 0 };
    }
    rest -= share.quantity;
    return { ...share };
  });
  return given.map((share, index) => (index === skipped ? { ...share, quantity: rest } : share));
}

/**
 * Moves one piece to the share at index `at` if `by` is 1, or away from it if `by` is -1; another share loses or gets
 * that piece. Returns undefined if that is not possible.
 */
export function given(
  shares: readonly BatchPieces[],
  needs: readonly { quantity: number }[],
  { at, by }: { at: number; by: 1 | -1 },
): BatchPieces[] | undefined {
  const room = (index: number) => (needs[index]?.quantity ?? 0) - (shares[index]?.quantity ?? 0);
  const has = (index: number) => shares[index]?.quantity ?? 0;
  if (by === 1 ? room(at) <= 0 : has(at) <= 0) return undefined;
  const others = shares.map((_, index) => index).filter((index) => index !== at);
  const other = by === 1 ? others.findLast((index) => has(index) > 0) : others.find((index) => room(index) > 0);
  if (other === undefined) return undefined;
  return shares.map((share, index) => {
    if (index === at) return { ...share, quantity: share.quantity + by };
    return index === other ? { ...share, quantity: share.quantity - by } : share;
  });
}

/**
 * Returns a key that identifies the content of the page. It changes whenever the buttons change, but not after a put
 * into one of several slots.
 */
export function shownKey(state: BatchSession): string {
  const { question } = state;
  if (question !== undefined) {
    const about = 'slot' in question ? question.slot : 'line' in question ? lineKey(question.line) : '';
    return `${question.kind} ${about}`;
  }
  const part = partOf(state);
  if (part.kind === 'verify') return `verify ${part.pieces[0]?.item_id}`;
  return part.kind === 'walk' ? `walk ${lineKey(part.line)} ${askedOf(part.line)}` : part.kind;
}

import { expect, test } from 'vitest';
import { nextBatch } from '../../electron/server/domain/batches/batch.ts';
import type { BatchContent, BatchEvent, BatchKind, Share } from '../../electron/server/domain/batches/types.ts';
import * as fc from '../helpers/fastCheck.ts';

// Batches that two people sort into a wall of three slots, for six orders of two articles.
const SLOTS = ['A1', 'A2', 'B1'] as const;
const PEOPLE = ['Anna', 'Ben'] as const;
const ARTICLES = ['1', '2'] as const;
const ORDERS = [1, 2, 3, 4, 5, 6] as const;
const FREED_MS = 10_000;

const slot = fc.constantFrom(...SLOTS);
const person = fc.constantFrom(...PEOPLE);
const order = fc.constantFrom(...ORDERS);
const article = fc.constantFrom(...ARTICLES);
const few = fc.integer({ min: 0, max: 6 });
const optional = fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined });
const item = fc.tuple(order, article).map(([of, which]) => of * 10 + Number(which));

const adding = fc
  .record({
    to: fc.option(slot, { nil: null }),
    order,
    quantities: fc.oneof(fc.constant([1]), fc.tuple(few, few)),
    priority: fc.integer({ min: 0, max: 1 }),
    dueAt: fc.constantFrom(null, 5, 6),
  })
  .map(({ to, order: of, quantities, priority, dueAt }): BatchEvent => {
    const held = { orderId: of, orderNumber: String(of), shipmentId: of, shipmentNumber: String(of) };
    const shares = quantities.flatMap((quantity, index) =>
      quantity === 0
        ? []
        : [{ itemId: of * 10 + index + 1, article: String(index + 1), quantity, priority, dueAt, ageAt: of }],
    );
    return { kind: 'added', slot: to, held, tote: null, shares };
  });

type Step = BatchEvent | { kind: 'launch' } | { kind: 'wait' };

const scan = fc
  .record({ article, quantity: optional, by: person, singles: fc.boolean() })
  .map((asked): BatchEvent => ({ kind: 'scanned', at: 0, ...asked }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: adding },
  { weight: 6, arbitrary: scan },
  { weight: 2, arbitrary: fc.constant({ kind: 'launch' } as const) },
  { weight: 2, arbitrary: fc.constant({ kind: 'wait' } as const) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('putAll' as const), by: person }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      slot,
      quantity: optional,
      by: fc.option(person, { nil: undefined }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('picked' as const),
      pickId: fc.constantFrom(1, 2),
      quantity: few,
      by: person,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('putUndone' as const),
      slot,
      itemId: item,
      quantity: optional,
      by: person,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('setAside' as const), by: person }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('shorted' as const), itemId: item, reason: fc.constant('missing') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopened' as const), itemId: item, quantity: optional }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('corrected' as const), itemId: item, picked: few }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('moved' as const), slot, to: slot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('full' as const), slot, to: slot }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('freed' as const), slot, at: fc.constant(0), keeps: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('freeUndone' as const), slot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stopped' as const), orderId: order }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('returned' as const), itemId: item, quantity: few }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('handMissing' as const, 'handPutBack' as const), from: person }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('handTaken' as const), from: person, by: person }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'paused' } as const) },
);

/** The end of a shift: everybody puts what they can and returns the rest, and every slot is emptied. */
const END: readonly Step[] = [
  ...PEOPLE.map((by) => ({ kind: 'putAll', by }) as const),
  ...PEOPLE.map((from) => ({ kind: 'handPutBack', from }) as const),
  ...ORDERS.map((orderId) => ({ kind: 'stopped', orderId }) as const),
  ...SLOTS.map((name) => ({ kind: 'freed', slot: name, at: 0, keeps: false }) as const),
];

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Numbers of pieces of one item, as counted by an observer of shelf, hands, cart and wall. `lit` pieces are announced by a light. */
type Seen = { picked: number; put: number; back: number; hand: number; lit: number };

function seen({ shares, hands, scanned }: BatchContent, itemId: number): Seen {
  const own = shares.filter((share) => share.itemId === itemId);
  const ids = new Set(own.map(({ id }) => id));
  const inHands = (all: BatchContent['hands']): number =>
    sum(all.filter(({ shareId }) => ids.has(shareId)).map(({ quantity }) => quantity));
  return {
    picked: sum(own.map(({ picked }) => picked)),
    put: sum(own.map(({ put }) => put)),
    back: sum(own.map(({ putBack }) => putBack)),
    hand: inHands(hands),
    lit: inHands(scanned),
  };
}

const minus = (one: Seen, other: Seen): Seen => ({
  picked: one.picked - other.picked,
  put: one.put - other.put,
  back: one.back - other.back,
  hand: one.hand - other.hand,
  lit: one.lit - other.lit,
});

/**
 * Checks that only pieces that hands moved are counted. At a wall without picking, putting a piece records its pick; scanning it does not.
 */
function checkMoves(before: BatchContent, after: BatchContent, event: BatchEvent): void {
  for (const id of ORDERS.flatMap((of) => ARTICLES.map((which) => of * 10 + Number(which)))) {
    const moved = minus(seen(after, id), seen(before, id));
    expect(moved.picked, event.kind).toBe(moved.put + moved.back + moved.hand);
    if (event.kind === 'put' || event.kind === 'putAll') {
      expect(moved.put).toBeGreaterThanOrEqual(0);
      expect(moved.back).toBe(0);
      expect(moved.lit + moved.put).toBe(0);
      if (before.kind === 'bulk') expect(moved.picked).toBe(0);
    } else if (event.kind === 'scanned') {
      expect(moved.back).toBe(0);
      if (before.kind === 'bulk') expect(moved.picked).toBe(0);
      // A scan either lights pieces or puts them, but not both.
      expect(moved.lit === 0 || moved.put === 0).toBe(true);
    } else if (
      ['setAside', 'handTaken', 'paused', 'launched', 'moved', 'full', 'added', 'shorted'].includes(event.kind)
    ) {
      expect(moved, event.kind).toMatchObject({ picked: 0, put: 0, back: 0, hand: 0 });
    }
    if (event.kind !== 'scanned' && event.kind !== 'putUndone') expect(moved.lit).toBeLessThanOrEqual(0);
  }
}

const isLive = (share: Share): boolean => share.ending !== 'stopped';
/**
 * Returns the number of pieces still missing in the slot: those not picked yet, and those picked that are neither put nor set aside for
 * return.
 */
const missingOf = (share: Share): number =>
  (share.ending === null ? share.quantity - share.picked : 0) + share.picked - share.put - share.putBack;
/** Returns the number of pieces that a scan can still announce at the slot. In a picked batch, only pieces in hand count. */
const sortableOf = (batch: BatchContent, share: Share): number =>
  (batch.kind === 'wall' ? missingOf(share) : share.picked - share.put - share.putBack) -
  sum(batch.scanned.filter(({ shareId }) => shareId === share.id).map(({ quantity }) => quantity));

/**
 * Checks which slot gets one piece. Slots are compared by missing pieces (fewest first), whether another person lit them (last), priority,
 * due time and age. Compares the chosen slot with every other possible slot.
 */
function checkOnePiece(
  before: BatchContent,
  after: BatchContent,
  event: Extract<BatchEvent, { kind: 'scanned' }>,
): number {
  const gained = after.shares.flatMap((share) => {
    const was = before.shares.find(({ id }) => id === share.id);
    if (was === undefined) return [];
    const lit = ({ scanned }: BatchContent): number =>
      sum(scanned.filter(({ shareId }) => shareId === share.id).map(({ quantity }) => quantity));
    const gain = share.put - was.put + lit(after) - lit(before);
    return gain === 0 ? [] : [{ was, share, gain }];
  });
  const isBusy = before.scanned.some(({ by }) => by === event.by);
  const hasFree = before.slots.some(
    ({ state, freed }) => state === 'free' && (freed === null || event.at - freed.at >= FREED_MS),
  );
  const isOnly = (share: Share): boolean =>
    event.singles &&
    share.slot === null &&
    share.quantity === 1 &&
    before.shares.filter((each) => each.shipmentId === share.shipmentId && isLive(each)).length === 1;
  const canTake = (share: Share): boolean =>
    share.slot === null
      ? hasFree || isOnly(share)
      : before.slots.some(({ slot: name, state }) => name === share.slot && state === 'open');
  const possible = before.shares.filter(
    (share) => isLive(share) && share.article === event.article && sortableOf(before, share) > 0 && canTake(share),
  );
  if (before.state !== 'sorting' || isBusy || possible.length === 0) {
    expect(gained).toEqual([]);
    return 0;
  }
  const shipmentMissing = (share: Share): number =>
    sum(before.shares.filter((each) => isLive(each) && each.shipmentId === share.shipmentId).map(missingOf));
  const othersLit = (share: Share): number =>
    Number(
      share.slot !== null &&
        before.scanned.some(
          ({ by, shareId }) => by !== event.by && before.shares.find(({ id }) => id === shareId)?.slot === share.slot,
        ),
    );
  const rank = (share: Share): number[] => [
    shipmentMissing(share),
    othersLit(share),
    -share.priority,
    share.dueAt ?? 99,
    share.ageAt,
  ];
  const isBefore = (one: number[], other: number[]): boolean => {
    const at = one.findIndex((value, index) => value !== other[index]);
    return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
  };
  const [best] = gained;
  if (event.quantity === undefined) {
    expect(gained.map(({ gain }) => gain)).toEqual([1]);
    for (const other of possible) expect(best && isBefore(rank(other), rank(best.was))).toBe(false);
  } else {
    // A stack lights slots for at most its own pieces, and no slot gets more pieces than it needs.
    expect(sum(gained.map(({ gain }) => gain))).toBeLessThanOrEqual(event.quantity);
    for (const { was, gain } of gained) expect(gain).toBeLessThanOrEqual(sortableOf(before, was));
  }
  return gained.length;
}

function checkState(batch: BatchContent): void {
  for (const share of batch.shares) {
    expect(share.put + share.putBack).toBeLessThanOrEqual(share.picked);
    expect(share.picked).toBeLessThanOrEqual(share.quantity);
    expect(Math.min(share.put, share.putBack, sortableOf(batch, share))).toBeGreaterThanOrEqual(0);
  }
  for (const { shareId, quantity } of batch.scanned) {
    expect(quantity).toBeGreaterThan(0);
    const share = batch.shares.find(({ id }) => id === shareId);
    expect(batch.slots.find(({ slot: name }) => name === share?.slot)?.state).toBe('open');
  }
  for (const { slot: name, state, held } of batch.slots) {
    const inIt = batch.shares.filter((share) => share.slot === name && isLive(share));
    if (state === 'open' || state === 'complete')
      for (const { shipmentId } of inIt) expect(shipmentId).toBe(held?.shipmentId);
    if (state === 'complete')
      for (const share of inIt) {
        expect(share.put, `${name} is complete`).toBe(share.picked);
        expect(share.ending === 'short' || share.put === share.quantity).toBe(true);
      }
  }
  const isLeft = batch.shares.some((share) => isLive(share) && missingOf(share) > 0);
  if (batch.state === 'done') {
    expect([batch.hands, batch.scanned, isLeft]).toEqual([[], [], false]);
    expect(batch.slots.every(({ state }) => state === 'free')).toBe(true);
  }
  if (batch.kind === 'wall') expect(batch.state).not.toBe('picking');
}

/** Returns whether the order has a slot or waits for one. Otherwise it can be added again. */
const isIn = ({ shares, slots }: BatchContent, orderId: number): boolean =>
  slots.some(({ state, held }) => (state === 'open' || state === 'complete') && held?.orderId === orderId) ||
  shares.some((share) => share.orderId === orderId && isLive(share) && missingOf(share) > 0);

/** Returns whether the batch has the order of this item, in a slot or waiting. Other orders are corrected outside the batch. */
function isHeld({ shares, slots }: BatchContent, itemId: number): boolean {
  const holding = slots.filter(({ state }) => state === 'open' || state === 'complete').map(({ slot: name }) => name);
  return shares.some(
    (share) =>
      share.itemId === itemId &&
      isLive(share) &&
      (share.slot === null ? missingOf(share) > 0 : holding.includes(share.slot)),
  );
}

function eventOf(batch: BatchContent, asked: Step, now: number): BatchEvent | undefined {
  if (asked.kind === 'wait') return undefined;
  if (asked.kind === 'launch') {
    const open = batch.shares.filter((share) => share.ending === null && share.picked < share.quantity);
    const picks = batch.kind === 'wall' ? [] : open.map((share) => [share.id, share.itemId % 10] as const);
    return { kind: 'launched', picks: new Map(picks) };
  }
  if (asked.kind === 'added') {
    const to = batch.slots.find(({ slot: name }) => name === asked.slot);
    return isIn(batch, asked.held.orderId) || (to !== undefined && to.state !== 'free') ? undefined : asked;
  }
  // Pieces for a wall are picked only by scans.
  if (asked.kind === 'picked' && batch.kind === 'wall') return undefined;
  if ('itemId' in asked && asked.itemId !== undefined && asked.kind !== 'returned' && !isHeld(batch, asked.itemId))
    return undefined;
  return asked.kind === 'scanned' || asked.kind === 'freed' ? { ...asked, at: now } : asked;
}

test('at a wall, each piece is in one place, one piece lights one slot, and no slot is complete before its pieces are put', () => {
  const counts = { lit: 0, single: 0, complete: 0, took: 0, done: 0, stack: 0 };
  fc.assert(
    fc.property(
      fc.constantFrom<BatchKind>('wall', 'bulk'),
      fc.constantFrom('each', 'once', 'none'),
      fc.array(adding, { minLength: 3, maxLength: 8 }),
      fc.array(step, { minLength: 10, maxLength: 60 }),
      fc.constantFrom([], END),
      (kind, putConfirmation, loaded, worked, end) => {
        const FREE = { state: 'free', held: null, tote: null, freed: null } as const;
        let batch: BatchContent = {
          kind,
          state: 'loading',
          putConfirmation,
          slots: SLOTS.map((name) => ({ slot: name, ...FREE })),
          shares: [],
          hands: [],
          scanned: [],
        };
        let now = 0;
        for (const asked of [...loaded, { kind: 'launch' } as const, ...worked, ...end]) {
          now += asked.kind === 'wait' ? FREED_MS : 100;
          const event = eventOf(batch, asked, now);
          if (event === undefined) continue;
          const after = nextBatch(batch, event);
          checkMoves(batch, after, event);
          checkState(after);
          if (event.kind === 'scanned') {
            const lit = checkOnePiece(batch, after, event);
            counts.lit += Number(lit === 1);
            counts.stack += Number(lit > 1);
            const openBefore = batch.slots.filter(({ state }) => state === 'open').length;
            counts.took += Number(after.slots.filter(({ state }) => state === 'open').length > openBefore);
            counts.single += Number(after.shares.some((share) => share.slot === null && share.put > 0));
          }
          counts.complete += Number(after.slots.some(({ state }) => state === 'complete'));
          counts.done += Number(after.state === 'done' && batch.state !== 'done');
          batch = after;
        }
        if (end.length > 0) expect(batch.state).toBe('done');
      },
    ),
    { numRuns: 500 },
  );
  for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(5);
});

import { expect, test } from 'vitest';
import { nextBatch } from '../../electron/server/domain/batches/batch.ts';
import type { BatchContent, BatchEvent, PutConfirmation, Share } from '../../electron/server/domain/batches/types.ts';
import * as fc from '../helpers/fastCheck.ts';

const SLOTS = ['A1', 'A2', 'A3', 'B1', 'B2'] as const;
const PEOPLE = ['Anna', 'Ben'] as const;
const LIGHTS = [1, 2] as const;
const ORDERS = [1, 2, 3, 4] as const;

const slot = fc.constantFrom(...SLOTS);
const person = fc.constantFrom(...PEOPLE);
const few = fc.integer({ min: 0, max: 9 });
const order = fc.constantFrom(...ORDERS);
/** Item ids. Each order has one item at each light. */
const item = fc.tuple(order, fc.constantFrom(...LIGHTS)).map(([of, light]) => of * 10 + light);

const shipment = fc.record({
  slot,
  order,
  quantities: fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })),
  priority: fc.integer({ min: 0, max: 2 }),
  dueAt: fc.constantFrom(null, 5, 6),
});
const adding = shipment.map(({ slot: to, order: of, quantities, priority, dueAt }): BatchEvent => {
  const held = { orderId: of, orderNumber: String(of), shipmentId: of, shipmentNumber: String(of) };
  const shares = quantities.map((quantity, index) => {
    const light = index + 1;
    return { itemId: of * 10 + light, article: String(light), quantity, priority, dueAt, ageAt: of };
  });
  return { kind: 'added', slot: to, held, tote: null, shares };
});
const optional = fc.option(few, { nil: undefined });

/** Generates an event. `launch` stands for an event that assigns each open share the light of its article. */
const step: fc.Arbitrary<BatchEvent | { kind: 'launch' }> = fc.oneof(
  adding,
  fc.constant({ kind: 'launch' } as const),
  fc.constant({ kind: 'launch' } as const),
  fc.record({ kind: fc.constant('picked' as const), pickId: fc.constantFrom(...LIGHTS), quantity: few, by: person }),
  fc.record({ kind: fc.constant('picked' as const), pickId: fc.constantFrom(...LIGHTS), quantity: few, by: person }),
  fc.record({
    kind: fc.constant('confirmed' as const),
    pieces: fc
      .uniqueArray(fc.tuple(item, few), { selector: ([itemId]) => itemId, minLength: 1 })
      .map((pieces) => new Map(pieces)),
    by: person,
    reason: fc.constant(''),
  }),
  fc.record({ kind: fc.constant('put' as const), slot, quantity: optional }),
  fc.constant({ kind: 'putAll' } as const),
  fc.record({ kind: fc.constant('putUndone' as const), slot, itemId: item, quantity: optional, by: person }),
  fc.record({ kind: fc.constant('shorted' as const), itemId: item, reason: fc.constant('missing') }),
  fc.record({ kind: fc.constant('reopened' as const), itemId: item, quantity: optional }),
  fc.record({ kind: fc.constant('corrected' as const), itemId: item, picked: few }),
  fc.record({ kind: fc.constant('moved' as const), slot, to: slot }),
  fc.record({ kind: fc.constant('full' as const), slot, to: slot }),
  fc.record({ kind: fc.constant('freed' as const), slot, at: fc.constant(1), keeps: fc.boolean() }),
  fc.record({ kind: fc.constant('returned' as const), itemId: item, quantity: few }),
  fc.record({ kind: fc.constant('freeUndone' as const), slot }),
  fc.record({ kind: fc.constant('stopped' as const), orderId: order }),
  fc.record({ kind: fc.constant('handTaken' as const), from: person, by: person }),
  fc.record({ kind: fc.constant('handMissing' as const), from: person }),
  fc.record({ kind: fc.constant('handPutBack' as const), from: person }),
  fc.record({
    kind: fc.constant('reassigned' as const),
    shares: fc.array(fc.tuple(few, few), { maxLength: 4 }).map((pairs) => new Map(pairs)),
    reason: fc.constant('damaged'),
  }),
);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Numbers of pieces of one item, as counted by an observer who sees all hands but knows nothing about shares. */
type Watched = { picked: number; put: number; back: number; hand: number };

/** Checks how each kind of event may change the counts. */
function watch(before: Watched, after: Watched, event: BatchEvent, putConfirmation: PutConfirmation): void {
  const moved = {
    picked: after.picked - before.picked,
    put: after.put - before.put,
    back: after.back - before.back,
    hand: after.hand - before.hand,
  };
  expect(moved.picked).toBe(moved.put + moved.back + moved.hand);
  switch (event.kind) {
    case 'picked':
    case 'confirmed':
      expect(moved.picked).toBeGreaterThanOrEqual(0);
      return expect(moved.back).toBe(0);
    case 'put':
    case 'putAll':
      expect(moved.put).toBeGreaterThanOrEqual(0);
      return expect(moved).toMatchObject({ picked: 0, back: 0 });
    case 'putUndone':
      expect(moved.put).toBeLessThanOrEqual(0);
      return expect(moved).toMatchObject({ picked: 0, back: 0 });
    case 'stopped':
    case 'handPutBack':
      expect(moved.back).toBeGreaterThanOrEqual(0);
      return expect(moved).toMatchObject({ picked: 0, put: 0 });
    case 'returned':
      expect(moved.back).toBeLessThanOrEqual(0);
      return expect(moved).toMatchObject({ put: 0, hand: 0 });
    case 'freed':
      expect(moved.back).toBeGreaterThanOrEqual(0);
      return expect(moved).toMatchObject({ picked: 0, hand: 0 });
    case 'freeUndone':
      expect(moved.back).toBeLessThanOrEqual(0);
      return expect(moved).toMatchObject({ picked: 0, hand: 0 });
    case 'reopened':
      expect(moved.hand).toBeLessThanOrEqual(0);
      expect(moved.back).toBe(0);
      // If a pick is a put, its undo takes the pieces out of the slot.
      return putConfirmation === 'none' ? expect(moved.put).toBeLessThanOrEqual(0) : expect(moved.put).toBe(0);
    case 'handMissing':
      expect(moved.hand).toBeLessThanOrEqual(0);
      return expect(moved).toMatchObject({ put: 0, back: 0 });
    case 'reassigned':
      return expect(moved).toMatchObject({ put: 0, back: 0 });
    case 'corrected':
      return;
    default:
      return expect(moved).toEqual({ picked: 0, put: 0, back: 0, hand: 0 });
  }
}

function watched({ shares, hands }: BatchContent, itemId: number): Watched {
  const own = shares.filter((share) => share.itemId === itemId);
  const ids = new Set(own.map(({ id }) => id));
  return {
    picked: sum(own.map(({ picked }) => picked)),
    put: sum(own.map(({ put }) => put)),
    back: sum(own.map(({ putBack }) => putBack)),
    hand: sum(hands.filter(({ shareId }) => ids.has(shareId)).map(({ quantity }) => quantity)),
  };
}

const leftOf = (share: Share): number => (share.ending === null ? share.quantity - share.picked : 0);

/** Checks how a pick is distributed: a share is complete if it fits into what earlier shares left, and at most one share is partial. */
function checkPick(
  before: BatchContent,
  after: BatchContent,
  { pickId, quantity }: { pickId: number; quantity: number },
): void {
  const waiting = before.shares.filter((share) => share.pickId === pickId && leftOf(share) > 0);
  const gain = (share: Share): number => (after.shares.find(({ id }) => id === share.id)?.picked ?? 0) - share.picked;
  expect(sum(waiting.map(gain))).toBe(Math.min(quantity, sum(waiting.map(leftOf))));
  const ranked = waiting.toSorted(
    (a, b) => b.priority - a.priority || (a.dueAt ?? 99) - (b.dueAt ?? 99) || a.ageAt - b.ageAt || a.id - b.id,
  );
  const whole = ranked.filter((share) => gain(share) === leftOf(share));
  const skipped = ranked.filter((share) => gain(share) < leftOf(share));
  for (const share of skipped) {
    const wholeBefore = sum(whole.filter((each) => ranked.indexOf(each) < ranked.indexOf(share)).map(leftOf));
    expect(leftOf(share)).toBeGreaterThan(quantity - wholeBefore);
  }
  for (const share of skipped.slice(1)) expect(gain(share)).toBe(0);
}

function checkBatch(batch: BatchContent): void {
  for (const share of batch.shares) {
    expect(share.put).toBeGreaterThanOrEqual(0);
    expect(share.putBack).toBeGreaterThanOrEqual(0);
    expect(share.put + share.putBack).toBeLessThanOrEqual(share.picked);
    expect(share.picked).toBeLessThanOrEqual(share.quantity);
  }
  for (const { quantity } of batch.hands) expect(quantity).toBeGreaterThan(0);
  for (const { slot: name, state, held } of batch.slots) {
    if (state !== 'complete') continue;
    const own = batch.shares.filter(
      ({ shipmentId, ending }) => shipmentId === held?.shipmentId && ending !== 'stopped',
    );
    for (const share of own) {
      expect(share.put, `${name} is complete`).toBe(share.picked);
      expect(share.ending === 'short' || share.put === share.quantity).toBe(true);
    }
  }
  if (batch.state === 'done') {
    expect(batch.hands).toEqual([]);
    expect(batch.slots.every(({ state }) => state === 'free')).toBe(true);
  }
}

/** Returns whether the order is in the batch. An order that was stopped, or whose slots were freed, is not, so it can be added again. */
const isIn = ({ shares, slots }: BatchContent, orderId: number): boolean =>
  slots.some(({ state, held }) => (state === 'open' || state === 'complete') && held?.orderId === orderId) ||
  shares.some((share) => share.orderId === orderId && share.ending !== 'stopped' && leftOf(share) > 0);

test('each piece is at the shelf, in a hand, in a slot or to be put back, and no slot is complete before its pieces are put', () => {
  let complete = 0;
  let shared = 0;
  fc.assert(
    fc.property(
      fc.constantFrom('each', 'once', 'none'),
      fc.array(adding, { minLength: 3, maxLength: 8 }),
      fc.array(step, { minLength: 5, maxLength: 50 }),
      (putConfirmation, loaded, worked) => {
        const FREE = { state: 'free', held: null, tote: null, freed: null } as const;
        let batch: BatchContent = {
          kind: 'cart',
          state: 'loading',
          putConfirmation,
          slots: SLOTS.map((name) => ({ slot: name, ...FREE })),
          shares: [],
          hands: [],
          scanned: [],
        };
        for (const asked of [...loaded, { kind: 'launch' } as const, ...worked]) {
          const open = batch.shares.filter((share) => leftOf(share) > 0 && share.pickId === null);
          const event: BatchEvent =
            asked.kind === 'launch'
              ? { kind: 'launched', picks: new Map(open.map((share) => [share.id, share.itemId % 10])) }
              : asked;
          if (event.kind === 'added' && isIn(batch, event.held.orderId)) continue;
          const after = nextBatch(batch, event);
          for (const id of ORDERS.flatMap((of) => LIGHTS.map((light) => of * 10 + light)))
            watch(watched(batch, id), watched(after, id), event, batch.putConfirmation);
          if (event.kind === 'picked') {
            checkPick(batch, after, event);
            if (after.hands.length > batch.hands.length + 1) shared += 1;
          }
          checkBatch(after);
          if (after.slots.some(({ state }) => state === 'complete')) complete += 1;
          batch = after;
        }
      },
    ),
    { numRuns: 500 },
  );
  expect(complete).toBeGreaterThan(100);
  expect(shared).toBeGreaterThan(100);
});

import { expect, test } from 'vitest';
import { nextBatch } from '../../../electron/server/domain/batches/batch.ts';
import { slotLight } from '../../../electron/server/domain/batches/lights.ts';
import { shareState } from '../../../electron/server/domain/batches/shares.ts';
import type {
  BatchContent,
  BatchEvent,
  NewShare,
  PutConfirmation,
} from '../../../electron/server/domain/batches/types.ts';

const FREE = { state: 'free', held: null, tote: null, freed: null } as const;
const EMPTY: BatchContent = {
  kind: 'cart',
  state: 'loading',
  putConfirmation: 'once',
  slots: ['A1', 'A2', 'B1', 'B2'].map((slot) => ({ slot, ...FREE })),
  shares: [],
  hands: [],
  scanned: [],
};

/** Returns an order with one shipment, which has the same number. */
const held = (order: number) => ({
  orderId: order,
  orderNumber: `SO-${order}`,
  shipmentId: order,
  shipmentNumber: `SO-${order}`,
});
/** Returns a share whose item id is ten times the order number, with the fields in `given` replaced. */
const share = (order: number, quantity: number, given: Partial<NewShare> = {}): NewShare => ({
  itemId: order * 10,
  article: 'tie',
  quantity,
  priority: 0,
  dueAt: null,
  ageAt: order,
  ...given,
});

const after = (batch: BatchContent, ...events: BatchEvent[]): BatchContent => events.reduce(nextBatch, batch);
const added = (slot: string, order: number, ...shares: NewShare[]): BatchEvent => ({
  kind: 'added',
  slot,
  held: held(order),
  tote: null,
  shares,
});
const ALL_AT_ONE: BatchEvent = { kind: 'launched', picks: new Map([1, 2, 3, 4, 5].map((id) => [id, 7])) };
const picked = (quantity: number, by = 'Anna'): BatchEvent => ({ kind: 'picked', pickId: 7, quantity, by });

/** Launches a batch of three orders that need 3, 4 and 2 pieces of one article, at one light. */
function launched(putConfirmation: PutConfirmation = 'once', given: Partial<NewShare>[] = []): BatchContent {
  return after(
    { ...EMPTY, putConfirmation },
    added('A1', 1, share(1, 3, given[0])),
    added('A2', 2, share(2, 4, given[1])),
    added('B1', 3, share(3, 2, given[2])),
    ALL_AT_ONE,
  );
}

const found = (batch: BatchContent): string =>
  batch.shares.map((each) => `${each.picked}/${each.quantity} ${shareState(each)}`).join(', ');
const lightOf = (batch: BatchContent, name: string) =>
  batch.slots.filter(({ slot }) => slot === name).map((slot) => slotLight(batch, slot))[0];
const slots = (batch: BatchContent): string => batch.slots.map(({ slot, state }) => `${slot} ${state}`).join(', ');

test('a press for the whole sum gives each share what it needs, and moves the pieces to the hand', () => {
  const batch = after(launched(), picked(9));
  expect(found(batch)).toBe('3/3 in_hand, 4/4 in_hand, 2/2 in_hand');
  expect(batch.hands.map(({ quantity }) => quantity)).toEqual([3, 4, 2]);
  expect(slots(batch)).toBe('A1 open, A2 open, B1 open, B2 free');
});

test('a batch never books more pieces than the sum of its shares', () => {
  expect(found(after(launched(), picked(12)))).toBe('3/3 in_hand, 4/4 in_hand, 2/2 in_hand');
});

test.each([
  { of: 8, gives: '3/3 in_hand, 4/4 in_hand, 1/2 in_hand' },
  { of: 6, gives: '3/3 in_hand, 1/4 in_hand, 2/2 in_hand' },
  { of: 4, gives: '3/3 in_hand, 1/4 in_hand, 0/2 short' },
  { of: 1, gives: '1/3 in_hand, 0/4 short, 0/2 short' },
  { of: 0, gives: '0/3 short, 0/4 short, 0/2 short' },
])('with too few pieces ($of), whole shares come first, and the first skipped share gets the rest', ({ of, gives }) => {
  expect(found(after(launched(), picked(of)))).toBe(gives);
});

test('scarce pieces are distributed by priority, then due time, then age', () => {
  const ranks = [{ dueAt: 200 }, { dueAt: 100 }, { priority: 1 }];
  expect(found(after(launched('once', ranks), picked(2)))).toBe('0/3 short, 0/4 short, 2/2 in_hand');
  expect(found(after(launched('once', ranks), picked(6)))).toBe('0/3 short, 4/4 in_hand, 2/2 in_hand');
});

test('a second press on the same light books nothing', () => {
  const once = after(launched(), picked(9));
  expect(after(once, picked(9))).toBe(once);
});

test('with put_confirmation none, a pick is a put', () => {
  const batch = after(launched('none'), picked(9));
  expect(batch.hands).toEqual([]);
  expect(slots(batch)).toBe('A1 complete, A2 complete, B1 complete, B2 free');
});

test('a put takes the pieces of its slot, up to its quantity', () => {
  const hand = after(launched('each'), picked(9));
  const some = after(hand, { kind: 'put', slot: 'A2', quantity: 3 });
  expect(some.shares.map(({ put }) => put)).toEqual([0, 3, 0]);
  expect(slots(some)).toBe('A1 open, A2 open, B1 open, B2 free');
  expect(slots(after(some, { kind: 'put', slot: 'A2' }))).toBe('A1 open, A2 complete, B1 open, B2 free');
});

test('a slot without pieces to put, or an empty hand, ignores a put', () => {
  const hand = after(launched('each'), picked(9));
  expect(after(hand, { kind: 'put', slot: 'B2' })).toBe(hand);
  const empty = after(hand, { kind: 'putAll' });
  expect(after(empty, { kind: 'put', slot: 'A1' })).toBe(empty);
  expect(after(empty, { kind: 'putAll' })).toBe(empty);
});

test('if a slot needs two articles from the hand, a put takes the first', () => {
  const two = after(
    EMPTY,
    added('A1', 1, share(1, 3), share(1, 2, { itemId: 11, article: 'screw' })),
    {
      kind: 'launched',
      picks: new Map([
        [1, 7],
        [2, 8],
      ]),
    },
    { kind: 'picked', pickId: 8, quantity: 2, by: 'Anna' },
    picked(3),
  );
  expect(lightOf(two, 'A1')).toMatchObject({ kind: 'put', quantity: 2 });
  expect(after(two, { kind: 'put', slot: 'A1' }).shares.map(({ put }) => put)).toEqual([0, 2]);
  expect(after(two, { kind: 'put', slot: 'A1', itemId: 10 }).shares.map(({ put }) => put)).toEqual([3, 0]);
  expect(after(two, { kind: 'putAll' }).shares.map(({ put }) => put)).toEqual([3, 2]);
});

test('undoing a put returns the pieces to the hand, even after completion', () => {
  const complete = after(launched(), picked(9), { kind: 'putAll' });
  const undone = after(complete, { kind: 'putUndone', slot: 'A2', itemId: 20, quantity: 1, by: 'Ben' });
  expect(slots(undone)).toBe('A1 complete, A2 open, B1 complete, B2 free');
  expect(undone.hands).toEqual([{ by: 'Ben', shareId: 2, quantity: 1 }]);
  expect(after(complete, { kind: 'putUndone', slot: 'A2', itemId: 20, quantity: 5, by: 'Ben' })).toBe(complete);
});

test('when an order is stopped, its pieces in hand must be put back and its slot emptied', () => {
  const hand = after(launched('each'), picked(9), { kind: 'put', slot: 'A2', quantity: 1 });
  const stopped = after(hand, { kind: 'stopped', orderId: 2 }, { kind: 'stopped', orderId: 1 });
  expect(stopped.shares.map(({ putBack }) => putBack)).toEqual([3, 0, 0, 3]);
  expect(stopped.hands.map(({ shareId }) => shareId)).toEqual([3]);
  expect(slots(stopped)).toBe('A1 free, A2 stopped, B1 open, B2 free');
  expect(after(stopped, { kind: 'stopped', orderId: 2 })).toBe(stopped);
});

test('a light no longer requests missing pieces of a stopped order', () => {
  const batch = after(launched(), { kind: 'stopped', orderId: 2 }, picked(9));
  expect(found(batch)).toBe('3/3 in_hand, 0/4 stopped, 2/2 in_hand');
});

test('a full slot keeps its pieces, the rest goes to a second slot, and both complete together', () => {
  const hand = after(launched('each'), picked(9), { kind: 'put', slot: 'A2', quantity: 1 });
  const full = after(hand, { kind: 'full', slot: 'A2', to: 'B2' });
  expect(
    full.shares.filter(({ orderId }) => orderId === 2).map(({ slot, quantity, put }) => [slot, quantity, put]),
  ).toEqual([
    ['A2', 1, 1],
    ['B2', 3, 0],
  ]);
  expect(slots(full)).toBe('A1 open, A2 open, B1 open, B2 open');
  expect(slots(after(full, { kind: 'put', slot: 'B2' }))).toBe('A1 open, A2 complete, B1 open, B2 complete');
});

test('a stopped order also frees its first slot if all its pieces moved to a second slot', () => {
  const full = after(launched('each'), { kind: 'full', slot: 'A2', to: 'B2' });
  expect(full.shares.filter(({ orderId }) => orderId === 2).map(({ slot }) => slot)).toEqual(['B2']);
  const stopped = after(full, { kind: 'stopped', orderId: 2 });
  expect(slots(stopped)).toBe('A1 open, A2 free, B1 open, B2 free');
  const aborted = after(full, { kind: 'aborted' });
  expect([slots(aborted), aborted.state]).toEqual(['A1 free, A2 free, B1 free, B2 free', 'done']);
});

test('a slot can move only to a free slot', () => {
  const batch = launched();
  const moved = after(batch, { kind: 'moved', slot: 'A1', to: 'B2' });
  expect(slots(moved)).toBe('A1 free, A2 open, B1 open, B2 open');
  expect(moved.shares[0]?.slot).toBe('B2');
  expect(after(batch, { kind: 'moved', slot: 'A1', to: 'A2' })).toBe(batch);
});

test('a complete slot can be freed, and restored until it takes another order', () => {
  const open = after(launched(), picked(9));
  expect(after(open, { kind: 'freed', slot: 'A1', at: 5 })).toBe(open);
  const freed = after(open, { kind: 'putAll' }, { kind: 'freed', slot: 'A1', at: 5 });
  expect(slots(freed)).toBe('A1 free, A2 complete, B1 complete, B2 free');
  expect(slots(after(freed, { kind: 'freeUndone', slot: 'A1' }))).toBe(
    'A1 complete, A2 complete, B1 complete, B2 free',
  );
  const taken = after(freed, added('A1', 4, share(4, 1)));
  expect(after(taken, { kind: 'freeUndone', slot: 'A1' })).toBe(taken);
  expect(taken.shares.filter(({ slot }) => slot === 'A1').map(({ orderId }) => orderId)).toEqual([4]);
});

test('a freed slot is not restored after its order was removed, because it could not be freed again', () => {
  const free = (slot: string): BatchEvent => ({ kind: 'freed', slot, at: 5 });
  const freed = after(launched(), picked(9), { kind: 'putAll' }, free('A1'), { kind: 'stopped', orderId: 1 });
  expect(after(freed, { kind: 'freeUndone', slot: 'A1' })).toBe(freed);
});

test('the batch is done when the last slot is free and all hands are empty', () => {
  const free = (slot: string): BatchEvent => ({ kind: 'freed', slot, at: 5 });
  const complete = after(launched(), picked(9), { kind: 'putAll' }, free('A1'), free('A2'));
  expect(complete.state).toBe('picking');
  const done = after(complete, free('B1'));
  expect(done.state).toBe('done');
  expect(after(done, { kind: 'freeUndone', slot: 'B1' }).state).toBe('picking');
});

test('aborting stops incomplete orders, and a batch without pieces is done', () => {
  expect(after(launched(), { kind: 'aborted' }).state).toBe('done');
  const some = after(
    launched('each'),
    picked(9),
    { kind: 'put', slot: 'A1' },
    { kind: 'put', slot: 'A2', quantity: 1 },
  );
  const aborted = after(some, { kind: 'aborted' });
  expect(slots(aborted)).toBe('A1 complete, A2 stopped, B1 free, B2 free');
  expect(aborted.state).toBe('picking');
  expect(after(aborted, { kind: 'freed', slot: 'A1', at: 5 }, { kind: 'freed', slot: 'A2', at: 5 }).state).toBe('done');
});

test('the pieces of the last pick can be reassigned to its other shares until the next confirmation', () => {
  const hand = after(launched(), picked(4));
  const wanted = {
    kind: 'reassigned',
    shares: new Map([
      [1, 0],
      [2, 4],
      [3, 0],
    ]),
    reason: 'missing',
  } as const;
  const other = after(hand, wanted);
  expect(found(other)).toBe('0/3 short, 4/4 in_hand, 0/2 short');
  expect(other.hands).toEqual([{ by: 'Anna', shareId: 2, quantity: 4 }]);
  expect(other.shares.map(({ reason }) => reason)).toEqual(['missing', '', 'missing']);
  const put = after(hand, { kind: 'putAll' });
  expect(after(put, wanted)).toBe(put);
  const more = {
    ...wanted,
    shares: new Map([
      [1, 1],
      [2, 4],
      [3, 0],
    ]),
  };
  expect(after(hand, more)).toBe(hand);
});

test('the pieces of an abandoned hand are taken over, lost, or put back', () => {
  const hand = after(launched(), picked(9));
  const taken = after(hand, { kind: 'handTaken', from: 'Anna', by: 'Ben' });
  expect(taken.hands.every(({ by }) => by === 'Ben')).toBe(true);
  expect(found(after(hand, { kind: 'handMissing', from: 'Anna' }))).toBe('0/3 open, 0/4 open, 0/2 open');
  const back = after(hand, { kind: 'handPutBack', from: 'Anna' });
  expect(back.shares.map(({ putBack }) => putBack)).toEqual([3, 4, 2]);
  expect(found(after(back, { kind: 'corrected', itemId: 20, picked: 0 }))).toBe('3/3 open, 0/4 open, 2/2 open');
});

test('a correction takes pieces from the hand before the slot, and adds pieces to the slot', () => {
  const hand = after(launched('each'), picked(9), { kind: 'put', slot: 'A2', quantity: 3 });
  const fewer = after(hand, { kind: 'corrected', itemId: 20, picked: 2 });
  expect(fewer.shares[1]).toMatchObject({ picked: 2, put: 2 });
  expect(after(fewer, { kind: 'corrected', itemId: 20, picked: 4 }).shares[1]).toMatchObject({ picked: 4, put: 4 });
  expect(after(fewer, { kind: 'corrected', itemId: 20, picked: 5 })).toBe(fewer);
});

test('undoing a pick takes pieces out of the hand, and leaves those already put', () => {
  const hand = after(launched('each'), picked(9), { kind: 'put', slot: 'A2', quantity: 3 });
  expect(after(hand, { kind: 'reopened', itemId: 20 }).shares[1]).toMatchObject({ picked: 3, put: 3, ending: null });
  expect(after(hand, { kind: 'reopened', itemId: 20, quantity: 2 })).toBe(hand);
});

test('a person who undoes an earlier pick returns the pieces in this person’s hand, not those of others', () => {
  const light: BatchEvent = { kind: 'launched', picks: new Map([[2, 8]]) };
  const both = after(
    launched(),
    { kind: 'picked', pickId: 7, quantity: 6, by: 'Anna', moves: new Set([2]) },
    light,
    { kind: 'picked', pickId: 8, quantity: 3, by: 'Ben' },
    { kind: 'put', slot: 'A1', by: 'Anna' },
  );
  const left = (by: string, last: number): unknown[] =>
    after(both, { kind: 'reopened', itemId: 20, by, last }).hands.flatMap((hand) =>
      hand.shareId === 2 ? [hand.by, hand.quantity] : [],
    );
  expect(left('Anna', 3)).toEqual(['Ben', 3]);
  expect(left('Ben', 3)).toEqual(['Anna', 1]);
  expect(left('Cleo', 3)).toEqual(['Anna', 1]);
  const given = after(both, { kind: 'reopened', itemId: 20, quantity: 3, by: 'Anna' });
  expect(given.hands.filter(({ shareId }) => shareId === 2)).toEqual([{ by: 'Ben', shareId: 2, quantity: 3 }]);
});

test('a slot shows the pieces that the first person holds for it, and is green or white when complete', () => {
  const hand = after(launched('each'), picked(6));
  expect(lightOf(hand, 'A2')).toMatchObject({ kind: 'put', quantity: 1, by: 'Anna', text: 'SO-2' });
  const put = after(hand, { kind: 'putAll' });
  expect(put.slots.map((slot) => slotLight(put, slot)?.kind)).toEqual(['complete', 'short', 'complete', undefined]);
});

test('a slot of an order that was short before and joined again is green once its missing pieces are put', () => {
  const short = after(launched('each'), { ...picked(5), reason: 'other' } as BatchEvent, { kind: 'putAll' });
  expect(lightOf(short, 'A2')).toMatchObject({ kind: 'short' });
  const again = after(short, { kind: 'freed', slot: 'A2', at: 0 }, added('B2', 2, share(2, 4)), {
    kind: 'launched',
    picks: new Map([[4, 8]]),
  });
  const put = after(again, { kind: 'picked', pickId: 8, quantity: 4, by: 'Anna' }, { kind: 'putAll' });
  expect(lightOf(put, 'B2')).toMatchObject({ kind: 'complete' });
  // The former slot cannot be restored, because its order is in another slot.
  expect(after(put, { kind: 'freeUndone', slot: 'A2' })).toBe(put);
});

test('a single piece of an order that left the wall and waits there again cannot be taken back', () => {
  const single = (order: number): BatchEvent => ({ ...added('', order, share(order, 1)), slot: null }) as BatchEvent;
  const scan: BatchEvent = { kind: 'scanned', article: 'tie', by: 'Anna', at: 0, singles: true };
  const launch: BatchEvent = { kind: 'launched', picks: new Map() };
  const packed = after({ ...EMPTY, kind: 'wall' }, single(1), added('A1', 2, share(2, 2)), launch, scan);
  const undo: BatchEvent = { kind: 'putUndone', slot: undefined, itemId: 10, by: 'Anna' };
  expect(after(packed, undo).shares[0]).toMatchObject({ picked: 0, put: 0 });
  const again = after(packed, { kind: 'stopped', orderId: 1 }, single(1));
  expect(again.shares.filter(({ orderId }) => orderId === 1)).toHaveLength(2);
  expect(after(again, undo)).toBe(again);
});

test('each change of a large batch reads the shares only a few times, not once per slot', () => {
  const names = Array.from({ length: 234 }, (_, index) => `A${index}`);
  const orders = names.map((slot, index) => added(slot, index + 1, share(index + 1, 1)));
  const large = after({ ...EMPTY, slots: names.map((slot) => ({ slot, ...FREE })) }, ...orders, ALL_AT_ONE);
  let reads = 0;
  const shares = new Proxy(large.shares, {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  const counted = { ...large, shares };
  nextBatch(counted, { kind: 'stopped', orderId: 7 });
  for (const slot of counted.slots) slotLight(counted, slot);
  expect(reads).toBeLessThan(10 * names.length);
});

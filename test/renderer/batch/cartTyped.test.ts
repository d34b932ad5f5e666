import { expect, test } from 'vitest';
import { cartBatch, cartShare, LINES, SHARES, startRig } from './cartRig.ts';

// A typed number belongs to the line for which it was typed, and ends with it.
type Rig = ReturnType<typeof startRig>;
const type = (rig: Rig, count: number | undefined) => rig.handle({ kind: 'typed', count });
const HELD = [
  cartShare('A1', 10, { quantity: 2, picked: 2, in_hand: 2, state: 'in_hand' }),
  cartShare('A2', 11, { quantity: 3, picked: 3, in_hand: 3, state: 'in_hand' }),
  cartShare('A1', 20, { quantity: 1 }),
];

/** Reports a press at the light of A-1 that booked the whole sum. */
function pressLight(rig: Rig): void {
  const fact = { batch_id: 7, deviceid: '51D000:000001', location: 'A-1', quantity: 5, left_over: 0, picker: 'Anna' };
  rig.handle({ kind: 'told', facts: [{ type: 'batch.picked', ...fact }] });
  rig.read({ batch: cartBatch(HELD), lines: LINES.slice(1) });
}

test('Picked takes a number that was typed without Enter, and the next line does not', () => {
  const rig = startRig();
  type(rig, 4);
  rig.touch({ touch: 'picked' });
  expect([rig.state().question, rig.state().typing]).toMatchObject([{ kind: 'short', found: 4 }, undefined]);
  rig.touch({ touch: 'reason', reason: 'missing' });
  expect(rig.acts()).toMatchObject([{ does: 'pick', quantity: 4, reason: 'missing' }]);
  expect(rig.count()).toBeUndefined();
});

test('each line keeps its number until it ends', () => {
  const rig = startRig();
  rig.handle({ kind: 'counted', count: 4 });
  rig.touch({ touch: 'skip' });
  rig.handle({ kind: 'counted', count: 0 });
  rig.touch({ touch: 'skip' });
  rig.touch({ touch: 'picked' });
  expect(rig.state().question).toMatchObject({ kind: 'short', found: 4, place: 'A-1' });
});

test('booking one line keeps the number of another', () => {
  const rig = startRig();
  rig.handle({ kind: 'counted', count: 4 });
  rig.scan('A-2');
  expect(rig.acts()).toMatchObject([{ does: 'pick', quantity: 1 }]);
  expect(rig.count()).toBe(4);
});

test.each<[string, (rig: Rig) => void]>([
  ['typed without Enter', (rig) => type(rig, 3)],
  ['entered', (rig) => rig.handle({ kind: 'counted', count: 3 })],
  [
    'in the number pad',
    (rig) => {
      rig.touch({ touch: 'pad' });
      rig.touch({ touch: 'padKey', key: '3' });
    },
  ],
  [
    'in the Short dialog',
    (rig) => {
      rig.touch({ touch: 'short' });
      rig.handle({ kind: 'counted', count: 3 });
    },
  ],
])('after a press that booked another number, the page asks which one counts: %s', (_, begin) => {
  const rig = startRig();
  begin(rig);
  pressLight(rig);
  expect(rig.state().question).toMatchObject({ kind: 'differs', booked: 5, typed: 3 });
  rig.touch({ touch: 'bookTyped' });
  expect(rig.state().question).toMatchObject({ kind: 'short', found: 3 });
  rig.touch({ touch: 'reason', reason: 'missing' });
  expect(rig.acts()).toMatchObject([
    {
      does: 'unpick',
      press: true,
      pieces: [
        { item_id: 10, quantity: 2 },
        { item_id: 11, quantity: 3 },
      ],
    },
    { does: 'pick', quantity: 3, reason: 'missing' },
  ]);
});

test.each<[string, (rig: Rig) => void]>([
  ['which number counts', () => undefined],
  ['why pieces are missing', (rig) => rig.touch({ touch: 'bookTyped' })],
])('once somebody has opened the line again, the page no longer asks %s', (_, answer) => {
  const rig = startRig();
  type(rig, 3);
  pressLight(rig);
  answer(rig);
  rig.read({ batch: cartBatch(HELD), lines: LINES.slice(1) });
  expect(rig.state().question).toBeDefined();
  rig.read({ batch: cartBatch(SHARES), lines: LINES });
  expect([rig.state().question, rig.acts(), rig.shows()]).toEqual([undefined, [], 'walk A-1 5']);
});

test('one touch keeps what the light booked', () => {
  const rig = startRig();
  type(rig, 3);
  pressLight(rig);
  rig.touch({ touch: 'takeBooked' });
  expect([rig.state().question, rig.acts(), rig.shows()]).toEqual([undefined, [], 'put A1 2 · A2 3']);
});

test('a batch books at most the sum, so a larger number is put back', () => {
  const rig = startRig();
  type(rig, 7);
  pressLight(rig);
  rig.touch({ touch: 'bookTyped' });
  expect([rig.acts(), rig.says()]).toEqual([[], 'A-1 · 5 picked Put 2 back.']);
});

/** Returns the shares of A-1 with these pieces in hand and in their slots. */
const heldAndPut = (held: readonly [number, number], put: readonly [number, number]) =>
  (
    [
      ['A1', 10, 2],
      ['A2', 11, 3],
    ] as const
  ).map(([slot, item, quantity], index) =>
    cartShare(slot, item, {
      quantity,
      picked: (held[index] ?? 0) + (put[index] ?? 0),
      in_hand: held[index] ?? 0,
      put: put[index] ?? 0,
    }),
  );

test('after a press at a slot that put more than the typed number, one touch takes the rest out of the slot', () => {
  const rig = startRig({ batch: cartBatch(heldAndPut([0, 3], [2, 0])), lines: [] });
  type(rig, 2);
  rig.read({ batch: cartBatch(heldAndPut([0, 0], [2, 3])), lines: [] });
  expect(rig.state().question).toMatchObject({ kind: 'putDiffers', booked: 3, typed: 2 });
  rig.touch({ touch: 'bookTyped' });
  expect(rig.acts()).toMatchObject([{ does: 'takeOut', pieces: [{ slot: 'A2', item_id: 11, quantity: 1 }] }]);
  expect(rig.shows()).toBe('put A2 1');
});

test('after a press that put pieces into several slots, they return to the hand, and the next slot gets the typed number', () => {
  const rig = startRig({ batch: cartBatch(heldAndPut([2, 3], [0, 0])), lines: [] });
  rig.handle({ kind: 'counted', count: 1 });
  rig.read({ batch: cartBatch(heldAndPut([0, 0], [2, 3])), lines: [] });
  expect(rig.state().question).toMatchObject({ kind: 'putDiffers', booked: 5, typed: 1 });
  rig.touch({ touch: 'bookTyped' });
  expect(rig.shows()).toBe('put A1 2 · A2 3');
  rig.touch({ touch: 'slot', slot: 'A2' });
  expect(rig.acts().at(-1)).toMatchObject({ does: 'put', pieces: [{ slot: 'A2', quantity: 1 }] });
});

test.each([
  ['puts the rest that is in hand', [0, 3], [0, 1], 3, [2], 'A2 2 put'],
  ['asks to take out what the slot does not take', [2, 3], [0, 3], 4, [], 'A2 takes 3. Take 1 out again.'],
  ['puts what is in hand, and asks to take out the rest', [0, 3], [0, 2], 5, [1], 'A2 takes 3. Take 2 out again.'],
] as const)(
  'after a press at a slot that put fewer than the typed number, one touch %s',
  (_, [one, two], [first, second], typed, puts, says) => {
    const rig = startRig({ batch: cartBatch(heldAndPut([one, two], [0, 0])), lines: [] });
    rig.handle({ kind: 'counted', count: typed });
    rig.read({ batch: cartBatch(heldAndPut([one - first, two - second], [first, second])), lines: [] });
    expect(rig.state().question).toMatchObject({ kind: 'putDiffers', booked: first + second, typed });
    rig.touch({ touch: 'bookTyped' });
    expect(rig.acts()).toMatchObject(puts.map((quantity) => ({ does: 'put', pieces: [{ slot: 'A2', quantity }] })));
    expect([rig.state().question, rig.says()]).toEqual([undefined, says]);
  },
);

test('a press that put the typed number asks nothing', () => {
  const rig = startRig({ batch: cartBatch(heldAndPut([2, 3], [0, 0])), lines: [] });
  rig.handle({ kind: 'counted', count: 3 });
  rig.read({ batch: cartBatch(heldAndPut([2, 0], [0, 3])), lines: [] });
  expect(rig.state().question).toBeUndefined();
});

test('one touch keeps what the slot got', () => {
  const rig = startRig({ batch: cartBatch(heldAndPut([0, 3], [2, 0])), lines: [] });
  type(rig, 2);
  rig.read({ batch: cartBatch(heldAndPut([0, 0], [2, 3])), lines: [] });
  rig.touch({ touch: 'takeBooked' });
  expect([rig.state().question, rig.acts(), rig.state().typing]).toEqual([undefined, [], undefined]);
});

test.each<[string, (rig: Rig) => void]>([
  [
    'Short with a number',
    (rig) => {
      rig.touch({ touch: 'short' });
      rig.touch({ touch: 'found', by: 1 });
    },
  ],
  [
    'the number pad with digits',
    (rig) => {
      rig.touch({ touch: 'pad' });
      rig.touch({ touch: 'padKey', key: '3' });
    },
  ],
  [
    'what the light booked',
    (rig) => {
      type(rig, 3);
      pressLight(rig);
    },
  ],
])('a scan changes nothing while a question holds a number: %s', (_, open) => {
  const rig = startRig();
  open(rig);
  const { question } = rig.state();
  for (const code of ['A-2', 'SKU-2', 'C-A1']) rig.scan(code);
  expect([rig.state().question, rig.acts(), rig.scans()]).toEqual([question, [], []]);
  expect([rig.scanned(), rig.plays().at(-1)]).toEqual(['Finish the question first', 'tick']);
});

test.each([
  ['Short', { touch: 'short' }, { kind: 'short', found: 3, isSet: true, shares: [{ quantity: 2 }, { quantity: 1 }] }],
  ['the number pad', { touch: 'pad' }, { kind: 'pad', text: '3' }],
] as const)('a number that is typed into %s and followed by a scan stays in the dialog', (_, touch, question) => {
  const rig = startRig();
  rig.touch(touch);
  rig.scan('A-2', 3);
  expect([rig.state().question, rig.acts()]).toMatchObject([question, []]);
  expect(rig.scanned()).toBe('Finish the question first');
});

test.each<[string, (rig: Rig) => void]>([
  ['Short without a number', (rig) => rig.touch({ touch: 'short' })],
  ['the number pad without digits', (rig) => rig.touch({ touch: 'pad' })],
  ['More', (rig) => rig.touch({ touch: 'others' })],
])('a scan closes any other question and counts as a scan: %s', (_, open) => {
  const rig = startRig({ batch: cartBatch(SHARES) });
  open(rig);
  rig.scan('A-2');
  expect([rig.state().question, rig.acts().length]).toEqual([undefined, 1]);
});

import { expect, test } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import { noticesOf, bookedFact, itemFact, ownFact } from '../pick/pressSupport.ts';
import { cartBatch, cartShare, LINES, SHARES, startRig } from './cartRig.ts';

const pieces = (slot: string, item_id: number, quantity: number) => ({
  slot,
  order_number: `SO-${slot}`,
  item_id,
  quantity,
});
const IN_BATCH = { batch: '7', location: 'A-1' };
const AT_SLOT = { batch: '7', slot: 'A1', location: 'A1' };
const SUM = [pieces('A1', 10, 2), pieces('A2', 11, 3)];
const hand = (by: string, ...shares: Batch['hands'][number]['shares']) => ({ by, shares });

const held = (hands: Batch['hands'], given: Partial<Batch> = {}) =>
  cartBatch(
    [
      cartShare('A1', 10, { quantity: 2, picked: 2, in_hand: 2, state: 'in_hand' }),
      cartShare('A2', 11, { quantity: 3, picked: 3, in_hand: 3, state: 'in_hand' }),
      cartShare('A1', 20, { quantity: 1 }),
    ],
    { hands, ...given },
  );

test('"It was mine" at a place of a batch gives the whole press to the own line, in one action', () => {
  const rig = startRig();
  const notices = noticesOf(bookedFact({ ...IN_BATCH, waiting: [{ picker: 'Anna', item_id: 10 }] }));
  rig.handle({ kind: 'presses', presses: notices });
  rig.touch({ touch: 'answerPress', press: notices[0]?.key ?? '', how: 'mine' });
  expect(rig.keeps()).toMatchObject([{ kind: 'undo', order_number: 'SO-9', item_id: 77, instead: 10 }]);
  expect(rig.keeps()[0]).not.toHaveProperty('quantity_fulfilled');
  expect([rig.answered(), rig.state().presses]).toEqual([[notices[0]?.key], []]);
});

/** Changes the number of the own line, and says that the press of somebody else was meant for it. */
function claimAfter(touch: 'less' | 'more') {
  const rig = startRig();
  const notices = noticesOf(bookedFact({ ...IN_BATCH, waiting: [{ picker: 'Anna', item_id: 10 }] }));
  rig.touch({ touch });
  rig.handle({ kind: 'presses', presses: notices });
  rig.scan('PICK:MINE');
  return { rig, key: notices[0]?.key };
}

test.each([
  ['less', 4],
  ['more', 6],
] as const)('if %s changed the number of the own line, "It was mine" asks for the number first', (touch, set) => {
  const { rig, key } = claimAfter(touch);
  expect(rig.state().question).toMatchObject({ kind: 'mine', own: { typed: set, asked: 5 } });
  expect([rig.keeps(), rig.answered()]).toEqual([[], []]);
  rig.touch({ touch: 'bookTyped' });
  expect(rig.keeps()).toMatchObject([{ kind: 'undo', instead: 10 }]);
  // A batch never books more than the sum.
  expect(rig.keeps().map((action) => 'instead_quantity' in action && action.instead_quantity)).toEqual([
    set === 4 ? 4 : false,
  ]);
  expect([rig.answered(), rig.count()]).toEqual([[key], undefined]);
});

test('after "It was mine" with fewer pieces, the page asks for the reason', () => {
  const { rig } = claimAfter('less');
  rig.touch({ touch: 'bookTyped' });
  const found = [SUM[0] ?? pieces('', 0, 0), pieces('A2', 11, 2)];
  const [, , last] = SHARES;
  const short = cartShare('A2', 11, { quantity: 3, picked: 2, in_hand: 2, state: 'short' });
  const shares = [cartShare('A1', 10, { quantity: 2, picked: 2, in_hand: 2, state: 'in_hand' }), short];
  rig.read({ batch: cartBatch([...shares, ...(last ? [last] : [])]), lines: LINES.slice(1) });
  expect(rig.state().question).toMatchObject({ kind: 'short', isBooked: true, found: 4, shares: found });
});

test('after "It was mine" with more pieces, the page says to put the others back', () => {
  const { rig } = claimAfter('more');
  rig.touch({ touch: 'bookTyped' });
  rig.read({ batch: held([hand('Anna', ...SUM)]), lines: LINES.slice(1) });
  expect([rig.state().question, rig.says()]).toEqual([undefined, 'A-1 · 5 picked Put 1 back.']);
});

test('the sum can be chosen instead of the changed number, and closing the question answers nothing', () => {
  const { rig } = claimAfter('less');
  rig.touch({ touch: 'close' });
  expect([rig.keeps(), rig.state().presses.length, rig.count(), rig.shows()]).toEqual([[], 1, 4, 'walk A-1 5']);
  rig.scan('PICK:MINE');
  rig.touch({ touch: 'takeBooked' });
  expect(rig.keeps()).toMatchObject([{ kind: 'undo', instead: 10 }]);
  expect(rig.keeps()[0]).not.toHaveProperty('instead_quantity');
  rig.read({ batch: held([hand('Anna', ...SUM)]), lines: LINES.slice(1) });
  expect(rig.state().question).toBeUndefined();
});

test('a number that was typed without Enter is asked about, too, and leaves the entry with the answer', () => {
  const rig = startRig();
  rig.wait();
  rig.handle({ kind: 'typed', count: 3 });
  rig.handle({
    kind: 'presses',
    presses: noticesOf(bookedFact({ ...IN_BATCH, waiting: [{ picker: 'Anna', item_id: 10 }] })),
  });
  rig.scan('PICK:MINE');
  rig.touch({ touch: 'bookTyped' });
  expect(rig.keeps()).toMatchObject([{ instead: 10, instead_quantity: 3 }]);
  expect([rig.state().typing, rig.clears()]).toEqual([undefined, 1]);
});

test.each<[string, (rig: ReturnType<typeof startRig>) => void]>([
  ['the own line is booked', (rig) => rig.read({ batch: held([hand('Anna', ...SUM)]), lines: LINES.slice(1) })],
  [
    'the line of the other person is open again',
    (rig) => rig.handle({ kind: 'told', facts: [itemFact(77, { state: 'active', quantity_fulfilled: 1 })] }),
  ],
])('the question how many pieces were taken closes once %s', (_, happen) => {
  const { rig } = claimAfter('less');
  happen(rig);
  expect([rig.state().question?.kind === 'mine', rig.keeps()]).toEqual([false, []]);
});

test.each(['pad', 'short'] as const)(
  '"It was mine" waits while the dialog "%s" holds a number of the own line',
  (dialog) => {
    const rig = startRig();
    rig.touch({ touch: dialog });
    rig.wait();
    rig.handle({ kind: 'counted', count: 3 });
    if (dialog === 'pad') rig.touch({ touch: 'pad' });
    rig.wait();
    const notices = noticesOf(bookedFact({ ...IN_BATCH, waiting: [{ picker: 'Anna', item_id: 10 }] }));
    rig.handle({ kind: 'presses', presses: notices });
    rig.touch({ touch: 'answerPress', press: notices[0]?.key ?? '', how: 'mine' });
    expect([rig.keeps(), rig.state().question?.kind, rig.scanned()]).toEqual([[], dialog, 'Finish the question first']);
  },
);

test('if a smaller number was set for the next slot, "It was mine" at a slot asks for it first', () => {
  const rig = startRig({ batch: held([hand('Anna', pieces('A1', 11, 3))], { put_confirmation: 'each' }) });
  rig.wait();
  rig.handle({ kind: 'counted', count: 2 });
  const notices = noticesOf(bookedFact({ ...AT_SLOT, waiting: [{ picker: 'Anna', item_id: 11 }] }));
  rig.handle({ kind: 'presses', presses: notices });
  rig.touch({ touch: 'answerPress', press: notices[0]?.key ?? '', how: 'mine' });
  expect([rig.keeps(), rig.state().question?.kind]).toEqual([[], 'mine']);
  rig.touch({ touch: 'bookTyped' });
  expect(rig.acts()).toEqual([{ does: 'exchange', slot: 'A1', item_id: 77, quantity: 2 }]);
});

test('"Not mine" at a place of a batch takes back all pieces of that press, also after a reload', () => {
  const rig = startRig({ batch: held([hand('Anna', ...SUM)]), lines: LINES.slice(1) });
  const notices = noticesOf(ownFact({ ...IN_BATCH, item_id: 10, pieces: SUM }));
  rig.handle({ kind: 'presses', presses: notices });
  rig.touch({ touch: 'answerPress', press: notices[0]?.key ?? '', how: 'notMine' });
  expect(rig.keeps()).toMatchObject([{ kind: 'undo', order_number: 'SO-1', item_id: 10, press: true }]);
  expect(rig.answered()).toEqual([notices[0]?.key]);
});

test('at a slot, "It was mine" exchanges the hands, and "Not mine" takes out what the press put', () => {
  const rig = startRig({ batch: held([hand('Ben', SUM[0] ?? pieces('', 0, 0)), hand('Anna', pieces('A1', 11, 3))]) });
  const own = ownFact({ ...AT_SLOT, item_id: 10, at: '2026-11-29T10:43:00.000Z', pieces: SUM });
  const notices = [
    ...noticesOf(bookedFact({ ...AT_SLOT, waiting: [{ picker: 'Anna', item_id: 11 }] })),
    ...noticesOf(own),
  ];
  rig.handle({ kind: 'presses', presses: notices });
  rig.touch({ touch: 'answerPress', press: notices[0]?.key ?? '', how: 'mine' });
  rig.touch({ touch: 'answerPress', press: notices[1]?.key ?? '', how: 'notMine' });
  expect(rig.acts()).toEqual([
    { does: 'exchange', slot: 'A1', item_id: 77 },
    { does: 'takeOut', pieces: SUM },
  ]);
});

test('after a notice was answered, a bounce does not answer the next one', () => {
  const rig = startRig();
  const second = { ...IN_BATCH, item_id: 78, waiting: [{ picker: 'Anna', item_id: 20 }] };
  const notices = noticesOf(
    bookedFact({ ...IN_BATCH, waiting: [{ picker: 'Anna', item_id: 10 }] }),
    bookedFact(second),
  );
  rig.handle({ kind: 'presses', presses: notices });
  rig.touch({ touch: 'answerPress', press: notices[0]?.key ?? '', how: 'mine' });
  rig.touchNow({ touch: 'answerPress', press: notices[1]?.key ?? '', how: 'mine' });
  expect(rig.keeps()).toHaveLength(1);
  rig.touch({ touch: 'answerPress', press: notices[1]?.key ?? '', how: 'mine' });
  expect(rig.keeps()).toHaveLength(2);
});

test('PICK:UNDO and U of the person who waited undo nothing of the other person', () => {
  const rig = startRig();
  rig.handle({ kind: 'presses', presses: noticesOf(bookedFact(IN_BATCH)) });
  rig.scan('PICK:UNDO');
  rig.handle({ kind: 'letter', letter: 'u' });
  expect([rig.keeps(), rig.scanned()]).toEqual([[], 'There is nothing to undo.']);
});

test('a notice about a slot ends once both have put their pieces, or the pieces are taken out again', () => {
  const [mine, other] = [hand('Anna', pieces('A1', 11, 3)), hand('Ben', pieces('A1', 10, 2))];
  const waits = startRig({ batch: held([mine]), lines: [] });
  waits.handle({
    kind: 'presses',
    presses: noticesOf(bookedFact({ ...AT_SLOT, waiting: [{ picker: 'Anna', item_id: 11 }] })),
  });
  waits.read({ batch: held([mine]), lines: [] });
  expect(waits.answered()).toEqual([]);
  waits.read({ batch: held([]), lines: [] });
  expect([waits.answered().length, waits.state().presses]).toEqual([1, []]);
  const booked = startRig({ batch: held([other]), lines: [] });
  booked.handle({ kind: 'presses', presses: noticesOf(ownFact({ ...AT_SLOT, item_id: 11 })) });
  booked.read({ batch: held([other]), lines: [] });
  expect(booked.answered()).toEqual([]);
  booked.read({ batch: held([mine, other]), lines: [] });
  expect(booked.answered()).toHaveLength(1);
});

test('a touch on a slot or on a notice that was made before the notice was painted does nothing', () => {
  const rig = startRig({ batch: held([hand('Anna', ...SUM)]), lines: LINES.slice(1) });
  rig.wait();
  const notices = noticesOf(bookedFact({ ...IN_BATCH, waiting: [{ picker: 'Anna', item_id: 20 }] }));
  rig.handle({ kind: 'presses', presses: notices });
  rig.touchNow({ touch: 'slot', slot: 'A1' });
  rig.touchNow({ touch: 'answerPress', press: notices[0]?.key ?? '', how: 'mine' });
  expect([rig.keeps(), rig.plays().slice(-2)]).toEqual([[], ['tick', 'tick']]);
  rig.wait();
  rig.touchNow({ touch: 'slot', slot: 'A1' });
  expect(rig.acts().map(({ does }) => does)).toEqual(['put']);
});

test('Undo that was touched before its message was painted does nothing, even if the page shows the same line', () => {
  const none = { put_confirmation: 'none' } as const;
  const rig = startRig({ batch: cartBatch(SHARES, none) });
  rig.wait();
  const put = cartShare('A1', 20, { quantity: 1, picked: 1, put: 1, state: 'put' });
  rig.handle({
    kind: 'told',
    facts: [
      {
        type: 'batch.picked',
        batch_id: 7,
        deviceid: '51D000:000002',
        location: 'A-2',
        quantity: 1,
        left_over: 0,
        picker: 'Anna',
      },
    ],
  });
  rig.read({ batch: cartBatch([...SHARES.slice(0, 2), put], none), lines: LINES.slice(0, 1) });
  expect([rig.shows(), rig.state().undos.at(-1)?.place]).toEqual(['walk A-1 5', 'A-2']);
  rig.touchNow({ touch: 'undo' });
  expect([rig.acts(), rig.plays().at(-1)]).toEqual([[], 'tick']);
  rig.wait();
  rig.touchNow({ touch: 'undo' });
  expect(rig.acts().map(({ does }) => does)).toEqual(['unpick']);
});

test('a person who opens a cart is asked once about each hand that was left', () => {
  const left = [hand('Carl', pieces('A1', 10, 2)), hand('Dora', pieces('A2', 11, 3))];
  const rig = startRig({ batch: held(left, { state: 'paused', pickers: [], picker: null }), lines: [] });
  expect(rig.state().question).toEqual({ kind: 'hand', by: 'Carl' });
  rig.touch({ touch: 'hand', what: 'take' });
  expect(rig.calls()).toEqual([{ call: 'hand', by: 'Carl', what: 'take' }]);
  const call = { call: 'hand', by: 'Carl', what: 'take' } as const;
  const after = held([hand('Anna', pieces('A1', 10, 2)), ...left.slice(1)], { state: 'paused' });
  rig.handle({ kind: 'called', call, batch: after });
  expect(rig.state().question).toEqual({ kind: 'hand', by: 'Dora' });
  rig.touch({ touch: 'close' });
  rig.read({ batch: after, lines: [] });
  expect(rig.state().question).toBeUndefined();
});

test.each<[string, Partial<Batch>]>([
  [
    'whose person still picks the batch',
    {
      pickers: [
        { name: 'Anna', color: 'blue' },
        { name: 'Carl', color: 'red' },
      ],
    },
  ],
  ['of a batch without a picker', { pickers: [], picker: null }],
])('does not ask about a hand %s', (_, given) => {
  const rig = startRig({ batch: held([hand('Carl', pieces('A1', 10, 2))], given), lines: LINES });
  expect(rig.state().question).toBeUndefined();
});

test('in a batch without a picker, the page asks only about hands that the station reports as left', () => {
  const hands = [hand('Carl', pieces('A1', 10, 2)), { ...hand('Dora', pieces('A2', 11, 3)), left: true }];
  const rig = startRig({ batch: held(hands, { pickers: [], picker: null }), lines: LINES });
  expect(rig.state().question).toEqual({ kind: 'hand', by: 'Dora' });
});

test('a hand that is left while this person picks is only listed, and the code of the cart asks about it', () => {
  const rig = startRig();
  rig.read({ batch: held([hand('Carl', pieces('A1', 10, 2))]), lines: LINES.slice(1) });
  expect(rig.state().question).toBeUndefined();
  rig.scan('CART-1');
  expect(rig.state().question).toEqual({ kind: 'hand', by: 'Carl' });
});

test('pausing with pieces in hand asks to put them first', () => {
  const rig = startRig({ batch: held([hand('Anna', ...SUM)]), lines: LINES.slice(1) });
  rig.touch({ touch: 'others' });
  rig.touch({ touch: 'pause' });
  expect([rig.calls(), rig.state().question]).toEqual([[], { kind: 'pauseHolding' }]);
  rig.touch({ touch: 'close' });
  expect([rig.calls(), rig.shows()]).toEqual([[], 'put A1 2 · A2 3']);
  rig.touch({ touch: 'pause' });
  rig.touch({ touch: 'pauseAnyway' });
  expect(rig.calls()).toEqual([{ call: 'pause' }]);
});

test('shares of the batch stay as they are while an exchange is on its way', () => {
  const rig = startRig({ batch: cartBatch(SHARES, { hands: [] }) });
  const notices = noticesOf(bookedFact({ ...AT_SLOT, waiting: [{ picker: 'Anna', item_id: 11 }] }));
  rig.handle({ kind: 'presses', presses: notices });
  rig.touch({ touch: 'answerPress', press: notices[0]?.key ?? '', how: 'mine' });
  expect(rig.putInto('A1')).toBe(0);
});

test.each(['stopped', 'free'] as const)(
  'pieces of an order that was aborted are not missing (its slot is %s)',
  (after) => {
    const rig = startRig();
    const taken = cartShare('A1', 10, { quantity: 2, picked: 2, in_hand: 2, state: 'in_hand' });
    const left = cartShare('A2', 11, { quantity: 3, state: 'stopped' });
    const shares =
      after === 'free'
        ? [taken]
        : [taken, left, cartShare('A2', 12, { quantity: 1, picked: 1, put: 1, state: 'stopped' })];
    rig.read({ batch: cartBatch(shares), lines: LINES.slice(1) });
    expect(rig.state().question).toBeUndefined();
    expect(rig.state().last).toMatchObject({ kind: 'right' });
  },
);

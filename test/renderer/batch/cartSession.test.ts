import { describe, expect, test } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import { isOffered, lastFreed } from '../../../renderer/src/features/pick/batch/freedSlots.ts';
import { viewOf } from '../../../renderer/src/features/pick/batch/batchView.ts';
import { cartBatch, cartLine, cartShare, LINES, SHARES, startRig } from './cartRig.ts';
import { scanResult } from '../pick/pickRig.ts';

const [FIRST, SECOND] = LINES;
const HELD = [
  cartShare('A1', 10, { quantity: 2, picked: 2, in_hand: 2, state: 'in_hand' }),
  cartShare('A2', 11, { quantity: 3, picked: 3, in_hand: 3, state: 'in_hand' }),
  cartShare('A1', 20, { quantity: 1 }),
];
const NAMES = new Map([
  [10, 'Item 1'],
  [11, 'Item 1'],
  [20, 'Item 2'],
]);

function startHeld(given: Parameters<typeof cartBatch>[1] = {}, me = 'Anna') {
  const rig = startRig({ batch: cartBatch(HELD, given), lines: SECOND === undefined ? [] : [SECOND] }, me);
  rig.handle({ kind: 'names', names: NAMES });
  return rig;
}

test('a pick of all pieces immediately shows how many go into each slot, and the put leads to the next place', () => {
  const rig = startRig();
  expect(rig.shows()).toBe('walk A-1 5');
  rig.touch({ touch: 'picked' });
  expect([rig.shows(), rig.says()]).toEqual(['put A1 2 · A2 3', 'A-1 · 5 picked']);
  rig.touch({ touch: 'putAll' });
  expect([rig.shows(), rig.says()]).toEqual(['walk A-2 1', 'A1 2 · A2 3 put']);
  expect(rig.acts()).toEqual([
    { does: 'pick', deviceid: FIRST?.deviceid, command_id: '1', quantity: 5, shares: FIRST?.shares },
    { does: 'put', pieces: FIRST?.shares },
  ]);
  expect(new Set(rig.actions().map(({ key }) => key)).size).toBe(2);
});

test('actions in flight stay visible until the reloaded batch contains them, and never count twice', () => {
  const rig = startRig();
  rig.touch({ touch: 'picked' });
  const [action] = rig.actions();
  if (action === undefined) throw new Error('Nothing was kept.');
  // An older state of the batch arrives.
  rig.read({ batch: cartBatch(SHARES), lines: LINES });
  expect(rig.shows()).toBe('put A1 2 · A2 3');
  rig.handle({ kind: 'sent', sent: { action, outcome: 'taken' } });
  rig.read({ batch: cartBatch(HELD), lines: LINES.slice(1), settled: new Set() });
  expect(rig.shows()).toBe('put A1 2 · A2 3');
  rig.read({ batch: cartBatch(HELD), lines: LINES.slice(1), settled: new Set([action.key]) });
  expect(rig.shows()).toBe('put A1 2 · A2 3');
  expect(rig.state().pending).toEqual([]);
});

test('does not count a put twice if the reloaded batch contains it before its answer arrives', () => {
  const rig = startHeld();
  rig.touch({ touch: 'putAll' });
  const put = HELD.map((share) => (share.in_hand > 0 ? { ...share, in_hand: 0, put: share.in_hand } : share));
  rig.read({ batch: cartBatch(put), lines: LINES.slice(1) });
  expect([rig.putInto('A1'), rig.putInto('A2'), rig.shows()]).toEqual([2, 3, 'walk A-2 1']);
});

test('with put confirmation “once”, touching any lit slot puts all pieces that this person holds', () => {
  const rig = startHeld();
  rig.touch({ touch: 'slot', slot: 'A2' });
  expect(rig.acts()).toEqual([
    { does: 'put', pieces: [expect.objectContaining({ slot: 'A1' }), expect.objectContaining({ slot: 'A2' })] },
  ]);
});

test('with put confirmation “each”, touching two slots within 100 ms is two puts, and the same slot within 220 ms is a bounce', () => {
  const rig = startHeld({ put_confirmation: 'each' });
  rig.touch({ touch: 'slot', slot: 'A1' });
  rig.wait(90);
  rig.touchNow({ touch: 'slot', slot: 'A2' });
  expect(rig.acts().map((act) => (act.does === 'put' ? act.pieces.map(({ slot }) => slot) : []))).toEqual([
    ['A1'],
    ['A2'],
  ]);
  const other = startHeld({ put_confirmation: 'each' });
  other.touch({ touch: 'slot', slot: 'A1' });
  other.wait(200);
  other.touchNow({ touch: 'slot', slot: 'A1' });
  expect([other.acts().length, other.plays().at(-1)]).toEqual([1, 'tick']);
});

test('a wrong slot books nothing and shows where the pieces belong', () => {
  const rig = startHeld();
  rig.touch({ touch: 'slot', slot: 'B1' });
  expect([rig.acts(), rig.scanned()]).toEqual([[], 'That was B1. Put 2 into A1, 3 into A2.']);
  rig.scan('c-b2');
  expect([rig.acts(), rig.scanned()]).toEqual([[], 'That was B2. Put 2 into A1, 3 into A2.']);
});

test("a number typed before a slot's code puts that many pieces there, even with put confirmation “once”", () => {
  const rig = startHeld();
  rig.scan('C-A2', 1);
  expect(rig.acts()).toEqual([{ does: 'put', pieces: [expect.objectContaining({ slot: 'A2', quantity: 1 })] }]);
  expect(rig.shows()).toBe('put A1 2 · A2 2');
});

test('scans of places, slots and articles work without the station', () => {
  const rig = startRig();
  rig.handle({ kind: 'connection', isLost: true });
  rig.scan('a-1');
  rig.scan('C-A1');
  rig.scan('SKU-2');
  expect(rig.acts().map(({ does }) => does)).toEqual(['pick', 'put', 'pick']);
  expect(rig.scans()).toEqual([]);
});

test('scanning the place of a different open line picks that line', () => {
  const rig = startRig();
  rig.scan('A-2');
  expect(rig.acts()).toEqual([expect.objectContaining({ does: 'pick', command_id: '2', quantity: 1 })]);
});

test('if there are fewer pieces, fills slots one by one, and lets the person shift pieces between slots and give one reason', () => {
  const rig = startRig();
  rig.handle({ kind: 'counted', count: 4 });
  rig.touch({ touch: 'picked' });
  expect(rig.acts()).toEqual([]);
  expect(rig.state().question).toMatchObject({ kind: 'short', found: 4 });
  // A1 is complete, so A2 gets what is left.
  const gives = () => {
    const { question } = rig.state();
    return question?.kind === 'short' ? question.shares.map(({ quantity }) => quantity) : [];
  };
  expect(gives()).toEqual([2, 2]);
  rig.touch({ touch: 'give', at: 1, by: 1 });
  expect(gives()).toEqual([1, 3]);
  rig.touch({ touch: 'give', at: 1, by: 1 });
  expect([gives(), rig.plays().at(-1)]).toEqual([[1, 3], 'tick']);
  rig.touch({ touch: 'reason', reason: 'missing' });
  expect(rig.acts()).toEqual([
    expect.objectContaining({
      quantity: 4,
      reason: 'missing',
      shares: [
        expect.objectContaining({ slot: 'A1', quantity: 1 }),
        expect.objectContaining({ slot: 'A2', quantity: 3 }),
      ],
    }),
  ]);
  expect(rig.shows()).toBe('put A1 1 · A2 3');
});

test("shows the person's choice of orders that get fewer pieces until the station has received it", () => {
  const rig = startRig();
  rig.handle({ kind: 'counted', count: 4 });
  rig.touch({ touch: 'picked' });
  rig.touch({ touch: 'give', at: 1, by: 1 });
  rig.touch({ touch: 'reason', reason: 'missing' });
  // The station has recorded the pick with its own distribution.
  const byStation = [
    cartShare('A1', 10, { quantity: 2, picked: 2, in_hand: 2, state: 'in_hand' }),
    cartShare('A2', 11, { quantity: 3, picked: 2, in_hand: 2, state: 'in_hand' }),
    cartShare('A1', 20, { quantity: 1 }),
  ];
  rig.read({ batch: cartBatch(byStation), lines: LINES.slice(1) });
  expect(rig.shows()).toBe('put A1 1 · A2 3');
});

test('a count above the total books the total and shows how many pieces to put back', () => {
  const rig = startRig();
  rig.handle({ kind: 'counted', count: 7 });
  rig.touch({ touch: 'picked' });
  expect(rig.acts()).toEqual([expect.objectContaining({ quantity: 5 })]);
  expect(rig.says()).toBe('A-1 · 5 picked Put 2 back.');
});

test('a press for a place of this person that came too early or too late says so', () => {
  const rig = startRig();
  const fact = { deviceid: '51D000:000001', at: '', location: 'A-1', picker: 'Ben' } as const;
  const early = { type: 'press.early', item_id: null, batch_id: 7, ...fact } as const;
  const late = { type: 'press.late', quantity: 5, ...fact } as const;
  const { batch_id: _, ...ofOrder } = { ...early, picker: 'anna', item_id: 1 };
  const loading = startRig({ batch: undefined, lines: [] });
  loading.handle({ kind: 'told', facts: [ofOrder] });
  expect(loading.says()).toBeUndefined();
  rig.handle({ kind: 'told', facts: [early, late, { ...early, picker: 'anna', batch_id: 8 }] });
  expect(rig.says()).toBeUndefined();
  rig.handle({ kind: 'told', facts: [{ ...early, picker: 'anna' }] });
  expect(rig.says()).toBe('Too early. Press A-1 again.');
  rig.handle({ kind: 'told', facts: [{ ...late, picker: 'anna' }] });
  expect(rig.says()).toBe('Pressed for 5 at A-1, already closed.');
});

test('a press at a slot where pieces of this person are already says so, also with an empty hand', () => {
  const rig = startRig();
  const fact = { type: 'batch.wrong_slot', batch_id: 7, slot: 'A1' } as const;
  rig.handle({ kind: 'told', facts: [{ ...fact, already: [{ picker: 'Ben', quantity: 1 }] }] });
  expect(rig.says()).toBeUndefined();
  rig.handle({ kind: 'told', facts: [{ ...fact, already: [{ picker: 'anna', quantity: 2 }] }] });
  expect(rig.says()).toBe('Your 2 are in A1 already.');
});

test('a press for fewer pieces at the shelf leads to the slots, asks for the reason and can be undone', () => {
  const rig = startRig();
  const press = {
    type: 'batch.picked',
    batch_id: 7,
    deviceid: FIRST?.deviceid ?? '',
    location: 'A-1',
    quantity: 3,
    left_over: 0,
    picker: 'Anna',
  } as const;
  rig.handle({ kind: 'told', facts: [press] });
  const short = [
    cartShare('A1', 10, { quantity: 2, picked: 2, in_hand: 2, state: 'in_hand' }),
    cartShare('A2', 11, { quantity: 3, picked: 1, in_hand: 1, state: 'in_hand' }),
    cartShare('A1', 20, { quantity: 1 }),
  ];
  rig.read({ batch: cartBatch(short), lines: LINES.slice(1) });
  expect([rig.shows(), rig.says()]).toEqual(['put A1 2 · A2 1', 'A-1 · 3 picked']);
  rig.touch({ touch: 'reason', reason: 'damaged' });
  expect(rig.acts()).toEqual([
    {
      does: 'reassign',
      reason: 'damaged',
      shares: [expect.objectContaining({ quantity: 2 }), expect.objectContaining({ quantity: 1 })],
    },
  ]);
  rig.touch({ touch: 'undo' });
  expect(rig.acts().at(-1)).toMatchObject({ does: 'unpick' });
});

test('a press at the shelf closes a question about its place', () => {
  const rig = startRig();
  rig.touch({ touch: 'short' });
  expect(rig.state().question?.kind).toBe('short');
  rig.read({ batch: cartBatch(HELD), lines: LINES.slice(1) });
  expect([rig.state().question, rig.shows()]).toEqual([undefined, 'put A1 2 · A2 3']);
});

test('shows a note about a press by somebody else, who keeps the pieces in hand', () => {
  // Anna left the cart, so Ben has her places.
  const pickers = [{ name: 'Ben', color: 'red' }];
  const lines = LINES.map((line) => ({ ...line, picker: 'Ben' }));
  const rig = startRig({ batch: cartBatch(SHARES, { pickers }), lines }, 'Ben');
  const press = {
    type: 'batch.picked',
    batch_id: 7,
    deviceid: FIRST?.deviceid ?? '',
    location: 'A-1',
    quantity: 5,
    left_over: 0,
    picker: 'Anna',
  } as const;
  rig.handle({ kind: 'told', facts: [press] });
  rig.read({ batch: cartBatch(HELD, { pickers }), lines: lines.slice(1) });
  expect([rig.shows(), rig.says(), rig.state().undos]).toEqual(['walk A-2 1', 'Anna: A-1 · 5 picked', []]);
  rig.touch({ touch: 'picked' });
  rig.touch({ touch: 'slot', slot: 'A2' });
  expect(rig.scanned()).toBe('Anna holds 3 for A2. That was A2. Put 1 into A1.');
  expect(rig.acts().map(({ does }) => does)).toEqual(['pick']);
});

test('Undo first reverts the put and then the pick, and cancels actions that were not sent', () => {
  const rig = startRig();
  rig.touch({ touch: 'picked' });
  rig.touch({ touch: 'putAll' });
  rig.touch({ touch: 'undo' });
  expect([rig.shows(), rig.says()]).toEqual(['put A1 2 · A2 3', 'A1 2 · A2 3 back in your hand.']);
  rig.touch({ touch: 'undo' });
  const [pick, put, out, unpick] = rig.actions();
  expect([out?.takesBack, unpick?.takesBack]).toEqual([put?.key, pick?.key]);
  for (const action of [out, unpick])
    if (action !== undefined) rig.handle({ kind: 'sent', sent: { action, outcome: 'cancelled' } });
  expect([rig.shows(), rig.state().pending]).toEqual(['walk A-1 5', []]);
});

test('with put confirmation “none”, Undo takes the pieces out of the slots and reverts the pick in one step', () => {
  const none = cartBatch(SHARES, { put_confirmation: 'none' });
  const rig = startRig({ batch: none });
  rig.touch({ touch: 'picked' });
  expect(rig.shows()).toBe('walk A-2 1');
  const [action] = rig.actions();
  if (action === undefined) throw new Error('Nothing was kept.');
  const put = SHARES.map((share) =>
    share.item_id === 20 ? share : { ...share, picked: share.quantity, put: share.quantity, state: 'put' as const },
  );
  rig.read({
    batch: cartBatch(put, { put_confirmation: 'none' }),
    lines: LINES.slice(1),
    settled: new Set([action.key]),
  });
  rig.touch({ touch: 'undo' });
  expect(rig.acts()).toMatchObject([{ does: 'pick' }, { does: 'unpick', press: true }]);
  expect(viewOf(rig.state())?.batch.slots.map(({ state }) => state)).toEqual(['open', 'open', 'free', 'free']);
});

test('Undo takes back a sum item by item once another person has picked some of its items at another place', () => {
  const [first, second] = LINES;
  const rest = { slot: 'A2', order_number: 'SO-A2', item_id: 11, quantity: 2, quantity_fulfilled: 3 };
  const ofBen = { ...second, shares: [rest], quantity: 2, picker: 'Ben' } as (typeof LINES)[number];
  const shares = (found: number) => [
    cartShare('A1', 10, { quantity: 2, picked: 2, in_hand: 2, state: 'in_hand' }),
    cartShare('A2', 11, { quantity: 5, picked: found, in_hand: found, state: 'in_hand' }),
  ];
  const batch = cartBatch([cartShare('A1', 10, { quantity: 2 }), cartShare('A2', 11, { quantity: 5 })]);
  const rig = startRig({ batch, lines: first === undefined ? [] : [first] });
  const press = (picker: string, deviceid: string, quantity: number) =>
    rig.handle({
      kind: 'told',
      facts: [
        {
          type: 'batch.picked',
          batch_id: 7,
          deviceid,
          location: picker === 'Ben' ? 'A-2' : 'A-1',
          quantity,
          left_over: 0,
          picker,
        },
      ],
    });
  press('Anna', '51D000:000001', 5);
  rig.read({ batch: cartBatch(shares(3)), lines: [ofBen] });
  press('Ben', '51D000:000002', 2);
  rig.read({ batch: cartBatch(shares(5)), lines: [] });
  rig.touch({ touch: 'undo' });
  const [act] = rig.acts();
  expect(act).toMatchObject({
    does: 'unpick',
    pieces: [
      { item_id: 10, quantity: 2 },
      { item_id: 11, quantity: 3 },
    ],
  });
  expect(act).not.toHaveProperty('press');
});

test('Undo takes back a sum in one step, but item by item once its items were picked again at another place', () => {
  const [first, second] = LINES;
  // The rest of A2 comes from another place.
  const rest = { slot: 'A2', order_number: 'SO-A2', item_id: 11, quantity: 1, quantity_fulfilled: 3 };
  const shares = SHARES.map((share) => (share.item_id === 11 ? { ...share, quantity: 4 } : share));
  const lines = [first, second].flatMap((line, index) =>
    line === undefined ? [] : [index === 0 ? line : { ...line, shares: [rest] }],
  );
  const rig = startRig({ batch: cartBatch(shares), lines });
  rig.touch({ touch: 'picked' });
  rig.scan('A-2');
  expect(rig.shows()).toBe('put A1 2 · A2 4');
  rig.touch({ touch: 'undo' });
  expect(rig.acts().at(-1)).toEqual({ does: 'unpick', press: true, pieces: [{ ...rest, quantity_fulfilled: 4 }] });
  rig.read({
    batch: cartBatch(HELD.map((share) => (share.item_id === 11 ? { ...share, quantity: 4 } : share))),
    lines: lines.slice(1),
    settled: new Set(rig.actions().map(({ key }) => key)),
  });
  rig.touch({ touch: 'undo' });
  expect(rig.acts().at(-1)).toEqual({
    does: 'unpick',
    pieces: [
      { ...first?.shares?.[0], quantity_fulfilled: 2 },
      { ...first?.shares?.[1], quantity_fulfilled: 3 },
    ],
  });
});

test.each([
  ['waited for the station', { failure: { code: 'conflict', message: 'Slot A1 is free.' }, hasWaited: true }],
  ['is outdated', { failure: { code: 'outdated', message: 'It has changed.' }, hasWaited: false }],
] as const)('a refused put that %s stays in the notices, which say what the hands have to do', (_, how) => {
  const rig = startHeld();
  rig.touch({ touch: 'putAll' });
  const [action] = rig.actions();
  if (action === undefined) throw new Error('Nothing was kept.');
  rig.handle({ kind: 'sent', sent: { action, outcome: 'refused', ...how } });
  expect([rig.shows(), rig.forgotten(), rig.plays().at(-1)]).toEqual(['put A1 2 · A2 3', [], 'wrong']);
});

test('if a pick is refused while its line is still open, shows the line again, with the reason', () => {
  const rig = startRig();
  rig.touch({ touch: 'picked' });
  const [action] = rig.actions();
  if (action === undefined) throw new Error('Nothing was kept.');
  rig.handle({
    kind: 'sent',
    sent: { action, outcome: 'refused', failure: { code: 'conflict', message: 'It ended.' } },
  });
  expect([rig.shows(), rig.says(), rig.state().undos]).toEqual(['walk A-1 5', 'It ended.', []]);
});

test('“All put” ignores touches for 220 ms after a touch on this page, and for 600 ms after a change by somebody else', () => {
  const rig = startRig();
  rig.touch({ touch: 'picked' });
  rig.handle({ kind: 'drawn' });
  rig.wait(210);
  rig.touchNow({ touch: 'putAll' });
  expect(rig.acts()).toHaveLength(1);
  rig.wait(20);
  rig.touchNow({ touch: 'putAll' });
  expect(rig.acts()).toHaveLength(2);
  const other = startRig();
  other.wait(2_000);
  other.read({ batch: cartBatch(HELD), lines: LINES.slice(1) });
  other.handle({ kind: 'drawn' });
  other.wait(590);
  other.touchNow({ touch: 'putAll' });
  expect(other.acts()).toEqual([]);
});

test('scanning the cart asks about pieces held by somebody who has left', () => {
  const rig = startHeld({ pickers: [{ name: 'Ben', color: 'red' }] }, 'Ben');
  rig.scan('cart-1');
  expect(rig.state().question).toEqual({ kind: 'hand', by: 'Anna' });
  rig.touch({ touch: 'hand', what: 'missing' });
  expect(rig.calls()).toEqual([{ call: 'hand', by: 'Anna', what: 'missing' }]);
  const own = startHeld();
  own.scan('CART-1');
  expect([own.state().question, own.says()]).toEqual([undefined, 'You hold: A1 2 · A2 3.']);
});

test('does not open a different cart while this person holds pieces', () => {
  const rig = startHeld();
  rig.scan('CART-2');
  const [scan] = [{ code: 'CART-2', source: 'keyboard' as const }];
  const result = scanResult('cart', { batch: 9 });
  rig.handle({ kind: 'answered', scan, result });
  expect(rig.scanned()).toBe('First put the pieces you hold into their slots.');
});

test('touching a stopped slot asks whether to put its pieces back or keep them together', () => {
  const batch = cartBatch([cartShare('A2', 5, { picked: 1, put: 1, state: 'stopped' })]);
  const slots = batch.slots.map((slot) => (slot.slot === 'A2' ? { ...slot, state: 'stopped' as const } : slot));
  const rig = startRig({ batch: { ...batch, slots }, lines: [] });
  rig.touch({ touch: 'slot', slot: 'A2' });
  expect(rig.state().question).toEqual({ kind: 'stopped', slot: 'A2' });
  rig.touch({ touch: 'keep', slot: 'A2' });
  expect(rig.calls()).toEqual([{ call: 'free', slot: 'A2', keep: true }]);
});

test('during loading, a scanned order takes a slot, a scanned slot moves the order, and an unknown code becomes its tote', () => {
  const loading = cartBatch([cartShare('A1', 1)], { state: 'loading' });
  const rig = startRig({ batch: loading, lines: [] });
  const scan = { code: 'SO-A1', source: 'keyboard' } as const;
  rig.handle({ kind: 'answered', scan, result: scanResult('order', { order_number: 'SO-A1' }) });
  expect(rig.says()).toBe('Order SO-A1 is already in A1.');
  rig.scan('C-B2');
  const moved = cartBatch([cartShare('B2', 1, { order_number: 'SO-A1' })], { state: 'loading' });
  rig.handle({ kind: 'called', call: { call: 'move', slot: 'A1', to: 'B2' }, batch: moved });
  rig.handle({ kind: 'answered', scan: { ...scan, code: 'T-7' }, result: scanResult('unknown') });
  rig.handle({ kind: 'called', call: { call: 'fill', count: 1 } });
  rig.handle({ kind: 'answered', scan, result: scanResult('order', { order_number: 'SO-9' }) });
  expect(rig.calls()).toEqual([
    { call: 'move', slot: 'A1', to: 'B2' },
    { call: 'add', orderNumber: 'SO-A1', slot: 'B2', tote: 'T-7', instead: 'B2' },
    { call: 'add', orderNumber: 'SO-9' },
  ]);
});

test('a slot scanned before the page has loaded the new batch moves the order that was just added', () => {
  const rig = startRig({ batch: undefined, lines: [] });
  const batch = cartBatch([cartShare('A1', 1)], { state: 'loading' });
  rig.handle({ kind: 'called', call: { call: 'add', orderNumber: 'SO-A1' }, batch });
  rig.scan('C-A2');
  expect(rig.calls()).toEqual([{ call: 'move', slot: 'A1', to: 'A2' }]);
});

test('during the walk, asks before adding an order, and names the right place if a wrong one is scanned', () => {
  const rig = startRig();
  const scan = { code: 'SO-9', source: 'keyboard' } as const;
  rig.handle({ kind: 'answered', scan, result: scanResult('place', { location: 'C-3', deviceid: '51D000:000009' }) });
  expect(rig.scanned()).toBe('Wrong place: that was C-3. Scan A-1.');
  rig.handle({ kind: 'answered', scan, result: scanResult('order', { order_number: 'SO-9' }) });
  expect([rig.calls(), rig.state().question]).toEqual([[], { kind: 'addOrder', orderNumber: 'SO-9' }]);
  rig.touch({ touch: 'addOrder' });
  expect(rig.calls()).toEqual([{ call: 'add', orderNumber: 'SO-9' }]);
});

test('a pick of a line without a light sends the share of each item', () => {
  const dark = cartLine(3, { A1: 2, B1: 1 }, { deviceid: null, command_id: null, light: false, location: 'Q-1' });
  const rig = startRig({ batch: cartBatch([cartShare('A1', 30), cartShare('B1', 31)]), lines: [dark] });
  rig.scan('Q-1');
  expect(rig.acts()).toEqual([{ does: 'pick', deviceid: null, command_id: null, quantity: 3, shares: dark.shares }]);
  expect(rig.shows()).toBe('put A1 2 · B1 1');
});

test('printed commands act like the buttons of the same name', () => {
  const rig = startRig();
  rig.scan('PICK:OK');
  rig.scan('PICK:ALL');
  rig.scan('PICK:UNDO');
  // The pieces are in hand again, so the page asks to put them first.
  rig.scan('PICK:PAUSE');
  expect([rig.calls(), rig.state().question]).toEqual([[], { kind: 'pauseHolding' }]);
  rig.scan('PICK:BACK');
  rig.scan('PICK:ALL');
  rig.scan('PICK:PAUSE');
  expect(rig.acts().map(({ does }) => does)).toEqual(['pick', 'put', 'takeOut', 'put']);
  expect(rig.calls()).toEqual([{ call: 'pause' }]);
});

describe('the walk continues from the place where this person picked last', () => {
  const FOUR = [1, 2, 3, 4].map((id) => cartLine(id, { A1: 1 }));
  const shares = [10, 20, 30, 40].map((item) => cartShare('A1', item, { quantity: 1 }));
  const open = () => startRig({ batch: cartBatch(shares, { put_confirmation: 'none' }), lines: FOUR });

  test('after a scan of a later place, continues with the places after it, and then starts over', () => {
    const rig = open();
    rig.scan('A-3');
    expect(rig.shows()).toBe('walk A-4 1');
    rig.touch({ touch: 'picked' });
    expect(rig.shows()).toBe('walk A-1 1');
    rig.touch({ touch: 'picked' });
    expect(rig.shows()).toBe('walk A-2 1');
  });

  test("continues after this person's press at the shelf, but not after a press by somebody else", () => {
    const rig = open();
    const press = (id: number, picker: string) => {
      const device = FOUR.find(({ location }) => location === `A-${id}`)?.deviceid ?? '';
      const fact = { type: 'batch.picked', batch_id: 7, location: `A-${id}`, quantity: 1, left_over: 0 } as const;
      rig.handle({ kind: 'told', facts: [{ ...fact, deviceid: device, picker }] });
    };
    press(3, 'Ben');
    rig.read({ batch: cartBatch(shares, { put_confirmation: 'none' }), lines: FOUR.filter((_, at) => at !== 2) });
    expect(rig.shows()).toBe('walk A-1 1');
    press(2, 'Anna');
    rig.read({
      batch: cartBatch(shares, { put_confirmation: 'none' }),
      lines: FOUR.filter((_, at) => at === 0 || at === 3),
    });
    expect(rig.shows()).toBe('walk A-4 1');
  });

  test('Undo leads back to the place that it reopens', () => {
    const rig = open();
    rig.scan('A-2');
    rig.scan('A-3');
    expect(rig.shows()).toBe('walk A-4 1');
    for (const place of ['A-3', 'A-2']) {
      rig.touch({ touch: 'undo' });
      const action = rig.actions().at(-1);
      if (action === undefined) throw new Error('Nothing was undone.');
      rig.handle({ kind: 'sent', sent: { action, outcome: 'cancelled' } });
      expect(rig.shows()).toBe(`walk ${place} 1`);
    }
  });

  test('after sorting at the wall, starts from the first place', () => {
    const given = { mode: 'wall', wall: 3, put_confirmation: 'none' } as const;
    const rig = startRig({ batch: cartBatch(shares, given), lines: FOUR });
    rig.scan('A-3');
    expect(rig.shows()).toBe('walk A-4 1');
    rig.read({ batch: cartBatch(shares, { ...given, state: 'sorting' }), lines: [] });
    const settled = new Set(rig.actions().map(({ key }) => key));
    rig.read({ batch: cartBatch(shares, given), lines: [...FOUR], settled });
    expect(rig.shows()).toBe('walk A-1 1');
  });

  test('shows lines without a light last', () => {
    const dark = cartLine(5, { A1: 1 }, { deviceid: null, location: 'Q-1', light: false, command_id: null });
    const rig = startRig({
      batch: cartBatch([...shares, cartShare('A1', 50, { quantity: 1 })], { put_confirmation: 'none' }),
      lines: [...FOUR, dark],
    });
    rig.scan('A-4');
    expect(rig.shows()).toBe('walk A-1 1');
  });
});

test('with pieces in hand, the code of a stopped slot is a wrong slot, and the put continues', () => {
  const shares = [...HELD, cartShare('B1', 5, { picked: 1, put: 1, state: 'stopped' })];
  const batch = cartBatch(shares);
  const slots = batch.slots.map((slot) => (slot.slot === 'B1' ? { ...slot, state: 'stopped' as const } : slot));
  const rig = startRig({ batch: { ...batch, slots }, lines: [] }, 'Anna');
  rig.scan('C-B1');
  expect([rig.state().question, rig.scanned()]).toEqual([undefined, 'That was B1. Put 2 into A1, 3 into A2.']);
  rig.scan('C-A1');
  expect(rig.acts()).toMatchObject([{ does: 'put' }]);
});

test('names the slots that were freed last, until their batch takes other orders, also once the batch is done', () => {
  const batch = cartBatch(HELD);
  const at = new Date(1_000).toISOString();
  const freeing = (slots: Batch['slots'], by: string, ...names: string[]): Batch['slots'] =>
    slots.map((slot) =>
      names.includes(slot.slot)
        ? { ...slot, state: 'free', order_number: null, shares: [], freed: { at, by, order_number: 'SO-1' } }
        : slot,
    );
  const rig = startRig({ batch, lines: [] }, 'Anna');
  const offered = () => lastFreed(rig.state(), viewOf(rig.state()));
  expect(offered()).toBeUndefined();
  rig.read({ batch: { ...batch, slots: freeing(batch.slots, 'Ben', 'B1', 'B2') }, lines: [] });
  expect(offered()).toEqual({ batch: 7, slots: ['B1', 'B2'], by: 'Ben' });
  expect([600_000, 602_000].map((now) => isOffered(viewOf(rig.state()), now))).toEqual([true, false]);
  const done: Batch = { ...batch, state: 'done', slots: freeing(batch.slots, 'Anna', 'A1', 'A2') };
  rig.handle({ kind: 'called', call: { call: 'freeAll' }, batch: done });
  rig.read({ batch: undefined, lines: [] });
  const freed = { batch: 7, slots: ['A1', 'A2'], by: 'Anna' };
  expect(offered()).toEqual(freed);
  rig.touch({ touch: 'undoFree', freed });
  expect(rig.calls().at(-1)).toEqual({ call: 'undoFree', freed });
});

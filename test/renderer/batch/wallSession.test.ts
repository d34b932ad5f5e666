import { expect, test } from 'vitest';
import type { ScanResult } from '#shared/api/picking.ts';
import type { BatchCall, BatchRead } from '../../../renderer/src/features/pick/batch/batchTypes.ts';
import { lineKey } from '../../../renderer/src/features/pick/batch/batchView.ts';
import { cartShare, LINES, startRig, wallBatch, wallLine } from './cartRig.ts';
import { scanResult } from '../pick/pickRig.ts';

/** A1 and A2 need the same article, and A1 also needs a second one. */
const SHARES = [
  cartShare('A1', 10, { quantity: 2 }),
  cartShare('A2', 11, { quantity: 3 }),
  cartShare('A1', 20, { quantity: 1 }),
];
const OPEN = [wallLine(1, { A1: 2, A2: 3 }), wallLine(2, { A1: 1 })];
const IDLE = { batch: wallBatch(SHARES), lines: OPEN };

const startWall = (read: Partial<BatchRead> = IDLE, me = 'Anna') => startRig(read, me, 'wall');
type Rig = ReturnType<typeof startWall>;

const lit = (...scanned: Parameters<typeof wallBatch>[1] & object) => ({
  batch: wallBatch(SHARES, scanned),
  lines: [],
});

/** Answers the pending scan, as the station would. */
function answer(rig: Rig, result: ScanResult['result'], given: Partial<ScanResult> = {}): void {
  const scan = { code: 'SKU-1', source: 'keyboard' as const };
  rig.handle({ kind: 'sorted', scan, result: scanResult(result, given) });
}

const lastCall = (rig: Rig): BatchCall | undefined => rig.calls().at(-1);
const message = (rig: Rig): string | undefined => rig.state().answer?.text;

test('the station assigns a scanned article to a slot, which lights up for the person who scanned', () => {
  const rig = startWall();
  expect(rig.shows()).toBe('sort');
  rig.scan('SKU-1');
  expect(rig.sorts()).toEqual([{ code: 'SKU-1', count: undefined, itemId: undefined }]);
  answer(rig, 'put', { puts: [{ slot: 'A1', quantity: 1 }], left_over: 0 });
  rig.read(lit(['Anna', 'A1', 10, 1]));
  expect(rig.shows()).toBe('put A1 1');
  expect(rig.plays()).toEqual(['right']);
});

test('accepts scans while slots are lit for other people', () => {
  const rig = startWall(lit(['Ben', 'A1', 10, 1]));
  expect(rig.shows()).toBe('sort');
});

test('a typed number is the quantity of the next scan only', () => {
  const rig = startWall();
  rig.handle({ kind: 'counted', count: 12 });
  rig.scan('SKU-1');
  answer(rig, 'all_done', { left_over: 12 });
  rig.scan('SKU-1');
  expect(rig.sorts().map(({ count }) => count)).toEqual([12, undefined]);
});

test.each([
  ['not_needed', {}, 'Nobody ordered this. Set it aside.'],
  ['all_done', { left_over: 2 }, 'All orders have it: 2 left over.'],
  ['wall_full', { says: 'No slot is free. Set it aside for 10418.' }, 'No slot is free. Set it aside for 10418.'],
  ['single', { order_number: '10418', left_over: 0 }, 'Straight to packing: this completes order 10418.'],
  ['put', { left_over: 2, puts: [{ slot: 'A1', quantity: 2 }] }, '2 left over: set aside.'],
  ['unknown', { says: 'X is unknown.' }, 'X is unknown.'],
] as const)('shows what the answer %s means until the next scan', (result, given, text) => {
  const rig = startWall();
  rig.scan('SKU-1');
  answer(rig, result, given as never);
  expect(message(rig)).toBe(text);
  rig.scan('SKU-2');
  expect(message(rig)).toBeUndefined();
});

test('while a slot is lit, scanning a different article books nothing, and the page names the slot to press first', () => {
  const rig = startWall(lit(['Anna', 'A1', 10, 1]));
  rig.scan('SKU-2');
  answer(rig, 'press_first', { puts: [{ slot: 'A1', quantity: 1 }] });
  expect(rig.scanned()).toBe('Press A1 first.');
  expect(rig.shows()).toBe('put A1 1');
});

test.each([
  ['a scan of the slot', (rig: Rig) => rig.scan('C-A2')],
  ['a touch on the slot', (rig: Rig) => rig.touch({ touch: 'slot', slot: 'A2' })],
  ['the Put button', (rig: Rig) => rig.touch({ touch: 'putAll' })],
])('%s puts exactly the scanned pieces, and the page shows this immediately', (_, put) => {
  const rig = startWall(lit(['Anna', 'A2', 11, 2], ['Ben', 'A1', 10, 1]));
  put(rig);
  const pieces = [{ slot: 'A2', order_number: 'SO-A2', item_id: 11, quantity: 2 }];
  expect(rig.acts()).toEqual([{ does: 'put', pieces }]);
  expect(rig.shows()).toBe('sort');
  expect(rig.putInto('A2')).toBe(2);
});

test('a wrong slot books nothing and names the right one', () => {
  const rig = startWall(lit(['Anna', 'A2', 11, 1]));
  rig.scan('C-B1');
  expect(rig.scanned()).toBe('That was B1. Put 1 into A2.');
  expect(rig.acts()).toEqual([]);
});

test('reports the put that completes an order, and plays three notes', () => {
  const shares = [cartShare('A2', 11, { quantity: 3, picked: 2, put: 2 })];
  const rig = startWall({ batch: wallBatch(shares, [['Anna', 'A2', 11, 1]]), lines: [] });
  rig.scan('C-A2');
  expect(rig.says()).toBe('A2 1 put. A2: order SO-A2 is complete.');
  expect(rig.plays()).toEqual(['done']);
});

test('after a press at the slot, shows the put once the batch is reloaded, and can undo it', () => {
  const rig = startWall(lit(['Anna', 'A2', 11, 1]));
  const shares = SHARES.map((share) => (share.slot === 'A2' ? { ...share, picked: 1, put: 1 } : share));
  rig.read({ batch: wallBatch(shares), lines: OPEN });
  expect(rig.says()).toBe('A2 1 put');
  rig.touch({ touch: 'undo' });
  const pieces = [{ slot: 'A2', order_number: 'SO-A2', item_id: 11, quantity: 1 }];
  expect(rig.acts()).toEqual([
    expect.objectContaining({ does: 'takeOut', pieces: [expect.objectContaining(pieces[0])] }),
  ]);
  expect(rig.shows()).toBe('put A2 1');
  // The put also picked the pieces, so setting them aside undoes that pick.
  rig.touch({ touch: 'setAside' });
  expect(rig.acts().at(-1)).toMatchObject({ does: 'unpick', pieces });
  expect(rig.calls()).toEqual([]);
  expect(rig.shows()).toBe('sort');
});

test('does not ask for a reason after the last piece of an article is put', () => {
  const rig = startWall({ batch: wallBatch(SHARES, [['Anna', 'A2', 11, 1]]), lines: [wallLine(1, { A1: 2, A2: 2 })] });
  const shares = SHARES.map((share) => (share.slot === 'A2' ? { ...share, picked: 1, put: 1 } : share));
  rig.read({ batch: wallBatch(shares), lines: [] });
  expect(rig.state().question).toBeUndefined();
  expect(rig.state().undos.map(({ does }) => does)).toEqual(['put']);
});

test('sets aside pieces scanned by mistake without booking them', () => {
  const rig = startWall(lit(['Anna', 'A2', 11, 1]));
  rig.touch({ touch: 'setAside' });
  expect(rig.calls()).toEqual([{ call: 'hand', by: 'Anna', what: 'set_aside' }]);
  expect(rig.acts()).toEqual([]);
});

test("a code scanned after an article waits for the article's answer, because it may be the slot", () => {
  const rig = startWall();
  rig.scan('SKU-1');
  rig.scan('C-A1');
  expect(rig.later()).toEqual(['C-A1']);
  answer(rig, 'put', { puts: [{ slot: 'A1', quantity: 1 }] });
  rig.read(lit(['Anna', 'A1', 10, 1]));
  rig.scan('C-A1');
  expect(rig.acts()).toHaveLength(1);
});

test('without a connection, rejects scans of articles, but accepts a put', () => {
  const rig = startWall(lit(['Anna', 'A1', 10, 1]));
  rig.handle({ kind: 'connection', isLost: true });
  rig.scan('C-A1');
  expect(rig.acts()).toHaveLength(1);
  rig.scan('SKU-2');
  expect(message(rig)).toBe('No connection: nothing was lit. Scan it again later.');
  expect(rig.sorts()).toEqual([]);
  expect(rig.plays().at(-1)).toBe('wrong');
});

test('reports that the answer to a scan was lost, and accepts the next scan', () => {
  const rig = startWall();
  rig.scan('SKU-1');
  const scan = { code: 'SKU-1', source: 'keyboard' as const };
  rig.handle({ kind: 'sorted', scan, failure: { code: 'unreachable', message: 'No answer.' } });
  expect(message(rig)).toBe('The answer did not arrive. Scan it again: it counts only once.');
  rig.scan('SKU-1');
  expect(rig.sorts()).toHaveLength(2);
});

test('an article without a barcode can be chosen in the list, and a scan closes the list', () => {
  const rig = startWall();
  rig.touch({ touch: 'articles' });
  rig.touch({ touch: 'article', line: 'dark Item 2 20' });
  expect(rig.sorts()).toEqual([]);
  rig.touch({ touch: 'articles' });
  rig.touch({ touch: 'article', line: lineKeys(rig)[1] ?? '' });
  expect(rig.sorts()).toEqual([{ code: 'Item 2', count: undefined, itemId: 20 }]);
  answer(rig, 'all_done', { left_over: 1 });
  rig.touch({ touch: 'articles' });
  rig.scan('SKU-1');
  expect(rig.state().question).toBeUndefined();
  expect(rig.sorts()).toHaveLength(2);
});

test('a scan closes an open question about a slot, and counts as a scan', () => {
  const rig = startWall();
  rig.touch({ touch: 'slot', slot: 'A1' });
  rig.scan('SKU-1');
  expect(rig.sorts()).toEqual([{ code: 'SKU-1', count: undefined, itemId: undefined }]);
  expect(rig.state().question).toBeUndefined();
});

test('can free a complete slot, and Undo reverts that', () => {
  const shares = [cartShare('A2', 11, { quantity: 3, picked: 3, put: 3 })];
  const rig = startWall({ batch: wallBatch(shares), lines: [] });
  rig.touch({ touch: 'slot', slot: 'A2' });
  rig.touch({ touch: 'free', slot: 'A2' });
  expect(lastCall(rig)).toEqual({ call: 'free', slot: 'A2', keep: false });
  rig.handle({ kind: 'called', call: { call: 'free', slot: 'A2', keep: false } });
  rig.touch({ touch: 'undo' });
  expect(lastCall(rig)).toEqual({ call: 'undoFree', freed: { batch: 7, slots: ['A2'], by: 'Anna' } });
});

test('closes missing articles short with a reason, except those marked as still coming', () => {
  const rig = startWall();
  rig.touch({ touch: 'askNoMore' });
  rig.touch({ touch: 'keepOpen', line: lineKeys(rig)[1] ?? '' });
  rig.touch({ touch: 'reason', reason: 'missing' });
  expect(rig.calls()).toEqual([{ call: 'short', items: [10, 11], reason: 'missing' }]);
});

test('the printed command FULL marks the lit slot as full', () => {
  const rig = startWall(lit(['Anna', 'A1', 10, 1]));
  rig.scan('PICK:FULL');
  expect(lastCall(rig)).toEqual({ call: 'full', slot: 'A1' });
});

test('when picking onto a cart before the wall, pieces in hand do not stop the walk, and sorting begins automatically', () => {
  const held = SHARES.map((share) => (share.item_id === 20 ? share : { ...share, picked: 1, in_hand: 1 }));
  const hands = [{ by: 'Anna', shares: [{ slot: 'A1', order_number: 'SO-A1', item_id: 10, quantity: 1 }] }];
  const rig = startWall({ batch: wallBatch(held, [], { cart: 1, state: 'picking', hands }), lines: LINES.slice(1) });
  expect(rig.shows()).toBe('walk A-2 1');
  rig.read({ batch: wallBatch(held, [], { cart: 1, hands }), lines: OPEN });
  expect(rig.shows()).toBe('sort');
  // These pieces are on the cart, so nothing is reopened.
  rig.read({ batch: wallBatch(held, [['Anna', 'A1', 10, 1]], { cart: 1, hands }), lines: OPEN });
  rig.touch({ touch: 'setAside' });
  expect(rig.acts()).toEqual([]);
  expect(lastCall(rig)).toEqual({ call: 'hand', by: 'Anna', what: 'set_aside' });
});

test('scanning the wall asks about pieces that somebody else scanned but did not put', () => {
  const rig = startWall(lit(['Ben', 'A1', 10, 1]));
  rig.scan('WALL-1');
  rig.read(lit(['Ben', 'A1', 10, 1]));
  expect(rig.state().question).toEqual({ kind: 'hand', by: 'Ben' });
  rig.touch({ touch: 'hand', what: 'set_aside' });
  expect(lastCall(rig)).toEqual({ call: 'hand', by: 'Ben', what: 'set_aside' });
});

test('without put confirmation, a scan also counts as the put, and Undo takes the pieces out of all slots', () => {
  const rig = startWall({ batch: wallBatch(SHARES, [], { put_confirmation: 'none' }), lines: OPEN });
  const shares = [
    { slot: 'A1', order_number: 'SO-A1', item_id: 10, quantity: 2 },
    { slot: 'A2', order_number: 'SO-A2', item_id: 11, quantity: 1 },
  ];
  rig.scan('SKU-1');
  answer(rig, 'put', {
    puts: [
      { slot: 'A1', quantity: 2 },
      { slot: 'A2', quantity: 1 },
    ],
    shares,
    left_over: 0,
  });
  expect(message(rig)).toBe('A1 takes 2, A2 takes 1.');
  rig.touch({ touch: 'undo' });
  expect(rig.acts()).toEqual([{ does: 'takeOut', pieces: shares }]);
});

test('can undo a one-piece order, which then waits for its piece again', () => {
  const rig = startWall();
  rig.scan('SKU-2');
  answer(rig, 'single', { item_id: 20, order_number: 'SO-B1' });
  expect(message(rig)).toBe('Straight to packing: this completes order SO-B1.');
  expect(rig.state().last).toMatchObject({ text: 'SO-B1 is complete.', undo: {} });
  rig.touch({ touch: 'undo' });
  expect(rig.acts()).toEqual([
    { does: 'takeOut', pieces: [{ slot: null, order_number: 'SO-B1', item_id: 20, quantity: 1 }] },
  ]);
  expect(rig.state().last?.text).toBe('SO-B1 is waiting again. Scan its piece again when you have it.');
});

function lineKeys(rig: Rig): string[] {
  return (rig.state().read?.lines ?? []).map((line) => lineKey(line));
}

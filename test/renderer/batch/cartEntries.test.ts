import { expect, test } from 'vitest';
import type { BatchQuestion, BatchTouch } from '../../../renderer/src/features/pick/batch/batchTypes.ts';
import { cartBatch, cartShare, LINES, startRig, wallBatch, wallLine } from './cartRig.ts';
import { scanResult } from '../pick/pickRig.ts';

// Orders, numbers and letters that cannot be applied now are rejected visibly and audibly, never dropped.

type Rig = ReturnType<typeof startRig>;

const scanOrder = (rig: Rig, order: string) =>
  rig.handle({
    kind: 'answered',
    scan: { code: order, source: 'keyboard' },
    result: scanResult('order', { order_number: order }),
  });

test.each<[string, (rig: Rig) => void, BatchQuestion['kind']]>([
  ['whether to add the order before', (rig) => scanOrder(rig, 'SO-8'), 'addOrder'],
  ['how many pieces were found', (rig) => rig.touch({ touch: 'short' }), 'short'],
])('a scanned order does not replace the question %s', (_, ask, kind) => {
  const rig = startRig();
  ask(rig);
  const { question } = rig.state();
  scanOrder(rig, 'SO-9');
  expect(question?.kind).toBe(kind);
  expect(rig.state().question).toEqual(question);
  expect([rig.scanned(), rig.plays().at(-1)]).toEqual(['SO-9 does nothing here.', 'wrong']);
});

const SHARES = [cartShare('A1', 10, { quantity: 9 })];
const startWall = (...scanned: Parameters<typeof wallBatch>[1] & object) =>
  startRig({ batch: wallBatch(SHARES, scanned), lines: [wallLine(1, { A1: 9 })] }, 'Anna', 'wall');

test('without the station, a scan of another place that the page knows is wrong', () => {
  const rig = startRig({ batch: cartBatch(SHARES), lines: LINES });
  const away = {
    kind: 'unanswered',
    scan: { code: 'B-9', source: 'keyboard' },
    failure: { code: 'unreachable', message: 'Away.' },
  } as const;
  rig.handle({ ...away, place: { deviceid: '51D000:000099', name: 'B-9' } });
  expect(rig.state().scanned?.text).toBe('Wrong place: that was B-9. Scan A-1.');
  rig.handle({ ...away, place: { deviceid: LINES[1]?.deviceid ?? '', name: 'A-2' } });
  expect(rig.state().scanned?.text).toBe('Away.');
});

test('a number typed at a wall while a slot is still lit counts for the next article', () => {
  const rig = startWall(['Anna', 'A1', 10, 1]);
  expect(rig.shows()).toBe('put A1 1');
  rig.handle({ kind: 'counted', count: 5 });
  rig.read({ batch: wallBatch([cartShare('A1', 10, { quantity: 9, picked: 1, put: 1 })]), lines: [] });
  rig.scan('SKU-1');
  expect(rig.sorts()).toMatchObject([{ code: 'SKU-1', count: 5 }]);
});

test('a number typed at a wall while an article is being sorted counts for the article after it', () => {
  const rig = startWall();
  rig.scan('SKU-1');
  rig.scan('SKU-2');
  rig.handle({ kind: 'counted', count: 5 });
  expect(rig.state().stack).toBeUndefined();
  expect(rig.later()).toEqual(['SKU-2', '5']);
});

test('the number pad takes a typed number', () => {
  const rig = startRig();
  rig.touch({ touch: 'pad' });
  rig.handle({ kind: 'counted', count: 4 });
  expect([rig.state().question, rig.count()]).toEqual([undefined, 4]);
  rig.touch({ touch: 'picked' });
  expect(rig.state().question).toMatchObject({ kind: 'short', found: 4 });
});

const number = { kind: 'counted', count: 6 } as const;
const shakes = (rig: Rig) => [rig.state().refusedUntil > 0, rig.plays().at(-1)];

test.each<[string, BatchTouch]>([
  ['above the requested quantity of a short', { touch: 'short' }],
  ['while a different question is open', { touch: 'slots' }],
])('a number typed %s shakes the page and changes nothing', (_, touch) => {
  const rig = startRig();
  rig.touch(touch);
  const { question } = rig.state();
  rig.handle(number);
  expect([shakes(rig), rig.state().question, rig.count()]).toEqual([[true, 'tick'], question, undefined]);
});

test('a number typed while nothing can be counted shakes the page', () => {
  const shares = [cartShare('A1', 10, { quantity: 2, picked: 2, in_hand: 2 })];
  const rig = startRig({ batch: { ...wallBatch(shares), mode: 'cart', state: 'paused' }, lines: LINES });
  rig.handle(number);
  expect(shakes(rig)).toEqual([true, 'tick']);
});

test.each<[string, (rig: Rig) => void]>([
  ['the printed command UNDO', (rig) => rig.scan('PICK:UNDO')],
  ['the letter U', (rig) => rig.handle({ kind: 'letter', letter: 'u' })],
])('%s is rejected if there is nothing to undo', (_, undo) => {
  const rig = startRig();
  rig.wait();
  undo(rig);
  expect([rig.scanned(), rig.plays()]).toEqual(['There is nothing to undo.', ['wrong']]);
});

const HELD = [
  cartShare('A1', 10, { quantity: 2, picked: 2, in_hand: 2 }),
  cartShare('A2', 11, { quantity: 3, picked: 3, in_hand: 3 }),
];

test.each<[string, (rig: Rig) => void, string]>([
  ['scanned', (rig) => rig.scan('C-A2'), 'put A1 2 · A2 1'],
  ['touched', (rig) => rig.touch({ touch: 'slot', slot: 'A2' }), 'put A1 2 · A2 1'],
  ['not named because all pieces are put', (rig) => rig.touch({ touch: 'putAll' }), 'sending'],
])('a number typed with Enter while pieces are in hand is that of the slot that is %s', (_, put, shows) => {
  const rig = startRig({ batch: cartBatch(HELD), lines: [] });
  rig.handle({ kind: 'counted', count: 2 });
  expect(rig.scanned()).toBe('Scan the slot that takes 2.');
  put(rig);
  expect([rig.shows(), rig.scanned()]).toEqual([shows, undefined]);
});

test('a number typed for pieces in hand does not count for other pieces', () => {
  const rig = startRig({ batch: cartBatch(HELD), lines: [] });
  rig.handle({ kind: 'counted', count: 1 });
  rig.scan('C-A1');
  expect(rig.shows()).toBe('put A1 1 · A2 3');
  rig.scan('C-A2');
  expect(rig.shows()).toBe('sending');
});

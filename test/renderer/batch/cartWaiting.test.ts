import { expect, test } from 'vitest';
import type { ScanResult } from '#shared/api/picking.ts';
import { withPickedAgain } from '../../../renderer/src/features/pick/batch/batchUndos.ts';
import { isOutdated } from '../../../renderer/src/features/pick/batch/batchWaiting.ts';
import { cartBatch, cartShare, LINES, SHARES, startRig, wallBatch, wallLine } from './cartRig.ts';
import { scanResult } from '../pick/pickRig.ts';

// A printed command or a letter that follows a scan waits for the scan's answer, and is judged by what the person meant.

type Rig = ReturnType<typeof startRig>;

const scanOf = (code: string) => ({ code, source: 'keyboard' }) as const;
const answer = (rig: Rig, result: ScanResult['result'], given: Partial<ScanResult> = {}) =>
  rig.handle({ kind: 'answered', scan: scanOf('X-1'), result: scanResult(result, given) });
const sorted = (rig: Rig, result: ScanResult['result'], given: Partial<ScanResult> = {}) =>
  rig.handle({ kind: 'sorted', scan: scanOf('SKU-1'), result: scanResult(result, given) });
/** Whether the last input shook the page. */
const isRefused = (rig: Rig) => rig.plays().at(-1) === 'tick';

test('the command OK after a scanned order adds that order, and picks nothing', () => {
  const rig = startRig();
  rig.scan('SO-9');
  rig.scan('PICK:OK');
  expect([rig.acts(), rig.later()]).toEqual([[], ['PICK:OK']]);
  answer(rig, 'order', { order_number: 'SO-9' });
  rig.runLater();
  expect([rig.acts(), rig.calls()]).toEqual([[], [{ call: 'add', orderNumber: 'SO-9' }]]);
});

test.each<[string, (rig: Rig) => void]>([
  ['is unknown', (rig) => answer(rig, 'unknown', { says: 'X-1 is unknown.' })],
  [
    'got no answer',
    (rig) =>
      rig.handle({ kind: 'unanswered', scan: scanOf('X-1'), failure: { code: 'unreachable', message: 'Away.' } }),
  ],
  ['names the current place', (rig) => answer(rig, 'place', { deviceid: LINES[0]?.deviceid ?? null })],
])('the command OK after a code that %s does not pick a line that was not scanned', (_, reply) => {
  const rig = startRig({ batch: cartBatch(SHARES, { put_confirmation: 'none' }), lines: LINES });
  rig.scan('X-1');
  rig.scan('PICK:OK');
  reply(rig);
  const before = rig.acts();
  rig.runLater();
  expect([rig.acts(), isRefused(rig)]).toEqual([before, true]);
});

test('a place that the page knows is picked while the answer to another code is outstanding', () => {
  const rig = startRig();
  rig.scan('X-1');
  rig.scan('A-1');
  expect(rig.acts()).toMatchObject([{ does: 'pick', quantity: 5 }]);
});

test('during a call, the command OK waits, and then picks the line that was shown', () => {
  const rig = startRig();
  const call = { call: 'full', slot: 'A1' } as const;
  rig.touch({ touch: 'slot', slot: 'A1' });
  rig.touch({ touch: 'full', slot: 'A1' });
  rig.scan('PICK:OK');
  expect(rig.acts()).toEqual([]);
  rig.handle({ kind: 'called', call });
  rig.runLater();
  expect(rig.acts()).toMatchObject([{ does: 'pick', quantity: 5 }]);
  const other = startRig();
  other.touch({ touch: 'slot', slot: 'A1' });
  other.touch({ touch: 'full', slot: 'A1' });
  other.scan('PICK:OK');
  other.read({ batch: cartBatch(SHARES), lines: LINES.slice(1) });
  other.handle({ kind: 'called', call });
  other.runLater();
  expect([other.acts(), isRefused(other)]).toEqual([[], true]);
});

test('a press at the shelf during a call does not turn a waiting OK into a put', () => {
  const rig = startRig();
  rig.touch({ touch: 'slot', slot: 'A1' });
  rig.touch({ touch: 'full', slot: 'A1' });
  rig.scan('PICK:OK');
  const held = SHARES.map((share) =>
    share.item_id < 20 ? { ...share, picked: share.quantity, in_hand: share.quantity } : share,
  );
  rig.read({ batch: cartBatch(held), lines: LINES.slice(1) });
  rig.handle({ kind: 'called', call: { call: 'full', slot: 'A1' } });
  rig.runLater();
  expect([rig.shows(), rig.acts(), isRefused(rig)]).toEqual(['put A1 2 · A2 3', [], true]);
});

const WALL_SHARES = [cartShare('A1', 10, { quantity: 4 }), cartShare('A2', 11, { quantity: 2 })];
const startWall = (how: 'once' | 'none', ...scanned: Parameters<typeof wallBatch>[1] & object) =>
  startRig(
    { batch: wallBatch(WALL_SHARES, scanned, { put_confirmation: how }), lines: [wallLine(1, { A1: 4, A2: 2 })] },
    'Anna',
    'wall',
  );
const putInto = (slot: string, item: number) => ({
  puts: [{ slot, quantity: 1 }],
  shares: [{ slot, order_number: `SO-${slot}`, item_id: item, quantity: 1 }],
  left_over: 0,
});

test.each<[string, (rig: Rig) => void]>([
  ['the letter U', (rig) => rig.handle({ kind: 'letter', letter: 'u' })],
  ['the command UNDO', (rig) => rig.scan('PICK:UNDO')],
])('at a wall, %s after an article undoes only that article', (_, undo) => {
  const rig = startWall('none');
  rig.scan('SKU-1');
  sorted(rig, 'put', putInto('A1', 10));
  rig.scan('SKU-1');
  undo(rig);
  expect(rig.acts()).toEqual([]);
  sorted(rig, 'all_done', { left_over: 1 });
  rig.runLater();
  expect([rig.acts(), isRefused(rig)]).toEqual([[], true]);
  rig.scan('SKU-1');
  undo(rig);
  sorted(rig, 'put', putInto('A2', 11));
  rig.runLater();
  expect(rig.acts()).toMatchObject([{ does: 'takeOut', pieces: [{ slot: 'A2' }] }]);
});

test.each(['PICK:OK', 'PICK:ALL'])(
  'at a wall, the command %s after an article puts it as soon as its slot is lit',
  (code) => {
    const rig = startWall('once');
    rig.scan('SKU-1');
    rig.scan(code);
    sorted(rig, 'put', putInto('A1', 10));
    rig.read({ batch: wallBatch(WALL_SHARES, [['Anna', 'A1', 10, 1]]), lines: [] });
    rig.runLater();
    expect(rig.acts()).toMatchObject([{ does: 'put', pieces: [{ slot: 'A1', quantity: 1 }] }]);
    // The page still ignores touches for a moment, because it has just changed.
    rig.touchNow({ touch: 'undo' });
    expect(rig.acts()).toHaveLength(1);
  },
);

test('at a wall, the command OK after a rejected article does not put the pieces of the article before', () => {
  const rig = startWall('once', ['Anna', 'A1', 10, 1]);
  rig.scan('SKU-2');
  rig.scan('PICK:OK');
  sorted(rig, 'press_first', { puts: [{ slot: 'A1', quantity: 1 }] });
  rig.runLater();
  expect([rig.acts(), isRefused(rig), rig.scanned()]).toEqual([[], true, 'Press A1 first.']);
});

test('a second OK during a slow launch picks nothing', () => {
  const rig = startRig({ batch: cartBatch(SHARES, { state: 'loading' }), lines: [] });
  rig.scan('PICK:OK');
  rig.scan('PICK:OK');
  expect(rig.calls()).toEqual([{ call: 'launch' }]);
  rig.read({ batch: cartBatch(SHARES), lines: LINES });
  rig.handle({ kind: 'called', call: { call: 'launch' } });
  rig.runLater();
  expect([rig.acts(), isRefused(rig), rig.shows()]).toEqual([[], true, 'walk A-1 5']);
});

test('the command OK after a scanned order launches the cart once the order is loaded', () => {
  const batch = cartBatch(SHARES, { state: 'loading' });
  const rig = startRig({ batch, lines: [] });
  rig.scan('SO-9');
  rig.scan('PICK:OK');
  answer(rig, 'order', { order_number: 'SO-9' });
  rig.runLater();
  expect(rig.calls()).toEqual([{ call: 'add', orderNumber: 'SO-9' }]);
  const call = { call: 'add', orderNumber: 'SO-9' } as const;
  rig.handle({ kind: 'called', call, batch });
  rig.runLater();
  expect(rig.calls().slice(1)).toEqual([{ call: 'launch' }]);
});

test('the command OK after an order that the station refused does not launch the cart without it', () => {
  const rig = startRig({ batch: cartBatch(SHARES, { state: 'loading' }), lines: [] });
  rig.scan('SO-9');
  answer(rig, 'order', { order_number: 'SO-9' });
  rig.scan('PICK:OK');
  const failure = { code: 'conflict', message: 'Order SO-9 needs 2 free slots.' } as const;
  rig.handle({ kind: 'called', call: { call: 'add', orderNumber: 'SO-9' }, failure });
  rig.runLater();
  expect([rig.calls().length, isRefused(rig), rig.says()]).toEqual([1, true, failure.message]);
});

test('Undo after a scan that did nothing is refused, even if somebody else has picked one of the earlier items again', () => {
  const rig = startRig();
  rig.touch({ touch: 'picked' });
  const { last, scanned, answer: said, undos } = rig.state();
  const [undo] = undos;
  const waited = { shown: '', undo, isAfterScan: true, messages: { last, scanned, answer: said } };
  const again = withPickedAgain(undos, [{ slot: 'A1', order_number: 'SO-A1', item_id: 10, quantity: 1 }]);
  expect(again[0]).not.toBe(undo);
  for (const now of [undos, again])
    expect(isOutdated({ ...rig.state(), undos: now }, { touch: 'undo' }, waited)).toBe(true);
  expect(isOutdated({ ...rig.state(), undos: [] }, { touch: 'undo' }, waited)).toBe(false);
});

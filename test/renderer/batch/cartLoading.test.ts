import { expect, test } from 'vitest';
import type { ScanResult } from '#shared/api/picking.ts';
import { cartBatch, cartShare, startRig } from './cartRig.ts';
import { scanResult } from '../pick/pickRig.ts';

// A cart that is being loaded: a slot or tote belongs to the order that was scanned just before it.

/** Starts a session at a cart that is being loaded, in which order SO-A1 was scanned last. */
function startLoading() {
  const rig = startRig({ batch: cartBatch([cartShare('A1', 10)], { state: 'loading' }), lines: [] });
  answer(rig, 'order', { order_number: 'SO-A1' });
  expect(rig.state().loaded).toEqual({ orderNumber: 'SO-A1', slot: 'A1' });
  return rig;
}
type Rig = ReturnType<typeof startRig>;

const scanOf = (code: string) => ({ code, source: 'keyboard' }) as const;
const answer = (rig: Rig, result: ScanResult['result'], given: Partial<ScanResult> = {}, code = 'X-1') =>
  rig.handle({ kind: 'answered', scan: scanOf(code), result: scanResult(result, given) });

test.each<[string, (rig: Rig) => void]>([
  [
    'that the station refused',
    (rig) => {
      answer(rig, 'order', { order_number: 'SO-9' });
      const failure = { code: 'conflict', message: 'Order SO-9 is being picked by Ben.' } as const;
      rig.handle({ kind: 'called', call: { call: 'add', orderNumber: 'SO-9' }, failure });
      expect(rig.says()).toBe('Order SO-9 is being picked by Ben.');
    },
  ],
  [
    'about which the station did not answer',
    (rig) => {
      const failure = { code: 'unreachable', message: 'No answer.' } as const;
      rig.handle({ kind: 'unanswered', scan: scanOf('SO-9'), failure });
    },
  ],
  ['that is already picked', (rig) => answer(rig, 'order', { says: 'SO-9 is already picked.' })],
  ['whose code names a place', (rig) => answer(rig, 'place', { location: 'C-3', says: 'C-3 has no light.' })],
])('a slot or tote scanned after an order %s does not change the order before', (_, scanOrder) => {
  const rig = startLoading();
  scanOrder(rig);
  const calls = rig.calls().length;
  rig.scan('C-B2');
  expect([rig.scanned(), rig.calls().length]).toEqual(['B2 is free. Scan an order.', calls]);
  answer(rig, 'unknown', { says: 'T-7 is unknown.' }, 'T-7');
  expect([rig.scanned(), rig.calls().length]).toEqual(['T-7 is unknown.', calls]);
});

test('a slot or tote does not change an order that somebody else has put into the slot of the scanned one', () => {
  const rig = startLoading();
  const slots = [cartShare('A1', 90, { order_number: 'SO-9' }), cartShare('A2', 10, { order_number: 'SO-A1' })];
  rig.read({ batch: cartBatch(slots, { state: 'loading' }) });
  rig.scan('C-B2');
  answer(rig, 'unknown', { says: 'T-7 is unknown.' }, 'T-7');
  expect([rig.calls(), rig.scanned()]).toEqual([[], 'T-7 is unknown.']);
});

test('a slot with an order is not called free if no order was scanned before it', () => {
  const rig = startRig({ batch: cartBatch([cartShare('A1', 10)], { state: 'loading' }), lines: [] });
  rig.scan('C-A1');
  expect(rig.scanned()).toBe('A1 has order SO-A1. Scan an order first.');
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { BatchProgress } from '#shared/api/batch.ts';
import { act, addBatch, addCart, addTies, OTHER_PLACE, PLACE } from '../../helpers/batches.ts';
import { addOrder, press } from '../../helpers/orders.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: a batch stalls after `order_stalled_minutes` without a press.
const MINUTE = 60_000;
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await addCart(station);
  await addTies(station, 'SO-1', 2);
  await addTies(station, 'SO-2', 3);
  await addOrder(station, 'SO-3', [{ name: 'Screw', ordered_quantity: 1, deviceid: OTHER_PLACE }]);
  await addBatch(station, ['SO-1', 'SO-2', 'SO-3']);
  await act(station, 'launch/');
});
afterEach(() => station.stop());

const stalled = async (): Promise<number[]> =>
  (await station.get<BatchProgress[]>('/api/batches/?attention=1')).map(({ id }) => id);
const alerts = async (): Promise<string[]> =>
  (await station.get<Alert[]>('/api/alerts/'))
    .filter(({ kind, ended }) => ended === null && kind.endsWith('_attention'))
    .map(({ kind, about, order_number: order }) => `${kind} ${about ?? order}`);

test('a batch without presses stalls and raises one alert for all its orders, which ends with the next press', async () => {
  await station.clock.advance(14 * MINUTE);
  await press(station, OTHER_PLACE);
  await station.clock.advance(14 * MINUTE);
  expect([await stalled(), await alerts()]).toEqual([[], []]);
  await station.clock.advance(2 * MINUTE);
  expect([await stalled(), await alerts()]).toEqual([[1], ['batch_attention 1']]);
  await press(station, PLACE);
  expect([await stalled(), await alerts()]).toEqual([[], []]);
  // The batch can stall again, because the pieces in hand have not been put.
  await station.clock.advance(16 * MINUTE);
  expect([await stalled(), await alerts()]).toEqual([[1], ['batch_attention 1']]);
  await act(station, 'put/', { all: true });
  await station.clock.advance(30 * MINUTE);
  expect([await stalled(), await alerts()]).toEqual([[], []]);
});

test('a paused batch does not stall; a restart resets the timer of a running batch, but a stalled batch stays stalled', async () => {
  await act(station, 'pause/');
  await station.clock.advance(30 * MINUTE);
  expect(await stalled()).toEqual([]);
  await act(station, 'launch/');
  await station.clock.advance(14 * MINUTE);
  await station.restart();
  await station.clock.advance(14 * MINUTE);
  expect(await stalled()).toEqual([]);
  await station.clock.advance(2 * MINUTE);
  await station.restart();
  expect([await stalled(), await alerts()]).toEqual([[1], ['batch_attention 1']]);
});

test('a shorter limit applies immediately to a batch that has already been idle for longer', async () => {
  await station.clock.advance(10 * MINUTE);
  await station.patch('/api/settings/', { order_stalled_minutes: 5 });
  await station.clock.advance(1_000);
  expect([await stalled(), await alerts()]).toEqual([[1], ['batch_attention 1']]);
});

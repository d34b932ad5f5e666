import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import {
  addOrder,
  anItem,
  getOrder,
  itemsOf,
  launch,
  ONE,
  orderPath,
  press,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: reasons why an order needs attention, and its alerts.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(15_000);
});

afterEach(() => station.stop());

const MINUTE_MS = 60_000;

async function waiting(): Promise<Record<string, string[]>> {
  const orders = await station.get<OrderProgress[]>('/api/order-progress/?attention=1');
  return Object.fromEntries(orders.map(({ order_number: number, attention }) => [number, attention]));
}

async function alerts(state = 'open'): Promise<string[]> {
  const all = await station.get<Alert[]>(`/api/alerts/?state=${state}`);
  return all
    .filter(({ kind }) => kind === 'order_attention')
    .map(({ order_number, problem }) => `${order_number}: ${problem}`);
}

test('the light of an order stays on until the item is picked', async () => {
  await addOrder(station, 'SO-1', [anItem()]);
  await launch(station, 'SO-1');
  await station.clock.advance(60 * MINUTE_MS);
  expect((await station.device(ONE)).commands).toMatchObject([{ color: 'green', seconds: 0 }]);
  await press(station, ONE);
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'fulfilled', attention: [] });
});

test('a timed-out item needs attention until it is lit again, and the alert names its place', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-4-2' });
  await addOrder(station, 'SO-1', [anItem(), anItem({ deviceid: THREE_BUTTONS })], { seconds: 30 });
  await launch(station, 'SO-1');
  await press(station, THREE_BUTTONS);
  expect(await waiting()).toEqual({});
  await station.clock.advance(MINUTE_MS);
  expect(await waiting()).toEqual({ 'SO-1': ['timed_out'] });
  const order = await getOrder(station, 'SO-1');
  expect(order.shipments[0]).toMatchObject({
    attention: ['timed_out'],
    items: [{ timed_out: true }, { timed_out: false }],
  });
  expect(await alerts()).toEqual(['SO-1: Order SO-1: A-4-2 timed out: nobody pressed in time.']);
  await launch(station, 'SO-1');
  expect(await getOrder(station, 'SO-1')).toMatchObject({ attention: [], items: [{ timed_out: false }, {}] });
  expect(await alerts()).toEqual([]);
  expect(await alerts('ended')).toHaveLength(1);
});

test('an order with an item without a device needs attention until the order is aborted or removed; once fulfilled, it has no alert', async () => {
  const nowhere = { name: 'Ghost', ordered_quantity: 1, warehouse_location: 'nowhere' };
  for (const number of ['done', 'aborted', 'removed']) await addOrder(station, number, [anItem(), nowhere]);
  for (const number of ['done', 'aborted', 'removed']) await launch(station, number);
  expect(await waiting()).toEqual({ done: ['unassigned'], aborted: ['unassigned'], removed: ['unassigned'] });
  expect(await alerts()).toHaveLength(3);
  await press(station, ONE);
  await station.post(orderPath('aborted', 'abort/'));
  await station.request('DELETE', orderPath('removed'));
  expect(await waiting()).toEqual({ done: ['unassigned'] });
  expect(await alerts()).toEqual([]);
  expect(await getOrder(station, 'aborted')).toMatchObject({ attention: [], shipments: [{ attention: [] }] });
});

test('each reason raises a separate alert, which ends automatically', async () => {
  const nowhere = { name: 'Ghost', ordered_quantity: 1, warehouse_location: 'nowhere' };
  await addOrder(station, 'SO-1', [anItem(), anItem({ deviceid: THREE_BUTTONS }), nowhere], { seconds: 120 });
  await launch(station, 'SO-1');
  const missing = 'SO-1: Order SO-1: An item has no device, so it is not lit.';
  const late = 'SO-1: Order SO-1: An item timed out: nobody pressed in time.';
  expect(await alerts()).toEqual([missing]);
  await press(station, THREE_BUTTONS);
  await station.clock.advance(3 * MINUTE_MS);
  expect(await waiting()).toEqual({ 'SO-1': ['timed_out', 'unassigned'] });
  expect((await alerts()).toSorted((a, b) => a.localeCompare(b))).toEqual(
    [late, missing].toSorted((a, b) => a.localeCompare(b)),
  );
  const ghost = (await itemsOf(station, 'SO-1'))[2];
  await station.post(orderPath('SO-1', `items/${ghost?.id}/dismiss/`), {});
  expect(await alerts()).toEqual([late]);
  await station.restart();
  expect(await alerts()).toEqual([late]);
  await station.post(orderPath('SO-1', 'launch/'));
  expect([await alerts(), await waiting()]).toEqual([[], {}]);
  expect(await alerts('ended')).toHaveLength(2);
});

test('an order needs attention while a device that it must light is offline', async () => {
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.clock.advance(MINUTE_MS);
  await addOrder(station, 'SO-1', [anItem()]);
  await station.post(orderPath('SO-1', 'launch/'));
  expect(await waiting()).toEqual({ 'SO-1': ['unreachable'] });
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(MINUTE_MS);
  expect(await waiting()).toEqual({});
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await addOrder(station, 'SO-2', [anItem({ deviceid: THREE_BUTTONS })]);
  await station.post(orderPath('SO-2', 'launch/'));
  await station.clock.advance(MINUTE_MS);
  expect(await waiting()).toEqual({ 'SO-2': ['unreachable'] });
  await station.post(orderPath('SO-2', 'abort/'));
  expect(await waiting()).toEqual({});
});

test('an order stalls after the configured number of minutes without a press, counted from the last press or restart', async () => {
  await addOrder(station, 'SO-1', [anItem(), anItem({ deviceid: THREE_BUTTONS })]);
  await launch(station, 'SO-1');
  await station.clock.advance(14 * MINUTE_MS);
  expect(await waiting()).toEqual({});
  await station.clock.advance(2 * MINUTE_MS);
  expect(await waiting()).toEqual({ 'SO-1': ['stalled'] });
  expect(await alerts()).toEqual([
    'SO-1: Order SO-1: Some of its lights are on, and nobody has pressed for a long time.',
  ]);
  await press(station, ONE);
  expect(await waiting()).toEqual({});
  await station.clock.advance(10 * MINUTE_MS);
  await station.restart();
  await station.clock.advance(10 * MINUTE_MS);
  expect(await waiting()).toEqual({});
  await station.clock.advance(6 * MINUTE_MS);
  expect(await waiting()).toEqual({ 'SO-1': ['stalled'] });
  await press(station, THREE_BUTTONS);
  expect(await waiting()).toEqual({});
  await station.patch('/api/settings/', { order_stalled_minutes: 0 });
  await addOrder(station, 'SO-2', [anItem()]);
  await launch(station, 'SO-2');
  await station.clock.advance(60 * MINUTE_MS);
  expect(await waiting()).toEqual({});
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderProgress } from '#shared/api/order.ts';
import { addOrder, anItem, getOrder, ONE, orderPath, press, THREE_BUTTONS } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: an order that stays paused for too long needs attention.
const MINUTE_MS = 60_000;

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  for (const username of ['Anna', 'Ben']) {
    await station.post('/api/users/', { username, password: 'long enough', role: 'picker' });
  }
  await station.clock.advance(5_000);
  await addOrder(station, 'SO-1', [anItem(), anItem({ deviceid: THREE_BUTTONS })]);
});

afterEach(() => station.stop());

const act = (what: string, picker?: string, number = 'SO-1') =>
  station.post(orderPath(number, `${what}/`), picker === undefined ? {} : { picker });
const minutes = (many: number) => station.clock.advance(many * MINUTE_MS);

async function attention(): Promise<Record<string, string[]>> {
  const orders = await station.get<OrderProgress[]>('/api/order-progress/?attention=1');
  return Object.fromEntries(orders.map((order) => [order.order_number, order.attention]));
}

const alerts = () =>
  station.rows<{ problem: string }>(
    "SELECT problem FROM alerts WHERE kind = 'order_attention' AND ended_at IS NULL ORDER BY id",
  );

async function pauseLong(): Promise<void> {
  await act('launch', 'Anna');
  await minutes(10);
  await act('pause', 'Anna');
  await minutes(14);
  expect(await attention()).toEqual({});
  await minutes(2);
  expect(await attention()).toEqual({ 'SO-1': ['paused'] });
}

test('an order paused for order_stalled_minutes needs attention, and raises an alert until it continues', async () => {
  await pauseLong();
  expect(await getOrder(station, 'SO-1')).toMatchObject({ shipments: [{ attention: ['paused'] }] });
  expect(alerts()).toMatchObject([{ problem: expect.stringContaining('was paused a long time ago') as string }]);
  await act('launch', 'Anna');
  expect([await attention(), alerts()]).toEqual([{}, []]);
  await act('pause', 'Anna');
  await minutes(16);
  expect(await attention()).toEqual({ 'SO-1': ['paused'] });
});

test.each(['join', 'abort', 'leave', 'handover'])('the request %s ends the alert of a paused order', async (what) => {
  await pauseLong();
  await act(what, what === 'abort' ? undefined : what === 'leave' ? 'Anna' : 'Ben');
  expect([await attention(), alerts()]).toEqual([{}, []]);
});

test('the alert also ends when the lines are handed to a busy colleague or have no place and no picker', async () => {
  await pauseLong();
  await addOrder(station, 'SO-2', [anItem({ deviceid: '51D000:000003' })]);
  await act('launch', 'Ben', 'SO-2');
  await act('handover', 'Ben');
  expect([await attention(), alerts()]).toEqual([{}, []]);
  await minutes(16);
  expect(await attention()).toEqual({ 'SO-2': ['stalled'] });
  await addOrder(station, 'SO-3', [anItem({ deviceid: undefined, warehouse_location: 'nowhere' })]);
  await act('launch', 'Anna', 'SO-3');
  await act('pause', 'Anna', 'SO-3');
  await minutes(16);
  expect(await attention()).toMatchObject({ 'SO-3': ['paused'] });
  await act('leave', 'Anna', 'SO-3');
  expect(await attention()).toMatchObject({ 'SO-3': ['unassigned'] });
});

test('an order does not count as paused while a colleague continues picking', async () => {
  await act('launch', 'Anna');
  await act('join', 'Ben');
  await act('pause', 'Anna');
  await minutes(16);
  expect(await attention()).toEqual({ 'SO-1': ['stalled'] });
  for (const device of [ONE, THREE_BUTTONS]) await press(station, device);
  await minutes(16);
  expect(await attention()).toEqual({ 'SO-1': ['paused'] });
});

test('an order that waits for a busy picker, was aborted, or was never launched does not count as paused', async () => {
  await act('launch', 'Anna');
  await addOrder(station, 'SO-2', [anItem({ deviceid: '51D000:000003' })]);
  await act('launch', 'Anna', 'SO-2');
  await act('pause', 'Anna');
  await act('abort');
  const { updated_time } = await getOrder(station, 'SO-1');
  await minutes(20);
  expect(await attention()).toEqual({});
  expect(await getOrder(station, 'SO-1')).toMatchObject({ updated_time });
});

test('a restart resets the time until a paused order needs attention', async () => {
  await act('launch', 'Anna');
  await act('pause', 'Anna');
  await minutes(10);
  await station.restart();
  await minutes(14);
  expect(await attention()).toEqual({});
  await minutes(2);
  expect(await attention()).toEqual({ 'SO-1': ['paused'] });
});

test('an order stays stalled while its device goes offline and returns', async () => {
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  await act('launch', 'Anna');
  await minutes(20);
  expect((await attention())['SO-1']?.toSorted()).toEqual(['stalled', 'unreachable']);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: true });
  await minutes(1);
  expect(await attention()).toEqual({ 'SO-1': ['stalled'] });
});

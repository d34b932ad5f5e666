import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WallBoard } from '../../../shared/api/wallBoard.ts';
import { addBatch, addCart, getBatch } from '../../helpers/batches.ts';
import { addOrder, anItem, launch, ONE, press } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 21: "due the same day" is the day in the shop.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
});
afterEach(() => station.stop());

// The first two orders are due on one day of UTC, the first and the last on one day of a shop to the east or west.
test.each([
  ['Asia/Tokyo', '2026-12-01T16:00:00Z', '2026-12-01T20:00:00Z', '2026-12-02T03:00:00Z', 'SO-3'],
  ['America/Los_Angeles', '2026-12-02T04:00:00Z', '2026-12-02T12:00:00Z', '2026-12-02T06:00:00Z', 'SO-3'],
  ['Europe/Berlin', '2026-10-24T22:30:00Z', '2026-10-24T23:00:00Z', '2026-10-25T22:30:00Z', 'SO-3'],
  ['Europe/Berlin', '2027-03-27T23:30:00Z', '2027-03-27T23:45:00Z', '2027-03-28T21:30:00Z', 'SO-3'],
])('a batch in %s is filled with orders of the same day there', async (zone, first, second, third, wanted) => {
  await station.patch('/api/settings/', { time_zone: zone });
  await addCart(station);
  const far = { name: 'Far', deviceid: undefined, warehouse_location: 'Z-9' };
  await addOrder(station, 'SO-1', [anItem({ warehouse_location: 'P-1', deviceid: undefined })], { due_time: first });
  await addOrder(station, 'SO-2', [anItem(far)], { due_time: second });
  await addOrder(station, 'SO-3', [anItem({ warehouse_location: 'P-1', deviceid: undefined })], { due_time: third });
  await addBatch(station, [], { fill: { count: 2 } });
  const orders = (await getBatch(station)).slots.flatMap(({ order_number: number }) => number ?? []);
  expect(orders).toEqual(['SO-1', wanted]);
});

test('today on the wall screen and the days of the report are those of the shop', async () => {
  await station.patch('/api/settings/', { time_zone: 'Pacific/Kiritimati' });
  await addOrder(station, 'SO-1', [anItem()]);
  await launch(station, 'SO-1');
  await press(station, ONE);
  const { lines_today: today } = await station.get<WallBoard>('/api/wall-board/');
  expect(today).toBe(1);
  const { days } = await station.get<{ days: { day: string }[] }>('/api/history/report/');
  const there = new Date(station.clock.now() + 14 * 3_600_000).toISOString().slice(0, 10);
  expect(days.map(({ day }) => day)).toEqual([there]);
  await station.clock.advance(3 * 3_600_000);
  expect(await station.get<WallBoard>('/api/wall-board/')).toMatchObject({ lines_today: 0 });
});

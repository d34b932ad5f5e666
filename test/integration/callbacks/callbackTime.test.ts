import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  receiver.reply(500);
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url, backup_every: 0 });
  await station.clock.advance(5 * SECOND);
  await station.press(DEVICE, 'front', 'long');
  // Disconnect the devices, so that hours pass faster.
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

const deliveries = () => station.get<Delivery[]>('/api/callbacks/');

/** Changes the wall clock by `ms`. The station notices the change at its next commit, which this request causes. */
async function setClock(ms: number): Promise<void> {
  station.clock.jump(ms);
  await station.post(`/api/device/${DEVICE}/`, { statica: `set by ${ms}` });
}

/** Returns the milliseconds until the next scheduled attempt. */
async function dueInMs(): Promise<number> {
  const [delivery] = await deliveries();
  return Date.parse(delivery?.next_attempt ?? '') - station.clock.now();
}

test('correcting a clock that was days behind does not end deliveries, and their schedule continues', async () => {
  await setClock(4 * DAY);
  await station.clock.advance(HOUR);
  expect(await deliveries()).toMatchObject([{ state: 'pending', last_status: 500 }]);
  receiver.reply(200);
  await station.clock.advance(4.5 * HOUR);
  expect(await deliveries()).toMatchObject([{ state: 'delivered' }]);
});

test('setting the clock back by days does not delay deliveries, and next_attempt uses the new time', async () => {
  await station.clock.advance(MINUTE);
  await setClock(-4 * DAY);
  const waitMs = await dueInMs();
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThan(2.2 * MINUTE);
  await station.clock.advance(waitMs + SECOND);
  expect(await dueInMs()).toBeGreaterThan(9 * MINUTE);
});

test('setting the clock back while the station is stopped does not delay deliveries', async () => {
  await station.clock.advance(MINUTE);
  await station.halt();
  station.clock.jump(-4 * DAY);
  await station.restart();
  expect(await dueInMs()).toBeLessThan(2.2 * MINUTE);
  await station.clock.advance(2.2 * MINUTE);
  const waitMs = await dueInMs();
  expect(waitMs).toBeGreaterThan(8 * MINUTE);
  expect(waitMs).toBeLessThan(11 * MINUTE);
});

test("the 72 hours count only the station's running time, across restarts", async () => {
  await station.clock.advance(50 * HOUR);
  await station.halt();
  station.clock.jump(200 * HOUR);
  await station.restart();
  await station.clock.advance(21 * HOUR);
  expect(await deliveries()).toMatchObject([{ state: 'pending' }]);
  await station.clock.advance(2 * HOUR);
  expect(await deliveries()).toMatchObject([{ state: 'dead' }]);
});

test('running time is saved periodically while a delivery waits, and never exceeds the real time', async () => {
  const saved = () => station.rows<{ ran_ms: number }>('SELECT ran_ms FROM station_time')[0]?.ran_ms ?? 0;
  const before = saved();
  await station.clock.advance(40 * MINUTE);
  const later = saved();
  expect(later - before).toBeGreaterThanOrEqual(29 * MINUTE);
  expect(later).toBeLessThanOrEqual(station.clock.monotonic());
  receiver.reply(200);
  await station.clock.advance(70 * MINUTE);
  expect(await deliveries()).toMatchObject([{ state: 'delivered' }]);
  const idle = saved();
  await station.clock.advance(HOUR);
  expect(saved()).toBe(idle);
  await station.restart();
  expect(saved()).toBeGreaterThan(idle + 59 * MINUTE);
});

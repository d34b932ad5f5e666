import { afterEach, beforeEach, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(12_000);
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce: 'n', seconds: 5 });
  await station.clock.advance(1_000);
  // The device is unreachable and holds a press when the machine falls asleep.
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.clock.advance(1_000);
  await station.press(DEVICE);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

test('commands do not time out while the machine sleeps, and an earlier press counts after it wakes', async () => {
  station.clock.sleep('suspend');
  // On some systems timers continue during sleep, here until well after the command is due.
  await station.clock.advance(9_000);
  expect((await station.device(DEVICE)).commands).toHaveLength(1);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  station.clock.sleep('resume');
  await station.clock.advance(5_000);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'ack', nonce: 'n' }]);
});

test('if the system does not report that the machine woke, overdue commands time out later', async () => {
  station.clock.sleep('suspend');
  await station.clock.advance(25_000);
  expect((await station.device(DEVICE)).commands).toEqual([]);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'nack', nonce: 'n' }]);
});

test('a station can stop while the machine sleeps', async () => {
  station.clock.sleep('suspend');
  await station.halt();
});

test('a delivery that was due during the sleep is sent when the machine wakes', async () => {
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(30_000);
  await station.post(`/api/device/${DEVICE}/`, { line1: 'y', nonce: 'm' });
  receiver.reply(500);
  await station.press(DEVICE);
  const before = receiver.requests.length;
  await station.clock.advance(5_000 + 500 + 33_000 + 132_000);
  const tries = receiver.requests.length;
  // The next attempt is ten minutes away.
  expect(tries - before).toBeGreaterThanOrEqual(3);
  station.clock.jump(3_600_000);
  receiver.reply(200);
  station.clock.sleep('resume');
  await station.clock.advance(1_000);
  expect(receiver.requests).toHaveLength(tries + 1);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const HOUR = 3_600_000;

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(12_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

test('a delivery that was due while the machine slept is sent after the machine wakes', async () => {
  receiver.reply(500);
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce: 'n' });
  await station.press(DEVICE);
  // The early attempts have ended, and the next attempt is half an hour away; the machine sleeps for an hour.
  await station.clock.advance(15 * 60_000);
  const before = receiver.requests.length;
  station.clock.jump(HOUR);
  receiver.reply(200);
  await station.post(`/api/device/${DEVICE}/`, { statica: 'the first thing that happens' });
  await station.clock.advance(1_000);
  expect(receiver.requests).toHaveLength(before + 1);
});

test('setting the clock back while the station is stopped does not keep a command lit', async () => {
  const clock = createFakeClock(START_MS + 10 * HOUR);
  const first = await startTestStation({ simulate: 1, clock });
  await first.patch('/api/settings/', { callback_url: receiver.url });
  await first.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce: 'n', seconds: 60 });
  await first.clock.advance(12_000);
  const { dataFolder } = first;
  await first.halt();
  clock.jump(-5 * HOUR);
  const second = await startTestStation({ dataFolder, clock });
  // Without a turbo, the station itself must end the command.
  await second.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await second.clock.advance(30_000);
  expect((await second.device(DEVICE)).commands).toHaveLength(1);
  // The command's time is counted from the last commit at the latest, because the station cannot know when the clock was set.
  await second.clock.advance(35_000);
  expect((await second.device(DEVICE)).commands).toEqual([]);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'nack', nonce: 'n' }]);
  await second.stop();
  await first.stop();
});

test('a full queue refuses commands with a clear message, and a kill empties it', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => ({ deviceid: DEVICE, line1: 'x', nonce: `n${index}` }));
  await station.post('/api/devices/', many);
  const refused = await station.request('POST', `/api/device/${DEVICE}/`, { line1: 'one too many', nonce: 'last' });
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 'invalid', detail: expect.stringContaining('1000 commands') },
  });
  expect((await station.device(DEVICE)).commands).toHaveLength(1_000);
  expect(await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce: 'n5' })).toMatchObject({ state: 'queued' });
  expect(await station.post(`/api/device/${DEVICE}/`, { command: 'kill' })).toMatchObject({ killed: 1_000 });
});

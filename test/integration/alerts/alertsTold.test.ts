import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(12_000);
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

const iso = () => new Date(station.clock.now()).toISOString();

async function battery(battery_mv: number): Promise<void> {
  await station.patch(`/api/simulator/devices/${ONE}/`, { battery_mv });
}

async function sendCallbacksTo(callback_url: string): Promise<void> {
  await station.patch('/api/settings/', { callback_url, callback_families: { condition: true } });
}

test('alerts send no callbacks by default', async () => {
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await battery(2_250);
  await battery(3_000);
  expect([receiver.requests, station.rows('SELECT * FROM outbox')]).toEqual([[], []]);
});

test('a callback is sent when an alert is raised and when it ends, with the measured value and the same id', async () => {
  await sendCallbacksTo(receiver.url);
  const since = iso();
  await battery(2_296);
  await station.clock.advance(5_000);
  await battery(2_250);
  await station.clock.advance(5_000);
  const ended = iso();
  await battery(3_000);
  await station.clock.advance(1_000);
  const alert = {
    kind: 'battery_low',
    alert: '1',
    deviceid: ONE,
    location: 'A-1',
    turbo: '',
    order_number: '',
    about: '',
    since,
  };
  const rest = { value: 12, threshold: 15, problem: null };
  expect(receiver.payloads()).toEqual([
    { condition_event: 'alert_raised', ...alert, ended: null, ...rest },
    { condition_event: 'alert_ended', ...alert, ended, ...rest },
  ]);
  const deliveries = await station.get<Delivery[]>('/api/callbacks/');
  expect(deliveries.map(({ state, family }) => `${family} ${state}`)).toEqual([
    'condition delivered',
    'condition delivered',
  ]);
  expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(
    deliveries.map(({ id }) => id).toReversed(),
  );
});

test('calls a URL with fields by GET, with empty strings for null values', async () => {
  await sendCallbacksTo(
    `${receiver.url}?e={condition_event}&k={kind}&d={deviceid}&at={location}&v={value}&x={ended}&q={acknack}`,
  );
  await battery(2_296);
  await station.clock.advance(1_000);
  expect(receiver.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /?e=alert_raised&k=battery_low&d=51D000%3A000001&at=A-1&v=12&x=&q=',
  ]);
});

test('the callback of an alert belongs to its history row', async () => {
  await sendCallbacksTo(receiver.url);
  await battery(2_296);
  const [row] = station.rows<{ id: number }>("SELECT id FROM history WHERE kind = 'alert_raised'");
  expect(station.rows('SELECT history_id FROM outbox')).toEqual([{ history_id: row?.id }]);
});

test("neither a restart nor a failing receiver repeats an alert's callbacks", async () => {
  await sendCallbacksTo(receiver.url);
  receiver.reply(503);
  await station.patch(`/api/simulator/turbos/SIM-1/`, { connected: false });
  await station.clock.advance(120_000);
  await station.restart();
  receiver.reply(200);
  await station.clock.advance(3_600_000);
  const ofTurbo = receiver.requests.filter(({ body }) => body.includes('"turbo_offline"'));
  const ids = new Set(ofTurbo.map(({ headers }) => headers['webhook-id']));
  expect(receiver.payloads().at(0)).toMatchObject({
    condition_event: 'alert_raised',
    kind: 'turbo_offline',
    deviceid: '',
    location: '',
    turbo: 'SIM-1',
    threshold: 60,
  });
  // The alerts are raised and resolved, because the simulated turbo connects again after the start.
  expect(ids.size).toBe(2);
});

test('a removed turbo is not reported as missing, and the station no longer expects it at startup', async () => {
  await sendCallbacksTo(receiver.url);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.clock.advance(120_000);
  expect(await station.get('/api/alerts/')).toMatchObject([{ kind: 'turbo_offline', turbo: 'SIM-1' }]);
  expect((await station.request('DELETE', '/api/turbo/SIM-1/')).status).toBe(204);
  await station.clock.advance(600_000);
  expect(await station.get('/api/alerts/')).toEqual([]);
  expect(receiver.payloads().map(({ condition_event }) => condition_event)).toEqual(['alert_raised', 'alert_ended']);
  expect(station.rows('SELECT * FROM expected_turbos')).toEqual([]);
});

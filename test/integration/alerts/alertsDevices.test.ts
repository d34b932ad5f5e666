import type { Station } from '#shared/api/station.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const MINUTE = 60_000;

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(12_000);
});

afterEach(() => station.stop());

const open = () => station.get<Alert[]>('/api/alerts/');
const ended = () => station.get<Alert[]>('/api/alerts/?state=ended');
const iso = () => new Date(station.clock.now()).toISOString();

async function change(deviceid: string, how: object): Promise<void> {
  await station.patch(`/api/simulator/devices/${deviceid}/`, how);
  await station.clock.advance(1_000);
}

test('a device that is offline for five minutes gets one alert, dated from its last contact, which ends once it is back', async () => {
  await change(ONE, { reachable: false });
  const { last_seen } = await station.device(ONE);
  await station.clock.advance(5 * MINUTE - 2_000);
  expect(await open()).toEqual([]);
  await station.clock.advance(2_000);
  const [alert] = await open();
  expect(alert).toEqual({
    id: '1',
    kind: 'device_offline',
    deviceid: ONE,
    turbo: null,
    order_number: null,
    about: null,
    since: last_seen,
    value: 300,
    threshold: 300,
    problem: null,
    acknowledged: null,
    acknowledged_by: null,
    ended: null,
  });
  await station.clock.advance(60 * MINUTE);
  expect(await open()).toEqual([alert]);
  await change(ONE, { reachable: true });
  expect(await open()).toEqual([]);
  expect(await ended()).toEqual([{ ...alert, ended: expect.any(String) as string }]);
  await station.clock.advance(60 * MINUTE);
  expect(await ended()).toHaveLength(1);
});

test('a device that returns in time gets no alert', async () => {
  await change(ONE, { reachable: false });
  await station.clock.advance(4 * MINUTE);
  await change(ONE, { reachable: true });
  await change(ONE, { reachable: false });
  await station.clock.advance(4 * MINUTE);
  await change(ONE, { reachable: true });
  await station.clock.advance(10 * MINUTE);
  expect([await open(), await ended()]).toEqual([[], []]);
});

test('a battery alert starts at 15 percent and ends at 20', async () => {
  await change(ONE, { battery_mv: 2_330 });
  expect(await open()).toEqual([]);
  const at = iso();
  await station.patch(`/api/simulator/devices/${ONE}/`, { battery_mv: 2_320 });
  expect(await open()).toMatchObject([{ kind: 'battery_low', deviceid: ONE, since: at, value: 15, threshold: 15 }]);
  await change(ONE, { battery_mv: 2_250 });
  await change(ONE, { battery_mv: 2_350 });
  expect(await open()).toMatchObject([{ id: '1', value: 15 }]);
  await change(ONE, { battery_mv: 2_360 });
  expect([await open(), await ended()]).toMatchObject([[], [{ id: '1', kind: 'battery_low' }]]);
});

test('new thresholds apply immediately to earlier reports, and 0 ends all alerts of that kind', async () => {
  await change(TWO, { battery_mv: 2_600 });
  await station.patch('/api/settings/', { alert_battery_percent: 50, alert_weak_dbm: -50 });
  expect((await open()).map(({ kind, deviceid }) => `${kind} ${deviceid}`).toSorted()).toEqual([
    `battery_low ${TWO}`,
    `signal_weak ${ONE}`,
    `signal_weak ${TWO}`,
  ]);
  await station.patch('/api/settings/', { alert_weak_dbm: 0 });
  // Clients use these limits to show which devices need attention.
  const { limits } = await station.get<Station>('/api/station/');
  expect(limits).toMatchObject({ alert_battery_percent: 50, alert_weak_dbm: 0 });
  expect(await open()).toMatchObject([{ kind: 'battery_low', value: 50, threshold: 50 }]);
  await change(ONE, { reachable: false });
  await station.patch('/api/settings/', { alert_battery_percent: 0, alert_offline_seconds: 30 });
  await station.clock.advance(MINUTE);
  expect(await open()).toMatchObject([{ kind: 'device_offline', threshold: 30 }]);
  await station.patch('/api/settings/', { alert_offline_seconds: 0 });
  expect(await open()).toEqual([]);
});

test.each([
  { alert_offline_seconds: 29 },
  { alert_offline_seconds: -1 },
  { alert_turbo_seconds: 604_801 },
  { alert_weak_dbm: -39 },
  { alert_weak_dbm: -121 },
  { alert_battery_percent: 91 },
  { alert_battery_percent: 1.5 },
])('refuses the setting %o and changes nothing', async (change) => {
  const before = await station.get('/api/settings/');
  const { status, body } = await station.request('PATCH', '/api/settings/', change);
  expect([status, body]).toMatchObject([400, { code: 'invalid' }]);
  expect(JSON.stringify(body)).toContain(`"/${Object.keys(change)[0]}"`);
  expect(await station.get('/api/settings/')).toEqual(before);
});

test('a registered device that has never been online gets no alert, and removing a device ends its alerts', async () => {
  await station.post('/api/device/', { deviceid: '51D0FF:000009' });
  await change(ONE, { battery_mv: 2_250 });
  for (const connected of [false, true]) await station.patch('/api/simulator/turbos/SIM-1/', { connected });
  await station.clock.advance(30 * MINUTE);
  expect(await open()).toMatchObject([{ kind: 'battery_low', deviceid: ONE }]);
  await station.request('DELETE', `/api/device/${ONE}/`);
  await station.clock.advance(30 * MINUTE);
  expect([await open(), await ended()]).toMatchObject([[], [{ kind: 'battery_low', deviceid: ONE }]]);
});

test('a restart does not raise alerts again, and ends alerts resolved in the meantime', async () => {
  await change(ONE, { battery_mv: 2_250, reachable: false });
  await change(TWO, { battery_mv: 2_250 });
  await station.clock.advance(6 * MINUTE);
  const before = await open();
  expect(before).toHaveLength(2);
  await station.halt();
  await station.clock.advance(60 * MINUTE);
  await station.restart();
  // Simulated devices start with a fresh battery, so the alerts end.
  await station.clock.advance(30_000);
  expect(await open()).toEqual([]);
  expect((await ended()).map(({ id }) => id)).toEqual(['2', '1']);
});

test('alerts are in the snapshot, the history and the event stream', async () => {
  const stream = await openStream(station.url);
  await change(ONE, { battery_mv: 2_296 });
  const [alert] = await open();
  expect(await station.get('/api/station/')).toMatchObject({ alerts: [alert] });
  await station.post('/api/alerts/1/acknowledge/');
  await change(ONE, { battery_mv: 3_000 });
  await stream.until(() => stream.text().includes('alert.ended'));
  const facts = stream.commits().flatMap((commit) => commit.facts.filter(({ type }) => type.startsWith('alert')));
  expect(facts).toMatchObject([
    { type: 'alert.raised', alert },
    { type: 'alert.changed', alert: { acknowledged_by: expect.any(String) as string, ended: null } },
    { type: 'alert.ended', alert: { id: '1', ended: expect.any(String) as string } },
  ]);
  stream.close();
  expect(await station.get(`/api/history/?deviceid=${ONE}`)).toMatchObject([
    { kind: 'alert_ended', alert: { id: '1', kind: 'battery_low' } },
    { kind: 'alert_raised', deviceid: ONE, alert: { id: '1', kind: 'battery_low', value: 12, threshold: 15 } },
  ]);
  expect(await station.get('/api/station/')).toMatchObject({ alerts: [] });
});

test('an alert keeps its first acknowledgement; ended and unknown alerts cannot be acknowledged, and device alerts cannot be dismissed', async () => {
  await change(ONE, { battery_mv: 2_250 });
  const at = iso();
  const seen = await station.post('/api/alerts/1/acknowledge/');
  expect(seen).toMatchObject({ id: '1', acknowledged: at, acknowledged_by: expect.stringMatching(/./) as string });
  await station.clock.advance(MINUTE);
  expect(await station.post('/api/alerts/1/acknowledge/')).toEqual(seen);
  expect(await station.request('POST', '/api/alerts/1/end/')).toMatchObject({ status: 409 });
  await change(ONE, { battery_mv: 3_000 });
  expect(await station.request('POST', '/api/alerts/1/acknowledge/')).toMatchObject({ status: 409 });
  for (const id of ['2', '0', 'x', '1e0']) {
    expect(await station.request('POST', `/api/alerts/${id}/acknowledge/`)).toMatchObject({ status: 404 });
  }
});

test('all open alerts can be acknowledged together, and earlier acknowledgements are kept', async () => {
  await change(ONE, { battery_mv: 2_250 });
  await change(TWO, { battery_mv: 2_250 });
  const first = await station.post('/api/alerts/1/acknowledge/');
  expect(await station.post('/api/alerts/acknowledge/')).toEqual({ acknowledged: 1 });
  const [second, before] = await open();
  expect(before).toEqual(first);
  expect(second).toMatchObject({ id: '2', acknowledged: iso() });
  expect(await station.post('/api/alerts/acknowledge/')).toEqual({ acknowledged: 0 });
});

test('open and ended alerts are listed newest first, in pages', async () => {
  await change(ONE, { battery_mv: 2_250 });
  await change(TWO, { battery_mv: 2_250 });
  const ids = async (path: string) => (await station.get<Alert[]>(path)).map(({ id }) => id);
  expect(await ids('/api/alerts/?limit=1')).toEqual(['2']);
  expect(await ids('/api/alerts/?limit=1&after=2')).toEqual(['1']);
  expect(await ids('/api/alerts/?after=1')).toEqual([]);
  await change(ONE, { battery_mv: 3_000 });
  expect(await ids('/api/alerts/?state=open')).toEqual(['2']);
  expect(await ids('/api/alerts/?state=ended')).toEqual(['1']);
  expect(await station.request('GET', '/api/alerts/?state=seen')).toMatchObject({ status: 400 });
});

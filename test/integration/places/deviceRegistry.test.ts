import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import { applyFacts } from '#shared/api/reducer.ts';
import type { Rack, StationMap } from '#shared/api/map.ts';
import type { Problem } from '#shared/api/problem.ts';
import type { Station } from '#shared/api/station.ts';
import type { Turbo } from '#shared/api/turbo.ts';
import { decodePayload } from '../../../electron/server/turbo/frames/protocol/codec.ts';
import { FrameParser } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import type { Body } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const REAL = '51D0AB:00000F';
const HOURS_MS = 3 * 60 * 60 * 1_000;

let station: TestStation;

beforeEach(async () => {
  // Do not use the option `simulate`, which would add removed devices again.
  station = await startTestStation();
  await station.post('/api/simulator/devices/', { count: 2 });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

function remove(deviceid: string) {
  return station.request('DELETE', `/api/device/${deviceid}/`);
}

test('a device can be registered by its id before a turbo reports it, and accepts commands', async () => {
  const answer = await station.request('POST', '/api/device/', {
    deviceid: REAL.toLowerCase(),
    buttons: 3,
    label: 'B-1',
  });
  expect(answer.status).toBe(201);
  const device = answer.body as Device;
  expect(device).toMatchObject({ deviceid: REAL, buttons: 3, locationoverride: 'B-1', online: false, commands: [] });
  expect(await station.device(REAL)).toEqual(device);
  await station.post('/api/devices/', { location: 'B-1', line1: 'later' });
  await station.restart();
  expect((await station.device(REAL)).commands).toHaveLength(1);
});

test('registering a known device again does not change it', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'mine' });
  const answer = await station.request('POST', '/api/device/', { deviceid: ONE, label: 'yours' });
  expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect((await station.device(ONE)).locationoverride).toBe('mine');
});

test.each([
  [{}, '/deviceid'],
  [{ deviceid: '51D000' }, '/deviceid'],
  [{ deviceid: REAL, buttons: 2 }, '/buttons'],
])('the invalid request %j does not register a device', async (body, path) => {
  const answer = await station.request('POST', '/api/device/', body);
  expect(answer.status).toBe(400);
  expect((answer.body as Problem).errors?.map((error) => error.path)).toEqual([path]);
  expect(await station.get('/api/device/')).toEqual([ONE, TWO]);
});

test('up_since stays the same as long as a device does not report a restart', async () => {
  const before = await station.device(ONE);
  expect(Date.parse(before.up_since ?? '') + (before.uptime ?? 0) * 1_000).toBeCloseTo(station.clock.now(), -5);
  await station.clock.advance(HOURS_MS);
  expect((await station.device(ONE)).up_since).toBe(before.up_since);
});

test('last_seen of a quiet device is when it or its turbo went offline', async () => {
  const seenAgoMs = async () => station.clock.now() - Date.parse((await station.device(ONE)).last_seen ?? '');
  const turbo = (isConnected: boolean) => station.patch('/api/simulator/turbos/SIM-1/', { connected: isConnected });
  await station.clock.advance(HOURS_MS);
  await turbo(false);
  await station.clock.advance(60_000);
  expect(await station.device(ONE)).toMatchObject({ online: false });
  expect(await seenAgoMs()).toBe(60_000);
  await turbo(true);
  await station.clock.advance(HOURS_MS);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  await station.clock.advance(60_000);
  expect(await seenAgoMs()).toBeLessThanOrEqual(60_000);
});

test('a removed device leaves only its history', async () => {
  const receiver = await startReceiver();
  await station.patch('/api/settings/', { callback_url: receiver.url });
  const rack = await station.post<Rack>('/api/map/racks/', { name: 'A' });
  await station.request('PUT', `/api/map/places/${ONE}/`, { shelf: rack.shelves[0]?.id, column: 0 });
  await station.post(`/api/device/${ONE}/`, { line1: 'lit', nonce: 'a', seconds: 30 });
  await station.post(`/api/device/${ONE}/`, { line1: 'waits', nonce: 'b', seconds: 30 });
  await station.clock.advance(1_000);

  expect((await remove(ONE.toLowerCase())).status).toBe(204);
  await station.clock.advance(1_000);
  expect(await station.get('/api/device/')).toEqual([TWO]);
  expect((await station.request('GET', `/api/device/${ONE}/`)).status).toBe(404);
  expect((await station.get<StationMap>('/api/map/')).places).toEqual([]);
  for (const table of ['commands', 'places', 'simulated_devices', 'devices']) {
    expect(station.rows(`SELECT * FROM ${table} WHERE device_id = ?`, ONE), table).toEqual([]);
  }
  const [turbo] = await station.get<Turbo[]>('/api/turbo/');
  expect(turbo?.device_count).toBe(1);
  expect(await station.request('PATCH', `/api/simulator/devices/${ONE}/`, { refresh_ms: 0 })).toMatchObject({
    status: 404,
  });
  const entries = await station.get<HistoryEntry[]>(`/api/history/?deviceid=${ONE}`);
  expect(entries.map(({ kind, nonce, by }) => [kind, nonce, by])).toEqual([
    ['killed', 'b', 'API key'],
    ['killed', 'a', 'API key'],
  ]);

  // Neither a deadline nor a restart brings the device back.
  await station.clock.advance(120_000);
  await station.restart();
  await station.clock.advance(20_000);
  expect(await station.get('/api/device/')).toEqual([TWO]);
  expect(receiver.requests).toEqual([]);
  expect(station.logged).toEqual([]);
  await receiver.stop();
});

test('a device cannot be removed twice', async () => {
  const answers = await Promise.all([remove(ONE), remove(ONE)]);
  expect(answers.map(({ status }) => status)).toEqual([204, 404]);
  expect((await remove('FFFFFF:FFFFFF')).status).toBe(404);
});

test('a new simulated device can reuse a freed DeviceID', async () => {
  await remove(ONE);
  await station.post('/api/simulator/devices/', { count: 1, buttons: 3 });
  await station.clock.advance(5_000);
  expect(await station.device(ONE)).toMatchObject({ buttons: 3, online: true, locationoverride: '' });
  await station.post(`/api/device/${ONE}/`, { line1: 'work' });
  await station.clock.advance(5_000);
  expect((await station.device(ONE)).commands).toMatchObject([{ state: 'shown' }]);
  await station.press(ONE);
  expect((await station.device(ONE)).commands).toEqual([]);
});

test('a report in flight during the removal does not register the device again', async () => {
  await station.patch('/api/simulator/turbos/SIM-1/', { latency_ms: 500 });
  await station.patch(`/api/simulator/devices/${ONE}/`, { battery_mv: 2_500 });
  expect((await remove(ONE)).status).toBe(204);
  await station.clock.advance(60_000);
  expect(await station.get('/api/device/')).toEqual([TWO]);
  const [turbo] = await station.get<Turbo[]>('/api/turbo/');
  expect(turbo?.device_count).toBe(1);
});

test('a new device stays when the removal of an earlier device with the same DeviceID completes', async () => {
  await station.patch('/api/simulator/turbos/SIM-1/', { latency_ms: 500 });
  await remove(ONE);
  await station.request('POST', '/api/simulator/devices/', { count: 1 });
  await station.clock.advance(20_000);
  await station.post(`/api/device/${ONE}/`, { line1: 'work', seconds: 0 });
  await station.clock.advance(5_000);
  expect((await station.device(ONE)).commands).toMatchObject([{ state: 'shown' }]);
});

test('the last show sent to a removed device is dark and blank', async () => {
  const shows: Body<'show'>[] = [];
  const parser = new FrameParser({
    frame(type, _flags, _seq, payload) {
      const message = decodePayload(type, payload);
      if (typeof message !== 'string' && message.name === 'show') shows.push(message.body);
    },
    junk: () => undefined,
  });
  await using watched = await startTestStation({
    watchTransport: (transport) => ({
      ...transport,
      write(bytes) {
        parser.push(bytes, 0);
        return transport.write(bytes);
      },
    }),
  });
  await watched.post('/api/simulator/devices/', { count: 1 });
  await watched.post(`/api/device/${ONE}/`, { locationoverride: 'A-1', statica: 'on hand' });
  await watched.post(`/api/device/${ONE}/`, { line1: 'lit', seconds: 0 });
  await watched.clock.advance(5_000);
  await watched.request('DELETE', `/api/device/${ONE}/`);
  await watched.clock.advance(5_000);
  expect(shows.at(-2)).toMatchObject({ device: ONE, led: 'blink' });
  expect(shows.at(-1)).toMatchObject({ device: ONE, token: 0, led: 'off', seconds: 0 });
  expect(shows.at(-1)?.screen).toMatchObject({ form: 'fields', label: '', lines: [] });
});

test('the event stream reports removed devices', async () => {
  await station.post(`/api/device/${ONE}/`, { line1: 'lit' });
  const stream = await openStream(station.url);
  const before = await station.get<Station>('/api/station/');
  await remove(ONE);
  await station.clock.advance(1_000);
  const after = await station.get<Station>('/api/station/');
  await stream.until(() => stream.commits().at(-1)?.id === after.revision);
  let followed = before;
  for (const { id, facts } of stream.commits()) followed = applyFacts(followed, facts, id);
  expect(followed.devices.map(({ deviceid }) => deviceid)).toEqual([TWO]);
  expect(followed.map).toEqual(after.map);
  stream.close();
});

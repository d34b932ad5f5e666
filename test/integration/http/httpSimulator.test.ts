import { afterEach, beforeEach, expect, test } from 'vitest';
import { simulatedDeviceSchema } from '#shared/api/simulator.ts';
import type { TurboTrafficEntry } from '#shared/api/turbo.ts';
import { inOnePacket } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
});

afterEach(() => station.stop());

test('adds devices with the next free DeviceIDs: odd ones have one button, even ones three', async () => {
  const first = await station.request('POST', '/api/simulator/devices/', { count: 2 });
  expect(first.status).toBe(201);
  expect(first.body).toMatchObject([
    { deviceid: ONE, buttons: 1, firmware: 70, reachable: true },
    { deviceid: TWO, buttons: 3, firmware: 70, reachable: true },
  ]);
  for (const device of first.body as unknown[]) {
    expect(simulatedDeviceSchema.strict().safeParse(device).error).toBeUndefined();
  }
  const second = await station.post('/api/simulator/devices/', { count: 1, buttons: 3, firmware: 66 });
  expect(second).toMatchObject([{ deviceid: '51D000:000003', buttons: 3, firmware: 66 }]);
  await station.clock.advance(1_000);
  expect(await station.device('51D000:000003')).toMatchObject({ online: true, buttons: 3, firmware: 66 });
});

test('an empty body adds one device, with or without a content type', async () => {
  const bare = await station.request('POST', '/api/simulator/devices/', undefined, { 'api-key': API_KEY });
  expect(bare).toMatchObject({ status: 201, body: [{ deviceid: ONE }] });
  const typed = await station.request('POST', '/api/simulator/devices/', undefined, {
    'api-key': API_KEY,
    'content-type': 'application/json',
  });
  expect(typed).toMatchObject({ status: 201, body: [{ deviceid: TWO }] });
});

test('simultaneous calls add different devices', async () => {
  const call = { method: 'POST', path: '/api/simulator/devices/', body: { count: 3 } };
  const answers = await inOnePacket(station.url, { 'api-key': API_KEY }, [call, call, call]);
  expect(answers.match(/HTTP\/1\.1 201 Created/g)).toHaveLength(3);
  await station.clock.advance(0);
  expect(await station.get('/api/device/')).toHaveLength(9);
});

test('a thousand devices are added in several commits of limited size', async () => {
  await station.post('/api/simulator/devices/', { count: 10 });
  const before = station.started.commits();
  const added = await station.request('POST', '/api/simulator/devices/', { count: 1_000 });
  expect(added.body).toHaveLength(1_000);
  expect(station.started.commits() - before).toBeGreaterThanOrEqual(4);
  const sql = "SELECT facts FROM commits WHERE facts LIKE '%device.added%'";
  for (const { facts } of station.rows<{ facts: string }>(sql)) {
    expect((JSON.parse(facts) as { type: string }[]).length).toBeLessThanOrEqual(250);
  }
  await station.clock.advance(0);
  const ids = await station.get<string[]>('/api/device/');
  expect([ids.length, new Set(ids).size, ids.at(-1)]).toEqual([1_010, 1_010, '51D000:001010']);
});

test('simulated devices and their hardware survive a restart', async () => {
  await station.post('/api/simulator/devices/', { count: 1, buttons: 3, firmware: 66 });
  await station.restart();
  await station.clock.advance(1_000);
  expect(await station.device(ONE)).toMatchObject({ online: true, buttons: 3, firmware: 66 });
});

test('a press gets 202 and acknowledges the command; pressing a missing button gets 400', async () => {
  await station.post('/api/simulator/devices/', { count: 2 });
  await station.clock.advance(3_000);
  await station.post(`/api/device/${ONE}/`, { line1: 'x', nonce: 'n' });
  await station.clock.advance(3_000);
  const press = await station.request('POST', `/api/simulator/devices/${ONE}/press/`, {
    button: 'front',
    hold: 'short',
  });
  expect(press).toMatchObject({ status: 202, body: { deviceid: ONE } });
  await station.clock.advance(0);
  expect((await station.device(ONE)).commands).toEqual([]);
  for (const body of [{ button: 'plus' }, { button: 'minus' }]) {
    expect(await station.request('POST', `/api/simulator/devices/${ONE}/press/`, body)).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/button' }] },
    });
    expect(await station.request('POST', `/api/simulator/devices/${TWO}/press/`, body)).toMatchObject({ status: 202 });
  }
  for (const body of [{ button: 'back' }, { hold: 'very long' }]) {
    expect(await station.request('POST', `/api/simulator/devices/${TWO}/press/`, body)).toMatchObject({ status: 400 });
  }
});

test('battery, refresh time and faults can be set and are returned', async () => {
  await station.post('/api/simulator/devices/');
  await station.clock.advance(1_000);
  expect(await station.patch(`/api/simulator/devices/${ONE}/`, { battery_mv: 2_400, refresh_ms: 0 })).toMatchObject({
    deviceid: ONE,
    battery_mv: 2_400,
    refresh_ms: 0,
    reachable: true,
  });
  await station.clock.advance(120_000);
  expect(await station.device(ONE)).toMatchObject({ voltage: 2.4, battery: 25, online: true });
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  await station.clock.advance(120_000);
  expect(await station.device(ONE)).toMatchObject({ online: false });
  for (const body of [{ battery_mv: -1 }, { refresh_ms: 60_001 }, { reachable: 'no' }, { press_after_ms: -1 }]) {
    expect(await station.request('PATCH', `/api/simulator/devices/${ONE}/`, body)).toMatchObject({ status: 400 });
  }
});

test('a simulated turbo can be disconnected and reconnected; an unknown one gets 404', async () => {
  await station.post('/api/simulator/devices/');
  await station.clock.advance(1_000);
  expect(await station.patch('/api/simulator/turbos/SIM-1/', { connected: false })).toMatchObject({
    serial_number: 'SIM-1',
  });
  await station.clock.advance(1_000);
  expect(await station.get('/api/turbo/SIM-1/')).toMatchObject({ status: 'offline' });
  expect(await station.device(ONE)).toMatchObject({ online: false, can_press: false });
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true, latency_ms: 50, loss: 0.1 });
  await station.clock.advance(30_000);
  expect(await station.get('/api/turbo/SIM-1/')).toMatchObject({ status: 'online' });
  expect(await station.request('PATCH', '/api/simulator/turbos/SIM-9/', { latency_ms: 1 })).toMatchObject({
    status: 404,
  });
  for (const body of [{ loss: 1.1 }, { loss: -0.1 }, { latency_ms: -1 }, { connected: 'no' }]) {
    expect(await station.request('PATCH', '/api/simulator/turbos/SIM-1/', body)).toMatchObject({ status: 400 });
  }
});

test('applies the latency and loss of a link, and presses automatically after press_after_ms', async () => {
  await station.post('/api/simulator/devices/');
  await station.patch(`/api/simulator/devices/${ONE}/`, { refresh_ms: 0 });
  await station.clock.advance(5_000);
  const faults = (change: object) => station.patch('/api/simulator/turbos/SIM-1/', change);
  /** Returns the milliseconds until a command is shown. */
  async function shownAfter(): Promise<number> {
    const { command_id } = await station.post<{ command_id: string }>(`/api/device/${ONE}/`, {
      line1: 'x',
      seconds: 0,
    });
    const sentAt = station.clock.now();
    // On a bad link, frames are repeated with increasing delays.
    await station.clock.advance(300_000);
    const [command] = (await station.device(ONE)).commands;
    expect(command).toMatchObject({ command_id, state: 'shown' });
    await station.post(`/api/device/${ONE}/`, { command: 'kill' });
    await station.clock.advance(60_000);
    return Date.parse(command?.shown_at ?? '') - sentAt;
  }
  /** Returns the number of frames repeated because they were not answered. */
  async function repeated(): Promise<number> {
    const all = await station.get<TurboTrafficEntry[]>('/api/turbo/traffic/');
    return all.reduce((sum, { repeated_in, repeated_out }) => sum + repeated_in + repeated_out, 0);
  }
  expect(await shownAfter()).toBe(0);
  expect(await repeated()).toBe(0);
  await faults({ loss: 0.2 });
  await shownAfter();
  expect(await repeated()).toBeGreaterThan(0);
  await faults({ loss: 0 });
  await station.clock.advance(300_000);
  const before = await repeated();
  expect(await shownAfter()).toBe(0);
  expect(await repeated()).toBe(before);
  await faults({ latency_ms: 3_000 });
  expect(await shownAfter()).toBeGreaterThanOrEqual(3_000);
  await faults({ latency_ms: 0 });
  await station.clock.advance(300_000);

  await station.patch(`/api/simulator/devices/${ONE}/`, { press_after_ms: 4_000 });
  await station.post(`/api/device/${ONE}/`, { line1: 'x' });
  await station.clock.advance(3_900);
  expect((await station.device(ONE)).commands).toHaveLength(1);
  await station.clock.advance(1_000);
  expect((await station.device(ONE)).commands).toEqual([]);
  expect(await station.get('/api/history/?limit=1')).toMatchObject([{ kind: 'acknowledged', by: 'device' }]);
});

test('refuses an invalid count, number of buttons or firmware', async () => {
  for (const body of [{ count: 0 }, { count: 10_001 }, { count: 1.5 }, { buttons: 2 }, { firmware: 0 }]) {
    expect(await station.request('POST', '/api/simulator/devices/', body)).toMatchObject({ status: 400 });
  }
  expect(await station.get('/api/device/')).toEqual([]);
});

test('refuses a request for more than 10,000 simulated devices as a whole, even with simultaneous calls', async () => {
  await station.post('/api/simulator/devices/', { count: 1 });
  expect(await station.request('POST', '/api/simulator/devices/', { count: 10_000 })).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  });
  const answers = await Promise.all(
    [300, 9_900].map((count) => station.request('POST', '/api/simulator/devices/', { count })),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 409]);
  expect(await station.get<string[]>('/api/device/')).toHaveLength(301);
});

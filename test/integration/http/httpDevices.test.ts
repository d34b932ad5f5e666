import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '#shared/api/version.ts';
import { deviceSchema } from '#shared/api/device.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const THREE_BUTTONS = '51D000:000002';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
});

afterAll(() => station.stop());

test('lists the DeviceIDs in ascending order', async () => {
  expect(await station.get('/api/device/')).toEqual([DEVICE, THREE_BUTTONS, '51D000:000003']);
});

test('a device contains its settings, its condition and what it shows', async () => {
  await station.clock.advance(1_000);
  const device = await station.get(`/api/device/${THREE_BUTTONS}/`);
  expect(deviceSchema.strict().safeParse(device).error).toBeUndefined();
  expect(device).toMatchObject({
    deviceid: THREE_BUTTONS,
    locationoverride: '',
    location: '',
    statica: '',
    arrow: null,
    barcode: '',
    qrcode: '',
    quantity: null,
    icon: '',
    voltage: 3,
    battery: 100,
    firmware: 70,
    buttons: 3,
    brightness: 100,
    unsolicitedNonce: '',
    turbo: 'SIM-1',
    online: true,
    can_press: true,
    state: 'static',
    commands: [],
  });
  expect(device['uptime']).toBe(0);
  expect(device['rssi']).toBeLessThan(0);
  expect(device['last_seen']).toMatch(/^2026-11-20T08:00:0\d\.\d{3}Z$/);
  expect(await station.device(DEVICE)).toMatchObject({ buttons: 1 });
});

test('a device lists its commands with their state and end', async () => {
  const { command_id } = await station.post(`/api/device/${DEVICE}/`, {
    command: 'display',
    line1: 'M8',
    line3: 'x',
    arrow: 'up',
    quantity: 2,
    color: 'gb',
    seconds: 60,
    nonce: 'n',
    sound: 'beep',
  });
  await station.clock.advance(1_000);
  const { commands, state } = await station.device(DEVICE);
  expect(state).toBe('active');
  expect(commands).toEqual([
    {
      command_id,
      command: 'pick',
      nonce: 'n',
      location: '',
      alias_id: null,
      state: 'shown',
      line1: 'M8',
      line2: '',
      line3: 'x',
      line4: '',
      line5: '',
      arrow: 'top',
      barcode: '',
      qrcode: '',
      icon: '',
      quantity: 2,
      color: 'gb',
      sound: '15,c5,4',
      seconds: 60,
      sender: 'API key',
      sequenceid: null,
      batch_id: null,
      order_number: null,
      created_at: expect.stringMatching(/Z$/) as string,
      expected_at: null,
      sent_at: expect.stringMatching(/Z$/) as string,
      shown_at: expect.stringMatching(/Z$/) as string,
      expires_at: expect.stringMatching(/Z$/) as string,
      delivery: 'shown',
      unreachable_since: null,
    },
  ]);
  const [shown] = commands;
  expect(Date.parse(shown?.expires_at ?? '') - Date.parse(shown?.shown_at ?? '')).toBe(60_000);
  await station.post(`/api/device/${DEVICE}/`, { command: 'kill' });
});

test('PUT works like POST', async () => {
  const put = await station.request('PUT', `/api/device/${DEVICE}/`, { line1: 'a', nonce: 'put' });
  expect(put).toMatchObject({ status: 200, body: { deviceid: DEVICE, state: 'queued', warnings: [] } });
  const statics = await station.request('PUT', `/api/device/${DEVICE}/`, { statica: 'x' });
  expect(statics).toMatchObject({ status: 200, body: { deviceid: DEVICE, updated: ['statica'], warnings: [] } });
  const kill = await station.request('PUT', '/api/devices/', { deviceid: DEVICE, command: 'kill' });
  expect(kill).toMatchObject({ status: 200, body: { deviceid: DEVICE, killed: 1, warnings: [] } });
});

test('finds a DeviceID in lower case, and returns it in upper case', async () => {
  expect(await station.get('/api/device/51d000:00000a/').catch((error: Error) => error.message)).toContain(
    '51D000:00000A',
  );
  expect(await station.get(`/api/device/${DEVICE.toLowerCase()}/`)).toMatchObject({ deviceid: DEVICE });
  expect(await station.post(`/api/device/${DEVICE.toLowerCase()}/`, { statica: 'y' })).toMatchObject({
    deviceid: DEVICE,
  });
  expect(await station.post('/api/devices/', { deviceid: DEVICE.toLowerCase(), statica: 'z' })).toMatchObject({
    deviceid: DEVICE,
  });
  const picture = await station.request('GET', `/api/device/${DEVICE.toLowerCase()}/screen/`);
  expect(picture.status).toBe(200);
});

test('accepts a percent-encoded colon', async () => {
  expect(await station.get('/api/device/51D000%3A000001/')).toMatchObject({ deviceid: DEVICE });
});

/** Returns all rows on disk, by table. */
function everyRow(): Record<string, unknown[]> {
  const tables = station.rows<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  return Object.fromEntries(tables.map(({ name }) => [name, station.rows(`SELECT * FROM "${name}"`)]));
}

test('answers 404 for an unknown device in any spelling, and stores nothing', async () => {
  await station.clock.advance(1_000);
  const before = everyRow();
  for (const [method, path, body] of [
    ['GET', '/api/device/FFFFFF:FFFFFF/', undefined],
    ['GET', '/api/device/FFFFFF:FFFFFF/screen/', undefined],
    ['POST', '/api/device/FFFFFF:FFFFFF/', { line1: 'x' }],
    ['PUT', '/api/device/nonsense/', { statica: 'x' }],
    ['POST', '/api/device/FFFFFF:FFFFFF/', { command: 'kill' }],
    ['POST', '/api/devices/', { deviceid: 'FFFFFF:FFFFFF', line1: 'x' }],
    ['POST', '/api/devices/', { location: 'nowhere', line1: 'x' }],
    ['POST', '/api/device/FFFFFF:FFFFFF/acknowledge/', { command_id: '1' }],
    ['POST', '/api/device/FFFFFF:FFFFFF/adjust/', { command_id: '1', quantity: 2 }],
    ['POST', '/api/device/FFFFFF:FFFFFF/identify/', {}],
    ['POST', '/api/device/FFFFFF:FFFFFF/replace/', { deviceid: DEVICE }],
    ['DELETE', '/api/device/FFFFFF:FFFFFF/', undefined],
    ['PUT', '/api/map/places/FFFFFF:FFFFFF/', { shelf: 'none', column: 0 }],
    ['POST', '/api/simulator/devices/FFFFFF:FFFFFF/press/', {}],
    ['PATCH', '/api/simulator/devices/FFFFFF:FFFFFF/', { reachable: false }],
  ] as const) {
    expect(await station.request(method, path, body), `${method} ${path}`).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  }
  expect(everyRow()).toEqual(before);
});

test('reports an invalid request rather than an unknown device', async () => {
  const answer = await station.request('POST', '/api/device/FFFFFF:FFFFFF/', { command: 'blink' });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid' } });
});

test('lists turbos, and finds one by its serial number', async () => {
  const [turbo] = await station.get<Record<string, unknown>[]>('/api/turbo/');
  expect(turbo).toMatchObject({
    serial_number: 'SIM-1',
    status: 'online',
    transport: 'simulated',
    device_count: 3,
    firmware: expect.any(Number) as number,
    uptime: expect.any(Number) as number,
    port: expect.any(String) as string,
    name: expect.any(String) as string,
    last_seen: expect.stringMatching(/Z$/) as string,
  });
  expect(await station.get('/api/turbo/SIM-1/')).toEqual(turbo);
  expect(await station.request('GET', '/api/turbo/SIM-2/')).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('a healthy station answers "ok" to everyone, but sends details only to authenticated callers', async () => {
  const strangers: Record<string, string>[] = [
    {},
    { 'api-key': 'wrong' },
    { authorization: 'Bearer wrong' },
    { cookie: 'sessionid=ended' },
  ];
  for (const headers of strangers) {
    const answer = await station.request('GET', '/healthz', undefined, headers);
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok', version: VERSION }]);
  }
  const { cookies } = await openSession(station);
  for (const headers of [undefined, cookies]) {
    const { body } = await station.request('GET', '/healthz', undefined, headers);
    const count = expect.any(Number) as number;
    expect(body).toEqual({ status: 'ok', version: VERSION, revision: count, devices: 3, commits: count });
  }
});

test('reports the uptime of a device as of the last contact with it', async () => {
  const IDLE = '51D000:000003';
  await station.clock.advance(3_600_000);
  await station.post(`/api/device/${IDLE}/`, { line1: 'M8', seconds: 0 });
  await station.clock.advance(5_000);
  const { uptime } = await station.device(IDLE);
  expect(uptime).toBeGreaterThanOrEqual(3_600);
  expect(uptime).toBeLessThanOrEqual(3_606);
  // The uptime does not increase until the device reports again.
  await station.clock.advance(60_000);
  expect((await station.device(IDLE)).uptime).toBe(uptime);
});

test('repeating a request with the same key returns the first answer, and using the key for a different request is refused', async () => {
  const { command_id } = await station.post<{ command_id: string }>(`/api/device/${DEVICE}/`, {
    line1: 'x',
    quantity: 2,
  });
  for (const [action, first] of [
    ['adjust', { command_id, quantity: 5, key: 'k1' }],
    ['acknowledge', { command_id, qty: 4, key: 'k2' }],
  ] as const) {
    const answer = await station.post(`/api/device/${DEVICE}/${action}/`, first);
    expect(answer).toMatchObject({ deviceid: DEVICE });
    expect(await station.post(`/api/device/${DEVICE}/${action}/`, first)).toEqual(answer);
    for (const [device, body] of [
      ['%3Cb%3E', first],
      [DEVICE, { ...first, command_id: '7' }],
    ] as const)
      expect(await station.request('POST', `/api/device/${device}/${action}/`, body)).toMatchObject({
        status: 409,
        body: { code: 'key_reused' },
      });
  }
});

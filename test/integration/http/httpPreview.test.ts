import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeviceRequest } from '#shared/api/device.ts';
import { previewSchema, type PreviewAnswer } from '#shared/api/preview.ts';
import type { Problem } from '#shared/api/problem.ts';
import { pngPixels } from '../../helpers/screens/pixels.ts';
import { openSession } from '../../helpers/session.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const NEW = '51D000:000001';
let old = '';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  const [added] = await station.post<{ deviceid: string }[]>('/api/simulator/devices/', { count: 1, firmware: 66 });
  old = added?.deviceid ?? '';
  await station.patch(`/api/simulator/devices/${old}/`, { refresh_ms: 0, battery_mv: 2_400 });
  await station.post(`/api/device/${old}/`, { locationoverride: 'Regal Ö 12' });
  await station.clock.advance(5_000);
});

afterAll(() => station.stop());

async function preview(request: object): Promise<PreviewAnswer> {
  return previewSchema.strict().parse(await station.post('/api/preview/', request));
}

async function refused(path: string, request: object): Promise<{ status: number; problem: Problem }> {
  const { status, body } = await station.request('POST', path, request);
  return { status, problem: body as Problem };
}

const pixelsOf = ({ png }: PreviewAnswer) => pngPixels(Buffer.from(png, 'base64'));

async function shown(device: string) {
  await station.clock.advance(5_000);
  const { body } = await station.request('GET', `/api/device/${device}/screen/`);
  const { displayed } = await station.device(device);
  return { pixels: pngPixels(body as Buffer), displayed };
}

const COMMANDS: readonly DeviceRequest[] = [
  { command: 'flash', line1: 'M8 x 20', quantity: 12, color: 'g', sound: 'beep' },
  { command: 'pick', line1: 'M8', color: '#ff8800', seconds: 300 },
  { quantity: 7, command: 'pick' },
  { quantity: 240, command: 'flash', line1: 'on hand', arrow: 'right' },
  { command: 'flash', arrow: 'topleft' },
  { command: 'flash', icon: 'hazard!', color: 'rg' },
  { command: 'flash', qrcode: 'https://example.org/1' },
  { command: 'flash', barcode: '4006381333931' },
  { line1: 'Ä'.repeat(30), line2: 'Ω μ', line3: 'Щит', line4: '日本', line5: '€' },
  { line1: 'a', line2: 'b', quantity: 1, arrow: 'down', barcode: 'ABC-12' },
  { line1: '\\bcABC-12', line2: '\\qr12', line3: 'x', line4: '\\icright', sound: '250,c6,1,a5,1' },
  { command: 'display', color: '#000005', seconds: 0 },
  { command: 'flash', line1: 'x', statica: 'ignored', brightness: 3 },
];
const STATICS: readonly DeviceRequest[] = [
  { statica: 'on hand 240', quantity: 7 },
  { staticc: 'reserve', arrow: 'up' },
  { quantity: null, barcode: '12345' },
  { locationoverride: 'A-3-2', arrow: '' },
  { command: 'static', line1: 'one', line2: 'two' },
  { command: 'location', line1: 'B-1' },
  { brightness: 50, unsolicitedNonce: 'bell' },
];

describe('the preview equals the display, pixel by pixel', () => {
  test('for commands, on new and old devices', async () => {
    for (const deviceid of [NEW, old]) {
      for (const request of COMMANDS) {
        const before = await preview({ deviceid, ...request });
        const { command_id, warnings } = await station.post('/api/devices/', { deviceid, ...request });
        expect(before.warnings).toEqual(warnings);
        const { pixels, displayed } = await shown(deviceid);
        expect(pixelsOf(before), JSON.stringify(request)).toBe(pixels);
        expect({ ...displayed, led: before.led, screen: before.screen }).toEqual(displayed);
        const { commands } = await station.device(deviceid);
        expect(commands).toMatchObject([{ command_id, seconds: before.seconds, sound: before.sound.encoding }]);
        await station.post('/api/devices/', { deviceid, command: 'kill' });
      }
    }
  });

  test('for statics, including those already set', async () => {
    for (const deviceid of [NEW, old]) {
      for (const request of STATICS) {
        const before = await preview({ deviceid, ...request });
        expect(before).toMatchObject({ seconds: null, led: { mode: 'off' }, sound: { encoding: '', ms: 0 } });
        const { warnings } = await station.post('/api/devices/', { deviceid, ...request });
        expect(before.warnings).toEqual(warnings);
        const { pixels, displayed } = await shown(deviceid);
        expect(pixelsOf(before), JSON.stringify(request)).toBe(pixels);
        expect(displayed?.screen).toEqual(before.screen);
      }
    }
  });
});

test('accepts a label as the location, as in a request', async () => {
  await station.post(`/api/device/${old}/`, { locationoverride: 'Shelf 9' });
  const { screen, png } = await preview({ location: 'SHELF 9', line1: 'x' });
  expect(screen.label).toBe('Shelf 9');
  expect(png).toBe((await preview({ deviceid: old, line1: 'x' })).png);
});

test('for an alias, the name and arrow are added, with a warning if the arrow does not fit', async () => {
  const alias = { name: 'Left bin', deviceid: old, deviceIs: 'to the Right of' };
  const { id } = await station.post<{ id: number }>('/api/location-aliases/', alias);
  const seen = await preview({ location: 'left BIN', command: 'pick', line1: 'M8' });
  expect(seen.screen).toMatchObject({ label: 'Left bin', arrow: 'left' });
  const crowded = await preview({ location: 'left bin', command: 'pick', quantity: 1, icon: 'hazardd' });
  expect(crowded.screen.arrow).toBeNull();
  expect(crowded.warnings).toEqual([expect.stringContaining('The arrow to Left bin (left) is left out')]);
  await station.request('DELETE', `/api/location-aliases/${id}/`);
});

test('without a device, a new device without a label is assumed, unless the request gives other values', async () => {
  const plain = await preview({ line1: 'M8' });
  expect(plain).toMatchObject({ width: 296, height: 128, screen: { label: '', lines: ['M8'] }, seconds: 60 });
  expect((await preview({ line1: 'M8', firmware: 70 })).png).toBe(plain.png);
  expect((await preview({ line1: 'M8', firmware: 66 })).png).not.toBe(plain.png);
  expect((await preview({ line1: 'M8', voltage: null })).png).toBe(plain.png);
  expect((await preview({ line1: 'M8', voltage: 2.4 })).png).not.toBe(plain.png);
  expect((await preview({ line1: 'M8', label: 'A-1' })).screen.label).toBe('A-1');
  expect((await preview({ deviceid: old, line1: 'M8', label: 'A-1' })).screen.label).toBe('A-1');
  expect((await preview({ deviceid: old, line1: 'M8', voltage: 2.4 })).png).toBe(
    (await preview({ label: 'Shelf 9', line1: 'M8', firmware: 66, voltage: 2.4 })).png,
  );
  const numbers = { firmware: '66', voltage: '2.40', scale: '2', label: 12 };
  expect(await preview({ line1: 'M8', ...numbers })).toMatchObject({
    width: 592,
    screen: { label: '12' },
    warnings: [],
  });
});

test('reports the length of a sound', async () => {
  expect((await preview({ line1: 'x', sound: 'beep' })).sound).toEqual({ encoding: '15,c5,4', ms: 60 });
  expect((await preview({ line1: 'x', sound: '250,c6,1,p,3' })).sound).toEqual({ encoding: '250,c6,1,p,3', ms: 1_000 });
});

test('scales each pixel in width and height', async () => {
  const plain = PNG.sync.read(Buffer.from((await preview(COMMANDS[9] ?? {})).png, 'base64'));
  for (const scale of [2, 3, 8]) {
    const answer = await preview({ ...COMMANDS[9], scale });
    const large = PNG.sync.read(Buffer.from(answer.png, 'base64'));
    expect([answer.width, answer.height, large.width, large.height]).toEqual([
      296 * scale,
      128 * scale,
      296 * scale,
      128 * scale,
    ]);
    for (let y = 0; y < large.height; y += 1) {
      for (let x = 0; x < large.width; x += 1) {
        const expected = plain.data.readUInt32BE((Math.floor(y / scale) * 296 + Math.floor(x / scale)) * 4);
        if (large.data.readUInt32BE((y * large.width + x) * 4) !== expected)
          throw new Error(`Pixel ${x},${y} of scale ${scale} is another one.`);
      }
    }
  }
});

describe('a request for a picture', () => {
  const ask = (accept: string, request: object) =>
    station.request('POST', '/api/preview/', request, {
      'api-key': API_KEY,
      'content-type': 'application/json',
      accept,
    });

  test('is answered with only the picture, and with the warnings in an ASCII header', async () => {
    const request = { line1: 'Ü\u007f日'.repeat(20), 'colour\u007f': 'red' };
    const { status, headers, body } = await ask('image/png', request);
    const { png, warnings } = await preview(request);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, 'image/png', 'no-store']);
    expect(body).toEqual(Buffer.from(png, 'base64'));
    const header = headers.get('x-pickstation-warnings') ?? '';
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(header)).toEqual(warnings);
    expect(warnings.length).toBeGreaterThan(1);
    expect((await ask('image/png', { line1: 'x' })).headers.get('x-pickstation-warnings')).toBe('[]');
  });

  test('is answered with the number of warnings that do not fit into the header', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${'ü'.repeat(99)}${index}`, 1]));
    const { headers } = await ask('image/png', { line1: 'x'.repeat(30), ...unknown });
    const warnings = JSON.parse(headers.get('x-pickstation-warnings') ?? '') as string[];
    expect([warnings.length, warnings.at(-1)]).toEqual([10, 'And 2 more.']);
  });

  test('is answered with problem documents for errors', async () => {
    const { status, headers } = await ask('image/png', { command: 'blink' });
    expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json; charset=utf-8']);
  });

  test('is answered with JSON unless PNG is preferred', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, image/png', 'text/html'])
      expect((await ask(accept, { line1: 'x' })).headers.get('content-type'), accept).toContain('application/json');
  });
});

test('reports the same errors as sending the request', async () => {
  for (const request of [
    { deviceid: NEW, command: 'blink' },
    { deviceid: NEW, line1: 'x', color: 'plaid', arrow: 'sideways', sound: '140,h5,1' },
    { deviceid: NEW, line1: 'x', seconds: -1 },
    { deviceid: NEW, line1: { text: 'x' } },
    { deviceid: NEW, line1: 'x', quantity: 2.5, barcode: 'ä' },
    { deviceid: old, barcode: '1'.repeat(16), qrcode: 'x', icon: 'mask' },
    { deviceid: 'FFFFFF:FFFFFF', line1: 'x' },
    { deviceid: 'x', line1: 'x' },
    { location: 'nowhere', line1: 'x' },
  ]) {
    const sent = await refused('/api/devices/', request);
    expect(sent.status).toBeGreaterThanOrEqual(400);
    expect(await refused('/api/preview/', request)).toEqual(sent);
  }
});

test('draws as many statics as fit alongside existing ones', async () => {
  await station.post(`/api/device/${NEW}/`, { statica: 'a', staticb: 'b', staticc: 'c', barcode: '1', quantity: 1 });
  const request = { deviceid: NEW, staticd: 'd' };
  const { screen, warnings } = await preview(request);
  expect(screen).toMatchObject({ lines: ['a', 'b', 'c', 'd'], barcode: '', quantity: 1 });
  expect(warnings).toEqual(['barcode is not drawn: at most 5 elements fit one screen.']);
  expect(await station.post('/api/devices/', request)).toMatchObject({ warnings });
  expect((await preview({ staticd: 'd' })).screen.lines).toEqual(['', '', '', 'd']);
  await station.post(`/api/device/${NEW}/`, { statica: '', staticb: '', staticc: '', barcode: '', quantity: null });
});

test('warns about unknown fields, but not about picture options', async () => {
  const options = { firmware: 70, voltage: 3, scale: 1, label: 'A' };
  expect((await preview({ line1: 'x', colour: 'r', ...options })).warnings).toEqual([
    '/colour: There is no such field. Did you mean color?',
  ]);
});

test('refuses invalid picture options', async () => {
  for (const [field, value] of [
    ['scale', 0],
    ['scale', 9],
    ['scale', 1.5],
    ['scale', 'large'],
    ['firmware', -1],
    ['firmware', 'newest'],
    ['voltage', 'full'],
    ['voltage', 1_000],
    ['label', { a: 1 }],
  ] as const) {
    const { status, problem } = await refused('/api/preview/', { line1: 'x', [field]: value });
    expect({ status, errors: problem.errors?.map(({ path }) => path) }, field).toEqual({
      status: 400,
      errors: [`/${field}`],
    });
  }
});

test('refuses a kill, which shows nothing, and a list of requests', async () => {
  const { status, problem } = await refused('/api/preview/', { deviceid: NEW, command: 'kill' });
  expect({ status, problem }).toMatchObject({ status: 400, problem: { errors: [{ path: '/command' }] } });
  expect(problem.detail).toContain('nothing to preview');
  expect((await refused('/api/preview/', [{ line1: 'x' }])).status).toBe(400);
});

test('queues, sends and writes nothing', async () => {
  await station.clock.advance(5_000);
  const before = await station.get('/api/station/');
  const commits = station.started.commits();
  for (const request of [...COMMANDS, ...STATICS]) await preview({ deviceid: NEW, ...request });
  await station.clock.advance(1_000);
  expect((await station.get('/api/station/'))['revision']).toBe(before['revision']);
  expect(station.started.commits()).toBe(commits);
  expect((await station.device(NEW)).commands).toEqual([]);
});

test('needs authentication, and the token in a session', async () => {
  const { cookies, write } = await openSession(station);
  const body = { line1: 'x' };
  const headers = { 'content-type': 'application/json' };
  expect((await station.request('POST', '/api/preview/', body, headers)).status).toBe(401);
  expect((await station.request('POST', '/api/preview/', body, { ...headers, ...cookies })).status).toBe(403);
  expect((await station.request('POST', '/api/preview/', body, { ...headers, ...write })).status).toBe(200);
});

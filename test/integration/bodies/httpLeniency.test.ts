import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Problem } from '#shared/api/problem.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const PATH = `/api/device/${DEVICE}/`;

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterEach(async () => {
  await station.post(PATH, { command: 'kill' });
});

afterAll(() => station.stop());

/** Returns the device's only queued command. */
async function queued() {
  const { commands } = await station.device(DEVICE);
  expect(commands).toHaveLength(1);
  return commands[0];
}

async function refused(body: unknown): Promise<Problem> {
  const answer = await station.request('POST', PATH, body);
  expect(answer.status, JSON.stringify(body)).toBe(400);
  return answer.body as Problem;
}

test('numeric strings are accepted as numbers', async () => {
  await station.post(PATH, { line1: 'x', seconds: '60', quantity: ' 2 ' });
  expect(await queued()).toMatchObject({ seconds: 60, quantity: 2 });
  await station.post(PATH, { command: 'kill' });
  await station.post(PATH, { line1: 'x', seconds: '60.0', quantity: '+007' });
  expect(await queued()).toMatchObject({ seconds: 60, quantity: 7 });
});

test('numbers and booleans are accepted in text fields', async () => {
  await station.post(PATH, { line1: 4711, line2: true, line3: 0, line4: false, nonce: 12.5, barcode: 12 });
  // The barcode also counts as one of the five elements.
  expect(await queued()).toMatchObject({
    line1: '4711',
    line2: 'true',
    line3: '0',
    line4: 'false',
    nonce: '12.5',
    barcode: '12',
  });
});

test('refuses a number that JSON parsing would change, because a different barcode would be shown', async () => {
  for (const digits of ['12345678901234567890', '-9007199254740993', '1e400', '1234567890.12345678', '0.0000001']) {
    const body = `{"command":"pick","barcode":${digits}}`;
    const answer = await station.request('POST', PATH, body);
    expect(answer, digits).toMatchObject({ status: 400, body: { errors: [{ path: '/barcode' }] } });
    expect(JSON.stringify(answer.body)).toContain('in quotes');
  }
});

test('a place in the body that contradicts the path is ignored, with a warning that names it', async () => {
  const named = async (body: object) => (await station.post<{ warnings: string[] }>(PATH, body)).warnings;
  expect(await named({ deviceid: '51D000:000002', quantity: 4, icon: '' })).toEqual([
    expect.stringMatching(/^deviceid "51D000:000002" is ignored: .*51D000:000001/),
  ]);
  expect(await named({ location: 'A-9', command: 'flash', line1: 'x' })).toEqual([
    expect.stringMatching(/^location "A-9" is ignored/),
  ]);
  await station.post(PATH, { locationoverride: 'A-1' });
  expect(await named({ deviceid: DEVICE.toLowerCase(), location: ' a-1', quantity: null })).toEqual([]);
  await station.post(PATH, { locationoverride: '' });
});

test('deviceid takes precedence over a location at another place, with a warning', async () => {
  const both = { deviceid: DEVICE, location: 'A-9', command: 'flash', line1: 'x' };
  const warnings = [expect.stringMatching(/^location "A-9" is ignored/)];
  expect(await station.post('/api/devices/', both)).toMatchObject({ deviceid: DEVICE, warnings });
  expect(await station.post('/api/devices/', [both])).toMatchObject([{ status: 200, deviceid: DEVICE, warnings }]);
  expect(await station.post('/api/preview/', both)).toMatchObject({ warnings });
});

test('an empty string or null in a command counts as not set', async () => {
  const blank = { quantity: '', arrow: null, barcode: '', color: '', sound: null, seconds: '', nonce: null, line2: '' };
  expect(await station.post(PATH, { command: 'pick', line1: 'x', ...blank })).toMatchObject({ warnings: [] });
  expect(await queued()).toMatchObject({
    quantity: null,
    arrow: null,
    barcode: '',
    color: 'red',
    sound: '',
    seconds: 60,
    nonce: '',
  });
});

test('blank lines and a blank command do not create a command', async () => {
  const answer = await station.post(PATH, { command: '', line1: '', line2: null, statica: 'kept' });
  expect(answer).toEqual({ deviceid: DEVICE, updated: ['statica'], warnings: [] });
});

test('an empty string or null clears a static field, and other fields do not change', async () => {
  await station.post(PATH, {
    statica: 'a',
    staticb: 'b',
    quantity: 5,
    arrow: 'left',
    locationoverride: 'A-1',
    unsolicitedNonce: 'bell',
    brightness: 40,
  });
  const answer = await station.post(PATH, {
    statica: '',
    quantity: null,
    locationoverride: null,
    unsolicitedNonce: '',
  });
  expect(answer['updated']).toEqual(['statica', 'quantity', 'locationoverride', 'unsolicitedNonce']);
  expect(await station.device(DEVICE)).toMatchObject({
    statica: '',
    staticb: 'b',
    quantity: null,
    arrow: 'left',
    locationoverride: '',
    unsolicitedNonce: '',
    brightness: 40,
  });
  await station.post(PATH, { staticb: '', arrow: '', brightness: 100 });
});

test('a blank brightness changes nothing', async () => {
  await station.post(PATH, { brightness: '40' });
  expect(await station.post(PATH, { brightness: null, statica: 'x' })).toMatchObject({ updated: ['statica'] });
  expect((await station.device(DEVICE)).brightness).toBe(40);
  await station.post(PATH, { brightness: 100 });
});

test('unknown fields with any content are ignored, and a warning names them', async () => {
  const unknown = '"api":"2.0","__proto__":{"line2":"evil"},"constructor":{"prototype":{}},"x":{"y":[[]]}';
  for (const path of [PATH, '/api/devices/', '/api/preview/']) {
    expect(await station.post(path, `{"deviceid":"${DEVICE}","line1":"x",${unknown}}`), path).toMatchObject({
      warnings: ['api', '__proto__', 'constructor', 'x'].map((field) => `/${field}: There is no such field.`),
    });
  }
  const sequence = { sequenceid: 'unknown', steps: [{ order: 1, device: DEVICE, line1: 'x' }] };
  expect(await station.post('/api/sequence/', `${JSON.stringify(sequence).slice(0, -1)},${unknown}}`)).toMatchObject({
    warnings: ['api', '__proto__', 'constructor', 'x'].map((field) => `/${field}: There is no such field.`),
  });
  expect(await queued()).toMatchObject({ line1: 'x', line2: '' });
  expect(Object.hasOwn(Object.prototype, 'line2')).toBe(false);
});

test('accepts integer seconds from 0 to 2,592,000', async () => {
  for (const seconds of [-1, '-1', 1.5, '1.5', 2_592_001, 'soon', true, [], {}, '1e2', '0x10', Number.MAX_VALUE]) {
    expect(await refused({ line1: 'x', seconds })).toMatchObject({
      code: 'invalid',
      errors: expect.arrayContaining([expect.objectContaining({ path: '/seconds' })]) as unknown,
    });
  }
  for (const seconds of [0, '0', 1, 2_592_000]) {
    expect(await station.request('POST', PATH, { line1: 'x', seconds })).toMatchObject({ status: 200 });
  }
});

test('accepts a quantity above 99 but not a negative one, in commands and statics', async () => {
  for (const body of [{ line1: 'x' }, {}]) {
    expect(await station.request('POST', PATH, { ...body, quantity: 12_345 })).toMatchObject({ status: 200 });
    expect(await refused({ ...body, quantity: -1 })).toMatchObject({ errors: [{ path: '/quantity' }] });
    expect(await refused({ ...body, quantity: '2.5' })).toMatchObject({ errors: [{ path: '/quantity' }] });
    expect(await refused({ ...body, quantity: 'two' })).toMatchObject({ errors: [{ path: '/quantity' }] });
  }
  expect((await station.device(DEVICE)).quantity).toBe(12_345);
  await station.post(PATH, { quantity: '' });
});

test('refuses a brightness outside 0 to 100', async () => {
  for (const brightness of [-1, 101, 'bright']) {
    expect(await refused({ brightness })).toMatchObject({ errors: [{ path: '/brightness' }] });
  }
});

test('refuses objects and arrays as text', async () => {
  for (const field of ['line1', 'command', 'statica', 'nonce', 'color', 'barcode', 'locationoverride']) {
    for (const value of [{}, [], ['x'], { toString: 'x' }]) {
      expect(await refused({ [field]: value })).toMatchObject({ code: 'invalid', errors: [{ path: `/${field}` }] });
    }
  }
});

test('reports all errors with their paths, and a refused request changes nothing', async () => {
  const problem = await refused({ command: 'pick', seconds: -1, quantity: -1, line1: {} });
  expect(problem.errors?.map(({ path }) => path).toSorted()).toEqual(['/line1', '/quantity', '/seconds']);
  const before = await station.device(DEVICE);
  await refused({ command: 'pick', color: 'x', statica: 'never' });
  expect(await station.device(DEVICE)).toEqual(before);
});

test('truncates a long text with a warning, without splitting a character', async () => {
  const answer = await station.post(PATH, { line1: '👩🏽‍🔧'.repeat(27), line2: 'é'.normalize('NFD').repeat(27) });
  const [cut, box] = ['longer than 26 characters', 'shown as a box'];
  expect(answer['warnings']).toEqual([
    expect.stringMatching(`^line1 .*${cut}`),
    expect.stringMatching(`^line1 .*${box}`),
    expect.stringMatching(`^line2 .*${cut}`),
  ]);
  expect(await queued()).toMatchObject({ line1: '👩🏽‍🔧'.repeat(26), line2: 'é'.normalize('NFC').repeat(26) });
});

test.each([
  [PATH, String.raw`{"statica":"a\ud83d"}`],
  [PATH, String.raw`{"unsolicitedNonce":"\udd29b"}`],
  ['/api/map/zones/', String.raw`{"name":"a\ud83d","racks":[]}`],
])('refuses an unpaired surrogate in the body of %s: %s', async (path, body) => {
  const before = await station.device(DEVICE);
  expect(await station.request('POST', path, body)).toMatchObject({ status: 400, body: { code: 'encoding' } });
  expect(await station.device(DEVICE)).toEqual(before);
});

test('refuses a nonce or label with more than a thousand characters', async () => {
  const long = 'x'.repeat(1_001);
  expect(await refused({ line1: 'x', nonce: long })).toMatchObject({ errors: [{ path: '/nonce' }] });
  expect(await refused({ locationoverride: long })).toMatchObject({ errors: [{ path: '/locationoverride' }] });
  expect(await station.request('POST', PATH, { line1: 'x', nonce: long.slice(1) })).toMatchObject({ status: 200 });
});

test('elements that do not fit on the screen are stored but not drawn, with a warning; strict refuses them with 400', async () => {
  await station.post(PATH, { quantity: 1, arrow: 'left' });
  const said = expect.stringMatching(/^qrcode is not drawn/) as string;
  expect(await station.request('POST', `${PATH}?strict=1`, { qrcode: 'x' })).toMatchObject({
    status: 400,
    body: { code: 'invalid', detail: said, errors: [{ path: '/qrcode', message: said }] },
  });
  expect(await station.device(DEVICE)).toMatchObject({ quantity: 1, arrow: 'left', qrcode: '' });
  expect(await station.post(PATH, { qrcode: 'x' })).toMatchObject({ updated: ['qrcode'], warnings: [said] });
  expect(await station.device(DEVICE)).toMatchObject({ quantity: 1, arrow: 'left', qrcode: 'x' });
  expect((await station.post(PATH, { arrow: '' }))['warnings']).toEqual([]);
  await station.post(PATH, { quantity: '', qrcode: '' });
});

test('the detail of a refusal names one field and the number of other errors', async () => {
  expect(await station.request('POST', PATH, { line1: 'x', quantity: -1 })).toMatchObject({
    status: 400,
    body: { detail: '/quantity: The smallest value is 0.' },
  });
  expect(await station.request('POST', PATH, { line1: 'x', quantity: -1, seconds: -1 })).toMatchObject({
    body: { detail: expect.stringMatching(/^\/\w+: The smallest value is 0\. And 1 more\.$/) as string },
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_STATICS } from '#shared/lib/requests/deviceFields.ts';
import type { Problem } from '#shared/api/problem.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const PATH = `/api/device/${DEVICE}/`;
const LINES = { statica: 'a', staticb: 'b', staticc: 'c', staticd: 'd', statice: 'e' };
const NOTHING = { statica: '', staticb: '', staticc: '', staticd: '', statice: '' };

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

beforeEach(() => station.post(PATH, NO_STATICS));

afterAll(() => station.stop());

/** Sends a change that must be refused and must change nothing. Returns the problem. */
async function refused(body: unknown, query = ''): Promise<Problem> {
  const before = await station.device(DEVICE);
  const answer = await station.request('POST', `${PATH}${query}`, body);
  expect(answer.status, JSON.stringify(body)).toBe(400);
  expect(await station.device(DEVICE)).toEqual(before);
  return answer.body as Problem;
}

const post = (body: object, query = '') =>
  station.post<{ updated: string[]; warnings: string[] }>(`${PATH}${query}`, body);

async function shown() {
  await station.clock.advance(5_000);
  return (await station.device(DEVICE)).displayed?.screen;
}

test('stores more than five static elements, and draws as many as fit, with a warning', async () => {
  await post(LINES);
  expect(await post({ quantity: 5 })).toMatchObject({
    updated: ['quantity'],
    warnings: [expect.stringContaining('Nothing is lit'), 'statice is not drawn: at most 5 elements fit one screen.'],
  });
  expect(await station.device(DEVICE)).toMatchObject({ ...LINES, quantity: 5 });
  expect(await shown()).toMatchObject({ lines: ['a', 'b', 'c', 'd'], quantity: 5 });
  expect((await post({ brightness: 40, locationoverride: 'B-1' })).warnings).toEqual([]);
  expect((await post({ staticc: '' })).warnings).toEqual([]);
  expect(await shown()).toMatchObject({ lines: ['a', 'b', '', 'd', 'e'], quantity: 5 });
  expect(await post({ barcode: '1', icon: 'mask' })).toMatchObject({
    updated: ['barcode', 'icon'],
    warnings: [expect.stringMatching(/^barcode is not drawn/), expect.stringMatching(/^icon is not drawn/)],
  });
});

test('a third boxed element in the statics is not drawn until there is room for it', async () => {
  await post({ quantity: 5, icon: 'left' });
  expect((await post({ statica: '\\qrhello' })).warnings).toEqual([
    expect.stringMatching(/^qrcode in statica is not drawn/),
  ]);
  expect(await shown()).toMatchObject({ qrcode: '', arrow: 'left', quantity: 5 });
  const { screen, warnings } = await station.post<{ screen: object; warnings: string[] }>('/api/preview/', {
    deviceid: DEVICE,
    icon: 'mask',
  });
  expect({ screen, warnings }).toMatchObject({
    screen: { qrcode: '', icon: '', arrow: 'left', quantity: 5 },
    warnings: [expect.stringMatching(/^qrcode in statica/), expect.stringMatching(/^icon is not drawn/)],
  });
  await post({ quantity: null });
  expect(await shown()).toMatchObject({ qrcode: 'hello', arrow: 'left', quantity: null });
});

describe('?strict=1', () => {
  const strictly = (body: object) => refused(body, '?strict=1');

  test('refuses statics that do not fit or that hide each other, and changes nothing', async () => {
    await post(LINES);
    expect((await strictly({ quantity: 5 })).errors).toEqual([
      { path: '', message: 'statice is not drawn: at most 5 elements fit one screen.' },
    ]);
    expect((await strictly({ barcode: '1', staticb: '\\bc2' })).errors).toMatchObject([{ path: '/barcode' }]);
    expect((await strictly({ command: 'static', barcode: '1', line2: 'b' })).errors).toMatchObject([
      { path: '/barcode' },
    ]);
    expect(await post({ staticc: 'cc' }, '?strict=1')).toMatchObject({ warnings: [] });
    await post({ quantity: 5, barcode: '1' });
    expect(await post({ barcode: '' }, '?strict=1')).toMatchObject({ updated: ['barcode'] });
  });

  test('refuses commands that do not fit and invalid sounds, with all errors in one answer', async () => {
    const body = { line1: 'a', quantity: 1, icon: 'mask', qrcode: 'q', sound: '140,c4,1' };
    expect((await strictly(body)).errors).toMatchObject([
      { path: '/qrcode' },
      { path: '/sound', message: expect.stringContaining('character 5') as string },
    ]);
    expect((await post(body)).warnings).toEqual([
      expect.stringMatching(/^qrcode is not drawn/),
      expect.stringMatching(/^The sound is not played.*character 5/),
    ]);
    expect((await station.device(DEVICE)).commands).toMatchObject([
      { line1: 'a', quantity: 1, icon: 'hazardy', qrcode: '', sound: '' },
    ]);
    await station.post(PATH, { command: 'kill' });
  });

  test('applies to each element of a bulk request, and to a command in the path', async () => {
    const answer = await station.request('POST', '/api/devices/?strict=1', [
      { deviceid: DEVICE, line1: 'a', sound: 'polka' },
      { deviceid: DEVICE, ...LINES, quantity: 4 },
      { deviceid: DEVICE, statica: 'a' },
    ]);
    expect(answer).toMatchObject({ status: 207, body: [{ status: 400 }, { status: 400 }, { status: 200 }] });
    const address = `/api/${DEVICE}/message/a~b/~/140,c4,1/`;
    expect(await station.request('GET', `${address}?strict=1`)).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/sound' }] },
    });
    expect(await station.request('GET', `${address}?strict=0`)).toMatchObject({
      status: 200,
      body: { warnings: [expect.stringContaining('character 5') as string] },
    });
    await station.post(PATH, { command: 'kill' });
  });

  test('applies when sequences and orders are created', async () => {
    const steps = [{ order: 1, device: DEVICE, quantity: 1, icon: 'mask', qrcode: 'q', sound: '140,c4,1' }];
    const strict = await station.request('POST', '/api/sequence/?strict=1', { sequenceid: 's', steps });
    expect(strict).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/steps/0/qrcode' }, { path: '/steps/0/sound' }] },
    });
    const sequence = await station.post('/api/sequence/', { sequenceid: 's', steps });
    expect(sequence).toMatchObject({
      steps: [{ qrcode: 'q', sound: '140,c4,1' }],
      warnings: [expect.stringMatching(/^\/steps\/0: qrcode/), expect.stringMatching(/^\/steps\/0: The sound/)],
    });
    await station.get('/api/launchsequence/s/');
    expect((await station.device(DEVICE)).commands).toMatchObject([{ quantity: 1, icon: 'hazardy', qrcode: '' }]);
    await station.post(PATH, { command: 'kill' });

    const order = {
      order_number: 'o',
      sound: '140,c4,1',
      items: [{ name: 'M8', ordered_quantity: 1, deviceid: DEVICE }],
    };
    expect(await station.request('POST', '/api/orders/?strict=1', order)).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/sound' }] },
    });
    const created = await station.post('/api/orders/', order);
    expect(created).toMatchObject({ order_number: 'o', warnings: [expect.stringContaining('character 5') as string] });
    await station.post('/api/orders/o/launch/');
    expect((await station.device(DEVICE)).commands).toMatchObject([{ line1: 'M8', sound: '' }]);
    await station.post('/api/orders/o/abort/');
  });
});

test('refuses a barcode that is too long alongside an icon and a QR code, regardless of which one is set last', async () => {
  const long = '1'.repeat(16);
  const parts = { barcode: long, qrcode: 'hello', icon: 'hazardd' };
  for (const last of ['barcode', 'qrcode', 'icon'] as const) {
    await station.post(PATH, { ...NO_STATICS, ...parts, [last]: '' });
    expect((await refused({ [last]: parts[last] })).detail).toMatch(/barcode .* at most 15 characters/);
  }
  await station.post(PATH, { ...NO_STATICS, ...parts, barcode: long.slice(1) });
  expect(await station.device(DEVICE)).toMatchObject({ barcode: long.slice(1), qrcode: 'hello', icon: 'hazardd' });
});

test('an empty string or null clears an element', async () => {
  await station.post(PATH, {
    ...LINES,
    statica: '',
    staticb: '',
    staticc: '',
    quantity: 7,
    icon: 'mask',
    barcode: '1',
  });
  await station.post(PATH, { icon: '', barcode: null, staticd: null, statice: '', quantity: '' });
  expect(await station.device(DEVICE)).toMatchObject({
    ...NOTHING,
    icon: '',
    barcode: '',
    quantity: null,
    arrow: null,
  });
});

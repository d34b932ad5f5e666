import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BulkResult } from '#shared/api/device.ts';
import type { Problem } from '#shared/api/problem.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const PATH = `/api/device/${DEVICE}/`;
const LINES = { statica: 'a', staticb: 'b', staticc: 'c', staticd: 'd', statice: 'e' };
const NOTHING = { statica: '', staticb: '', staticc: '', staticd: '', statice: '' };
const CLEARED = { ...NOTHING, arrow: '', barcode: '', qrcode: '', icon: '', quantity: null };

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

beforeEach(() => station.post(PATH, CLEARED));

afterAll(() => station.stop());

/** Asks for a change that must be refused, and change nothing. */
async function refused(body: unknown): Promise<Problem> {
  const before = await station.device(DEVICE);
  const answer = await station.request('POST', PATH, body);
  expect(answer.status, JSON.stringify(body)).toBe(400);
  expect(await station.device(DEVICE)).toEqual(before);
  return answer.body as Problem;
}

test('a change that makes the screen exceed five elements is refused with all six by name', async () => {
  await station.post(PATH, LINES);
  expect((await refused({ quantity: 5 })).detail).toMatch(/5 elements.*statica.*statice.*quantity/);
  expect((await refused({ barcode: '1', locationoverride: 'B-1' })).detail).toMatch(/statica.*statice.*barcode/);
  expect((await refused({ command: 'static', icon: 'mask' })).detail).toMatch(/statica.*statice.*icon/);
  await station.post(PATH, { staticc: '', quantity: 5 });
  expect(await station.device(DEVICE)).toMatchObject({ staticc: '', quantity: 5 });
});

test('a change that makes a third boxed element is refused with the three by name, and says how to go on', async () => {
  await station.post(PATH, { quantity: 5, icon: 'left' });
  const problem = await refused({ statica: '\\qrhello' });
  expect(problem.detail).toMatch(/quantity, qrcode, arrow/);
  expect(problem.detail).toContain('Clear what is there');
  expect(problem.errors).toMatchObject([{ message: expect.stringContaining('quantity, qrcode, arrow') as string }]);
  expect((await refused({ icon: 'no-smoking' })).detail).toMatch(/quantity, arrow, icon/);
  await station.post(PATH, { quantity: null, icon: 'no-smoking' });
  expect(await station.device(DEVICE)).toMatchObject({ arrow: 'left', icon: 'hazardd', quantity: null });
});

test('codes that are too long beside an icon and another code are refused, whichever of the three comes last', async () => {
  const long = '1'.repeat(16);
  const parts = { barcode: long, qrcode: 'hello', icon: 'hazardd' };
  for (const last of ['barcode', 'qrcode', 'icon'] as const) {
    await station.post(PATH, { ...CLEARED, ...parts, [last]: '' });
    expect((await refused({ [last]: parts[last] })).detail).toMatch(/15 characters.*barcode/);
  }
  await station.post(PATH, { ...CLEARED, ...parts, barcode: long.slice(1) });
  expect(await station.device(DEVICE)).toMatchObject({ barcode: long.slice(1), qrcode: 'hello', icon: 'hazardd' });
});

test('in a bulk request such a change is refused by itself, after those before it', async () => {
  const answer = await station.request('POST', '/api/devices/', [
    { deviceid: DEVICE, quantity: 1 },
    { deviceid: DEVICE, arrow: 'left' },
    { deviceid: DEVICE, qrcode: 'x' },
    { deviceid: DEVICE, statica: 'a' },
  ]);
  expect(answer.status).toBe(207);
  expect((answer.body as BulkResult[]).map(({ status }) => status)).toEqual([200, 200, 400, 200]);
  expect(await station.device(DEVICE)).toMatchObject({ quantity: 1, arrow: 'left', qrcode: '', statica: 'a' });
});

test('an empty string or null clears each of them', async () => {
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

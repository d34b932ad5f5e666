import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BulkResult } from '#shared/api/device.ts';
import type { Problem } from '#shared/api/problem.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 4: the answer lists all errors of a request in `errors`.
const DEVICE = '51D000:000001';
const WRONG = { quantity: -1, color: 'nope', arrow: 'nope' };
const PATHS = ['/arrow', '/color', '/quantity'];

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterAll(() => station.stop());

async function faults(method: string, path: string, body: unknown): Promise<string[]> {
  const answer = await station.request(method, path, body);
  expect(answer, path).toMatchObject({ status: 400, body: { code: 'invalid' } });
  return (answer.body as Problem).errors?.map((error) => error.path).toSorted() ?? [];
}

test.each([
  ['statics', {}],
  ['a command', { line1: 'x' }],
  ['lines as statics', { command: 'static', line1: 'x' }],
])('reports all errors in %s, whether the schema or other checks find them', async (_, more) => {
  const body = { ...WRONG, ...more };
  expect(await faults('POST', `/api/device/${DEVICE}/`, body)).toEqual(PATHS);
  expect(await faults('PUT', `/api/device/${DEVICE}/`, body)).toEqual(PATHS);
  expect(await faults('POST', '/api/devices/', { deviceid: DEVICE, ...body })).toEqual(PATHS);
  expect(await faults('POST', '/api/preview/', body)).toEqual(PATHS);
  expect(await faults('POST', '/api/devices/', body)).toEqual(['', ...PATHS]);
  expect(await faults('POST', `/api/device/${DEVICE}/?strict=1`, { ...body, seconds: -1 })).toEqual([
    ...PATHS,
    '/seconds',
  ]);
});

test('reports all errors in each element of a bulk request', async () => {
  const answer = await station.request('POST', '/api/devices/', [
    { deviceid: DEVICE, ...WRONG },
    { deviceid: DEVICE, quantity: 'many', staticb: '\\icnope', barcode: 'ä' },
    { quantity: -1 },
    { deviceid: DEVICE, statica: 'fine' },
  ]);
  expect(answer.status).toBe(207);
  const results = answer.body as BulkResult[];
  expect(results.map(({ status }) => status)).toEqual([400, 400, 400, 200]);
  expect(results.map(({ errors = [] }) => errors.map(({ path }) => path).toSorted())).toEqual([
    PATHS,
    ['/barcode', '/quantity', '/staticb'],
    ['', '/quantity'],
    [],
  ]);
  expect(results[0]?.deviceid).toBe(DEVICE);
});

test('reports the errors in several query parameters', async () => {
  expect(await faults('GET', `/api/${DEVICE}/message/x~%5cicnope/~/none/99999999999nope/`, undefined)).toEqual([
    '/color',
    '/line2',
    '/seconds',
  ]);
});

test('reports all errors in every step of a sequence', async () => {
  const steps = [
    { order: 1, device: DEVICE, ...WRONG },
    { order: 'first', device: DEVICE, color: 'nope', icon: 'nope' },
    { order: 2, device: 'shelf', line1: 'x', arrow: 'nope' },
    { order: 3, device: DEVICE, line1: 'x' },
  ];
  const wanted = [
    '/steps/0/arrow',
    '/steps/0/color',
    '/steps/0/quantity',
    '/steps/1/color',
    '/steps/1/icon',
    '/steps/1/order',
    '/steps/2/arrow',
    '/steps/2/device',
  ];
  expect(await faults('POST', '/api/sequence/', { sequenceid: 's', steps })).toEqual(wanted);
  expect(await faults('POST', '/api/sequence/', { steps })).toEqual(['/sequenceid', ...wanted]);
  expect(await faults('PUT', '/api/sequence/s/', { steps })).toEqual(wanted);
});

test('reports the errors in an order and in all its items', async () => {
  const order = { order_number: 'o', color: 'nope', seconds: -1, items: [{ ordered_quantity: -1 }, { name: 'x' }] };
  expect(await faults('POST', '/api/orders/', order)).toEqual([
    '/color',
    '/items/0',
    '/items/0/ordered_quantity',
    '/items/1/ordered_quantity',
    '/seconds',
  ]);
});

test('reports all errors in a settings change', async () => {
  const change = { default_color: 'nope', default_seconds: -1, no_such: 1 };
  expect(await faults('PATCH', '/api/settings/', change)).toEqual(['/default_color', '/default_seconds', '/no_such']);
});

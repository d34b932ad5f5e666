import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BulkResult } from '#shared/api/device.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 10, refreshMs: 0 });
});

afterEach(() => station.stop());

async function bulk(elements: unknown[]): Promise<{ status: number; results: BulkResult[] }> {
  const answer = await station.request('POST', '/api/devices/', elements);
  await station.clock.advance(0);
  return { status: answer.status, results: answer.body as BulkResult[] };
}

test('answers an object with an object, and an array with an array in the same order', async () => {
  expect(await station.post('/api/devices/', { deviceid: ONE, line1: 'x' })).toMatchObject({
    deviceid: ONE,
    state: 'queued',
  });
  const { status, results } = await bulk([
    { deviceid: TWO, line1: 'x', nonce: 'a' },
    { deviceid: ONE, command: 'kill' },
    { deviceid: ONE, statica: 'y', quantity: 4 },
  ]);
  expect(status).toBe(200);
  expect(results).toEqual([
    {
      status: 200,
      deviceid: TWO,
      command_id: expect.any(String) as string,
      state: 'queued',
      delivery: 'queued',
      warnings: [],
    },
    { status: 200, deviceid: ONE, killed: 1, warnings: [] },
    { status: 200, deviceid: ONE, updated: ['statica', 'quantity'], warnings: [] },
  ]);
});

test('warns if an element replaces another element in the same call, but not if it replaces one from an earlier call', async () => {
  const line = { deviceid: ONE, line1: 'x' };
  const elements = [{ ...line, nonce: 'a' }, { ...line, line1: 'y', nonce: 'a' }, line, line, { ...line, line1: 'z' }];
  const warned = async () => (await bulk(elements)).results.map(({ warnings }) => warnings);
  const replaces = (index: number) => [
    `This replaces element ${index} of the same call, which has the same place and nonce. Give each its own nonce to light both.`,
  ];
  expect(await warned()).toEqual([[], replaces(0), [], replaces(2), []]);
  expect((await station.device(ONE)).commands).toHaveLength(3);
  expect(await warned()).toEqual([[], replaces(0), [], replaces(2), []]);
});

test('an invalid element changes the status to 207, and the other elements take effect', async () => {
  const { status, results } = await bulk([
    { deviceid: ONE, line1: 'x' },
    { deviceid: 'FFFFFF:FFFFFF', line1: 'x' },
    { location: 'nowhere', line1: 'x' },
    { deviceid: ONE, command: 'blink' },
    { deviceid: ONE, seconds: 'soon', line1: 'x' },
    { line1: 'x' },
    {},
    null,
    7,
    'text',
    [],
    [{ deviceid: ONE, line1: 'nested' }],
    { deviceid: ['x'], line1: 'x' },
    { deviceid: TWO, statica: 'y' },
  ]);
  expect(status).toBe(207);
  expect(results.map((result) => result.status)).toEqual([
    200, 404, 404, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 200,
  ]);
  expect(results[1]).toMatchObject({
    deviceid: 'FFFFFF:FFFFFF',
    code: 'not_found',
    detail: expect.any(String) as string,
  });
  expect(results[3]).toMatchObject({ deviceid: ONE, code: 'invalid', errors: [{ path: '/command' }] });
  expect(results[4]).toMatchObject({ deviceid: ONE, code: 'invalid', errors: [{ path: '/seconds' }] });
  for (const result of results) expect(typeof result.deviceid).toBe('string');
  expect((await station.device(ONE)).commands).toHaveLength(1);
  expect(await station.device(TWO)).toMatchObject({ statica: 'y' });
});

test('answers 207 to an array with only invalid elements, and 200 to an empty array', async () => {
  expect(await bulk([{ command: 'blink' }])).toMatchObject({ status: 207, results: [{ status: 400 }] });
  expect(await bulk([])).toEqual({ status: 200, results: [] });
});

test('applies the elements in order', async () => {
  await bulk([
    { deviceid: ONE, line1: 'a', nonce: 'a' },
    { deviceid: ONE, line1: 'b', nonce: 'b' },
    { deviceid: ONE, command: 'kill', nonce: 'a' },
    { deviceid: ONE, line1: 'c', nonce: 'c' },
    { deviceid: ONE, line1: 'b again', nonce: 'b' },
    { deviceid: TWO, locationoverride: 'Shelf 7' },
    { location: 'shelf 7', line1: 'by its new label' },
  ]);
  expect((await station.device(ONE)).commands.map(({ line1 }) => line1)).toEqual(['b again', 'c']);
  expect((await station.device(TWO)).commands.map(({ line1 }) => line1)).toEqual(['by its new label']);
});

test('a thousand mixed elements are written in one commit', async () => {
  const elements = Array.from({ length: 1_000 }, (_, index) => {
    const deviceid = `51D000:${String((index % 10) + 1).padStart(6, '0')}`;
    switch (index % 4) {
      case 0:
        return { deviceid, line1: `M${index}`, nonce: `n${index}` };
      case 1:
        return { deviceid, statica: `S${index}` };
      case 2:
        return { deviceid, command: 'kill', nonce: 'nobody' };
      default:
        return { deviceid: 'FFFFFF:FFFFFF', line1: 'x' };
    }
  });
  await station.clock.advance(1_000);
  const before = station.started.commits();
  const revisions = () => station.rows<{ revision: number; facts: string }>('SELECT * FROM commits ORDER BY revision');
  const known = revisions().length;
  // The clock does not advance, so shows are not sent yet. Only a few reports can be committed besides the bulk request.
  const answer = await station.request('POST', '/api/devices/', elements);
  expect(answer.status).toBe(207);
  const results = answer.body as BulkResult[];
  expect(results).toHaveLength(1_000);
  for (const [index, result] of results.entries()) {
    expect(result.status).toBe(index % 4 === 3 ? 404 : 200);
    if (index % 4 === 2) expect(result.killed).toBe(0);
  }
  const [bulkCommit] = revisions().slice(known);
  const facts = JSON.parse(bulkCommit?.facts ?? '[]') as { type: string }[];
  expect(facts.filter(({ type }) => type === 'command.queued')).toHaveLength(250);
  expect(facts.filter(({ type }) => type === 'device.changed')).toHaveLength(250);
  // These are the commit of the bulk request, and commits of reports that the turbo sent before the answer.
  expect(station.started.commits() - before).toBeLessThanOrEqual(3);
});

test('refuses a body that is neither an object nor an array', async () => {
  for (const body of ['null', '7', '"x"', 'true']) {
    const answer = await station.request('POST', '/api/devices/', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid', status: 400 } });
    expect((answer.body as { detail: string }).detail).toMatch(/array|object/);
  }
});

test('accepts up to 4 MiB and refuses more', async () => {
  const padding = (bytes: number) => `[{"deviceid":"${ONE}","line1":"x"}${' '.repeat(bytes - 43)}]`;
  const fits = padding(4 * 1024 * 1024);
  expect(Buffer.byteLength(fits)).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect((await station.request('POST', '/api/devices/', fits)).status).toBe(200);
  const over = await station.request('POST', '/api/devices/', padding(4 * 1024 * 1024 + 100));
  expect(over).toMatchObject({ status: 413, body: { code: 'too_large' } });
  expect((over.body as { detail: string }).detail).toContain('4 MiB');
});

test('accepts 1,000 requests in a call, and refuses a larger call as a whole', async () => {
  const requests = (count: number) => Array.from({ length: count }, () => ({ deviceid: ONE, statica: String(count) }));
  expect((await bulk(requests(1_000))).results).toHaveLength(1_000);
  for (const method of ['POST', 'PUT']) {
    expect(await station.request(method, '/api/devices/', requests(1_001))).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringContaining('at most 1,000 of them. Split a longer one into several calls.') as string,
      },
    });
  }
  expect(await station.device(ONE)).toMatchObject({ statica: '1000' });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import type { LoggedExchange, LoggedRequest } from '#shared/api/requestLog.ts';
import { rawConnection, rawRequest, type RawConnection } from '../../helpers/servers/rawHttp.ts';
import { openSession } from '../../helpers/session.ts';
import { API_KEY, START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const COMMAND = { line1: 'Cable tie 200', quantity: 12 };

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1 });
});

afterEach(() => station.stop());

const list = (query = '') => station.get<LoggedRequest[]>(`/api/requests/${query}`);
const get = ({ id }: { id: string }) => station.get<LoggedExchange>(`/api/requests/${id}/`);

/** Returns the latest request. Throws if there is none. */
async function newest(): Promise<LoggedExchange> {
  const [found] = await list('?limit=1');
  if (found === undefined) throw new Error('There is no request in the log.');
  return get(found);
}

const addProgram = (name: string, scope: string) => station.post<ApiUserSecrets>('/api/api-users/', { name, scope });

test('a request is logged with its sender, body and answer', async () => {
  const { api_key: key } = await addProgram('ERP', 'control');
  await station.clock.advance(5_000);
  const answer = await station.request('POST', `/api/device/${DEVICE}/?_=1`, COMMAND, {
    'api-key': key,
    'content-type': 'application/json',
    'user-agent': 'erp/1.0',
    accept: 'application/json',
  });
  const sent = JSON.stringify(COMMAND);
  expect(await newest()).toEqual({
    id: expect.stringMatching(/^\d{13}$/),
    at: new Date(START_MS + 5_000).toISOString(),
    method: 'POST',
    path: `/api/device/${DEVICE}/?_=1`,
    by: 'ERP',
    credential: 'key',
    address: '127.0.0.1',
    status: 200,
    code: '',
    ms: 0,
    request_bytes: sent.length,
    answer_bytes: JSON.stringify(answer.body).length,
    user_agent: 'erp/1.0',
    accept: 'application/json',
    request: { content_type: 'application/json', bytes: sent.length, kept: 'whole', text: sent },
    answer: {
      content_type: 'application/json; charset=utf-8',
      bytes: JSON.stringify(answer.body).length,
      kept: 'whole',
      text: JSON.stringify(answer.body),
    },
  });
});

/** Sends a request without the end of its body. */
async function begun(): Promise<RawConnection> {
  const connection = await rawConnection(station.url);
  const { host } = new URL(station.url);
  connection.write(
    `POST /api/device/${DEVICE}/ HTTP/1.1\r\nhost: ${host}\r\napi-key: ${API_KEY}\r\ncontent-type: application/json\r\ncontent-length: 13\r\nexpect: 100-continue\r\n\r\n{"line1"`,
  );
  await connection.until('100 Continue');
  return connection;
}

test('measures the duration in milliseconds, from the request line to the end of the answer', async () => {
  const connection = await begun();
  await station.clock.advance(250);
  connection.write(':"x"}');
  await connection.until('"command_id"');
  expect(await newest()).toMatchObject({ ms: 250, status: 200, request: { text: '{"line1":"x"}' } });
  connection.destroy();
});

test('requests for the log, the event stream, the health check and pages are not logged', async () => {
  const before = await list();
  await list('?limit=5');
  await station.request('GET', '/api/requests/nothing/');
  await station.request('GET', '/healthz');
  await station.request('GET', '/');
  await station.request('GET', '/docs/');
  await station.request('HEAD', '/api/events/');
  expect(await list()).toEqual(before);
});

test('all kinds of refusals are logged, with the refused caller if known', async () => {
  const { api_key: key } = await addProgram('Shelf', 'read');
  const json = { 'content-type': 'application/json' };
  await station.request('POST', `/api/device/${DEVICE}/`, COMMAND, json);
  await station.request('POST', `/api/device/${DEVICE}/`, COMMAND, { ...json, 'api-key': key });
  await station.request('GET', '/api/nothing/');
  await station.request('GET', '/api/device');
  await station.request('POST', `/api/device/${DEVICE}/`, { seconds: -1, line1: 'x' });
  await rawRequest(station.url, { path: '/api/device/', headers: { host: 'shop.example', 'api-key': API_KEY } });
  const told = (await list('?status=failed')).map(({ status, code, by, credential }) => [status, code, by, credential]);
  expect(told).toEqual([
    [421, 'foreign_host', '', 'none'],
    [400, 'invalid', 'API key', 'key'],
    [404, 'missing_trailing_slash', '', 'none'],
    [404, 'not_found', '', 'none'],
    [403, 'forbidden', 'Shelf', 'key'],
    [401, 'unauthenticated', '', 'none'],
  ]);
  const [, , , , forbidden] = await list('?status=4xx');
  // The station does not read the body of a caller without the right, so the log has no text.
  expect((await get(forbidden ?? { id: '' })).request).toMatchObject({ kept: 'unread', text: null, bytes: 39 });
});

test('the list can be filtered by status, person, path and kind of sender, and is paged', async () => {
  const session = await openSession(station);
  await station.request('GET', '/api/map/', undefined, session.cookies);
  await station.request('GET', '/api/turbo/X/');
  await station.request('GET', '/api/turbo/');
  const paths = async (query: string) => (await list(query)).map(({ path }) => path);
  expect(await paths('?limit=3')).toEqual(['/api/turbo/', '/api/turbo/X/', '/api/map/']);
  expect(await paths('?status=4xx')).toEqual(['/api/turbo/X/']);
  expect(await paths('?status=5xx')).toEqual([]);
  expect(await paths('?by=Admin&status=2xx')).toEqual(['/api/map/']);
  expect(await paths('?path=/TURBO/')).toEqual(['/api/turbo/', '/api/turbo/X/']);
  expect(await paths('?from=window')).toEqual(['/api/map/']);
  expect(await paths('?from=programs&limit=2')).toEqual(['/api/turbo/', '/api/turbo/X/']);
  const [first, second] = await list('?limit=2');
  expect(await list(`?limit=1&after=${first?.id}`)).toEqual([second]);
  expect(await list('?after=0')).toEqual([]);
});

test('keeps the beginning of a long body, and records its full length', async () => {
  await station.request('POST', '/api/devices/', [
    { deviceid: DEVICE, line1: 'x' },
    { deviceid: DEVICE, memo: 'ü'.repeat(20_000) },
  ]);
  const { request } = await newest();
  expect(request).toMatchObject({ kept: 'cut', bytes: 40_000 + 81 });
  expect(request.text).toHaveLength(16_384);
});

test.each([
  ['a body', '{"line1":"ü"}', 14],
  ['an invalid body', '{"line1":"ü"', 13],
])('%s sent in chunks is logged with its size', async (_, text, bytes) => {
  await fetch(new URL(`/api/device/${DEVICE}/`, station.url), {
    method: 'POST',
    headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
    body: new Blob([text]).stream(),
    duplex: 'half',
  });
  expect((await newest()).request).toMatchObject({ kept: 'whole', bytes, text });
});

test('a picture is described instead of stored, and an answer without a body has none in the log', async () => {
  await station.request('GET', `/api/device/${DEVICE}/screen/`);
  const picture = await newest();
  expect(picture.answer).toMatchObject({ content_type: 'image/png', kept: 'file', text: null });
  expect(picture.answer.bytes).toBeGreaterThan(100);
  await station.request('HEAD', `/api/device/${DEVICE}/screen/`);
  expect((await newest()).answer).toMatchObject({ kept: 'none', text: null });
});

test('the request of a caller that disconnects is logged without an answer', async () => {
  const connection = await begun();
  connection.destroy();
  while ((await list('?path=/api/device/')).length === 0) await station.get('/healthz');
  expect(await newest()).toMatchObject({ by: 'API key', status: null, request: { kept: 'unread', bytes: 13 } });
});

test('turning the log off stops logging and deletes all entries', async () => {
  const [known] = await list();
  await station.patch('/api/settings/', { request_log: false });
  await station.get('/api/map/');
  expect(await list()).toEqual([]);
  expect((await station.request('GET', `/api/requests/${known?.id}/`)).status).toBe(404);
  await station.patch('/api/settings/', { request_log: true });
  // The request that turns the log on is not logged, because it began earlier.
  await station.get('/api/map/');
  expect((await list()).map(({ path }) => path)).toEqual(['/api/map/']);
});

test('a restart empties the log, and ids continue to increase', async () => {
  await station.get('/api/map/');
  const [before] = await list();
  await station.clock.advance(60_000);
  await station.restart();
  await station.get('/api/map/');
  const after = await list();
  expect(after).toHaveLength(1);
  expect(Number(after[0]?.id)).toBeGreaterThan(Number(before?.id));
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOrder, anItem, launch, ONE, orderPath, press } from '../helpers/orders.ts';
import { API_KEY, startTestStation, type Answer, type TestStation } from '../helpers/startTestStation.ts';

// Contract, section 2: callers can avoid overwriting other people's changes, and reading an unchanged answer again.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
});

afterEach(() => station.stop());

const ask = (method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> =>
  station.request(method, path, body, {
    'api-key': API_KEY,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  });
const tagOf = ({ headers }: Answer) => headers.get('etag') ?? '';
const read = async (path: string) => tagOf(await ask('GET', path, {}));
const changeIf = (path: string, tag: string, body: object, method = 'PATCH') =>
  ask(method, path, { 'if-match': tag }, body);

test('a GET with the current tag is answered 304 until something changes', async () => {
  await addOrder(station, 'SO/1', [anItem()]);
  const path = orderPath('SO/1');
  const tag = await read(path);
  expect(tag).toMatch(/^"[\w-]+"$/);
  for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const answer = await ask('GET', path, { 'if-none-match': header });
    expect(answer.status, header).toBe(304);
    expect(tagOf(answer)).toBe(tag);
  }
  expect((await ask('GET', path, { 'if-none-match': '"x"' })).status).toBe(200);
  await launch(station, 'SO/1');
  await press(station, ONE);
  const answer = await ask('GET', path, { 'if-none-match': tag });
  expect(answer).toMatchObject({ status: 200, body: { state: 'fulfilled' } });
  expect(tagOf(answer)).not.toBe(tag);
  for (const other of ['/api/settings/', '/api/map/']) {
    expect((await ask('GET', other, { 'if-none-match': await read(other) })).status, other).toBe(304);
  }
});

test('a change of an order is refused only if its own fields have changed since', async () => {
  await addOrder(station, '1', [anItem()], { customer: 'Miller' });
  const path = orderPath('1');
  const first = await read(path);
  await launch(station, '1');
  // The launch changed the order, but not its priority.
  const second = await changeIf(path, first, { priority: 2 });
  expect(second).toMatchObject({ status: 200, body: { priority: 2 } });
  expect(tagOf(second)).toBe(await read(path));
  expect((await changeIf(path, first, { note: 'fragile' })).status).toBe(200);
  expect(await changeIf(path, first, { priority: 3, customer: 'Smith' })).toMatchObject({
    status: 412,
    body: {
      code: 'changed',
      detail: expect.stringContaining('Changed since you read it: priority. Nothing was done.'),
      errors: [{ path: '/priority' }],
    },
  });
  expect(await station.get(path)).toMatchObject({ priority: 2, customer: 'Miller' });
  for (const header of ['"x"', 'x', '""'])
    expect((await changeIf(path, header, { color: 'r' })).status, header).toBe(412);
  expect((await changeIf(path, '*', { priority: 4 })).status).toBe(200);
  expect((await changeIf(path, `"x", ${await read(path)}`, { priority: 6 })).status).toBe(200);
  expect((await station.request('PATCH', path, { priority: 5 })).status).toBe(200);
});

test('two people can change different settings, but the second change of the same setting is refused', async () => {
  const tag = await read('/api/settings/');
  const first = await changeIf('/api/settings/', tag, { order_days: 5, callback_families: { device: false } });
  expect(first.status).toBe(200);
  expect(tagOf(first)).toBe(await read('/api/settings/'));
  expect((await changeIf('/api/settings/', tag, { history_days: 500 })).status).toBe(200);
  for (const change of [{ order_days: 6 }, { callback_families: { order: false } }]) {
    expect(await changeIf('/api/settings/', tag, change)).toMatchObject({ status: 412, body: { code: 'changed' } });
  }
  const now = await read('/api/settings/');
  await station.patch('/api/settings/', { callback_api_key: 'secret' });
  expect((await changeIf('/api/settings/', now, { callback_api_key: 'another' })).status).toBe(412);
  await station.restart();
  expect((await changeIf('/api/settings/', await read('/api/settings/'), { order_days: 7 })).status).toBe(200);
  expect(await station.get('/api/settings/')).toMatchObject({ order_days: 7, history_days: 500 });
});

test('a map is not replaced if somebody else has changed it', async () => {
  const rack = { name: 'A', columns: 2, shelves: [{ name: 'A-1' }] };
  const tag = await read('/api/map/');
  const first = await changeIf('/api/map/', tag, { racks: [rack], places: [] }, 'PUT');
  expect(first.status).toBe(200);
  expect(await changeIf('/api/map/', tag, { racks: [], places: [] }, 'PUT')).toMatchObject({
    status: 412,
    body: { detail: expect.stringContaining('racks') },
  });
  expect(await station.get('/api/map/')).toMatchObject({ racks: [{ name: 'A' }] });
  expect((await changeIf('/api/map/', tagOf(first), { racks: [], places: [] }, 'PUT')).status).toBe(200);
});

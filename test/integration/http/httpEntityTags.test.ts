import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOrder, anItem, launch, ONE, orderPath, press } from '../../helpers/orders.ts';
import { API_KEY, startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 2: with entity tags, callers avoid overwriting changes by others and downloading unchanged answers again.
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

test('a GET with the current entity tag is answered 304 until something changes', async () => {
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
  for (const other of [
    '/api/settings/',
    '/api/map/',
    '/api/orders/',
    '/api/order-progress/?limit=1',
    '/api/device/',
    '/api/location-aliases/',
    '/api/sequence/',
    '/api/sequence-progress/',
    '/api/work/',
    '/api/pickers/',
  ]) {
    expect((await ask('GET', other, { 'if-none-match': await read(other) })).status, other).toBe(304);
  }
});

test('a change to an order is refused only if the same fields have changed since', async () => {
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

test('the tag of a list changes when one of its elements changes', async () => {
  await addOrder(station, '1', [anItem()]);
  const lists = ['/api/orders/', '/api/order-progress/'];
  const before = await Promise.all(lists.map(read));
  await station.patch(orderPath('1'), { priority: 3 });
  for (const [index, path] of lists.entries()) {
    const answer = await ask('GET', path, { 'if-none-match': before[index] ?? '' });
    expect([answer.status, answer.body], path).toMatchObject([200, [{ priority: 3 }]]);
  }
});

test('JSON and XML have different tags, and a change can be based on either tag', async () => {
  await addOrder(station, '1', [anItem()]);
  const path = orderPath('1');
  const json = await read(path);
  const xml = tagOf(await ask('GET', path, { accept: 'application/xml' }));
  expect(xml).not.toBe(json);
  expect((await ask('GET', path, { accept: 'application/xml', 'if-none-match': json })).status).toBe(200);
  expect((await ask('GET', path, { accept: 'application/xml', 'if-none-match': xml })).status).toBe(304);
  expect((await changeIf(path, xml, { priority: 2 })).status).toBe(200);
  expect((await changeIf(path, xml, { priority: 3 })).status).toBe(412);
});

test('a large order has the same tag in the answers to a read and to a change', async () => {
  await addOrder(
    station,
    '1',
    Array.from({ length: 1_000 }, (_, index) => anItem({ SKU: `S-${index}` })),
  );
  const path = orderPath('1');
  const changed = await changeIf(path, await read(path), { priority: 2 });
  expect([changed.status, tagOf(changed)]).toEqual([200, await read(path)]);
});

test('refuses a change to a rack or zone if somebody else has changed the same field', async () => {
  const { body: rack } = await station.request('POST', '/api/map/racks/', { name: 'A', shelves: ['A-1'] });
  const { body: zone } = await station.request('POST', '/api/map/zones/', { name: 'Cold' });
  for (const [path, other] of [
    [`/api/map/racks/${(rack as { id: string }).id}/`, { note: 'Beside the door' }],
    [`/api/map/zones/${(zone as { id: string }).id}/`, { racks: [(rack as { id: string }).id] }],
  ] as const) {
    const tag = await read(path);
    expect((await ask('GET', path, { 'if-none-match': tag })).status).toBe(304);
    const first = await changeIf(path, tag, { name: 'B' });
    expect([first.status, tagOf(first)]).toEqual([200, await read(path)]);
    expect((await changeIf(path, tag, other)).status).toBe(200);
    expect(await changeIf(path, tag, { name: 'C' })).toMatchObject({ status: 412, body: { code: 'changed' } });
    expect(await station.get(path)).toMatchObject({ name: 'B', ...other });
  }
  for (const kind of ['racks', 'zones']) expect((await ask('GET', `/api/map/${kind}/x/`, {})).status).toBe(404);
});

test('two people can change different settings, but a second change to the same setting is refused', async () => {
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
  const set = await read('/api/settings/');
  expect(await read('/api/settings/')).toBe(set);
  await station.patch('/api/settings/', { callback_api_key: 'third', callback_headers: { 'x-token': 'one' } });
  const shown = await read('/api/settings/');
  expect((await changeIf('/api/settings/', set, { callback_api_key: 'another' })).status).toBe(412);
  await station.patch('/api/settings/', { callback_headers: { 'x-token': 'two' } });
  expect((await changeIf('/api/settings/', shown, { callback_headers: { 'x-token': 'three' } })).status).toBe(412);
  expect((await changeIf('/api/settings/', shown, { callback_api_key: 'fourth' })).status).toBe(200);
  await station.restart();
  expect((await changeIf('/api/settings/', await read('/api/settings/'), { order_days: 7 })).status).toBe(200);
  expect(await station.get('/api/settings/')).toMatchObject({ order_days: 7, history_days: 500 });
});

test('refuses to replace a map that somebody else has changed', async () => {
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

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import type { FoundThing } from '#shared/api/find.ts';
import { addOrder, anItem, orderPath } from '../../helpers/orders.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Customers are found by people and programs that may work with their orders.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterEach(() => station.stop());

async function find(q: string, headers: Record<string, string> = { 'api-key': API_KEY }): Promise<FoundThing[]> {
  const { status, body } = await station.request('GET', `/api/find/?q=${encodeURIComponent(q)}`, undefined, headers);
  expect(status).toBe(200);
  return body as FoundThing[];
}

const numbers = async (q: string) => (await find(q)).flatMap(({ order_number: number }) => number ?? []);
const ADDRESS = { lines: ['Eulenweg 7'], postcode: '04107', city: 'Leipzig' };

test('an order is found by its customer, by the name and city of its address, and by its note', async () => {
  await addOrder(station, 'SO-1', [anItem()], { customer: 'Miller Ltd', note: 'Gift: birthday card' });
  await addOrder(station, 'SO-2', [anItem()], { address: { name: 'Erika Müller', ...ADDRESS } });
  const customer = { kind: 'order', order_number: 'SO-1', text: 'SO-1', customer: 'Miller Ltd' };
  expect(await find('miller')).toEqual([{ ...customer, matched: 'customer' }]);
  expect(await find('birthday')).toEqual([{ ...customer, matched: 'note', note: 'Gift: birthday card' }]);
  for (const q of ['erika', 'müller', 'leipzig', '04107'])
    expect(await find(q), q).toMatchObject([
      { kind: 'order', order_number: 'SO-2', customer: 'Erika Müller, 04107 Leipzig', matched: 'customer' },
    ]);
  expect(await find('SO-2')).toMatchObject([{ kind: 'order', matched: 'order_number' }]);
});

test('a changed customer is found instead of the former one, and a removed one no longer', async () => {
  await addOrder(station, 'SO-1', [anItem()], { customer: 'Miller' });
  expect(await numbers('miller')).toEqual(['SO-1']);
  await station.request('PATCH', orderPath('SO-1'), { customer: 'Baker', address: ADDRESS });
  expect(await numbers('miller')).toEqual([]);
  expect(await numbers('baker')).toEqual(['SO-1']);
  expect(await numbers('leipzig')).toEqual(['SO-1']);
  await station.request('PATCH', orderPath('SO-1'), { address: null });
  expect(await numbers('leipzig')).toEqual([]);
  await station.request('PATCH', '/api/settings/', { history_customer_days: 1 });
  await station.post(orderPath('SO-1', 'abort/'));
  for (let day = 0; day < 3; day += 1) await station.clock.advance(86_400_000);
  await addOrder(station, 'SO-2', [anItem()]);
  await station.post(orderPath('SO-2', 'abort/'));
  await station.clock.advance(7_300_000);
  expect(await numbers('baker')).toEqual([]);
  await addOrder(station, 'SO-3', [anItem()], { customer: 'Cooper' });
  expect(await numbers('cooper')).toEqual(['SO-3']);
  await station.request('DELETE', orderPath('SO-3'));
  expect(await numbers('cooper')).toEqual([]);
});

test('keys with the scope read find no customers; keys with the scope control and pickers do', async () => {
  await addOrder(station, 'SO-1', [anItem()], { customer: 'Miller', note: 'Fragile', address: ADDRESS });
  const keyOf = async (scope: string) => ({
    'api-key': (await station.post<ApiUserSecrets>('/api/api-users/', { name: scope, scope })).api_key,
  });
  const read = await keyOf('read');
  for (const q of ['miller', 'fragile', 'leipzig']) expect(await find(q, read), q).toEqual([]);
  expect(await find('SO-1', read)).toEqual([
    { kind: 'order', order_number: 'SO-1', text: 'SO-1', matched: 'order_number' },
  ]);
  expect(await find('miller', await keyOf('control'))).toHaveLength(1);
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  const login = await station.request('POST', '/api/user/login/', { username: 'Anna', password: 'long enough' });
  expect(await find('miller', { 'api-key': (login.body as { apikey: string }).apikey })).toHaveLength(1);
});

test('neither what was searched nor what was found is in the log of requests', async () => {
  await addOrder(station, 'SO-1', [anItem()], { customer: 'Miller', note: 'Miller is fragile' });
  await find('Miller');
  await station.request('GET', '/api/articles/?q=Miller');
  const paths: string[] = [];
  for (const { id, path } of await station.get<{ id: string; path: string }[]>('/api/requests/')) {
    paths.push(path);
    expect(JSON.stringify(await station.get(`/api/requests/${id}/`))).not.toMatch(/miller/i);
  }
  expect(paths).toContain('/api/find/?q=…');
  expect(paths).toContain('/api/articles/?q=…');
  expect(JSON.stringify(station.logged)).not.toMatch(/miller/i);
});

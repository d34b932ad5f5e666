import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { Task } from '#shared/api/task.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { CARTS } from '../../mistakes/carts.ts';
import { GOODS, LABELS } from '../../mistakes/goods.ts';
import { CART_OF, ONE, TWO, item, order, type Mistake } from '../../mistakes/mistake.ts';
import { sendMistake } from '../../mistakes/sendMistake.ts';

// Contract, sections 2, 20, 21 and 22: the answer to an erroneous request about goods and carts never looks like a success.

let station: TestStation;
/** Ids to which requests refer by names in braces. */
const ids = new Map<string, number>();

beforeAll(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.post(`/api/device/${TWO}/`, { locationoverride: 'B-1' });
  await station.post(`/api/device/${CART_OF.labeled}/`, { locationoverride: 'C-1' });
  await station.post('/api/location-aliases/', { name: 'A-1', deviceid: ONE, deviceIs: 'Below' });
  await station.post('/api/orders/', order({ order_number: 'E-3', key: 'mistake-1' }));
  await station.post('/api/articles/', {
    sku: 'G-1',
    name: 'Bolt',
    barcodes: [{ code: '4006381333900' }],
    places: [{ location: 'B-1', on_hand: 10, minimum: 2, maximum: 20 }, { location: 'Reserve' }],
  });
  await station.post('/api/articles/', { sku: 'G-2', places: [{ location: 'B-1', on_hand: 3 }] });
  await station.post('/api/articles/', {
    sku: 'G-3',
    places: [{ location: 'D-1', on_hand: 1, minimum: 2, maximum: 9 }],
  });
  await station.post('/api/stock/left/', { sku: 'G-2', location: 'B-1', some_left: true });
  for (const task of await station.get<Task[]>('/api/tasks/?state=open')) ids.set(task.kind, task.id);
  for (const [kind, csv] of [
    ['orders', 'order_number;SKU;ordered_quantity\nI-1;x;1'],
    ['articles', 'sku;name\nI-2;x'],
  ]) {
    const preview = await station.post<{ id: number }>('/api/imports/', { kind, csv, dry_run: true });
    ids.set(kind ?? '', preview.id);
  }
  const slots = [{ slot: 'A1', code: 'CART-1-A1' }];
  const cart = { name: 'Cart 1', code: 'CART-1', rows: 2, columns: 2, slots };
  const { id } = await station.post<{ id: number }>('/api/carts/', cart);
  for (const number of ['C-1', 'C-2', 'C-3']) {
    const placed = item({ deviceid: null, warehouse_location: 'A-1' });
    await station.post('/api/orders/', order({ order_number: number }, placed));
  }
  const loaded = { mode: 'cart', cart: id, slots: [{ order_number: 'C-1' }] };
  ids.set('batch', (await station.post<Batch>('/api/batches/', loaded)).id);
  const other = await station.post<{ id: number }>('/api/carts/', { name: 'Empty', rows: 1, columns: 1 });
  ids.set('empty', (await station.post<Batch>('/api/batches/', { mode: 'cart', cart: other.id })).id);
});

afterAll(() => station.stop());

async function readCarriers(): Promise<void> {
  for (const kind of ['carts', 'walls']) {
    for (const { id, name } of await station.get<{ id: number; name: string }[]>(`/api/${kind}/`)) ids.set(name, id);
  }
}

const fill = (text: string): string => {
  const inBody = text.replace(/"\{([\w ]+)\}"/g, (whole, name: string) => String(ids.get(name) ?? whole));
  return inBody.replace(/\{([\w ]+)\}/g, (whole, name: string) => String(ids.get(name) ?? whole));
};

const ALL: readonly Mistake[] = [...GOODS, ...LABELS, ...CARTS];

test.each(ALL)('%s: %s', async (...mistake) => {
  await readCarriers();
  await sendMistake(station, mistake, fill);
});

test('a second abort of a batch does nothing, and says so', async () => {
  const path = `/api/batches/${ids.get('batch')}/abort/`;
  expect(await station.post(path)).not.toHaveProperty('warnings');
  expect(await station.post(path)).toMatchObject({ warnings: [expect.stringContaining('Nothing was done.')] });
});

test('sending back an unchanged article gets no warning', async () => {
  const article = await station.get<object>('/api/articles/G-1/');
  expect(await station.request('PUT', '/api/articles/G-1/', article)).toMatchObject({
    status: 200,
    body: { warnings: [] },
  });
  expect(await station.request('PATCH', '/api/articles/G-1/', article)).toMatchObject({ body: { warnings: [] } });
});

test('a delta with only the key of its request is warned that the key is kept for 24 hours, and counts once', async () => {
  const movements = [{ sku: 'G-1', location: 'B-1', delta: 1 }];
  const [first] = await station.post<{ on_hand: number; warnings?: string[] }[]>('/api/stock/', {
    movements,
    key: 'd',
  });
  expect(first?.warnings).toEqual([expect.stringMatching(/^The key of the request is kept for 24 hours\./)]);
  expect(await station.post('/api/stock/', { movements, key: 'd' })).toEqual([first]);
});

test('a truncated list of batches links to its next page', async () => {
  const all = await station.get<Batch[]>('/api/batches/');
  expect(all.length).toBeGreaterThan(2);
  const read: Batch[] = [];
  for (let path: string | undefined = '/api/batches/?limit=2'; path !== undefined;) {
    const { body, headers } = await station.request('GET', path);
    read.push(...(body as Batch[]));
    path = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  expect(read).toEqual(all);
});

test('a put with an empty hand has a specific error code', async () => {
  const answer = await station.request('POST', `/api/batches/${ids.get('empty')}/put/`, { all: true });
  expect(answer).toMatchObject({ status: 409, body: { code: 'nothing_in_hand' } });
  const both = { all: true, slot: 'A1' };
  expect(await station.request('POST', `/api/batches/${ids.get('empty')}/put/`, both)).toMatchObject({ status: 400 });
});

test('every list with a time range refuses a range that ends before it begins', async () => {
  const span = 'from=2026-11-27T00:00:00Z&to=2026-11-26T00:00:00Z';
  for (const path of [
    'movements',
    'history',
    'history/summary',
    'history/people',
    'history/report',
    'history/export',
  ]) {
    expect([path, await station.request('GET', `/api/${path}/?${span}`)]).toMatchObject([path, { status: 400 }]);
  }
});

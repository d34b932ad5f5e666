import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryEntry, OrderTimeline } from '#shared/api/history.ts';
import type { Order } from '#shared/api/order.ts';
import { addOrder, anItem, getOrder, itemsOf, launch, ONE, orderPath, press } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 8: changes to an order, its id in a path, and the time of its last change.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

const history = (kind: string): Promise<HistoryEntry[]> => station.get(`/api/history/?kind=${kind}`);

test('the history records who changed which fields of an order, but not the values', async () => {
  await addOrder(station, 'SO-1', [anItem()], { priority: 3 });
  await station.patch(orderPath('SO-1'), { priority: 3, note: ' ' });
  expect(await history('order_changed')).toEqual([]);
  await station.patch(orderPath('SO-1'), { priority: 4, note: 'Fragile', due_time: null });
  expect(await history('order_changed')).toMatchObject([
    { order_number: 'SO-1', by: 'API key', changed: ['priority', 'note'] },
  ]);
  const { steps } = await station.get<OrderTimeline>('/api/history/orders/SO-1/');
  expect(steps.at(-1)).toMatchObject({ kind: 'order_changed', by: 'API key', detail: 'priority, note.' });
  expect(JSON.stringify(steps)).not.toContain('Fragile');
});

test('a path accepts id: followed by the id of an order instead of its number', async () => {
  const { id } = await addOrder(station, 'SO / 1', [anItem()]);
  const path = `/api/orders/id:${id}/`;
  expect(await station.get(path)).toMatchObject({ order_number: 'SO / 1' });
  expect(await station.patch(path, { priority: 2 })).toMatchObject({ order_number: 'SO / 1', priority: 2 });
  expect(await station.post(`${path}launch/`, { picker: 'Anna' })).toMatchObject({ state: 'in_progress' });
  const [item] = await itemsOf(station, 'SO / 1');
  const short = await station.request('POST', `${path}items/${item?.id}/short/`, { reason: 'missing' });
  expect(short).toMatchObject({ status: 200, body: { state: 'short' } });
  expect(await station.get(`/api/history/orders/id:${id}/`)).toMatchObject({ order_number: 'SO / 1' });
  expect(await station.request('DELETE', path)).toMatchObject({ status: 204 });
  for (const unknown of [path, '/api/orders/id:x/', '/api/orders/id:/'])
    expect(await station.request('GET', unknown)).toMatchObject({ status: 404 });
});

test('an order number that looks like the id of another order is refused', async () => {
  const { id } = await addOrder(station, 'SO-1', [anItem()]);
  const order = { order_number: `id:${id}`, items: [anItem()] };
  expect(await station.request('POST', '/api/orders/', order)).toMatchObject({ status: 400 });
  expect(await station.get(`/api/orders/id:${id}/`)).toMatchObject({ order_number: 'SO-1' });
});

const changedSince = async (time: string, more = ''): Promise<string[]> => {
  const query = `?updated_after=${encodeURIComponent(time)}${more}`;
  const orders = await station.get<Order[]>(`/api/orders/${query}`);
  const progress = await station.get<Order[]>(`/api/order-progress/${query}`);
  expect(progress.map(({ order_number: number }) => number)).toEqual(orders.map(({ order_number: number }) => number));
  return orders.map(({ order_number: number }) => number);
};

/** Reads the lists of orders that changed after a revision, and the revision of the answer. */
async function changedAfter(revision: number, more = ''): Promise<{ numbers: string[]; revision: number }> {
  const read = async (list: string) => {
    const { body, headers } = await station.request('GET', `/api/${list}/?after_revision=${revision}${more}`);
    const numbers = (body as Order[]).map(({ order_number: number }) => number);
    return { numbers, revision: Number(headers.get('pickstation-revision')) };
  };
  const orders = await read('orders');
  expect((await read('order-progress')).numbers).toEqual(orders.numbers);
  return orders;
}

test('every change to an order sets its updated_time and its revision', async () => {
  const updated = async () => (await getOrder(station, 'SO-1')).updated_time;
  const created = await addOrder(station, 'SO-1', [anItem(), anItem({ name: 'Fuse' })]);
  await addOrder(station, 'SO-0', [anItem()]);
  expect(created.updated_time).toBe(created.created_time);
  const path = orderPath('SO-1');
  const [item] = await itemsOf(station, 'SO-1');
  const acts: [string, () => Promise<unknown>][] = [
    ['a change', () => station.patch(path, { priority: 2 })],
    ['a launch', () => launch(station, 'SO-1')],
    ['a color', () => station.patch(path, { color: 'cyan' })],
    ['a picker', () => station.post(`${path}join/`, { picker: 'Anna' })],
    ['a press', () => press(station, ONE)],
    ['a scan of a picked article', () => station.post('/api/scan/', scanOf('Cable tie'))],
    ['a correction', () => station.patch(`${path}items/${item?.id}/`, { quantity_fulfilled: 1 })],
    ['a pause', () => station.post(`${path}pause/`, { picker: 'Anna' })],
    ['an abort', () => station.post(`${path}abort/`)],
  ];
  for (const [what, act] of acts) {
    const before = await updated();
    await station.clock.advance(60_000);
    const { revision } = await changedAfter(0);
    await act();
    const after = await updated();
    expect([what, after > before]).toEqual([what, true]);
    expect([what, await changedSince(after)]).toEqual([what, ['SO-1']]);
    expect([what, (await changedAfter(revision)).numbers]).toEqual([what, ['SO-1']]);
  }
});

const scanOf = (code: string) => ({ code, order_number: 'SO-1', act: true, key: code });

test('updated_after selects orders in any state that changed at or after that time, in pages', async () => {
  for (const number of ['SO-1', 'SO-2', 'SO-3', 'SO-4']) await addOrder(station, number, [anItem()]);
  const start = (await getOrder(station, 'SO-1')).updated_time;
  await station.clock.advance(60_000);
  await station.post(orderPath('SO-3', 'abort/'));
  await station.patch(orderPath('SO-1'), { priority: 2 });
  const { updated_time: time } = await getOrder(station, 'SO-1');
  expect(await changedSince(start)).toEqual(['SO-1', 'SO-2', 'SO-3', 'SO-4']);
  expect(await changedSince(time)).toEqual(['SO-1', 'SO-3']);
  expect(await changedSince(time.replace('Z', '+00:00'))).toEqual(['SO-1', 'SO-3']);
  expect(await changedSince(new Date(Date.parse(time) + 1).toISOString())).toEqual([]);
  expect(await changedSince(time, '&limit=1')).toEqual(['SO-1']);
  expect(await changedSince(time, '&limit=1&after=SO-1')).toEqual(['SO-3']);
  expect(await changedSince(time, '&state=aborted')).toEqual(['SO-3']);
  expect(await changedSince(time, '&attention=1')).toEqual([]);
  expect(await station.request('GET', '/api/orders/?updated_after=yesterday')).toMatchObject({ status: 400 });
});

test('after_revision selects orders that changed in later commits, even if the clock was set back, in pages', async () => {
  for (const number of ['SO-1', 'SO-2', 'SO-3', 'SO-4']) await addOrder(station, number, [anItem()]);
  const first = await changedAfter(0);
  expect(first.numbers).toEqual(['SO-1', 'SO-2', 'SO-3', 'SO-4']);
  station.clock.jump(-3_600_000);
  await station.post(orderPath('SO-3', 'abort/'));
  await station.patch(orderPath('SO-1'), { priority: 2 });
  const since = (more = '') => changedAfter(first.revision, more);
  expect((await since()).numbers).toEqual(['SO-1', 'SO-3']);
  expect((await since('&limit=1')).numbers).toEqual(['SO-1']);
  expect((await since('&limit=1&after=SO-1')).numbers).toEqual(['SO-3']);
  expect((await since('&state=aborted')).numbers).toEqual(['SO-3']);
  expect((await since('&attention=1')).numbers).toEqual([]);
  const future = encodeURIComponent(new Date(station.clock.now() + 1).toISOString());
  expect((await since(`&updated_after=${future}`)).numbers).toEqual([]);
  await station.post(orderPath('SO-2', 'launch/'), { picker: 'Anna' });
  expect((await since('&picker=Anna')).numbers).toEqual(['SO-2']);
  const { revision } = await since();
  expect((await changedAfter(revision)).numbers).toEqual([]);
  const beyond = await station.request('GET', `/api/orders/?after_revision=${revision + 1}`);
  expect(beyond.headers.get('x-pickstation-warnings')).toContain(`the revision of the station, ${revision}`);
  expect(await station.request('GET', '/api/orders/?after_revision=-1')).toMatchObject({ status: 400 });
});

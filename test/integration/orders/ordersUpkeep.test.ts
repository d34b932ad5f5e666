import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { addOrder, anItem, getOrder, launch, ONE, orderPath, press } from '../../helpers/orders.ts';
import { API_KEY, START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 8: ended orders are removed on request or after a number of days.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const numbers = async () => (await station.get<Order[]>('/api/orders/')).map(({ order_number: number }) => number);
const at = (ms: number) => new Date(START_MS + ms).toISOString();
const remove = (query: string, headers: object = {}) =>
  station.request('DELETE', `/api/orders/${query}`, undefined, { 'api-key': API_KEY, ...headers });
const csvOf = (number: string) => `order_number,name,ordered_quantity,deviceid\n${number},Cable tie,2,${ONE}\n`;
const importOf = (number: string) => station.post('/api/order-import/', { csv: csvOf(number) });

async function fulfill(number: string): Promise<void> {
  await addOrder(station, number, [anItem({ ordered_quantity: 1, quantity_fulfilled: 1 })]);
}

async function abort(number: string): Promise<void> {
  await addOrder(station, number, [anItem()]);
  await station.post(orderPath(number, 'abort/'));
}

test('deleting ended orders requires a state and a time, and leaves all other orders', async () => {
  await fulfill('done');
  await abort('gone');
  await addOrder(station, 'open', [anItem()]);
  await addOrder(station, 'lit', [anItem()]);
  await launch(station, 'lit');
  await station.clock.advance(MINUTE);
  const later = at(4 * 60_000);
  for (const query of [
    '',
    '?state=fulfilled',
    `?ended_before=${later}`,
    `?state=open&ended_before=${later}`,
    '?all=1',
  ]) {
    expect((await remove(query)).status, query).toBe(400);
  }
  expect(await remove(`?state=fulfilled&ended_before=${at(0)}`)).toMatchObject({ status: 200, body: { deleted: 0 } });
  expect(await numbers()).toEqual(['done', 'gone', 'lit', 'open']);
  expect(await remove(`?state=fulfilled&ended_before=${later}`)).toMatchObject({ status: 200, body: { deleted: 1 } });
  expect(await numbers()).toEqual(['gone', 'lit', 'open']);
  expect(await remove(`?state=aborted&ended_before=${later}`)).toMatchObject({ body: { deleted: 1 } });
  expect(await numbers()).toEqual(['lit', 'open']);
  await press(station, ONE);
  expect((await getOrder(station, 'lit')).state).toBe('fulfilled');
  expect(await station.get('/api/history/?kind=order_removed')).toMatchObject([
    { order_number: 'gone', by: 'API key' },
    { order_number: 'done', by: 'API key' },
  ]);
});

test('deleting many orders returns their number, and repeating the request with the same key has no effect', async () => {
  for (let number = 0; number < 45; number += 1) await fulfill(`n-${number}`);
  const query = `?state=fulfilled&ended_before=${at(4 * 60_000)}`;
  expect(await remove(query, { 'idempotency-key': 'once' })).toMatchObject({ body: { deleted: 45 } });
  await fulfill('later');
  expect(await remove(query, { 'idempotency-key': 'once' })).toMatchObject({ body: { deleted: 45 } });
  expect(await numbers()).toEqual(['later']);
});

test('imports skip the number of a deleted ended order, but programs can use it again', async () => {
  await importOf('7');
  await station.post(orderPath('7', 'abort/'));
  await station.clock.advance(MINUTE);
  expect(await remove(`?state=aborted&ended_before=${at(4 * 60_000)}`)).toMatchObject({ body: { deleted: 1 } });
  expect(await importOf('7')).toMatchObject({
    counts: { new: 0, known: 1 },
    rows: [{ outcome: 'known', message: expect.stringContaining('Order 7 ended and was deleted.') }],
  });
  expect(await numbers()).toEqual([]);
  await addOrder(station, '7', [anItem()]);
  // Deleting an order individually allows a file to create it again.
  expect((await station.request('DELETE', orderPath('7'))).status).toBe(204);
  expect(await importOf('7')).toMatchObject({ counts: { new: 1 } });
});

test('order_days removes orders that ended longer ago, and 0 keeps all orders', async () => {
  await fulfill('old');
  await abort('patched');
  await addOrder(station, 'open', [anItem()]);
  await station.clock.advance(3 * DAY);
  expect(await numbers()).toEqual(['old', 'open', 'patched']);
  await station.patch('/api/settings/', { order_days: 2 });
  // An order's age is counted from its last change.
  await station.patch(orderPath('patched'), { note: 'disputed' });
  await station.clock.advance(5 * MINUTE);
  expect(await numbers()).toEqual(['open', 'patched']);
  expect(await station.get('/api/history/?kind=order_removed')).toMatchObject([
    { order_number: 'old', by: '', reason: expect.stringContaining('order_days') },
  ]);
  expect(await importOf('old')).toMatchObject({ counts: { known: 1 } });
  await station.clock.advance(DAY);
  await fulfill('new');
  await station.clock.advance(1.5 * DAY);
  // The newest history entry serves as the current time, so that a wrong clock removes nothing.
  expect(await numbers()).toEqual(['new', 'open', 'patched']);
  await launch(station, 'open');
  await station.clock.advance(61 * MINUTE);
  expect(await numbers()).toEqual(['new', 'open']);
});

test('after the clock jumps ahead, order_days removes only orders that were old before the jump', async () => {
  await fulfill('old');
  await station.clock.advance(3 * DAY);
  for (const number of ['new 1', 'new 2']) await fulfill(number);
  // This is the last work in the history before the clock jumps ahead.
  await station.post(`/api/device/${ONE}/`, { line1: 'x' });
  await press(station, ONE);
  station.clock.jump(400 * DAY);
  await station.patch('/api/settings/', { order_days: 2 });
  await station.clock.advance(3 * 60 * MINUTE);
  expect(await numbers()).toEqual(['new 1', 'new 2']);
});

const wordsOf = async (number: string) => {
  const { customer = '', note = '' } = await getOrder(station, number);
  return `${customer}|${note}`;
};
const WORDS = { customer: 'Miller & Sons', note: 'Fragile' };

/** Advances the clock by some days in which the station does nothing, then by one upkeep interval. */
async function later(days: number): Promise<void> {
  station.clock.jump(days * DAY);
  await station.clock.advance(61 * MINUTE);
}

test('history_customer_days removes customer and note from orders that ended longer ago, but keeps the orders', async () => {
  await fulfill('old');
  await abort('gone');
  await addOrder(station, 'open', [anItem()]);
  for (const number of ['old', 'gone', 'open']) await station.patch(orderPath(number), WORDS);
  const before = await getOrder(station, 'old');
  await later(89);
  await fulfill('new');
  await station.patch(orderPath('new'), WORDS);
  expect(await wordsOf('old')).toBe('Miller & Sons|Fragile');
  await later(2);
  // Add a history entry, because the newest one serves as the current time.
  await launch(station, 'open');
  const stream = await openStream(station.url);
  await station.clock.advance(61 * MINUTE);
  for (const number of ['old', 'gone']) expect(await wordsOf(number)).toBe('|');
  for (const number of ['open', 'new']) expect(await wordsOf(number)).toBe('Miller & Sons|Fragile');
  const after = await getOrder(station, 'old');
  const { customer, note, ...rest } = before;
  expect([customer, note, rest]).toEqual(['Miller & Sons', 'Fragile', after]);
  // The event stream reports the changed orders.
  const told = stream.commits().flatMap(({ facts }) => facts.filter(({ type }) => type === 'order.changed'));
  expect(told.map((fact) => fact.type === 'order.changed' && fact.order.order_number)).toEqual(
    expect.arrayContaining(['old', 'gone']),
  );
  stream.close();
  // A customer and a note that are added later stay until the order is old again.
  await station.patch(orderPath('old'), { customer: 'Ms. Miller' });
  await station.clock.advance(61 * MINUTE);
  expect(await wordsOf('old')).toBe('Ms. Miller|');
});

test('history_customer_days 0 keeps all customers', async () => {
  await station.patch('/api/settings/', { history_customer_days: 0 });
  await fulfill('old');
  await station.patch(orderPath('old'), WORDS);
  await later(300);
  await fulfill('new');
  await station.clock.advance(61 * MINUTE);
  expect(await wordsOf('old')).toBe('Miller & Sons|Fragile');
});

test('customers are removed from all ended orders, even if that takes several steps', async () => {
  for (let number = 0; number < 120; number += 1)
    await addOrder(station, `n-${number}`, [anItem({ ordered_quantity: 1, quantity_fulfilled: 1 })], WORDS);
  await later(91);
  await addOrder(station, 'open', [anItem()]);
  await launch(station, 'open');
  await station.clock.advance(61 * MINUTE);
  const orders = await station.get<Order[]>('/api/orders/?state=fulfilled');
  expect(orders).toHaveLength(120);
  expect(orders.filter(({ customer }) => customer !== undefined)).toEqual([]);
});

test('stored answers and imports do not keep a customer longer than the orders do', async () => {
  const tables = ['keyed_requests', 'import_orders', 'import_rows', 'imports'];
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'), { readonly: true });
  const rows = () => tables.map((table) => Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()));
  await station.patch('/api/settings/', { history_customer_days: 5 });
  await station.request('PATCH', orderPath((await importOf('7'), '7')), { ...WORDS, key: 'k1' });
  await station.request('POST', '/api/orders/', { order_number: '8', items: [anItem()], ...WORDS, key: 'k2' });
  await importOf('8');
  expect(rows().map((count) => count > 0)).toEqual([true, true, true, true]);
  await later(2);
  expect(rows()[0]).toBe(0);
  expect(rows()[3]).toBeGreaterThan(0);
  await later(4);
  expect(rows()).toEqual([0, 0, 0, 0]);
  db.close();
});

test('all expired answers to requests with a key are removed in one run', async () => {
  await addOrder(station, '7', [anItem()]);
  const keys = Array.from({ length: 1_100 }, (_, number) => `k${number}`);
  // The station accepts only so many connections at once.
  for (let start = 0; start < keys.length; start += 100) {
    const some = keys.slice(start, start + 100);
    // oxlint-disable-next-line no-await-in-loop -- one part after another
    await Promise.all(some.map((key) => station.request('PATCH', orderPath('7'), { note: key, key })));
  }
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'), { readonly: true });
  const count = () => db.prepare('SELECT count(*) FROM keyed_requests').pluck().get();
  await station.clock.advance(MINUTE);
  expect(count()).toBe(keys.length);
  await later(2);
  expect(count()).toBe(0);
  db.close();
});

test('finding the oldest order in one ended state does not read orders in the other state', () => {
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'), { readonly: true });
  const plan = db
    .prepare(
      `EXPLAIN QUERY PLAN SELECT id FROM orders INDEXED BY orders_ended
       WHERE state IN ('fulfilled', 'aborted') AND state = 'aborted' AND updated_at < 5 ORDER BY updated_at LIMIT 1`,
    )
    .all();
  db.close();
  expect(plan).toMatchObject([{ detail: expect.stringContaining('orders_ended (state=? AND updated_at<?)') }]);
});

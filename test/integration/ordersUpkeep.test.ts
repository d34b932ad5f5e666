import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { addOrder, anItem, getOrder, launch, ONE, orderPath, press } from '../helpers/orders.ts';
import { API_KEY, START_MS, startTestStation, type TestStation } from '../helpers/startTestStation.ts';

// Contract, section 8: orders that have ended are removed on request, or after some days.
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

test('a deletion of ended orders needs a state and a time, and takes no others', async () => {
  await fulfill('done');
  await abort('gone');
  await addOrder(station, 'open', [anItem()]);
  await addOrder(station, 'lit', [anItem()]);
  await launch(station, 'lit');
  await station.clock.advance(MINUTE);
  const later = at(DAY);
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

test('a deletion counts each of many orders once, and a repetition with its key does nothing', async () => {
  for (let number = 0; number < 45; number += 1) await fulfill(`n-${number}`);
  const query = `?state=fulfilled&ended_before=${at(DAY)}`;
  expect(await remove(query, { 'idempotency-key': 'once' })).toMatchObject({ body: { deleted: 45 } });
  await fulfill('later');
  expect(await remove(query, { 'idempotency-key': 'once' })).toMatchObject({ body: { deleted: 45 } });
  expect(await numbers()).toEqual(['later']);
});

test('the number of an order that ended and was deleted stays known to imports, but not to programs', async () => {
  await importOf('7');
  await station.post(orderPath('7', 'abort/'));
  await station.clock.advance(MINUTE);
  expect(await remove(`?state=aborted&ended_before=${at(DAY)}`)).toMatchObject({ body: { deleted: 1 } });
  expect(await importOf('7')).toMatchObject({
    counts: { new: 0, known: 1 },
    rows: [{ outcome: 'known', message: expect.stringContaining('Order 7 ended and was deleted.') }],
  });
  expect(await numbers()).toEqual([]);
  await addOrder(station, '7', [anItem()]);
  // Somebody deleted this one to have it again.
  expect((await station.request('DELETE', orderPath('7'))).status).toBe(204);
  expect(await importOf('7')).toMatchObject({ counts: { new: 1 } });
});

test('order_days removes orders that ended longer ago, and 0 keeps them', async () => {
  await fulfill('old');
  await abort('patched');
  await addOrder(station, 'open', [anItem()]);
  await station.clock.advance(3 * DAY);
  expect(await numbers()).toEqual(['old', 'open', 'patched']);
  await station.patch('/api/settings/', { order_days: 2 });
  // A change of an order that has ended keeps it.
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
  // Age is counted from the newest entry of history, so that a wrong clock removes nothing.
  expect(await numbers()).toEqual(['new', 'open', 'patched']);
  await launch(station, 'open');
  await station.clock.advance(61 * MINUTE);
  expect(await numbers()).toEqual(['new', 'open']);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import { publicFacts } from '../../../electron/server/mqtt/privateWords.ts';
import { addOrder, anItem, getOrder, ONE, orderPath } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 8: the customer and the note of an order.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

const DARK = { deviceid: undefined, warehouse_location: 'C-9' };
const WORDS = { customer: 'Miller & Sons', note: 'Fragile' };

test('an order has a customer and a note, and so do its work lines', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  await addOrder(station, 'SO-1', [anItem(), anItem(DARK)], WORDS);
  await addOrder(station, 'SO-2', [anItem()], { customer: ' ', note: '' });
  expect(await getOrder(station, 'SO-1')).toMatchObject(WORDS);
  expect(await getOrder(station, 'SO-2')).not.toHaveProperty('customer');
  expect((await station.get<object[]>('/api/order-progress/'))[0]).toMatchObject(WORDS);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  await station.post(orderPath('SO-2', 'launch/'));
  const lines = await station.get<WorkLine[]>('/api/work/');
  expect(lines.map(({ customer, note }) => ({ customer, note }))).toEqual([WORDS, { customer: '', note: '' }, WORDS]);
  const tooLong = { order_number: 'SO-3', items: [], customer: 'x'.repeat(201) };
  expect(await station.request('POST', '/api/orders/', tooLong)).toMatchObject({ status: 400 });
});

test('a PATCH sets the given fields, clears fields given as null, and recolors lit lines without a picker', async () => {
  await addOrder(station, 'SO-1', [anItem()], { ...WORDS, priority: 3 });
  await station.post(orderPath('SO-1', 'launch/'));
  await station.clock.advance(3_000);
  const change = (body: object) => station.request('PATCH', orderPath('SO-1'), body);
  const due_time = '2026-11-20T12:00:00.000Z';
  expect(await change({ due_time, note: null, color: 'cyan' })).toMatchObject({
    status: 200,
    body: { priority: 3, due_time, customer: WORDS.customer, color: 'cyan' },
  });
  expect((await station.device(ONE)).commands).toMatchObject([{ color: 'cyan' }]);
  const cleared = await change({ due_time: null, customer: '', priority: '7', color: null });
  expect(cleared).toMatchObject({ status: 200, body: { due_time: null, priority: 7 } });
  for (const name of ['customer', 'note', 'color']) expect(cleared.body).not.toHaveProperty(name);
  expect(await change({ color: 'sand' })).toMatchObject({ status: 400 });
});

test('customer and note are not sent to devices or a broker, and are not written to the request log', async () => {
  await addOrder(station, 'SO-1', [anItem()], WORDS);
  await station.request('PATCH', orderPath('SO-1'), WORDS);
  const order = await station.post<Order>(orderPath('SO-1', 'launch/'));
  await station.clock.advance(3_000);
  // The content of an unreadable request is not logged either.
  await station.request('POST', '/api/orders/', '{"order_number":"SO-9","customer":"Miller & Sons","note":"Fragile');
  const asked = ['/api/requests/', `/api/device/${ONE}/`, '/api/history/', '/api/diagnostics/'];
  for (const { id } of await station.get<{ id: string }[]>('/api/requests/')) asked.push(`/api/requests/${id}/`);
  for (const path of asked) expect(JSON.stringify(await station.get(path))).not.toMatch(/Miller|Fragile/);
  const facts = [{ type: 'order.changed', order } as never];
  const published = publicFacts(facts, JSON.stringify(facts));
  expect(published).toContain('SO-1');
  expect(published).not.toMatch(/Miller|Fragile/);
});

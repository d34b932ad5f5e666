import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { createRepositories } from '../../electron/server/db/repositories.ts';
import { shopFolder } from '../helpers/shopFolder.ts';
import { anItem, expectCountsRight, ONE, orderPath } from '../helpers/orders.ts';
import { startTestStation, type Answer, type TestStation } from '../helpers/startTestStation.ts';
import { copyOf, DEVICES, hasTask, restarted, turn, useLargeOrder } from '../helpers/largeOrder.ts';

// Creating and importing orders of many items: in parts, with other work in between.
const large = useLargeOrder(100);

const kinds = (of: TestStation) =>
  of.rows<{ kind: string; n: number }>(
    "SELECT kind, count(*) AS n FROM history WHERE kind LIKE 'order%' OR kind = 'killed' GROUP BY kind ORDER BY kind",
  );

const NEXT_ITEMS = 4_000;
const addNext = (): Promise<Answer> =>
  large.station.request('POST', '/api/orders/', {
    order_number: 'next',
    items: Array.from({ length: NEXT_ITEMS }, () => anItem({ deviceid: DEVICES[0], SKU: 'only in the next order' })),
  });
const itemsOfNext = (of: TestStation) => of.rows("SELECT id FROM items WHERE sku = 'only in the next order'").length;

test('commits a press while a large order is created, and a restart after a kill removes the part that was written', async () => {
  const { killed, answer } = await large.pressDuring(addNext);
  expect(answer.status).toBe(201);
  expect((answer.body as Order).items).toHaveLength(NEXT_ITEMS);
  expect(hasTask(large.station)).toBe(false);
  await expectCountsRight(large.station, 'next');
  const after = await restarted(killed);
  expect(itemsOfNext(after)).toBe(0);
  expect(await after.get<Order[]>('/api/orders/')).toMatchObject([{ order_number: 'big' }]);
  expect(kinds(after)).toEqual([]);
  await after.stop();
});

test('commits a press while a file with a large order is imported, and a restart after a kill knows no import', async () => {
  const rows = Array.from({ length: NEXT_ITEMS }, () => 'next,only in the next order,2');
  const csv = ['order_number,SKU,ordered_quantity', ...rows].join('\n');
  const { killed, answer } = await large.pressDuring(() =>
    large.station.request('POST', '/api/order-import/', { csv }),
  );
  expect(answer).toMatchObject({ status: 200, body: { counts: { orders: 1, new: NEXT_ITEMS } } });
  await expectCountsRight(large.station, 'next');
  const after = await restarted(killed);
  expect(itemsOfNext(after)).toBe(0);
  expect((await after.request('GET', '/api/order-import/')).status).toBe(404);
  await after.stop();
});

test('a file of the inbox with a large order lets other requests through, and a restart after a kill imports the rest', async () => {
  using shop = shopFolder();
  await large.station.patch('/api/settings/', { inbox_folder: shop.path });
  const rows = Array.from({ length: NEXT_ITEMS }, () => 'next,only in the next order,2');
  const csv = ['order_number,SKU,ordered_quantity', 'first,CT-200,1', ...rows, 'last,CT-200,1'].join('\n');
  writeFileSync(join(shop.path, 'orders.csv'), csv);
  const imported = large.station.clock.advance(30_000);
  while (!hasTask(large.station)) await turn();
  expect(await large.station.request('POST', `/api/device/${ONE}/`, { statica: 'Still here' })).toMatchObject({
    status: 200,
  });
  expect(hasTask(large.station)).toBe(true);
  const killed = copyOf(large.station.dataFolder);
  await imported;
  expect(shop.names('done')).toContain('orders.csv.result.csv');
  for (const number of ['first', 'next', 'last']) await expectCountsRight(large.station, number);
  expect(itemsOfNext(large.station)).toBe(NEXT_ITEMS);
  await large.station.stop();
  renameSync(join(shop.path, 'done', 'orders.csv'), join(shop.path, 'orders.csv'));
  large.station = await startTestStation({ dataFolder: killed });
  const numbers = () =>
    large.station.rows<{ n: string }>('SELECT order_number AS n FROM orders ORDER BY id').map(({ n }) => n);
  expect(numbers().slice(0, 2)).toEqual(['big', 'first']);
  await large.station.clock.advance(30_000);
  expect(numbers()).toEqual(['big', 'first', 'next', 'last']);
  expect(itemsOfNext(large.station)).toBe(NEXT_ITEMS);
});

test('nobody sees a large order before it is whole', async () => {
  const adding = addNext();
  while (!hasTask(large.station)) await turn();
  // The parts that are written now are committed with this. An order that is created later keeps its devices as sent.
  const [from] = DEVICES;
  expect((await large.station.request('POST', `/api/device/${from}/replace/`, { deviceid: ONE })).status).toBe(200);
  expect(itemsOfNext(large.station)).toBeGreaterThan(0);
  const [listed, aborted, next, found] = await Promise.all([
    large.station.request('GET', '/api/order-progress/'),
    large.station.request('GET', '/api/order-progress/?state=aborted'),
    large.station.request('GET', '/api/work/next/'),
    large.station.request('GET', '/api/find/?q=only'),
  ]);
  expect(hasTask(large.station)).toBe(true);
  expect(listed.body).toMatchObject([{ order_number: 'big' }]);
  expect(aborted.body).toEqual([]);
  expect(next.body).toMatchObject({ order: { order_number: 'big' }, waiting: 1 });
  expect(found).toMatchObject({ status: 200, body: [] });
  expect((await adding).status).toBe(201);
  const { items = [] } = await large.station.get<Order>(orderPath('next'));
  expect(items.map(({ deviceid }) => deviceid)).toEqual(items.map(() => from));
});

test('refuses a large order whose number was given to another meanwhile, and keeps no part of it', async () => {
  const adding = addNext();
  while (!hasTask(large.station)) await turn();
  await large.station.request('POST', '/api/order-import/', {
    csv: 'order_number,SKU,ordered_quantity\nnext,CT-1,1\n',
  });
  expect(hasTask(large.station)).toBe(true);
  expect(await adding).toMatchObject({ status: 409, body: { errors: [{ path: '/order_number' }] } });
  expect(itemsOfNext(large.station)).toBe(0);
  expect(hasTask(large.station)).toBe(false);
  expect((await large.station.get<Order>(orderPath('next'))).items).toHaveLength(1);
  expect(await addNext()).toMatchObject({ status: 409 });
});

test('removes what a full disk left of a large order before it creates another', async () => {
  const db = new Database(join(large.station.dataFolder, 'pickstation.sqlite'));
  db.exec(`INSERT INTO orders (order_number, token, has_items, created_at, state, is_told, item_count, done_count, short_count,
      active_count, unassigned_count, ordered_quantity, quantity_fulfilled) VALUES ('', 'x', 1, 1, 'aborted', 0, 0, 0, 0, 0, 0, 0, 0);
    INSERT INTO order_tasks (order_id, kind, asked_by, done_to) SELECT id, 'remove', '', 0 FROM orders WHERE order_number = ''`);
  // No caller reaches it.
  expect(createRepositories(db).orders.findByNumber('')).toBe(undefined);
  db.close();
  expect((await addNext()).status).toBe(201);
  expect(large.station.rows('SELECT order_number FROM orders ORDER BY id')).toEqual([
    { order_number: 'big' },
    { order_number: 'next' },
  ]);
});

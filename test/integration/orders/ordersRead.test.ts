import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { MAX_ITEMS } from '#shared/lib/orders/orderLimits.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import { createRepositories } from '../../../electron/server/db/repositories.ts';
import { readMeaning } from '../../../electron/server/services/picking/scan.ts';
import { listWork } from '../../../electron/server/services/picking/work.ts';
import { addOrder, anItem, ONE, orderPath } from '../../helpers/orders.ts';
import { API_KEY } from '../../helpers/startTestStation.ts';
import { DEVICES, useLargeOrder } from '../../helpers/largeOrder.ts';

// Reading large orders, their lit work and scans during other requests.
const large = useLargeOrder();

test('lists the lines at each device in queue order', async () => {
  await large.send('POST', 'launch/');
  for (const order of ['', '?order=big']) {
    const lines = await large.station.get<WorkLine[]>(`/api/work/${order}`);
    for (const id of DEVICES) {
      const queue = large.station.rows<{ id: number }>(
        'SELECT id FROM commands WHERE device_id = ? ORDER BY position',
        id,
      );
      expect(lines.filter(({ deviceid }) => deviceid === id).map(({ command_id: command }) => Number(command))).toEqual(
        queue.map((row) => row.id),
      );
    }
  }
});

/** Wraps the tables to count the items and commands that are read one by one, and the pages that are read. */
function countedTables() {
  const db = new Database(join(large.station.dataFolder, 'pickstation.sqlite'), { readonly: true });
  const tables = createRepositories(db);
  const reads = { items: 0, labels: 0 };
  const counted =
    <Args extends unknown[], Result>(what: keyof typeof reads, read: (...args: Args) => Result) =>
    (...args: Args): Result => {
      const result = read(...args);
      reads[what] += Array.isArray(result) ? result.length : 1;
      return result;
    };
  const { items, devices } = tables;
  items.find = counted('items', items.find);
  items.listOf = counted('items', items.listOf);
  items.listAfter = counted('items', items.listAfter);
  devices.listByLabel = counted('labels', devices.listByLabel);
  return { tables, reads, close: () => db.close() };
}

test('lists lit work in pages of a hundred lines, and searches for other places of an article only once', async () => {
  await large.station.post(`/api/device/${ONE}/`, { locationoverride: 'CT-200' });
  expect(await large.send('POST', 'launch/')).toMatchObject({ status: 200 });
  for (const order of [undefined, 'big']) {
    const { tables, reads, close } = countedTables();
    const work = listWork(tables, { order }, () => false);
    let most = 0;
    let lines: WorkLine[] = [];
    for (let part = work.next(); ; part = work.next()) {
      most = Math.max(most, reads.items);
      reads.items = 0;
      if (part.done !== true) continue;
      lines = part.value;
      break;
    }
    expect(most).toBe(100);
    expect(lines).toHaveLength(MAX_ITEMS);
    expect(lines.every(({ elsewhere: [other] }) => other?.deviceid === ONE)).toBe(true);
    expect(reads.labels).toBe(1);
    close();
  }
});

test('a scan reads only lines that its code can match, regardless of case and alphabet', async () => {
  const articles = ['Überzug', ...Array.from({ length: 500 }, (_, index) => `S-${index}`)];
  await addOrder(
    large.station,
    'mixed',
    articles.map((SKU, index) => anItem({ SKU, deviceid: DEVICES[index % 5] })),
  );
  await large.station.post(orderPath('mixed', 'launch/'));
  const { tables, reads, close } = countedTables();
  const codes = [
    ['S-77', 'lit'],
    ['s-77', 'lit'],
    ['ÜBERZUG', 'lit'],
    ['U\u0308berzug', 'lit'],
    ['CT-200', 'wrong_item'],
    [ONE, 'wrong_place'],
  ] as const;
  for (const [code, result] of codes) {
    const ask = { code, order_number: 'mixed', picker: 'Anna' };
    expect(readMeaning(tables, ask).answer.result, code).toBe(result);
    if (result === 'lit') {
      expect(readMeaning(tables, { ...ask, order_number: undefined }).answer.result, code).toBe(result);
    }
  }
  expect(reads.items).toBe(8);
  close();
});

test.each([
  ['large orders are listed', '/api/orders/'],
  ['much lit work is listed', '/api/work/'],
  ['the lit work of a large order is listed', '/api/work/?order=big'],
])('answers small requests while %s', async (_what, path) => {
  expect(await large.send('POST', 'launch/')).toMatchObject({ status: 200 });
  // Listing pauses every 10 ms so that small requests can be answered in between. A single run may be too fast to show this, so repeat it.
  for (let turn = 0; ; turn += 1) {
    const { answer, small } = await listBeside(path);
    const found = Array.isArray(answer) ? answer : [answer];
    const [order] = found as Order[];
    expect(order?.items ?? found).toHaveLength(MAX_ITEMS);
    if (order?.items !== undefined) expect(order.shipments[0]?.items).toEqual(order.items);
    if (small > 1) break;
    expect(turn, 'lists that held up every other request').toBeLessThan(20);
  }
});

/** Reads a list and counts the small requests that are answered in the meantime. */
async function listBeside(path: string): Promise<{ answer: Order | object[]; small: number }> {
  const over = new AbortController();
  const headers = { 'api-key': API_KEY };
  const asked = fetch(new URL(path, large.station.url), { headers })
    .then((sent) => sent.json() as Promise<Order | object[]>)
    .finally(() => over.abort());
  let small = 0;
  while (!over.signal.aborted) {
    await (await fetch(new URL('/healthz', large.station.url))).text();
    small += 1;
  }
  return { answer: await asked, small };
}

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { MAX_ITEMS } from '#shared/lib/orders/orderLimits.ts';
import { DEVICES, startKilled, useLargeOrder } from '../../helpers/largeOrder.ts';
import { addOrder, anItem, expectCountsRight, orderPath } from '../../helpers/orders.ts';
import type { Answer } from '../../helpers/startTestStation.ts';

// Orders of the maximum size: each request about a whole order succeeds or fails as a whole.
const large = useLargeOrder();

const LIT_FOR = `SELECT picker, json_extract(content, '$.color') AS color, count(*) AS n FROM commands
  JOIN items ON items.id = owner_id WHERE owner_kind = 'item' GROUP BY picker, color ORDER BY picker`;
const ITEMS = `SELECT order_number, items.state, picker, count(*) AS n FROM items JOIN orders ON orders.id = order_id
  GROUP BY order_number, items.state, picker ORDER BY order_number, items.state, picker`;
const HISTORY = `SELECT kind, count(*) AS n FROM history WHERE kind LIKE 'order%' OR kind = 'killed' GROUP BY kind ORDER BY kind`;
const QUERIES = [LIT_FOR, ITEMS, HISTORY];

const GREEN = { picker: null, color: 'green', n: MAX_ITEMS };
const BLUE = { picker: 'Anna', color: 'blue', n: MAX_ITEMS };
const YELLOW = { picker: 'Ben', color: 'yellow', n: MAX_ITEMS };
const half = <T extends object>(lines: T) => ({ ...lines, n: MAX_ITEMS / 2 });
const ANNA = { picker: 'Anna' };
const BEN = { picker: 'Ben' };

async function addPickers(): Promise<void> {
  for (const username of ['Anna', 'Ben'])
    await large.station.post('/api/users/', { username, password: 'long enough', role: 'picker' });
}

const act = ([what, body]: readonly [string, object?]): Promise<Answer> =>
  large.station.request('POST', orderPath('big', `${what}/`), body ?? {});

type Act = readonly [string, object?];
const CHANGES: { what: string; before: readonly Act[]; request: Act; lit: readonly object[] }[] = [
  { what: 'a launch', before: [], request: ['launch'], lit: [GREEN] },
  { what: 'a launch for a picker', before: [['launch']], request: ['launch', ANNA], lit: [BLUE] },
  { what: 'a join', before: [['launch', ANNA]], request: ['join', BEN], lit: [half(BLUE), half(YELLOW)] },
  {
    what: 'a pause',
    before: [
      ['launch', ANNA],
      ['join', BEN],
    ],
    request: ['pause', ANNA],
    lit: [half(YELLOW)],
  },
  { what: 'a handover', before: [['launch', ANNA]], request: ['handover', BEN], lit: [YELLOW] },
  {
    what: 'a handover after a pause',
    before: [
      ['launch', ANNA],
      ['pause', ANNA],
    ],
    request: ['handover', BEN],
    lit: [YELLOW],
  },
  { what: 'a departure', before: [['launch', ANNA]], request: ['leave', ANNA], lit: [GREEN] },
  {
    what: 'a departure after a pause',
    before: [
      ['launch', ANNA],
      ['pause', ANNA],
    ],
    request: ['leave', ANNA],
    lit: [GREEN],
  },
  { what: 'an abort', before: [['launch']], request: ['abort'], lit: [] },
];

test.each(CHANGES)('$what of a large order is done in one commit, and a simultaneous press counts', async (change) => {
  await addPickers();
  for (const each of change.before) expect(await act(each)).toMatchObject({ status: 200 });
  const { states, killed, answer } = await large.pressDuring(() => act(change.request), QUERIES);
  expect(answer.status).toBe(200);
  expect(states).toHaveLength(2);
  expect(large.station.rows(LIT_FOR)).toEqual(change.lit);
  await expectCountsRight(large.station, 'big');
  for (const [index, folder] of killed.entries()) {
    const after = await startKilled(folder);
    expect(QUERIES.map((sql) => after.rows(sql))).toEqual(states[index]);
    await expectCountsRight(after, 'big');
    await after.stop();
  }
});

const NEXT = Array.from({ length: MAX_ITEMS }, (_, index) => anItem({ deviceid: DEVICES[index % 5] }));
const CSV = ['order_number,SKU,ordered_quantity', ...Array.from({ length: MAX_ITEMS }, () => 'next,CT-200,2')].join(
  '\n',
);

test.each([
  {
    what: 'created',
    request: ['POST', '/api/orders/', { order_number: 'next', items: NEXT }],
    items: [{ order_number: 'big' }, { order_number: 'next', state: 'open', n: MAX_ITEMS }],
  },
  {
    what: 'imported',
    request: ['POST', '/api/order-import/', { csv: CSV }],
    items: [{ order_number: 'big' }, { order_number: 'next', state: 'open', n: MAX_ITEMS }],
  },
  { what: 'removed', request: ['DELETE', orderPath('big')], items: [] },
] as const)('a large order is $what in one commit, and a simultaneous press counts', async ({ request, items }) => {
  expect(await act(['launch'])).toMatchObject({ status: 200 });
  const [method, path, body] = request;
  const { states, answer } = await large.pressDuring(() => large.station.request(method, path, body), [LIT_FOR, ITEMS]);
  expect(answer.status).toBeLessThan(300);
  expect(states).toHaveLength(2);
  expect(large.station.rows(ITEMS)).toMatchObject(items);
});

const FAILING = ['a launch', 'a pause', 'a handover', 'an abort'];

test.each(CHANGES.filter(({ what }) => FAILING.includes(what)))(
  '$what of a large order changes nothing if it fails at one line',
  async ({ before, request }) => {
    await addPickers();
    for (const each of before) expect(await act(each)).toMatchObject({ status: 200 });
    const look = () => QUERIES.map((sql) => large.station.rows(sql));
    const earlier = look();
    const db = new Database(join(large.station.dataFolder, 'pickstation.sqlite'));
    // Items 991 and 1000 belong to different pickers.
    for (const [event, row] of [
      ['INSERT', 'new'],
      ['DELETE', 'old'],
    ] as const)
      db.exec(`CREATE TRIGGER fails_${event} BEFORE ${event} ON commands WHEN ${row}.owner_id IN (991, 1000)
      BEGIN SELECT RAISE(ABORT, 'no'); END`);
    const { status } = await act(request);
    for (const event of ['INSERT', 'DELETE']) db.exec(`DROP TRIGGER fails_${event}`);
    db.close();
    expect(status).toBe(500);
    expect(look()).toEqual(earlier);
    expect(await act(request)).toMatchObject({ status: 200 });
    await expectCountsRight(large.station, 'big');
  },
);

test('lights the only line that has a place, and refuses an order in which no line has a place', async () => {
  const lost = Array.from({ length: MAX_ITEMS }, (_, index) => anItem({ deviceid: null, SKU: `lost ${index}` }));
  await addOrder(large.station, 'lost', lost);
  expect(await large.station.request('POST', orderPath('lost', 'launch/'))).toMatchObject({ status: 409 });
  expect((await large.station.get<Order>(orderPath('lost'))).launched_time).toBe(null);
  await addOrder(large.station, 'last', [...lost.slice(1), anItem({ seconds: 0 })]);
  const { status, body } = await large.station.request('POST', orderPath('last', 'launch/'));
  expect(status).toBe(200);
  const { items = [], unassigned } = body as Order;
  expect(unassigned).toHaveLength(MAX_ITEMS - 1);
  expect(items.filter(({ state }) => state === 'active').map(({ id }) => id)).toEqual([items.at(-1)?.id]);
  await expectCountsRight(large.station, 'last');
});

test('an older order with more lines than the limit is launched as a whole', async () => {
  const db = new Database(join(large.station.dataFolder, 'pickstation.sqlite'));
  db.exec(`
    INSERT INTO items (order_id, shipment_id, ordered_quantity, quantity_fulfilled, state, device_id, sku, is_guessed)
      SELECT order_id, shipment_id, ordered_quantity, quantity_fulfilled, state, device_id, 'more', is_guessed FROM items;
    UPDATE orders SET item_count = item_count * 2, ordered_quantity = ordered_quantity * 2;
    UPDATE shipments SET item_count = item_count * 2, ordered_quantity = ordered_quantity * 2`);
  db.close();
  expect(await act(['launch'])).toMatchObject({ status: 200 });
  expect(large.station.rows(LIT_FOR)).toEqual([{ ...GREEN, n: 2 * MAX_ITEMS }]);
  await expectCountsRight(large.station, 'big');
});

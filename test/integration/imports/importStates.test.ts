import { expect, test } from 'vitest';
import type { OrderImport } from '#shared/api/imports.ts';
import type { Order, OrderProgress } from '#shared/api/order.ts';
import { itemsOf } from '../../helpers/orders.ts';
import { API_KEY } from '../../helpers/startTestStation.ts';
import { useInbox } from './inboxRig.ts';

// States of orders in files: what is asked, and what is remembered for the inbox.
const inbox = useInbox();

const PAID = 'Order,SKU,Qty,Payment status\n';
const STATES = 'Order,SKU,Qty,Status\n';
const run = (csv: string, options: object = {}) =>
  inbox.station.post<OrderImport>('/api/imports/', { csv, ...options });
const outcomes = ({ rows }: OrderImport) => rows.map(({ outcome }) => outcome);

test('an unpaid order is refused with the remedy, and the answer is remembered for the inbox', async () => {
  await inbox.start();
  const first = await run(`${PAID}A1,M8,2,paid\nA2,M8,1,pending\n`);
  expect(first).toMatchObject({ asks_unpaid: true, asks_states: [] });
  expect(first.rows).toMatchObject([
    { outcome: 'new' },
    {
      outcome: 'refused',
      message: expect.stringContaining('It is not paid. Answer the question in the preview once, or say in unpaid'),
    },
  ]);
  await inbox.drop('1.csv', `${PAID}B1,M8,2,pending\nB2,M8,2,paid\n`);
  expect(inbox.folder.result('failed', '1.csv.result.csv')).toMatchObject([
    ['2', 'B1', 'refused', expect.stringContaining('unpaid')],
    ['3', 'B2', 'new', ''],
  ]);
  const answered = await run(`${PAID}A2,M8,1,pending\n`, { unpaid: 'leave_out' });
  expect([outcomes(answered), answered.asks_unpaid]).toEqual([['left_out'], false]);
  await inbox.drop('2.csv', `${PAID}C1,M8,2,pending\nC2,M8,2,paid\n`);
  expect(inbox.folder.result('done', '2.csv.result.csv')).toEqual([
    ['2', 'C1', 'left_out', 'It is not paid.'],
    ['3', 'C2', 'new', ''],
  ]);
  expect(outcomes(await run(`${PAID}C1,M8,1,pending\n`, { unpaid: 'pick' }))).toEqual(['new']);
  await inbox.drop('3.csv', `${PAID}D1,M8,2,pending\n`);
  expect(await inbox.numbers()).toEqual(['A1', 'B2', 'C1', 'C2', 'D1']);
});

test('a file with states that are not understood is refused as a whole, until states says what they mean', async () => {
  await inbox.start();
  const csv = `${STATES}A1,M8,2,open\nA2,M8,1,glurk\n`;
  const refused = await inbox.station.request('POST', '/api/imports/', { csv });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    400,
    expect.stringContaining('is not a known state; states can say what each means'),
  ]);
  await inbox.drop('1.csv', csv);
  expect(await inbox.numbers()).toEqual([]);
  const asked = await run(csv, { dry_run: true, columns: { Status: 'order_status' }, remembered: false });
  expect(asked).toMatchObject({ asks_states: [{ word: 'glurk', line: 3 }] });
  const answer = await fetch(
    new URL(`/api/imports/?states=${encodeURIComponent('{"glurk":"canceled"}')}`, inbox.station.url),
    { method: 'POST', headers: { 'api-key': API_KEY, 'content-type': 'text/csv' }, body: csv },
  );
  expect(outcomes((await answer.json()) as OrderImport)).toEqual(['new', 'left_out']);
  await inbox.drop('2.csv', `${STATES}B1,M8,2,GLURK\nB2,M8,1,open\n`);
  expect(await inbox.numbers()).toEqual(['A1', 'B2']);
});

test('a canceled line leaves an order that exists, also in the inbox', async () => {
  await inbox.start();
  await inbox.drop('1.csv', `${STATES}A1,M8,2,open\nA1,M9,1,open\n`);
  await inbox.drop('2.csv', `${STATES}A1,M8,2,canceled\nA1,M9,1,open\n`);
  expect((await itemsOf(inbox.station, 'A1')).map(({ SKU }) => SKU)).toEqual(['M9']);
  await inbox.drop('3.csv', `${STATES}A1,M8,2,canceled\nA1,M9,1,canceled\n`);
  expect(await inbox.station.get<Order>('/api/orders/A1/')).toMatchObject({
    state: 'aborted',
    ended_elsewhere: 'canceled',
  });
  expect(await inbox.station.get<OrderProgress[]>('/api/order-progress/?attention=1')).toEqual([]);
});

test.each([
  ['Canceled quantity', 'canceled'],
  ['Refunded quantity', 'refunded'],
  ['Shipped quantity', 'shipped'],
])('an order whose pieces are all in the column %s is %s', async (column, ends) => {
  await inbox.start();
  await run('Order,SKU,Qty\nA1,M8,2\n');
  await run(`Order,SKU,Qty,${column}\nA1,M8,2,2\n`);
  expect(await inbox.station.get<Order>('/api/orders/A1/')).toMatchObject({ state: 'aborted', ended_elsewhere: ends });
});

test('an order of which nothing is left to ship stays open, unless its pieces are shipped', async () => {
  await inbox.start();
  const head = 'Order,SKU,Qty,Qty to ship,Qty shipped\n';
  await run(`${head}A1,M8,2,2,0\nA2,M8,2,2,0\n`);
  await inbox.drop('1.csv', `${head}A1,M8,2,0,\nA2,M8,2,0,2\n`);
  expect(inbox.folder.result('done', '1.csv.result.csv')).toMatchObject([
    ['2', 'A1', 'left_out', 'Nothing of it is left to ship.'],
    ['3', 'A2', 'changed', expect.stringContaining('It is already shipped.')],
  ]);
  expect(await inbox.station.get<Order>('/api/orders/A1/')).toMatchObject({ state: 'open' });
  expect(await inbox.station.get<Order>('/api/orders/A2/')).toMatchObject({ ended_elsewhere: 'shipped' });
});

test('an order is on hold until a date, and is imported when the file is read again after it', async () => {
  await inbox.start();
  const until = new Date(inbox.station.clock.now() + 3_600_000).toISOString();
  const csv = `Order,SKU,Qty,Hold until\nA1,M8,2,${until}\nA2,M8,1,\n`;
  expect(outcomes(await run(csv, { columns: { 'Hold until': 'on_hold' } }))).toEqual(['left_out', 'new']);
  await inbox.drop('1.csv', csv);
  expect(await inbox.numbers()).toEqual(['A2']);
  await inbox.station.clock.advance(3_600_000);
  expect(outcomes(await run(csv))).toEqual(['new', 'known']);
});

test('a text in a column of cancellations that is neither yes nor no refuses its order, until states says what it means', async () => {
  await inbox.start();
  const csv = 'Order,SKU,Qty,Storniert\nA1,M8,2,nein\nA2,M8,1,Nein danke\nA3,M8,1,ja\n';
  const asked = await run(csv, { dry_run: true, columns: { Storniert: 'canceled_at' }, remembered: false });
  expect(asked).toMatchObject({ asks_states: [{ word: 'Nein danke', line: 3 }] });
  expect(outcomes(asked)).toEqual(['new', 'refused', 'left_out']);
  await inbox.drop('1.csv', csv);
  expect(await inbox.numbers()).toEqual([]);
  await run(csv, { states: { 'Nein danke': 'open' } });
  await inbox.drop('2.csv', csv.replaceAll('A', 'B'));
  expect((await inbox.numbers()).toSorted()).toEqual(['A1', 'A2', 'B1', 'B2']);
});

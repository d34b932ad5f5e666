import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderProgress } from '#shared/api/order.ts';
import type { LastOrderImport, OrderImport, OrderImportUndo } from '#shared/api/imports.ts';
import { MAX_ITEMS } from '#shared/lib/orders/orderLimits.ts';
import { addArticle } from '../../helpers/articles.ts';
import {
  addOrder,
  anItem,
  correct,
  getOrder,
  itemsOf,
  launch,
  ONE,
  orderPath,
  statesOf,
} from '../../helpers/orders.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 14: importing and exporting orders as files.
let station: TestStation;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-orders-'));
  station = await startTestStation({ simulate: 2, refreshMs: 0, dataFolder: folder });
});

afterEach(async () => {
  await station.stop();
  rmSync(folder, { recursive: true, force: true });
});

const HEAD = 'order_number,SKU,ordered_quantity,warehouse_location,deviceid';
const run = (csv: string, dry_run = false) => station.post<OrderImport>('/api/order-import/', { csv, dry_run });
const undo = (body: object = {}) => station.post<OrderImportUndo>('/api/order-import/undo/', body);
const last = () => station.request('GET', '/api/order-import/');
const numbers = async () =>
  (await station.get<OrderProgress[]>('/api/order-progress/')).map(({ order_number: number }) => number);

async function exported(query = ''): Promise<string> {
  const answer = await fetch(new URL(`/api/order-export/${query}`, station.url), { headers: { 'api-key': API_KEY } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  return Buffer.from(await answer.arrayBuffer()).toString('utf8');
}

test('refuses a SKU that lost its leading zeros, unless it is also a place, a barcode or an article', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: '7' });
  const skus = ['00123', '0042', '42', '007', '0815', '08150', '9'];
  for (const sku of skus) {
    await addArticle(station, sku, [], { barcodes: sku === '9' ? [{ code: '815' }] : [] });
  }
  const refusal = (sku: string, meant: string) => `There is no article ${sku}. Did you mean ${meant}?`;
  const { rows } = await run(
    [HEAD, ...['123', '42', '7', '815', '8150', '55', '12 3'].map((sku) => `order ${sku},${sku},1,,`)].join('\n'),
    true,
  );
  expect(rows.map(({ SKU, outcome, message }) => [SKU, outcome, message])).toEqual([
    ['123', 'refused', refusal('123', '00123')],
    ['42', 'new', ''],
    ['7', 'new', ''],
    ['815', 'new', ''],
    ['8150', 'refused', refusal('8150', '08150')],
    ['55', 'new', ''],
    ['12 3', 'new', ''],
  ]);
});

test('for a row without a place, the answer names the first device of the article, as a launch would', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-3-3' });
  await addArticle(station, 'M-1', [{ location: 'Cellar' }, { location: 'A-3-3' }]);
  await addArticle(station, 'M-2', [{ location: 'Cellar' }]);
  const { rows } = await run(`${HEAD}\na,M-1,1,,\nb,M-1,1,Elsewhere,\nc,M-2,1,,\nd,M-3,1,,\n`);
  expect(rows.map(({ outcome, deviceid }) => [outcome, deviceid])).toEqual([
    ['new', ONE],
    ['new', null],
    ['new', null],
    ['new', null],
  ]);
  await launch(station, 'a');
  expect((await itemsOf(station, 'a')).map(({ deviceid }) => deviceid)).toEqual([ONE]);
});

test('only the order of an invalid row is skipped, and a dry run reports the same without creating anything', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-3-3' });
  await addOrder(station, 'there', [anItem()]);
  const csv = [
    HEAD,
    `good,CT-1,2,A-3-3,`,
    `bad,CT-2,1,,`,
    `bad,CT-3,many,,`,
    `there,CT-4,1,,`,
    `good,CT-5,0,nowhere,`,
    `other,CT-6,1,,51d000:000001`,
  ].join('\r\n');
  const dry = await run(csv, true);
  expect(await numbers()).toEqual(['there']);
  expect(dry.rows.map(({ line, outcome, message, deviceid }) => [line, outcome, message, deviceid])).toEqual([
    [2, 'new', '', ONE],
    [3, 'held', 'Line 4 of this order is wrong: "many" is not a quantity. Give a whole number from 0 up.', null],
    [4, 'refused', '"many" is not a quantity. Give a whole number from 0 up.', null],
    [
      5,
      'refused',
      'Order there exists and did not come from a file, but the file has 1 × CT-4, and the order has 2 × Cable tie. Change the order itself, or remove it and import again.',
      null,
    ],
    [6, 'new', 'It orders 0 pieces: the item is done and never lit.', null],
    [7, 'new', '', ONE],
  ]);
  expect(dry).toMatchObject({ id: null, dry_run: true, counts: { orders: 2, new: 3, known: 0, held: 1, refused: 2 } });
  expect(await last()).toMatchObject({ status: 404 });

  const done = await run(csv);
  expect(done).toEqual({ ...dry, dry_run: false, id: 1 });
  expect(await numbers()).toEqual(['good', 'other', 'there']);
  expect(await itemsOf(station, 'good')).toMatchObject([
    { SKU: 'CT-1', ordered_quantity: 2, state: 'open' },
    { SKU: 'CT-5', ordered_quantity: 0, state: 'done' },
  ]);
  expect((await last()).body).toMatchObject({ id: 1, by: 'API key', counts: done.counts, undoable: 2 });
  // Importing the same file again creates nothing, and the first import can still be undone.
  expect(await run(csv)).toMatchObject({ id: null, counts: { orders: 0, known: 3 } });
  expect((await last()).body).toMatchObject({ id: 1, undoable: 2 });
});

test('an import written in several commits counts as one import', async () => {
  const rows = Array.from({ length: 120 }, (_, index) => `order-${index},CT-1,1,,`);
  expect(await run([HEAD, ...rows].join('\n'))).toMatchObject({ id: 1, counts: { orders: 120 } });
  expect((await last()).body).toMatchObject({ id: 1, undoable: 120 });
});

test('refuses an order with too many items as a whole', async () => {
  const rows = Array.from({ length: MAX_ITEMS + 1 }, () => 'long,CT-1,1,,');
  const { rows: outcomes, counts } = await run([HEAD, ...rows, 'short,CT-1,1,,'].join('\n'));
  expect(counts).toMatchObject({ orders: 1, new: 1, refused: MAX_ITEMS + 1 });
  const message = 'An order has at most 1,000 items. Split it into several orders.';
  expect(outcomes[0]).toMatchObject({ line: 2, outcome: 'refused', message });
  expect(await numbers()).toEqual(['short']);
});

test('after a restart, undo removes untouched orders, and lists those it keeps, with reasons', async () => {
  const rows = ['1', '2', '3', '4', '5', '6'].map((number) => `O-${number},CT-1,2,,${ONE}`);
  await run([HEAD, ...rows].join('\n'));
  await launch(station, 'O-1');
  await station.post(orderPath('O-2', 'abort/'));
  const [item] = await itemsOf(station, 'O-3');
  await correct(station, 'O-3', item?.id ?? 0, { quantity_fulfilled: 1 });
  await station.request('DELETE', orderPath('O-4'));
  await station.request('DELETE', orderPath('O-5'));
  await addOrder(station, 'O-5', [anItem()]);
  await station.stop();
  station = await startTestStation({ simulate: 2, refreshMs: 0, dataFolder: folder });
  expect((await last()).body).toMatchObject({ counts: { orders: 6 }, undoable: 1 } satisfies object as LastOrderImport);
  expect(await station.request('POST', '/api/order-import/undo/', { id: 99 })).toMatchObject({ status: 404 });
  expect(await undo({ id: 1 })).toEqual({
    undone: 1,
    kept: [
      { order_number: 'O-1', message: 'It was launched since.' },
      { order_number: 'O-2', message: 'It was aborted since.' },
      { order_number: 'O-3', message: 'It has pieces that were counted since.' },
    ],
  });
  expect(await numbers()).toEqual(['O-1', 'O-2', 'O-3', 'O-5']);
  expect(await statesOf(station, 'O-1')).toBe('in_progress: in_progress(active)');
  expect(await last()).toMatchObject({ status: 404 });
  expect(await station.request('POST', '/api/order-import/undo/')).toMatchObject({ status: 404 });
});

test('an export can be imported again, with formulas, quotes, line ends, shipments and places', async () => {
  const hostile = ['=1+2', '＝1+2', '－5', '+4', '-5', '@x', "'=y", 'a "quote", b;c\td', 'two\nlines', 'Zubehör 中'];
  await station.post('/api/orders/', {
    order_number: '=cmd()',
    color: 'g',
    seconds: 0,
    items: hostile.map((name, index) => ({
      name,
      SKU: `00${index}`,
      UPC: '0400',
      description: name,
      ordered_quantity: index,
      warehouse_location: name.replaceAll(/\p{Cc}/gu, ' '),
      deviceid: index === 0 ? ONE : undefined,
      callback_nonce: name,
    })),
  });
  await station.post('/api/orders/', {
    order_number: 'B',
    due_time: '2026-11-20T14:30:00.000Z',
    priority: 7,
    shipments: ['B', 'C'].map((shipment_number) => ({ shipment_number, items: [anItem()] })),
  });
  const before = await exported();
  expect(before.startsWith('\ufefforder_number,shipment_number,SKU,UPC,name,')).toBe(true);
  expect(before.split(/[\r\n,"]/).filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
  expect(await exported('?state=fulfilled')).toBe(before.split('\r\n')[0] + '\r\n');
  expect((await exported('?after=A')).split('\r\n')).toHaveLength(4);
  expect((await exported('?limit=1')).match(/B/g)).toBeNull();
  const orders = await station.get<object[]>('/api/orders/');
  for (const number of ['=cmd()', 'B']) await station.request('DELETE', orderPath(number));
  const { counts } = await run(before);
  expect(counts).toMatchObject({ orders: 2, new: 12, held: 0, refused: 0, left_out: 0 });
  expect(await exported()).toBe(before);
  const plain = (all: object) => JSON.stringify(all).replaceAll(/"id":\d+/g, '"id":0');
  expect(plain(await station.get<object[]>('/api/orders/'))).toBe(plain(orders));
  // The export contains no device for an item, even if it was lit.
  await launch(station, 'B');
  expect(await exported()).toBe(before);
});

test('a file that cannot be parsed gets 400 with the reason, and creates nothing', async () => {
  const files = [
    ['a quote that is never closed', `${HEAD}\na,"b,1,,`, 'line 2 is not closed'],
    ['column names alone', HEAD, 'no items'],
    ['an empty file', '', 'empty'],
    ['a column that is missing', 'order_number,SKU\na,b', 'order_number, ordered_quantity'],
    ['too many rows', `${HEAD}\n${'a,b,1,,\n'.repeat(10_001)}`, '10,000 lines'],
  ];
  for (const [what, csv, message = ''] of files) {
    const answer = await station.request('POST', '/api/order-import/', { csv });
    expect(answer, what).toMatchObject({ status: 400, body: { code: 'invalid', errors: [{ path: '/csv' }] } });
    expect((answer.body as { detail: string }).detail).toContain(message);
  }
  expect(await numbers()).toEqual([]);
});

test('if an error affects a whole order, all its rows are refused', async () => {
  const csv = 'order,sku,qty,seconds\n..,a,1,\nlong,a,1,9999999\nlong,b,1,\nfine,c,1,5';
  const { rows, counts } = await run(csv);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'refused', 'new']);
  expect(rows[1]?.message).toContain('2592000');
  expect(counts).toMatchObject({ orders: 1, new: 1, known: 0, held: 0, refused: 3 });
  expect(await getOrder(station, 'fine')).toMatchObject({ seconds: 5 });
});

test('imports ten thousand rows and undoes the import', async () => {
  const rows = Array.from({ length: 10_000 }, (_, row) => `N-${Math.floor(row / 4)},CT-${row},1,,${ONE}`);
  const { counts } = await run([HEAD, ...rows].join('\n'));
  expect(counts).toMatchObject({ orders: 2_500, new: 10_000 });
  expect(await undo()).toEqual({ undone: 2_500, kept: [] });
  expect(await numbers()).toEqual([]);
});

test('the sample files in the documentation can be imported into a station without places', async () => {
  const [, printed = ''] = /```csv\n(order_number;[^`]+)```/.exec(readFileSync('docs/orders.md', 'utf8')) ?? [];
  for (const csv of [printed, readFileSync('docs/examples/orders.csv', 'utf8')]) {
    const { questions, ignored, counts } = await run(csv, true);
    expect({ questions, ignored, refused: counts.refused }).toEqual({ questions: [], ignored: [], refused: 0 });
    expect(counts.new, csv).toBeGreaterThan(0);
  }
});

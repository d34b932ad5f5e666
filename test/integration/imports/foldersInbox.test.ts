import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AnyImport } from '#shared/api/imports.ts';
import type { Order } from '#shared/api/order.ts';
import { itemsOf } from '../../helpers/orders.ts';
import { UNWATCHED_FOLDERS } from '../../helpers/startTestStation.ts';
import { changedFolders } from '../../helpers/files/changedFolders.ts';
import { CSV, TAKEN_MS, useInbox } from './inboxRig.ts';

const DAY_MS = 24 * 60 * 60_000;

const inbox = useInbox();

test('a CSV file becomes orders and moves to done, with a result file that has a row per line', async () => {
  await inbox.start();
  await inbox.drop('orders.csv', CSV);
  expect(await inbox.numbers()).toEqual(['SO-1', 'SO-2']);
  expect((await inbox.station.get<Order>('/api/orders/SO-1/')).items).toMatchObject([
    { SKU: 'CT-200', ordered_quantity: 5, warehouse_location: 'A-1-1' },
    { SKU: 'CT-300', ordered_quantity: 2, warehouse_location: 'A-1-2' },
  ]);
  expect(inbox.folder.names()).toEqual(['done', 'failed']);
  expect(inbox.folder.names('done')).toEqual(['orders.csv', 'orders.csv.result.csv']);
  expect(inbox.folder.result('done', 'orders.csv.result.csv')).toEqual([
    ['2', 'SO-1', 'new', ''],
    ['3', 'SO-1', 'new', ''],
    ['4', 'SO-2', 'new', ''],
  ]);
  expect(await inbox.status()).toMatchObject({
    state: 'watching',
    problem: null,
    last: { name: 'orders.csv', outcome: 'done', orders: 2 },
  });
  expect(await inbox.alerts('file_refused')).toEqual([]);
});

test('the example file in the documentation produces the documented result', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/folders.md'), 'utf8');
  const [file = '', result = ''] = [...page.matchAll(/```csv\n([\s\S]*?)```/g)].map(([, text]) => text ?? '');
  await inbox.start();
  await inbox.drop('monday.csv', file);
  const written = readFileSync(join(inbox.folder.path, 'failed', 'monday.csv.result.csv'), 'utf8');
  expect(written.slice(1).replaceAll('\r\n', '\n')).toBe(result);
});

test('only the order of an invalid row is skipped; the file moves to failed, with an alert until it is removed', async () => {
  await inbox.start();
  await inbox.drop('mixed.csv', CSV.replace('A-1-2,2', 'A-1-2,many'));
  expect(await inbox.numbers()).toEqual(['SO-2']);
  expect(inbox.folder.result('failed', 'mixed.csv.result.csv')).toEqual([
    ['2', 'SO-1', 'held', expect.stringContaining('Line 3 of this order is wrong')],
    ['3', 'SO-1', 'refused', '"many" is not a quantity. Give a whole number from 0 up.'],
    ['4', 'SO-2', 'new', ''],
  ]);
  expect(await inbox.alerts('file_refused')).toEqual([
    expect.stringContaining('mixed.csv: Line 3: "many" is not a quantity.'),
  ]);
  await inbox.station.restart();
  await inbox.station.clock.advance(TAKEN_MS);
  expect(await inbox.alerts('file_refused')).toHaveLength(1);
  rmSync(join(inbox.folder.path, 'failed', 'mixed.csv'));
  await inbox.station.clock.advance(TAKEN_MS);
  expect(await inbox.alerts('file_refused')).toEqual([]);
});

test('reads JSON as in an HTTP request: one order or a list, with numbers as text and empty fields', async () => {
  await inbox.start();
  await inbox.drop(
    'one.json',
    JSON.stringify({ order_number: 'J-1', items: [{ SKU: 4711, ordered_quantity: '3', UPC: '' }] }),
  );
  expect((await inbox.station.get<Order>('/api/orders/J-1/')).items).toMatchObject([
    { SKU: '4711', ordered_quantity: 3 },
  ]);
  await inbox.drop(
    'list.JSON',
    JSON.stringify([
      { order_number: 'J-2', items: [] },
      { order_number: 'J-3', items: [{ ordered_quantity: -1 }] },
      { order_number: 'J-1', items: [] },
    ]),
  );
  expect(await inbox.numbers()).toEqual(['J-1', 'J-2']);
  expect(inbox.folder.names('done')).toEqual(['one.json', 'one.json.result.csv']);
  expect(inbox.folder.result('failed', 'list.JSON.result.csv')).toEqual([
    ['1', 'J-2', 'new', ''],
    ['2', 'J-3', 'refused', expect.stringContaining('/items/0/ordered_quantity')],
    ['3', 'J-1', 'refused', expect.stringContaining('does not have 3 × 4711 of order J-1')],
  ]);
});

test('reads XML as in an HTTP request: one order or a list', async () => {
  await inbox.start();
  const order = (number: string) =>
    `<order><order_number>${number}</order_number><items><item><SKU>0815</SKU><ordered_quantity>2</ordered_quantity></item></items></order>`;
  await inbox.drop('one.xml', order('X-1'));
  await inbox.drop('list.xml', `<?xml version="1.0"?><orders>${order('X-2')}${order('X-3')}</orders>`);
  expect(await inbox.numbers()).toEqual(['X-1', 'X-2', 'X-3']);
  expect((await inbox.station.get<Order>('/api/orders/X-3/')).items).toMatchObject([
    { SKU: '0815', ordered_quantity: 2 },
  ]);
});

test('a file that may have only a part of an order is refused, and a changed order says what it loses', async () => {
  await inbox.start();
  const HEAD = 'order,sku,qty\n';
  const linesOf = async (order: string) =>
    (await itemsOf(inbox.station, order)).map(({ SKU, ordered_quantity: pieces }) => `${pieces} ${SKU}`);
  await inbox.drop('1.csv', `${HEAD}S1,K-1,5\nS1,K-2,2\nS2,K-1,1\n`);
  // A second part of an order, which has none of its lines, does not replace the first.
  await inbox.drop('2.csv', `${HEAD}S1,K-3,4\nS2,K-1,1\n`);
  expect(await linesOf('S1')).toEqual(['5 K-1', '2 K-2']);
  expect(readFileSync(join(inbox.folder.path, 'failed/2.csv.result.csv'), 'utf8')).toContain(
    '2,S1,refused,"The file does not have 5 × K-1 and 2 × K-2 of order S1',
  );
  await inbox.drop('3.csv', `${HEAD}S1,K-3,4\nS1,K-1,5\nS2,K-1,1\n`);
  expect(await linesOf('S1')).toEqual(['4 K-3', '5 K-1']);
  expect(readFileSync(join(inbox.folder.path, 'done/3.csv.result.csv'), 'utf8')).toContain(
    '2,S1,changed,The file removes 2 × K-2 from the order.',
  );
  await inbox.drop('4.csv', `${HEAD}S1,K-1,5\nS2,K-1,2\n`);
  expect(await linesOf('S1')).toEqual(['4 K-3', '5 K-1']);
  expect(await linesOf('S2')).toEqual(['2 K-1']);
  const result = readFileSync(join(inbox.folder.path, 'failed/4.csv.result.csv'), 'utf8');
  expect(result).toContain('2,S1,refused,"The file does not have 4 × K-3 of order S1');
  expect(result).toContain('3,S2,changed,');
  await inbox.drop('5.json', JSON.stringify({ order_number: 'S1', items: [{ SKU: 'K-1', ordered_quantity: 5 }] }));
  expect(await linesOf('S1')).toEqual(['4 K-3', '5 K-1']);
  // Fewer pieces of a line are a change. Over the API and on the page, a person sees what the change removes.
  await inbox.drop('6.csv', `${HEAD}S1,K-3,1\nS1,K-1,5\n`);
  expect(await linesOf('S1')).toEqual(['1 K-3', '5 K-1']);
  const { rows } = await inbox.station.post<AnyImport>('/api/imports/', { csv: `${HEAD}S1,K-1,5\n` });
  expect(rows).toMatchObject([{ outcome: 'changed', message: 'The file removes 1 × K-3 from the order.' }]);
  expect(await linesOf('S1')).toEqual(['5 K-1']);
});

test('a changed order says which of its fields the file no longer has', async () => {
  await inbox.start();
  const HEAD = 'order,sku,qty,customer,due_time,note\n';
  await inbox.drop('1.csv', `${HEAD}S1,K-1,5,Acme,2027-01-05,Gift\n`);
  await inbox.drop('2.csv', `${HEAD}S1,K-1,4,,,Gift\n`);
  expect(readFileSync(join(inbox.folder.path, 'done/2.csv.result.csv'), 'utf8')).toContain(
    '2,S1,changed,"The file removes 1 × K-1, the due time, and the customer from the order."',
  );
  await inbox.drop('3.csv', 'order,sku,qty\nS1,K-1,4\n');
  expect(readFileSync(join(inbox.folder.path, 'done/3.csv.result.csv'), 'utf8')).toContain(
    '2,S1,changed,The file removes the note from the order.',
  );
});

test('reads a file with the options of the latest import that had the same columns', async () => {
  await inbox.start();
  const csv = 'order_number,SKU,Amount\n1,M8,2\n';
  await inbox.drop('before.csv', csv);
  expect(inbox.folder.names('failed')).toEqual(['before.csv', 'before.csv.result.csv']);
  const columns = { Amount: 'ordered_quantity' };
  await inbox.station.post('/api/imports/', { csv, columns, order_prefix: 'A-' });
  await inbox.drop('after.csv', csv.replace('1,M8', '2,M8'));
  expect(await inbox.numbers()).toEqual(['A-1', 'A-2']);
});

test('a file that is not Unicode is refused, or is read in the encoding from the settings', async () => {
  await inbox.start();
  await inbox.drop('guess.csv', Buffer.from('order;name;qty\r\nSO-1;M\xfctze;2\r\n', 'latin1'));
  expect(inbox.folder.result('failed', 'guess.csv.result.csv')).toEqual([
    ['', '', 'refused', expect.stringContaining('UTF-8')],
  ]);
  await inbox.station.patch('/api/settings/', { file_encoding: 'windows-1252' });
  await inbox.drop('excel.csv', Buffer.from('order;name;qty\r\nSO-1;M\xfctze;2\r\n', 'latin1'));
  expect((await inbox.station.get<Order>('/api/orders/SO-1/')).items).toMatchObject([
    { name: 'Mütze', ordered_quantity: 2 },
  ]);
});

test.for([
  ['a backslash', 'a\\b.csv'],
  ['248 bytes', `${'n'.repeat(244)}.csv`],
  ['255 bytes', `${'\u00fc'.repeat(125)}n.csv`],
  ['a percent sign and quotes', '%2e%2e"\'.csv'],
] as const)('imports a file whose name contains %s, and the files after it', async ([, name]) => {
  await inbox.start();
  writeFileSync(join(inbox.folder.path, name), 'order,sku,qty\nSO-8,a,1\n');
  await inbox.drop('next.csv', 'order,sku,qty\nSO-9,a,1\n');
  expect(await inbox.numbers()).toEqual(['SO-8', 'SO-9']);
  expect(inbox.folder.names()).toEqual(['done', 'failed']);
  expect(inbox.folder.names('done')).toHaveLength(4);
  expect(await inbox.status()).toMatchObject({ state: 'watching' });
  await inbox.drop(name, 'order,sku,qty\nSO-8,a,1\n');
  expect(inbox.folder.names('failed')).toHaveLength(2);
});

test('leaves a file alone until it stops growing', async () => {
  await inbox.start();
  const path = join(inbox.folder.path, 'slow.csv');
  writeFileSync(path, CSV.slice(0, 80));
  for (let second = 0; second < 20; second += 1) {
    await inbox.station.clock.advance(1_000);
    appendFileSync(path, '\n');
  }
  expect(inbox.folder.names()).toContain('slow.csv');
  expect(await inbox.numbers()).toEqual([]);
  writeFileSync(path, CSV);
  await inbox.station.clock.advance(2_400);
  expect(inbox.folder.names()).toContain('slow.csv');
  await inbox.station.clock.advance(TAKEN_MS);
  expect(await inbox.numbers()).toEqual(['SO-1', 'SO-2']);
  expect(inbox.folder.names('done')).toEqual(['slow.csv', 'slow.csv.result.csv']);
});

test('leaves a file alone twice as long if its last line has no end', async () => {
  await inbox.start();
  const path = join(inbox.folder.path, 'open.csv');
  writeFileSync(path, CSV.trimEnd());
  writeFileSync(join(inbox.folder.path, 'ended.csv'), 'order,sku,qty\nE-1,a,1\n');
  await inbox.station.clock.advance(10_000);
  await inbox.station.clock.advance(3_500);
  expect(await inbox.numbers()).toEqual(['E-1']);
  appendFileSync(path, '2\n');
  await inbox.station.clock.advance(TAKEN_MS);
  expect(await inbox.numbers()).toEqual(['E-1', 'SO-1', 'SO-2']);
  expect((await itemsOf(inbox.station, 'SO-2'))[0]).toMatchObject({ ordered_quantity: 12 });
  await inbox.drop('whole.csv', 'order,sku,qty\nW-1,a,1');
  expect(await inbox.numbers()).toContain('W-1');
});

test('a file that grows in done or failed is imported as a new file, or an alert says what is missing', async () => {
  await inbox.start();
  const done = (name: string) => join(inbox.folder.path, 'done', name);
  /** A program that keeps the file open, wherever it is moved. */
  const writer = openSync(join(inbox.folder.path, 'slow.csv'), 'a');
  const pieces = async (order: string) =>
    (await itemsOf(inbox.station, order)).map(({ ordered_quantity: quantity }) => quantity);
  writeSync(writer, 'order,sku,qty\nS-1,a,1\nS-2,b,1');
  await inbox.station.clock.advance(2 * TAKEN_MS);
  expect(await pieces('S-2')).toEqual([1]);
  writeSync(writer, '2\nS-2,c,3\nS-3,');
  await inbox.station.clock.advance(1_000);
  writeSync(writer, 'd,4\n');
  await inbox.station.clock.advance(2 * TAKEN_MS);
  expect([await pieces('S-1'), await pieces('S-2'), await pieces('S-3')]).toEqual([[1], [12, 3], [4]]);
  expect(inbox.folder.names('done')).toEqual(['slow (2).csv', 'slow (2).csv.result.csv', 'slow.csv.result.csv']);
  // Somebody has started the order.
  await inbox.station.post('/api/orders/S-3/launch/', { picker: 'admin' });
  writeSync(writer, 'S-3,e,5\n');
  closeSync(writer);
  await inbox.station.clock.advance(2 * TAKEN_MS);
  expect(await pieces('S-3')).toEqual([4]);
  expect(await inbox.alerts('file_refused')).toEqual([expect.stringContaining('the file also has 5 × e')]);
  // A file in failed grows, too. A correction in its place is not a growth.
  const failed = (name: string) => join(inbox.folder.path, 'failed', name);
  await inbox.drop('cut.csv', 'order,sku,qty\nC-1,a,\n');
  writeFileSync(failed('cut.csv'), 'order,sku,qty\nC-1,a,17\n');
  await inbox.station.clock.advance(2 * TAKEN_MS);
  expect(await inbox.numbers()).not.toContain('C-1');
  await inbox.drop('next.csv', 'order,sku,qty\nN-1,a,');
  appendFileSync(failed('next.csv'), '6\n');
  await inbox.station.clock.advance(2 * TAKEN_MS);
  expect(await pieces('N-1')).toEqual([6]);
  // Ten minutes later, it no longer counts.
  await inbox.station.clock.advance(10 * 60_000);
  appendFileSync(done('next.csv'), 'N-2,a,1\n');
  await inbox.station.clock.advance(2 * TAKEN_MS);
  expect(await inbox.numbers()).not.toContain('N-2');
});

test('a file that grows after a restart is imported again, in done, in failed and in a subfolder', async () => {
  await inbox.start();
  mkdirSync(join(inbox.folder.path, 'articles'));
  const moved = (name: string) => join(inbox.folder.path, name);
  await inbox.drop('slow.csv', 'order,sku,qty\nS-1,a,1\n');
  await inbox.drop('cut.csv', 'order,sku,qty\nC-1,a,');
  await inbox.drop('articles/list.csv', 'sku,name\na,Tie\n');
  await inbox.station.restart();
  appendFileSync(moved('done/slow.csv'), 'S-2,b,2\n');
  appendFileSync(moved('failed/cut.csv'), '7\n');
  appendFileSync(moved('articles/done/list.csv'), 'b,Bag\n');
  await inbox.station.clock.advance(2 * TAKEN_MS);
  expect(await inbox.numbers()).toEqual(['C-1', 'S-1', 'S-2']);
  expect(await inbox.station.get('/api/articles/b/')).toMatchObject({ name: 'Bag' });
  // Ten minutes after the move, it no longer counts, even after a restart.
  expect(inbox.folder.names('done')).toContain('slow (2).csv');
  await inbox.station.clock.advance(9 * 60_000);
  await inbox.station.restart();
  await inbox.station.clock.advance(60_000);
  appendFileSync(moved('done/slow (2).csv'), 'S-3,b,2\n');
  await inbox.station.clock.advance(2 * TAKEN_MS);
  expect(await inbox.numbers()).not.toContain('S-3');
});

test('refuses the same content within 7 days and names the earlier file, but imports it again later', async () => {
  await inbox.start();
  await inbox.drop('monday.csv', CSV);
  await inbox.drop('tuesday.csv', CSV);
  expect(inbox.folder.result('failed', 'tuesday.csv.result.csv')).toEqual([
    ['', '', 'refused', expect.stringContaining('The same content was imported as monday.csv on 20')],
  ]);
  for (const number of await inbox.numbers()) await inbox.station.request('DELETE', `/api/orders/${number}/`);
  inbox.station.clock.jump(7 * DAY_MS);
  await inbox.drop('monday.csv', CSV);
  expect(await inbox.numbers()).toEqual(['SO-1', 'SO-2']);
  expect(inbox.folder.names('done')).toEqual([
    'monday (2).csv',
    'monday (2).csv.result.csv',
    'monday.csv',
    'monday.csv.result.csv',
  ]);
});

test('a file whose name is already used in done or failed gets a number in its name', async () => {
  await inbox.start();
  for (let copy = 0; copy < 5; copy += 1) await inbox.drop('orders.csv', `order,sku,qty\nSO-${copy},a,1\n`);
  const files = inbox.folder.names('done').filter((name) => !name.endsWith('.result.csv'));
  expect(files).toEqual(['orders (2).csv', 'orders (3).csv', 'orders (4).csv', 'orders (5).csv', 'orders.csv']);
});

test('does not import a file twice if the shared folder disappears before the file is moved', async () => {
  let isAway = false;
  const folders = changedFolders(({ move }) => ({
    move: (...args) =>
      isAway ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'rename' })) : move(...args),
  }));
  await inbox.start({ folders });
  isAway = true;
  await inbox.drop('orders.csv', CSV);
  expect(await inbox.numbers()).toEqual(['SO-1', 'SO-2']);
  expect(await inbox.status()).toMatchObject({
    state: 'failing',
    problem: `${inbox.folder.path} does not answer. Check its drive or share.`,
  });
  await inbox.station.request('DELETE', '/api/orders/SO-2/');
  isAway = false;
  await inbox.station.clock.advance(TAKEN_MS);
  expect(await inbox.numbers()).toEqual(['SO-1']);
  expect(inbox.folder.names('done')).toEqual(['orders.csv', 'orders.csv.result.csv']);
  expect(inbox.folder.result('done', 'orders.csv.result.csv').map((row) => row[2])).toEqual(['new', 'new', 'new']);
});

test('watches the folder only while it is configured', async () => {
  const watched: string[] = [];
  const folders = {
    ...UNWATCHED_FOLDERS,
    watch: (folder: string) => {
      watched.push(folder);
      return () => void watched.push(`not ${folder}`);
    },
  };
  await inbox.startWithout({ folders });
  await inbox.station.clock.advance(60_000);
  expect(watched).toEqual([]);
  await inbox.station.patch('/api/settings/', { inbox_folder: inbox.folder.path });
  await inbox.station.patch('/api/settings/', { inbox_folder: '' });
  await inbox.drop('orders.csv', CSV);
  expect(watched).toEqual([inbox.folder.path, `not ${inbox.folder.path}`]);
  expect(inbox.folder.names()).toContain('orders.csv');
  expect(await inbox.status()).toEqual({ state: 'off', problem: null, last: null });
});

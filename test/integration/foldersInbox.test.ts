import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { FoldersStatus } from '#shared/api/folders.ts';
import type { Order, OrderProgress } from '#shared/api/order.ts';
import { MAX_ITEMS } from '#shared/lib/orderLimits.ts';
import {
  startTestStation,
  UNWATCHED_FOLDERS,
  type TestStation,
  type TestStationOptions,
} from '../helpers/startTestStation.ts';
import { changedFolders } from '../helpers/changedFolders.ts';
import { shopFolder } from '../helpers/shopFolder.ts';

/** Longer than a complete file waits for its import. */
const TAKEN_MS = 15_000;
const DAY_MS = 24 * 60 * 60_000;
const CSV =
  'order_number,SKU,name,warehouse_location,ordered_quantity\nSO-1,CT-200,Cable tie,A-1-1,5\nSO-1,CT-300,Cable tie,A-1-2,2\nSO-2,CT-200,Cable tie,A-1-1,1\n';

let shop: ReturnType<typeof shopFolder>;
let station: TestStation;

beforeEach(() => void (shop = shopFolder()));
afterEach(async () => {
  await station.stop();
  shop[Symbol.dispose]();
});

async function start(options: TestStationOptions = {}): Promise<void> {
  station = await startTestStation(options);
  await station.patch('/api/settings/', { inbox_folder: shop.path });
}

async function drop(name: string, content: string | Uint8Array): Promise<void> {
  writeFileSync(join(shop.path, name), content);
  await station.clock.advance(TAKEN_MS);
}

const numbers = async (): Promise<string[]> =>
  (await station.get<OrderProgress[]>('/api/order-progress/')).map(({ order_number }) => order_number);
const status = async () => (await station.get<FoldersStatus>('/api/folders/')).inbox;
const alerts = async (kind: Alert['kind']): Promise<(string | null)[]> =>
  (await station.get<Alert[]>('/api/alerts/')).filter((alert) => alert.kind === kind).map(({ problem }) => problem);

test('a CSV file becomes orders and moves to done, with a result for each line', async () => {
  await start();
  await drop('orders.csv', CSV);
  expect(await numbers()).toEqual(['SO-1', 'SO-2']);
  expect((await station.get<Order>('/api/orders/SO-1/')).items).toMatchObject([
    { SKU: 'CT-200', ordered_quantity: 5, warehouse_location: 'A-1-1' },
    { SKU: 'CT-300', ordered_quantity: 2, warehouse_location: 'A-1-2' },
  ]);
  expect(shop.names()).toEqual(['done', 'failed']);
  expect(shop.names('done')).toEqual(['orders.csv', 'orders.csv.result.csv']);
  expect(shop.result('done', 'orders.csv.result.csv')).toEqual([
    ['2', 'SO-1', 'new', ''],
    ['3', 'SO-1', 'new', ''],
    ['4', 'SO-2', 'new', ''],
  ]);
  expect(await status()).toMatchObject({
    state: 'watching',
    problem: null,
    last: { name: 'orders.csv', outcome: 'done', orders: 2 },
  });
  expect(await alerts('file_refused')).toEqual([]);
});

test('the example file in the documentation gives the documented result', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/folders.md'), 'utf8');
  const [file = '', result = ''] = [...page.matchAll(/```csv\n([\s\S]*?)```/g)].map(([, text]) => text ?? '');
  await start();
  await drop('monday.csv', file);
  const written = readFileSync(join(shop.path, 'failed', 'monday.csv.result.csv'), 'utf8');
  expect(written.slice(1).replaceAll('\r\n', '\n')).toBe(result);
});

test('a wrong row excludes only its order; the file moves to failed, with an alert until it is removed', async () => {
  await start();
  await drop('mixed.csv', CSV.replace('A-1-2,2', 'A-1-2,many'));
  expect(await numbers()).toEqual(['SO-2']);
  expect(shop.result('failed', 'mixed.csv.result.csv')).toEqual([
    ['2', 'SO-1', 'held', expect.stringContaining('Line 3 of this order is wrong')],
    ['3', 'SO-1', 'refused', '"many" is not a quantity. Give a whole number from 0 up.'],
    ['4', 'SO-2', 'new', ''],
  ]);
  expect(await alerts('file_refused')).toEqual([
    expect.stringContaining('mixed.csv: Line 3: "many" is not a quantity.'),
  ]);
  await station.restart();
  await station.clock.advance(TAKEN_MS);
  expect(await alerts('file_refused')).toHaveLength(1);
  rmSync(join(shop.path, 'failed', 'mixed.csv'));
  await station.clock.advance(TAKEN_MS);
  expect(await alerts('file_refused')).toEqual([]);
});

test('reads JSON as over HTTP: one order or a list, with numbers as text and empty fields', async () => {
  await start();
  await drop(
    'one.json',
    JSON.stringify({ order_number: 'J-1', items: [{ SKU: 4711, ordered_quantity: '3', UPC: '' }] }),
  );
  expect((await station.get<Order>('/api/orders/J-1/')).items).toMatchObject([{ SKU: '4711', ordered_quantity: 3 }]);
  await drop(
    'list.JSON',
    JSON.stringify([
      { order_number: 'J-2', items: [] },
      { order_number: 'J-3', items: [{ ordered_quantity: -1 }] },
      { order_number: 'J-1', items: [] },
    ]),
  );
  expect(await numbers()).toEqual(['J-1', 'J-2']);
  expect(shop.names('done')).toEqual(['one.json', 'one.json.result.csv']);
  expect(shop.result('failed', 'list.JSON.result.csv')).toEqual([
    ['1', 'J-2', 'new', ''],
    ['2', 'J-3', 'refused', expect.stringContaining('/items/0/ordered_quantity')],
    ['3', 'J-1', 'changed', ''],
  ]);
});

test('reads a file like the latest import with the same columns', async () => {
  await start();
  const csv = 'order_number,SKU,Amount\n1,M8,2\n';
  await drop('before.csv', csv);
  expect(shop.names('failed')).toEqual(['before.csv', 'before.csv.result.csv']);
  const columns = { Amount: 'ordered_quantity' };
  await station.post('/api/imports/', { csv, columns, order_prefix: 'A-' });
  await drop('after.csv', csv.replace('1,M8', '2,M8'));
  expect(await numbers()).toEqual(['A-1', 'A-2']);
});

test('refuses an order with too many items, and imports the others of the file', async () => {
  await start();
  const items = Array.from({ length: MAX_ITEMS + 1 }, () => ({ SKU: 'CT-1', ordered_quantity: 1 }));
  const long = { order_number: 'J-1', items };
  await drop('long.json', JSON.stringify([long, { order_number: 'J-2', items: items.slice(1) }]));
  const rows = items.map(() => 'C-1,CT-1,1');
  await drop('long.csv', ['order_number,SKU,ordered_quantity', ...rows, 'C-2,CT-1,1'].join('\n'));
  expect(await numbers()).toEqual(['C-2', 'J-2']);
  const reason = expect.stringContaining('An order has at most 1,000 items. Split it into several orders.');
  expect(shop.result('failed', 'long.json.result.csv')).toEqual([
    ['1', 'J-1', 'refused', reason],
    ['2', 'J-2', 'new', ''],
  ]);
  const results = shop.result('failed', 'long.csv.result.csv');
  expect(results[0]).toEqual(['2', 'C-1', 'refused', reason]);
  expect(results.at(-1)).toEqual([String(MAX_ITEMS + 3), 'C-2', 'new', '']);
});

test('reads XML as over HTTP: one order or a list', async () => {
  await start();
  const order = (number: string) =>
    `<order><order_number>${number}</order_number><items><item><SKU>0815</SKU><ordered_quantity>2</ordered_quantity></item></items></order>`;
  await drop('one.xml', order('X-1'));
  await drop('list.xml', `<?xml version="1.0"?><orders>${order('X-2')}${order('X-3')}</orders>`);
  expect(await numbers()).toEqual(['X-1', 'X-2', 'X-3']);
  expect((await station.get<Order>('/api/orders/X-3/')).items).toMatchObject([{ SKU: '0815', ordered_quantity: 2 }]);
});

test.each([
  ['broken.json', '{"order_number": "J-1", ', 'The file is not JSON: line 1, column 25: '],
  ['broken.xml', '<order><a></order>', 'The file is not XML: '],
  ['latin.json', Buffer.from('{"order_number": "M\xfcller"}', 'latin1'), 'The file is not UTF-8. Save it as UTF-8.'],
  ['table.csv', Buffer.from('PK\u0003\u0004\u0000\u0000'), 'The workbook is damaged or incomplete'],
  ['stock.csv', 'shelf,pieces\nA,1\n', 'No column names were found.'],
  ['empty.csv', '', 'The file is empty.'],
  ['none.json', '[]', 'The file has no orders.'],
  ['photo.png', 'x', 'Only files that end in .csv, .tsv, .txt, .xlsx, .json or .xml are imported.'],
])('%s moves to failed with one message', async (name, content, reason) => {
  await start();
  await drop(name, content);
  expect(shop.names('failed')).toEqual([name, `${name}.result.csv`]);
  expect(shop.result('failed', `${name}.result.csv`)).toEqual([['', '', 'refused', expect.stringContaining(reason)]]);
  expect(await alerts('file_refused')).toEqual([expect.stringContaining(reason)]);
  expect(await numbers()).toEqual([]);
});

test('a file that is not Unicode is refused, or read in the encoding of the settings', async () => {
  await start();
  await drop('guess.csv', Buffer.from('order;name;qty\r\nSO-1;M\xfctze;2\r\n', 'latin1'));
  expect(shop.result('failed', 'guess.csv.result.csv')).toEqual([
    ['', '', 'refused', expect.stringContaining('UTF-8')],
  ]);
  await station.patch('/api/settings/', { file_encoding: 'windows-1252' });
  await drop('excel.csv', Buffer.from('order;name;qty\r\nSO-1;M\xfctze;2\r\n', 'latin1'));
  expect((await station.get<Order>('/api/orders/SO-1/')).items).toMatchObject([{ name: 'Mütze', ordered_quantity: 2 }]);
});

test('refuses a file of 1 GB by its size, without reading it', async () => {
  const read: string[] = [];
  const folders = changedFolders((folder) => ({
    read(name, limit) {
      read.push(name);
      return folder.read(name, limit);
    },
  }));
  await start({ folders });
  writeFileSync(join(shop.path, 'huge.csv'), '');
  truncateSync(join(shop.path, 'huge.csv'), 1024 ** 3);
  await station.clock.advance(TAKEN_MS);
  expect(shop.result('failed', 'huge.csv.result.csv')).toEqual([
    ['', '', 'refused', 'The file is larger than 16 MiB. Split it.'],
  ]);
  expect(read).toEqual([]);
});

test('refuses a document of more than 4 MiB, and reads one of 4 MiB', async () => {
  await start();
  const padded = (number: string, bytes: number) =>
    JSON.stringify({ order_number: number, items: [{ SKU: 'a', ordered_quantity: 1 }] }).padEnd(bytes);
  const most = 4 * 1024 * 1024;
  await drop('most.json', padded('SO-1', most));
  await drop('more.json', padded('SO-2', most + 1));
  expect(await numbers()).toEqual(['SO-1']);
  expect(shop.result('failed', 'more.json.result.csv')).toEqual([
    ['', '', 'refused', 'A file of JSON or XML has at most 4 MiB. Split it.'],
  ]);
});

test('refuses links, and leaves folders and unfinished files alone', async () => {
  await start();
  mkdirSync(join(shop.path, 'archive'));
  for (const name of [
    '.hidden.csv',
    '~$orders.csv',
    'orders.csv.tmp',
    'a.part',
    'b.CRDOWNLOAD',
    'old.csv.result.csv',
    'Thumbs.db',
  ]) {
    writeFileSync(join(shop.path, name), CSV);
  }
  symlinkSync('/etc/hostname', join(shop.path, 'link.csv'));
  await station.clock.advance(TAKEN_MS);
  expect(shop.names()).toEqual([
    '.hidden.csv',
    'Thumbs.db',
    'a.part',
    'archive',
    'b.CRDOWNLOAD',
    'done',
    'failed',
    'old.csv.result.csv',
    'orders.csv.tmp',
    '~$orders.csv',
  ]);
  expect(shop.names('failed')).toEqual(['link.csv', 'link.csv.result.csv']);
});

test.for([
  ['a backslash', 'a\\b.csv'],
  ['248 bytes', `${'n'.repeat(244)}.csv`],
  ['255 bytes', `${'\u00fc'.repeat(125)}n.csv`],
  ['a percent sign and quotes', '%2e%2e"\'.csv'],
] as const)('imports a file whose name has %s, and the files behind it', async ([, name]) => {
  await start();
  writeFileSync(join(shop.path, name), 'order,sku,qty\nSO-8,a,1\n');
  await drop('next.csv', 'order,sku,qty\nSO-9,a,1\n');
  expect(await numbers()).toEqual(['SO-8', 'SO-9']);
  expect(shop.names()).toEqual(['done', 'failed']);
  expect(shop.names('done')).toHaveLength(4);
  expect(await status()).toMatchObject({ state: 'watching' });
  await drop(name, 'order,sku,qty\nSO-8,a,1\n');
  expect(shop.names('failed')).toHaveLength(2);
});

test('an entry that cannot be moved stops no other, and a folder with the name of a result file neither', async () => {
  await start({
    folders: changedFolders(({ move }) => ({
      move: (...args) =>
        args[0] === 'a.csv' ? Promise.reject(new TypeError('a defect with this file')) : move(...args),
    })),
  });
  mkdirSync(join(shop.path, 'failed', 'b.txt.result.csv'), { recursive: true });
  writeFileSync(join(shop.path, 'a.csv'), '');
  writeFileSync(join(shop.path, 'b.txt'), 'no table');
  await drop('c.csv', CSV);
  expect(await numbers()).toEqual(['SO-1', 'SO-2']);
  expect(shop.names()).toEqual(['a.csv', 'done', 'failed']);
  expect(await status()).toMatchObject({
    state: 'failing',
    problem: 'a.csv could not be imported. The station will retry: a defect with this file',
  });
});

test('a file whose name is not UTF-8 stays, stops no other, and is named', async ({ skip }) => {
  await start();
  const latin1 = Buffer.concat([Buffer.from(`${shop.path}/M`), Buffer.from([0xfc]), Buffer.from('ller.csv')]);
  try {
    writeFileSync(latin1, CSV);
  } catch {
    // The file system accepts only Unicode.
    skip();
  }
  await drop('orders.csv', CSV);
  expect(await numbers()).toEqual(['SO-1', 'SO-2']);
  const problem =
    'M\ufffdller.csv could not be imported. The station will retry: Its name is not UTF-8. Rename the file.';
  expect(await status()).toMatchObject({ state: 'failing', problem });
  expect(await alerts('folder_failing')).toEqual([problem]);
  renameSync(latin1, join(shop.path, 'other.csv'));
  await station.clock.advance(TAKEN_MS);
  expect(await alerts('folder_failing')).toEqual([]);
});

test('leaves a growing file alone until it stops growing', async () => {
  await start();
  const path = join(shop.path, 'slow.csv');
  writeFileSync(path, CSV.slice(0, 80));
  for (let second = 0; second < 20; second += 1) {
    await station.clock.advance(1_000);
    appendFileSync(path, '\n');
  }
  expect(shop.names()).toContain('slow.csv');
  expect(await numbers()).toEqual([]);
  writeFileSync(path, CSV);
  await station.clock.advance(2_400);
  expect(shop.names()).toContain('slow.csv');
  await station.clock.advance(TAKEN_MS);
  expect(await numbers()).toEqual(['SO-1', 'SO-2']);
  expect(shop.names('done')).toEqual(['slow.csv', 'slow.csv.result.csv']);
});

test('refuses the same content within 7 days and names the earlier file, and imports it again later', async () => {
  await start();
  await drop('monday.csv', CSV);
  await drop('tuesday.csv', CSV);
  expect(shop.result('failed', 'tuesday.csv.result.csv')).toEqual([
    ['', '', 'refused', expect.stringContaining('The same content was imported as monday.csv on 20')],
  ]);
  for (const number of await numbers()) await station.request('DELETE', `/api/orders/${number}/`);
  station.clock.jump(7 * DAY_MS);
  await drop('monday.csv', CSV);
  expect(await numbers()).toEqual(['SO-1', 'SO-2']);
  expect(shop.names('done')).toEqual([
    'monday (2).csv',
    'monday (2).csv.result.csv',
    'monday.csv',
    'monday.csv.result.csv',
  ]);
});

test('a name that is taken gets the next number', async () => {
  await start();
  for (let copy = 0; copy < 5; copy += 1) await drop('orders.csv', `order,sku,qty\nSO-${copy},a,1\n`);
  const files = shop.names('done').filter((name) => !name.endsWith('.result.csv'));
  expect(files).toEqual(['orders (2).csv', 'orders (3).csv', 'orders (4).csv', 'orders (5).csv', 'orders.csv']);
});

test('a missing folder raises an alert; when it returns, its files are imported and the alert ends', async () => {
  await start();
  renameSync(shop.path, `${shop.path}-away`);
  await station.clock.advance(TAKEN_MS);
  expect(await status()).toMatchObject({
    state: 'failing',
    problem: `${shop.path} does not exist. Create it, or connect its drive or share.`,
  });
  expect(await alerts('folder_failing')).toHaveLength(1);
  renameSync(`${shop.path}-away`, shop.path);
  await drop('orders.csv', CSV);
  expect(await numbers()).toEqual(['SO-1', 'SO-2']);
  expect(await status()).toMatchObject({ state: 'watching', problem: null });
  expect(await alerts('folder_failing')).toEqual([]);
});

test('imports nothing twice if the share disappears between import and move', async () => {
  let isAway = false;
  const folders = changedFolders(({ move }) => ({
    move: (...args) =>
      isAway ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'rename' })) : move(...args),
  }));
  await start({ folders });
  isAway = true;
  await drop('orders.csv', CSV);
  expect(await numbers()).toEqual(['SO-1', 'SO-2']);
  expect(await status()).toMatchObject({
    state: 'failing',
    problem: `${shop.path} does not answer. Check its drive or share.`,
  });
  await station.request('DELETE', '/api/orders/SO-2/');
  isAway = false;
  await station.clock.advance(TAKEN_MS);
  expect(await numbers()).toEqual(['SO-1']);
  expect(shop.names('done')).toEqual(['orders.csv', 'orders.csv.result.csv']);
  expect(shop.result('done', 'orders.csv.result.csv').map((row) => row[2])).toEqual(['new', 'new', 'new']);
});

test('imports nothing from a folder in which it cannot move files', async () => {
  await start();
  rmSync(join(shop.path, 'done'), { recursive: true });
  writeFileSync(join(shop.path, 'done'), 'a file of this name');
  await drop('orders.csv', CSV);
  expect(await numbers()).toEqual([]);
  expect(await status()).toMatchObject({
    problem: `${join(shop.path, 'done')} is a file, not a folder. Rename or remove it.`,
  });
  rmSync(join(shop.path, 'done'));
  await station.clock.advance(TAKEN_MS);
  expect(await numbers()).toEqual(['SO-1', 'SO-2']);
});

test('an unreadable file moves to failed', async () => {
  const folders = changedFolders(() => ({
    read: () => Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open' })),
  }));
  await start({ folders });
  await drop('locked.csv', CSV);
  expect(shop.result('failed', 'locked.csv.result.csv')).toEqual([
    ['', '', 'refused', 'The station is not allowed to read this file. Give its account this right.'],
  ]);
});

test('retries a file that another program uses, without delaying the next ones', async () => {
  let isHeld = true;
  const folders = changedFolders(({ move }) => ({
    move: (...args) =>
      isHeld && args[0] === 'held.csv'
        ? Promise.reject(Object.assign(new Error('x'), { code: 'EBUSY', syscall: 'rename', path: '/in/held.csv' }))
        : move(...args),
  }));
  await start({ folders });
  await drop('held.csv', CSV);
  await drop('next.csv', 'order,sku,qty\nSO-9,a,1\n');
  expect(await numbers()).toEqual(['SO-1', 'SO-2', 'SO-9']);
  expect(await status()).toMatchObject({ problem: 'Another program uses /in/held.csv. Close it in that program.' });
  isHeld = false;
  await station.clock.advance(TAKEN_MS);
  expect(shop.names()).toEqual(['done', 'failed']);
  expect(shop.names('failed')).toEqual([]);
  expect(await status()).toMatchObject({ state: 'watching' });
});

test('watches the folder only while it is set', async () => {
  const watched: string[] = [];
  const folders = {
    ...UNWATCHED_FOLDERS,
    watch: (folder: string) => {
      watched.push(folder);
      return () => void watched.push(`not ${folder}`);
    },
  };
  station = await startTestStation({ folders });
  await station.clock.advance(60_000);
  expect(watched).toEqual([]);
  await station.patch('/api/settings/', { inbox_folder: shop.path });
  await station.patch('/api/settings/', { inbox_folder: '' });
  await drop('orders.csv', CSV);
  expect(watched).toEqual([shop.path, `not ${shop.path}`]);
  expect(shop.names()).toContain('orders.csv');
  expect(await status()).toEqual({ state: 'off', problem: null, last: null });
});

test('refuses unsafe inbox and outbox folders and sheet addresses', async () => {
  station = await startTestStation();
  const inside = join(station.dataFolder, 'in');
  const refusals = [
    [{ inbox_folder: 'orders' }, '/inbox_folder'],
    [{ inbox_folder: 'C:\\Orders' }, '/inbox_folder'],
    [{ inbox_folder: station.dataFolder }, '/inbox_folder'],
    [{ outbox_folder: inside }, '/outbox_folder'],
    [{ inbox_folder: '/' }, '/inbox_folder'],
    [{ inbox_folder: shop.path, outbox_folder: shop.path }, '/outbox_folder'],
    [{ inbox_folder: shop.path, outbox_folder: join(shop.path, 'done') }, '/outbox_folder'],
    [{ orders_sheet_url: 'http://sheets.example/orders.csv' }, '/orders_sheet_url'],
    [{ orders_sheet_url: 'https://user:secret@sheets.example/orders.csv' }, '/orders_sheet_url'],
  ] as const;
  for (const [change, path] of refusals) {
    const { status: answered, body } = await station.request('PATCH', '/api/settings/', change);
    expect(answered, JSON.stringify(change)).toBe(400);
    expect((body as { errors: unknown[] }).errors, JSON.stringify(change)).toMatchObject([{ path }]);
  }
  symlinkSync(station.dataFolder, join(shop.path, 'link'));
  const linked = await station.request('PATCH', '/api/settings/', { inbox_folder: join(shop.path, 'link', 'in') });
  expect(linked.status).toBe(400);
  await station.patch('/api/settings/', { inbox_folder: shop.path });
  const nested = await station.request('PATCH', '/api/settings/', { outbox_folder: join(shop.path, 'x') });
  expect(nested.status).toBe(400);
  await station.patch('/api/settings/', { outbox_folder: `${shop.path}-out` });
});

test('a read-only folder raises an alert', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'root may write everywhere');
  await start();
  chmodSync(shop.path, 0o500);
  await drop('x.csv', CSV).catch(() => undefined);
  expect(await alerts('folder_failing')).toHaveLength(1);
  chmodSync(shop.path, 0o700);
});

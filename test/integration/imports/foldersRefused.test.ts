import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_ITEMS } from '#shared/lib/orders/orderLimits.ts';
import { changedFolders } from '../../helpers/files/changedFolders.ts';
import { CSV, TAKEN_MS, useInbox } from './inboxRig.ts';

const inbox = useInbox();

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
  await inbox.start();
  await inbox.drop(name, content);
  expect(inbox.folder.names('failed')).toEqual([name, `${name}.result.csv`]);
  expect(inbox.folder.result('failed', `${name}.result.csv`)).toEqual([
    ['', '', 'refused', expect.stringContaining(reason)],
  ]);
  expect(await inbox.alerts('file_refused')).toEqual([expect.stringContaining(reason)]);
  expect(await inbox.numbers()).toEqual([]);
});

test('the open alert names the file that failed last, and stays one alert', async () => {
  await inbox.start();
  await inbox.drop('first.csv', '');
  await inbox.drop('second.json', '[]');
  expect(await inbox.alerts('file_refused')).toEqual([
    expect.stringMatching(/^second\.json: The file has no orders\./),
  ]);
});

test('refuses an order with too many items, and imports the other orders in the file', async () => {
  await inbox.start();
  const items = Array.from({ length: MAX_ITEMS + 1 }, () => ({ SKU: 'CT-1', ordered_quantity: 1 }));
  const long = { order_number: 'J-1', items };
  await inbox.drop('long.json', JSON.stringify([long, { order_number: 'J-2', items: items.slice(1) }]));
  const rows = items.map(() => 'C-1,CT-1,1');
  await inbox.drop('long.csv', ['order_number,SKU,ordered_quantity', ...rows, 'C-2,CT-1,1'].join('\n'));
  expect(await inbox.numbers()).toEqual(['C-2', 'J-2']);
  const reason = expect.stringContaining('An order has at most 1,000 items. Split it into several orders.');
  expect(inbox.folder.result('failed', 'long.json.result.csv')).toEqual([
    ['1', 'J-1', 'refused', reason],
    ['2', 'J-2', 'new', ''],
  ]);
  const results = inbox.folder.result('failed', 'long.csv.result.csv');
  expect(results[0]).toEqual(['2', 'C-1', 'refused', reason]);
  expect(results.at(-1)).toEqual([String(MAX_ITEMS + 3), 'C-2', 'new', '']);
});

test('refuses a file of 1 GB by its size, without reading it', async () => {
  const read: string[] = [];
  const folders = changedFolders((folder) => ({
    read(name, limit) {
      read.push(name);
      return folder.read(name, limit);
    },
  }));
  await inbox.start({ folders });
  writeFileSync(join(inbox.folder.path, 'huge.csv'), '');
  truncateSync(join(inbox.folder.path, 'huge.csv'), 1024 ** 3);
  await inbox.station.clock.advance(TAKEN_MS);
  expect(inbox.folder.result('failed', 'huge.csv.result.csv')).toEqual([
    ['', '', 'refused', 'The file is larger than 16 MiB. Split it.'],
  ]);
  expect(read).toEqual([]);
});

test('refuses a document of more than 4 MiB, and reads a document of 4 MiB', async () => {
  await inbox.start();
  const padded = (number: string, bytes: number) =>
    JSON.stringify({ order_number: number, items: [{ SKU: 'a', ordered_quantity: 1 }] }).padEnd(bytes);
  const most = 4 * 1024 * 1024;
  await inbox.drop('most.json', padded('SO-1', most));
  await inbox.drop('more.json', padded('SO-2', most + 1));
  expect(await inbox.numbers()).toEqual(['SO-1']);
  expect(inbox.folder.result('failed', 'more.json.result.csv')).toEqual([
    ['', '', 'refused', 'A file of JSON or XML has at most 4 MiB. Split it.'],
  ]);
});

test('refuses links, and does not touch folders or unfinished files', async () => {
  await inbox.start();
  mkdirSync(join(inbox.folder.path, 'archive'));
  for (const name of [
    '.hidden.csv',
    '~$orders.csv',
    'orders.csv.tmp',
    'a.part',
    'b.CRDOWNLOAD',
    'old.csv.result.csv',
    'Thumbs.db',
  ]) {
    writeFileSync(join(inbox.folder.path, name), CSV);
  }
  symlinkSync('/etc/hostname', join(inbox.folder.path, 'link.csv'));
  await inbox.station.clock.advance(TAKEN_MS);
  expect(inbox.folder.names()).toEqual([
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
  expect(inbox.folder.names('failed')).toEqual(['link.csv', 'link.csv.result.csv']);
});

test('an unreadable file moves to failed', async () => {
  const folders = changedFolders(() => ({
    read: () => Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open' })),
  }));
  await inbox.start({ folders });
  await inbox.drop('locked.csv', CSV);
  expect(inbox.folder.result('failed', 'locked.csv.result.csv')).toEqual([
    ['', '', 'refused', 'The station is not allowed to read this file. Give its account this right.'],
  ]);
});

test('refuses unsafe folders for inbox and outbox, and unsafe sheet addresses', async () => {
  await inbox.startWithout();
  const inside = join(inbox.station.dataFolder, 'in');
  const refusals = [
    [{ inbox_folder: 'orders' }, '/inbox_folder'],
    [{ inbox_folder: 'C:\\Orders' }, '/inbox_folder'],
    [{ inbox_folder: inbox.station.dataFolder }, '/inbox_folder'],
    [{ outbox_folder: inside }, '/outbox_folder'],
    [{ inbox_folder: '/' }, '/inbox_folder'],
    [{ inbox_folder: inbox.folder.path, outbox_folder: inbox.folder.path }, '/outbox_folder'],
    [{ inbox_folder: inbox.folder.path, outbox_folder: join(inbox.folder.path, 'done') }, '/outbox_folder'],
    [{ orders_sheet_url: 'http://sheets.example/orders.csv' }, '/orders_sheet_url'],
    [{ orders_sheet_url: 'https://user:secret@sheets.example/orders.csv' }, '/orders_sheet_url'],
  ] as const;
  for (const [change, path] of refusals) {
    const { status: answered, body } = await inbox.station.request('PATCH', '/api/settings/', change);
    expect(answered, JSON.stringify(change)).toBe(400);
    expect((body as { errors: unknown[] }).errors, JSON.stringify(change)).toMatchObject([{ path }]);
  }
  symlinkSync(inbox.station.dataFolder, join(inbox.folder.path, 'link'));
  const linked = await inbox.station.request('PATCH', '/api/settings/', {
    inbox_folder: join(inbox.folder.path, 'link', 'in'),
  });
  expect(linked.status).toBe(400);
  await inbox.station.patch('/api/settings/', { inbox_folder: inbox.folder.path });
  const nested = await inbox.station.request('PATCH', '/api/settings/', {
    outbox_folder: join(inbox.folder.path, 'x'),
  });
  expect(nested.status).toBe(400);
  await inbox.station.patch('/api/settings/', { outbox_folder: `${inbox.folder.path}-out` });
});

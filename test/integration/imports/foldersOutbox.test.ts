import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { FoldersStatus } from '#shared/api/folders.ts';
import { startTestStation, type TestStation, type TestStationOptions } from '../../helpers/startTestStation.ts';
import { changedFolders } from '../../helpers/files/changedFolders.ts';
import { shopFolder } from '../../helpers/files/shopFolder.ts';

const RETRY_MS = 11_000;
const DEVICE = '51D000:000001';

let shop: ReturnType<typeof shopFolder>;
let station: TestStation;

beforeEach(() => void (shop = shopFolder()));
afterEach(async () => {
  await station.stop();
  shop[Symbol.dispose]();
});

async function start(options: TestStationOptions = {}): Promise<void> {
  station = await startTestStation({ simulate: 1, refreshMs: 0, ...options });
  await station.patch('/api/settings/', { outbox_folder: shop.path });
  await station.clock.advance(5_000);
}

async function create(order_number: string): Promise<void> {
  const items = [{ SKU: 'CT-200', ordered_quantity: 2, deviceid: DEVICE }];
  await station.post('/api/orders/', { order_number, items });
}

const pathOf = (number: string): string => `/api/orders/${encodeURIComponent(number)}/`;
const written = (name: string): unknown => JSON.parse(readFileSync(join(shop.path, name), 'utf8'));
const status = async () => (await station.get<FoldersStatus>('/api/folders/')).outbox;
const failing = async (): Promise<Alert[]> =>
  (await station.get<Alert[]>('/api/alerts/')).filter(({ kind }) => kind === 'folder_failing');

test('writes a file with the API answer for each fulfilled or aborted order, but not for other orders', async () => {
  await start();
  for (const number of ['SO-1', 'SO-2', 'SO-3']) await create(number);
  await station.post('/api/orders/SO-1/launch/');
  await station.clock.advance(5_000);
  expect(shop.names()).toEqual([]);
  await station.press(DEVICE);
  await station.post('/api/orders/SO-2/abort/');
  expect(shop.names()).toEqual(['SO-1.json', 'SO-2.json']);
  expect(written('SO-1.json')).toEqual(await station.get('/api/orders/SO-1/'));
  expect(written('SO-1.json')).toMatchObject({ state: 'fulfilled' });
  expect(written('SO-2.json')).toMatchObject({ state: 'aborted' });
  expect(await status()).toMatchObject({ state: 'watching', problem: null, waiting: 0, last: { name: 'SO-2.json' } });
});

test('an order with nothing to pick is fulfilled when created, and its file is written', async () => {
  await start();
  await station.post('/api/orders/', { order_number: 'SO-0', items: [{ SKU: 'a', ordered_quantity: 0 }] });
  expect(written('SO-0.json')).toMatchObject({ state: 'fulfilled' });
});

test('a new file is written for an order that is reopened and fulfilled again', async () => {
  await start();
  await create('SO-1');
  const { items } = await station.get<{ items: { id: number }[] }>('/api/orders/SO-1/');
  const item = `/api/orders/SO-1/items/${items[0]?.id}/`;
  await station.patch(item, { quantity_fulfilled: 2 });
  await station.patch(item, { quantity_fulfilled: 1 });
  expect(written('SO-1.json')).toMatchObject({ state: 'fulfilled' });
  writeFileSync(join(shop.path, 'SO-1.json'), '{}');
  await station.patch(item, { quantity_fulfilled: 2 });
  expect(written('SO-1.json')).toMatchObject({ state: 'fulfilled' });
});

test('a missing folder raises an alert; when the folder returns, its files are written, even after a restart and for deleted orders', async () => {
  await start();
  renameSync(shop.path, `${shop.path}-away`);
  for (const number of ['SO-1', 'SO-2']) {
    await create(number);
    await station.post(`/api/orders/${number}/abort/`);
  }
  const before = await station.get('/api/orders/SO-2/');
  await station.request('DELETE', '/api/orders/SO-2/');
  expect(await status()).toMatchObject({
    state: 'failing',
    waiting: 2,
    problem: `${shop.path} does not exist. Create it, or connect its drive or share.`,
  });
  expect(await failing()).toHaveLength(1);
  await station.restart();
  await station.clock.advance(RETRY_MS);
  expect(await failing()).toHaveLength(1);
  expect(shop.names()).toEqual([]);
  renameSync(`${shop.path}-away`, shop.path);
  await station.clock.advance(RETRY_MS);
  expect(shop.names()).toEqual(['SO-1.json', 'SO-2.json']);
  expect(written('SO-2.json')).toEqual(before);
  expect(await failing()).toEqual([]);
});

test('encodes an order number that is not a valid file name, and never writes to another folder', async () => {
  await start();
  const long = 'x'.repeat(300);
  const numbers = ['../etc/passwd', 'a/b\\c:d*?"<>|', 'CON', 'nul.txt', '.env', ' a ', '100%', 'Müller 7', long];
  for (const number of numbers) {
    await create(number);
    await station.post(`${pathOf(number)}abort/`);
  }
  const names = shop.names();
  expect(names).toHaveLength(numbers.length);
  expect(names.filter((name) => !name.startsWith('xxx'))).toEqual([
    '%2E.%2Fetc%2Fpasswd.json',
    '%2Eenv.json',
    '%43ON.json',
    '%6Eul.txt.json',
    '100%25.json',
    'Müller 7.json',
    'a%2Fb%5Cc%3Ad%2A%3F%22%3C%3E%7C.json',
    'a.json',
  ]);
  expect(names.at(-1)).toMatch(/^x{40}~[0-9a-f]{16}\.json$/);
});

test('a failed write leaves no file, and is retried', async () => {
  let isFull = true;
  const folders = changedFolders(({ write }) => ({
    write: (...args) => (isFull ? Promise.reject(Object.assign(new Error('x'), { code: 'ENOSPC' })) : write(...args)),
  }));
  await start({ folders });
  await create('SO-1');
  await station.post('/api/orders/SO-1/abort/');
  expect(await status()).toMatchObject({ problem: `The disk of ${shop.path} is full. Free some space.`, waiting: 1 });
  isFull = false;
  await station.clock.advance(RETRY_MS);
  expect(shop.names()).toEqual(['SO-1.json']);
});

test('reports a file whose name is used by a folder, does not write it under another name, and writes the next files', async () => {
  await start();
  for (let number = 1; number <= 25; number += 1) {
    mkdirSync(join(shop.path, `SO-${number}.json`, 'x'), { recursive: true });
    await create(`SO-${number}`);
    await station.post(`/api/orders/SO-${number}/abort/`);
  }
  expect(await status()).toMatchObject({
    state: 'failing',
    waiting: 25,
    problem: `${join(shop.path, 'SO-1.json')} is a folder, but the station needs this name for a file. Rename or remove the folder.`,
  });
  await create('SO-99');
  await station.post('/api/orders/SO-99/abort/');
  expect(written('SO-99.json')).toMatchObject({ state: 'aborted' });
  expect(await status()).toMatchObject({ state: 'failing', waiting: 25 });
  rmSync(join(shop.path, 'SO-1.json'), { recursive: true });
  await station.clock.advance(RETRY_MS);
  expect(written('SO-1.json')).toMatchObject({ state: 'aborted' });
});

test('without an outbox folder nothing is queued, and turning the outbox off clears the queue', async () => {
  await start();
  renameSync(shop.path, `${shop.path}-away`);
  await create('SO-1');
  await station.post('/api/orders/SO-1/abort/');
  await station.patch('/api/settings/', { outbox_folder: '' });
  await create('SO-2');
  await station.post('/api/orders/SO-2/abort/');
  renameSync(`${shop.path}-away`, shop.path);
  await station.patch('/api/settings/', { outbox_folder: shop.path });
  await station.clock.advance(RETRY_MS);
  expect(shop.names()).toEqual([]);
  expect(await failing()).toEqual([]);
});

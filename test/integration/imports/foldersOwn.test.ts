import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { FoldersStatus } from '#shared/api/folders.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import { shopFolder } from '../../helpers/files/shopFolder.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const TAKEN_MS = 15_000;
const CSV = 'order,sku,qty\nSO-1,CT-200,5\n';

let shop: ReturnType<typeof shopFolder>;
let station: TestStation;

beforeEach(async () => {
  shop = shopFolder();
  station = await startTestStation();
});
afterEach(async () => {
  await station.stop();
  shop[Symbol.dispose]();
});

const inbox = (): string => join(shop.path, 'inbox');
const elsewhere = (): string => join(shop.path, 'elsewhere');
const status = async () => (await station.get<FoldersStatus>('/api/folders/')).inbox;
const failing = async (): Promise<Alert[]> =>
  (await station.get<Alert[]>('/api/alerts/')).filter(({ kind }) => kind === 'folder_failing');
const numbers = async (): Promise<string[]> =>
  (await station.get<OrderProgress[]>('/api/order-progress/')).map(({ order_number }) => order_number);

async function setInbox(): Promise<void> {
  for (const folder of [inbox(), elsewhere()]) mkdirSync(folder);
  await station.patch('/api/settings/', { inbox_folder: inbox() });
  await station.clock.advance(TAKEN_MS);
}

/** Writes a setting directly to the database, as the restore of a crafted backup would, and restarts the station. */
async function plant(key: string, value: string | undefined): Promise<void> {
  await station.halt();
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  if (value === undefined) db.prepare('DELETE FROM settings WHERE key = ?').run(key);
  else db.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)').run(key, JSON.stringify(value));
  db.close();
  await station.restart();
  await station.clock.advance(2 * TAKEN_MS);
}

test('does not move files if the stored inbox or outbox is the data folder, or lies inside or contains it', async () => {
  const data = station.dataFolder;
  mkdirSync(join(data, 'orders'));
  writeFileSync(join(data, 'orders', 'orders.csv'), CSV);
  for (const folder of [data, join(data, 'orders'), join(data, '..'), '/'])
    for (const key of ['inbox_folder', 'outbox_folder']) {
      await plant(key, folder);
      expect(existsSync(join(data, 'failed')), folder).toBe(false);
      expect(readdirSync(join(data, 'orders'))).toEqual(['orders.csv']);
      expect((await failing())[0]?.problem, `${key} ${folder}`).toMatch(/data folder of the station/);
      await plant(key, undefined);
    }
  expect(await numbers()).toEqual([]);
});

test('the inbox is disabled if its folder later becomes a link to the data folder', async () => {
  await setInbox();
  for (const target of [station.dataFolder, join(station.dataFolder, 'window', 'cache')]) {
    mkdirSync(target, { recursive: true });
    renameSync(inbox(), `${inbox()}-${Math.random()}`);
    symlinkSync(target, inbox());
    await station.clock.advance(TAKEN_MS);
    expect(existsSync(join(target, 'failed'))).toBe(false);
    expect(await status()).toMatchObject({ state: 'failing', problem: expect.stringMatching(/data folder/) });
  }
});

test('refuses to set a link to a folder that contains the data folder', async () => {
  symlinkSync(join(station.dataFolder, '..'), inbox());
  const answer = await station.request('PATCH', '/api/settings/', { inbox_folder: inbox() });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: '/inbox_folder' }] } });
});

test('refuses an inbox and an outbox that lead to the same folder through a link', async () => {
  await setInbox();
  symlinkSync(inbox(), join(shop.path, 'outbox'));
  for (const outbox_folder of [join(shop.path, 'outbox'), join(shop.path, 'outbox', 'below')]) {
    const answer = await station.request('PATCH', '/api/settings/', { outbox_folder });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: '/outbox_folder' }] } });
  }
});

test('disables both inbox and outbox if the stored folders contain each other', async () => {
  await setInbox();
  await plant('outbox_folder', join(inbox(), 'out'));
  writeFileSync(join(inbox(), 'orders.csv'), CSV);
  await station.clock.advance(TAKEN_MS);
  expect(await numbers()).toEqual([]);
  expect(await status()).toMatchObject({
    state: 'failing',
    problem: expect.stringMatching(/must be different folders/),
  });
});

test.for(['done', 'failed'])('does not move files through a link that replaces %s, and reports it', async (name) => {
  await setInbox();
  writeFileSync(join(inbox(), 'evil.desktop'), '[Desktop Entry]');
  writeFileSync(join(inbox(), 'orders.csv'), CSV);
  renameSync(join(inbox(), name), join(inbox(), 'aside'));
  symlinkSync(elsewhere(), join(inbox(), name));
  await station.clock.advance(TAKEN_MS);
  expect(readdirSync(elsewhere())).toEqual([]);
  expect(readdirSync(inbox())).toContain('evil.desktop');
  expect(await numbers()).toEqual([]);
  expect(await status()).toMatchObject({ state: 'failing', problem: expect.stringMatching(/is a link/) });
  expect(await failing()).toHaveLength(1);
});

test('refuses a file with a second hard link without reading it', async () => {
  await setInbox();
  writeFileSync(join(elsewhere(), 'orders.csv'), CSV);
  linkSync(join(elsewhere(), 'orders.csv'), join(inbox(), 'orders.csv'));
  await station.clock.advance(TAKEN_MS);
  expect(await numbers()).toEqual([]);
  expect(readFileSync(join(inbox(), 'failed', 'orders.csv.result.csv'), 'utf8')).toMatch(/hard link/);
  expect(readFileSync(join(elsewhere(), 'orders.csv'), 'utf8')).toBe(CSV);
});

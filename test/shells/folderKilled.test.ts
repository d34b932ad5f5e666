import { readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { Device } from '#shared/api/device.ts';
import type { ImportEntry } from '#shared/api/imports.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import { readCsv } from '../helpers/files/readCsv.ts';
import { seededFraction } from '../helpers/seeded.ts';
import { STATION_PROGRAM } from '../helpers/spawnStation.ts';
import { API_KEY, folderOnDisk, spawnStation, watch, type StationProcess } from './stationProcess.ts';
import { until } from './until.ts';

/** `FOLDER_KILLS=60 FOLDER_MINUTES=6 KILL_SEED=7` makes the test long, limited and repeatable. */
const ROUNDS = Number(process.env['FOLDER_KILLS'] ?? 4);
const LIMIT_MS = Number(process.env['FOLDER_MINUTES'] ?? 1) * 60_000;
const SEED = Number(process.env['KILL_SEED'] ?? 1);

/** Approximate number of steps in an import and its recovery, with and without other writes. */
const STEPS = 36;
const BUSY_STEPS = 60;
/** Distance between the steps of two rounds, which distributes a few rounds over all steps. STEPS rounds try every step. */
const STRIDE = 7;
const ORDERS = 1_500;
const LINES = 2;
const KILLER = join(import.meta.dirname, 'killAtStep.ts');

let folder: string;
let inbox: string;
let outbox: string;
let station: StationProcess | undefined;

beforeEach(() => {
  folder = folderOnDisk('folder-killed');
  inbox = join(folder, 'inbox');
  outbox = join(folder, 'outbox');
  mkdirSync(inbox);
  mkdirSync(outbox);
});

afterEach(async () => {
  await station?.kill();
  rmSync(folder, { recursive: true });
});

const dataFolder = (): string => join(folder, 'data');

async function ask<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const answer = await fetch(new URL(path, url), {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Starts a station that kills itself at this step. */
function startKilled(step: number, from: 'file' | 'import', simulate = 0): StationProcess {
  const args = [
    '--import',
    KILLER,
    STATION_PROGRAM,
    '--port',
    '0',
    '--data',
    dataFolder(),
    '--simulate',
    `${simulate}`,
  ];
  return watch(['env', `KILL_AT_STEP=${step}`, `KILL_FROM=${from}`, process.execPath, ...args]);
}

/** Changes a setting repeatedly, so that the import needs many commits. */
async function writeUntil(url: string, isDone: () => boolean): Promise<void> {
  for (let seconds = 1; !isDone(); seconds += 1) {
    // Ignore errors, because the station can be killed at any time.
    await ask(url, 'PATCH', '/api/settings/', { default_seconds: seconds }).catch(() => undefined);
  }
}

const nameOf = (round: number): string => `orders-${round}.csv`;
const numberOf = (round: number, order: number): string => `R${round}-${String(order).padStart(4, '0')}`;

function csvOf(round: number): string {
  const rows = Array.from(
    { length: ORDERS * LINES },
    (_, row) => `${numberOf(round, Math.floor(row / LINES))};SKU-${row};1`,
  );
  return ['order;sku;qty', ...rows, ''].join('\n');
}

test(
  'a station killed at any step of an import imports each file once and moves the file and its result',
  { timeout: LIMIT_MS + 300_000 },
  async () => {
    station = spawnStation({ dataFolder: dataFolder(), simulate: 0, port: 0 });
    let url = await station.ready;
    await ask(url, 'PATCH', '/api/settings/', { inbox_folder: inbox, outbox_folder: outbox });
    await station.stop();

    const fraction = seededFraction(SEED);
    const giveUpAt = performance.now() + LIMIT_MS;
    const killedAt: string[] = [];
    let rounds = 0;
    for (; rounds < ROUNDS && performance.now() < giveUpAt; rounds += 1) {
      writeFileSync(join(inbox, nameOf(rounds)), csvOf(rounds));
      // An import takes many commits in parallel with other writes, and few otherwise.
      const isBusy = rounds % 2 === 1;
      const wanted = isBusy ? Math.floor(fraction() * BUSY_STEPS) + 1 : 1 + ((Math.floor(rounds / 2) * STRIDE) % STEPS);
      station = startKilled(wanted, isBusy ? 'import' : 'file');
      url = await station.ready;
      let isOver = false;
      void station.ended.then(() => (isOver = true));
      const isDone = (): boolean => isOver || readdirSync(inbox).every((name) => !name.endsWith('.csv'));
      const writes = isBusy ? writeUntil(url, isDone) : undefined;
      await until('the station to be killed, or the files to be imported', isDone);
      await station.kill();
      await writes;
      killedAt.push(/killed at (step .*)/.exec(station.stderr())?.[1] ?? 'no step');
    }

    station = spawnStation({ dataFolder: dataFolder(), simulate: 0, port: 0 });
    url = await station.ready;
    await until('every file to be moved', () => readdirSync(inbox).every((name) => !name.endsWith('.csv')));
    process.stdout.write(`folder kills: KILL_SEED=${SEED}, ${killedAt.join('; ')}\n`);
    expect(readdirSync(join(inbox, 'failed'))).toEqual([]);
    const files = Array.from({ length: rounds }, (_, round) => nameOf(round));
    expect(readdirSync(join(inbox, 'done')).toSorted()).toEqual(
      files.flatMap((name) => [name, `${name}.result.csv`]).toSorted(),
    );
    expect(readdirSync(inbox).toSorted(), 'what is left in the inbox').toEqual(['done', 'failed']);
    for (let round = 0; round < rounds; round += 1) {
      const result = readCsv(readFileSync(join(inbox, 'done', `${nameOf(round)}.result.csv`), 'utf8')).records.slice(1);
      expect(result, nameOf(round)).toHaveLength(ORDERS * LINES);
      expect(new Set(result.map(({ cells }) => cells[2])), nameOf(round)).toEqual(new Set(['new']));
    }
    const orders: string[] = [];
    for (let after = ''; ;) {
      const page = await ask<OrderProgress[]>(url, 'GET', `/api/order-progress/?limit=1000&after=${after}`);
      if (page.length === 0) break;
      orders.push(...page.map(({ order_number }) => order_number));
      expect(new Set(page.map(({ item_count }) => item_count))).toEqual(new Set([LINES]));
      after = page.at(-1)?.order_number ?? '';
    }
    const wanted = files.flatMap((_, round) => Array.from({ length: ORDERS }, (__, order) => numberOf(round, order)));
    expect(orders.toSorted()).toEqual(wanted.toSorted());

    await orderFilesAfterKill(url);
  },
);

/** Checks that orders that end just before a kill get their result files after the restart. */
async function orderFilesAfterKill(before: string): Promise<void> {
  const numbers = Array.from({ length: 20 }, (_, order) => numberOf(0, order));
  await Promise.all(numbers.map((number) => ask(before, 'POST', `/api/orders/${number}/abort/`)));
  await station?.kill();
  station = spawnStation({ dataFolder: dataFolder(), simulate: 0, port: 0 });
  const url = await station.ready;
  const files = (): string[] =>
    readdirSync(outbox)
      .filter((name) => !name.startsWith('.'))
      .toSorted();
  await until('every file of an order', () => files().length === numbers.length);
  expect(files()).toEqual(numbers.map((number) => `${number}.json`));
  for (const number of numbers) {
    const file = JSON.parse(readFileSync(join(outbox, `${number}.json`), 'utf8')) as unknown;
    expect(file).toEqual(await ask(url, 'GET', `/api/orders/${number}/`));
  }
}

const ARTICLES = 800;

test(
  'if an article import is interrupted, its result covers the whole file, and one undo removes all of its articles',
  { timeout: 300_000 },
  async () => {
    const articles = join(inbox, 'articles');
    mkdirSync(articles, { recursive: true });
    const name = 'articles.csv';
    const rows = Array.from({ length: ARTICLES }, (_, article) => `ART-${article};Article ${article};P-${article};7;5`);
    station = startKilled(1_000_000, 'import');
    let url = await station.ready;
    await ask(url, 'PATCH', '/api/settings/', { inbox_folder: inbox });
    const old = { sku: 'ART-0', name: 'Old', places: [{ location: 'P-0', on_hand: 7, minimum: 2 }] };
    await ask(url, 'POST', '/api/articles/', old);
    const isMoved = (): boolean => !readdirSync(articles).includes(name);
    const count = async (): Promise<number> => (await ask<object[]>(url, 'GET', '/api/articles/?limit=1000')).length;
    writeFileSync(join(articles, name), ['sku;name;place;on_hand;minimum', ...rows, ''].join('\n'));
    // In parallel with other writes, the import takes many commits.
    let isCut = false;
    const writes = writeUntil(url, () => isCut);
    await until('some of the articles', async () => (await count()) > 20);
    await station.kill();
    isCut = true;
    await writes;

    station = spawnStation({ dataFolder: dataFolder(), simulate: 0, port: 0 });
    url = await station.ready;
    await until('the file to be moved', isMoved);
    const result = readCsv(readFileSync(join(articles, 'done', `${name}.result.csv`), 'utf8')).records.slice(1);
    expect(result).toHaveLength(ARTICLES);
    expect(result.map(({ cells }) => cells[2])).toEqual(rows.map((_, row) => (row === 0 ? 'changed' : 'new')));
    expect(result[0]?.cells[3]).toContain('Its name was "Old". At P-0, the minimum was 2.');
    const imports = await ask<ImportEntry[]>(url, 'GET', '/api/imports/');
    const [made, ...others] = imports.filter(({ kind }) => kind === 'articles');
    expect(others).toEqual([]);
    expect(made).toMatchObject({ state: 'imported', undoable: ARTICLES, counts: { orders: ARTICLES - 1, known: 0 } });
    expect(await ask(url, 'POST', `/api/imports/${made?.id}/undo/`)).toEqual({ undone: ARTICLES, kept: [] });
    expect(await ask(url, 'GET', '/api/articles/')).toMatchObject([{ sku: 'ART-0', name: 'Old' }]);
  },
);

const DEVICES = 240;

test(
  'if a location import is interrupted while it moves labels, the remaining rows still refer to the devices that had the labels at the start',
  { timeout: 300_000 },
  async () => {
    await station?.kill();
    const locations = join(inbox, 'locations');
    mkdirSync(locations, { recursive: true });
    const name = 'shelves.csv';
    const idOf = (device: number): string => `51D000:${String(device + 1).padStart(6, '0')}`;
    const devices = Array.from({ length: DEVICES }, (_, device) => device);
    station = startKilled(1_000_000, 'import', DEVICES);
    let url = await station.ready;
    await ask(url, 'PATCH', '/api/settings/', { inbox_folder: inbox });
    const labels = devices.map((device) => `${idOf(device)};L-${device}`);
    await ask(url, 'POST', '/api/imports/', { kind: 'locations', csv: ['deviceid;label', ...labels, ''].join('\n') });
    const list = (): Promise<string[]> =>
      Promise.all(
        devices.map(async (device) => {
          const { deviceid, locationoverride } = await ask<Device>(url, 'GET', `/api/device/${idOf(device)}/`);
          return `${deviceid};${locationoverride}`;
        }),
      );
    const listAliases = async (): Promise<string[]> =>
      (await ask<LocationAlias[]>(url, 'GET', '/api/location-aliases/?limit=1000')).map(
        ({ name: alias, deviceid }) => `${alias};${deviceid}`,
      );
    expect(await list()).toEqual(labels);
    // Each row names a device by its current label and gives it the next device's label.
    const rows = devices.map((device) => `P-${device};L-${device};Above;L-${device + 1}`);
    writeFileSync(join(locations, name), ['name;deviceid;deviceIs;label', ...rows, ''].join('\n'));
    let isCut = false;
    const writes = writeUntil(url, () => isCut);
    await until('some of the locations', async () => (await listAliases()).length > 10);
    await station.kill();
    isCut = true;
    await writes;

    station = spawnStation({ dataFolder: dataFolder(), simulate: DEVICES, port: 0 });
    url = await station.ready;
    await until('the file to be moved', () => !readdirSync(locations).includes(name));
    const result = readCsv(readFileSync(join(locations, 'done', `${name}.result.csv`), 'utf8')).records.slice(1);
    expect(result.map(({ cells }) => cells.slice(1))).toEqual(
      devices.map((device) => [`P-${device}`, 'new', `Its label was "L-${device}".`]),
    );
    expect(await list()).toEqual(devices.map((device) => `${idOf(device)};L-${device + 1}`));
    expect((await listAliases()).toSorted()).toEqual(devices.map((device) => `P-${device};${idOf(device)}`).toSorted());
    const imports = await ask<ImportEntry[]>(url, 'GET', '/api/imports/');
    const [made, ...others] = imports.filter(({ kind, source }) => kind === 'locations' && source === 'inbox');
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      state: 'imported',
      undoable: DEVICES,
      counts: { new: DEVICES, known: 0, refused: 0 },
    });
    expect(await ask(url, 'POST', `/api/imports/${made?.id}/undo/`)).toMatchObject({ undone: DEVICES, kept: [] });
    expect(await list()).toEqual(labels);
    expect(await listAliases()).toEqual([]);
  },
);

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { Backup } from '#shared/api/backup.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import type { Station } from '#shared/api/station.ts';
import { until } from './until.ts';
import { API_KEY, folderOnDisk, spawnStation, type StationProcess } from './stationProcess.ts';

const DEVICES = 6;
/** Stages of a restore at which the station is killed. The restore may already have reached a later stage. */
const MOMENTS = ['preparing', 'ordered', 'begun', 'replaced', 'up'] as const;
const ROUNDS = Number(process.env['RESTORE_ROUNDS'] ?? 1);

type Moment = (typeof MOMENTS)[number];

let folder: string;
let station: StationProcess;
let url: string;

beforeAll(() => {
  folder = folderOnDisk('restore-killed');
});

afterAll(async () => {
  await station?.kill();
  rmSync(folder, { recursive: true });
});

async function start(): Promise<void> {
  station = spawnStation({ dataFolder: folder, simulate: DEVICES, port: 0 });
  url = await station.ready;
}

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const sent = body === undefined ? null : JSON.stringify(body);
  const answer = await fetch(new URL(path, url), { method, headers, body: sent });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

/** Writes this word to several tables: as the label of each device, in an alias and in an order. */
async function write(word: string): Promise<void> {
  const { devices, aliases } = await ask<Station>('GET', '/api/station/');
  for (const { id } of aliases) await ask('DELETE', `/api/location-aliases/${id}/`);
  for (const { order_number } of await ask<OrderProgress[]>('GET', '/api/order-progress/'))
    await ask('DELETE', `/api/orders/${order_number}/`);
  const labels = devices.map(({ deviceid }) => ({ deviceid, locationoverride: word }));
  await ask('POST', '/api/devices/', labels);
  await ask('POST', '/api/location-aliases/', {
    name: `alias ${word}`,
    deviceid: devices[0]?.deviceid,
    deviceIs: 'Below',
  });
  const items = [{ name: word, ordered_quantity: 1, warehouse_location: word }];
  await ask('POST', '/api/orders/', { order_number: word, items });
}

/** Returns the word in all of these tables. Throws if they differ. */
async function read(): Promise<string> {
  const { devices } = await ask<Station>('GET', '/api/station/');
  const aliases = await ask<LocationAlias[]>('GET', '/api/location-aliases/');
  const orders = await ask<OrderProgress[]>('GET', '/api/order-progress/');
  const words = [
    ...devices.map(({ locationoverride }) => locationoverride),
    ...aliases.map(({ name }) => name.replace('alias ', '')),
    ...orders.map(({ order_number }) => order_number),
  ];
  expect(words).toHaveLength(DEVICES + 2);
  expect(new Set(words).size, words.join()).toBe(1);
  return words[0] ?? '';
}

function momentNow(): Moment | undefined {
  const order = join(folder, 'restore.json');
  try {
    if (existsSync(order)) return (JSON.parse(readFileSync(order, 'utf8')) as { stage: Moment }).stage;
  } catch {
    // The file was replaced between the two look-ups.
    return undefined;
  }
  return readdirSync(folder).some((name) => /^restore-.*\.sqlite/.test(name)) ? 'preparing' : undefined;
}

/** Starts the restore and kills the station as soon as it reaches this stage or a later one. Returns that stage. */
async function killAt(moment: Moment, name: string): Promise<Moment | 'up'> {
  const asked = fetch(new URL(`/api/backups/${name}/restore/`, url), {
    method: 'POST',
    headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
    body: '{}',
  }).catch(() => undefined);
  let at: Moment | undefined;
  let hasBegun = false;
  for (;;) {
    at = momentNow();
    hasBegun ||= at !== undefined;
    if (at === undefined ? hasBegun : MOMENTS.indexOf(at) >= MOMENTS.indexOf(moment)) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await station.kill();
  await asked;
  return at ?? 'up';
}

const leftOver = (): string[] => readdirSync(folder).filter((name) => /^restore|\.before|\.part/.test(name));

/** Returns the result of the integrity check. The station must not be using the database. */
function integrity(): unknown {
  const db = new Database(join(folder, 'pickstation.sqlite'), { readonly: true });
  try {
    return db.pragma('integrity_check', { simple: true });
  } finally {
    db.close();
  }
}

test(
  'a station killed during a restore starts with either all of its old data or all of the restored data',
  { timeout: 300_000 },
  async () => {
    await start();
    await write('old');
    const { name } = await ask<Backup>('POST', '/api/backups/');
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const moment of MOMENTS) {
        await write('new');
        const at = await killAt(moment, name);
        await start();
        const word = await read();
        seen.add(`${at}: ${word}`);
        const what = `killed at ${at}, wanted ${moment}`;
        expect(['old', 'new'], what).toContain(word);
        if (at === 'preparing') expect(word, what).toBe('new');
        const failed = (await ask<Alert[]>('GET', '/api/alerts/')).filter(({ kind }) => kind === 'restore_failed');
        for (const { id } of failed) await ask('POST', `/api/alerts/${id}/end/`, {});
        // A restore that began but did not finish is reported.
        if (word === 'new' && (at === 'begun' || at === 'replaced')) expect(failed, what).toHaveLength(1);
        if (word === 'old') expect(failed, what).toEqual([]);
        expect(leftOver(), what).toEqual([]);
        expect(await station.stop(), what).toBe(0);
        expect(integrity(), what).toBe('ok');
        await start();
        expect(await read(), what).toBe(word);
      }
    }
    // Both outcomes must occur, otherwise the moments test nothing.
    expect([...seen].some((each) => each.endsWith('new')) && [...seen].some((each) => each.endsWith('old'))).toBe(true);
  },
);

/** Listens on this port as soon as its owner closes it. */
async function stealPort(port: number): Promise<Server> {
  const thief = createServer();
  await until('the port to be free', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    thief.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    return promise;
  });
  return thief;
}

test('a station whose port is taken during a restart keeps trying, and serves again when the port is free', async () => {
  await station?.stop();
  await start();
  const { name } = await ask<Backup>('POST', '/api/backups/');
  const stolen = stealPort(Number(new URL(url).port));
  await ask('POST', `/api/backups/${name}/restore/`);
  const thief = await stolen;
  await until('the station to try twice', () => station.stderr().split('retrying until it can').length > 2);
  thief.close();
  await until('the station to serve again', () =>
    fetch(new URL('/healthz', url)).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  expect(await station.stop()).toBe(0);
});

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { Backup } from '#shared/api/backup.ts';
import type { Device } from '#shared/api/device.ts';
import { STATION_PROGRAM } from '../helpers/spawnStation.ts';
import { API_KEY, folderOnDisk, watch, type StationProcess } from './stationProcess.ts';

const DEVICE = '51D000:000001';
const COMMANDS = 60;

let folder: string;
let station: StationProcess | undefined;

beforeEach(() => {
  folder = folderOnDisk('lost');
});

afterEach(async () => {
  await station?.kill();
  rmSync(folder, { recursive: true });
});

function start(...args: string[]): StationProcess {
  station = watch([process.execPath, STATION_PROGRAM, '--port', '0', '--data', folder, '--simulate', '3', ...args]);
  return station;
}

async function ask<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const sent = body === undefined ? null : JSON.stringify(body);
  const answer = await fetch(new URL(path, url), { method, headers, body: sent });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const commands = async (url: string): Promise<number> =>
  (await ask<Device>(url, 'GET', `/api/device/${DEVICE}/`)).commands.length;
const alerts = (url: string): Promise<Alert[]> => ask<Alert[]>(url, 'GET', '/api/alerts/');

/** Sends commands and awaits their answers, so that each is on disk. */
async function light(url: string): Promise<void> {
  for (let index = 0; index < COMMANDS; index += 1)
    await ask(url, 'POST', `/api/device/${DEVICE}/`, { line1: 'x', nonce: `n${index}`, seconds: 0 });
}

async function refused(): Promise<string> {
  const tried = start();
  expect(await tried.ended).toBe(1);
  expect(tried.stdout()).toBe('');
  return tried.stderr();
}

function garbleLog(): void {
  const path = join(folder, 'pickstation.sqlite-wal');
  const log = readFileSync(path);
  const middle = Math.floor(log.length / 2);
  log.fill(0x5a, middle, middle + 8_192);
  writeFileSync(path, log);
}

test('a kill under load is not reported as lost data', async () => {
  for (let round = 0; round < 3; round += 1) {
    const url = await start().ready;
    expect(await alerts(url)).toEqual([]);
    const load = light(url).catch(() => undefined);
    await pause(60 * round + 20);
    await station?.kill();
    await load;
  }
  expect(await alerts(await start().ready)).toEqual([]);
});

test('the station refuses to start with a log that is damaged in the middle, and accepting the loss leaves an alert', async () => {
  const url = await start().ready;
  await ask<Backup>(url, 'POST', '/api/backups/');
  await light(url);
  expect(await commands(url)).toBe(COMMANDS);
  await station?.kill();
  garbleLog();

  const said = await refused();
  expect(said).toMatch(/damaged in the middle: later changes cannot be read/);
  expect(said).toMatch(/--restore ".*-manual\.sqlite"/);
  expect(said).toContain('--accept-loss');
  expect(await refused()).toBe(said);

  const again = await start('--accept-loss').ready;
  expect(await commands(again)).toBeLessThan(COMMANDS);
  const [alert] = await alerts(again);
  expect(alert).toMatchObject({ kind: 'data_lost', ended: null });
  expect(readdirSync(join(folder, alert?.about ?? ''))).toContain('pickstation.sqlite-wal');
  expect(await station?.stop()).toBe(0);
  expect(await alerts(await start().ready)).toMatchObject([{ id: alert?.id }]);
});

test('the station refuses to start if its database was deleted after a clean stop, and can restore a backup', async () => {
  const url = await start().ready;
  await light(url);
  const { name } = await ask<Backup>(url, 'POST', '/api/backups/');
  expect(await station?.stop()).toBe(0);
  rmSync(join(folder, 'pickstation.sqlite'));

  const said = await refused();
  expect(said).toMatch(
    /pickstation\.sqlite is gone, and there are backups of one\. This station stored changes until 20\d\d-/,
  );
  const [, path = ''] = /--restore "(.*)"/.exec(said) ?? [];
  expect(path).toContain(name);
  const again = await start('--restore', path).ready;
  expect(await commands(again)).toBe(COMMANDS);
  expect(await alerts(again)).toMatchObject([{ kind: 'data_lost' }]);
});

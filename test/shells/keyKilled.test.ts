import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StationMap } from '#shared/api/map.ts';
import { STATION_PROGRAM } from '../helpers/spawnStation.ts';
import { API_KEY, folderOnDisk, spawnStation, watch, type StationProcess } from './stationProcess.ts';

const KILLER = join(import.meta.dirname, 'killAtStep.ts');
const ONE = '51D000:000001';
const RACK = { method: 'POST', path: '/api/map/racks/', body: { name: 'B', columns: 4, shelves: ['B-1'] } };
const BULK = {
  method: 'POST',
  path: '/api/devices/',
  body: [
    { deviceid: ONE, line1: 'Nut' },
    { location: 'nowhere', line1: 'x' },
  ],
};
/** Kills before the commit of the request, after it, and at the next commit, which may contain the answer. */
const KILLS = [
  { at: 1, request: RACK, isOnDisk: false },
  { at: 2, request: BULK, isOnDisk: true },
  { at: 3, request: { ...RACK, body: { ...RACK.body, name: 'C' } }, isOnDisk: true },
];

let folder: string;
let station: StationProcess | undefined;

beforeAll(() => void (folder = folderOnDisk('key-killed')));

afterAll(async () => {
  await station?.kill();
  rmSync(folder, { recursive: true });
});

async function ask(url: string, method: string, path: string, { key, body }: { key?: string; body?: unknown } = {}) {
  const headers = {
    'api-key': API_KEY,
    'content-type': 'application/json',
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  const answer = await fetch(new URL(path, url), { method, headers, body: JSON.stringify(body) ?? null });
  const json: unknown = await answer.json();
  return { status: answer.status, isReplayed: answer.headers.get('idempotency-replayed') === 'true', json };
}

test('a request with a key runs once, even if the station is killed at any commit', { timeout: 600_000 }, async () => {
  const dataFolder = join(folder, 'data');
  for (const { at, request, isOnDisk } of KILLS) {
    const { method, path, body } = request;
    const sent = { key: `key-${at}`, body };
    const args = ['--import', KILLER, STATION_PROGRAM, '--port', '0', '--data', dataFolder, '--simulate', '1'];
    station = watch(['env', `KILL_AT_STEP=${at}`, 'KILL_FROM=key', process.execPath, ...args]);
    const cut = ask(await station.ready, method, path, sent).catch(() => undefined);
    await station.ended;
    expect(station.stderr()).toContain(`killed at step ${at}`);
    const first = await cut;

    station = spawnStation({ dataFolder, simulate: 1, port: 0 });
    const url = await station.ready;
    const again = await ask(url, method, path, sent);
    expect([at, again.isReplayed]).toEqual([at, isOnDisk]);
    // The last kill can happen after the answer was sent.
    if (first !== undefined) expect(again).toEqual({ ...first, isReplayed: true });
    expect(await ask(url, method, path, sent)).toEqual({ ...again, isReplayed: true });
    if (at === KILLS.at(-1)?.at) {
      const { json: map } = await ask(url, 'GET', '/api/map/');
      expect((map as StationMap).racks.map(({ name }) => name)).toEqual(['B', 'C']);
      // A second command would replace the first one.
      const { json: replaced } = await ask(url, 'GET', `/api/history/?deviceid=${ONE}&kind=replaced`);
      const { json: device } = await ask(url, 'GET', `/api/device/${ONE}/`);
      expect([replaced, device]).toEqual([[], expect.objectContaining({ commands: [expect.any(Object)] })]);
    }
    await station.stop();
  }
});

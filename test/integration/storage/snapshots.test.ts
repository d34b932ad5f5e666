import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { InParts } from '#shared/lib/station/inParts.ts';
import type { Station } from '#shared/api/station.ts';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import { createSnapshots, type Snapshots } from '../../../electron/server/db/snapshots.ts';
import { API_KEY, startTestStation } from '../../helpers/startTestStation.ts';

let folder: string;
let database: OpenDatabase;
let snapshots: Snapshots;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-snapshots-'));
  database = openDatabase(folder);
  snapshots = createSnapshots(database.openReader());
});

afterEach(() => {
  snapshots.stop();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const add = (deviceId: string) =>
  createRepositories(database.writer).devices.insert({ deviceId, buttons: 3, firmware: 70 });

function* idsInParts(reads: Repositories, parts: number): InParts<string[][]> {
  const found: string[][] = [];
  for (let part = 0; part < parts; part += 1) {
    found.push(reads.devices.listIds());
    yield;
  }
  return found;
}

test('a long read sees a single state while others write between its parts, and the next read sees their changes', async () => {
  add('51D000:000001');
  const read = snapshots.read((reads) => idsInParts(reads, 5));
  const next = snapshots.read((reads) => idsInParts(reads, 1));
  for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  add('51D000:000002');
  expect(createRepositories(database.reader).devices.listIds()).toHaveLength(2);
  expect(await read).toEqual(Array.from({ length: 5 }, () => ['51D000:000001']));
  expect(await next).toEqual([['51D000:000001', '51D000:000002']]);
});

test('stopping ends a long read between two parts, and a failed read does not affect later reads', async () => {
  const failed = snapshots.read(function* fail(): InParts<void> {
    yield;
    throw new Error('broken');
  });
  await expect(failed).rejects.toThrow('broken');
  const read = snapshots.read((reads) => idsInParts(reads, 1_000));
  const refused = expect(read).rejects.toMatchObject({ code: 'stopping' });
  for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  snapshots.stop();
  await refused;
  await expect(snapshots.read((reads) => idsInParts(reads, 1))).rejects.toMatchObject({ code: 'stopping' });
});

test('answers small requests while it writes a snapshot with many devices', async () => {
  const devices = 2_000;
  const station = await startTestStation({ simulate: devices });
  for (const accept of ['application/json', 'application/xml']) {
    const over = new AbortController();
    const headers = { 'api-key': API_KEY, accept };
    const asked = fetch(new URL('/api/station/', station.url), { headers }).then((answer) => answer.text());
    const answered = asked.finally(() => over.abort());
    let small = 0;
    while (!over.signal.aborted) {
      await (await fetch(new URL('/healthz', station.url))).text();
      small += 1;
    }
    // Each request takes several turns of the event loop, but building the whole snapshot at once would take only one.
    expect(small, accept).toBeGreaterThan(12);
    const text = await answered;
    if (accept === 'application/json') expect((JSON.parse(text) as Station).devices).toHaveLength(devices);
    else expect(text.split('</deviceid>')).toHaveLength(devices + 1);
  }
  await station.stop();
});

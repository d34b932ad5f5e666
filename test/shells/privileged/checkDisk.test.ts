import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { check, stateOf } from '../checked.ts';
import { API_KEY, spawnStation } from '../stationProcess.ts';
import { mountSmallDisk, type SmallDisk } from './smallDisk.ts';

/** Size of the disk: just enough for the data and for the space that the check leaves free. */
const MEGABYTES = 48;

let disk: SmallDisk;
let folder: string;
let stops: (() => unknown)[];

beforeEach(() => {
  disk = mountSmallDisk(MEGABYTES);
  stops = [() => disk.stop()];
  folder = join(disk.folder, 'data');
});

afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
});

function start() {
  const station = spawnStation({ dataFolder: folder, simulate: 3, port: 0 });
  stops.push(() => station.kill());
  return station;
}

test('--check reports a full disk next to a running station, which continues', async () => {
  const station = start();
  const url = await station.ready;
  expect(await check(folder, ['--port', '0'])).toMatchObject({ code: 0, err: '' });
  disk.fill();
  expect(await check(folder, ['--port', '0'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^The next start will not work\. The disk of \S+ has 0 MB free; .* Free some space\.\n$/,
    ) as string,
  });
  disk.makeRoom();
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const body = JSON.stringify({ line1: 'x', nonce: 'x', seconds: 0 });
  expect((await fetch(new URL('/api/device/51D000:000001/', url), { method: 'POST', headers, body })).status).toBe(200);
});

test('--check reports a read-only data folder and leaves it unchanged', async () => {
  const station = start();
  await station.ready;
  await station.stop();
  const before = stateOf(folder);
  disk.remount('ro');
  stops.push(() => disk.remount('rw'));
  expect(await check(folder, ['--port', '0'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^The next start will not work\. The data folder \S+ cannot be written \(EROFS\)\. /,
    ) as string,
  });
  expect(stateOf(folder)).toEqual(before);
});

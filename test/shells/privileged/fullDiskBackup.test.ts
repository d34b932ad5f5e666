import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { mountSmallDisk, type SmallDisk } from './smallDisk.ts';

let disk: SmallDisk;
let station: TestStation & AsyncDisposable;
let atStep: (() => void) | undefined;

beforeEach(async () => {
  disk = mountSmallDisk(16);
  const dataFolder = join(disk.folder, 'data');
  cpSync(inject('template'), dataFolder, { recursive: true });
  station = await startTestStation({
    dataFolder,
    simulate: 1,
    watchCopy: () => {
      atStep?.();
      atStep = undefined;
      return undefined;
    },
  });
});

afterEach(async () => {
  await station.stop();
  disk.stop();
});

const left = (): string[] => {
  const folder = join(station.dataFolder, 'backups');
  return existsSync(folder) ? readdirSync(folder) : [];
};

test.each([
  ['before a backup', (): void => disk.fill()],
  ['in the middle of a backup', (): void => void (atStep = () => disk.fill())],
])('a full disk %s does not leave a partial backup, and the station continues', async (_, spoil) => {
  spoil();
  const answer = await station.request('POST', '/api/backups/');
  expect(answer).toMatchObject({
    status: 507,
    body: {
      code: 'storage',
      detail: expect.stringMatching(/nothing is left of it: The disk is full|There is no room/) as string,
    },
  });
  expect(left()).toEqual([]);
  expect((await station.request('GET', '/api/station/')).status).toBe(200);
  disk.makeRoom();
  expect((await station.request('POST', '/api/backups/')).status).toBe(201);
  expect((await station.request('POST', '/api/device/51D000:000001/', { line1: 'goes on' })).status).toBe(200);
});

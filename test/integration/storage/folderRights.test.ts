import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const CHECK_MS = 5_000;

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ checkFolderMs: CHECK_MS });
});
afterEach(() => station.stop());

/** Sets the mode of the data folder or a folder in it, and waits for the next check. */
async function change(mode: number, folder = ''): Promise<void> {
  chmodSync(join(station.dataFolder, folder), mode);
  await station.clock.advance(CHECK_MS);
}

const alerts = async (state = 'open') =>
  (await station.get<Alert[]>(`/api/alerts/?state=${state}`)).map(({ kind, about, problem }) => [kind, about, problem]);

test.skipIf(process.platform === 'win32')(
  'a data folder that others can write raises an alert, which ends with the right mode, also over a restart',
  async () => {
    const { dataFolder } = station;
    expect(await alerts()).toEqual([]);
    await change(0o755);
    expect(await alerts()).toEqual([]);
    await change(0o777);
    const raised = [
      'data_exposed',
      dataFolder,
      `Every user of this machine can write to ${dataFolder}, and could replace the data of this station. Run: chmod go-w ${dataFolder}`,
    ];
    expect(await alerts()).toEqual([raised]);
    await station.restart();
    expect(await alerts()).toEqual([raised]);
    await change(0o755);
    expect([await alerts(), await alerts('ended')]).toEqual([[], [raised]]);
    chmodSync(dataFolder, 0o702);
    await station.restart();
    expect(await alerts()).toEqual([raised]);
  },
);

test.skipIf(process.platform === 'win32')('a folder of backups that others can write raises the alert', async () => {
  mkdirSync(join(station.dataFolder, 'backups'), { recursive: true });
  await change(0o777, 'backups');
  expect(await alerts()).toMatchObject([
    ['data_exposed', station.dataFolder, expect.stringContaining(`chmod go-w ${join(station.dataFolder, 'backups')}`)],
  ]);
  await change(0o700, 'backups');
  expect(await alerts()).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'the alert names the folder of backups once the data folder is safe',
  async () => {
    const backups = join(station.dataFolder, 'backups');
    mkdirSync(backups, { recursive: true });
    chmodSync(backups, 0o777);
    await change(0o777);
    expect(await alerts()).toMatchObject([
      ['data_exposed', station.dataFolder, expect.stringContaining(`chmod go-w ${station.dataFolder}`)],
    ]);
    await change(0o755);
    expect(await alerts()).toMatchObject([
      ['data_exposed', station.dataFolder, expect.stringContaining(`chmod go-w ${backups}`)],
    ]);
    await station.restart();
    await change(0o700, 'backups');
    expect(await alerts()).toEqual([]);
  },
);

test.skipIf(process.getuid?.() !== 0)('a group that is not private to the owner raises the alert', async () => {
  await change(0o775);
  expect(await alerts()).toEqual([]);
  chownSync(station.dataFolder, 0, 50);
  await change(0o775);
  expect(await alerts()).toMatchObject([['data_exposed', station.dataFolder, expect.stringContaining('The group')]]);
});

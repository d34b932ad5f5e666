import { existsSync, readdirSync, statSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Backup, BackupContents, BackupStatus } from '#shared/api/backup.ts';
import { addBallast } from '../helpers/files/ballast.ts';
import { childrenOf, commandLineOf, isRunning } from '../helpers/processes.ts';
import { until } from '../shells/until.ts';
import { call, openDesktop, ownFolder, windowOn, type Desktop } from './desktop.ts';

const MEGABYTE = 1024 * 1024;

const left = (dataFolder: string): string[] => {
  const folder = join(dataFolder, 'backups');
  return existsSync(folder) ? readdirSync(folder) : [];
};

/** Returns the process ids of Electron's helper processes for backups. */
const sidesOf = (desktop: Desktop): number[] =>
  childrenOf(desktop.app.process().pid ?? 0).filter((pid) => commandLineOf(pid).includes('node.mojom.NodeService'));

/** Starts a program and stops it in the middle of a backup. The helper process is suspended until it is continued or killed. */
async function inTheMiddle(): Promise<{
  desktop: Desktop;
  url: string;
  dataFolder: string;
  side: number;
  answer: Promise<unknown>;
}> {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder });
  const url = await desktop.url();
  await windowOn(desktop, url);
  addBallast(join(dataFolder, 'pickstation.sqlite'), 128);
  const answer = call(url, 'POST', '/api/backups/').catch((error: Error) => error.message);
  const isBegun = (): boolean =>
    left(dataFolder).some((name) => statSync(join(dataFolder, 'backups', name)).size > MEGABYTE);
  while (!isBegun()) await turn();
  const [side = 0] = sidesOf(desktop);
  process.kill(side, 'SIGSTOP');
  // A suspended process does not notice that its program has ended, so kill it.
  onTestFinished(() => void (isRunning(side) && process.kill(side, 'SIGKILL')));
  return { desktop, url, dataFolder, side, answer };
}

test('a backup is made in a separate process that ends, and is listed and read', async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder, args: ['--port', '0', '--simulate', '2'] });
  const url = await desktop.url();
  await windowOn(desktop, url);
  const made = (await call(url, 'POST', '/api/backups/')) as Backup;
  expect(made).toMatchObject({ kind: 'manual', by: 'API key' });
  expect(await call(url, 'GET', '/api/backups/')).toEqual([made]);
  const { holds } = (await call(url, 'GET', `/api/backups/${made.name}/contents/`)) as BackupContents;
  expect(holds.devices).toBe(2);
  await until('its processes to end', () => sidesOf(desktop).length === 0);
  expect(left(dataFolder)).toEqual([made.name, `${made.name}.json`]);
});

test('killing the process in the middle of a backup leaves nothing behind, and the program continues', async () => {
  const { desktop, url, dataFolder, side, answer } = await inTheMiddle();
  expect(getPriority(side)).toBe(Math.max(10, getPriority()));
  process.kill(side, 'SIGKILL');
  expect(await answer).toMatch(/500 .*No backup was made, and nothing is left of it: the process for it ended/);
  expect(left(dataFolder)).toEqual([]);
  expect(await call(url, 'POST', '/api/backups/')).toMatchObject({ kind: 'manual' });
  expect(await desktop.isVisible()).toBe(true);
});

test('when a canceled backup is answered, its process has ended', async () => {
  const { url, dataFolder, side, answer } = await inTheMiddle();
  await call(url, 'POST', '/api/backups/cancel/');
  process.kill(side, 'SIGCONT');
  expect(await answer).toMatch(/409 .*The backup was canceled. Nothing is left of it./);
  expect(isRunning(side)).toBe(false);
  expect(left(dataFolder)).toEqual([]);
});

test('a backup canceled as soon as it runs leaves no file and no process', async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder });
  const url = await desktop.url();
  await windowOn(desktop, url);
  addBallast(join(dataFolder, 'pickstation.sqlite'), 128);
  const isRunningNow = async (): Promise<boolean> =>
    ((await call(url, 'GET', '/api/backups/status/')) as BackupStatus).running !== null;
  for (let times = 0; times < 5; times += 1) {
    const answer = call(url, 'POST', '/api/backups/').catch((error: Error) => error.message);
    while (!(await isRunningNow())) await turn();
    await call(url, 'POST', '/api/backups/cancel/');
    expect(await answer).toMatch(/409 .*canceled/);
    expect(left(dataFolder)).toEqual([]);
  }
  await until('its processes to end', () => sidesOf(desktop).length === 0);
});

test('ending the program abandons a running backup', async () => {
  const { desktop, dataFolder, side } = await inTheMiddle();
  desktop.app.process().kill('SIGTERM');
  process.kill(side, 'SIGCONT');
  expect(await desktop.ended).toBe(0);
  expect(isRunning(side)).toBe(false);
  expect(left(dataFolder)).toEqual([]);
});

test('the backup process ends after the program is killed', async () => {
  const { desktop, side } = await inTheMiddle();
  desktop.app.process().kill('SIGKILL');
  await desktop.ended;
  process.kill(side, 'SIGCONT');
  await until('its process to end', () => !isRunning(side));
});

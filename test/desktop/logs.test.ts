import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../shells/until.ts';
import { openDesktop, ownFolder, windowOn } from './desktop.ts';

function logOf(dataFolder: string): string {
  const folder = join(dataFolder, 'logs');
  if (!existsSync(folder)) return '';
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}

function dumpsIn(dataFolder: string): string[] {
  return readdirSync(join(dataFolder, 'crashes'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.dmp'),
  );
}

test("the 'Show logs' item in the menu and in the tray opens the log folder", async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder });
  await windowOn(desktop, await desktop.url());
  const folder = join(dataFolder, 'logs');
  await until('the start in the log', () => logOf(dataFolder).includes('The station started'));
  await desktop.app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
    items.find(({ label }) => label === 'Show logs')?.click();
  });
  await until('the folder to be opened', async () => (await desktop.opened()).length === 1);
  await desktop.clickTray('Show logs');
  await until('the folder to be opened again', async () => (await desktop.opened()).length === 2);
  expect(await desktop.opened()).toEqual([folder, folder]);
});

test('an uncaught error is in the log after the program has ended', async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder });
  await windowOn(desktop, await desktop.url());
  await desktop.app.evaluate(() => {
    setTimeout(() => {
      throw new Error('broken on purpose');
    }, 0);
  });
  expect(await desktop.ended).toBe(1);
  expect(logOf(dataFolder)).toMatch(/"level":"fatal".*broken on purpose/);
});

test('an unhandled rejection is in the log', async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder });
  await windowOn(desktop, await desktop.url());
  await desktop.app.evaluate(() => void Promise.reject(new Error('rejected on purpose')));
  expect(await desktop.ended).toBe(1);
  expect(logOf(dataFolder)).toContain('rejected on purpose');
});

test('a crashed page leaves a dump in the data folder, only five dumps are kept, and none is sent', async () => {
  const dataFolder = ownFolder();
  const old = join(dataFolder, 'crashes', 'completed');
  mkdirSync(old, { recursive: true });
  for (let index = 0; index < 7; index += 1) {
    writeFileSync(join(old, `old-${index}.dmp`), '');
    utimesSync(join(old, `old-${index}.dmp`), 1_000 + index, 1_000 + index);
  }
  const desktop = await openDesktop({ dataFolder });
  await windowOn(desktop, await desktop.url());
  await until('two old dumps to be removed', () => dumpsIn(dataFolder).length === 5);
  expect(dumpsIn(dataFolder).join()).not.toMatch(/old-[01]\.dmp/);
  expect(await desktop.app.evaluate(({ crashReporter }) => crashReporter.getUploadToServer())).toBe(false);
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  await until('the end of the page in the log', () => logOf(dataFolder).includes('A process of the window ended'));
  await until('a dump of it', () => dumpsIn(dataFolder).some((name) => !name.includes('old-')));
  await until('only five to be left', () => dumpsIn(dataFolder).length === 5);
});

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../shells/until.ts';
import { openDesktop, ownFolder, windowOn, type Desktop } from './desktop.ts';

/** Toggles the menu item for starting at login, and returns the item's new state. */
function clickItem({ app }: Desktop): Promise<boolean | undefined> {
  return app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    const item = items?.find(({ label }) => label === 'Start when I sign in');
    item?.click();
    return item?.checked;
  });
}

test('the autostart entry starts the program on the same data folder', async () => {
  // The path contains every character with a special meaning in a desktop file or a shell.
  const home = ownFolder();
  const dataFolder = join(home, 'a "b" $HOME `c` \\d 100% %f');
  const settings = join(home, 'settings "b" $HOME 100% %f');
  mkdirSync(dataFolder);
  const file = join(settings, 'autostart', 'pickstation.desktop');
  const env = { XDG_CONFIG_HOME: settings };
  const first = await openDesktop({ dataFolder, env });
  await windowOn(first, await first.url());
  expect(existsSync(file)).toBe(false);
  expect(await clickItem(first)).toBe(true);
  expect(existsSync(file)).toBe(true);
  await first.app.evaluate(({ app }) => app.quit()).catch(() => undefined);
  await first.ended;
  expect(existsSync(join(dataFolder, 'address.json'))).toBe(false);

  const manager = spawn('openbox', { stdio: 'ignore' });
  onTestFinished(() => {
    manager.kill();
    // The program that the desktop started is not a child of this process, so find it by its command line.
    spawnSync('pkill', ['-9', '-f', home]);
  });
  // Discard the output, because the program would keep a pipe open. No user systemd runs here, unlike in
  // startAtLogin.test.ts.
  const session = { ...process.env, ...env, XDG_RUNTIME_DIR: ownFolder() };
  execFileSync('gio', ['launch', file], { env: session, stdio: 'ignore' });
  await until('the station', () => existsSync(join(dataFolder, 'address.json')));
  const { url } = JSON.parse(readFileSync(join(dataFolder, 'address.json'), 'utf8')) as { url: string };
  await until('it to be ready', async () => (await fetch(new URL('/healthz', url))).ok);
});

test('--hidden starts without a visible window, and the menu item turns off starting at sign-in', async () => {
  const settings = ownFolder();
  const dataFolder = ownFolder();
  const env = { XDG_CONFIG_HOME: settings };
  const args = ['--port', '0', '--hidden'];
  const desktop = await openDesktop({ dataFolder, env, args });
  await windowOn(desktop, await desktop.url());
  await until('the tray', desktop.hasTray);
  expect(await desktop.isVisible()).toBe(false);
  expect(await clickItem(desktop)).toBe(true);
  expect(await clickItem(desktop)).toBe(false);
  expect(existsSync(join(settings, 'autostart', 'pickstation.desktop'))).toBe(false);
});

test('a notification reports that the menu item cannot be changed, and the station continues', async () => {
  const settings = join(ownFolder(), 'settings');
  writeFileSync(settings, 'no folder');
  const desktop = await openDesktop({ dataFolder: ownFolder(), env: { XDG_CONFIG_HOME: settings } });
  const url = await desktop.url();
  await windowOn(desktop, url);
  expect(await clickItem(desktop)).toBe(false);
  expect(await desktop.notifications()).toEqual([
    expect.stringMatching(/^Start when I sign in could not be changed\nENOTDIR/),
  ]);
  expect((await fetch(new URL('/healthz', url))).ok).toBe(true);
});

import { once } from 'node:events';
import { readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../helpers/servers/freePort.ts';
import { spawnStation, type StationProcess } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { call, openDesktop, ownFolder, startDesktop, windowOn, type Desktop } from './desktop.ts';

async function headless(dataFolder: string): Promise<{ station: StationProcess; url: string }> {
  const station = spawnStation({ dataFolder, simulate: 1, port: 0 });
  onTestFinished(() => station.kill());
  return { station, url: await station.ready };
}

async function firstDialog(desktop: Desktop): Promise<{ text: string; buttons: string[] }> {
  await until('a dialog', async () => (await desktop.dialogs()).length > 0);
  const [dialog] = await desktop.dialogs();
  if (dialog === undefined) throw new Error('There is no dialog');
  return dialog;
}

/** Waits for this many dialogs. Returns the text of the last one. */
async function newestDialog(desktop: Desktop, count: number): Promise<string> {
  await until(`${count} dialogs`, async () => (await desktop.dialogs()).length >= count);
  return (await desktop.dialogs()).at(-1)?.text ?? '';
}

test('the window opens a headless station that uses the data folder, signed out, and leaves that station running', async () => {
  const dataFolder = ownFolder();
  const { url } = await headless(dataFolder);
  const desktop = await openDesktop({ dataFolder });
  const page = await windowOn(desktop, url);
  expect(await page.evaluate(`fetch('/api/station/').then(({ status }) => status)`)).toBe(401);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await desktop.trayMenu()).toEqual([]);

  // The headless station outlives the window, so closing the window neither hides it nor asks.
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()).catch(() => undefined);
  expect(await desktop.ended).toBe(0);
  expect(await call(url, 'GET', '/healthz')).toMatchObject({ status: 'ok' });
});

test('if the headless station stops while its page loads, the window says that the station does not answer', async () => {
  const dataFolder = ownFolder();
  const { url, station } = await headless(dataFolder);
  const desktop = await openDesktop({ dataFolder });
  await windowOn(desktop, url);
  await station.stop();
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.reload());
  const text = (): Promise<unknown> =>
    desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.body.innerText'),
    );
  await until('the page in words', async () =>
    String(await text()).includes(`Nothing answers at ${url}. If the station was stopped, start it and try again.`),
  );
});

test('a dialog reports that another Pickstation uses the data folder and cannot be reached', async () => {
  const dataFolder = ownFolder();
  await headless(dataFolder);
  rmSync(join(dataFolder, 'address.json'));
  const desktop = await openDesktop({ dataFolder });
  const { text, buttons } = await firstDialog(desktop);
  expect(text).toContain(`Another Pickstation is running on the data folder ${dataFolder}.`);
  expect(text).toContain('It could not be reached on this machine.');
  expect(buttons).toEqual(['Quit']);
  await desktop.answer('Quit').catch(() => undefined);
  expect(await desktop.ended).toBe(1);
});

test('ignores the address that a killed station left behind', async () => {
  const dataFolder = ownFolder();
  const { station, url } = await headless(dataFolder);
  await station.kill();
  const desktop = await openDesktop({ dataFolder });
  expect(await desktop.url()).not.toBe(url);
  await windowOn(desktop, await desktop.url());
  expect(await desktop.trayMenu()).not.toEqual([]);
});

/** Occupies this port until the test ends. */
async function take(port: number): Promise<void> {
  const other = createServer();
  onTestFinished(() => void other.close());
  await once(other.listen(port, '127.0.0.1'), 'listening');
}

async function takenPort(): Promise<number> {
  const port = await freePort();
  await take(port);
  return port;
}

test('a dialog reports a taken port, and a free port can be used instead', async () => {
  const port = await takenPort();
  const desktop = await openDesktop({ dataFolder: ownFolder(), args: ['--port', String(port)] });
  const { text, buttons } = await firstDialog(desktop);
  expect(text).toContain(`Port ${port} is taken by another program.`);
  expect(buttons).toEqual(['Use a free port', 'Quit']);
  await desktop.answer('Use a free port');
  const url = await desktop.url();
  expect(new URL(url).port).not.toBe(String(port));
  await windowOn(desktop, url);
  expect(await newestDialog(desktop, 2)).toContain('the next start uses the port from --port again');
});

test('a free port chosen in the dialog is kept for the next start, and the dialog names the programs that use it', async () => {
  const port = await freePort();
  const dataFolder = ownFolder();
  const { station, url: before } = await headless(dataFolder);
  const scale = { name: 'Scale', scope: 'read' };
  const { api_key } = (await call(before, 'POST', '/api/api-users/', scale)) as { api_key: string };
  await fetch(new URL('/api/device/', before), { headers: { 'api-key': api_key } });
  await call(before, 'POST', '/api/api-users/', { ...scale, name: 'Never used' });
  await call(before, 'PATCH', '/api/settings/', { port });
  await station.stop();
  await take(port);

  const desktop = await startDesktop({ dataFolder, args: [] });
  onTestFinished(desktop.stop);
  expect(await newestDialog(desktop, 1)).toContain(`Port ${port} is taken by another program.`);
  await desktop.answer('Use a free port');
  const url = await desktop.url();
  const page = await windowOn(desktop, url);
  const told = await newestDialog(desktop, 2);
  expect(told).toContain(`The station is now at ${url}`);
  expect(told).toContain('Scale\n');
  expect(told).not.toContain('Never used');
  await desktop.answer('Show the settings');
  await page.getByText('These have used the station with a key').waitFor();
  await desktop.stop();

  const again = await openDesktop({ dataFolder, args: [] });
  expect(await again.url()).toBe(url);
  expect(await again.dialogs()).toEqual([]);
});

test('quitting the dialog about a taken port exits with 1', async () => {
  const port = await takenPort();
  const desktop = await openDesktop({ dataFolder: ownFolder(), args: ['--port', String(port)] });
  await firstDialog(desktop);
  await desktop.answer('Quit').catch(() => undefined);
  expect(await desktop.ended).toBe(1);
});

test('a dialog reports an invalid argument', async () => {
  const desktop = await openDesktop({ dataFolder: ownFolder(), args: ['--port', 'seven'] });
  expect((await firstDialog(desktop)).text).toContain('--port must be a whole number from 0 to 65535, not "seven".');
  await desktop.answer('Quit').catch(() => undefined);
  expect(await desktop.ended).toBe(1);
});

test('a dialog reports a data folder that cannot be written', async () => {
  const file = join(ownFolder(), 'file');
  writeFileSync(file, 'no folder');
  const desktop = await openDesktop({ dataFolder: join(file, 'data') });
  expect((await firstDialog(desktop)).text).toContain(`The data folder ${join(file, 'data')} cannot be written`);
  await desktop.answer('Quit').catch(() => undefined);
  expect(await desktop.ended).toBe(1);
});

for (const [what, text] of [
  ['is truncated', '{"box":{"x":1,'],
  ['contains invalid values', '{"box":{"x":"left","y":1e99,"width":-5,"height":null},"maximized":"yes"}'],
  ['contains fractions of pixels', '{"box":{"x":10.5,"y":20.5,"width":900.5,"height":700.5}}'],
  ['is not an object', '[]'],
  ['puts the window off the screen', '{"box":{"x":9000,"y":9000,"width":900,"height":700}}'],
] as const) {
  test(`a window state that ${what} opens a centered window`, async () => {
    const dataFolder = ownFolder();
    writeFileSync(join(dataFolder, 'window.json'), text);
    const desktop = await openDesktop({ dataFolder });
    await windowOn(desktop, await desktop.url());
    const {
      box,
      screen: area,
      maximized,
    } = await desktop.app.evaluate(({ BrowserWindow, screen }) => ({
      box: BrowserWindow.getAllWindows()[0]?.getBounds(),
      screen: screen.getPrimaryDisplay().workArea,
      maximized: BrowserWindow.getAllWindows()[0]?.isMaximized(),
    }));
    const width = Math.min(1_360, area.width);
    const height = Math.min(860, area.height);
    expect({ box, maximized }).toEqual({
      box: {
        x: area.x + Math.round((area.width - width) / 2),
        y: area.y + Math.round((area.height - height) / 2),
        width,
        height,
      },
      maximized: false,
    });
  });
}

test('a dialog asks about lost data, and the station can start with the remaining data', async () => {
  const dataFolder = ownFolder();
  const { station } = await headless(dataFolder);
  expect(await station.stop()).toBe(0);
  rmSync(join(dataFolder, 'pickstation.sqlite'));
  const desktop = await openDesktop({ dataFolder });
  const { text, buttons } = await firstDialog(desktop);
  expect(text).toMatch(/Some data of this station is missing\n.*pickstation\.sqlite is gone/);
  expect(buttons).toEqual(['Start with the remaining data', 'Quit']);
  await desktop.answer('Start with the remaining data');
  await windowOn(desktop, await desktop.url());
});

test('a dialog asks about lost data, and the newest backup can be restored', async () => {
  const dataFolder = ownFolder();
  const { station, url } = await headless(dataFolder);
  await call(url, 'POST', '/api/device/51D000:000001/', { locationoverride: 'in the backup' });
  await call(url, 'POST', '/api/backups/');
  expect(await station.stop()).toBe(0);
  truncateSync(join(dataFolder, 'pickstation.sqlite'), 0);
  const desktop = await openDesktop({ dataFolder });
  const { text, buttons } = await firstDialog(desktop);
  expect(text).toMatch(/pickstation\.sqlite is empty/);
  expect(buttons).toEqual([expect.stringMatching(/^Restore the backup of /), 'Start with the remaining data', 'Quit']);
  await desktop.answer(buttons[0] ?? '');
  const again = await desktop.url();
  await windowOn(desktop, again);
  expect(await call(again, 'GET', '/api/device/51D000:000001/')).toMatchObject({ locationoverride: 'in the backup' });
  expect(await call(again, 'GET', '/api/alerts/')).toMatchObject([{ kind: 'data_lost' }]);
});

test('quitting the dialog about lost data changes nothing', async () => {
  const dataFolder = ownFolder();
  const { station } = await headless(dataFolder);
  expect(await station.stop()).toBe(0);
  rmSync(join(dataFolder, 'pickstation.sqlite'));
  const desktop = await openDesktop({ dataFolder });
  await firstDialog(desktop);
  await desktop.answer('Quit').catch(() => undefined);
  expect(await desktop.ended).toBe(1);
  expect(readdirSync(dataFolder).filter((name) => /^lost-|\.sqlite$/.test(name))).toEqual(['lock.sqlite']);
});

test('a start in an emptied folder, where a station ran before, says so in a message and as an alert', async () => {
  const dataFolder = ownFolder();
  const env = { XDG_STATE_HOME: ownFolder() };
  const lost = async (url: string) =>
    ((await call(url, 'GET', '/api/alerts/')) as { kind: string }[]).filter(({ kind }) => kind === 'data_lost');
  const first = await startDesktop({ dataFolder, env });
  await windowOn(first, await first.url());
  expect(await lost(await first.url())).toEqual([]);
  expect(await first.dialogs()).toEqual([]);
  await first.stop();
  // Moved, not removed: processes of Electron that are still ending may write into it.
  renameSync(dataFolder, join(ownFolder(), 'moved'));
  const second = await openDesktop({ dataFolder, env });
  const { text } = await firstDialog(second);
  expect(text).toMatch(/^The data folder was empty\n.* although a station ran there, last started at \d{4}-/);
  const url = await second.url();
  await windowOn(second, url);
  expect(await lost(url)).toMatchObject([{ about: dataFolder }]);
});

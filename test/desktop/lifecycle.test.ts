import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { ADMIN_PASSWORD, API_KEY } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import {
  call,
  expectOrderlyEnd,
  manageWindows,
  openDesktop,
  ownFolder,
  ROOT,
  ROOT_SWITCHES,
  runtimeFolder,
  windowOn,
  type Desktop,
} from './desktop.ts';

/** Starts the program again on the same folder, like a second click on its icon. */
function startAgain(dataFolder: string): Promise<{ code: number | null; stdout: string }> {
  const args = [...ROOT_SWITCHES, ROOT, '--data', dataFolder, '--port', '0'];
  const child = spawn(join(runtimeFolder(), 'electron'), args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout })));
}

/** Closes the window, like a click on its close button. */
async function close({ app }: Desktop): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
}

test('a second start shows the window of the first and exits', async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder });
  await windowOn(desktop, await desktop.url());
  await close(desktop);
  await until('the window to be hidden', async () => !(await desktop.isVisible()));
  expect(await startAgain(dataFolder)).toEqual({
    code: 0,
    stdout: 'Pickstation is already running on this data folder. Showing its window.\n',
  });
  await until('the window to be shown', desktop.isVisible);
});

test('closing hides the window with one notification, and the station keeps answering', async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder });
  const url = await desktop.url();
  await windowOn(desktop, url);
  for (let times = 0; times < 2; times += 1) {
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.show());
    await close(desktop);
    await until('the window to be hidden', async () => !(await desktop.isVisible()));
    expect(await call(url, 'GET', '/healthz')).toMatchObject({ status: 'ok' });
  }
  expect(await desktop.notifications()).toEqual([
    'The station keeps running\nTablets and scripts still reach it. Open the window or quit from the icon in the tray.',
  ]);
  expect(await desktop.dialogs()).toEqual([]);
});

test('a window closed before its first frame stays hidden until a second start', async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder, env: { CLOSE_BEFORE_SHOWN: '1' } });
  await until('the first frame', desktop.isDrawn);
  expect(await desktop.isVisible()).toBe(false);
  await startAgain(dataFolder);
  await until('the window to be shown', desktop.isVisible);
});

test('without a tray, closing the window asks what to do, and each answer works', async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder, tray: false });
  const url = await desktop.url();
  await windowOn(desktop, url);
  const asked = async (times: number): Promise<void> =>
    until('the question', async () => (await desktop.dialogs()).length === times);

  await close(desktop);
  await asked(1);
  expect(await desktop.dialogs()).toEqual([
    {
      text: 'Keep the station running?\nTablets and scripts reach it without this window. Start Pickstation again to see the window.',
      buttons: ['Keep it running', 'Quit Pickstation', 'Cancel'],
    },
  ]);
  await desktop.answer('Cancel');
  expect(await desktop.isVisible()).toBe(true);

  await close(desktop);
  await asked(2);
  await desktop.answer('Keep it running');
  await until('the window to be hidden', async () => !(await desktop.isVisible()));
  expect(await call(url, 'GET', '/healthz')).toMatchObject({ status: 'ok' });

  await startAgain(dataFolder);
  await until('the window to be shown', desktop.isVisible);
  await close(desktop);
  await asked(3);
  await expectOrderlyEnd(desktop, dataFolder, () => desktop.answer('Quit Pickstation'));
});

test('without a tray, a remembered answer applies until it is reset in the menu', async () => {
  const dataFolder = ownFolder();
  const first = await openDesktop({ dataFolder, tray: false });
  await windowOn(first, await first.url());
  await close(first);
  await until('the question', async () => (await first.dialogs()).length === 1);
  await first.answer('Keep it running', true);
  await until('the window to be hidden', async () => !(await first.isVisible()));
  await expectOrderlyEnd(first, dataFolder, () => first.app.evaluate(({ app }) => app.quit()));

  const second = await openDesktop({ dataFolder, tray: false });
  await windowOn(second, await second.url());
  await close(second);
  await until('the window to be hidden', async () => !(await second.isVisible()));
  expect(await second.dialogs()).toEqual([]);
  await startAgain(dataFolder);
  await until('the window to be shown', second.isVisible);
  await second.app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    items?.find(({ label }) => label === 'Ask again when the window closes')?.click();
  });
  await close(second);
  await until('the question', async () => (await second.dialogs()).length === 1);
  await second.answer('Quit Pickstation', true);
  expect(await second.ended).toBe(0);

  const third = await openDesktop({ dataFolder, tray: false });
  await windowOn(third, await third.url());
  await close(third);
  expect(await third.ended).toBe(0);
});

test('the tray icon appears with the panel, and closing asks again when the panel is gone', async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder, tray: false });
  await windowOn(desktop, await desktop.url());
  expect(await desktop.hasTray()).toBe(false);
  for (let times = 1; times <= 2; times += 1) {
    desktop.setTray(true);
    await until('the icon', desktop.hasTray);
    await until('the menu', async () => (await desktop.trayMenu())[0] === 'Nothing is lit');
    await close(desktop);
    await until('the window to be hidden', async () => !(await desktop.isVisible()));

    desktop.setTray(false);
    await until('no icon', async () => !(await desktop.hasTray()));
    await startAgain(dataFolder);
    await until('the window to be shown', desktop.isVisible);
    await close(desktop);
    await until('the question', async () => (await desktop.dialogs()).length === times);
    await desktop.answer('Cancel');
  }
});

test("the tray lists up to five lit places, and 'Quit Pickstation' asks before it ends the program cleanly", async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder, args: ['--port', '0', '--simulate', '7'] });
  const url = await desktop.url();
  const device = (number: number) => `51D000:00000${number}`;
  const menu = async (expected: string[]): Promise<void> => {
    const ends = ['Show the window', 'Show logs', 'Quit Pickstation'];
    const isShown = async () => JSON.stringify(await desktop.trayMenu()) === JSON.stringify([...expected, ...ends]);
    await until(`the tray to say ${expected.join(', ')}`, isShown).catch(async (error: unknown) => {
      throw new Error(`It says ${(await desktop.trayMenu()).join(', ')}`, { cause: error });
    });
  };
  await menu(['Nothing is lit']);
  for (let number = 1; number <= 7; number++) {
    await call(url, 'PATCH', `/api/simulator/devices/${device(number)}/`, { refresh_ms: 0 });
  }
  await call(url, 'POST', `/api/device/${device(2)}/`, { locationoverride: 'Nuts & bolts' });
  await call(url, 'POST', `/api/device/${device(2)}/`, { line1: 'M8', nonce: 'n2' });
  await menu(['1 device is lit', '  Nuts && bolts']);
  for (const number of [1, 3, 4, 5, 6, 7])
    await call(url, 'POST', `/api/device/${device(number)}/`, { line1: 'M8', nonce: `n${number}` });
  const names = [device(1), 'Nuts && bolts', device(3), device(4), device(5)];
  await menu(['7 devices are lit', ...names.map((name) => `  ${name}`), '  and 2 more']);
  for (const number of [3, 4, 5, 6, 7]) await call(url, 'POST', `/api/device/${device(number)}/`, { command: 'kill' });
  await menu(['2 devices are lit', `  ${device(1)}`, '  Nuts && bolts']);

  await desktop.clickTray('Quit Pickstation');
  await until('the question', async () => (await desktop.dialogs()).length === 1);
  expect(await desktop.dialogs()).toEqual([
    {
      text: 'Quit Pickstation?\n2 devices are lit and stay lit; buttons that are pressed meanwhile count when Pickstation starts again.',
      buttons: ['Quit Pickstation', 'Cancel'],
    },
  ]);
  await desktop.answer('Cancel');
  expect(await call(url, 'GET', '/healthz')).toMatchObject({ status: 'ok' });

  await call(url, 'PATCH', '/api/settings/', { callback_url: 'http://127.0.0.1:9/' });
  for (const number of [1, 2]) await call(url, 'POST', `/api/simulator/devices/${device(number)}/press/`, {});
  await menu(['Nothing is lit']);
  await desktop.clickTray('Quit Pickstation');
  await until('the question', async () => (await desktop.dialogs()).length === 2);
  expect((await desktop.dialogs()).at(-1)?.text).toBe(
    'Quit Pickstation?\n2 callbacks are not delivered; Pickstation sends them when it starts again.',
  );
  await expectOrderlyEnd(desktop, dataFolder, () => desktop.answer('Quit Pickstation'));
});

test("'Quit Pickstation' does not ask if nothing is lit and no callback is pending", async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder });
  await windowOn(desktop, await desktop.url());
  await until('the tray', async () => (await desktop.trayMenu()).includes('Quit Pickstation'));
  await expectOrderlyEnd(desktop, dataFolder, () => desktop.clickTray('Quit Pickstation'));
});

test('keys and the wheel zoom the page, and Ctrl+0 resets it', async () => {
  await manageWindows();
  const desktop = await openDesktop({ dataFolder: ownFolder() });
  await windowOn(desktop, await desktop.url());
  const zoomed = async (what: readonly string[], expected: number): Promise<void> => {
    execFileSync('xdotool', what);
    await until(`zoom ${expected} after ${what.join(' ')}`, async () => {
      const level = await desktop.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.getZoomLevel(),
      );
      return level === expected;
    });
  };
  // A key that comes before the page has the focus is lost.
  await until('the page to have the focus', () =>
    desktop.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return window?.isFocused() === true && window.webContents.isFocused();
    }),
  );
  await zoomed(['key', 'ctrl+equal'], 0.5);
  await zoomed(['key', 'ctrl+plus'], 1);
  await zoomed(['key', 'ctrl+0'], 0);
  await zoomed(['key', 'ctrl+minus', 'key', 'minus'], -0.5);
  await zoomed(['mousemove', '500', '500', 'keydown', 'ctrl', 'click', '4', 'keyup', 'ctrl', 'click', '4'], 0);
  await zoomed(['key', '--repeat', '12', 'ctrl+minus'], -4);
});

test('the Help menu opens the help of the page', async () => {
  const desktop = await openDesktop({ dataFolder: ownFolder() });
  const url = await desktop.url();
  const page = await windowOn(desktop, url);
  for (const [label, path] of [
    ['Words and what they mean', 'help'],
    ['Keyboard shortcuts', 'help#keyboard'],
    ['Licenses', 'licences'],
  ] as const) {
    await desktop.app.evaluate(({ Menu }, label) => {
      const help = Menu.getApplicationMenu()?.items.find(({ role }) => role === 'help');
      help?.submenu?.items.find((item) => item.label === label)?.click();
    }, label);
    await page.waitForURL(`${url}${path}`);
  }
});

test('repeated signals end the program cleanly while a page follows events', async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder });
  await windowOn(desktop, await desktop.url());
  await expectOrderlyEnd(desktop, dataFolder, async () => {
    // A stopping station removes this file first, and no program sends signals after that.
    while (existsSync(join(dataFolder, 'address.json'))) {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) desktop.app.process().kill(signal);
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
});

test('an uncaught error exits with 1, prints its reason and closes the database', async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder });
  await windowOn(desktop, await desktop.url());
  await desktop.app
    .evaluate(() => void setTimeout(() => void Promise.reject(new Error('nobody expects this'))))
    .catch(() => undefined);
  expect(await desktop.ended).toBe(1);
  expect(desktop.stderr()).toContain('Error: nobody expects this');
  expect(existsSync(join(dataFolder, 'pickstation.sqlite-wal'))).toBe(false);
});

test("the window's session ends with the program", async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder });
  await windowOn(desktop, await desktop.url());
  const sessions = (): unknown => {
    const db = new Database(join(dataFolder, 'pickstation.sqlite'), { readonly: true });
    const found = db.prepare('SELECT count(*) FROM sessions').pluck().get();
    db.close();
    return found;
  };
  expect(sessions()).toBe(1);
  await expectOrderlyEnd(desktop, dataFolder, () => desktop.app.evaluate(({ app }) => app.quit()));
  expect(sessions()).toBe(0);
});

test('reloads a crashed page three times a minute, then shows an error page; the station continues', async () => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder });
  const url = await desktop.url();
  await windowOn(desktop, url);
  const crash = (): Promise<string> =>
    desktop.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      if (contents === undefined) throw new Error('There is no window');
      const loaded = new Promise<string>((resolve) =>
        // The previous page may finish loading while the crash dump is written.
        contents.once('render-process-gone', () => contents.once('did-finish-load', () => resolve(contents.getURL()))),
      );
      contents.forcefullyCrashRenderer();
      return loaded;
    });
  const textOf = (): Promise<unknown> =>
    desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.body.innerText'),
    );

  // On a busy machine, four crashes take longer than a minute, so slow down the program's clock.
  await desktop.app.evaluate(() => {
    const now = performance.now.bind(performance);
    const since = now();
    performance.now = () => since + (now() - since) / 20;
  });
  // The page moves to /today before or after it has loaded.
  const startOf = (address: string): string => new URL('/', address).href;
  for (let times = 0; times < 3; times += 1) expect(startOf(await crash())).toBe(url);
  expect(await crash()).toMatch(/^data:text\/html/);
  expect(await textOf()).toContain(
    'The window stopped several times\n\nThe station itself keeps running: devices, tablets and scripts work.',
  );
  expect(await call(url, 'GET', '/healthz')).toMatchObject({ status: 'ok' });
  const back = await desktop.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents === undefined) throw new Error('There is no window');
    const loaded = new Promise<string>((resolve) => contents.once('did-finish-load', () => resolve(contents.getURL())));
    void contents.executeJavaScript('document.querySelector("a").click()');
    return loaded;
  });
  expect(startOf(back)).toBe(url);
});

test('a dialog reports an unresponsive page and can reload it', async () => {
  const desktop = await openDesktop({ dataFolder: ownFolder() });
  const url = await desktop.url();
  await windowOn(desktop, url);
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.emit('unresponsive'));
  await until('the question', async () => (await desktop.dialogs()).length === 1);
  expect(await desktop.dialogs()).toEqual([
    {
      text: 'The window does not answer\nThe station itself keeps running. Wait a moment, or reload the window.',
      buttons: ['Wait', 'Load it anew'],
    },
  ]);
  const loaded = await desktop.app.evaluateHandle(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    return { told: new Promise<void>((resolve) => contents?.once('did-finish-load', () => resolve())) };
  });
  await desktop.answer('Load it anew');
  await loaded.evaluate(({ told }) => told);
});

test('the station logs suspend and resume of the machine', async () => {
  const desktop = await openDesktop({ dataFolder: ownFolder(), env: { PICKSTATION_LOG: 'info' } });
  await windowOn(desktop, await desktop.url());
  for (const moment of ['suspend', 'resume'] as const) {
    await desktop.app.evaluate(({ powerMonitor }, moment) => powerMonitor.emit(moment), moment);
    await until(`the log of ${moment}`, () => desktop.stderr().includes(`"moment":"${moment}"`));
  }
});

test("the API key and the password from the environment work at the window's station", async () => {
  const desktop = await openDesktop({ dataFolder: ownFolder() });
  const url = await desktop.url();
  const answer = await fetch(new URL('/api/user/login/', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
  });
  expect(answer.status).toBe(200);
  const devices = await fetch(new URL('/api/device/', url), { headers: { 'api-key': API_KEY } });
  expect(await devices.json()).toEqual([]);
});

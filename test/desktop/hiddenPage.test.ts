import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../shells/until.ts';
import { call, type Desktop, openDesktop, ownFolder, windowOn } from './desktop.ts';

async function open(dataFolder = ownFolder()): Promise<{ desktop: Desktop; url: string }> {
  const desktop = await openDesktop({ dataFolder, env: { MINUTES_PASS: '1' } });
  const url = await desktop.url();
  await windowOn(desktop, url);
  return { desktop, url };
}

/** Returns the number of processes that render pages. */
const pages = ({ app }: Desktop): Promise<number> =>
  app.evaluate(({ app }) => app.getAppMetrics().filter(({ type }) => type === 'Tab').length);

const inWindow = <T>({ app }: Desktop, code: string): Promise<T> =>
  app.evaluate(
    ({ BrowserWindow }, code) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code) as Promise<T>,
    code,
  );

async function hide(desktop: Desktop): Promise<void> {
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await until('the window to be hidden', async () => !(await desktop.isVisible()));
}

const show = ({ app }: Desktop): Promise<void> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.show());

test('a hidden window unloads its page after a minute, and restores it when shown', async () => {
  const dataFolder = ownFolder();
  const { desktop, url } = await open(dataFolder);
  await inWindow(desktop, `sessionStorage.setItem('draft', 'half'); history.pushState(null, '', '/alerts')`);
  for (let times = 0; times < 5; times += 1) {
    await hide(desktop);
    await until('the page to be gone', async () => (await pages(desktop)) === 0);
    expect(await call(url, 'GET', '/healthz')).toMatchObject({ status: 'ok' });
    await show(desktop);
    await until('the page', async () => (await pages(desktop)) === 1);
    await until('its text', () => inWindow<boolean>(desktop, `document.querySelector('h1')?.textContent === 'Alerts'`));
    expect(await inWindow(desktop, `sessionStorage.getItem('draft') + location.pathname`)).toBe('half/alerts');
  }
  // The page was hidden more often than the window tolerates crashes, so these exits did not count as crashes.
  expect(await desktop.dialogs()).toEqual([]);
  const logs = join(dataFolder, 'logs');
  const log = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  expect(log.join('')).toContain('The station started');
  expect(log.join('')).not.toContain('A process of the window ended');
});

test.each([
  ['plays sounds', `localStorage.setItem('pickstation.sound', 'on'); dispatchEvent(new StorageEvent('storage'))`],
  ['has unsaved input', `addEventListener('beforeunload', (event) => event.preventDefault())`],
])('a page that %s is kept while its window is hidden', async (_what, code) => {
  const { desktop } = await open();
  await inWindow(
    desktop,
    `${code}; addEventListener('beforeunload', () => (window.asked = (window.asked ?? 0) + 1)); 0`,
  );
  await hide(desktop);
  await until('the page to be asked twice', () => inWindow<boolean>(desktop, 'window.asked > 1'));
  expect(await pages(desktop)).toBe(1);
  await show(desktop);
  expect(await inWindow(desktop, 'window.asked > 1')).toBe(true);
});

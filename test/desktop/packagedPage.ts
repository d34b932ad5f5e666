import { chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { PAGE_PATIENCE_MS } from '../browser/window.ts';
import { until } from '../shells/until.ts';

/**
 * Opens the page of a packaged program that was started with `--remote-debugging-port=0`. `said` returns the
 * program's output. Connects to Chromium's debugger, because the main process has none.
 */
export async function openPage(said: () => string): Promise<{ page: Page; url: string }> {
  const find = (pattern: RegExp): string => pattern.exec(said())?.[1] ?? '';
  await until('the program to be ready', () => find(/^Pickstation ready at (\S+)$/m) !== '');
  const url = find(/^Pickstation ready at (\S+)$/m);
  const debuggers = find(/DevTools listening on (\S+)/);
  const list = new URL('/json/list', debuggers.replace(/^ws/, 'http'));
  // Attaching to a page while it is being created would block it forever.
  await until('its window to stand on the station', async () => {
    const targets = (await (await fetch(list)).json()) as { type: string; url: string; title: string }[];
    return targets.some((one) => one.type === 'page' && one.url.startsWith(url) && one.title.includes('Pickstation'));
  });
  const browser = await chromium.connectOverCDP(debuggers, { timeout: PAGE_PATIENCE_MS });
  onTestFinished(() => browser.close());
  const [page] = browser.contexts().flatMap((context) => context.pages());
  page?.setDefaultTimeout(PAGE_PATIENCE_MS);
  if (page === undefined) throw new Error('There is no page');
  return { page, url };
}

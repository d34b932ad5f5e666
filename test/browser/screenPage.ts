import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import type { ShownPayload } from '../helpers/screens/payloads.ts';
import { PAGE_PATIENCE_MS } from './window.ts';

const SOURCES = join(import.meta.dirname, '..', 'renderer', 'screen', 'screenPage');
const ORIGIN = 'http://screens.test/';
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

export type ScreenPage = {
  page: Page;
  /** Returns what the window's own component draws for each payload, one character per pixel. */
  draw(payloads: readonly ShownPayload[]): Promise<string[]>;
};

/**
 * Builds, in the same way as the window, a page that contains only screens. The returned `open` shows the page in a browser at this pixel
 * ratio.
 */
export async function buildScreenPage(): Promise<{
  open(browser: Browser, pixelRatio: number): Promise<ScreenPage>;
  remove(): void;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-screens-'));
  await build({
    root: SOURCES,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false } },
  });
  return {
    async open(browser, pixelRatio) {
      const context = await browser.newContext({
        viewport: { width: 1_280, height: 800 },
        deviceScaleFactor: pixelRatio,
      });
      context.setDefaultTimeout(PAGE_PATIENCE_MS);
      const page = await context.newPage();
      await page.route(`${ORIGIN}**`, (route) => {
        const path = new URL(route.request().url()).pathname;
        const file = path === '/' ? '/index.html' : path;
        return route.fulfill({ body: readFileSync(join(folder, file)), contentType: TYPES[extname(file)] ?? '' });
      });
      await page.goto(ORIGIN);
      await page.waitForFunction('window.showScreens !== undefined');
      return { page, draw: (payloads) => page.evaluate<string[]>(`showScreens(${script(payloads)})`) };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Returns the screens as a JavaScript expression for the page. */
export function script(payloads: readonly ShownPayload[]): string {
  return JSON.stringify(payloads.map(({ screen, firmware, batteryMv }) => ({ screen, firmware, batteryMv })));
}

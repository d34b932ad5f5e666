import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Goal } from './goals.ts';
import type { Workplace } from './processes.ts';

const root = join(import.meta.dirname, '..');
const PACKED = join(root, 'dist', 'packages', 'linux-unpacked', 'pickstation');
const LOOK_EVERY_MS = 20;
const GIVE_UP_MS = 30_000;

/** The least that shows a text in a window. */
const BARE = `const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => new BrowserWindow().loadURL('data:text/html,<title>Bare</title><p>Bare'));`;

/** Answers when something was painted first, in milliseconds since 1970. */
const PAINTED = `new Promise((resolve) => new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries())
    if (name === 'first-contentful-paint') resolve(performance.timeOrigin + startTime);
}).observe({ type: 'paint', buffered: true }))`;

/**
 * From the start of the desktop program until its station is ready and its page is painted, beside an Electron that shows
 * one line. Measures the packaged program if there is one, and nothing without a runtime and a display.
 */
export async function measureWindow(place: Workplace, rounds: number): Promise<Goal[]> {
  const runtime = join(
    process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(root, 'node_modules', 'electron', 'dist'),
    'electron',
  );
  if (process.env['DISPLAY'] === undefined || !existsSync(runtime)) {
    process.stdout.write('The window is not measured: there is no display, or no Electron runtime.\n');
    return [];
  }
  const bareFolder = join(place.folder(), 'bare');
  mkdirSync(bareFolder);
  writeFileSync(join(bareFolder, 'package.json'), '{ "main": "main.js" }');
  writeFileSync(join(bareFolder, 'main.js'), BARE);
  const program = existsSync(PACKED) ? [PACKED] : [runtime, root];
  const data = place.folder();
  const ready: Goal = { name: 'start to ready, desktop program', unit: 'ms', values: [], atMost: 1_500 };
  const painted: Goal = { name: 'start to painted, desktop program', unit: 'ms', values: [], atMost: 2_500 };
  const ratio: Goal = { name: 'start to painted / Electron with one line', unit: 'x', values: [] };
  // Each makes its profile and fills the caches of the system.
  await start([runtime, bareFolder]);
  await start([...program, '--data', data, '--port', '0']);
  for (let round = 0; round < rounds; round += 1) {
    const bare = await start([runtime, bareFolder]);
    const ours = await start([...program, '--data', data, '--port', '0']);
    ready.values.push(ours.readyMs);
    painted.values.push(ours.paintedMs);
    ratio.values.push(ours.paintedMs / bare.paintedMs);
  }
  return [ready, painted, ratio];
}

/** Starts it, waits for its first paint, and ends it. */
async function start([command = '', ...args]: string[]): Promise<{ readyMs: number; paintedMs: number }> {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const startedAt = Date.now();
  const child = spawn(command, [...sandbox, '--remote-debugging-port=0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let readyMs = Number.NaN;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (Number.isNaN(readyMs) && said.includes('Pickstation ready at')) readyMs = Date.now() - startedAt;
    });
  }
  try {
    const debuggers = await found(() => /DevTools listening on (\S+)/.exec(said)?.[1]);
    const list = new URL('/json/list', debuggers.replace(/^ws/, 'http'));
    // Who attaches to a page that is just being made stops it.
    await found(async () => {
      const targets = (await (await fetch(list)).json()) as { type: string; title: string }[];
      return targets.find(({ type, title }) => type === 'page' && /^Bare$|Pickstation/.test(title));
    });
    const browser = await chromium.connectOverCDP(debuggers);
    const [page] = browser.contexts().flatMap((context) => context.pages());
    if (page === undefined) throw new Error('There is no page');
    const paintedAt = await page.evaluate<number>(PAINTED);
    await browser.close();
    return { readyMs, paintedMs: paintedAt - startedAt };
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

async function found<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (performance.now() < giveUpAt) {
    const value = await look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error('The program did not start in time');
}

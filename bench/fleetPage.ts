/** The page Stations in a real Chromium, while the fleet works. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../test/browser/window.ts';
import { proportionalBytes, quantile } from './fleetGauges.ts';
import type { FleetOnlooker } from './fleetScene.ts';
import { stationId } from './fleetStation.ts';
import { ADMIN_PASSWORD, type ServerProcess } from './processes.ts';
import { heapInUse, longestTask } from './uiProbes.ts';

const PATIENCE_MS = 60_000;
/** Faster than people turn a wheel. */
const WHEEL = { count: 60, pixels: 240, everyMs: 50 };
/** The first finds all stations, the second one, the last devices of all. */
const SEARCHES = ['shop', stationId(77), 'cable'];
const KEY_MS = 60;
const FOUND_MS = 1_500;
/** Several updates of the page. */
const UPDATE_MS = 5_000;
const EMPTY_MS = 2_000;
const ACTIONS = ['update', 'scroll', 'search'] as const;

/** `frames`: milliseconds between frames. `taskMs`: the longest task of the page's thread, its own time and by the clock. */
export type Smoothness = { frames: number[]; taskMs: { own: number[]; wall: number[] } };

export type FleetPageFigures = Record<(typeof ACTIONS)[number], Smoothness> & {
  /** Scrolling and searching before the first pick. */
  rest: Smoothness;
  /** An empty page of this browser, under the load. */
  empty: Smoothness;
  /** Bytes of the processes that show pages. */
  memory: number[];
  /** Bytes of the script's objects. */
  heap: number[];
  /** Milliseconds until the page shows a light. */
  ageMs: number[];
};

/** Notes the time of each frame. */
const FRAMES = `(() => {
  window.benchFrames = [];
  let last = performance.now();
  const note = (now) => {
    window.benchFrames.push(now - last);
    last = now;
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
})()`;

export async function openFleetPage(watcher: ServerProcess) {
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const page = await context.newPage();
  await page.goto(watcher.url.href);
  await page.getByLabel('User name').fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-deviceid]').first().waitFor();
  await page.goto(new URL('/fleet', watcher.url).href);
  await rows(page).nth(2).waitFor();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  await page.evaluate(FRAMES);
  const smooth = (): Smoothness => ({ frames: [], taskMs: { own: [], wall: [] } });
  const figures: FleetPageFigures = {
    update: smooth(),
    scroll: smooth(),
    search: smooth(),
    rest: smooth(),
    empty: smooth(),
    memory: [],
    heap: [],
    ageMs: [],
  };

  async function countFrames(of: Smoothness, who: Page, action: () => Promise<void>): Promise<void> {
    await who.evaluate('window.benchFrames.length = 0');
    await action();
    of.frames.push(...(await who.evaluate<number[]>('window.benchFrames')));
    if (who === page) figures.memory.push(await memoryOf(browser));
  }

  async function findLongest(of: Smoothness, action: () => Promise<void>): Promise<void> {
    const { cpuMs, wallMs } = await longestTask(page, session, action);
    of.taskMs.own.push(cpuMs);
    of.taskMs.wall.push(wallMs);
  }

  /** Open only meanwhile: it would count as memory. */
  async function observeEmpty(): Promise<void> {
    const other = await browser.newContext();
    const empty = await other.newPage();
    await empty.goto(new URL('/nothing', watcher.url).href);
    await empty.evaluate(FRAMES);
    await countFrames(figures.empty, empty, () => pause(EMPTY_MS));
    await other.close();
  }

  const actions = { update: () => pause(UPDATE_MS), scroll: () => scroll(page), search: () => search(page) };

  const onlooker: Required<FleetOnlooker> = {
    async watchRest() {
      for (const action of ['scroll', 'search'] as const) await countFrames(figures.rest, page, actions[action]);
    },
    async watch(durationMs) {
      const endAt = performance.now() + durationMs;
      // A trace slows the page, and fills its memory: it comes last.
      do {
        for (const action of ACTIONS) await countFrames(figures[action], page, actions[action]);
        figures.heap.push(await heapInUse(session));
      } while (performance.now() < endAt - durationMs / 2);
      await observeEmpty();
      do {
        for (const action of ACTIONS) await findLongest(figures[action], actions[action]);
      } while (performance.now() < endAt);
    },
    async seesLight(startedAt) {
      await rows(page)
        .filter({ hasText: stationId(1) })
        .getByText(/^1 of /)
        .waitFor({ timeout: PATIENCE_MS });
      figures.ageMs.push(performance.now() - startedAt);
    },
    async seesAway(count) {
      const note = page.getByRole('status').filter({ hasText: count === 0 ? /stations$/ : ` ${count} away` });
      await note.waitFor({ timeout: PATIENCE_MS });
    },
  };
  return { onlooker, figures, close: () => browser.close() };
}

export type FleetPage = Awaited<ReturnType<typeof openFleetPage>>;

const rows = (page: Page) => page.getByRole('grid', { name: 'Stations' }).locator('[data-row]');

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(640, 500);
  for (const direction of [1, -1]) {
    for (let count = 0; count < WHEEL.count; count += 1) {
      await page.mouse.wheel(0, direction * WHEEL.pixels);
      await pause(WHEEL.everyMs);
    }
  }
}

async function search(page: Page): Promise<void> {
  const box = page.getByRole('searchbox');
  for (const text of SEARCHES) {
    await box.pressSequentially(text, { delay: KEY_MS });
    await pause(FOUND_MS);
    await box.fill('');
  }
  await rows(page).first().waitFor();
}

/** The renderers of the browser, as Chromium lists them, with the one that it keeps in reserve. */
async function memoryOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { id }) => sum + proportionalBytes(id), 0);
}

/** Of all frames of an action: the 99th percentile, and the longest. */
export const framesOf = ({ frames }: Smoothness) => ({ p99: quantile(frames, 0.99), longest: Math.max(...frames) });

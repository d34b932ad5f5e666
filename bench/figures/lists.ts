/**
 * Long lists in a real Chromium: the work per frame while orders, places and articles scroll, and searches among 10,000 orders. The product
 * promises at most 50 ms per frame and 20 ms per search. Goals are relative to short lists: only visible rows are drawn, so a long list
 * should cost about the same.
 */
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openWindow } from '../../test/browser/window.ts';
import { openDatabase } from '../../electron/server/db/database.ts';
import { createRepositories } from '../../electron/server/db/repositories.ts';
import { median, type Goal } from '../goals.ts';
import { timed, untilQuiet } from '../load/loads.ts';
import { ADMIN_PASSWORD, API_KEY, startStation, type ServerProcess, type Workplace } from '../load/processes.ts';
import { openConnection } from '../load/wire.ts';

type Shop = { orders: number; places: number; articles: number };

const LARGE: Shop = { orders: 10_000, places: 2_000, articles: 5_000 };
const SMALL: Shop = { orders: 100, places: 100, articles: 100 };
const LINES = 3;
/** Number of orders per file. A file has at most 10,000 lines. */
const PER_FILE = 2_500;
/** Distance in pixels that the list scrolls in each frame, as with quick turns of the mouse wheel. */
const STEP = 400;
const FRAMES = 120;
/** Search texts that match all orders, some, few, or none. */
const ASKED = ['b-', '12', 'b-9', 'zz'];
const FINDS = 100;

export async function measureLists(place: Workplace, rounds: number): Promise<Goal[]> {
  const browser = await launchBrowser();
  const [small, large] = [await openShop(place.folder(), SMALL), await openShop(place.folder(), LARGE)];
  const [orders, places, articles] = [
    `${LARGE.orders.toLocaleString('en')} orders`,
    `${LARGE.places.toLocaleString('en')} places`,
    `${LARGE.articles.toLocaleString('en')} articles`,
  ];
  const ms = (name: string): Goal => ({ name, unit: 'ms', values: [] });
  const ratio = (what: string): Goal => ({
    name: `slow frames of ${what} / of 100`,
    unit: 'x',
    values: [],
    atMost: 2,
  });
  const lists = [
    { path: '/orders', ratio: ratio(orders), longest: ms(`longest frame while ${orders} scroll`) },
    { path: '/places', ratio: ratio(places), longest: ms(`longest frame while ${places} scroll`) },
    { path: '/articles', ratio: ratio(articles), longest: ms(`longest frame while ${articles} scroll`) },
  ];
  const search = ms(`longest task of a search on the page among ${orders}`);
  const searchRatio: Goal = { name: 'longest task of that search / among 100', unit: 'x', values: [], atMost: 2 };
  const find = ms(`find in the station among ${orders}, median`);
  try {
    const { page } = await openWindow(browser, large.url.href, 'light');
    for (const station of [small, large]) await signIn(page, station);
    for (let round = 0; round < rounds; round += 1) {
      for (const { path, ratio: slow, longest } of lists) {
        const isOrders = path === '/orders';
        await openList(page, small, path);
        const few = await frames(browser, page);
        const amongFew = isOrders ? await searchTime(browser, page) : 1;
        await openList(page, large, path);
        const many = await frames(browser, page);
        slow.values.push(slowOf(many) / slowOf(few));
        longest.values.push(Math.max(...many));
        if (!isOrders) continue;
        const amongMany = await searchTime(browser, page);
        search.values.push(amongMany);
        searchRatio.values.push(amongMany / amongFew);
      }
      find.values.push(median(await findTimes(large)));
    }
    return [...lists.flatMap((each) => [each.ratio, each.longest]), search, searchRatio, find];
  } finally {
    await browser.close();
    for (const station of [small, large]) await station.stop();
  }
}

/** Returns the 95th percentile of the task times. */
function slowOf(tasks: readonly number[]): number {
  return tasks.toSorted((a, b) => b - a)[FRAMES / 20] ?? Number.NaN;
}

async function signIn(page: Page, station: ServerProcess): Promise<void> {
  const data = { username: 'admin', password: ADMIN_PASSWORD };
  await page.context().request.post(new URL('/api/user/login/?page=1', station.url).href, { data });
}

/** Starts a station with labeled devices, open orders with three lines each, and articles with stock. */
async function openShop(folder: string, { orders, places, articles }: Shop): Promise<ServerProcess> {
  await (await startStation(folder, places)).stop();
  const database = openDatabase(folder);
  const { devices } = createRepositories(database.writer);
  database.writer.transaction(() => {
    for (const [index, row] of devices.list().entries())
      devices.update({ ...row, label: `A-${index}`, statica: `Article ${index}` });
  })();
  database.close();
  const station = await startStation(folder, places);
  for (let first = 0; first < orders; first += PER_FILE)
    await importOrders(station, first, Math.min(PER_FILE, orders - first), places);
  await importArticles(station, articles, places);
  await untilQuiet(station);
  return station;
}

/** Imports a file of orders with three lines each. */
async function importOrders(station: ServerProcess, first: number, many: number, places: number): Promise<void> {
  const rows = Array.from({ length: many * LINES }, (_, row) => {
    const index = first * LINES + row;
    return `b-${Math.floor(index / LINES)};${(row % 5) + 1};SKU-${index % 500};Article ${index % 500};A-${index % places}\n`;
  });
  const csv = `order_number;ordered_quantity;SKU;name;warehouse_location\n${rows.join('')}`;
  await importFile(station, '/api/order-import/', csv);
}

async function importArticles(station: ServerProcess, articles: number, places: number): Promise<void> {
  const rows = Array.from(
    { length: articles },
    (_, row) => `SKU-${row};Article ${row};A-${row % places};${row % 7};${row % 40}\n`,
  );
  const path = '/api/imports/?kind=articles';
  await importFile(station, path, `sku;name;location;minimum;on_hand\n${rows.join('')}`);
}

async function importFile(station: ServerProcess, path: string, csv: string): Promise<void> {
  const headers = { 'api-key': API_KEY, 'content-type': 'text/csv' };
  const answer = await fetch(new URL(path, station.url), { method: 'POST', headers, body: csv });
  if (!answer.ok) throw new Error(`The import was answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
}

async function openList(page: Page, station: ServerProcess, path: string): Promise<void> {
  await page.goto(new URL(path, station.url).href);
  await page.locator('[role="grid"] [data-row]').first().waitFor();
}

/**
 * Scrolls the list in each frame, as with quick turns of the mouse wheel. Resolves to the processor time of each of the page's tasks, in
 * milliseconds.
 */
function frames(browser: Browser, page: Page): Promise<number[]> {
  return tasksOf(browser, page, () =>
    page.evaluate(`new Promise((resolve) => {
      const grid = document.querySelector('[role="grid"]');
      let left = ${FRAMES};
      requestAnimationFrame(function step() {
        if (left-- === 0) return resolve();
        const isEnd = grid.scrollTop + grid.clientHeight >= grid.scrollHeight - ${STEP};
        grid.scrollTop = isEnd ? 0 : grid.scrollTop + ${STEP};
        requestAnimationFrame(step);
      });
    })`),
  );
}

/** Types several searches and waits for their results. Resolves to the processor time of the page's longest task, in milliseconds. */
async function searchTime(browser: Browser, page: Page): Promise<number> {
  const search = page.getByRole('searchbox');
  const note = page.locator('header [role="status"]');
  const tasks = await tasksOf(browser, page, async () => {
    for (const text of ASKED) {
      const before = (await note.textContent()) ?? '';
      await search.fill(text);
      await note.filter({ hasNotText: new RegExp(`^${before}$`) }).waitFor();
    }
  });
  await search.fill('');
  await page.locator('[role="grid"] [data-row]').first().waitFor();
  return Math.max(...tasks);
}

type TraceEvent = { name: string; ph: string; pid: number; tid: number; tdur?: number; args?: { name?: string } };

/**
 * Resolves to the processor time of each task of the page's main thread during `run`, in milliseconds. Elapsed time would include other
 * programs on a busy machine.
 */
async function tasksOf(browser: Browser, page: Page, run: () => Promise<unknown>): Promise<number[]> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await run();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as { traceEvents: TraceEvent[] };
  const mains = new Set(
    traceEvents.flatMap(({ name, pid, tid, args }) =>
      name === 'thread_name' && args?.name === 'CrRendererMain' ? [`${pid} ${tid}`] : [],
    ),
  );
  return traceEvents.flatMap(({ name, pid, tid, tdur }) =>
    name === 'ThreadControllerImpl::RunTask' && tdur !== undefined && mains.has(`${pid} ${tid}`) ? [tdur / 1_000] : [],
  );
}

/** Resolves to the milliseconds from each search to its complete answer, excluding the time that the station waited for the processor. */
async function findTimes(station: ServerProcess): Promise<number[]> {
  const connection = await openConnection(station.url);
  const times: number[] = [];
  for (let index = 0; index < FINDS; index += 1) {
    const q = encodeURIComponent(ASKED[index % ASKED.length] ?? '');
    times.push(await timed(station, () => connection.request('GET', `/api/find/?q=${q}`, '')));
  }
  connection.close();
  return times;
}

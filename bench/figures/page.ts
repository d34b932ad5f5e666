/**
 * The page in a real Chromium with a real station: what it draws for a change on the map, and how long it takes to show the effect of a
 * press.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchBrowser, openWindow } from '../../test/browser/window.ts';
import { median, quantile, type Goal } from '../goals.ts';
import { deviceId, untilQuiet } from '../load/loads.ts';
import { ADMIN_PASSWORD, API_KEY, startStation, type ServerProcess, type Workplace } from '../load/processes.ts';
import { COUNTER, pressToDark, pressToNext, startCounting, stopCounting } from '../load/renders.ts';

const DEVICES = 1_000;
const CHANGES = 30;
const PRESSES = 40;
/** Time for the page to draw the effects of a change, in milliseconds. */
const DRAWN_MS = 100;
/** Time for the page to load its deferred parts, in milliseconds. */
const SETTLED_MS = 3_000;

export async function measurePage(place: Workplace, rounds: number): Promise<Goal[]> {
  const browser = await launchBrowser();
  const station = await startStation(place.folder(), DEVICES);
  try {
    const { page } = await openWindow(browser, station.url.href, 'light');
    await page.addInitScript(COUNTER);
    const data = { username: 'admin', password: ADMIN_PASSWORD };
    await page.context().request.post(new URL('/api/user/login/?page=1', station.url).href, { data });
    await page.goto(station.url.href);
    await page.locator('[data-deviceid]').first().waitFor();
    await pause(SETTLED_MS);
    const goals = await changesOfMap(page, station);
    const [dark, next]: [Goal, Goal] = [
      { name: 'press → LED off on the map, p99', unit: 'ms', values: [] },
      { name: 'press at a shelf → the next place on Pick, p99', unit: 'ms', values: [] },
    ];
    const reads: Goal = { name: 'requests of Pick for a press', unit: '', values: [], atMost: 3 };
    for (let round = 0; round < rounds; round += 1) {
      await page.goto(station.url.href);
      dark.values.push(await presses(page, station));
      const picked = await picks(page, station, `bench-${round}`);
      next.values.push(picked.p99);
      reads.values.push(picked.requests);
    }
    return [...goals, dark, next, reads];
  } finally {
    await browser.close();
    await station.stop();
  }
}

/** Measures what React draws when one device changes. The device is offline, so that it reports nothing. */
async function changesOfMap(page: Page, station: ServerProcess): Promise<Goal[]> {
  const [silent = deviceId(1)] = await visibleDevices(page);
  await ask(station, 'PATCH', `/api/simulator/devices/${silent}/`, { reachable: false });
  await page.locator(`[data-deviceid="${silent}"][data-offline]`).waitFor();
  await untilQuiet(station);
  const commits: Goal = { name: 'React commits for a change on the map', unit: '', values: [], atMost: 1 };
  const tiles: Goal = { name: 'tiles drawn for it', unit: '', values: [], atMost: 1 };
  const others: Goal = { name: 'other parts drawn for it', unit: '', values: [], atMost: 0 };
  for (let count = 0; count < CHANGES; count += 1) {
    await startCounting(page);
    await ask(station, 'POST', `/api/device/${silent}/`, { statica: `single ${count}` });
    await pause(DRAWN_MS);
    const counted = await stopCounting(page);
    commits.values.push(counted.commits);
    tiles.values.push(Object.values(counted.tiles).reduce((sum, renders) => sum + renders, 0));
    others.values.push(counted.others);
  }
  await ask(station, 'PATCH', `/api/simulator/devices/${silent}/`, { reachable: true });
  // The page sometimes also draws reports from other devices, so use medians.
  return [commits, tiles, others].map((goal) => ({ ...goal, values: [median(goal.values)] }));
}

/**
 * Repeatedly lights a device and presses it on the page. Resolves to the 99th percentile of the time until the light is off, in
 * milliseconds.
 */
async function presses(page: Page, station: ServerProcess): Promise<number> {
  const times: number[] = [];
  await page.locator('[data-deviceid]:has(canvas)').first().waitFor();
  const devices = (await visibleDevices(page)).slice(1, 6);
  for (const deviceid of devices) await ask(station, 'PATCH', `/api/simulator/devices/${deviceid}/`, { refresh_ms: 0 });
  for (let count = 0; count < PRESSES; count += 1) {
    const deviceid = devices[count % devices.length] ?? '';
    const body = { command: 'pick', line1: 'press me', color: 'g', seconds: 0 };
    await ask(station, 'POST', `/api/device/${deviceid}/`, body);
    await page.locator(`[data-deviceid="${deviceid}"][data-lit]`).waitFor();
    times.push(await pressToDark(page, deviceid));
  }
  return quantile(times, 0.99);
}

/**
 * Presses the devices of an order. Resolves to the time until Pick shows the next place (99th percentile, in milliseconds), and the number
 * of requests per press.
 */
async function picks(page: Page, station: ServerProcess, number: string): Promise<{ p99: number; requests: number }> {
  const items = Array.from({ length: PRESSES }, (_, index) => ({
    name: `Article ${index}`,
    ordered_quantity: 1,
    deviceid: deviceId(DEVICES - index),
  }));
  for (const { deviceid } of items)
    await ask(station, 'PATCH', `/api/simulator/devices/${deviceid}/`, { refresh_ms: 0 });
  await ask(station, 'POST', '/api/orders/', { order_number: number, items });
  await ask(station, 'POST', `/api/orders/${number}/launch/`, { picker: 'admin' });
  await page.goto(new URL(`/pick/${number}`, station.url).href);
  await page.getByText(`0 of ${PRESSES}`, { exact: true }).waitFor();
  await pause(SETTLED_MS);
  let requests = 0;
  const count = (): void => void (requests += 1);
  page.on('request', count);
  const times: number[] = [];
  for (let left = PRESSES; left > 0; left -= 1) {
    await page.getByText(`${PRESSES - left} of ${PRESSES}`, { exact: true }).waitFor();
    times.push(await pressToNext(page, (await page.locator('main h2').textContent()) ?? ''));
  }
  page.off('request', count);
  // One of the requests is the press itself, which the page sends here instead of a device.
  return { p99: quantile(times, 0.99), requests: requests / PRESSES - 1 };
}

function visibleDevices(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-deviceid]:has(canvas)')].map((tile) => tile.dataset.deviceid)`,
  );
}

async function ask(station: ServerProcess, method: string, path: string, body: object): Promise<void> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const answer = await fetch(new URL(path, station.url), { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Station } from '#shared/api/station.ts';
import { seededFraction } from '../helpers/seeded.ts';
import { API_KEY } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { drawnDevices, expectedDevices, type DrawnDevices } from './drawnDevices.ts';
import { useShop } from './shop.ts';
import { signIn, tileOf, type Window } from './window.ts';

const DEVICES = 12;
const SEED = 20_261_120;
const ONE = '51D000:000001';

const shop = useShop('together');

beforeEach(() => start(0));

async function start(port: number): Promise<void> {
  await shop.start(DEVICES, port);
  // Half of the devices refresh immediately, the others as slowly as electronic paper.
  for (let number = 1; number <= DEVICES; number += 2) {
    await call('PATCH', `/api/simulator/devices/${idOf(number)}/`, { refresh_ms: 0 });
  }
}

function idOf(number: number): string {
  return `51D000:${String(number).padStart(6, '0')}`;
}

/** Calls the API like a script, with the API key. Returns the status, or 0 if there was no answer. */
async function call(method: string, path: string, body: object): Promise<number> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  try {
    const answer = await fetch(new URL(path, shop.url), { method, headers, body: JSON.stringify(body) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

/** Opens a separate browser profile that is signed in. */
async function openBrowser(): Promise<Window> {
  const window = await shop.open();
  await tileOf(window.page, ONE).waitFor();
  return window;
}

type Random = { int(least: number, most: number): number };

function seeded(seed: number): Random {
  const fraction = seededFraction(seed);
  return { int: (least, most) => least + Math.floor(fraction() * (most - least + 1)) };
}

/** Performs one random action, as in a hectic minute in a shop. */
async function act(random: Random): Promise<void> {
  const deviceid = idOf(random.int(1, DEVICES));
  const pick = (first: string, ...others: string[]) => others[random.int(-1, others.length - 1)] ?? first;
  const text = `text ${random.int(1, 999)}`;
  const path = `/api/device/${deviceid}/`;
  const color = pick('r', 'g', 'b', 'yellow', '#8040c0');
  switch (pick('flash', 'flash', 'pick', 'press', 'press', 'plus', 'kill', 'static', 'label', 'radio')) {
    case 'flash':
      return void (await call('POST', path, { line1: text, color, quantity: random.int(1, 20), seconds: 0 }));
    case 'pick':
      return void (await call('POST', path, { command: 'pick', line1: text, color, seconds: random.int(1, 3) }));
    case 'press':
      return void (await call('POST', `/api/simulator/devices/${deviceid}/press/`, { button: 'front', hold: 'short' }));
    case 'plus':
      return void (await call('POST', `/api/simulator/devices/${deviceid}/press/`, { button: 'plus', hold: 'short' }));
    case 'kill':
      return void (await call('POST', path, { command: 'kill' }));
    case 'static':
      return void (await call('POST', path, { statica: text }));
    case 'label':
      return void (await call('POST', path, { locationoverride: pick('', 'A-1', 'A-2', 'A-10', 'Räck 3', 'Регал 4') }));
    case 'radio':
      return void (await call('PATCH', `/api/simulator/devices/${deviceid}/`, { reachable: random.int(0, 2) > 0 }));
  }
}

async function burst(random: Random, acts: number): Promise<void> {
  for (let count = 0; count < acts; count += 4) {
    await Promise.all(Array.from({ length: 4 }, () => act(random)));
  }
}

/** Makes the page fetch the snapshot that it would load if it were opened now. */
function snapshotOf(page: Page): Promise<Station> {
  return page.evaluate<Station>(`fetch('/api/station/').then((answer) => answer.json())`);
}

/** Waits until all pages show the same content as a fresh snapshot. Returns the content of each page. */
async function atRest(pages: readonly Page[]): Promise<DrawnDevices[]> {
  let unlike: unknown[] = [];
  let drawn: DrawnDevices[] = [];
  try {
    await until('every page to show what the station says', async () => {
      const snapshots = await Promise.all(pages.map(snapshotOf));
      drawn = await Promise.all(pages.map(drawnDevices));
      unlike = drawn.flatMap((shown) => snapshots.flatMap((snapshot) => differences(shown, snapshot)));
      return unlike.length === 0;
    });
  } catch (error) {
    throw new Error(`These differ: ${JSON.stringify(unlike, undefined, 1)}`, { cause: error });
  }
  return drawn;
}

function differences(drawn: DrawnDevices, station: Station): unknown[] {
  const expected = expectedDevices(station);
  return [...new Set([...Object.keys(drawn), ...Object.keys(expected)])]
    .filter((deviceid) => JSON.stringify(drawn[deviceid]) !== JSON.stringify(expected[deviceid]))
    .map((deviceid) => ({ deviceid, drawn: drawn[deviceid], expected: expected[deviceid] }));
}

/** Counts from now on how often the page reports that it lost the station. */
async function watchLosses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`(() => {
    window.losses = 0;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node.textContent.includes('Connection to the station lost.')) window.losses += 1;
    }).observe(document.body, { childList: true, subtree: true });
  })()`);
  return () => page.evaluate<number>('window.losses');
}

/** Lists the SharedWorkers in all browsers of this test. */
async function listWorkers(): Promise<string[]> {
  const session = await shop.browser.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets');
  await session.detach();
  return targetInfos.filter(({ type }) => type === 'shared_worker').map(({ targetId }) => targetId);
}

/** Counts the event streams that the page opened itself, without the worker. */
function countOwnStreams(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/events/') count += 1;
  });
  return () => count;
}

test('two browsers and a second tab agree after random activity and a restart of the station', async () => {
  const left = await openBrowser();
  const right = await openBrowser();
  const tab = await left.page.context().newPage();
  const ownStreams = countOwnStreams(tab);
  await tab.goto(shop.url);
  await tileOf(tab, ONE).waitFor();
  const pages = [left.page, right.page, tab];
  await expect.poll(listWorkers).toHaveLength(2);

  const losses = await Promise.all(pages.map(watchLosses));
  const random = seeded(SEED);
  await burst(random, 200);
  const before = await atRest(pages);
  expect(before[1]).toEqual(before[0]);
  expect(before[2]).toEqual(before[0]);
  // The pages agree because each got every event, not because one reconnected.
  expect(await Promise.all(losses.map((count) => count()))).toEqual([0, 0, 0]);

  // Kill and restart the station while all browsers are in use.
  for (const window of shop.windows) window.expectOutage(true);
  const { port } = new URL(shop.url);
  const during = burst(random, 100);
  await shop.station.kill();
  for (const page of pages) await page.getByText('Connection to the station lost.').waitFor();
  await during;
  await start(Number(port));
  await burst(random, 200);
  const after = await atRest(pages);
  expect(after[1]).toEqual(after[0]);
  expect(after[2]).toEqual(after[0]);
  for (const page of pages) expect(await page.getByText('Connection to the station lost.').count()).toBe(0);
  expect(ownStreams()).toBe(0);
  for (const window of shop.windows) expect(window.complaints).toEqual([]);
});

test('signing out in one tab signs out every tab of that browser, and another browser continues', async () => {
  const left = await openBrowser();
  const right = await openBrowser();
  const tab = await left.page.context().newPage();
  await tab.goto(shop.url);
  await tileOf(tab, ONE).waitFor();
  await tab.evaluate(`fetch('/api/user/logout/', {
    method: 'POST',
    headers: { 'x-csrf-token': /pickstation-csrf-[^=]*=([^;]*)/.exec(document.cookie)[1] },
  })`);
  for (const page of [left.page, tab]) await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await call('POST', `/api/device/${ONE}/`, { command: 'pick', line1: 'still here', color: 'g' });
  await atRest([right.page]);

  await signIn(left, shop.url);
  for (const page of [left.page, tab]) await tileOf(page, ONE).waitFor();
  await atRest([left.page, tab, right.page]);
});

test('when the shared event-stream worker ends, the tab opens its own stream', async () => {
  const { page } = await openBrowser();
  const ownStreams = countOwnStreams(page);
  // The workers of earlier tests may still be ending.
  await expect.poll(listWorkers).toHaveLength(1);
  const [worker] = await listWorkers();
  if (worker === undefined) throw new Error('No SharedWorker runs');
  const session = await shop.browser.newBrowserCDPSession();
  await session.send('Target.closeTarget', { targetId: worker });
  await until('the page to open its own stream', () => ownStreams() > 0);
  await call('POST', `/api/device/${ONE}/`, { command: 'pick', line1: 'by itself', color: 'g' });
  await atRest([page]);
});

/**
 * Measures the window's promises in a real Chromium on a real station: 1,000 devices, 200 changes a second, beside an
 * empty page in the same run. `npm run bench:ui` prints the figures; `--check` exits 1 if a goal is missed; `--long`
 * observes memory for ten minutes instead of one; `--devices N` sets the number of devices.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import type { Station } from '#shared/api/station.ts';
import { drawnDevices, expectedDevices } from '../test/browser/drawnDevices.ts';
import { launchBrowser } from '../test/browser/window.ts';
import { isMet, median, type Goal } from './goals.ts';
import { reportRun } from './history.ts';
import { deviceId } from './loads.ts';
import { ADMIN_PASSWORD, API_KEY, openWorkplace, startStation } from './processes.ts';
import { framesUnderLoad, SCENES } from './uiFrames.ts';
import { listen, startChanges, type StreamReader } from './uiLoad.ts';
import {
  COUNTER,
  heapInUse,
  longestTask,
  metric,
  pressToDark,
  pressToNext,
  startCounting,
  stopCounting,
} from './uiProbes.ts';

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    devices: { type: 'string', default: '1000' },
    frames: { type: 'boolean', default: false },
    scene: { type: 'string' },
    rounds: { type: 'string', default: '3' },
  },
});
const DEVICES = Number(options.devices);
const PER_SECOND = 200;
const ROUNDS = 3;
const TRACE_MS = 4_000;
const COUNT_MS = 8_000;
const SAMPLES = 15;
const SINGLE_CHANGES = 50;
const PRESSES = 100;
const [EARLY_S, LATE_S] = options.long ? [120, 600] : [30, 60];
const ASSETS = join(import.meta.dirname, '..', 'dist', 'renderer', 'assets');

const workplace = openWorkplace();
const browser = await launchBrowser();
const station = await startStation(workplace.folder(), DEVICES);
try {
  process.stdout.write(
    `${DEVICES} devices, ${PER_SECOND} changes a second; Chromium ${browser.version()}; median and range\n\n`,
  );
  if (options.frames) conclude(await frames());
  else {
    const { page, scripts } = await openStation(browser);
    const empty = await (await browser.newContext()).newPage();
    await empty.goto(new URL('/nothing', station.url).href);
    const heard = await listen(station.url);
    await untilQuiet(heard);
    const goals = [
      firstLoad(scripts),
      ...(await singleChanges(page, heard)),
      ...(await presses(page, 'press → LED off in the window, p99')),
      ...(await underLoad(page, empty, heard)),
      ...(await presses(page, 'the same after the load')),
      ...(await picks(page)),
    ];
    heard.close();
    conclude(goals);
  }
} finally {
  await browser.close();
  await station.stop();
  workplace.remove();
}

function conclude(goals: readonly Goal[]): void {
  reportRun(goals);
  const missed = goals.filter((goal) => !isMet(goal));
  if (missed.length > 0) process.stdout.write(`\nMissed: ${missed.map((goal) => goal.name).join('; ')}\n`);
  if (options.check && missed.length > 0) process.exitCode = 1;
}

function frames(): Promise<Goal[]> {
  const scenes = SCENES.filter(({ name }) => options.scene === undefined || name === options.scene);
  const rounds = Number(options.rounds);
  return framesUnderLoad({ browser, url: station.url, devices: DEVICES, perSecond: PER_SECOND, rounds, scenes, ask });
}

/** A signed-in window, loaded a second time as usual; and the scripts that it loaded. */
async function openStation(within: Browser): Promise<{ page: Page; scripts: string[] }> {
  const context = await within.newContext({ viewport: { width: 1_280, height: 800 } });
  await context.addInitScript(COUNTER);
  const page = await context.newPage();
  await page.goto(station.url.href);
  await page.getByLabel('User name').fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-deviceid]').first().waitFor();
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname);
  });
  await page.reload();
  await page.locator('[data-deviceid]').first().waitFor();
  // Scripts loaded after the first paint count too.
  await pause(3_000);
  return { page, scripts: [...scripts] };
}

async function ask(method: string, path: string, body: object): Promise<void> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const answer = await fetch(new URL(path, station.url), { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** The worker's script counts too, though no page requests it by name. */
function firstLoad(scripts: readonly string[]): Goal {
  const names = readdirSync(ASSETS).filter(
    (name) => /^streamWorker.*\.js$/.test(name) || scripts.some((path) => path.endsWith(`/${name}`)),
  );
  if (names.length < 2) throw new Error('The scripts of the page were not found');
  const bytes = names.reduce((sum, name) => sum + gzipSync(readFileSync(join(ASSETS, name)), { level: 9 }).length, 0);
  return { name: 'first load: script, gzip', unit: 'KB', values: [bytes / 1_000], atMost: 300 };
}

/** Presses at the shelves of an order, until the page Pick leads to the next place. */
async function picks(page: Page): Promise<Goal[]> {
  const items = Array.from({ length: PRESSES }, (_, index) => ({
    name: `Article ${index}`,
    ordered_quantity: 1,
    deviceid: deviceId(DEVICES - index),
  }));
  for (const { deviceid } of items) await ask('PATCH', `/api/simulator/devices/${deviceid}/`, { refresh_ms: 0 });
  await ask('POST', '/api/orders/', { order_number: 'bench', items });
  await ask('POST', '/api/orders/bench/launch/', { picker: 'admin' });
  await page.goto(new URL('/pick/bench', station.url).href);
  const times: number[] = [];
  for (let left = PRESSES; left > 0; left -= 1) {
    await page.getByText(`${PRESSES - left} of ${PRESSES}`, { exact: true }).waitFor();
    const deviceid = (await page.locator('main h2').textContent()) ?? '';
    times.push(await pressToNext(page, deviceid));
  }
  const p99 = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
  return [
    { name: 'press at a shelf → the next place on Pick, p99', unit: 'ms', values: [p99], atMost: 100 },
    { name: 'press at a shelf → the next place on Pick, median', unit: 'ms', values: [median(times)] },
  ];
}

/** Single changes of offline devices, so that nothing else happens. */
async function singleChanges(page: Page, heard: StreamReader): Promise<Goal[]> {
  const visible = await visibleDevices(page);
  const silent = visible[0] ?? deviceId(1);
  await ask('PATCH', `/api/simulator/devices/${silent}/`, { reachable: false });
  await page.locator(`[data-deviceid="${silent}"][data-offline]`).waitFor();
  await untilQuiet(heard);
  const commits: Goal = { name: 'React commits for one change', unit: '', values: [], atLeast: 1, atMost: 1 };
  const tiles: Goal = { name: 'tiles drawn for one change', unit: '', values: [], atLeast: 1, atMost: 1 };
  const others: Goal = { name: 'other parts drawn for one change', unit: '', values: [], atMost: 0 };
  for (let count = 0; commits.values.length < SINGLE_CHANGES && count < 10 * SINGLE_CHANGES; count += 1) {
    const before = heard.total();
    await startCounting(page);
    await ask('POST', `/api/device/${silent}/`, { statica: `single ${count}` });
    await pause(100);
    const counted = await stopCounting(page);
    // Another device reported just then.
    if (heard.total() !== before + 1) continue;
    commits.values.push(counted.commits);
    tiles.values.push(Object.values(counted.tiles).reduce((sum, renders) => sum + renders, 0));
    others.values.push(counted.others);
  }
  await ask('PATCH', `/api/simulator/devices/${silent}/`, { reachable: true });
  await untilQuiet(heard);
  return [commits, tiles, others];
}

/** Lights a device and presses it on the page, repeatedly. */
async function presses(page: Page, name: string): Promise<Goal[]> {
  const times: number[] = [];
  const devices = (await visibleDevices(page)).slice(1, 6);
  for (const deviceid of devices) await ask('PATCH', `/api/simulator/devices/${deviceid}/`, { refresh_ms: 0 });
  for (let count = 0; count < PRESSES; count += 1) {
    const deviceid = devices[count % devices.length] ?? '';
    const body = { command: 'pick', line1: 'press me', color: 'g', seconds: 0 };
    await ask('POST', `/api/device/${deviceid}/`, body);
    await page.locator(`[data-deviceid="${deviceid}"][data-lit]`).waitFor();
    times.push(await pressToDark(page, deviceid));
  }
  const p99 = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
  return [
    { name, unit: 'ms', values: [p99], atMost: 100 },
    { name: `${name.replace(', p99', '')}, median`, unit: 'ms', values: [median(times)] },
  ];
}

async function underLoad(page: Page, empty: Page, heard: StreamReader): Promise<Goal[]> {
  const changes = await startChanges(station.url, { devices: DEVICES, perSecond: PER_SECOND });
  const startedAt = performance.now();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const emptySession = await empty.context().newCDPSession(empty);
  await emptySession.send('Performance.enable');
  await pause(3_000);

  const task: Goal = { name: 'longest task of the window, its own time', unit: 'ms', values: [], atMost: 50 };
  const taskWall: Goal = { name: 'the same by the clock', unit: 'ms', values: [] };
  const emptyWall: Goal = { name: 'longest task of an empty page by the clock', unit: 'ms', values: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    emptyWall.values.push((await longestTask(empty, emptySession, () => pause(TRACE_MS))).wallMs);
    const longest = await longestTask(page, session, () => pause(TRACE_MS));
    task.values.push(longest.cpuMs);
    taskWall.values.push(longest.wallMs);
  }

  const script: Goal = { name: 'script time per change', unit: 'ms', values: [], atMost: 1 };
  const emptyScript: Goal = { name: 'script of an empty page in the time of a change', unit: 'ms', values: [] };
  const rate: Goal = { name: 'changes of devices that the window hears', unit: '/s', values: [] };
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const [before, scriptBefore, emptyBefore] = [
      heard.total(),
      await metric(session, 'ScriptDuration'),
      await metric(emptySession, 'ScriptDuration'),
    ];
    const sampleAt = performance.now();
    await pause(1_000);
    const changed = heard.total() - before;
    script.values.push((((await metric(session, 'ScriptDuration')) - scriptBefore) * 1_000) / changed);
    emptyScript.values.push((((await metric(emptySession, 'ScriptDuration')) - emptyBefore) * 1_000) / changed);
    rate.values.push(changed / ((performance.now() - sampleAt) / 1_000));
  }

  const secondsLeft = (until: number) => Math.max(0, until * 1_000 - (performance.now() - startedAt));
  await pause(secondsLeft(EARLY_S));
  const early = await heapInUse(session);
  await pause(secondsLeft(LATE_S));
  const late = await heapInUse(session);
  await changes.stop();
  const sent: Goal = {
    name: 'changes sent',
    unit: '/s',
    values: [changes.sent() / ((performance.now() - startedAt) / 1_000)],
  };
  await untilQuiet(heard);

  return [
    ...(await countRenders(page, heard)),
    task,
    taskWall,
    emptyWall,
    script,
    emptyScript,
    sent,
    rate,
    { name: `memory after ${LATE_S} s / after ${EARLY_S} s`, unit: 'x', values: [late / early], atMost: 1.1 },
    { name: `memory after ${LATE_S} s`, unit: 'MB', values: [late / 1_000_000] },
  ];
}

/** Renders under load, compared with the stream's facts about devices on the page. */
async function countRenders(page: Page, heard: StreamReader): Promise<Goal[]> {
  const before = new Map(heard.mentions);
  await startCounting(page);
  const changes = await startChanges(station.url, { devices: DEVICES, perSecond: PER_SECOND });
  await pause(COUNT_MS);
  await changes.stop();
  await untilQuiet(heard);
  const counted = await stopCounting(page);
  const visible = new Set(await visibleDevices(page));
  const drawn = Object.values(counted.tiles).reduce((sum, renders) => sum + renders, 0);
  const said = (deviceid: string) => (heard.mentions.get(deviceid) ?? 0) - (before.get(deviceid) ?? 0);
  const changed = [...visible].reduce((sum, deviceid) => sum + said(deviceid), 0);
  const tooOften = Object.entries(counted.tiles).filter(([deviceid, renders]) => renders > said(deviceid)).length;
  return [
    {
      name: 'under load: commits / changes of what is on the page',
      unit: '',
      values: [counted.commits / changed],
      atMost: 1,
    },
    {
      name: 'under load: tiles drawn / changes of what is on the page',
      unit: '',
      values: [drawn / changed],
      atMost: 1,
    },
    { name: 'under load: tiles drawn more often than they changed', unit: '', values: [tooOften], atMost: 0 },
    { name: 'under load: other parts drawn', unit: '', values: [counted.others] },
    {
      name: 'at rest: tiles that are not as a fresh snapshot says',
      unit: '',
      values: [await wrongTiles(page)],
      atMost: 0,
    },
    { name: 'devices on the page', unit: '', values: [visible.size] },
  ];
}

/** Repeats the check if a device reported in between. */
async function wrongTiles(page: Page): Promise<number> {
  let wrong = await countWrongTiles(page);
  for (let look = 1; look < 5 && wrong > 0; look += 1) wrong = await countWrongTiles(page);
  return wrong;
}

async function countWrongTiles(page: Page): Promise<number> {
  const expected = expectedDevices(
    await page.evaluate<Station>(`fetch('/api/station/').then((answer) => answer.json())`),
  );
  const drawn = Object.entries(await drawnDevices(page));
  return drawn.filter(([deviceid, tile]) => JSON.stringify(tile) !== JSON.stringify(expected[deviceid])).length;
}

function visibleDevices(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-deviceid]:has(canvas)')].map((tile) => tile.dataset.deviceid)`,
  );
}

/** Waits until no command has changed for longer than a refresh takes. */
async function untilQuiet(heard: StreamReader): Promise<void> {
  do await pause(200);
  while (heard.quietMs() < 5_000);
}

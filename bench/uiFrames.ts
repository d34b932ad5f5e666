/**
 * The page Station while its devices change: how many frames come late, which is the longest, and what the page's own
 * thread works for each. In the same rounds an empty page that moves one element, and a plain one with as many boxes as
 * there are tiles, of which as many change: for what the machine and its drawing drop.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { Goal } from './goals.ts';
import { deviceId } from './loads.ts';
import { ADMIN_PASSWORD } from './processes.ts';
import { type SeenFrames, FRAME_PROBE, spin, traceWork, watchFrames, type ThreadWork } from './uiFrameProbes.ts';
import { listen, startChanges } from './uiLoad.ts';

/**
 * `window`: of the usual size; the other devices are found by scrolling. `wall`: all devices are seen at once, as in a
 * browser that is zoomed out to a third: without a graphics card, drawing as many pixels as a wall has would cost more
 * than the page.
 */
type Scene = { name: string; width: number; height: number; scale: number; level: 'overview' | 'shelf'; tiles: number };
export const SCENES: readonly Scene[] = [
  { name: 'window', width: 1_280, height: 800, scale: 1, level: 'shelf', tiles: 25 },
  { name: 'wall', width: 3_840, height: 3_000, scale: 1 / 3, level: 'overview', tiles: 1_000 },
];

/** At 60 Hz a frame comes every 16.7 ms; the browser's timestamps of frames in time differ by up to this from it. */
const LATE_MS = 17;
const LATE_SHARE = 2;
const LONGEST_MS = 50;
const BASE_MS = 4_000;
const WATCH_MS = 8_000;
const TRACE_MS = 4_000;
const WARM_MS = 3_000;
const BULK_MS = 3_000;
const SEARCHES = ['51d000', 'count', '0004'];
const KEY_MS = 80;
const WHEEL = { count: 20, pixels: 240, everyMs: 50 };
/** Longer than a round may take. */
const SPIN_MS = 120_000;

type Options = {
  browser: Browser;
  url: URL;
  devices: number;
  perSecond: number;
  rounds: number;
  scenes: readonly Scene[];
  /** Sends a request with the right of an admin. */
  ask(method: string, path: string, body: object): Promise<void>;
};

type Kind = 'empty page' | 'plain page' | 'changes' | 'typing' | 'scrolling' | 'all at once';
type Seen = Map<Kind, { frames: SeenFrames[]; work: ThreadWork[] }>;

/** Frames and work of the page in each scene, with both cores free and with one busy. */
export async function framesUnderLoad(options: Options): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const scene of options.scenes) {
    for (const isBusy of [false, true]) {
      const seen: Seen = new Map();
      const rates: number[] = [];
      let tiles = 0;
      for (let round = 0; round < options.rounds; round += 1) {
        const spinner = isBusy ? spin(SPIN_MS) : undefined;
        try {
          const saw = await oneRound(options, scene, seen, round);
          rates.push(saw.perSecond);
          ({ tiles } = saw);
        } finally {
          await spinner?.stop();
        }
      }
      const name = `${scene.name}${isBusy ? ', one core busy' : ''}`;
      goals.push(...goalsOf(name, seen));
      goals.push({
        name: `${name}: changes that the window hears`,
        unit: '/s',
        values: rates,
        atLeast: options.perSecond,
      });
      goals.push({ name: `${name}: tiles in view`, unit: '', values: [tiles] });
    }
  }
  return goals;
}

async function oneRound(options: Options, scene: Scene, seen: Seen, round: number) {
  const { browser, url, devices, perSecond } = options;
  const heard = await listen(url);
  const changes = await startChanges(url, { devices, perSecond, lights: true });
  try {
    await inContext(browser, scene, (context) => watchBase(context, url, seen, scene));
    return await inContext(browser, scene, async (context) => {
      const { page, session } = await openMap(context, url);
      await pause(WARM_MS);
      const [before, at] = [heard.total(), performance.now()];
      note(seen, 'changes', await watchFrames(page, () => pause(WATCH_MS)));
      const rate = (heard.total() - before) / ((performance.now() - at) / 1_000);
      note(seen, 'changes', await traceWork(page, session, () => pause(TRACE_MS)));
      const tiles = await page.evaluate<number>(IN_VIEW);
      for (const [kind, action] of [
        ['typing', () => type(page)],
        ['scrolling', () => scroll(page, scene)],
      ] as const) {
        note(seen, kind, await watchFrames(page, action));
        note(seen, kind, await traceWork(page, session, action));
      }
      await bulk(options, `frames-${scene.name}-${round}-${Date.now()}`, async (action) => {
        note(seen, 'all at once', await watchFrames(page, action));
      });
      await bulk(options, `traced-${scene.name}-${round}-${Date.now()}`, async (action) => {
        note(seen, 'all at once', await traceWork(page, session, action));
      });
      return { perSecond: rate, tiles };
    });
  } finally {
    await changes.stop();
    heard.close();
  }
}

async function inContext<T>(browser: Browser, scene: Scene, run: (context: BrowserContext) => Promise<T>): Promise<T> {
  const { width, height, scale, level } = scene;
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale });
  try {
    await context.addInitScript(`localStorage.setItem('pickstation.level', '${level}')`);
    await context.addInitScript(FRAME_PROBE);
    return await run(context);
  } finally {
    await context.close();
  }
}

const MOVES = `(() => {
  document.body.innerHTML = '<div style="position:absolute;width:80px;height:40px;background:teal"></div>';
  const move = (now) => {
    document.body.firstChild.style.transform = 'translateX(' + Math.round(now / 10) % 400 + 'px)';
    requestAnimationFrame(move);
  };
  requestAnimationFrame(move);
})()`;

/** Draws one box per tile, and changes the color and text of as many boxes as tiles change. Measures the cost of drawing only. */
const changesOf = (tiles: number) => `(() => {
  const box = '<div style="width:132px;height:52px;border-radius:8px;background:white;box-shadow:0 1px 3px #0003">A-1-1</div>';
  document.body.innerHTML = '<div style="display:flex;flex-wrap:wrap;gap:8px">' + box.repeat(${tiles}) + '</div>';
  const boxes = document.body.firstChild.children;
  let changes = 0;
  setInterval(() => {
    for (let count = 0; count < 8; count += 1) {
      changes += 1;
      const place = (changes * 387) % 1000;
      if (place >= boxes.length) continue;
      boxes[place].style.background = changes % 2 === 0 ? 'white' : 'teal';
      boxes[place].textContent = String(changes);
    }
  }, 16);
})()`;

async function watchBase(context: BrowserContext, url: URL, seen: Seen, { tiles }: Scene): Promise<void> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  for (const [kind, script] of [
    ['empty page', MOVES],
    ['plain page', changesOf(tiles)],
  ] as const) {
    await page.goto(new URL('/api/nothing', url).href);
    await page.evaluate(script);
    await pause(500);
    note(seen, kind, await watchFrames(page, () => pause(BASE_MS)));
    note(seen, kind, await traceWork(page, session, () => pause(BASE_MS / 2)));
  }
}

async function openMap(context: BrowserContext, url: URL): Promise<{ page: Page; session: CDPSession }> {
  const page = await context.newPage();
  await page.goto(url.href);
  await page.getByLabel('User name').fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-deviceid]').first().waitFor();
  return { page, session: await context.newCDPSession(page) };
}

const IN_VIEW = `[...document.querySelectorAll('[data-deviceid]')].filter((tile) => {
  const { top, bottom } = tile.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}).length`;

async function type(page: Page): Promise<void> {
  const box = page.getByRole('searchbox');
  for (const text of SEARCHES) {
    await box.pressSequentially(text, { delay: KEY_MS });
    await pause(300);
    await box.fill('');
    await pause(200);
  }
}

async function scroll(page: Page, { width, height }: Scene): Promise<void> {
  await page.mouse.move(width / 2, (height * 2) / 3);
  for (const direction of [1, -1]) {
    for (let count = 0; count < WHEEL.count; count += 1) {
      await page.mouse.wheel(0, direction * WHEEL.pixels);
      await pause(WHEEL.everyMs);
    }
  }
}

/** Lights all devices with one request, and ends that with another. */
async function bulk(
  { devices, ask }: Options,
  number: string,
  during: (action: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const items = Array.from({ length: devices }, (_, index) => ({
    name: `Article ${index}`,
    ordered_quantity: 1,
    deviceid: deviceId(index + 1),
  }));
  await ask('POST', '/api/orders/', { order_number: number, items });
  await during(async () => {
    await ask('POST', `/api/orders/${number}/launch/`, {});
    await pause(BULK_MS);
    await ask('POST', `/api/orders/${number}/abort/`, {});
    await pause(BULK_MS);
  });
}

function note(seen: Seen, kind: Kind, what: SeenFrames | ThreadWork): void {
  const entry = seen.get(kind) ?? { frames: [], work: [] };
  seen.set(kind, entry);
  if ('gaps' in what) entry.frames.push(what);
  else entry.work.push(what);
}

function goalsOf(name: string, seen: Seen): Goal[] {
  const goals: Goal[] = [];
  for (const [kind, { frames, work }] of seen) {
    const isPage = kind !== 'empty page' && kind !== 'plain page';
    const figure = (what: string, unit: string, values: number[], atMost?: number) =>
      goals.push({
        name: `${name}, ${kind}: ${what}`,
        unit,
        values,
        ...(isPage && atMost !== undefined ? { atMost } : {}),
      });
    figure(
      'frames over 17 ms',
      '%',
      frames.map(({ gaps }) => lateShare(gaps)),
      kind === 'changes' ? LATE_SHARE : undefined,
    );
    figure(
      'longest frame',
      'ms',
      frames.map(({ gaps }) => Math.max(...gaps)),
      LONGEST_MS,
    );
    figure(
      'own work of a frame, longest',
      'ms',
      work.map((each) => Math.max(...each.frames)),
      LONGEST_MS,
    );
    figure(
      'own work of a frame, p99',
      'ms',
      work.map((each) => quantile(each.frames, 0.99)),
    );
    figure(
      'longest task, its own time',
      'ms',
      work.map(({ longestTask }) => longestTask),
      LONGEST_MS,
    );
    for (const part of ['total', 'script', 'style', 'layout', 'paint'] as const)
      figure(
        `own work, ${part}`,
        'ms/s',
        work.map((each) => each[part] / each.seconds),
      );
    const worst = frames.flatMap(({ long }) => long).toSorted((a, b) => b.ms - a.ms)[0];
    if (isPage && worst !== undefined)
      process.stdout.write(
        `${name}, ${kind}: longest animation frame ${Math.round(worst.ms)} ms: ${worst.scripts.join('; ')}\n`,
      );
  }
  return goals;
}

/** Percent of frames that came late. */
function lateShare(gaps: readonly number[]): number {
  return (100 * gaps.filter((gap) => gap > LATE_MS).length) / gaps.length;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;
}

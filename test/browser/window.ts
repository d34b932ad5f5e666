import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { ADMIN_PASSWORD } from '../shells/stationProcess.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PICTURES = join(ROOT, 'test-output', 'browser');

export type WindowTheme = 'light' | 'dark';

/** A window on the station, with a list of errors that are invisible to people but must not happen. */
export type Window = {
  page: Page;
  /** Console errors, exceptions, violations of the content security policy, and requests to other hosts. */
  complaints: string[];
  /**
   * Sets whether the station is expected to be offline from now on. During an outage, the browser logs failed
   * requests, which the page cannot prevent.
   */
  expectOutage(away: boolean): void;
};

/** Time limit for a page on a busy machine, in milliseconds. Playwright's default is 30 s. */
export const PAGE_PATIENCE_MS = 120_000;

/**
 * Debian's Chromium, unless the environment names a different one. The headless shell has the same engine without the user interface of a
 * browser, and takes half the processor time.
 */
export const CHROMIUM =
  process.env['CHROMIUM'] ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ??
  '/usr/bin/chromium';

/** Starts Chromium with additional switches. Rejects if it is missing. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is needed here: apt-get install chromium`);
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Only names of this machine resolve. Names under .test stand for other machines in the network, but also resolve to this one.
      '--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ...more,
    ],
  });
}

/** Opens a signed-out window. Rejects if the page is not built. */
export async function openWindow(browser: Browser, url: string, theme: WindowTheme): Promise<Window> {
  if (!existsSync(join(ROOT, 'dist', 'renderer', 'index.html')))
    throw new Error('The page is not built: npm run build');
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(PAGE_PATIENCE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  let away = false;
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() !== 'error' || (away && isFailedLoad(text))) return;
    // The page checks for a session before anybody is signed in.
    if (isFailedLoad(text) && text.includes('401') && message.location().url.includes('/api/')) return;
    // When a page sets its current line, 404 is the documented answer if the line has since been pressed, and 409 if it has been handed
    // over.
    if (isFailedLoad(text) && /40[49]/.test(text) && message.location().url.endsWith('/api/user/current/')) return;
    complaints.push(`console: ${text} (${message.location().url})`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:|^wss?:/.test(protocol) && `${origin}/` !== url) complaints.push(`request: ${request.url()}`);
  });
  await context.exposeFunction('complain', (text: string) => complaints.push(text));
  await context.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) =>
       window.complain('policy: ' + event.violatedDirective + ' ' + event.blockedURI));`,
  );
  return {
    page,
    complaints,
    expectOutage(now) {
      away = now;
    },
  };
}

function isFailedLoad(text: string): boolean {
  return text.startsWith('Failed to load resource');
}

/** Signs in without the form, which would need an additional page load. */
export async function startSession({ page }: Window, url: string): Promise<void> {
  const data = { username: 'admin', password: ADMIN_PASSWORD };
  const answer = await page.context().request.post(`${url}api/user/login/?page=1`, { data });
  if (!answer.ok()) throw new Error(`Signing in: ${answer.status()} ${await answer.text()}`);
  await page.goto(url);
  await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
}

/** Signs in as a person does. */
export async function signIn({ page }: Window, url: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('User name').fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
}

/** Opens the callback settings from the rail. */
export async function openCallbackSettings(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  await page.getByRole('link', { name: 'Callback settings', exact: true }).click();
}

/** Opens the palette with its shortcut and types the words. */
export async function searchEverything(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('[role="combobox"]:focus').waitFor();
  await page.keyboard.type(words);
}

/** Finds the tile of a device by its displayed name. */
export function tileOf(page: Page, name: string): Locator {
  const link = page.getByRole('link', { name, exact: true });
  return page.getByRole('grid', { name: 'Devices' }).getByRole('gridcell').filter({ has: link });
}

type Box = { x: number; y: number; width: number; height: number };

/** Waits until an element has not moved for two frames, and returns its position. */
export async function restingBox(element: Locator): Promise<Box> {
  let before = await element.boundingBox();
  for (let same = 0; same < 2;) {
    await element.page().evaluate('new Promise((next) => requestAnimationFrame(next))');
    const now = await element.boundingBox();
    same = now !== null && JSON.stringify(now) === JSON.stringify(before) ? same + 1 : 0;
    before = now;
  }
  if (before === null) throw new Error('It is not to be seen.');
  return before;
}

/** Returns the pixels of an element as shown on the screen. */
export async function pixelsOf(element: Locator): Promise<string> {
  return (await element.screenshot({ animations: 'disabled' })).toString('base64');
}

/** Saves a screenshot after a failed test in the folder of this run. */
export async function savePicture({ page }: Window, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** Saves a screenshot for review if the variable PICTURES is set. */
export async function takePicture(window: Window, name: string): Promise<void> {
  if (process.env['PICTURES'] !== undefined) await savePicture(window, name);
}

/** Takes screenshots in both themes of a window that was opened in the light theme. */
export async function takePictures(window: Window, name: string): Promise<void> {
  if (process.env['PICTURES'] === undefined) return;
  await takePicture(window, `${name}-light`);
  await inOtherTheme(window.page, (theme) => takePicture(window, `${name}-${theme}`));
}

/** Phone, tablet in portrait and landscape, and monitor. */
const PICTURE_SIZES = [
  [390, 844],
  [820, 1180],
  [1024, 768],
  [1440, 900],
] as const;

/** Takes screenshots of the page at each size and in both themes. Then restores the usual size. */
export async function takeInFrames(window: Window, name: string): Promise<void> {
  if (process.env['PICTURES'] === undefined) return;
  const usual = window.page.viewportSize();
  for (const [width, height] of PICTURE_SIZES) {
    await window.page.setViewportSize({ width, height });
    await takePictures(window, `${name}-${width}`);
  }
  if (usual !== null) await window.page.setViewportSize(usual);
}

/**
 * Returns the findings of axe, one line each: with all rules in the window's theme, and with the color rules in the
 * other theme, which differs only in colors. A finding counts only if it occurs in two scans, because while a dialog
 * opens, the page below is already hidden, but axe may not see the dialog yet.
 */
export async function findBarriers({ page }: Window): Promise<string[]> {
  // Evaluate axe's code instead of adding a script element, which the content security policy would refuse. The code is
  // large and stays until the document is replaced.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  const found = await scanTwice(page, '');
  const colors = await inOtherTheme(page, () => scanTwice(page, `runOnly: ['color-contrast', 'link-in-text-block'],`));
  return [...found, ...colors.map((line) => `In the other theme: ${line}`)];
}

async function scanTwice(page: Page, rules: string): Promise<string[]> {
  // Collecting the passed rules and sending them here would take twice as long as the rules themselves.
  const scan = `axe.run(document, { ${rules} resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ': ' + help + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`;
  const first = await page.evaluate<string[]>(scan);
  if (first.length === 0) return [];
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const second = await page.evaluate<string[]>(scan);
  return first.filter((line) => second.includes(line));
}

/** Runs `look` while the browser prefers the other theme, which the page adopts immediately. */
async function inOtherTheme<T>(page: Page, look: (theme: WindowTheme) => Promise<T>): Promise<T> {
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`);
  const [theme, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  await page.emulateMedia({ colorScheme: other });
  const seen = await look(other);
  await page.emulateMedia({ colorScheme: theme });
  return seen;
}

/**
 * Returns the number of pixels by which the page is taller than its window, or one of its parts is too wide. Parts
 * that follow the size of their box adapt a frame or two later, so overflow counts only if it lasts.
 */
export function measureOverflow(page: Page): Promise<number> {
  return measureAtRest(
    page,
    `document.scrollingElement.scrollHeight - innerHeight +
    Math.max(0, ...${TOO_WIDE}.map((part) => part.scrollWidth - part.clientWidth))`,
  );
}

/** The parts that `measureOverflow` checks. They cut off or scroll content that is wider than themselves. */
const TOO_WIDE = `[...document.querySelectorAll('main, main *')].filter((part) =>
  part.scrollWidth - part.clientWidth > 1 && getComputedStyle(part).overflowX !== 'visible'
    && getComputedStyle(part).scrollbarWidth !== 'none' && part.clientWidth > 1)`;
const NAMES_TOO_WIDE = `${TOO_WIDE}.map((part) => part.outerHTML.slice(0, 300)).join(' and ') || 'the height'`;

/** Window sizes, from a monitor to a small phone. */
export const SIZES = [
  { width: 1_366, height: 768 },
  { width: 820, height: 1_180 },
  { width: 390, height: 844 },
  { width: 320, height: 568 },
] as const;
/**
 * Width of a phone in pixels. The layout on a phone differs from that on a monitor. At sizes in between, parts of
 * both layouts appear.
 */
const PHONE = 390;

/**
 * Options of `findFaults`. `overflow` replaces `measureOverflow`. With `isDialog`, overflow is not measured. `look`
 * is called at each size.
 */
type Looking = {
  overflow?: typeof measureOverflow;
  isDialog?: boolean;
  look?: (width: number) => Promise<void>;
};

/**
 * Returns the faults of a page at all SIZES, one line each: overflow, and the findings of axe on a monitor and a phone.
 * Leaves the window at monitor size.
 */
export async function findFaults(
  window: Window,
  { overflow = measureOverflow, isDialog = false, look = () => Promise.resolve() }: Looking = {},
): Promise<string[]> {
  const { page } = window;
  const faults: string[] = [];
  for (const size of SIZES) {
    const { width } = size;
    await page.setViewportSize(size);
    await look(width);
    const over = isDialog ? 0 : await overflow(page);
    if (over > 0) faults.push(`At ${width}: ${over} px do not fit in: ${await page.evaluate<string>(NAMES_TOO_WIDE)}`);
    const barriers = width === PHONE || width === SIZES[0].width ? await findBarriers(window) : [];
    faults.push(...barriers.map((line) => `At ${width}: ${line}`));
  }
  await page.setViewportSize(SIZES[0]);
  return faults;
}

/** Number of frames in which a page must adapt to a new size. */
const FRAMES = 60;

/**
 * Evaluates the expression until its value is at most 0, or for FRAMES frames. Returns the last value.
 */
export function measureAtRest(page: Page, expression: string): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const measure = () => ${expression};
    for (let frames = 0; frames < ${FRAMES} && measure() > 0; frames += 1)
      await new Promise((next) => requestAnimationFrame(next));
    return measure();
  })()`);
}

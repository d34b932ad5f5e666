import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import Database from 'better-sqlite3';
import { _electron, errors, type ElectronApplication, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { PAGE_PATIENCE_MS } from '../browser/window.ts';
import { ADMIN_PASSWORD, API_KEY, folderOnDisk } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';

export const ROOT = join(import.meta.dirname, '..', '..');
const WATCHER = join(import.meta.dirname, 'watchShell.mjs');

/** Returns the folder of the real Electron. Throws if it is missing, so that no test passes without starting it. */
export function runtimeFolder(): string {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(ROOT, 'node_modules', 'electron', 'dist');
  if (!existsSync(join(folder, 'electron'))) {
    throw new Error(`There is no Electron runtime in ${folder}: name one by ELECTRON_OVERRIDE_DIST_PATH`);
  }
  if (process.env['DISPLAY'] === undefined) throw new Error('There is no display: run these tests below xvfb-run -a');
  return folder;
}

/** Electron switches for root, for whom Chromium has no sandbox. */
export const ROOT_SWITCHES = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export type Dialog = { text: string; buttons: string[] };

export type Desktop = {
  readonly app: ElectronApplication;
  page(): Promise<Page>;
  /** Resolves to the address of the station that the window shows. */
  url(): Promise<string>;
  stderr(): string;
  /** Returns the dialogs that the shell has shown, oldest first. */
  dialogs(): Promise<Dialog[]>;
  /** Presses a button in the newest dialog. */
  answer(button: string, isTicked?: boolean): Promise<void>;
  notifications(): Promise<string[]>;
  /** Returns the addresses and folders opened with the system's programs. */
  opened(): Promise<string[]>;
  /** Returns the current labels of the tray menu; empty if there is no tray. */
  trayMenu(): Promise<string[]>;
  hasTray(): Promise<boolean>;
  clickTray(label: string): Promise<void>;
  /** Makes the desktop's tray host appear or disappear. */
  setTray(isThere: boolean): void;
  isVisible(): Promise<boolean>;
  /** Whether a window closed by CLOSE_BEFORE_SHOWN has drawn its first frame since it was closed. */
  isDrawn(): Promise<boolean>;
  /** Resolves to the exit code, or to null after a signal. */
  readonly ended: Promise<number | null>;
};

/** The globals of the main process, with what watchShell.mjs records there. */
type World = {
  shell?: {
    dialogs: (Dialog & { answer(button: string, isTicked: boolean): void })[];
    /** Number of tray icons. */
    trays: number;
    notifications: string[];
    opened: string[];
    isDrawn?: true;
    menus: { items: { label: string; type: string; click(): void }[] }[];
  };
};

/** Creates a data folder for this test, which is removed afterwards. */
export function ownFolder(): string {
  const folder = folderOnDisk('desktop');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/**
 * Creates a folder to put at the front of PATH. It contains a fake `gdbus` that reports whether the desktop shows
 * tray icons, and when that changes.
 */
function createBus(hasTray: boolean): { folder: string; setTray(isThere: boolean): void } {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-bus-'));
  const [answer, signals] = [join(folder, 'answer'), join(folder, 'signals')];
  const script = `#!/bin/sh\n[ "$1" = monitor ] && exec tail -n 0 -f --pid=$PPID -s 0.1 ${signals}\ncat ${answer}\n`;
  writeFileSync(join(folder, 'gdbus'), script, { mode: 0o755 });
  writeFileSync(answer, `(${hasTray},)\n`);
  writeFileSync(signals, '');
  return {
    folder,
    setTray(isThere) {
      writeFileSync(answer, `(${isThere},)\n`);
      const owners = isThere ? `'', ':1.7'` : `':1.7', ''`;
      appendFileSync(signals, `.NameOwnerChanged ('org.kde.StatusNotifierWatcher', ${owners})\n`);
    },
  };
}

/** Time limit for a launch in milliseconds. A launch takes about 3 s, or up to 20 s on a busy machine. */
const LAUNCH_MS = 60_000;

export type StartOptions = {
  dataFolder: string;
  args?: string[];
  env?: Record<string, string>;
  /** Whether this desktop shows tray icons. True by default. */
  tray?: boolean;
};

/** Starts the desktop shell on the real runtime. `stop` ends the shell in any state. */
export async function startDesktop(options: StartOptions): Promise<Desktop & { stop(): Promise<void> }> {
  const { dataFolder, args = ['--port', '0'], env = {}, tray = true } = options;
  const executablePath = join(runtimeFolder(), 'electron');
  if (!existsSync(join(ROOT, 'dist', 'main', 'main.js'))) throw new Error('The window is not built: npm run build');
  const bus = createBus(tray);
  const exitFile = join(bus.folder, 'exit-code');
  const launch = (timeout: number) =>
    _electron.launch({
      timeout,
      executablePath,
      cwd: ROOT,
      args: ['-r', WATCHER, ...ROOT_SWITCHES, ROOT, '--data', dataFolder, ...args],
      env: {
        ...process.env,
        PICKSTATION_API_KEY: API_KEY,
        PICKSTATION_ADMIN_PASSWORD: ADMIN_PASSWORD,
        PATH: `${bus.folder}${delimiter}${process.env['PATH']}`,
        TEST_EXIT_FILE: exitFile,
        ...env,
      },
    });
  // On a busy machine, Playwright sometimes does not detect that a program is running, although both debuggers are connected. Playwright
  // ends the program at the time limit, so launch it again.
  const app = await launch(LAUNCH_MS).catch((error: unknown) => {
    if (error instanceof errors.TimeoutError) return launch(PAGE_PATIENCE_MS);
    throw error;
  });
  app.context().setDefaultTimeout(PAGE_PATIENCE_MS);
  const child = app.process();
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<number | null>((resolve) => {
    // Playwright kills a program that has closed its debugger and is about to exit, so the program writes its exit code
    // to a file.
    const said = () => (existsSync(exitFile) ? Number(readFileSync(exitFile, 'utf8')) : null);
    if (child.exitCode === null) child.once('exit', (code) => resolve(code ?? said()));
    else resolve(child.exitCode);
  });
  return {
    app,
    page: () => app.firstWindow(),
    url: async () => new URL('/', (await app.firstWindow()).url()).href,
    stderr: () => stderr,
    dialogs: () =>
      app.evaluate(() => ((globalThis as World).shell?.dialogs ?? []).map(({ text, buttons }) => ({ text, buttons }))),
    answer: (button, isTicked = false) =>
      app.evaluate(
        (_electron, { button, isTicked }) => (globalThis as World).shell?.dialogs.at(-1)?.answer(button, isTicked),
        { button, isTicked },
      ),
    notifications: () => app.evaluate(() => (globalThis as World).shell?.notifications ?? []),
    opened: () => app.evaluate(() => (globalThis as World).shell?.opened ?? []),
    trayMenu: () =>
      app.evaluate(() => {
        const items = (globalThis as World).shell?.menus.at(-1)?.items ?? [];
        return items.filter(({ type }) => type !== 'separator').map(({ label }) => label);
      }),
    hasTray: () => app.evaluate(() => ((globalThis as World).shell?.trays ?? 0) > 0),
    clickTray: (label) =>
      app.evaluate((_electron, label) => {
        const items = (globalThis as World).shell?.menus.at(-1)?.items ?? [];
        items.find((item) => item.label === label)?.click();
      }, label),
    setTray: bus.setTray,
    isVisible: () =>
      app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible())),
    isDrawn: () => app.evaluate(() => (globalThis as World).shell?.isDrawn === true),
    ended,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(bus.folder, { recursive: true, force: true });
    },
  };
}

/** Starts the desktop shell, and stops it at the end of the test. */
export async function openDesktop(options: StartOptions): Promise<Desktop> {
  const desktop = await startDesktop(options);
  onTestFinished(desktop.stop);
  return desktop;
}

/** Calls the API like a script, with the API key. */
export async function call(url: string, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(new URL(path, url), {
    method,
    headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Waits until the window has fully loaded a page of this station. */
export async function windowOn(desktop: Desktop, url: string): Promise<Page> {
  const page = await desktop.page();
  await until(`the window on ${url}`, () => page.url().startsWith(url));
  await page.waitForLoadState();
  return page;
}

/** Starts a window manager for this test and waits until it is ready. Without one, windows cannot be maximized or focused. */
export async function manageWindows(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-openbox-'));
  const ready = join(folder, 'ready');
  const manager = spawn('openbox', ['--startup', `touch ${ready}`], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  manager.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(manager, 'close');
  onTestFinished(async () => {
    manager.kill();
    // The next window manager fails to start as long as this one runs.
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await until('openbox to start', () => {
    if (manager.exitCode !== null) throw new Error(`openbox ended with ${manager.exitCode}: ${stderr}`);
    return existsSync(ready);
  });
}

/** Time limit for a stop in milliseconds, on a busy machine. A program that waits for open event streams would never stop. */
const STOP_WITHIN_MS = 60_000;

/** Checks that the program ends in time after `ask`, removes its address file, and leaves a closed database. */
export async function expectOrderlyEnd(
  desktop: Desktop,
  dataFolder: string,
  ask: () => Promise<unknown>,
): Promise<void> {
  const askedAt = performance.now();
  // The answer may be lost when the process ends.
  await ask().catch(() => undefined);
  expect(await desktop.ended).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(STOP_WITHIN_MS);
  const file = join(dataFolder, 'pickstation.sqlite');
  expect([existsSync(`${file}-wal`), existsSync(join(dataFolder, 'address.json'))]).toEqual([false, false]);
  const lock = new Database(join(dataFolder, 'lock.sqlite'), { timeout: 0 });
  lock.exec('BEGIN EXCLUSIVE');
  lock.close();
}

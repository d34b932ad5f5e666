import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import { ADMIN_PASSWORD, API_KEY, folderOnDisk, spawnStation, type StationProcess } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import {
  launchBrowser,
  openWindow as openWindowIn,
  startSession,
  savePicture,
  type WindowTheme,
  type Window,
} from './window.ts';

const TURBO_SIM = join(import.meta.dirname, '..', '..', 'electron', 'turboSim', 'main.ts');
/** Time in milliseconds that a person needs from the light to the press. A press after less than 250 ms can be too early. */
const SEEN_MS = 300;

/**
 * Gives the tests in a file one browser, and each test its own data folder, stations and windows. `switches` returns
 * Chromium switches. Closes everything that a test leaves open. Saves a screenshot of each window after a failed
 * test.
 */
export function useShop(name: string, switches: () => readonly string[] = () => []) {
  const windows: Window[] = [];
  let browser: Browser;
  let dataFolder: string;
  let station: StationProcess;
  let url: string;
  let stops: AsyncDisposableStack;

  beforeAll(async () => {
    browser = await launchBrowser(switches());
  });

  afterAll(() => browser?.close());

  beforeEach(() => {
    stops = new AsyncDisposableStack();
    dataFolder = folderOnDisk(name);
    after(() => rmSync(dataFolder, { recursive: true }));
  });

  afterEach(async ({ task }) => {
    // Cleanup runs in reverse order: each window closes after its picture, and all windows close before the stations.
    for (const [index, window] of windows.splice(0).entries()) {
      after(() => window.page.context().close());
      if (task.result?.state === 'fail') after(() => savePicture(window, `failed-${name}-${index}`));
    }
    await stops.disposeAsync();
  });

  /** Registers a cleanup for the end of this test. It runs even if another cleanup fails. */
  function after(stop: () => void | Promise<void>): void {
    stops.defer(stop);
  }

  /**
   * Starts a station on this test's data folder, without the list of first steps. Must not be called again before the
   * previous station has ended.
   */
  async function start(simulate: number, port = 0): Promise<void> {
    const started = spawnStation({ dataFolder, simulate, port });
    after(() => started.kill());
    station = started;
    url = await started.ready;
    // Dismiss the first steps, because their list would move everything below it on Today.
    await call('PATCH', '/api/setup/steps/', { dismissed: true });
  }

  /** Opens a window in its own profile, signed out. */
  async function openWindow(theme: WindowTheme, at = url): Promise<Window> {
    const window = await openWindowIn(browser, at, theme);
    windows.push(window);
    return window;
  }

  /** Opens a window, signed in on the Today page. */
  async function open(theme: WindowTheme = 'light'): Promise<Window> {
    const window = await openWindow(theme);
    await startSession(window, url);
    return window;
  }

  /** Calls the API like a script, with the API key. If the station refuses, rejects with the station's message. */
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
    const sent = body === undefined ? null : JSON.stringify(body);
    const answer = await fetch(new URL(path, url), { method, headers, body: sent });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  }

  /**
   * Presses the front button like a person who has seen the light: a press immediately after the previous line would be
   * too early.
   */
  async function press(deviceid: string): Promise<void> {
    await until(`${deviceid} to show its command`, async () => {
      const { displayed, commands } = await call<Device>('GET', `/api/device/${deviceid}/`);
      const shownAt = commands.find(({ command_id }) => command_id === displayed?.command_id)?.shown_at ?? null;
      return shownAt !== null && Date.now() - Date.parse(shownAt) >= SEEN_MS;
    });
    await call('POST', `/api/simulator/devices/${deviceid}/press/`);
  }

  /** Starts a network turbo with this many unknown devices. The returned function presses one of these devices, or moves it. */
  function startTurbo(devices: number): (deviceid: string, hand?: 'press' | 'away' | 'back') => void {
    const args = [TURBO_SIM, '--devices', String(devices), '--user', 'admin', '--hands'];
    const turbo = spawn(process.execPath, [...args, '--connect', `${url.replace('http:', 'ws:')}turbo/`], {
      env: { ...process.env, PICKSTATION_TURBO_SECRET: ADMIN_PASSWORD },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    after(() => void turbo.kill('SIGKILL'));
    return (deviceid, hand = 'press') => void turbo.stdin.write(`${hand} ${deviceid}\n`);
  }

  return {
    after,
    start,
    startTurbo,
    openWindow,
    open,
    call,
    press,
    windows,
    get browser() {
      return browser;
    },
    /** The most recently started station. */
    get station() {
      return station;
    },
    /** The station's address, with a trailing slash. */
    get url() {
      return url;
    },
  };
}

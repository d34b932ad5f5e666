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
  signIn,
  takePicture,
  type WindowTheme,
  type Window,
} from './window.ts';

const TURBO_SIM = join(import.meta.dirname, '..', '..', 'electron', 'turboSim', 'main.ts');

/**
 * A browser for the tests of one file; for each of them a data folder, the stations that run on it, and windows.
 * `switches`: of Chromium. Whatever a test leaves ends with it, and one that fails leaves a picture of each window.
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
    // The last to come is the first to go: each window after its picture, and all of them before the stations.
    for (const [index, window] of windows.splice(0).entries()) {
      after(() => window.page.context().close());
      if (task.result?.state === 'fail') after(() => takePicture(window, `failed-${name}-${index}`));
    }
    await stops.disposeAsync();
  });

  /** At the end of this test, whatever else fails there. */
  function after(stop: () => void | Promise<void>): void {
    stops.defer(stop);
  }

  /** Runs a station on this test's data folder: the first one, or the next after the one before has ended. */
  async function start(simulate: number, port = 0): Promise<void> {
    const started = spawnStation({ dataFolder, simulate, port });
    after(() => started.kill());
    station = started;
    url = await started.ready;
  }

  /** A window in a profile of its own, where nobody has signed in. */
  async function openWindow(theme: WindowTheme, at = url): Promise<Window> {
    const window = await openWindowIn(browser, at, theme);
    windows.push(window);
    return window;
  }

  /** The same, signed in and on the Station page. */
  async function open(theme: WindowTheme = 'light'): Promise<Window> {
    const window = await openWindow(theme);
    await signIn(window, url);
    return window;
  }

  /** As a script would: with the API key. Rejects with what the station said when it refuses. */
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
    const sent = body === undefined ? null : JSON.stringify(body);
    const answer = await fetch(new URL(path, url), { method, headers, body: sent });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  }

  /** As a person would: presses the front button of a device once its light is on. */
  async function press(deviceid: string): Promise<void> {
    await until(`${deviceid} to show its command`, async () => {
      const { displayed } = await call<Device>('GET', `/api/device/${deviceid}/`);
      return typeof displayed?.command_id === 'string';
    });
    await call('POST', `/api/simulator/devices/${deviceid}/press/`);
  }

  /** A turbo in the network with so many devices that nobody has announced. Answers what presses one of them. */
  function startTurbo(devices: number): (deviceid: string) => void {
    const args = [TURBO_SIM, '--devices', String(devices), '--user', 'admin', '--hands'];
    const turbo = spawn(process.execPath, [...args, '--connect', `${url.replace('http:', 'ws:')}turbo/`], {
      env: { ...process.env, PICKSTATION_TURBO_SECRET: ADMIN_PASSWORD },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    after(() => void turbo.kill('SIGKILL'));
    return (deviceid) => void turbo.stdin.write(`press ${deviceid}\n`);
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
    /** The one that was started last. */
    get station() {
      return station;
    },
    /** Its address, with a slash at the end. */
    get url() {
      return url;
    },
  };
}

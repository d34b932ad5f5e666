import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { rmSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { FleetAnswer } from '#shared/api/fleet.ts';
import { startBroker } from '../helpers/servers/broker.ts';
import { API_KEY, folderOnDisk } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { startDesktop, windowOn, type Desktop } from './desktop.ts';

let desktop: Desktop & { stop(): Promise<void> };
let dataFolder: string;
let url: string;
let page: Page;

/** URL of another server. A request that reaches it has escaped the window's restrictions. */
let elsewhere: string;
let server: Server;
let visits: string[];

beforeAll(async () => {
  server = createServer((req, res) => {
    visits.push(req.url ?? '');
    if (req.url === '/away') res.writeHead(302, { location: elsewhere.replace('127.0.0.1', 'localhost') });
    res.end('elsewhere');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  dataFolder = folderOnDisk('desktop');
  desktop = await startDesktop({
    dataFolder,
    args: ['--port', '0', '--simulate', '1', '--use-fake-device-for-media-stream'],
  });
  url = await desktop.url();
  page = await windowOn(desktop, url);
});

afterAll(async () => {
  await desktop?.stop();
  server?.close();
  rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
});

beforeEach(() => {
  visits = [];
});

/** Runs code in the page. Returns the address to which the code tried to navigate, and whether the main process refused that. */
async function attempt(code: string): Promise<[string, boolean]> {
  const seen = await desktop.app.evaluateHandle(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const told = new Promise<[string, boolean]>((resolve) =>
      contents?.once('will-frame-navigate', (details) => resolve([details.url, details.defaultPrevented])),
    );
    return { told };
  });
  await page.evaluate(code);
  return seen.evaluate(({ told }) => told);
}

test('the page cannot navigate the window away from its station', async () => {
  expect(await attempt(`location.href = ${JSON.stringify(elsewhere)}`)).toEqual([elsewhere, true]);
  expect(await attempt(`location.href = 'https://example.org/'`)).toEqual(['https://example.org/', true]);
  expect(new URL('/', page.url()).href).toBe(url);
  expect(visits).toEqual([]);
});

test('the page cannot leave the window blank or on a page that it created', async () => {
  // The window may return to the station before the test looks.
  await Promise.all([page.waitForURL('about:blank'), page.evaluate(`location.href = 'about:blank'`)]);
  await page.waitForURL(`${url}**`);
  const [made, refused] = await attempt(
    `location.href = URL.createObjectURL(new Blob(['made'], { type: 'text/html' }))`,
  );
  expect([made.startsWith(`blob:${url}`), refused]).toEqual([true, true]);
  expect(new URL('/', page.url()).href).toBe(url);
});

test('WebRTC cannot send anything out of the window', async () => {
  const packets = createSocket('udp4');
  packets.on('message', () => visits.push('packet'));
  packets.bind(0, '127.0.0.1');
  await once(packets, 'listening');
  server.on('connection', note);
  try {
    const { host } = new URL(elsewhere);
    const servers = [`stun:127.0.0.1:${packets.address().port}`, `turn:${host}?transport=tcp`];
    await page.evaluate(`(async () => {
      const call = new RTCPeerConnection({
        iceServers: [{ urls: ${JSON.stringify(servers)}, username: 'x', credential: 'x' }],
      });
      call.createDataChannel('x');
      const tried = new Promise((resolve) => call.addEventListener('icegatheringstatechange', () =>
        call.iceGatheringState === 'complete' && resolve()));
      await call.setLocalDescription(await call.createOffer());
      await tried;
      call.close();
    })()`);
    expect(visits).toEqual([]);
  } finally {
    server.off('connection', note);
    packets.close();
  }

  function note(): void {
    visits.push('connection');
  }
});

test('the page can navigate anywhere on its own station', async () => {
  const [target, refused] = await attempt(`location.href = '/today?device=51D000:000001'`);
  expect([target, refused]).toEqual([`${url}today?device=51D000:000001`, false]);
  await page.waitForURL(`${url}today?device=51D000:000001`);
  await page.goto(url);
});

test('a redirect cannot lead the window away from its station', async () => {
  const refused = await desktop.app.evaluate(async ({ BrowserWindow, session }, from) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents === undefined) throw new Error('There is no window');
    // Remove the guard, which would already block the first request.
    const own = session.fromPartition('persist:station');
    own.webRequest.onBeforeRequest(null);
    await own.setProxy({ mode: 'direct' });
    const seen = new Promise<boolean>((resolve) =>
      contents.once('will-redirect', (details) => resolve(details.defaultPrevented)),
    );
    void contents.loadURL(from).catch(() => undefined);
    return seen;
  }, `${elsewhere}away`);
  expect(refused).toBe(true);
  expect(visits).toEqual(['/away']);
  await page.goto(url);
});

test('the page cannot open windows', async () => {
  expect(await page.evaluate(`window.open(${JSON.stringify(elsewhere)}) === null`)).toBe(true);
  expect(await page.evaluate(`window.open('/') === null`)).toBe(true);
  await page.evaluate(`(() => {
    const link = Object.assign(document.createElement('a'), { href: '/', target: '_blank', textContent: 'x' });
    document.body.append(link);
    link.click();
    link.remove();
  })()`);
  expect(await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  expect(visits).toEqual([]);
});

test('only stations of the fleet open in the system browser', async () => {
  const broker = await startBroker();
  onTestFinished(() => broker.stop());
  const settings = { mqtt_url: broker.url, mqtt_prefix: 'shop', fleet: true };
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  await fetch(new URL('/api/settings/', url), { method: 'PATCH', headers, body: JSON.stringify(settings) });
  await broker.publish('shop/oslo/info', JSON.stringify({ protocol: 1, name: 'oslo', url: elsewhere }), true);
  await until('the station', async () => {
    const answer = await fetch(new URL('/api/fleet/', url), { headers });
    const { stations } = (await answer.json()) as FleetAnswer;
    return stations.some(({ station }) => station === 'oslo');
  });
  const open = (wanted: string) => page.evaluate(`window.open(${JSON.stringify(wanted)}) === null`);
  const others = [
    'http://127.0.0.1:1/',
    elsewhere.replace('127.0.0.1', 'localhost'),
    'file:///etc/passwd',
    'mailto:a@b.c',
  ];
  for (const wanted of others) expect(await open(wanted)).toBe(true);
  expect(await open(`${elsewhere}devices/1`)).toBe(true);
  await until('the browser', async () => (await desktop.opened()).length > 0);
  expect(await desktop.opened()).toEqual([`${elsewhere}devices/1`]);
  expect(visits).toEqual([]);
});

test('permissions are denied, except copying, notifications and the camera without sound', async () => {
  const answers = await page.evaluate(`(async () => {
    const state = async (name) => (await navigator.permissions.query({ name })).state;
    const place = (granted) => new Promise((resolve) =>
      navigator.geolocation.getCurrentPosition(() => resolve('granted'), ({ code }) => resolve(code === 1 ? 'denied' : code)));
    return {
      asked: await Notification.requestPermission(),
      media: await navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 'granted', ({ name }) => name),
      both: await navigator.mediaDevices.getUserMedia({ audio: true, video: true }).then(() => 'granted', ({ name }) => name),
      video: await navigator.mediaDevices.getUserMedia({ video: true }).then((stream) => {
        for (const track of stream.getTracks()) track.stop();
        return 'granted';
      }, ({ name }) => name),
      hid: await navigator.hid.getDevices().then(({ length }) => length),
      serial: await navigator.serial.getPorts().then(({ length }) => length),
      place: await place(),
      states: await Promise.all(['geolocation', 'microphone', 'midi', 'notifications'].map(state)),
      reading: await state('clipboard-read'),
      copying: await state('clipboard-write'),
    };
  })()`);
  expect(answers).toEqual({
    asked: 'granted',
    media: 'NotAllowedError',
    both: 'NotAllowedError',
    video: 'granted',
    hid: 0,
    serial: 0,
    place: 'denied',
    states: ['denied', 'denied', 'denied', 'granted'],
    reading: 'denied',
    copying: 'granted',
  });
});

test('the page has no access to Node or Electron', async () => {
  const names = ['require', 'module', 'process', 'global', 'Buffer', 'electron', '__dirname', 'setImmediate'];
  expect(await page.evaluate((names) => names.filter((name) => Reflect.has(globalThis, name)), names)).toEqual([]);
  const preferences = await desktop.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    // Electron's types do not declare `getLastWebPreferences`.
    return contents !== undefined && 'getLastWebPreferences' in contents
      ? (contents.getLastWebPreferences as () => object).call(contents)
      : undefined;
  });
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
  });
});

test('the preload exposes only the desktop flag, the version, the scanner choice, showing the window and printing', async () => {
  expect(await page.evaluate('Object.keys(pickstation)')).toEqual([
    'desktop',
    'version',
    'handleScannerChoice',
    'showWindow',
    'chooseScanner',
    'printers',
    'print',
  ]);
  expect(await page.evaluate('[pickstation.desktop, pickstation.version]')).toEqual([true, '0.1.0']);
  // A page without our scripts.
  await page.goto(`${url}healthz`);
  const added = (await page.evaluate(`(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const plain = new Set(Object.getOwnPropertyNames(frame.contentWindow));
    frame.remove();
    return Object.getOwnPropertyNames(globalThis).filter((name) => !plain.has(name));
  })()`)) as string[];
  // Ignore the one or two names that Playwright adds.
  expect(added.filter((name) => !/^__(pw|playwright)/.test(name))).toEqual(['pickstation']);
  await page.goto(url);
});

test('the content security policy blocks inline scripts and requests to other hosts', async () => {
  const answer = await page.reload();
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect(policy.split(';').toSorted()).toEqual([
    "base-uri 'none'",
    "default-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "style-src 'self'",
  ]);
  const violated = await page.evaluate(`(async () => {
    const told = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => told.push(effectiveDirective));
    document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.foreign = true' }));
    await fetch(${JSON.stringify(elsewhere)}).catch(() => undefined);
    // Each violation is reported in a separate task.
    while (told.length < 2) await new Promise((resolve) => setTimeout(resolve));
    return { told, ran: 'foreign' in globalThis };
  })()`);
  expect(violated).toEqual({ told: ['script-src-elem', 'connect-src'], ran: false });
  expect(visits).toEqual([]);
});

test('developer tools do not open without --devtools', async () => {
  const isNone = await desktop.app.evaluate(async ({ BrowserWindow }) => {
    const ours = BrowserWindow.getAllWindows()[0]?.webContents;
    ours?.openDevTools({ mode: 'detach' });
    // Then open the tools of an unrestricted window: by that time, ours would be open too.
    const other = new BrowserWindow({ show: false });
    const opened = new Promise<void>((resolve) => other.webContents.once('devtools-opened', () => resolve()));
    other.webContents.openDevTools({ mode: 'detach' });
    await opened;
    other.destroy();
    return ours?.devToolsWebContents === null;
  });
  expect(isNone).toBe(true);
});

test('the window is signed in as admin, and scripts cannot read the sessionid cookie', async () => {
  const user = await page.evaluate(`fetch('/api/station/').then((answer) => answer.json()).then(({ user }) => user)`);
  expect(user).toMatchObject({ name: 'admin', scope: 'admin' });
  expect(await page.evaluate('document.cookie')).toMatch(/^csrftoken=[^;]+$/);
  const cookies = await desktop.app.evaluate(async ({ session }) => {
    const found = await session.fromPartition('persist:station').cookies.get({});
    return found.map(({ name, httpOnly, sameSite, session }) => ({ name, httpOnly, sameSite, session }));
  });
  expect(cookies.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: 'csrftoken', httpOnly: false, sameSite: 'lax', session: true },
    { name: 'sessionid', httpOnly: true, sameSite: 'lax', session: true },
  ]);
});

test("blocks a request of the window's session to another host", async () => {
  // Start a separate program, because an earlier test has removed the guard in this one.
  const other = await startDesktop({ dataFolder: `${dataFolder}/other` });
  try {
    await windowOn(other, await other.url());
    // Keep the promise and poll it: one that only the debugger awaits can be garbage collected and never settle.
    const request = await other.app.evaluateHandle(({ session }, elsewhere) => {
      const kept: { promise?: Promise<void>; error?: string } = {};
      kept.promise = session
        .fromPartition('persist:station')
        .fetch(elsewhere)
        .then(
          () => void (kept.error = 'answered'),
          (error: Error) => void (kept.error = error.message),
        );
      return kept;
    }, elsewhere);
    let error: string | undefined;
    await until('the request to end', async () => {
      error = await request.evaluate(({ error }) => error);
      return error !== undefined;
    });
    expect(error).toContain('ERR_BLOCKED_BY_CLIENT');
    expect(visits).toEqual([]);
  } finally {
    await other.stop();
  }
});

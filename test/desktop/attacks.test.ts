import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { folderOnDisk } from '../shells/stationProcess.ts';
import { startDesktop, windowOn, type Desktop } from './desktop.ts';

// What a malicious script in the page could try.
let desktop: Desktop & { stop(): Promise<void> };
let dataFolder: string;
let url: string;
let page: Page;
let devtools: CDPSession;

let elsewhere: string;
let server: Server;
let visits: string[] = [];

beforeAll(async () => {
  server = createServer((req, res) => {
    visits.push(req.url ?? '');
    res.end('elsewhere');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  dataFolder = folderOnDisk('desktop');
  desktop = await startDesktop({ dataFolder, args: ['--port', '0', '--simulate', '1'] });
  url = await desktop.url();
  page = await windowOn(desktop, url);
  devtools = await page.context().newCDPSession(page);
});

afterAll(async () => {
  await desktop?.stop();
  server?.close();
  rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
});

beforeEach(() => {
  visits = [];
});

afterEach(async () => {
  expect(visits).toEqual([]);
  expect(new URL('/', page.url()).href).toBe(url);
  expect(await windows()).toBe(1);
});

const windows = () => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

/** Runs code in the page as if a person had clicked. */
async function clicked<T>(code: string): Promise<T> {
  const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', {
    expression: `(async () => { ${code} })()`,
    userGesture: true,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as T;
}

test('a file dropped on the window does not open in it', async () => {
  const file = join(dataFolder, 'dropped.html');
  writeFileSync(file, '<script>document.title = "dropped"</script>');
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const [x, y] of [
    [5, 5],
    [400, 300],
  ] as const) {
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', { type, x, y, data });
    const link = { items: [{ mimeType: 'text/uri-list', data: elsewhere }], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', { type, x, y, data: link });
  }
  expect(await page.title()).not.toBe('dropped');
});

test('frames, webviews, forms and downloads cannot lead away from the station', async () => {
  const left = await clicked<string[]>(`
    const elsewhere = ${JSON.stringify(elsewhere)};
    const made = [];
    const add = (name, attributes) => {
      const element = Object.assign(document.createElement(name), attributes);
      for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
      document.body.append(element);
      made.push(element);
      return element;
    };
    add('webview', { src: elsewhere });
    add('iframe', { src: elsewhere });
    add('iframe', { src: 'file:///etc/passwd' });
    add('object', { data: elsewhere });
    add('embed', { src: elsewhere });
    add('img', { src: elsewhere });
    for (const rel of ['prefetch', 'preload', 'dns-prefetch', 'preconnect', 'stylesheet', 'manifest'])
      add('link', { rel, href: elsewhere });
    add('meta', { 'http-equiv': 'refresh', content: '0; url=' + elsewhere });
    add('form', { action: elsewhere, method: 'post' }).submit();
    add('a', { href: elsewhere, download: 'x' }).click();
    add('a', { href: elsewhere, target: '_top', ping: elsewhere }).click();
    navigator.sendBeacon(elsewhere, 'x');
    const frame = add('iframe', { srcdoc: '<p>x</p>' });
    await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    const inside = frame.contentDocument === null ? 'closed' : 'open';
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (const element of made) element.remove();
    return [inside, String(document.querySelector('webview'))];
  `);
  expect(left[1]).toBe('null');
  const all = await desktop.app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((each) => each.getType()),
  );
  expect(all).toEqual(['window']);
});

test('access to devices, screens, the clipboard and fonts is refused even after a click', async () => {
  const refused = await clicked<Record<string, string>>(`
    const outcome = async (ask) => {
      const late = new Promise((resolve) => setTimeout(() => resolve('no answer'), 3000));
      const asked = (async () => { try { return 'granted ' + String(await ask()); } catch (error) { return error.name; } })();
      return Promise.race([asked, late]);
    };
    return {
      usb: await outcome(() => navigator.usb.requestDevice({ filters: [] })),
      usbDevices: await outcome(async () => (await navigator.usb.getDevices()).length),
      bluetooth: await outcome(() => navigator.bluetooth.requestDevice({ acceptAllDevices: true })),
      display: await outcome(() => navigator.mediaDevices.getDisplayMedia({ video: true })),
      clipboard: await outcome(() => navigator.clipboard.readText()),
      midi: await outcome(() => navigator.requestMIDIAccess({ sysex: true })),
      idle: await outcome(() => IdleDetector.requestPermission()),
      persist: await outcome(() => navigator.storage.persist()),
      lock: await outcome(() => navigator.keyboard.lock()),
      fonts: await outcome(async () => (await window.queryLocalFonts()).length),
      screens: await outcome(() => window.getScreenDetails()),
    };
  `);
  expect(refused).toEqual({
    usb: 'NotFoundError',
    usbDevices: 'granted 0',
    bluetooth: expect.not.stringContaining('granted') as string,
    display: 'NotAllowedError',
    clipboard: 'NotAllowedError',
    midi: 'NotAllowedError',
    idle: 'granted denied',
    persist: 'granted false',
    lock: 'InvalidStateError',
    fonts: 'granted 0',
    screens: 'NotAllowedError',
  });
});

test('messages with any content from the page do not stop the shell', async () => {
  await clicked(`
    const { pickstation } = window;
    for (const id of [undefined, null, 7, {}, [], '__proto__', 'x'.repeat(1_000_000), { toString: null }]) {
      try { pickstation.chooseScanner(id); } catch {}
      const answers = [await pickstation.print(id), await pickstation.print({ printer: id, width: 210, height: 297 })];
      if (answers.includes('printed')) throw new Error(JSON.stringify(answers));
    }
    for (let count = 0; count < 200; count += 1) pickstation.showWindow();
    try { pickstation.handleScannerChoice(null); } catch {}
  `);
  expect(await page.evaluate(`fetch('/healthz').then(({ status }) => status)`)).toBe(200);
  expect(await desktop.dialogs()).toEqual([]);
});

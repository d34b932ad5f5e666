import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const PAGE = '<!doctype html><title>the page</title>';
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation();
  const folder = join(station.dataFolder, 'no-page');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), PAGE);
});

afterAll(() => station.stop());

test('every page of the app can be opened and reloaded at its address', async () => {
  for (const path of ['/', '/devices/51D000:000001', '/settings', '/settings/', '/welcome', '/settings?from=mail']) {
    const { status, headers, text } = await rawRequest(station.url, { path, headers: BROWSER });
    expect(status, path).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(text).toBe(PAGE);
  }
});

test('only the worker that reads the camera is allowed to compile WebAssembly', async () => {
  const assets = join(station.dataFolder, 'no-page', 'assets');
  mkdirSync(assets, { recursive: true });
  const names = ['zxingWorker-CU6CSbvI.js', 'zxingWorker-CU6CSbvI.js.br', 'index-zxingWorker.js', 'index-Beotdfa1.js'];
  for (const name of names) writeFileSync(join(assets, name), '');
  const policies = await Promise.all(
    ['/', ...names.map((name) => `/assets/${name}`)].map(async (path) => {
      const { status, headers } = await rawRequest(station.url, { path });
      return [status, String(headers['content-security-policy']).includes('wasm-unsafe-eval')];
    }),
  );
  expect(policies).toEqual([
    [200, false],
    [200, true],
    [200, true],
    [200, false],
    [200, false],
  ]);
});

test('answers do not reveal the server software', async () => {
  for (const path of ['/', '/api/device/', '/healthz', '/no/such/file.js']) {
    const { headers } = await rawRequest(station.url, { path });
    expect([headers['x-powered-by'], headers['server']], path).toEqual([undefined, undefined]);
  }
});

test('headers that browsers reject over plain HTTP are sent only to local host names', async () => {
  const HEADERS = ['cross-origin-opener-policy', 'origin-agent-cluster', 'x-frame-options'] as const;
  const { port } = new URL(station.url);
  await station.patch('/api/settings/', { public_urls: ['http://shop-pc/'] });
  const namesOf = async (host: string) => {
    const { headers } = await rawRequest(station.url, { path: '/', headers: { ...BROWSER, host } });
    return HEADERS.filter((name) => headers[name] !== undefined);
  };
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) expect(await namesOf(host)).toEqual(HEADERS);
  expect(await namesOf('shop-pc')).toEqual(['x-frame-options']);
});

test('a browser at an unknown address gets the app with status 404', async () => {
  for (const path of ['/no/such/page', '/device', '/devices/a/b', '/setting', '/Settings']) {
    const { status, text } = await rawRequest(station.url, { path, headers: BROWSER });
    expect(status, path).toBe(404);
    expect(text).toBe(PAGE);
  }
});

test('a request for a missing file or from a program gets plain text instead of a page', async () => {
  const asked = [
    { path: '/assets/old-1234.js', headers: BROWSER },
    { path: '/favicon.ico', headers: BROWSER },
    { path: '/no/such/page', headers: { accept: '*/*' } },
  ];
  for (const request of asked) {
    const { status, headers, text } = await rawRequest(station.url, request);
    expect(status, request.path).toBe(404);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).not.toContain('the page');
  }
});

test('a program that requests JSON or sends a body gets a problem document instead of a page', async () => {
  const asked = [
    { path: '/orders', headers: { accept: 'application/json' } },
    { path: '/history', headers: { accept: 'application/json, text/plain, */*' } },
    { path: '/no/such/page', headers: { accept: 'application/problem+json' } },
    { method: 'POST', path: '/settings', headers: BROWSER },
  ];
  for (const request of asked) {
    const { status, headers, text } = await rawRequest(station.url, request);
    expect(status, request.path).toBe(404);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(text)).toMatchObject({
      code: 'not_found',
      detail: expect.stringContaining(request.path) as string,
    });
  }
});

test('below /api, a browser gets a problem document instead of a page', async () => {
  const { status, headers } = await rawRequest(station.url, { path: '/api/settings', headers: BROWSER });
  expect(status).toBe(404);
  expect(headers['content-type']).toMatch(/^application\/problem\+json/);
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawConnection, rawRequest } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const SECRET = 'a file beside the page';
const BROWSER = { accept: 'text/html' };

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1 });
  const page = join(station.dataFolder, 'no-page');
  mkdirSync(join(page, 'assets'), { recursive: true });
  mkdirSync(join(page, '.hidden'), { recursive: true });
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>the page</title>');
  writeFileSync(join(page, 'assets', 'app.js'), 'app');
  writeFileSync(join(page, '.env'), SECRET);
  writeFileSync(join(page, '.hidden', 'secret.txt'), SECRET);
  writeFileSync(join(station.dataFolder, 'secret.txt'), SECRET);
});

afterAll(() => station.stop());

test("a parent folder in any spelling does not lead out of the page's folder", async () => {
  const steps = [
    '..',
    '%2e%2e',
    '.%2e',
    '%2E.',
    '%252e%252e',
    '..%00',
    '..;',
    '....//',
    '%c0%ae%c0%ae',
    '%e0%80%ae%e0%80%ae',
    '\u002e\u002e',
    '..%5c..',
    '..\\..',
    '%uff0e%uff0e',
  ];
  const slashes = ['/', '//', '%2f', '%252f', '\\', '%5c', '%c0%af', '/./'];
  for (const step of steps) {
    for (const slash of slashes) {
      for (const start of ['/', '/assets/', '//']) {
        for (const name of ['secret.txt', 'pickstation.sqlite']) {
          const path = `${start}${step}${slash}${name}`;
          const { status, text } = await rawRequest(station.url, { path, headers: BROWSER });
          expect([400, 403, 404], path).toContain(status);
          expect(text, path).not.toContain(SECRET);
          expect(text, path).not.toContain('SQLite format');
        }
      }
    }
  }
});

test('does not serve dot files or invalid file names', async () => {
  for (const path of [
    '/.env',
    '/%2eenv',
    '/.hidden/secret.txt',
    '/./.env',
    '/assets/../.env',
    '/.env%00.js',
    '/.env/',
    '/assets/app.js%00',
    '/assets/app.js/',
    '/assets/',
    '/assets',
    `/${'a'.repeat(5_000)}`,
    '/CON',
    '/assets/app.js::$DATA',
    'http:///.env',
  ]) {
    const { status, text } = await rawRequest(station.url, { path });
    expect([400, 403, 404, 421], path).toContain(status);
    expect(text, path).not.toContain(SECRET);
  }
  expect(await rawRequest(station.url, { path: '/assets/app.js' })).toMatchObject({ status: 200, text: 'app' });
});

test('a path cannot redirect a browser to another site', async () => {
  for (const path of [
    '//evil.example',
    '//evil.example/',
    '//evil.example/%2e%2e',
    '//evil.example/docs',
    '/\\evil.example',
    '/%5cevil.example/',
    '/docs//evil.example',
    '/docs?next=//evil.example',
    '/docs%0d%0alocation:%20//evil.example',
    '/%09/evil.example',
    '//api/device',
    '/settings//evil.example/..',
  ]) {
    const { status, headers } = await rawRequest(station.url, { path, headers: BROWSER });
    expect([200, 308, 400, 403, 404], path).toContain(status);
    expect(headers.location ?? '/docs/', path).toBe('/docs/');
  }
});

test('routes below /api match only in their exact spelling', async () => {
  const id = '51D000:000001';
  for (const [path, status] of [
    [`/api/device/${id}/`, 200],
    [`/api/device/51D000%3A000001/`, 200],
    ['/api/./device/', 404],
    ['/x/../api/device/', 404],
    ['/api/device/../settings/', 404],
    ['//api/device/', 404],
    ['/api//device/', 404],
    ['/api/%64evice/', 404],
    ['/api%2fdevice/', 404],
    ['/API/device/', 404],
    ['/api/device/;admin=1/', 404],
    [`/api/device/${id}/;/`, 404],
    [`/api/device/${id}%00/`, 404],
    [`/api/device/${id}%20/`, 404],
    [`/api/device/${id}%2f..%2f/`, 404],
    ['/api/device\\', 404],
    ['/api/c%61llbacks/', 404],
    ['/api/users/%', 400],
    ['/api/users/%f/', 400],
    ['/api/users/%ed%a0%80/', 400],
    ['/api/users/%c1%81dmin/', 400],
    ['/api/users/%f8%88%80%80%80/', 400],
  ] as const) {
    const answer = await rawRequest(station.url, { path, headers: { 'api-key': API_KEY } });
    expect(answer.status, path).toBe(status);
  }
});

test('a request target that is not a path does not reach a route', async () => {
  const { host } = new URL(station.url);
  for (const [line, start] of [
    ['OPTIONS * HTTP/1.1', 'HTTP/1.1 404'],
    ['GET * HTTP/1.1', 'HTTP/1.1 404'],
    ['GET ?/api/device/ HTTP/1.1', 'HTTP/1.1 400'],
    ['GET api/device/ HTTP/1.1', 'HTTP/1.1 400'],
    ['GET /api/device/\tHTTP/1.1', 'HTTP/1.1 400'],
    ['GET /api/\u0001/ HTTP/1.1', 'HTTP/1.1 400'],
    ['CONNECT evil.example:443 HTTP/1.1', ''],
  ] as const) {
    const connection = await rawConnection(station.url);
    connection.write(`${line}\r\nhost: ${host}\r\napi-key: ${API_KEY}\r\nconnection: close\r\n\r\n`);
    const answer = await connection.closed();
    expect(answer.slice(0, 12), line).toBe(start);
  }
});

test('none of these requests logged a warning or error', () => {
  expect(station.logged).toEqual([]);
});

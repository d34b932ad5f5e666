import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderImport } from '#shared/api/imports.ts';
import type { Problem } from '#shared/api/problem.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { textWorkbook } from '../../helpers/files/workbook.ts';

// Contract, section 22: importing a sheet from an address.
let server: Server;
let origin: string;
let station: TestStation;
let paths: string[];
let answer: (response: ServerResponse, path: string) => void;

beforeEach(async () => {
  paths = [];
  server = createServer((request, response) => {
    paths.push(request.url ?? '');
    answer(response, request.url ?? '');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  station = await startTestStation();
});

afterEach(async () => {
  await station.stop();
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
});

const run = (url: string, options: object = {}) => station.post<OrderImport>('/api/imports/', { url, ...options });

async function refusal(body: object): Promise<Problem> {
  const { status, body: problem } = await station.request('POST', '/api/imports/', body);
  expect(status).toBe(400);
  return problem as Problem;
}

test('a sheet is downloaded once, and can be previewed, corrected and imported like a file', async () => {
  answer = (response) => response.end('order,sku,qty\nS1,K-1,many\n');
  const { id, rows } = await run(`${origin}/s/Ab3dEf6hIj9kLmN`, { dry_run: true });
  expect(rows).toMatchObject([{ outcome: 'refused' }]);
  await station.patch(`/api/imports/${id}/rows/2/`, { cells: { ordered_quantity: '2' } });
  const done = await station.post(`/api/imports/${id}/run/`);
  expect(done).toMatchObject({ state: 'imported', name: new URL(origin).host, rows: [{ outcome: 'new' }] });
  expect(paths).toEqual(['/s/Ab3dEf6hIj9kLmN/download']);
});

test('the address can point to a workbook', async () => {
  const book = textWorkbook({
    Orders: [
      ['order', 'sku', 'qty'],
      ['S1', 'K-1', '2'],
    ],
  });
  answer = (response) => response.end(book);
  expect(await run(`${origin}/orders`)).toMatchObject({ sheet: 'Orders', counts: { orders: 1 } });
});

test('a web page is refused, with instructions to publish the sheet', async () => {
  answer = (response) => response.end('<!DOCTYPE html><html><body>Sign in</body></html>');
  expect((await refusal({ url: `${origin}/x` })).detail).toMatch(/web page, not a table.*Publish to web/);
});

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['404', (response) => response.writeHead(404).end(), /no such sheet/],
  ['503', (response) => response.writeHead(503).end(), /answered 503/],
  ['more than 16 MiB', (response) => response.end('x'.repeat(16 * 1024 * 1024 + 1)), /larger than 16 MiB/],
  ['endless redirects', (response) => response.writeHead(302, { location: '/again' }).end(), /redirects too often/],
  [
    'a redirect without https',
    (response) => response.writeHead(302, { location: 'http://shop.example/' }).end(),
    /without https/,
  ],
])('an answer is refused: %s', async (_what, given, says) => {
  answer = given;
  const { errors } = await refusal({ url: `${origin}/x` });
  expect(errors).toEqual([{ path: '/url', message: expect.stringMatching(says) as string }]);
});

test.each([
  ['plain HTTP', 'http://shop.example/orders.csv'],
  ['a user name and password', 'https://a:b@shop.example/'],
  ['a file', 'file:///etc/passwd'],
  ['empty', ''],
])('an address is refused before a request is sent: %s', async (_what, url) => {
  expect((await refusal({ url })).errors?.[0]?.path).toBe('/url');
  expect(paths).toEqual([]);
});

test('a request with both a file and an address is refused', async () => {
  expect((await refusal({ url: `${origin}/x`, csv: 'order,sku,qty\n' })).detail).toMatch(/only one/);
  expect(paths).toEqual([]);
});

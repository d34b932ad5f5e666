import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { FoldersStatus } from '#shared/api/folders.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import { startTestStation, type TestStation, type TestStationOptions } from '../../helpers/startTestStation.ts';

const MINUTE_MS = 60_000;
const HEAD = 'order,sku,qty\n';

let server: Server;
let url: string;
let station: TestStation;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let requests: IncomingMessage[];

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders.csv`;
});
async function start(options: TestStationOptions = {}): Promise<void> {
  station = await startTestStation(options);
}

afterEach(async () => {
  await station.stop();
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
});

const sheet = async () => (await station.get<FoldersStatus>('/api/folders/')).sheet;
const numbers = async (): Promise<string[]> =>
  (await station.get<OrderProgress[]>('/api/order-progress/')).map(({ order_number }) => order_number);
const failing = async (): Promise<Alert[]> =>
  (await station.get<Alert[]>('/api/alerts/')).filter(({ kind }) => kind === 'sheet_failing');

/** Advances the clock until the station has sent `count` requests and read the answers. */
async function asked(count: number): Promise<void> {
  for (let look = 0; requests.length < count && look < 70; look += 1) await station.clock.advance(1_000);
  expect(requests.length).toBe(count);
  await station.clock.advance(1_000);
}

async function follow(options: TestStationOptions = {}): Promise<void> {
  await start(options);
  await station.patch('/api/settings/', { orders_sheet_url: url });
  await asked(1);
}

test('reads the sheet with the columns remembered from an import', async () => {
  answer = (_request, response) => response.end('order_number,SKU,Amount\n1,M8,2\n');
  await follow();
  expect((await sheet()).problem).toMatch(/"Amount" can be/);
  const csv = 'order_number,SKU,Amount\n9,M8,2\n';
  await station.post('/api/imports/', { csv, columns: { Amount: 'ordered_quantity' } });
  await asked(2);
  expect([(await sheet()).problem, await numbers()]).toEqual([null, ['1', '9']]);
});

test('each row of a new order is imported once, and an unchanged sheet is requested with its ETag', async () => {
  let rows = 'SO-1,a,2\n';
  let etag = '"1"';
  answer = (request, response) => {
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    response.writeHead(200, { etag, 'content-type': 'text/csv' }).end(HEAD + rows);
  };
  await follow();
  expect(await numbers()).toEqual(['SO-1']);
  expect(requests[0]?.headers['if-none-match']).toBeUndefined();
  await asked(2);
  expect(requests[1]?.headers['if-none-match']).toBe('"1"');
  rows += 'SO-2,b,1\nSO-3,b,many\n';
  etag = '"2"';
  await asked(3);
  expect(await numbers()).toEqual(['SO-1', 'SO-2']);
  expect(await sheet()).toMatchObject({
    state: 'watching',
    problem: null,
    orders: 2,
    refused: 'Line 4: "many" is not a quantity. Give a whole number from 0 up.',
  });
  expect(await failing()).toEqual([]);
});

test('reads a long sheet completely', async () => {
  const rows = Array.from({ length: 3_000 }, (_, row) => `SO-${String(row).padStart(4, '0')},article ${row},1\n`);
  answer = (_request, response) => void response.end(HEAD + rows.join(''));
  await follow();
  await station.clock.advance(30_000);
  expect(await sheet()).toMatchObject({ state: 'watching', orders: 3_000 });
  expect((await numbers()).at(-1)).toBe('SO-0999');
});

test('ignores unchanged content, even after a restart, so that a deleted order stays deleted', async () => {
  answer = (_request, response) => void response.end(`${HEAD}SO-1,a,2\n`);
  await follow();
  await station.request('DELETE', '/api/orders/SO-1/');
  await asked(2);
  await station.restart();
  await asked(3);
  expect(await numbers()).toEqual([]);
  expect(await sheet()).toMatchObject({ state: 'watching', orders: 0 });
});

test('follows redirects only to allowed addresses', async () => {
  answer = (request, response) => {
    if (request.url === '/orders.csv') return void response.writeHead(307, { location: '/moved.csv' }).end();
    response.end(`${HEAD}SO-1,a,2\n`);
  };
  await start();
  await station.patch('/api/settings/', { orders_sheet_url: url });
  await asked(2);
  expect(await numbers()).toEqual(['SO-1']);
  answer = (_request, response) => void response.writeHead(302, { location: 'http://sheets.example/orders.csv' }).end();
  await asked(3);
  expect(await sheet()).toMatchObject({
    state: 'failing',
    problem: 'The host redirects to an address without https://, or to this machine. Check the address.',
  });
  answer = (_request, response) => void response.writeHead(302, { location: '/again.csv' }).end();
  await asked(7);
  expect(await sheet()).toMatchObject({ problem: 'The host redirects too often. Check the address.' });
});

test.each([
  [404, {}, 'x', 'The host answered 404: there is no such sheet. Check the address.'],
  [403, {}, 'x', 'The host answered 403: the sheet is not public. Publish it as CSV.'],
  [200, {}, '<!DOCTYPE html><html>', 'The address answers with a web page, not CSV.'],
  [200, {}, 'shelf,pieces\n1,2\n', 'No column names were found'],
  [200, { 'content-length': '100' }, 'order,sku', 'or its answer was cut off'],
])(
  'an answer with status %s, headers %s and body %s is reported, and raises an alert after ten minutes',
  async (status, headers, body, problem) => {
    answer = (_request, response) => {
      response.writeHead(status, headers).write(body);
      if ('content-length' in headers) setImmediate(() => response.destroy());
      else response.end();
    };
    await follow();
    expect(await sheet()).toMatchObject({ state: 'failing', problem: expect.stringContaining(problem) });
    expect(await failing()).toEqual([]);
    for (let minute = 2; minute <= 12; minute += 1) await asked(minute);
    expect(await failing()).toMatchObject([{ about: new URL(url).host, problem: expect.stringContaining(problem) }]);
    answer = (_request, response) => void response.end(`${HEAD}SO-1,a,2\n`);
    await asked(13);
    expect(await failing()).toEqual([]);
    expect(await numbers()).toEqual(['SO-1']);
  },
);

test('times out after 30 s if the host does not answer', async () => {
  answer = () => undefined;
  await follow({ receiverHangs: true });
  await station.clock.advance(31_000);
  expect(await sheet()).toMatchObject({ problem: 'The host did not answer completely within 30 s.' });
});

test('refuses a sheet above the size limit', async () => {
  answer = (_request, response) => {
    response.on('error', () => undefined);
    response.writeHead(200);
    const part = Buffer.alloc(1024 * 1024, 'x');
    for (let part16 = 0; part16 < 18; part16 += 1) response.write(part);
    response.end();
  };
  await follow();
  expect(await sheet()).toMatchObject({ problem: 'The sheet is larger than 16 MiB, or its answer was cut off.' });
});

test('stops sending requests once the sheet is removed from the settings', async () => {
  answer = (_request, response) => void response.end(HEAD);
  await follow();
  await station.patch('/api/settings/', { orders_sheet_url: '' });
  await station.clock.advance(3 * MINUTE_MS);
  expect(requests).toHaveLength(1);
  expect(await sheet()).toEqual({ state: 'off', problem: null, last_read: null, orders: 0, refused: null });
});

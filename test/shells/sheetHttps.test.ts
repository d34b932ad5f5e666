import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderProgress } from '#shared/api/order.ts';
import { selfSigned } from '../helpers/servers/selfSigned.ts';
import { STATION_PROGRAM } from '../helpers/spawnStation.ts';
import { API_KEY, folderOnDisk, watch, type StationProcess } from './stationProcess.ts';
import { until } from './until.ts';

const SHEET = 'order,sku,qty\nS-1,M8,2\n';

let folder: string;
let station: StationProcess;
let url: string;
const servers: Server[] = [];

/** Serves the sheet at `/sheet.csv` over TLS with this certificate. `/moved` redirects to the sheet, `/plain` to an address without TLS. */
async function serve(certificate: { key: string; cert: string }): Promise<string> {
  const server = createServer(certificate, ({ url: path }, response) => {
    if (path === '/sheet.csv') return response.end(SHEET);
    const location = path === '/plain' ? 'http://sheets.invalid/sheet.csv' : '/sheet.csv';
    return response.writeHead(302, { location }).end();
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let trusted: string;
let untrusted: string;

beforeAll(async () => {
  folder = folderOnDisk('sheet-https');
  mkdirSync(folder, { recursive: true });
  const known = selfSigned('Known host');
  const authorities = join(folder, 'known.pem');
  writeFileSync(authorities, known.cert);
  [trusted, untrusted] = await Promise.all([serve(known), serve(selfSigned('Unknown host'))]);
  const args = ['--port', '0', '--data', join(folder, 'data'), '--simulate', '1'];
  station = watch(['env', `NODE_EXTRA_CA_CERTS=${authorities}`, process.execPath, STATION_PROGRAM, ...args]);
  url = await station.ready;
});

afterAll(async () => {
  await station.kill();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const answer = await fetch(new URL(path, url), { method, headers, body: JSON.stringify(body) ?? null });
  return { status: answer.status, json: await answer.json() };
}

const preview = (address: string) => ask('POST', '/api/imports/', { kind: 'orders', url: address, dry_run: true });

test('reads a sheet over TLS, even after a redirect', async () => {
  for (const path of ['/sheet.csv', '/moved'])
    expect(await preview(trusted + path)).toMatchObject({
      status: 200,
      json: { rows: [{ order_number: 'S-1', quantity: 2 }] },
    });
});

test.each([
  [
    'an untrusted certificate',
    () => `${untrusted}/sheet.csv`,
    'The certificate of the host is not trusted. Check the address.',
  ],
  [
    'a certificate for a different name',
    () => `${trusted.replace('127.0.0.1', 'localhost')}/sheet.csv`,
    'The certificate of the host is not trusted. Check the address.',
  ],
  [
    'a redirect to an address without TLS',
    () => `${trusted}/plain`,
    'The host redirects to an address without https://, or to this machine. Check the address.',
  ],
])('refuses %s', async (_, address, detail) => {
  expect(await preview(address())).toMatchObject({ status: 400, json: { detail } });
});

test('a port that answers without TLS is refused', async () => {
  const address = `https://127.0.0.1:${new URL(url).port}/api/orders/`;
  const detail = 'The encrypted connection failed. Check the address.';
  expect(await preview(address)).toMatchObject({ status: 400, json: { detail } });
});

test('orders are created from the sheet at the address in the settings', async () => {
  expect(await ask('PATCH', '/api/settings/', { orders_sheet_url: `${trusted}/moved` })).toMatchObject({ status: 200 });
  await until('the order of the sheet', async () => {
    const { json } = await ask('GET', '/api/order-progress/');
    return (json as OrderProgress[]).some(({ order_number }) => order_number === 'S-1');
  });
});

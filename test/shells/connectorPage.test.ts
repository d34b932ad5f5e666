import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { listSnippets } from '../helpers/snippets.ts';
import { startTestStation, API_KEY, type TestStation } from '../helpers/startTestStation.ts';

const PAGE = 'docs/examples/connector.md';
const ONE = '51D000:000001';
const TWO = '51D000:000002';

let station: TestStation & AsyncDisposable;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1-1' });
  await station.post('/api/location-aliases/', { name: 'CT-300', deviceid: TWO, deviceIs: 'Below' });
});

afterEach(() => station.stop());

type Asked = { method: string; path: string; body: unknown };
type Answer = { status?: number; text?: string; value?: unknown };

/** Starts a server that gives only these answers and records the requests. */
async function serve(answer: (asked: Asked) => Answer): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const call = { method: request.method ?? '', path: request.url ?? '', body };
      asked.push(call);
      const { status = 200, text: sent, value } = answer(call);
      response.writeHead(status, { 'content-type': 'application/json' }).end(sent ?? JSON.stringify(value));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}

/** Runs one round of the program that the page's code blocks form. Returns what the program printed to stderr. */
async function runRound(erp: 'odoo' | 'woo', env: Record<string, string>): Promise<string> {
  const code = listSnippets(PAGE).map((snippet) => snippet.code);
  const folder = mkdtempSync(join(tmpdir(), 'connector-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'connector.mjs');
  writeFileSync(file, [...code, `await round(${erp});`].join('\n'));
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env['PATH'], STATION_URL: station.started.url, API_KEY, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await once(child, 'close');
  return printed;
}

const order = (number: string) => station.get<Order>(`/api/orders/${encodeURIComponent(number)}/`);

async function close(number: string, pieces: readonly number[]): Promise<void> {
  const { items = [] } = await order(number);
  for (const [index, { id, ordered_quantity: ordered }] of items.entries()) {
    const quantity = pieces[index] ?? ordered;
    const path = `/api/orders/${encodeURIComponent(number)}/items/${id}/`;
    if (quantity === ordered) await station.patch(path, { quantity_fulfilled: quantity });
    else await station.post(`${path}short/`, { reason: 'missing', quantity_fulfilled: quantity });
  }
}

test('Odoo: lights a picking, books the picked quantities once, and removes an order that Odoo no longer wants', async () => {
  let state = 'assigned';
  let validated: unknown = true;
  const lines = [
    {
      id: 31,
      picking_id: [7, 'WH/OUT/00007'],
      product_id: [5, '[CT-200] Cable tie'],
      location_id: [8, 'WH/Stock/A-1-1'],
    },
    { id: 32, picking_id: [7, 'WH/OUT/00007'], product_id: [6, 'Cable tie 300'], location_id: [9, 'WH/Stock/CT-300'] },
    { id: 33, picking_id: false, product_id: [6, 'Cable tie 300'], location_id: [9, 'WH/Stock/CT-300'] },
  ];
  const odoo = await serve(({ body }) => {
    const { params } = body as { params: { args: unknown[] } };
    const [model, method] = params.args.slice(3) as [string, string];
    if (method === 'button_validate') return { value: { jsonrpc: '2.0', id: 1, result: validated } };
    if (method === 'write') return { value: { jsonrpc: '2.0', id: 1, result: true } };
    const found =
      model === 'stock.picking' ? [{ id: 7, name: 'WH/OUT/00007' }] : lines.map((line) => ({ ...line, quantity: 4 }));
    return { value: { jsonrpc: '2.0', id: 1, result: state === 'assigned' ? found : [] } };
  });
  const env = { ODOO_URL: odoo.url, ODOO_DB: 'shop', ODOO_UID: '2', ODOO_KEY: 'key' };
  const booked = () =>
    odoo.asked
      .map(({ body }) => (body as { params: { args: unknown[] } }).params.args.slice(4))
      .filter(([method]) => method === 'write' || method === 'button_validate');

  expect(await runRound('odoo', env)).toBe('');
  expect(await order('WH/OUT/00007')).toMatchObject({
    ordernonce: 'odoo 7',
    items: [
      { callback_nonce: '31', deviceid: ONE, ordered_quantity: 4, state: 'active' },
      { callback_nonce: '32', deviceid: TWO, ordered_quantity: 4, state: 'active' },
    ],
  });
  expect(await runRound('odoo', env)).toBe('');
  expect(booked()).toEqual([]);

  await close('WH/OUT/00007', [4, 1]);
  // Odoo answers with a question and does not do anything.
  validated = { type: 'ir.actions.act_window', res_model: 'stock.backorder.confirmation' };
  expect(await runRound('odoo', env)).toBe(
    'WH/OUT/00007: Odoo asks a question about WH/OUT/00007 (stock.backorder.confirmation): answer it there.\n',
  );
  validated = true;
  odoo.asked.length = 0;
  expect(await runRound('odoo', env)).toBe('');
  expect(booked()).toEqual([
    ['write', [[31], { quantity: 4, picked: true }], {}],
    ['write', [[32], { quantity: 1, picked: true }], {}],
    ['button_validate', [[7]], { context: { skip_backorder: true } }],
  ]);

  await station.post('/api/orders/', {
    order_number: 'WH/OUT/00008',
    ordernonce: 'odoo 8',
    items: [{ name: 'x', ordered_quantity: 1, deviceid: ONE }],
  });
  await station.post('/api/orders/WH%2FOUT%2F00008/launch/', {});
  state = 'cancel';
  expect(await runRound('odoo', env)).toBe('');
  expect((await station.request('GET', '/api/orders/WH%2FOUT%2F00008/')).status).toBe(404);
  expect((await order('WH/OUT/00007')).state).toBe('fulfilled');
});

test('Odoo: an error with status 200 or an HTML page ends the round with a message and changes nothing', async () => {
  const fault = { code: 200, message: 'Odoo Server Error', data: { message: 'Access Denied' } };
  let answer: Answer = { value: { jsonrpc: '2.0', id: 1, error: fault } };
  const odoo = await serve(() => answer);
  const env = { ODOO_URL: odoo.url, ODOO_DB: 'shop', ODOO_UID: '2', ODOO_KEY: 'key' };
  expect(await runRound('odoo', env)).toContain('Error: Access Denied');
  answer = { text: '<html><title>Login</title></html>' };
  expect(await runRound('odoo', env)).toContain('answered 200: <html>');
  expect(await station.get('/api/orders/')).toEqual([]);
});

test('WooCommerce: reads every page, uses the SKU as the location, and puts a short order on hold with a single note', async () => {
  const line = (id: number, sku: string, quantity: number) => ({
    id,
    name: `Article ${sku}`,
    sku,
    quantity,
    price: '1.00',
  });
  // A hundred orders from a different source, then one from WooCommerce.
  const others = Array.from({ length: 100 }, (_, index) => ({ id: index + 1_000, number: '500', line_items: [] }));
  const notes: { note: string }[] = [];
  let isHeld = false;
  const woo = await serve(({ method, path, body }) => {
    if (path.includes('/notes')) {
      if (method === 'POST') notes.push(body as { note: string });
      return { value: notes };
    }
    if (method === 'PUT') {
      if (!isHeld) return { status: 502, text: '<html>Bad gateway</html>' };
      return { value: { id: 727, status: 'on-hold' } };
    }
    const second = [{ id: 727, number: '727', line_items: [line(315, 'CT-300', 2), line(316, 'A-1-1', 3)] }];
    return { value: path.endsWith('&page=1') ? others : second };
  });
  await station.post('/api/orders/', {
    order_number: '500',
    items: [{ name: 'x', ordered_quantity: 1, deviceid: ONE }],
  });
  const env = { WOO_URL: woo.url, WOO_KEY: 'ck_1', WOO_SECRET: 'cs_1' };
  expect(await runRound('woo', env)).toMatch(
    /^(500: The station has an order of this number from another source\.\n){100}$/,
  );
  expect(await order('727')).toMatchObject({ ordernonce: 'woo 727', items: [{ deviceid: TWO }, { deviceid: ONE }] });
  await close('727', [2, 1]);
  expect(await runRound('woo', env)).toContain('727: ');
  isHeld = true;
  await runRound('woo', env);
  expect(notes).toEqual([{ note: 'Picked short. Article A-1-1: 1 of 3' }]);
  expect(woo.asked.at(-1)).toEqual({ method: 'PUT', path: '/wp-json/wc/v3/orders/727', body: { status: 'on-hold' } });
});

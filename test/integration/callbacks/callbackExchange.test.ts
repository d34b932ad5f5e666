import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery, DeliveryCounts, DeliveryExchange } from '#shared/api/callback.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const SECRETS = {
  callback_api_key: 'key-4711',
  callback_username: 'wms',
  callback_password: 'pass-4711',
  callback_signing_secret: `whsec_${Buffer.from('sign-4711').toString('base64')}`,
  callback_headers: { 'X-Shop': 'one', 'X-Token': 'token-4711' },
};

let station: TestStation;
let receiver: Receiver;
const stops: (() => void)[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
  for (const stop of stops.splice(0)) stop();
});

async function press(nonce = 'tx1'): Promise<string> {
  const { command_id } = await station.post<{ command_id: string }>(`/api/device/${DEVICE}/`, { line1: 'x', nonce });
  await station.clock.advance(1_000);
  await station.press(DEVICE);
  await station.clock.advance(0);
  return command_id;
}

const list = (query = '') => station.get<Delivery[]>(`/api/callbacks/${query}`);

async function newest(): Promise<DeliveryExchange> {
  const [delivery] = await list('?limit=1');
  return station.get<DeliveryExchange>(`/api/callbacks/${delivery?.id}/`);
}

/** Starts a receiver that answers with this function. */
async function answering(answer: (res: ServerResponse) => void | Promise<void>): Promise<void> {
  const server = createServer((req, res) => {
    req.resume();
    req.on('end', () => void answer(res));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const callback_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await station.patch('/api/settings/', { callback_url });
}

test('a delivery shows its request, with every secret masked, and its command', async () => {
  await station.patch('/api/settings/', { ...SECRETS, callback_url: `${receiver.url}hook?token=url-4711&shop=1` });
  const commandId = await press();
  const exchange = await newest();
  expect(exchange).toMatchObject({
    state: 'delivered',
    command_id: commandId,
    last_attempt: expect.stringMatching(/^2026-11-20T/) as string,
    request: {
      method: 'POST',
      url: `${receiver.url}hook?token=***&shop=1`,
      body: receiver.requests[0]?.body,
    },
  });
  const headers = Object.fromEntries(exchange.request?.headers.map(({ name, value }) => [name, value]) ?? []);
  expect(headers).toMatchObject({
    'x-api-key': '***',
    authorization: '***',
    'x-token': '***',
    'x-shop': '***',
    'webhook-id': exchange.id,
    'webhook-signature': receiver.requests[0]?.headers['webhook-signature'],
  });
  // The URL is excluded because it is the setting itself, which admins can read.
  expect(JSON.stringify({ ...exchange, url: '' })).not.toMatch(/4711/);
  const kept = station.rows<{ request: string }>('SELECT request FROM outbox_attempts');
  expect(kept[0]?.request).not.toMatch(/key-4711|pass-4711|token-4711/);
});

test("an answer that repeats the request's headers neither reveals nor stores a secret", async () => {
  await answering((res) => {
    const { headers } = res.req;
    const [shop, key] = [String(headers['x-shop']), String(headers['x-api-key'])];
    const body = `${JSON.stringify(headers)} ${encodeURIComponent(shop)}${' '.repeat(1_000)}`;
    res.writeHead(500, { 'content-type': 'text/plain', 'x-got': `${shop}, ${key}` }).end(body);
  });
  await station.patch('/api/settings/', {
    ...SECRETS,
    callback_headers: { 'X-Shop': 'one "4711"', 'X-Color': 'Bearer blue-4711' },
  });
  await press();
  const exchange = await newest();
  expect(exchange.answer?.body).toContain('"x-color":"***"');
  expect(exchange.answer?.headers).toContainEqual({ name: 'x-got', value: '***, ***' });
  expect(JSON.stringify(exchange.answer)).not.toContain('4711');
  const [kept] = station.rows<{ answer: string }>('SELECT answer FROM outbox_attempts');
  expect(kept?.answer).toContain('x-shop');
  expect(kept?.answer).not.toContain('4711');
});

test('a delivery to a URL template shows the filled URL and no body', async () => {
  await station.patch('/api/settings/', { callback_url: `${receiver.url}{acknack}?n={nonce}` });
  await press('a b');
  expect((await newest()).request).toMatchObject({ method: 'GET', url: `${receiver.url}ack?n=a%20b`, body: '' });
});

test("a failed delivery shows the receiver's answer, and the next attempt replaces it", async () => {
  let count = 0;
  await answering((res) => {
    count += 1;
    const body = JSON.stringify({ error: 'no such order', token: 'answer-4711', count });
    res.writeHead(422, { 'content-type': 'application/json', 'set-cookie': 'a=4711', 'x-request-id': 'r1' }).end(body);
  });
  await press();
  const first = await newest();
  expect(first).toMatchObject({ state: 'pending', last_status: 422, last_error: 'The receiver answered 422.' });
  expect(first.answer?.whole).toBe(true);
  expect(JSON.parse(first.answer?.body ?? '')).toEqual({ error: 'no such order', token: '***', count: 1 });
  expect(first.answer?.headers).toContainEqual({ name: 'x-request-id', value: 'r1' });
  expect(first.answer?.headers).toContainEqual({ name: 'set-cookie', value: '***' });
  expect(first.milliseconds).toBeGreaterThanOrEqual(0);
  await station.clock.advance(6_000);
  expect(JSON.parse((await newest()).answer?.body ?? '')).toMatchObject({ count: 2 });
  expect(station.rows('SELECT outbox_id FROM outbox_attempts')).toEqual([{ outbox_id: 1 }]);
});

const bodies: [what: string, headers: Record<string, string>, body: Buffer, text: string | null, whole: boolean][] = [
  [
    'a long page',
    { 'content-type': 'text/html' },
    Buffer.from(`<h1>${'ü'.repeat(900)}`),
    `<h1>${'ü'.repeat(510)}`,
    false,
  ],
  ['empty', {}, Buffer.alloc(0), '', true],
  ['a picture', { 'content-type': 'image/png' }, Buffer.from([0x89, 0x50]), null, true],
  ['bytes that are not text', { 'content-type': 'text/plain' }, Buffer.from([0x68, 0xff, 0xfe]), null, true],
  ['compressed text', { 'content-type': 'text/plain', 'content-encoding': 'gzip' }, gzipSync('hello'), null, true],
];

for (const [what, headers, body, text, whole] of bodies) {
  test(`keeps only the readable text of an answer that is ${what}`, async () => {
    await answering((res) => void res.writeHead(500, headers).end(body));
    await press();
    expect((await newest()).answer).toMatchObject({ body: text, whole });
  });
}

test('a delivery to an unreachable receiver has no answer, and a delivery without a finished attempt has no request', async () => {
  await receiver.stop();
  await press();
  const gone = await newest();
  expect(gone).toMatchObject({ answer: null, last_error: expect.stringContaining('ECONNREFUSED') as string });
  expect(gone.request?.method).toBe('POST');
  // Read the delivery while its first attempt is still in flight.
  const untried: string[] = [];
  const read = async (path: string): Promise<string> =>
    (await fetch(new URL(path, station.url), { headers: { 'api-key': API_KEY } })).text();
  await answering(async (res) => {
    const [delivery] = JSON.parse(await read('/api/callbacks/?limit=1')) as Delivery[];
    untried.push(await read(`/api/callbacks/${delivery?.id}/`));
    res.end();
  });
  await press();
  expect(untried[0]).toContain('"attempts":0');
  expect(untried[0]).toContain('"request":null,"answer":null,"milliseconds":null');
  await station.patch('/api/settings/', { callback_url: '' });
  expect((await station.request('GET', '/api/callbacks/msg_nothing_99/')).status).toBe(404);
});

test('deliveries can be listed and counted by state and family', async () => {
  await station.patch('/api/settings/', { callback_families: { condition: true } });
  await press('a');
  await station.patch(`/api/simulator/devices/${DEVICE}/`, { battery_mv: 2_250 });
  await station.clock.advance(2_000);
  receiver.reply(500);
  await press('b');
  const said = async (query: string) =>
    (await list(query)).map(({ family, payload }) => `${family} ${String(payload['nonce'] ?? payload['kind'])}`);
  expect(await said('')).toEqual(['device b', 'condition battery_low', 'device a']);
  expect(await said('?family=device')).toEqual(['device b', 'device a']);
  expect(await said('?family=condition')).toEqual(['condition battery_low']);
  expect(await said('?family=order')).toEqual([]);
  expect(await said('?state=pending')).toEqual(['device b']);
  expect(await said('?state=delivered&family=device')).toEqual(['device a']);
  expect(await said('?state=delivered&family=condition')).toEqual(['condition battery_low']);
  const [b] = await list('?state=pending');
  expect(await station.get<DeliveryCounts>('/api/callbacks/counts/')).toEqual({
    pending: 1,
    dead: 0,
    oldest_pending: b?.created,
    held: null,
  });
  // Without the turbo, three days pass faster; condition callbacks are off because the missing turbo raises alerts.
  await station.patch('/api/settings/', { callback_families: { condition: false } });
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.clock.advance(80 * 3_600_000);
  expect(await station.get('/api/callbacks/counts/')).toEqual({
    pending: 0,
    dead: 1,
    oldest_pending: null,
    held: null,
  });
  expect(await said('?state=dead')).toEqual(['device b']);
  expect(await said('?state=dead&family=condition')).toEqual([]);
}, 300_000);

test('the event stream reports changed deliveries at most twice per second', async () => {
  const stream = await openStream(station.url);
  await press();
  await station.clock.advance(1_000);
  const told = () => (stream.text().match(/"deliveries":true/g) ?? []).length;
  await stream.until(() => told() > 0);
  const first = told();
  for (let count = 0; count < 20; count += 1) await station.press(DEVICE, 'front', 'long');
  await station.clock.advance(400);
  expect(told()).toBeLessThanOrEqual(first + 1);
  await station.clock.advance(600);
  await stream.until(() => told() > first);
  stream.close();
});

for (const path of ['counts/', 'received/', 'msg_a_1/']) {
  test(`only admins can read ${path}`, async () => {
    const { api_key } = await station.post<{ api_key: string }>('/api/api-users/', { name: 'wms', scope: 'control' });
    expect((await station.request('GET', `/api/callbacks/${path}`, undefined, { 'api-key': api_key })).status).toBe(
      403,
    );
  });
}

import { createHmac } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { Delivery, DeliveryCounts, ReceivedCallback } from '#shared/api/callback.ts';
import type { CallbackReceiverEntry } from '#shared/api/callbackReceiver.ts';
import { TEST_RECEIVER } from '#shared/lib/connections/testReceiver.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { findTexts } from '../../helpers/secretBytes.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const PATH = '/api/callback-receivers/';

let station: TestStation;
let erp: Receiver;
let printer: Receiver;
const opened: Receiver[] = [];

async function open(): Promise<Receiver> {
  const receiver = await startReceiver();
  opened.push(receiver);
  return receiver;
}

beforeEach(async () => {
  erp = await open();
  printer = await open();
  await start({});
});

async function start(options: { receiverHangs?: boolean }): Promise<void> {
  station = await startTestStation({ simulate: 2, refreshMs: 0, ...options });
  await station.patch('/api/settings/', { callback_url: erp.url, backup_every: 0 });
  await station.clock.advance(5 * SECOND);
}

afterEach(async () => {
  await station.stop();
  for (const receiver of opened.splice(0)) await receiver.stop();
});

const add = (receiver: object) => station.post<CallbackReceiverEntry>(PATH, receiver);
const addPrinter = (more: object = {}) => add({ name: 'Printer', url: printer.url, ...more });
const get = (id: string) => station.get<CallbackReceiverEntry>(`${PATH}${id}/`);
const change = (id: string, body: object) => station.patch(`${PATH}${id}/`, body);
const deliveries = (query = '') => station.get<Delivery[]>(`/api/callbacks/?limit=1000${query}`);
const idsOf = (receiver: Receiver) => receiver.requests.map(({ headers }) => String(headers['webhook-id']));

async function press(count = 1): Promise<void> {
  for (let pressed = 0; pressed < count; pressed += 1) await station.press(DEVICE, 'front', 'long');
  await station.clock.advance(0);
}

/** Polls until the deliveries meet this condition, because the receivers answer in real time. */
async function untilDeliveries(query: string, holds: (all: Delivery[]) => boolean): Promise<Delivery[]> {
  for (;;) {
    const all = await deliveries(query);
    if (holds(all)) return all;
  }
}

const allDelivered = (count: number) => (all: Delivery[]) =>
  all.length === count && all.every(({ state }) => state === 'delivered');

test('each receiver gets a callback with the same webhook id, but with its own key and signature', async () => {
  await station.patch('/api/settings/', {
    callback_api_key: 'of the ERP',
    callback_headers: { 'X-Shop': 'of the ERP' },
    callback_username: 'erp',
    callback_password: 'of the ERP',
  });
  const secret = Buffer.from('a secret of thirty-two bytes....');
  const { id } = await addPrinter({ api_key: 'of the printer', signing_secret: `whsec_${secret.toString('base64')}` });
  await press();
  await untilDeliveries('', allDelivered(2));
  const [ofErp] = erp.requests;
  const [ofPrinter] = printer.requests;
  const webhookId = String(ofErp?.headers['webhook-id']);
  expect(ofErp?.headers).toMatchObject({ 'x-api-key': 'of the ERP', 'x-shop': 'of the ERP' });
  expect(ofErp?.headers['webhook-signature']).toBeUndefined();
  expect(ofPrinter?.headers).toMatchObject({
    'webhook-id': webhookId,
    'x-api-key': 'of the printer',
    'pickstation-revision': ofErp?.headers['pickstation-revision'],
  });
  expect(JSON.stringify(ofPrinter?.headers)).not.toContain('of the ERP');
  expect(ofPrinter?.headers.authorization).toBeUndefined();
  const signed = `${webhookId}.${String(ofPrinter?.headers['webhook-timestamp'])}.${ofPrinter?.body}`;
  const signature = createHmac('sha256', secret).update(signed).digest('base64');
  expect(ofPrinter?.headers['webhook-signature']).toBe(`v1,${signature}`);
  expect(await deliveries()).toMatchObject([
    { id: `${webhookId}.${id}`, receiver: id, receiver_name: 'Printer', webhook_id: webhookId, url: printer.url },
    { id: webhookId, receiver: 'http', receiver_name: null, webhook_id: webhookId, url: erp.url },
  ]);
  expect(await station.get(`/api/callbacks/${webhookId}.${id}/`)).toMatchObject({ receiver: id, state: 'delivered' });
});

test('a receiver gets its selected families, even those that are off for the callback URL', async () => {
  await station.patch('/api/settings/', { callback_families: { device: false } });
  const { id, families } = await addPrinter({ families: { order: false } });
  expect(families).toEqual({
    device: true,
    sequence: true,
    order: false,
    order_state: false,
    condition: false,
    movement: false,
    task: false,
  });
  await press();
  await untilDeliveries('', allDelivered(1));
  await change(id, { families: { device: false } });
  await press();
  expect([erp.requests.length, printer.requests.length, (await deliveries()).length]).toEqual([0, 1, 1]);
});

test("a URL with fields is called by GET, and the receiver's answer can contain the next command", async () => {
  const answered: Promise<unknown>[] = [];
  printer.reply(({ url }) => {
    const nonce = new URL(url, 'http://x/').searchParams.get('nonce');
    if (nonce === 'first') {
      answered.push(station.request('POST', `/api/device/${DEVICE}/`, { line1: 'Next', nonce: 'second', seconds: 60 }));
    }
    return 200;
  });
  await add({ name: 'Caller', url: `${printer.url}?nonce={nonce}&did={acknack}` });
  await station.post(`/api/device/${DEVICE}/`, { line1: 'Now', nonce: 'first', seconds: 60 });
  await station.clock.advance(SECOND);
  await station.press(DEVICE);
  await printer.received(1);
  await Promise.all(answered);
  await station.clock.advance(SECOND);
  await station.press(DEVICE);
  await untilDeliveries('', allDelivered(4));
  expect(printer.requests.map(({ method, url }) => [method, url])).toEqual([
    ['GET', '/?nonce=first&did=ack'],
    ['GET', '/?nonce=second&did=ack'],
  ]);
  expect(erp.payloads().map(({ nonce }) => nonce)).toEqual(['first', 'second']);
});

test('a receiver that hangs or refuses does not delay others, and each receiver has its own health', async () => {
  await station.stop();
  await start({ receiverHangs: true });
  const stuck = await open();
  stuck.reply('hang');
  printer.reply(503);
  await addPrinter();
  const { id: hanging } = await add({ name: 'Stuck', url: stuck.url });
  // Queue more callbacks than can be in flight to one receiver.
  await press(80);
  await untilDeliveries('&receiver=http', allDelivered(80));
  await stuck.received(64);
  await untilDeliveries('&receiver=2', (all) => all.every(({ attempts }) => attempts > 0));
  const [refusing, waiting] = await station.get<CallbackReceiverEntry[]>(PATH);
  expect(refusing).toMatchObject({ waiting: 80, last: { status: 503 }, trouble: { status: 503, waiting: 80 } });
  expect(waiting).toMatchObject({ id: hanging, waiting: 80, trouble: null });
  expect(stuck.requests.length).toBe(64);
  expect((await station.get<{ receiver: unknown }>('/api/station/')).receiver).toBeNull();
  await station.clock.advance(SECOND);
  const alerts = await station.get<Alert[]>('/api/alerts/?state=open');
  expect(alerts.map(({ kind, about }) => [kind, about])).toEqual([['receiver_failing', 'Printer']]);
  stuck.reply(200);
});

test('the first success of a receiver sends all its waiting callbacks, and other receivers get no duplicates', async () => {
  printer.reply(503);
  const { id } = await addPrinter();
  await press(30);
  await untilDeliveries(`&receiver=${id}`, (all) => all.every(({ attempts }) => attempts > 0));
  await untilDeliveries('&receiver=http', allDelivered(30));
  printer.reply(200);
  await station.clock.advance(25 * SECOND);
  await untilDeliveries(`&receiver=${id}`, allDelivered(30));
  expect(new Set(idsOf(printer))).toEqual(new Set(idsOf(erp)));
  expect(erp.requests.length).toBe(30);
  await station.clock.advance(SECOND);
  expect(await station.get('/api/alerts/?state=open')).toEqual([]);
});

test('the URL of a receiver is stored as it is used, also in the settings', async () => {
  const { host, port } = new URL(printer.url);
  const urls: readonly (readonly [sent: string, used: string])[] = [
    [`HTTP://${host}\\hooks/../b c?n={nonce}&x=\u00e9#top`, `http://${host}/b%20c?n={nonce}&x=%C3%A9`],
    [`http://127.0.0\n.1:${port}\t/hook/{nonce}`, `http://${host}/hook/{nonce}`],
    [`http://0x7f.1:${port}`, `http://${host}`],
    ['http://Shop.example:80/', 'http://shop.example/'],
    ['http://b\u00fccher.example/?a', 'http://xn--bcher-kva.example/?a'],
    [`${printer.url}hooks?a=b`, `${printer.url}hooks?a=b`],
    ['', ''],
  ];
  const { id } = await addPrinter();
  for (const [sent, used] of urls) {
    await station.patch('/api/settings/', { callback_url: sent });
    expect(await station.get('/api/settings/'), sent).toMatchObject({ callback_url: used });
    if (sent === '') continue;
    await change(id, { url: sent });
    expect(await get(id), sent).toMatchObject({ url: used });
    expect((await add({ name: sent.slice(0, 30).trim().replaceAll(/\s/g, ''), url: sent })).url).toBe(used);
  }
});

test('each of eight receivers gets every callback of a burst exactly once', async () => {
  const eight = await Promise.all(Array.from({ length: 8 }, open));
  for (const [number, { url }] of eight.entries()) await add({ name: `Receiver ${number}`, url });
  expect(await station.request('POST', PATH, { name: 'Ninth', url: erp.url })).toMatchObject({
    status: 409,
    body: { detail: 'There are already 8 further receivers. Delete one first.' },
  });
  await press(60);
  await untilDeliveries('', allDelivered(540));
  for (const receiver of eight) expect(idsOf(receiver).toSorted()).toEqual(idsOf(erp).toSorted());
  expect(new Set(idsOf(erp)).size).toBe(60);
  for (const one of ['http', '2', '9']) expect(await deliveries(`&receiver=${one}`)).toHaveLength(60);
  const [ofLast] = await deliveries('&receiver=9&state=delivered&family=device');
  expect(await station.get(`/api/callbacks/${ofLast?.id}/`)).toMatchObject({ receiver: '9', url: eight[7]?.url });
});

test('callbacks for a paused receiver wait without attempts, even beyond 72 hours, and are sent when it is resumed', async () => {
  const { id } = await addPrinter({ paused: true });
  await press(5);
  await station.clock.advance(100 * HOUR);
  expect(await get(id)).toMatchObject({ paused: true, waiting: 5, failed: 0, last: null, trouble: null });
  expect(printer.requests).toEqual([]);
  expect((await station.get<DeliveryCounts>('/api/callbacks/counts/')).held).toBeNull();
  await station.restart();
  expect(printer.requests).toEqual([]);
  // The 72 hours of a callback begin when the receiver is resumed.
  printer.reply(503);
  await change(id, { paused: false });
  await untilDeliveries(`&receiver=${id}`, (all) => all.some(({ attempts }) => attempts > 0));
  await station.clock.advance(40 * HOUR);
  expect((await deliveries(`&receiver=${id}`)).map(({ state }) => state)).toEqual(Array(5).fill('pending'));
  printer.reply(200);
  await station.clock.advance(5 * HOUR);
  await untilDeliveries(`&receiver=${id}`, allDelivered(5));
});

test('pausing a receiver ends its alert, and a test callback still reaches it', async () => {
  printer.reply(503);
  const { id } = await addPrinter();
  await press(3);
  await untilDeliveries(`&receiver=${id}`, (all) => all.every(({ attempts }) => attempts > 0));
  await station.clock.advance(SECOND);
  expect(await station.get('/api/alerts/?state=open')).toHaveLength(1);
  await change(id, { paused: true });
  await station.clock.advance(SECOND);
  expect(await station.get('/api/alerts/?state=open')).toEqual([]);
  printer.reply(204);
  expect(await station.post('/api/callbacks/test/', { receiver: id })).toMatchObject({
    state: 'delivered',
    status: 204,
    url: printer.url,
  });
  expect(await station.request('POST', '/api/callbacks/test/', { receiver: '99' })).toMatchObject({ status: 404 });
  // No waiting callback is due yet.
  await change(id, { paused: false });
  await untilDeliveries(`&receiver=${id}`, allDelivered(3));
});

test("waiting callbacks are sent to the receiver's new URL with its new key", async () => {
  printer.reply(503);
  const { id } = await addPrinter({ api_key: 'old' });
  await press();
  await untilDeliveries(`&receiver=${id}`, ([first]) => (first?.attempts ?? 0) > 0);
  const moved = await open();
  await change(id, { name: 'Label printer', url: moved.url, api_key: 'new' });
  await station.clock.advance(6 * SECOND);
  const [delivered] = await untilDeliveries(`&receiver=${id}`, allDelivered(1));
  expect(delivered).toMatchObject({ url: moved.url, receiver_name: 'Label printer' });
  expect(moved.requests[0]?.headers['x-api-key']).toBe('new');
});

test('deleting a receiver ends its waiting callbacks, which stay listed but cannot be replayed', async () => {
  printer.reply(503);
  const { id } = await addPrinter();
  await press(2);
  await untilDeliveries(`&receiver=${id}`, (all) => all.every(({ attempts }) => attempts > 0));
  expect(await station.request('DELETE', `${PATH}${id}/`)).toMatchObject({ status: 204 });
  const kept = await deliveries(`&receiver=${id}&state=dead`);
  expect(kept).toMatchObject([
    { receiver: id, receiver_name: null, last_error: 'The receiver was deleted before it took this callback.' },
    { receiver: id },
  ]);
  expect(await station.get('/api/callbacks/counts/')).toMatchObject({ pending: 0, dead: 0 });
  expect(await station.post('/api/callbacks/replay/', { state: 'dead' })).toEqual({ replayed: 0 });
  expect(await station.request('POST', `/api/callbacks/${kept[0]?.id}/replay/`)).toMatchObject({
    status: 409,
    body: { detail: 'The receiver of this callback was deleted, so it cannot be sent again.' },
  });
  expect(await station.request('GET', `${PATH}${id}/`)).toMatchObject({ status: 404 });
  printer.reply(200);
  const before = printer.requests.length;
  await press();
  await station.clock.advance(HOUR);
  await station.restart();
  await station.clock.advance(HOUR);
  expect(printer.requests.length).toBe(before);
  // The id is not reused, so a new receiver cannot get the deleted receiver's callbacks.
  expect((await addPrinter()).id).not.toBe(id);
});

test('deleting a failing receiver also deletes the records of its health', async () => {
  printer.reply(503);
  const { id } = await addPrinter();
  await press(3);
  await untilDeliveries(`&receiver=${id}`, (all) => all.every(({ attempts }) => attempts > 0));
  await station.clock.advance(SECOND);
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'), { readonly: true });
  const stored = () => db.prepare('SELECT key FROM meta WHERE key GLOB ?').pluck().all(`*_${id}`);
  expect(stored()).not.toEqual([]);
  await station.request('DELETE', `${PATH}${id}/`);
  await station.clock.advance(SECOND);
  expect(stored()).toEqual([]);
  db.close();
});

test('one call replays the dead callbacks of one receiver only', async () => {
  printer.reply(503);
  const { id } = await addPrinter();
  erp.reply(503);
  await press(2);
  await untilDeliveries('', (all) => all.every(({ attempts }) => attempts > 0));
  await station.clock.advance(90 * HOUR);
  await untilDeliveries('', (all) => all.every(({ state }) => state === 'dead'));
  erp.reply(200);
  printer.reply(200);
  expect(await get(id)).toMatchObject({ waiting: 0, failed: 2 });
  expect(await station.post('/api/callbacks/replay/', { state: 'dead', receiver: id })).toEqual({ replayed: 2 });
  await untilDeliveries(`&receiver=${id}`, allDelivered(2));
  expect(await deliveries('&receiver=http&state=dead')).toHaveLength(2);
  expect(await station.request('POST', '/api/callbacks/replay/', { state: 'dead', receiver: '77' })).toMatchObject({
    status: 404,
  });
});

test('receivers, their waiting callbacks and their trouble survive a restart', async () => {
  printer.reply(503);
  const { id } = await addPrinter({ api_key: 'k' });
  await press(3);
  await untilDeliveries(`&receiver=${id}`, (all) => all.every(({ attempts }) => attempts > 0));
  await station.clock.advance(SECOND);
  await station.restart();
  expect(await get(id)).toMatchObject({ name: 'Printer', api_key_set: true, waiting: 3, last: { status: 503 } });
  expect((await get(id)).trouble).toMatchObject({ status: 503 });
  expect((await station.get<{ receiver: unknown }>('/api/station/')).receiver).toBeNull();
  printer.reply(200);
  await station.clock.advance(30 * SECOND);
  await untilDeliveries(`&receiver=${id}`, allDelivered(3));
  expect(erp.requests.length).toBe(3);
});

test('the built-in receiver verifies a signature with the secret of the further receiver that uses it', async () => {
  await station.patch('/api/settings/', { callback_signing_secret: `whsec_${Buffer.from('one').toString('base64')}` });
  const signing_secret = `whsec_${Buffer.from('two').toString('base64')}`;
  const { id } = await add({ name: 'Trial', url: TEST_RECEIVER, signing_secret });
  await press();
  await untilDeliveries(`&receiver=${id}`, allDelivered(1));
  const [received] = await station.get<ReceivedCallback[]>('/api/callbacks/received/');
  expect(received).toMatchObject({ signature: 'right' });
});

const REFUSED: [why: string, body: object, status: number, says: RegExp][] = [
  ['no name', { url: 'http://x/' }, 400, /name/],
  ['an empty name', { name: ' ', url: 'http://x/' }, 400, /name: This is too short/],
  ['a name in use', { name: ' pRINTER ', url: 'http://x/' }, 409, /already called Printer/],
  ['no URL', { name: 'A' }, 400, /url/],
  ['an empty URL', { name: 'A', url: '' }, 400, /A receiver has a URL/],
  ['another protocol', { name: 'A', url: 'ftp://x/' }, 400, /http:\/\/ or https/],
  ['a password in the URL', { name: 'A', url: 'http://a:b@x/' }, 400, /not in the URL/],
  ['a host that a sender could choose', { name: 'A', url: 'http://{nonce}/' }, 400, /after the host/],
  ['an unknown field', { name: 'A', url: 'http://x/', secret: 'x' }, 400, /secret/],
  ['an unknown family', { name: 'A', url: 'http://x/', families: { orders: true } }, 400, /orders/],
  ['an invalid signing secret', { name: 'A', url: 'http://x/', signing_secret: 'x' }, 400, /whsec_/],
];

for (const [why, body, status, says] of REFUSED) {
  test(`a receiver with ${why} is refused`, async () => {
    await addPrinter();
    const answer = await station.request('POST', PATH, body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toMatch(says);
    expect(await station.get(PATH)).toHaveLength(1);
  });
}

test('answers never contain the secrets of a receiver, and null clears them', async () => {
  const signing_secret = `whsec_${Buffer.from('secret bytes').toString('base64')}`;
  const added = await addPrinter({ api_key: 'of the printer', signing_secret });
  const { id } = added;
  expect(added).toMatchObject({ api_key_set: true, signing_secret_set: true, unreadable_secrets: [] });
  const texts = await Promise.all(
    [PATH, `${PATH}${id}/`, '/api/audit/', '/api/diagnostics/', '/api/requests/'].map(async (path) =>
      JSON.stringify((await station.request('GET', path)).body),
    ),
  );
  for (const text of [JSON.stringify(added), ...texts]) {
    expect(text).not.toContain('of the printer');
    expect(text).not.toContain(signing_secret);
  }
  expect(await change(id, { api_key: null })).toMatchObject({ api_key_set: false, signing_secret_set: true });
  await press();
  await untilDeliveries('', allDelivered(2));
  expect(printer.requests[0]?.headers['x-api-key']).toBeUndefined();
});

test("a receiver's secrets are encrypted; without the data key, its callbacks wait and other receivers continue", async () => {
  const { id } = await addPrinter({ api_key: 'key of the printer', signing_secret: 'whsec_a2V5IG9mIHByaW50ZXI=' });
  const texts = ['key of the printer', 'whsec_a2V5IG9mIHByaW50ZXI='];
  expect(findTexts(station.dataFolder, texts)).toEqual([]);
  await station.halt();
  const key = join(station.dataFolder, 'data.key');
  renameSync(key, `${key}.away`);
  await station.restart();
  await press(2);
  await untilDeliveries('&receiver=http', allDelivered(2));
  expect(await get(id)).toMatchObject({ waiting: 2, unreadable_secrets: ['api_key', 'signing_secret'], last: null });
  const { held } = await station.get<DeliveryCounts>('/api/callbacks/counts/');
  expect(held).toMatch(/api_key, signing_secret of the receiver Printer cannot be read\..*Its callbacks wait/);
  await station.clock.advance(SECOND);
  const alerts = await station.get<Alert[]>('/api/alerts/?state=open');
  expect(alerts.map(({ kind, about }) => [kind, about])).toEqual([['secret_unreadable', 'Printer']]);
  await change(id, { api_key: 'new key', signing_secret: null });
  await untilDeliveries(`&receiver=${id}`, allDelivered(2));
  expect(printer.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['new key', 'new key']);
  await station.clock.advance(SECOND);
  expect(await station.get('/api/alerts/?state=open')).toEqual([]);
});

test('a change with an outdated If-Match is refused, unless it changes other fields', async () => {
  const { id } = await addPrinter();
  const { headers } = await station.request('GET', `${PATH}${id}/`);
  const tag = headers.get('etag') ?? '';
  await change(id, { name: 'Label printer' });
  const sent = { 'api-key': API_KEY, 'content-type': 'application/json', 'if-match': tag };
  const late = (body: object) => station.request('PATCH', `${PATH}${id}/`, body, sent);
  expect(await late({ name: 'Mine' })).toMatchObject({ status: 412, body: { code: 'changed' } });
  expect(await late({ paused: true })).toMatchObject({ status: 200, body: { name: 'Label printer', paused: true } });
});

test('refuses to change a secret with an outdated ETag', async () => {
  const { id } = await addPrinter();
  await change(id, { api_key: 'first' });
  const tag = (await station.request('GET', `${PATH}${id}/`)).headers.get('etag') ?? '';
  await change(id, { api_key: 'second' });
  const sent = { 'api-key': API_KEY, 'content-type': 'application/json', 'if-match': tag };
  const late = (body: object) => station.request('PATCH', `${PATH}${id}/`, body, sent);
  expect(await late({ api_key: 'third' })).toMatchObject({ status: 412, body: { code: 'changed' } });
  expect(await late({ signing_secret: null })).toMatchObject({ status: 200, body: { api_key_set: true } });
});

test('refuses a removal with an outdated If-Match, even if only a secret has changed', async () => {
  const { id } = await addPrinter();
  const tagNow = async () => (await station.request('GET', `${PATH}${id}/`)).headers.get('etag') ?? '';
  const remove = (tag: string) =>
    station.request('DELETE', `${PATH}${id}/`, undefined, { 'api-key': API_KEY, 'if-match': tag });
  const first = await tagNow();
  await change(id, { api_key: 'k-4711' });
  expect(await remove(first)).toMatchObject({ status: 412, body: { code: 'changed' } });
  expect(await remove(await tagNow())).toMatchObject({ status: 204 });
});

test('diagnostics contain the number of pending callbacks per receiver, but not its name and URL', async () => {
  printer.reply(503);
  await add({ name: 'Printer of Anna', url: `${printer.url}hooks/anna` });
  await press();
  await untilDeliveries('&receiver=2', ([first]) => (first?.attempts ?? 0) > 0);
  const text = JSON.stringify(await station.get('/api/diagnostics/'));
  expect(JSON.parse(text)).toMatchObject({
    callback_receivers: [{ id: '2', families: 'device, sequence, order', waiting: 1, last_status: 503 }],
  });
  expect(text).not.toContain('Anna');
  expect(text).not.toContain('hooks/anna');
});

test('the history names the receiver of a delivery', async () => {
  const { id } = await addPrinter();
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce: 'n', seconds: 60 });
  await station.clock.advance(SECOND);
  await station.press(DEVICE);
  const [delivery] = await untilDeliveries(`&receiver=${id}`, allDelivered(1));
  const { steps } = await station.get<{ steps: { kind: string; detail?: string }[] }>(
    `/api/history/deliveries/${delivery?.id}/`,
  );
  expect(steps.at(-1)).toMatchObject({ kind: 'delivered', detail: 'ack to Printer: The receiver answered 200.' });
});

test('a query for an unknown receiver returns an empty list, and one with an invalid receiver is refused', async () => {
  await press();
  expect(await deliveries('&receiver=99')).toEqual([]);
  expect(await station.request('GET', '/api/callbacks/?receiver=erp')).toMatchObject({ status: 400 });
});

test('a receiver at an address of the station itself causes a warning, in the settings too', async () => {
  const { port } = new URL(station.url);
  const own = 'This is an address of this station, which refuses callbacks. Give the address of your receiver.';
  const hook = `http://localhost:${port}/hook`;
  const added = await add({ name: 'Itself', url: hook });
  expect(added).toMatchObject({ warnings: [`/url: ${own}`] });
  await station.patch('/api/settings/', { public_urls: ['https://station.shop.example'] });
  const proxied = 'https://station.shop.example/api/callbacks/?n={nonce}';
  expect(await change(added.id, { url: proxied })).toMatchObject({ warnings: [`/url: ${own}`] });
  expect(await change(added.id, { url: `http://localhost:${Number(port) + 1}/` })).not.toHaveProperty('warnings');
  expect(await station.patch('/api/settings/', { callback_url: station.url })).toMatchObject({
    warnings: [`/callback_url: ${own}`],
  });
  expect(await station.patch('/api/settings/', { callback_url: erp.url })).not.toHaveProperty('warnings');
});

test('a receiver without families causes a warning until one is on', async () => {
  const off = { device: false, sequence: false, order: false };
  const says = expect.stringContaining('/families: All families are off');
  const { id } = await add({ name: 'Silent', url: printer.url, families: off });
  expect(await change(id, { name: 'Still silent' })).toMatchObject({ warnings: [says] });
  expect(await change(id, { families: { task: true } })).not.toHaveProperty('warnings');
});

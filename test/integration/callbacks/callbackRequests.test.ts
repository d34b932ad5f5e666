import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addOrder, anItem, launch } from '../../helpers/orders.ts';
import { startReceiver, type Received, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

/** Causes a press with this nonce and returns the resulting callback request. */
async function tell(nonce = 'tx1', request: object = {}): Promise<Received> {
  const before = receiver.requests.length;
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce, ...request });
  await station.clock.advance(1_000);
  await station.press(DEVICE);
  await station.clock.advance(0);
  const told = receiver.requests[before];
  if (told === undefined) throw new Error('Nothing was told.');
  return told;
}

/**
 * Verifies a request as a receiver does, with the Standard Webhooks library on the station's clock. Returns the body,
 * or the error message.
 */
function verified({ headers, body }: Received, secret: string, atMs = station.clock.now()): unknown {
  const now = vi.spyOn(Date, 'now').mockReturnValue(atMs);
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message;
    throw error;
  } finally {
    now.mockRestore();
  }
}

test('a plain URL gets a JSON POST with a webhook id and a timestamp', async () => {
  const { method, url, headers, body } = await tell();
  expect({ method, url }).toEqual({ method: 'POST', url: '/' });
  expect(headers['content-type']).toBe('application/json');
  expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
  expect(headers['user-agent']).toMatch(/^Pickstation\/\d/);
  expect(headers['webhook-id']).toMatch(/^msg_[\w-]+_\d+$/);
  const seconds = Number(headers['webhook-timestamp']);
  expect(Math.abs(seconds - station.clock.now() / 1_000)).toBeLessThan(10);
  for (const name of ['webhook-signature', 'x-api-key', 'authorization', 'cookie'])
    expect(headers[name]).toBeUndefined();
});

test("each delivery has a unique id, which contains the id of the station's run", async () => {
  const [first, second] = [await tell('a'), await tell('b')];
  await station.restart();
  await station.clock.advance(12_000);
  const third = await tell('c');
  const marks = station.rows<{ run_mark: string }>('SELECT run_mark FROM outbox').map(({ run_mark }) => run_mark);
  for (const mark of marks) expect(mark).toMatch(/^[\w-]{12}$/);
  expect(marks[0]).toBe(marks[1]);
  expect(marks[0]).not.toBe(marks[2]);
  const ids = [first, second, third].map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual(marks.map((mark, index) => `msg_${mark}_${index + 1}`));
});

test('twenty consecutive callbacks use one connection', async () => {
  for (let count = 1; count <= 20; count += 1) await tell(`n${count}`);
  expect(receiver.requests).toHaveLength(20);
  expect(receiver.connections()).toBe(1);
  // Changing a setting that does not affect certificates keeps the connection.
  await station.patch('/api/settings/', { callback_headers: { 'X-Shop': 'one' } });
  await tell('later');
  expect(receiver.connections()).toBe(1);
});

test('with a secret, every attempt is signed as Standard Webhooks defines', async () => {
  const secret = `whsec_${Buffer.from('a secret of any length, even with \u0000 bytes').toString('base64')}`;
  await station.patch('/api/settings/', { callback_signing_secret: secret });
  receiver.reply(500);
  const first = await tell('Größe 8 🔩');
  await station.clock.advance(60_000);
  expect(receiver.requests.length).toBeGreaterThanOrEqual(3);
  for (const attempt of receiver.requests) {
    expect(verified(attempt, secret)).toEqual({
      acknack: 'ack',
      deviceid: DEVICE,
      location: '',
      nonce: 'Größe 8 🔩',
      qty: 0,
    });
    expect(attempt.body).toBe(first.body);
    expect(attempt.headers['webhook-id']).toBe(first.headers['webhook-id']);
  }
  const times = receiver.requests.map(({ headers }) => Number(headers['webhook-timestamp']));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(times).size).toBe(times.length);
  const refused = 'No matching signature found';
  expect(verified({ ...first, body: `${first.body} ` }, secret)).toBe(refused);
  expect(verified({ ...first, headers: { ...first.headers, 'webhook-id': 'msg_other' } }, secret)).toBe(refused);
  expect(verified(first, `whsec_${Buffer.from('another').toString('base64')}`)).toBe(refused);
  // A receiver can detect that an old callback is replayed later.
  expect(verified(first, secret, station.clock.now() + 600_000)).toBe('Message timestamp too old');
});

test('sends the API key, the user and the extra headers', async () => {
  await station.patch('/api/settings/', {
    callback_api_key: 'the key',
    callback_username: 'wms',
    callback_password: 'pass: wörd',
    callback_headers: { 'X-Shop': 'one', 'x-empty': '', 'User-Agent': 'shop/1' },
  });
  const { headers } = await tell();
  expect(headers['x-api-key']).toBe('the key');
  expect(headers['x-shop']).toBe('one');
  expect(headers['x-empty']).toBe('');
  expect(headers['user-agent']).toBe('shop/1');
  const [scheme, credentials = ''] = String(headers.authorization).split(' ');
  expect(scheme).toBe('Basic');
  expect(Buffer.from(credentials, 'base64').toString('utf8')).toBe('wms:pass: wörd');

  await station.patch('/api/settings/', { callback_api_key: null, callback_username: '', callback_headers: {} });
  const later = await tell('b');
  for (const name of ['x-api-key', 'authorization', 'x-shop']) expect(later.headers[name]).toBeUndefined();
});

test('a URL with fields gets a GET request with the fields filled in and without a body', async () => {
  await station.patch('/api/settings/', {
    callback_url: `${receiver.url}cb/{acknack}/{deviceid}/{nothing}/?n={nonce}&q={qty}&l={location}`,
    callback_signing_secret: `whsec_${Buffer.from('secret').toString('base64')}`,
  });
  await station.post(`/api/device/${DEVICE}/`, { locationoverride: 'Regal 1/2 & Größe #3' });
  const told = await tell('a/b?c=d&e=%2f 🔩', { quantity: 7 });
  expect(told.method).toBe('GET');
  expect(told.body).toBe('');
  expect(told.headers['content-type']).toBeUndefined();
  expect(Number(told.headers['content-length'] ?? 0)).toBe(0);
  const url = new URL(told.url, receiver.url);
  expect(url.pathname).toBe('/cb/ack/51D000%3A000001//');
  expect(url.searchParams.get('n')).toBe('a/b?c=d&e=%2f 🔩');
  expect(url.searchParams.get('q')).toBe('7');
  expect(url.searchParams.get('l')).toBe('Regal 1/2 & Größe #3');
  // Verifying an empty body returns undefined if the signature is valid.
  expect(verified(told, `whsec_${Buffer.from('secret').toString('base64')}`)).toBeUndefined();
  expect(verified(told, `whsec_${Buffer.from('another').toString('base64')}`)).toMatch(/signature/);
});

test('a URL can contain the fields of structured callbacks; missing fields are empty', async () => {
  await station.patch('/api/settings/', {
    callback_url: `${receiver.url}{order_event}/?o={order}&s={SKU}&left={quantity_remaining}&n={vendor_nonce}&a={acme_nonce}&of={ordernonce}`,
    nonce_alias: 'acme_nonce',
  });
  const item = anItem({ SKU: 'M8 & M10', callback_nonce: 'line 1' });
  await addOrder(station, 'SO#1', [item], { ordernonce: 'done' });
  await launch(station, 'SO#1');
  await station.press(DEVICE);
  const ofItem = 'o=SO%231&s=M8%20%26%20M10&left=0&n=line%201&a=line%201&of=';
  expect(receiver.requests.map(({ method, url, body }) => `${method} ${url}${body}`).toSorted()).toEqual([
    `GET /device_ack/?${ofItem}`,
    `GET /item_added/?${ofItem}`,
    'GET /order_fulfilled/?o=SO%231&s=&left=&n=done&a=done&of=done',
  ]);
});

test('the URL keeps its path, query and port', async () => {
  await station.patch('/api/settings/', { callback_url: `${receiver.url}a%20b/c/?x=1&y={}#part` });
  const { method, url, headers } = await tell();
  expect({ method, url }).toEqual({ method: 'POST', url: '/a%20b/c/?x=1&y={}' });
  expect(headers.host).toBe(new URL(receiver.url).host);
});

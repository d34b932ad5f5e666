import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import type { MqttStatus, TestMqtt } from '#shared/api/mqtt.ts';
import { startBroker, type TestBroker } from '../helpers/broker.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const BASE = 'shop/counter';
const ITEM = { name: 'Bolt', ordered_quantity: 1 };
const NEW_ORDER = { order_number: '7002', items: [{ ...ITEM, deviceid: ONE }] };

let broker: TestBroker;
let receiver: Receiver;
let station: TestStation;

beforeEach(async () => {
  broker = await startBroker();
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.patch('/api/settings/', {
    mqtt_url: broker.url,
    mqtt_prefix: 'shop',
    mqtt_station: 'counter',
    callback_url: receiver.url,
    backup_every: 0,
  });
  await settle();
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
  await broker.stop();
});

/** Lets the station publish changes of state. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn += 1) await station.clock.advance(600);
};

const status = (): Promise<MqttStatus> => station.get<MqttStatus>('/api/mqtt/');

async function light(device: string, nonce: string): Promise<void> {
  await station.post(`/api/device/${device}/`, { line1: 'Screws', nonce });
  await station.clock.advance(500);
}

const storedDevice = (device: string) =>
  JSON.parse(broker.stored().get(`${BASE}/devices/${device}`) ?? 'null') as { commands: { state: string }[] } | null;

/** Sends a command and returns the answer. */
async function command(topic: string, body: unknown, result = topic.replace(/\/set$|\/launch$/, '/result')) {
  const before = broker.at(`${BASE}/${result}`).length;
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  await broker.publish(`${BASE}/${topic}`, isRaw ? body : JSON.stringify(body));
  await expect.poll(() => broker.at(`${BASE}/${result}`).length, { interval: 2 }).toBeGreaterThan(before);
  await station.clock.advance(0);
  return JSON.parse(broker.at(`${BASE}/${result}`).at(-1) ?? '') as Record<string, unknown>;
}

test('publishes its info and that it is online, over MQTT 3.1.1 if the broker does not know 5', async () => {
  expect(await status()).toMatchObject({ state: 'connected', problem: null, protocol: '3.1.1', station: 'counter' });
  expect(broker.stored().get(`${BASE}/availability`)).toBe('online');
  expect(JSON.parse(broker.stored().get(`${BASE}/info`) ?? '')).toMatchObject({
    station: 'counter',
    url: station.url,
    devices: 2,
    protocol: 1,
  });
  expect(await station.post<TestMqtt>('/api/mqtt/test/')).toMatchObject({ state: 'passed', protocol: '3.1.1' });
  await station.patch('/api/settings/', { mqtt_url: '' });
  await settle();
  expect(await status()).toMatchObject({ state: 'off', log: [] });
  expect(broker.stored().get(`${BASE}/availability`)).toBe('offline');
});

test('a killed connection leaves "offline" at the broker, and the station reconnects by itself', async () => {
  broker.cut();
  await expect.poll(() => broker.stored().get(`${BASE}/availability`)).toBe('offline');
  expect((await status()).state).toBe('error');
  await station.clock.advance(5_000);
  await settle();
  expect((await status()).state).toBe('connected');
  expect(broker.stored().get(`${BASE}/availability`)).toBe('online');
});

test('publishes the state of devices and orders, and clears it when they are removed', async () => {
  const order = { order_number: 'A/7+#', items: [{ name: 'Screws', ordered_quantity: 2, deviceid: ONE }] };
  await station.post('/api/orders/', order);
  await light(TWO, 'n1');
  await settle();
  expect(storedDevice(TWO)).toEqual(JSON.parse(JSON.stringify(await station.device(TWO))));
  expect(storedDevice(TWO)?.commands).toMatchObject([{ state: 'shown' }]);
  const topic = `${BASE}/orders/A%2F7%2B%23`;
  expect(JSON.parse(broker.stored().get(topic) ?? '')).toMatchObject({
    order_number: 'A/7+#',
    state: 'open',
    item_count: 1,
  });
  const before = broker.saw.length;
  await station.request('DELETE', '/api/orders/A%2F7%2B%23/');
  await station.request('DELETE', `/api/device/${TWO}/`);
  await settle();
  expect([...broker.stored().keys()].filter((each) => each.includes('/orders/') || each.endsWith(TWO))).toEqual([]);
  // The other device did not change, so nothing was published about it.
  expect(broker.saw.slice(before).filter(({ topic: each }) => each.endsWith(ONE))).toEqual([]);
});

test('publishes neither the customer nor the note of an order', async () => {
  const order = {
    order_number: 'A-1',
    items: [{ name: 'Screws', ordered_quantity: 2 }],
    customer: 'Miller',
    note: 'Frail',
  };
  await station.post('/api/orders/', order);
  await settle();
  // The station publishes all of it again at a connection.
  await station.patch('/api/settings/', { mqtt_url: '' });
  await settle();
  await station.patch('/api/orders/A-1/', { priority: 1 });
  await station.patch('/api/settings/', { mqtt_url: broker.url });
  await settle();
  await command('orders/set', { ...order, order_number: 'A-2' });
  await settle();
  const topics = ['orders/A-1', 'orders/A-2', 'orders/result', 'events'].map((topic) => `${BASE}/${topic}`);
  const published = topics.map((topic) => broker.at(topic).join());
  for (const text of published) expect(text).toMatch(/A-[12]/);
  expect(published.join()).not.toMatch(/Miller|Frail/);
});

test('clears leftover and invalid topics at the next connection', async () => {
  await station.post('/api/orders/', { order_number: 'A-1', items: [{ name: 'Screws', ordered_quantity: 2 }] });
  await settle();
  await station.patch('/api/settings/', { mqtt_url: '' });
  await settle();
  await station.request('DELETE', `/api/device/${TWO}/`);
  await broker.publish(`${BASE}/orders/old`, '\u0000rubbish', true);
  const kept = broker.stored().get(`${BASE}/orders/A-1`);
  const before = broker.saw.length;
  await station.patch('/api/settings/', { mqtt_url: broker.url });
  await settle();
  expect([...broker.stored().keys()].toSorted()).toEqual([
    `${BASE}/availability`,
    `${BASE}/devices/${ONE}`,
    `${BASE}/info`,
    `${BASE}/orders/A-1`,
  ]);
  // State that did not change is not published again.
  expect(kept).toContain('A-1');
  expect(broker.saw.slice(before).filter(({ topic }) => topic.endsWith('A-1'))).toEqual([]);
});

test('publishes each commit as one event', async () => {
  await light(ONE, 'n1');
  await settle();
  const events = broker
    .at(`${BASE}/events`)
    .map((text) => JSON.parse(text) as { revision: number; facts: { type: string }[] });
  expect(events.flatMap(({ facts }) => facts.map(({ type }) => type))).toEqual(
    expect.arrayContaining(['command.queued', 'command.shown']),
  );
  const revisions = events.map(({ revision }) => revision);
  expect(revisions).toEqual([...new Set(revisions)].toSorted((one, other) => one - other));
});

test('sends a callback to both receivers with one webhook id, as separate deliveries', async () => {
  await light(ONE, 'n1');
  await station.press(ONE);
  await settle();
  const [sent] = broker.at(`${BASE}/callbacks/device`);
  const { webhook_id: id, revision, time, picked, ...payload } = JSON.parse(sent ?? '') as Record<string, unknown>;
  expect(receiver.requests[0]?.headers).toMatchObject({
    'webhook-id': id,
    'pickstation-revision': String(revision),
    'pickstation-time': time,
    'pickstation-picked': '0',
  });
  expect([typeof revision, picked]).toEqual(['number', 0]);
  expect(payload).toEqual(JSON.parse(receiver.requests[0]?.body ?? ''));
  const deliveries = await station.get<Delivery[]>('/api/callbacks/');
  expect(deliveries).toMatchObject([
    { id: `${String(id)}.mqtt`, receiver: 'mqtt', webhook_id: id, state: 'delivered', url: `${BASE}/callbacks/device` },
    { id, receiver: 'http', webhook_id: id, state: 'delivered', url: receiver.url },
  ]);
  const one = `/api/callbacks/${String(id)}.mqtt/`;
  expect(await station.get(one)).toMatchObject({ id: `${String(id)}.mqtt`, request: null });
  await station.post(`${one}replay/`);
  await settle();
  expect(broker.at(`${BASE}/callbacks/device`)).toEqual([sent, sent]);
  expect(receiver.requests).toHaveLength(1);
});

test('while one receiver is down the other gets its callbacks, and each later gets what it missed, once', async () => {
  receiver.reply(500);
  for (const nonce of ['n1', 'n2']) {
    await light(ONE, nonce);
    await station.press(ONE);
  }
  await settle();
  const nonces = (): unknown[] =>
    broker.at(`${BASE}/callbacks/device`).map((text) => (JSON.parse(text) as { nonce: unknown }).nonce);
  expect(nonces()).toEqual(['n1', 'n2']);
  const port = Number(new URL(broker.url).port);
  await broker.stop();
  await station.clock.advance(5_000);
  const refused = receiver.requests.length;
  receiver.reply(200);
  for (const nonce of ['n3', 'n4', 'n5']) {
    await light(ONE, nonce);
    await station.press(ONE);
  }
  await settle();
  expect(await status()).toMatchObject({
    state: 'error',
    waiting: 3,
    problem: expect.stringContaining('refused') as string,
  });
  broker = await startBroker({}, port);
  await station.restart();
  await station.clock.advance(40_000);
  await settle();
  expect(nonces()).toEqual(['n3', 'n4', 'n5']);
  expect(await status()).toMatchObject({ state: 'connected', waiting: 0 });
  const taken = receiver.payloads().slice(refused);
  expect(taken.map(({ nonce }) => String(nonce)).toSorted()).toEqual(['n1', 'n2', 'n3', 'n4', 'n5']);
});

test('a broker that is away for long raises an alert, which ends after the reconnection', async () => {
  const { host } = new URL(broker.url);
  const port = Number(new URL(broker.url).port);
  await broker.stop();
  await station.clock.advance(4 * 60_000);
  expect(await station.get('/api/alerts/')).toEqual([]);
  await station.clock.advance(2 * 60_000);
  expect(await station.get('/api/alerts/')).toMatchObject([{ kind: 'receiver_failing', about: host }]);
  broker = await startBroker({}, port);
  await station.clock.advance(60_000);
  await settle();
  expect(await station.get('/api/alerts/')).toEqual([]);
});

test.each([
  ['another charset', Buffer.from('{"line1":"B\xfcr"}', 'latin1')],
  ['half of a character', Buffer.from(String.raw`{"line1":"B\ud83dr"}`)],
])('refuses a command with %s, and lights nothing', async (_name, payload) => {
  expect(await command(`devices/${ONE}/set`, payload)).toMatchObject({
    status: 400,
    code: 'encoding',
    detail: expect.stringContaining('UTF-8') as string,
  });
  expect(storedDevice(ONE)?.commands).toEqual([]);
});

test.each([
  [`devices/51D000:00FFFF/set`, { line1: 'x' }, 404, `The topics ${BASE}/devices/+ list the devices that are known.`],
  ['devices/A-1/set', { line1: 'x' }, 404, `send "location" to ${BASE}/devices/set.`],
  ['devices/set', [{ deviceid: ONE, line1: 'x' }], 400, 'Send one message per command.'],
  ['devices/set', { line1: 'x' }, 400, 'Give deviceid or location.'],
  [`devices/${ONE}/set`, { line1: 'x', colour: 'r' }, 200, '/colour: There is no such field. Did you mean color?'],
  [`devices/${ONE}/set`, '{"line1":"x",}', 400, 'The payload is not JSON: line 1, column 14: remove the comma'],
  [`devices/${ONE}/set`, '{"line1":"x","line1":"y"}', 400, '/line1: This name appears twice in one object.'],
  [`devices/${ONE}/set`, '{"line1":"x"', 400, 'the payload ends before the end of an object'],
  ['orders/set', '', 400, 'The request has no payload. Send a JSON object.'],
  [
    'orders/set',
    { order_number: '7001', items: [{ name: 'x', ordered_quantity: 2 }] },
    409,
    `${BASE}/orders/7001 shows it.`,
  ],
  ['sequences/none/launch', '', 404, 'There is no sequence "none".'],
  ['sequences/S/launch', { restart: 1 }, 200, '/restart: There is no such field.'],
  [`devices/${ONE}/set`, { command: 'kill', nonce: '' }, 200, 'kill removes every command of the place'],
  [`devices/${ONE}/set`, { line1: 'x', key: 'k' }, 200, '/key: There is no such field.'],
  [`devices/${ONE}/set`, { line1: 'x', id: 'k' }, 200, '/id: There is no such field.'],
  [`devices/${ONE}/set`, { line1: 'x', Nonce: 'k' }, 200, '/Nonce: There is no such field. Did you mean nonce?'],
  [`devices/${ONE}/set`, { line1: 'x', location: 'Z-9' }, 200, 'location "Z-9" is ignored'],
  ['devices/set', { deviceid: ONE, quantity: 3 }, 200, 'Nothing is lit'],
  ['orders/set', { ...NEW_ORDER, launch: 'yes' }, 400, '/launch: This has to be true or false.'],
  ['orders/set', { ...NEW_ORDER, launched: true }, 201, '/launched: There is no such field.'],
  ['orders/set', { ...NEW_ORDER, launch: 'true', picker: 'b' }, 201, '/picker: There is no such field.'],
  [
    'orders/set',
    { ...NEW_ORDER, launch: true, items: [...NEW_ORDER.items, { ...ITEM, warehouse_location: 'Z-9' }] },
    201,
    'No device is found at "Z-9" yet.',
  ],
  ['orders/set', [NEW_ORDER], 400, 'The payload: This has to be an object.'],
])('says what is wrong in words of topics: %s %j', async (topic, body, expected, says) => {
  await station.post('/api/orders/', { order_number: '7001', items: [{ name: 'x', ordered_quantity: 1 }] });
  await station.post('/api/sequence/', { sequenceid: 'S', steps: [{ order: 1, device: ONE }] });
  const answer = await command(topic, body);
  const {
    detail = '',
    errors = [],
    warnings = [],
  } = answer as {
    detail?: string;
    errors?: { path: string; message: string }[];
    warnings?: string[];
  };
  expect(answer['status'], detail).toBe(expected);
  const said = [detail, ...warnings, ...errors.map(({ path, message }) => `${path}: ${message}`)].join('\n');
  expect(said).toContain(says);
  expect(said).not.toMatch(/\/api\/|\bbody\b/);
});

test('answers commands as over HTTP', async () => {
  const lit = await command(`devices/${ONE}/set`, { command: 'flash', line1: 'Screws', nonce: 'a' });
  expect(lit).toMatchObject({ status: 200, deviceid: ONE, nonce: 'a', state: 'queued' });
  expect(await command(`devices/${ONE}/set`, { command: 'flash', color: 'plaid' })).toMatchObject({
    status: 400,
    code: 'invalid',
    detail: expect.stringContaining('no color') as string,
  });
  expect(await command('devices/51D000:00000F/set', { command: 'flash' })).toMatchObject({ status: 404 });
  expect(await command(`devices/${ONE}/set`, '{"command"')).toMatchObject({ status: 400 });
  expect(await command(`devices/${ONE}/set`, '"flash"')).toMatchObject({ status: 400 });
  const order = { order_number: 'SO-1', items: [{ SKU: 'CT-200', ordered_quantity: 1, deviceid: TWO }] };
  const added = { status: 201, order_number: 'SO-1', state: 'open', nonce: 'n-1', warnings: [] };
  expect(await command('orders/set', { ...order, nonce: 'n-1', launch: false })).toMatchObject(added);
  expect(await command('orders/set', order)).toMatchObject({ status: 409 });
  expect(await command('orders/set', { ...order, order_number: 'SO-2', launch: true })).toMatchObject({
    status: 201,
    order_number: 'SO-2',
    state: 'in_progress',
  });
  const steps = [{ order: 1, device: ONE, command: 'flash', line1: 'x' }];
  await station.post('/api/sequence/', { sequenceid: 'round/7', steps });
  // A result that a broker might drop as too large has no items.
  const items = Array.from({ length: 1_000 }, () => ({ name: 'x'.repeat(700), ordered_quantity: 1 }));
  const large = await command('orders/set', { order_number: 'SO-3', items });
  expect(large).toMatchObject({ status: 201, order_number: 'SO-3', state: 'open' });
  expect(large).not.toHaveProperty('items');
  expect(await command('sequences/round%2F7/launch', '')).toMatchObject({ status: 200, sequenceid: 'round/7' });
});

test('a command with a nonce takes effect once a day, even over a restart, and a repeat gets the first answer', async () => {
  const first = await command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' });
  await station.press(ONE);
  await station.restart();
  await settle();
  expect(await command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' })).toEqual(first);
  expect((await station.device(ONE)).commands).toEqual([]);
  // The same nonce at another device is another command.
  expect(await command(`devices/${TWO}/set`, { line1: 'Screws', nonce: 'a' })).toMatchObject({ deviceid: TWO });
  await station.clock.advance(24 * 3_600_000);
  const later = await command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' });
  expect(later['command_id']).not.toBe(first['command_id']);
});

test('answers a command that was interrupted by a kill without running it again', async () => {
  const first = await command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' });
  await station.press(ONE);
  await station.halt();
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(`${station.dataFolder}/pickstation.sqlite`);
  // The state after the commit of the command and before the commit of its answer.
  db.exec(`INSERT INTO keyed_steps SELECT id, 0, 0, json_object('result', json(answer)) FROM keyed_requests;
    UPDATE keyed_requests SET status = NULL, answer = NULL;`);
  db.close();
  await station.restart();
  await settle();
  expect(await command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' })).toEqual(first);
  expect((await station.device(ONE)).commands).toEqual([]);
});

test('refuses another command with the nonce of an earlier one, except one that kills it', async () => {
  await command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' });
  expect(await command(`devices/${ONE}/set`, { line1: 'Nails', nonce: 'a' })).toMatchObject({
    status: 409,
    code: 'key_reused',
    nonce: 'a',
    detail: expect.stringMatching(/^The nonce a was used for another command/) as string,
  });
  expect(await command(`devices/${ONE}/set`, { command: 'kill', nonce: 'a' })).toMatchObject({ killed: 1 });
});

test.each([
  ['a text', '"again"'],
  ['a number', '7'],
])('a quick repetition with %s as its nonce gets the answer of the first one', async (_what, nonce) => {
  const text = `{"line1":"Screws","nonce":${nonce}}`;
  const results = (): string[] => broker.at(`${BASE}/devices/${ONE}/result`);
  await Promise.all([1, 2, 3].map(() => broker.publish(`${BASE}/devices/${ONE}/set`, text)));
  await expect.poll(() => results().length, { interval: 2 }).toBe(3);
  expect(new Set(results()).size).toBe(1);
  expect(JSON.parse(results()[0] ?? '')).toMatchObject({
    status: 200,
    state: 'queued',
    nonce: JSON.parse(`"${nonce.replaceAll('"', '')}"`) as string,
  });
  expect((await station.device(ONE)).commands).toHaveLength(1);
});

test('lights the place that the body names below devices/set', async () => {
  await station.post(`/api/device/${TWO}/`, { locationoverride: 'A-1-1' });
  await station.post('/api/location-aliases/', { name: 'Bin 7', deviceid: ONE, deviceIs: 'Below' });
  const lit = { status: 200, state: 'queued', nonce: 'a' };
  expect(await command('devices/set', { location: 'a-1-1', line1: 'Screws', nonce: 'a' })).toMatchObject({
    ...lit,
    deviceid: TWO,
  });
  // The same nonce at another place is another command.
  const bin = await command('devices/set', { location: 'Bin 7', line1: 'Screws', nonce: 'a' });
  expect(bin).toMatchObject({ ...lit, deviceid: ONE });
  expect(await command('devices/set', { location: 'Bin 7', line1: 'Screws', nonce: 'a' })).toEqual(bin);
  expect(await command('devices/set', { deviceid: ONE, statica: 'x' })).toMatchObject({ updated: ['statica'] });
  expect((await station.device(ONE)).commands).toMatchObject([{ arrow: 'top', location: 'Bin 7' }]);
  expect(await command('devices/set', { location: 'Z-9', line1: 'x' })).toMatchObject({ status: 404 });
  expect(await command('devices/set', { line1: 'x' })).toMatchObject({
    status: 400,
    detail: expect.stringContaining('Give deviceid or location.') as string,
  });
  expect(await command('devices/set', [{ location: 'A-1-1', line1: 'x' }])).toMatchObject({
    status: 400,
    detail: expect.stringContaining('Send one message per command.') as string,
  });
  // Other stations do not take the answer for a device.
  await settle();
  expect([...broker.stored().keys()].filter((topic) => topic.includes('/devices/')).toSorted()).toEqual([
    `${BASE}/devices/${ONE}`,
    `${BASE}/devices/${TWO}`,
  ]);
});

test('launching a sequence with a nonce gives no warning about it', async () => {
  const steps = [{ order: 1, device: ONE, command: 'flash', line1: 'x' }];
  await station.post('/api/sequence/', { sequenceid: 'round', steps });
  const launched = await command('sequences/round/launch', { nonce: 'a' });
  expect(launched).toMatchObject({ status: 200, state: 'in-progress', nonce: 'a' });
  expect(launched['warnings'] ?? []).toEqual([]);
});

test('runs each message without a nonce', async () => {
  const first = await command(`devices/${ONE}/set`, { line1: 'Screws' });
  const second = await command(`devices/${ONE}/set`, { line1: 'Nails' });
  expect(second['command_id']).not.toBe(first['command_id']);
  expect((await station.device(ONE)).commands).toHaveLength(2);
});

test('retained commands, unknown topics and large messages have no effect, and the log says why', async () => {
  await station.patch('/api/settings/', { mqtt_url: '' });
  await broker.publish(`${BASE}/devices/${ONE}/set`, JSON.stringify({ line1: 'Yesterday' }), true);
  await station.patch('/api/settings/', { mqtt_url: broker.url });
  await settle();
  await broker.publish(`${BASE}/devices/${encodeURIComponent('%')}%/set`, '{}');
  const large = await command(`devices/${ONE}/set`, 'x'.repeat(1024 * 1024 + 1));
  expect(large).toMatchObject({ status: 413 });
  expect((await station.device(ONE)).commands).toEqual([]);
  const problems = (await status()).log.filter(({ direction }) => direction === 'in').map(({ problem }) => problem);
  expect([...new Set(problems)]).toEqual([
    'A command has at most 1 MiB. Nothing was done.',
    'The station does not act on this topic.',
    'A retained command is ignored: it would run again at each connection.',
  ]);
});

test('answers a flood with 429, and still handles a press', async () => {
  const flood = Promise.all(
    Array.from({ length: 700 }, () => broker.publish(`${BASE}/devices/${TWO}/set`, '{"command":"kill"}')),
  );
  await light(ONE, 'n1');
  await station.press(ONE);
  await flood;
  await expect.poll(() => broker.at(`${BASE}/devices/${TWO}/result`).length).toBe(700);
  const answers = broker
    .at(`${BASE}/devices/${TWO}/result`)
    .map((text) => (JSON.parse(text) as { status: number }).status);
  expect(new Set(answers)).toEqual(new Set([200, 429]));
  expect(answers.filter((each) => each === 429).length).toBeGreaterThan(100);
  expect(receiver.requests).toHaveLength(1);
});

test('a second station with the same id is refused until the first one changes its id', async () => {
  await using second = await startTestStation({ simulate: 1, seed: 2 });
  await second.patch('/api/settings/', { mqtt_url: broker.url, mqtt_prefix: 'shop', mqtt_station: 'counter' });
  await second.clock.advance(1_000);
  expect(await second.get<MqttStatus>('/api/mqtt/')).toMatchObject({
    state: 'refused',
    problem: expect.stringContaining(`Another station with the id "counter" is online`) as string,
  });
  await second.clock.advance(60_000);
  expect((await status()).state).toBe('connected');
  expect((await second.get<MqttStatus>('/api/mqtt/')).state).toBe('refused');
  await station.patch('/api/settings/', { mqtt_station: 'other' });
  await settle();
  await second.clock.advance(60_000);
  expect((await second.get<MqttStatus>('/api/mqtt/')).state).toBe('connected');
});

test('a station killed together with the broker reconnects, although the broker still says it is online', async () => {
  await station.halt();
  await broker.publish(`${BASE}/availability`, 'online', true);
  await station.restart();
  await settle();
  expect((await status()).state).toBe('connected');
});

test('explains a wrong password, and an address without a broker', async () => {
  const closed = await startBroker({
    authenticate: (_client, _user, _password, done) => done(Object.assign(new Error('no'), { returnCode: 4 }), false),
  });
  try {
    await station.patch('/api/settings/', { mqtt_url: closed.url, mqtt_username: 'pick', mqtt_password: 'wrong' });
    await settle();
    const { state, problem, waiting } = await status();
    expect({ state, problem, waiting }).toEqual({
      state: 'refused',
      problem: 'The broker does not accept the user name or password. Check mqtt_username and mqtt_password. (0x86)',
      waiting: 0,
    });
    expect(await station.post<TestMqtt>('/api/mqtt/test/')).toMatchObject({ state: 'failed', problem });
    // A web server is not a broker.
    await station.patch('/api/settings/', { mqtt_url: station.url.replace('http:', 'mqtt:') });
    await settle();
    expect(await status()).toMatchObject({ state: 'error', problem: expect.stringMatching(/^The broker /) as string });
  } finally {
    await closed.stop();
  }
});

test('never returns the password or the key', async () => {
  const settings = { mqtt_password: 'geheim', mqtt_key: '-----BEGIN PRIVATE KEY-----\ngeheim' };
  const answer = await station.patch('/api/settings/', settings);
  expect(answer).toMatchObject({ mqtt_password_set: true, mqtt_key_set: true, mqtt_station: 'counter' });
  expect(JSON.stringify([answer, await station.get('/api/settings/'), await status()])).not.toContain('geheim');
  expect(await station.patch('/api/settings/', { mqtt_station: '' })).toMatchObject({
    mqtt_station: expect.stringMatching(/^station-[0-9a-f]{8}$/) as string,
  });
});

import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import type { MqttStatus, TestMqtt } from '#shared/api/mqtt.ts';
import { selfSigned } from '../helpers/selfSigned.ts';
import { startTestStation, type TestStation, type TestStationOptions } from '../helpers/startTestStation.ts';
import { until } from '../shells/until.ts';
import { send, startMosquitto, subscribe, type Mosquitto } from './mosquitto.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const BASE = 'shop/counter';

let broker: Mosquitto;
let station: TestStation;

beforeEach(async () => {
  broker = await startMosquitto();
});

afterEach(async () => {
  await station.stop();
  await broker[Symbol.asyncDispose]();
});

/** Starts a station that uses this broker. */
async function open(settings: object = {}, options: TestStationOptions = {}): Promise<void> {
  station = await startTestStation({ simulate: 2, refreshMs: 0, ...options });
  await station.patch('/api/settings/', {
    mqtt_url: `mqtt://127.0.0.1:${broker.port}`,
    mqtt_prefix: 'shop',
    mqtt_station: 'counter',
    backup_every: 0,
    ...settings,
  });
  await settle();
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await station.clock.advance(600);
}

const status = (): Promise<MqttStatus> => station.get<MqttStatus>('/api/mqtt/');
const reconnected = () =>
  until('the connection', async () => {
    await station.clock.advance(5_000);
    return (await status()).state === 'connected';
  });

async function pick(device: string, nonce: string): Promise<void> {
  await station.post(`/api/device/${device}/`, { line1: 'Screws', nonce });
  await station.clock.advance(500);
  await station.press(device);
  await station.clock.advance(100);
}

/** Sends a command with mosquitto_rr, and returns the answer. */
async function ask(topic: string, body: string, args: readonly string[] = []): Promise<Record<string, unknown>> {
  const { spawn } = await import('node:child_process');
  const common = ['-h', '127.0.0.1', '-p', String(broker.port), '-V', '5', '-q', '1', '-W', '20'];
  const own = ['-t', `${BASE}/${topic}`, '-e', 'erp/answers', '-m', body, '-F', '%j', ...args];
  const child = spawn('mosquitto_rr', [...common, ...own], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  let isOver = false;
  child.stdout.setEncoding('utf8').on('data', (part: string) => void (text += part));
  child.once('close', () => (isOver = true));
  await until('an answer', () => isOver);
  const { payload } = JSON.parse(text) as { payload: string };
  return JSON.parse(payload) as Record<string, unknown>;
}

test('another MQTT 5 client sees state, events and callbacks, and lights a device', async () => {
  await open();
  await using all = await subscribe(broker.port, `${BASE}/#`);
  await until('the retained state', () => all.heard.length >= 4);
  expect(await status()).toMatchObject({ state: 'connected', protocol: '5' });
  expect(all.heard.every(({ retained }) => retained)).toBe(true);
  expect(all.heard.map(({ topic }) => topic).toSorted()).toEqual([
    `${BASE}/availability`,
    `${BASE}/devices/${ONE}`,
    `${BASE}/devices/${TWO}`,
    `${BASE}/info`,
  ]);
  const lit = await ask(`devices/${ONE}/set`, JSON.stringify({ line1: 'Screws', nonce: 'a' }));
  expect(lit).toMatchObject({ status: 200, deviceid: ONE, nonce: 'a' });
  await station.clock.advance(500);
  await station.press(ONE);
  await settle();
  await until('the callback', () => all.at(`${BASE}/callbacks/device`).length === 1);
  const [callback] = all.at(`${BASE}/callbacks/device`);
  const [delivery] = await station.get<Delivery[]>('/api/callbacks/');
  const { revision, time, picked } = JSON.parse(callback?.payload ?? '{}') as Record<string, unknown>;
  expect(callback?.userProperties).toEqual({
    'webhook-id': delivery?.webhook_id,
    'pickstation-revision': String(revision),
    'pickstation-time': time,
    'pickstation-picked': String(picked),
  });
  expect(JSON.parse(callback?.payload ?? '')).toEqual({
    ...delivery?.payload,
    webhook_id: delivery?.webhook_id,
    revision,
    time,
    picked: 0,
  });
  expect(all.at(`${BASE}/events`).every(({ retained }) => !retained)).toBe(true);
  expect(await station.post<TestMqtt>('/api/mqtt/test/')).toMatchObject({ state: 'passed', protocol: '5' });
});

test('an answer goes to the response topic with its correlation data', async () => {
  await open();
  await using answers = await subscribe(broker.port, 'erp/#');
  const properties = [
    ['response-topic', 'erp/7'],
    ['correlation-data', 'seven'],
  ].flatMap(([name = '', value = '']) => ['-D', 'PUBLISH', name, value]);
  send('mosquitto_pub', broker.port, ['-t', `${BASE}/devices/${ONE}/set`, '-m', '{"line1":"x"}', ...properties]);
  await until('the answer', () => answers.heard.length === 1);
  expect(answers.heard[0]).toMatchObject({ topic: 'erp/7', correlation: 'seven' });
});

test('runs a command with a repeated id once, and one with a new id again', async () => {
  await open();
  const id = (value: string) => ['-D', 'PUBLISH', 'user-property', 'id', value];
  const body = JSON.stringify({ line1: 'Screws', nonce: 'a' });
  const first = await ask(`devices/${ONE}/set`, body, id('1'));
  expect(first).toMatchObject({ status: 200, id: '1', nonce: 'a' });
  expect(await ask(`devices/${ONE}/set`, body, id('1'))).toEqual(first);
  const again = await ask(`devices/${ONE}/set`, body, id('2'));
  expect(again).toMatchObject({ status: 200, id: '2' });
  expect(again['command_id']).not.toBe(first['command_id']);
});

test('warns of user properties that look like the id of a command', async () => {
  await open();
  const body = JSON.stringify({ line1: 'Screws' });
  const warned = async (names: readonly string[], payload = body) => {
    const properties = names.flatMap((name) => ['-D', 'PUBLISH', 'user-property', name, name === '' ? '' : 'k']);
    return (await ask(`devices/${ONE}/set`, payload, properties))['warnings'];
  };
  for (const name of ['Id', 'ID', 'id ', 'message-id', 'Message_ID', 'requestId', 'uuid', 'Idempotency-Key']) {
    expect(await warned([name]), name).toEqual([
      `The user property "${name}" is not read, so a repetition would act again. Send the id of the command in the user property id.`,
    ]);
  }
  expect(await warned(['ID'], JSON.stringify({ line1: 'Screws', nonce: 'a' }))).toEqual([
    'The user property "ID" is not read: the nonce identifies the command. Send the id of the command in the user property id.',
  ]);
  for (const names of [['id', 'message-id'], ['traceparent'], ['content-encoding'], []])
    expect(await warned(names), names.join(' ')).toEqual([]);
  expect(await warned(['id', 'id'])).toEqual(['The user property id is given twice. "k" counts.']);
  const empty = await ask(`devices/${ONE}/set`, body, ['-D', 'PUBLISH', 'user-property', 'id', '']);
  expect(empty['warnings']).toEqual(['The user property id is empty, so a repetition would act again.']);
});

test('the answer to an order has the id of the order, and the id of the command as a user property', async () => {
  await open();
  await using answers = await subscribe(broker.port, 'erp/#');
  const order = { order_number: 'SO-1', items: [{ name: 'Screws', ordered_quantity: 1, deviceid: ONE }], nonce: 'n' };
  const properties = [
    ['user-property', 'id', 'job-7'],
    ['response-topic', 'erp/7'],
  ].flatMap((property) => ['-D', 'PUBLISH', ...property]);
  for (let round = 0; round < 2; round += 1)
    send('mosquitto_pub', broker.port, ['-t', `${BASE}/orders/set`, '-m', JSON.stringify(order), ...properties]);
  await until('both answers', () => answers.heard.length === 2);
  const [first, again] = answers.heard;
  const { id } = await station.get<{ id: number }>('/api/orders/SO-1/');
  expect(JSON.parse(first?.payload ?? '')).toMatchObject({ status: 201, id, order_number: 'SO-1', nonce: 'n' });
  expect(first?.userProperties).toEqual({ id: 'job-7' });
  expect(again).toEqual(first);
});

test('subscribers over MQTT 3.1.1 and 5 get the same callback with its webhook id', async () => {
  await open();
  await using old = await subscribe(broker.port, `${BASE}/callbacks/device`, ['-V', '311']);
  await using recent = await subscribe(broker.port, `${BASE}/callbacks/device`);
  expect(await status()).toMatchObject({ protocol: '5' });
  await pick(ONE, 'n1');
  await settle();
  await until('both callbacks', () => old.heard.length === 1 && recent.heard.length === 1);
  expect(broker.log()).toMatch(/p2, c1/);
  expect(old.heard[0]?.userProperties).toEqual({});
  expect(old.heard[0]?.payload).toBe(recent.heard[0]?.payload);
  const [delivery] = await station.get<Delivery[]>('/api/callbacks/');
  const headers = recent.heard[0]?.userProperties;
  expect(JSON.parse(old.heard[0]?.payload ?? '')).toEqual({
    ...delivery?.payload,
    webhook_id: headers?.['webhook-id'],
    revision: Number(headers?.['pickstation-revision']),
    time: headers?.['pickstation-time'],
    picked: Number(headers?.['pickstation-picked']),
  });
});

test.each(['', '311'])('a quick repetition gets the first answer, and lights once (MQTT %s)', async (version) => {
  await open();
  await using results = await subscribe(broker.port, `${BASE}/devices/result`);
  await station.post(`/api/device/${TWO}/`, { locationoverride: 'A-1-1' });
  const body = JSON.stringify({ location: 'A-1-1', line1: 'Screws', nonce: 'a' });
  const speaks = version === '' ? [] : ['-V', version];
  send('mosquitto_pub', broker.port, ['-t', `${BASE}/devices/set`, '-m', body, '--repeat', '5', ...speaks]);
  await until('five answers', () => results.heard.length === 5);
  expect(new Set(results.heard.map(({ payload }) => payload)).size).toBe(1);
  expect(JSON.parse(results.heard[0]?.payload ?? '')).toMatchObject({ status: 200, deviceid: TWO, nonce: 'a' });
  expect((await station.device(TWO)).commands).toHaveLength(1);
});

test('refuses a command whose response topic is not a topic for answers, with the reason, nonce and correlation', async () => {
  await open();
  await using results = await subscribe(broker.port, `${BASE}/devices/+/result`);
  const reasons = [
    [`${BASE}/orders/set`, 'the level "set"'],
    [`${BASE}/callbacks/device`, 'below shop/, where stations publish'],
    ['shop/erp/answers', 'below shop/, where stations publish'],
    ['erp/info', 'the level "info"'],
  ];
  for (const [topic = ''] of reasons) {
    const properties = [
      ['response-topic', topic],
      ['correlation-data', topic],
      ['user-property', 'id', `id of ${topic}`],
    ].flatMap((property) => ['-D', 'PUBLISH', ...property]);
    const body = '{"line1":"x","nonce":"a"}';
    send('mosquitto_pub', broker.port, ['-t', `${BASE}/devices/${ONE}/set`, '-m', body, ...properties]);
  }
  await until('the refusals', () => results.heard.length === reasons.length);
  for (const [number, [topic, reason = '']] of reasons.entries()) {
    const { payload, correlation } = results.heard[number] ?? {};
    expect(correlation).toBe(topic);
    expect(JSON.parse(payload ?? '')).toMatchObject({
      status: 400,
      nonce: 'a',
      id: `id of ${topic}`,
      detail: expect.stringContaining(reason) as string,
    });
  }
  expect((await station.device(ONE)).commands).toEqual([]);
});

test('runs commands that waited for the station only if they have an expiry', async () => {
  await broker.stop();
  await broker.start(['allow_anonymous true', 'persistence true', 'autosave_interval 1', 'autosave_on_changes true']);
  await open();
  await station.halt();
  const waits = (line1: string, ...args: string[]): string =>
    send('mosquitto_pub', broker.port, ['-t', `${BASE}/devices/${ONE}/set`, '-m', JSON.stringify({ line1 }), ...args]);
  waits('For a day', '-D', 'PUBLISH', 'message-expiry-interval', '86400');
  waits('For a second', '-D', 'PUBLISH', 'message-expiry-interval', '1');
  waits('For ever');
  // The broker restarts as well, and its own counting continues.
  await broker.stop();
  await new Promise((resolve) => void setTimeout(resolve, 2_500));
  await broker.start();
  await using results = await subscribe(broker.port, `${BASE}/devices/+/result`);
  await station.restart();
  await until('both answers', async () => {
    await station.clock.advance(0);
    return results.heard.length >= 2;
  });
  const answers = results.heard.map(({ payload }) => JSON.parse(payload) as { status: number; detail?: string });
  expect(answers.map((answer) => answer.status)).toEqual([200, 410]);
  expect((await station.device(ONE)).commands).toMatchObject([{ line1: 'For a day' }]);
});

test('connects over TLS with its own CA, a client certificate and a password, and reports why a connection fails', async () => {
  const server = selfSigned('broker', 'localhost');
  const client = selfSigned('counter');
  const file = (name: string, text: string): string => {
    writeFileSync(join(broker.folder, name), text);
    return join(broker.folder, name);
  };
  const lines = [
    `cafile ${file('ca.pem', client.cert)}`,
    `certfile ${file('cert.pem', server.cert)}`,
    `keyfile ${file('key.pem', server.key)}`,
    'require_certificate true',
    'allow_anonymous false',
    `password_file ${file('passwords', '')}`,
  ];
  chmodSync(join(broker.folder, 'passwords'), 0o600);
  execFileSync('mosquitto_passwd', ['-b', join(broker.folder, 'passwords'), 'pick', 'right']);
  await broker.stop();
  await broker.start(lines);
  await open({
    mqtt_url: `mqtts://localhost:${broker.port}`,
    mqtt_ca: server.cert,
    mqtt_cert: client.cert,
    mqtt_key: client.key,
    mqtt_username: 'pick',
    mqtt_password: 'right',
  });
  expect(await status()).toMatchObject({ state: 'connected', problem: null, protocol: '5' });
  const told = async (change: object) => {
    await station.patch('/api/settings/', change);
    await settle();
    return status();
  };
  expect(await told({ mqtt_password: 'wrong' })).toMatchObject({
    state: 'refused',
    problem: expect.stringMatching(/^The broker does not .* \(0x8[67]\)$/) as string,
  });
  expect(await told({ mqtt_password: 'right', mqtt_ca: '' })).toMatchObject({
    state: 'error',
    problem: expect.stringContaining('The certificate of the broker is not trusted.') as string,
  });
  expect(await told({ mqtt_ca: server.cert, mqtt_cert: '', mqtt_key: null })).toMatchObject({
    state: 'error',
    problem: expect.stringContaining('mqtt_cert and mqtt_key') as string,
  });
  expect(await told({ mqtt_url: `mqtt://localhost:${broker.port}` })).toMatchObject({
    state: 'error',
    problem: expect.stringMatching(/^The broker closed the connection/) as string,
  });
  expect(
    await told({ mqtt_url: `mqtts://localhost:${broker.port}`, mqtt_cert: client.cert, mqtt_key: client.key }),
  ).toMatchObject({ state: 'connected' });
});

test('an ACL that denies callbacks delays them, and they arrive in order once it allows them', async () => {
  const rights = (more: string): void =>
    writeFileSync(
      join(broker.folder, 'acl'),
      `topic read shop/#\ntopic write shop/counter/+\ntopic write shop/counter/devices/#\ntopic write shop/counter/echo/#\n${more}`,
    );
  rights('');
  await broker.stop();
  await broker.start(['allow_anonymous true', `acl_file ${join(broker.folder, 'acl')}`]);
  await open();
  await using callbacks = await subscribe(broker.port, `${BASE}/callbacks/#`);
  for (const nonce of ['n1', 'n2', 'n3']) await pick(ONE, nonce);
  await settle();
  const waiting = await station.get<Delivery[]>('/api/callbacks/?state=pending');
  expect(waiting.map(({ payload, attempts }) => [payload['nonce'], attempts > 0])).toEqual([
    ['n3', false],
    ['n2', false],
    ['n1', true],
  ]);
  expect(waiting[2]).toMatchObject({ receiver: 'mqtt', last_error: expect.stringContaining('(ACL)') as string });
  rights('topic write shop/counter/callbacks/#\n');
  broker.signal('SIGHUP');
  await until('the callbacks', async () => {
    await station.clock.advance(60_000);
    return callbacks.heard.length >= 3;
  });
  expect(callbacks.heard.map(({ payload }) => (JSON.parse(payload) as { nonce: string }).nonce)).toEqual([
    'n1',
    'n2',
    'n3',
  ]);
  expect((await status()).waiting).toBe(0);
});

test('without the right to read, the MQTT status is refused and names the ACL', async () => {
  writeFileSync(join(broker.folder, 'acl'), 'topic write shop/#\n');
  await broker.stop();
  await broker.start(['allow_anonymous true', `acl_file ${join(broker.folder, 'acl')}`]);
  await open({}, { receiverHangs: true });
  await until('a refusal', async () => {
    await station.clock.advance(2_000);
    return (await status()).state === 'refused';
  });
  expect((await status()).problem).toMatch(/rights of this user at the broker \(ACL\)/);
});

test('sends state and pending callbacks again to a broker that restarted without its memory', async () => {
  await open();
  await pick(ONE, 'n1');
  await broker.stop();
  await pick(ONE, 'n2');
  await broker.start();
  await using all = await subscribe(broker.port, `${BASE}/#`);
  await reconnected();
  await settle();
  await until('the state', () => all.at(`${BASE}/devices/${TWO}`).length > 0);
  await until('the callback', () => all.at(`${BASE}/callbacks/device`).length > 0);
  expect(
    all.at(`${BASE}/callbacks/device`).map(({ payload }) => (JSON.parse(payload) as { nonce: string }).nonce),
  ).toEqual(['n2']);
  // The session was lost together with its subscriptions.
  expect(await ask(`devices/${TWO}/set`, '{"line1":"x"}')).toMatchObject({ status: 200 });
});

test('stops while the broker hangs', async () => {
  await open({}, { receiverHangs: true });
  await reconnected();
  broker.signal('SIGSTOP');
  let hasStopped = false;
  const stopping = station.halt().then(() => (hasStopped = true));
  await until('the stop', async () => {
    await station.clock.advance(500);
    return hasStopped;
  });
  await stopping;
  broker.signal('SIGCONT');
});

test('clears the retained state of 2,500 removed devices', async () => {
  const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, { protocolVersion: 5 });
  const gone = Array.from(
    { length: 2_500 },
    (_, number) => `${BASE}/devices/51D0FF:${String(number).padStart(6, '0')}`,
  );
  for (const topic of gone) client.publish(topic, '{"old":true}', { retain: true, qos: 1 });
  await client.publishAsync('last', '', { qos: 1 });
  await client.endAsync();
  await open();
  await settle();
  await using left = await subscribe(broker.port, `${BASE}/devices/+`);
  await until('the devices', () => left.heard.length >= 2);
  expect(left.heard.filter(({ retained }) => retained).map(({ topic }) => topic)).toEqual([
    `${BASE}/devices/${ONE}`,
    `${BASE}/devices/${TWO}`,
  ]);
});

test('keeps working when the broker drops messages queued for an absent subscriber', async () => {
  await broker.stop();
  await broker.start(['allow_anonymous true', 'max_queued_messages 5', 'max_inflight_messages 1']);
  await open();
  const away = await subscribe(broker.port, `${BASE}/callbacks/#`, ['-c', '-i', 'away', '-x', '3600']);
  await away.stop();
  for (let number = 0; number < 12; number += 1) await pick(ONE, `n${number}`);
  await settle();
  // The broker acknowledged all of them. What it keeps for an absent subscriber is its own decision, as docs/mqtt.md
  // says.
  expect(await status()).toMatchObject({ state: 'connected', waiting: 0 });
  await using back = await subscribe(broker.port, `${BASE}/callbacks/#`, ['-c', '-i', 'away', '-x', '3600']);
  await pick(ONE, 'last');
  await until('the last', () => back.heard.some(({ payload }) => payload.includes('"last"')));
  expect(back.heard.length).toBeLessThan(13);
});

test('if two stations with the same id start together, one connects and the other is refused', async () => {
  await open({ mqtt_url: '' });
  await using second = await startTestStation({ simulate: 1, seed: 2 });
  const settings = { mqtt_url: `mqtt://127.0.0.1:${broker.port}`, mqtt_prefix: 'shop', mqtt_station: 'counter' };
  await Promise.all([station, second].map((each) => each.request('PATCH', '/api/settings/', settings)));
  const states = async (): Promise<string[]> => {
    for (const each of [station, second]) await each.clock.advance(3_000);
    return Promise.all([station, second].map(async (each) => (await each.get<MqttStatus>('/api/mqtt/')).state));
  };
  await until('one of them', async () => (await states()).toSorted().join() === 'connected,refused');
  for (let turn = 0; turn < 10; turn += 1) expect((await states()).toSorted()).toEqual(['connected', 'refused']);
});

test.each([
  ['closes', (socket: Socket) => void socket.on('error', () => undefined).end(), 'error'],
  ['never answers', (socket: Socket) => void socket.on('error', () => undefined), 'error'],
])('reports a broker that accepts and %s, and picking continues', async (_what, accept, state) => {
  const server = createServer(accept).listen(0, '127.0.0.1');
  await new Promise((resolve) => void server.once('listening', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    await open({ mqtt_url: `mqtt://127.0.0.1:${port}` }, { receiverHangs: true });
    await pick(ONE, 'n1');
    await until('the fault', async () => {
      await station.clock.advance(0);
      return (await status()).state === state;
    });
    expect(await status()).toMatchObject({
      waiting: 1,
      problem: expect.stringMatching(/^The broker .*\.( \(.*\))?$/) as string,
    });
  } finally {
    server.close();
  }
});

test('Home Assistant discovers each device, and loses it when the device is removed or the setting is turned off', async () => {
  await open({ mqtt_discovery: true });
  await using found = await subscribe(broker.port, 'homeassistant/#');
  await until('two devices', () => found.heard.length >= 2);
  const topic = 'homeassistant/device/counter_51D000000001/config';
  expect(JSON.parse(found.at(topic)[0]?.payload ?? '')).toMatchObject({
    device: { identifiers: ['counter_51D000000001'], name: ONE },
    availability_topic: `${BASE}/availability`,
  });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await settle();
  await until('the new name', () => found.at(topic).length === 2);
  expect(JSON.parse(found.at(topic)[1]?.payload ?? '')).toMatchObject({ device: { name: 'A-1' } });
  send('mosquitto_pub', broker.port, ['-t', 'homeassistant/status', '-m', 'online']);
  await until('all again', () => found.at(topic).length === 3);
  await station.request('DELETE', `/api/device/${TWO}/`);
  await settle();
  await until('the removal', () => found.at('homeassistant/device/counter_51D000000002/config').at(-1)?.payload === '');
  await station.patch('/api/settings/', { mqtt_discovery: false });
  await settle();
  await until('the end', () => found.at(topic).at(-1)?.payload === '');
  expect(readFileSync(join(broker.folder, 'mosquitto.conf'), 'utf8')).toContain('listener');
});

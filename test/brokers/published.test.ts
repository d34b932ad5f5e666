import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import type { TestMqtt } from '#shared/api/mqtt.ts';
import { until } from '../shells/until.ts';
import { send, subscribe } from './mosquitto.ts';
import { BASE, ONE, TWO, useBroker } from './brokerStation.ts';

const shop = useBroker();

test('another MQTT 5 client sees state, events and callbacks, and lights a device', async () => {
  await shop.open();
  await using all = await subscribe(shop.broker.port, `${BASE}/#`);
  await until('the retained state', () => all.heard.length >= 4);
  expect(await shop.status()).toMatchObject({ state: 'connected', protocol: '5' });
  expect(all.heard.every(({ retained }) => retained)).toBe(true);
  expect(all.heard.map(({ topic }) => topic).toSorted()).toEqual([
    `${BASE}/availability`,
    `${BASE}/devices/${ONE}`,
    `${BASE}/devices/${TWO}`,
    `${BASE}/info`,
  ]);
  const lit = await shop.ask(`devices/${ONE}/set`, JSON.stringify({ line1: 'Screws', nonce: 'a' }));
  expect(lit).toMatchObject({ status: 200, deviceid: ONE, nonce: 'a' });
  await shop.station.clock.advance(500);
  await shop.station.press(ONE);
  await shop.settle();
  await until('the callback', () => all.at(`${BASE}/callbacks/device`).length === 1);
  const [callback] = all.at(`${BASE}/callbacks/device`);
  const [delivery] = await shop.station.get<Delivery[]>('/api/callbacks/');
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
  expect(await shop.station.post<TestMqtt>('/api/mqtt/test/')).toMatchObject({ state: 'passed', protocol: '5' });
});

test('subscribers over MQTT 3.1.1 and 5 get the same callback with its webhook id', async () => {
  await shop.open();
  await using old = await subscribe(shop.broker.port, `${BASE}/callbacks/device`, ['-V', '311']);
  await using recent = await subscribe(shop.broker.port, `${BASE}/callbacks/device`);
  expect(await shop.status()).toMatchObject({ protocol: '5' });
  await shop.pick(ONE, 'n1');
  await shop.settle();
  await until('both callbacks', () => old.heard.length === 1 && recent.heard.length === 1);
  expect(shop.broker.log()).toMatch(/p2, c1/);
  expect(old.heard[0]?.userProperties).toEqual({});
  expect(old.heard[0]?.payload).toBe(recent.heard[0]?.payload);
  const [delivery] = await shop.station.get<Delivery[]>('/api/callbacks/');
  const headers = recent.heard[0]?.userProperties;
  expect(JSON.parse(old.heard[0]?.payload ?? '')).toEqual({
    ...delivery?.payload,
    webhook_id: headers?.['webhook-id'],
    revision: Number(headers?.['pickstation-revision']),
    time: headers?.['pickstation-time'],
    picked: Number(headers?.['pickstation-picked']),
  });
});

test('an ACL that denies callbacks delays them, and they arrive in order once it allows them', async () => {
  const rights = (more: string): void =>
    writeFileSync(
      join(shop.broker.folder, 'acl'),
      `topic read shop/#\ntopic write shop/counter/+\ntopic write shop/counter/devices/#\ntopic write shop/counter/echo/#\n${more}`,
    );
  rights('');
  await shop.broker.stop();
  await shop.broker.start(['allow_anonymous true', `acl_file ${join(shop.broker.folder, 'acl')}`]);
  await shop.open();
  await using callbacks = await subscribe(shop.broker.port, `${BASE}/callbacks/#`);
  for (const nonce of ['n1', 'n2', 'n3']) await shop.pick(ONE, nonce);
  await shop.settle();
  const waiting = await shop.station.get<Delivery[]>('/api/callbacks/?state=pending');
  expect(waiting.map(({ payload, attempts }) => [payload['nonce'], attempts > 0])).toEqual([
    ['n3', false],
    ['n2', false],
    ['n1', true],
  ]);
  expect(waiting[2]).toMatchObject({ receiver: 'mqtt', last_error: expect.stringContaining('(ACL)') as string });
  rights('topic write shop/counter/callbacks/#\n');
  shop.broker.signal('SIGHUP');
  await until('the callbacks', async () => {
    await shop.station.clock.advance(60_000);
    return callbacks.heard.length >= 3;
  });
  expect(callbacks.heard.map(({ payload }) => (JSON.parse(payload) as { nonce: string }).nonce)).toEqual([
    'n1',
    'n2',
    'n3',
  ]);
  expect((await shop.status()).waiting).toBe(0);
});

test('sends state and pending callbacks again to a broker that lost its memory in a restart', async () => {
  await shop.open();
  await shop.pick(ONE, 'n1');
  await shop.broker.stop();
  await shop.pick(ONE, 'n2');
  await shop.broker.start();
  await using all = await subscribe(shop.broker.port, `${BASE}/#`);
  await shop.reconnected();
  await shop.settle();
  await until('the state', () => all.at(`${BASE}/devices/${TWO}`).length > 0);
  await until('the callback', () => all.at(`${BASE}/callbacks/device`).length > 0);
  expect(
    all.at(`${BASE}/callbacks/device`).map(({ payload }) => (JSON.parse(payload) as { nonce: string }).nonce),
  ).toEqual(['n2']);
  // The broker lost the session and its subscriptions, so the station must have subscribed again.
  expect(await shop.ask(`devices/${TWO}/set`, '{"line1":"x"}')).toMatchObject({ status: 200 });
});

test('clears the retained state of 2,500 removed devices', async () => {
  const client = await connectAsync(`mqtt://127.0.0.1:${shop.broker.port}`, { protocolVersion: 5 });
  const gone = Array.from(
    { length: 2_500 },
    (_, number) => `${BASE}/devices/51D0FF:${String(number).padStart(6, '0')}`,
  );
  for (const topic of gone) client.publish(topic, '{"old":true}', { retain: true, qos: 1 });
  await client.publishAsync('last', '', { qos: 1 });
  await client.endAsync();
  await shop.open();
  await shop.settle();
  await using left = await subscribe(shop.broker.port, `${BASE}/devices/+`);
  await until('the devices', () => left.heard.length >= 2);
  expect(left.heard.filter(({ retained }) => retained).map(({ topic }) => topic)).toEqual([
    `${BASE}/devices/${ONE}`,
    `${BASE}/devices/${TWO}`,
  ]);
});

test('keeps working when the broker drops messages queued for an absent subscriber', async () => {
  await shop.broker.stop();
  await shop.broker.start(['allow_anonymous true', 'max_queued_messages 5', 'max_inflight_messages 1']);
  await shop.open();
  const away = await subscribe(shop.broker.port, `${BASE}/callbacks/#`, ['-c', '-i', 'away', '-x', '3600']);
  await away.stop();
  for (let number = 0; number < 12; number += 1) await shop.pick(ONE, `n${number}`);
  await shop.settle();
  // The broker acknowledged all messages. It decides how many to keep for an absent subscriber (docs/mqtt.md).
  expect(await shop.status()).toMatchObject({ state: 'connected', waiting: 0 });
  await using back = await subscribe(shop.broker.port, `${BASE}/callbacks/#`, ['-c', '-i', 'away', '-x', '3600']);
  await shop.pick(ONE, 'last');
  await until('the last', () => back.heard.some(({ payload }) => payload.includes('"last"')));
  expect(back.heard.length).toBeLessThan(13);
});

test('Home Assistant discovers each device, and loses it when the device is removed or the setting is turned off', async () => {
  await shop.open({ mqtt_discovery: true });
  await using found = await subscribe(shop.broker.port, 'homeassistant/#');
  await until('two devices', () => found.heard.length >= 2);
  const topic = 'homeassistant/device/counter_51D000000001/config';
  expect(JSON.parse(found.at(topic)[0]?.payload ?? '')).toMatchObject({
    device: { identifiers: ['counter_51D000000001'], name: ONE },
    availability_topic: `${BASE}/availability`,
  });
  await shop.station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await shop.settle();
  await until('the new name', () => found.at(topic).length === 2);
  expect(JSON.parse(found.at(topic)[1]?.payload ?? '')).toMatchObject({ device: { name: 'A-1' } });
  send('mosquitto_pub', shop.broker.port, ['-t', 'homeassistant/status', '-m', 'online']);
  await until('all again', () => found.at(topic).length === 3);
  await shop.station.request('DELETE', `/api/device/${TWO}/`);
  await shop.settle();
  await until('the removal', () => found.at('homeassistant/device/counter_51D000000002/config').at(-1)?.payload === '');
  await shop.station.patch('/api/settings/', { mqtt_discovery: false });
  await shop.settle();
  await until('the end', () => found.at(topic).at(-1)?.payload === '');
  expect(readFileSync(join(shop.broker.folder, 'mosquitto.conf'), 'utf8')).toContain('listener');
});

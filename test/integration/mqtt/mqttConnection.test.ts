import { expect, test } from 'vitest';
import type { MqttStatus, TestMqtt } from '#shared/api/mqtt.ts';
import { startBroker } from '../../helpers/servers/broker.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';
import { BASE, useMqtt } from './mqttRig.ts';

const shop = useMqtt();

test('publishes its info and online state, and uses MQTT 3.1.1 if the broker does not support version 5', async () => {
  expect(await shop.status()).toMatchObject({
    state: 'connected',
    problem: null,
    protocol: '3.1.1',
    station: 'counter',
  });
  expect(shop.broker.stored().get(`${BASE}/availability`)).toBe('online');
  expect(JSON.parse(shop.broker.stored().get(`${BASE}/info`) ?? '')).toMatchObject({
    station: 'counter',
    url: shop.station.url,
    devices: 2,
    protocol: 1,
  });
  expect(await shop.station.post<TestMqtt>('/api/mqtt/test/')).toMatchObject({ state: 'passed', protocol: '3.1.1' });
  await shop.station.patch('/api/settings/', { mqtt_url: '' });
  await shop.settle();
  expect(await shop.status()).toMatchObject({ state: 'off', log: [] });
  expect(shop.broker.stored().get(`${BASE}/availability`)).toBe('offline');
});

test('after a killed connection the broker retains "offline", and the station reconnects automatically', async () => {
  shop.broker.cut();
  await expect.poll(() => shop.broker.stored().get(`${BASE}/availability`)).toBe('offline');
  expect((await shop.status()).state).toBe('error');
  await shop.station.clock.advance(5_000);
  await shop.settle();
  expect((await shop.status()).state).toBe('connected');
  expect(shop.broker.stored().get(`${BASE}/availability`)).toBe('online');
});

test('a long outage of the broker raises an alert, which ends after reconnecting', async () => {
  const { host } = new URL(shop.broker.url);
  const port = Number(new URL(shop.broker.url).port);
  await shop.broker.stop();
  await shop.station.clock.advance(4 * 60_000);
  expect(await shop.station.get('/api/alerts/')).toEqual([]);
  await shop.station.clock.advance(2 * 60_000);
  expect(await shop.station.get('/api/alerts/')).toMatchObject([{ kind: 'receiver_failing', about: host }]);
  await shop.startBrokerAt(port);
  await shop.station.clock.advance(60_000);
  await shop.settle();
  expect(await shop.station.get('/api/alerts/')).toEqual([]);
});

test('a station killed together with the broker reconnects, although the broker still lists it as online', async () => {
  await shop.station.halt();
  await shop.broker.publish(`${BASE}/availability`, 'online', true);
  await shop.station.restart();
  await shop.settle();
  expect((await shop.status()).state).toBe('connected');
});

test('a second station with the same id is refused until the first changes its id', async () => {
  await using second = await startTestStation({ simulate: 1, seed: 2 });
  await second.patch('/api/settings/', { mqtt_url: shop.broker.url, mqtt_prefix: 'shop', mqtt_station: 'counter' });
  await second.clock.advance(1_000);
  expect(await second.get<MqttStatus>('/api/mqtt/')).toMatchObject({
    state: 'refused',
    problem: expect.stringContaining(`Another station with the id "counter" is online`) as string,
  });
  await second.clock.advance(60_000);
  expect((await shop.status()).state).toBe('connected');
  expect((await second.get<MqttStatus>('/api/mqtt/')).state).toBe('refused');
  await shop.station.patch('/api/settings/', { mqtt_station: 'other' });
  await shop.settle();
  await second.clock.advance(60_000);
  expect((await second.get<MqttStatus>('/api/mqtt/')).state).toBe('connected');
});

test('explains a wrong password and an address without a broker', async () => {
  const closed = await startBroker({
    authenticate: (_client, _user, _password, done) => done(Object.assign(new Error('no'), { returnCode: 4 }), false),
  });
  try {
    await shop.station.patch('/api/settings/', { mqtt_url: closed.url, mqtt_username: 'pick', mqtt_password: 'wrong' });
    await shop.settle();
    const { state, problem, waiting } = await shop.status();
    expect({ state, problem, waiting }).toEqual({
      state: 'refused',
      problem: 'The broker does not accept the user name or password. Check mqtt_username and mqtt_password. (0x86)',
      waiting: 0,
    });
    expect(await shop.station.post<TestMqtt>('/api/mqtt/test/')).toMatchObject({ state: 'failed', problem });
    // The URL leads to a web server instead of a broker.
    await shop.station.patch('/api/settings/', { mqtt_url: shop.station.url.replace('http:', 'mqtt:') });
    await shop.settle();
    expect(await shop.status()).toMatchObject({
      state: 'error',
      problem: expect.stringMatching(/^The broker /) as string,
    });
  } finally {
    await closed.stop();
  }
});

test('the password and the key are never returned', async () => {
  const settings = { mqtt_password: 'geheim', mqtt_key: '-----BEGIN PRIVATE KEY-----\ngeheim' };
  const answer = await shop.station.patch('/api/settings/', settings);
  expect(answer).toMatchObject({ mqtt_password_set: true, mqtt_key_set: true, mqtt_station: 'counter' });
  expect(JSON.stringify([answer, await shop.station.get('/api/settings/'), await shop.status()])).not.toContain(
    'geheim',
  );
  expect(await shop.station.patch('/api/settings/', { mqtt_station: '' })).toMatchObject({
    mqtt_station: expect.stringMatching(/^station-[0-9a-f]{8}$/) as string,
  });
});

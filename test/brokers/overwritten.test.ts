import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { MqttStatus } from '#shared/api/mqtt.ts';
import { until } from '../shells/until.ts';
import { openAt, settle } from './brokerStation.ts';
import { send, startMosquitto, subscribe } from './mosquitto.ts';

// Other clients overwrite a station's retained topics. Some messages only look as if they did.
const ONE = '51D000:000001';
const TWO = '51D000:000002';
const BASE = 'shop/counter';

test('restores retained topics that another client overwrites, at most once a minute, with one alert', async () => {
  await using broker = await startMosquitto();
  await using station = await openAt(broker.port, 'counter', { seed: 1 });
  const stored = (topic: string): string =>
    send('mosquitto_sub', broker.port, ['-t', `${BASE}/${topic}`, '-C', '1', '-W', '5']).trim();
  const write = (topic: string, text: string): string =>
    send('mosquitto_pub', broker.port, ['-t', `${BASE}/${topic}`, '-r', ...(text === '' ? ['-n'] : ['-m', text])]);
  const heard = async (topic: string): Promise<void> => {
    await until(`the foreign message on ${topic}`, async () => {
      await station.clock.advance(0);
      const { log } = await station.get<MqttStatus>('/api/mqtt/');
      return log.some(({ direction, topic: each }) => direction === 'in' && each === `${BASE}/${topic}`);
    });
    await settle(station);
  };
  const order = { order_number: 'A/1', items: [{ name: 'Screws', ordered_quantity: 1, deviceid: TWO }] };
  await station.post('/api/orders/', order);
  await settle(station);
  const right = ['availability', 'orders/A%2F1'].map(stored);
  for (const topic of ['availability', 'info', 'orders/A%2F1', `devices/${ONE}`]) write(topic, 'offline');
  write(`devices/${TWO}`, '');
  write('orders/made-up', '{}');
  await heard('orders/made-up');
  expect(['availability', 'orders/A%2F1'].map(stored)).toEqual(right);
  expect(JSON.parse(stored(`devices/${ONE}`))).toMatchObject({ deviceid: ONE });
  expect(JSON.parse(stored('info'))).toMatchObject({ station: 'counter' });
  expect(JSON.parse(stored(`devices/${TWO}`))).toMatchObject({ deviceid: TWO });
  await using all = await subscribe(broker.port, `${BASE}/#`);
  await until('the retained state', () => all.heard.length >= 5);
  expect(all.at(`${BASE}/orders/made-up`)).toEqual([]);
  write('availability', 'gone');
  await until('the second message', () => all.at(`${BASE}/availability`).some(({ payload }) => payload === 'gone'));
  await station.clock.advance(30_000);
  expect(all.at(`${BASE}/availability`).at(-1)?.payload).toBe('gone');
  await station.clock.advance(31_000);
  await until('the restored availability', () => all.at(`${BASE}/availability`).at(-1)?.payload === 'online');
  const alerts = await station.get<{ kind: string; about: string; problem: string }[]>('/api/alerts/');
  expect(alerts).toMatchObject([{ kind: 'mqtt_overwritten', about: BASE }]);
  expect(alerts[0]?.problem).toContain('wrote to 6 topics');
});

test('runs a command only once if its topic also matches the topics of devices and orders', async () => {
  await using broker = await startMosquitto();
  await using station = await openAt(broker.port, 'counter', { seed: 1 });
  await using results = await subscribe(broker.port, `${BASE}/#`);
  for (const qos of ['0', '1', '2']) {
    const body = JSON.stringify({ deviceid: ONE, line1: `With ${qos}` });
    send('mosquitto_pub', broker.port, ['-t', `${BASE}/devices/set`, '-m', body, '-q', qos]);
  }
  const order = JSON.stringify({ order_number: 'A-1', items: [{ name: 'Screws', ordered_quantity: 1 }] });
  send('mosquitto_pub', broker.port, ['-t', `${BASE}/orders/set`, '-m', order]);
  await until('the answers', async () => {
    await station.clock.advance(100);
    return results.at(`${BASE}/devices/result`).length >= 3 && results.at(`${BASE}/orders/result`).length > 0;
  });
  await settle(station);
  expect(results.at(`${BASE}/devices/result`)).toHaveLength(3);
  expect(results.at(`${BASE}/orders/result`)).toHaveLength(1);
  expect(await station.get('/api/orders/')).toHaveLength(1);
  expect(await station.get('/api/alerts/')).toEqual([]);
});

test('the will of a lost connection raises no alert and does not remain on the broker', async () => {
  await using broker = await startMosquitto();
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const onward = connect(broker.port, '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const)
      from
        .on('close', () => to.destroy())
        .on('error', () => undefined)
        .pipe(to);
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  await using station = await openAt((proxy.address() as AddressInfo).port, 'counter', { seed: 1 });
  await using all = await subscribe(broker.port, `${BASE}/availability`);
  for (const socket of sockets) socket.destroy();
  await until('the will', () => all.heard.at(-1)?.payload === 'offline');
  await until('the connection', async () => {
    await station.clock.advance(5_000);
    return (await station.get<MqttStatus>('/api/mqtt/')).state === 'connected';
  });
  await settle(station);
  await until('that it is online', () => all.heard.at(-1)?.payload === 'online');
  await settle(station);
  expect(await station.get('/api/alerts/')).toEqual([]);
  proxy.close();
});

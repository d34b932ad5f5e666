import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startRudeReceiver, type RudeReceiver } from '../../helpers/servers/rudeReceiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';

let station: TestStation;
let receiver: Receiver;
const stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 1, refreshMs: 0, receiverHangs: true });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a receiver whose connections `connected` handles byte by byte. The receiver stops at the end of the test. */
async function startRude(connected: (socket: Socket) => void): Promise<RudeReceiver> {
  const rude = await startRudeReceiver(connected);
  stops.push(rude.stop);
  return rude;
}

/** Presses the idle device `count` times. Each press queues a callback. */
async function call(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await station.press(DEVICE, 'front', 'long');
}

async function deliveries(state?: Delivery['state']): Promise<Delivery[]> {
  const path = `/api/callbacks/?limit=1000${state === undefined ? '' : `&state=${state}`}`;
  return (await station.request('GET', path)).body as Delivery[];
}

/** Polls the station until its deliveries meet this condition. */
async function untilDeliveries(holds: (all: Delivery[]) => boolean): Promise<Delivery[]> {
  for (;;) {
    const all = await deliveries();
    if (holds(all)) return all;
  }
}

test('aborts a request to a hanging receiver after the timeout, and retries', async () => {
  await station.patch('/api/settings/', { callback_timeout: 3 });
  receiver.reply('hang');
  await call(1);
  await receiver.received(1);
  await station.clock.advance(2_900);
  expect(await deliveries()).toMatchObject([{ state: 'pending', attempts: 0 }]);
  await station.clock.advance(200);
  const [given] = await untilDeliveries(([delivery]) => delivery?.attempts === 1);
  expect(given).toMatchObject({
    state: 'pending',
    last_status: null,
    last_error: expect.stringContaining('3 s') as string,
  });
  receiver.reply(200);
  await station.clock.advance(10_000);
  await receiver.received(2);
  await untilDeliveries(([delivery]) => delivery?.state === 'delivered');
});

test('while a receiver hangs, presses are committed, commands light up, and other deliveries continue', async () => {
  receiver.reply(({ body }) => (body.includes('"call"') ? 'hang' : 200));
  await call(30);
  await receiver.received(30);
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce: 'quick' });
  await station.clock.advance(1_000);
  await station.press(DEVICE);
  await receiver.received(31);
  expect(receiver.payloads().at(-1)).toMatchObject({ acknack: 'ack', nonce: 'quick' });
  await untilDeliveries((all) =>
    all.some(({ state, payload }) => state === 'delivered' && payload['nonce'] === 'quick'),
  );
  expect(await deliveries('pending')).toHaveLength(30);
});

test('a hanging receiver uses a limited number of connections, and every delivery is attempted', async () => {
  let most = 0;
  const rude = await startRude((socket) => {
    most = Math.max(most, rude.open());
    socket.resume();
  });
  await station.patch('/api/settings/', { callback_url: rude.url });
  await call(100);
  await station.clock.advance(1_000);
  expect((await station.device(DEVICE)).state).toBe('static');
  expect(most).toBeLessThanOrEqual(64);
  await station.clock.advance(11_000);
  const tried = (all: Delivery[]) => all.filter(({ attempts }) => attempts === 1).length;
  await untilDeliveries((all) => tried(all) === 64);
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(20_000);
  await untilDeliveries((all) => all.every(({ state }) => state === 'delivered'));
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
});

test('deliveries in flight when the station stops stay pending and are sent after the next start', async () => {
  receiver.reply('hang');
  await call(3);
  await receiver.received(3);
  receiver.reply(200);
  await station.restart();
  await receiver.received(6);
  const all = await untilDeliveries((some) => some.every(({ state }) => state === 'delivered'));
  expect(all.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  const ids = receiver.requests.map(({ headers }) => String(headers['webhook-id']));
  expect(ids.slice(3).toSorted()).toEqual(ids.slice(0, 3).toSorted());
});

const failures: [why: string, connected: (socket: Socket) => void][] = [
  ['closes the connection before the request arrives', (socket) => socket.destroy()],
  [
    'resets the connection after receiving the request',
    (socket) => socket.once('data', () => socket.resetAndDestroy()),
  ],
  ['closes the connection without an answer', (socket) => socket.once('data', () => socket.end())],
  [
    'closes the connection within the headers',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-')),
  ],
  ['does not speak HTTP', (socket) => socket.once('data', () => socket.end('+OK ready\r\n'))],
  [
    'switches to another protocol',
    (socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      ),
  ],
  [
    'sends endless headers',
    (socket) => socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(200_000)}`)),
  ],
];

for (const [why, connected] of failures) {
  test(`a callback to a receiver that ${why} fails and is retried`, async () => {
    const rude = await startRude(connected);
    await station.patch('/api/settings/', { callback_url: rude.url });
    await call(1);
    const [failed] = await untilDeliveries(([delivery]) => (delivery?.attempts ?? 0) > 0);
    expect(failed).toMatchObject({
      state: 'pending',
      attempts: 1,
      last_status: null,
      last_error: expect.any(String) as string,
    });
    await station.patch('/api/settings/', { callback_url: receiver.url });
    await station.clock.advance(10_000);
    await receiver.received(1);
  });
}

test('a refused connection is reported as refused', async () => {
  const gone = await startReceiver();
  await gone.stop();
  await station.patch('/api/settings/', { callback_url: gone.url });
  await call(1);
  const [failed] = await untilDeliveries(([delivery]) => (delivery?.attempts ?? 0) > 0);
  expect(failed).toMatchObject({ state: 'pending', last_error: expect.stringContaining('ECONNREFUSED') as string });
});

const successes: [why: string, answer: string][] = [
  [
    'sends early hints before its answer',
    'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
  ],
  ['speaks HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nfine'],
  ['closes the connection within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
  [
    'answers with a body that cannot be decompressed',
    'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nno',
  ],
];

for (const [why, answer] of successes) {
  test(`a callback to a receiver that ${why} is delivered`, async () => {
    const rude = await startRude((socket) => socket.once('data', () => socket.end(answer)));
    await station.patch('/api/settings/', { callback_url: rude.url });
    await call(1);
    const [delivered] = await untilDeliveries(([delivery]) => (delivery?.attempts ?? 0) > 0);
    expect(delivered).toMatchObject({ state: 'delivered', attempts: 1, last_error: null });
  });
}

test('a 200 status with an endless response body counts as delivered, and the connection is closed', async () => {
  let sent = 0;
  const cut = new Promise<void>((resolve) => {
    void startRude((socket) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write('x'.repeat(16_384))) sent += 16_384;
      };
      socket.on('drain', more);
      socket.on('close', () => resolve());
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n');
        more();
      });
    }).then(({ url }) => station.patch('/api/settings/', { callback_url: url }).then(() => call(1)));
  });
  await cut;
  expect(await untilDeliveries(([delivery]) => delivery?.state === 'delivered')).toHaveLength(1);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test('answers that never end count by their status and do not accumulate', async () => {
  const rude = await startRude((socket) =>
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\ndrip')),
  );
  await station.patch('/api/settings/', { callback_url: rude.url });
  await call(100);
  await untilDeliveries((all) => all.length === 100 && all.every(({ state }) => state === 'delivered'));
  while (rude.open() > 64) await deliveries();
});

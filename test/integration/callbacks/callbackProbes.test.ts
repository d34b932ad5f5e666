import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import type { HttpAnswer } from '../../../electron/server/ports.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let station: TestStation;
/** Webhook ids in the order of sending, with their times. `mostUnderWay` is the maximum number of simultaneous requests. */
let sent: { id: string; at: number }[];
let mostUnderWay: number;
let reply: (id: string) => { status: number; retryAfter?: string } | 'hang';

beforeEach(() => start());

async function start(options: { receiverHangs?: boolean } = {}): Promise<void> {
  sent = [];
  mostUnderWay = 0;
  let underWay = 0;
  reply = () => ({ status: 200 });
  station = await startTestStation({
    simulate: 1,
    refreshMs: 0,
    ...options,
    http: {
      send({ headers }) {
        const id = headers['webhook-id'] ?? '';
        sent.push({ id, at: station.clock.now() });
        underWay += 1;
        mostUnderWay = Math.max(mostUnderWay, underWay);
        const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
        const said = reply(id);
        const end = (): void => void (underWay -= 1);
        if (said !== 'hang') {
          setImmediate(() => {
            end();
            resolve({ retryAfter: undefined, ...said, headers: {}, body: new Uint8Array(), isWhole: true });
          });
        }
        return {
          answer: promise,
          giveUp() {
            end();
            reject(new Error('It was given up.'));
          },
        };
      },
      stop: () => undefined,
    },
  });
  await station.patch('/api/settings/', { callback_url: 'http://10.0.0.9/hook', backup_every: 0 });
  await station.clock.advance(5 * SECOND);
}

afterEach(() => station.stop());

async function press(count = 1): Promise<void> {
  for (let pressed = 0; pressed < count; pressed += 1) await station.press(DEVICE, 'front', 'long');
  await station.clock.advance(0);
}

const deliveries = () => station.get<Delivery[]>('/api/callbacks/?limit=1000');
const states = async () => new Set((await deliveries()).map(({ state }) => state));
/** Returns the times at which this delivery was attempted, in whole seconds after `from`. */
const timesOf = (id: string | undefined, from: number) =>
  sent.filter((one) => one.id === id).map(({ at }) => Math.round((at - from) / SECOND));

test('the oldest delivery is also attempted after 5 s, 10 s and then every 20 s, for ten minutes', async () => {
  reply = () => ({ status: 503 });
  const from = station.clock.now();
  await press();
  await station.clock.advance(SECOND);
  await press();
  await station.clock.advance(12 * MINUTE);
  const [oldest, newer] = [...new Set(sent.map(({ id }) => id))];
  const times = timesOf(oldest, from);
  const [last = 0] = times.slice(-1);
  expect(times.slice(0, 6)).toEqual([0, 5, 15, 35, 36, 55].map((at) => expect.closeTo(at, -0.7) as number));
  expect(times.length).toBeGreaterThan(30);
  expect(last).toBeLessThanOrEqual(10 * 60);
  expect(last).toBeGreaterThan(9 * 60);
  // Newer deliveries follow only their schedule: 5 s, 30 s, 2 min, 10 min.
  expect(timesOf(newer, from).length).toBe(4);
});

test('a receiver that was down for 60 s gets all callbacks within seconds, even without new events', async () => {
  reply = () => ({ status: 503 });
  await press(30);
  await station.clock.advance(MINUTE);
  reply = () => ({ status: 200 });
  await station.clock.advance(21 * SECOND);
  expect(await states()).toEqual(new Set(['delivered']));
});

test('a receiver that hangs gets only one request at a time', async () => {
  await station.stop();
  await start({ receiverHangs: true });
  await station.patch('/api/settings/', { callback_timeout: 60 });
  reply = () => 'hang';
  await press();
  await station.clock.advance(9 * MINUTE);
  expect(sent.length).toBeGreaterThan(6);
  expect(mostUnderWay).toBe(1);
});

test('early attempts count as attempts, but do not change the schedule', async () => {
  reply = () => ({ status: 503 });
  const from = station.clock.now();
  await press();
  await station.clock.advance(11 * MINUTE);
  const [delivery] = await deliveries();
  expect(delivery?.attempts).toBe(sent.length);
  // The attempts follow after 5 s, 30 s, 2 min and 10 min, each delayed by up to a tenth.
  const dueS = (Date.parse(delivery?.next_attempt ?? '') - from) / SECOND;
  expect(dueS).toBeGreaterThan(755);
  expect(dueS).toBeLessThan(755 * 1.1 + 5);
});

test('Retry-After also delays early attempts', async () => {
  reply = () => ({ status: 429, retryAfter: '120' });
  const from = station.clock.now();
  await press();
  await station.clock.advance(119 * SECOND);
  expect(sent).toHaveLength(1);
  await station.clock.advance(2 * SECOND);
  expect(timesOf(sent[0]?.id, from)).toEqual([0, 120]);
});

test('early attempts continue after a restart, but only in the first ten minutes of an outage', async () => {
  reply = () => ({ status: 503 });
  await press();
  await station.clock.advance(4 * MINUTE);
  await station.restart();
  let before = sent.length;
  await station.clock.advance(50 * SECOND);
  expect(sent.length).toBeGreaterThan(before + 1);
  await station.clock.advance(6 * MINUTE);
  before = sent.length;
  await station.restart();
  await station.clock.advance(MINUTE);
  expect(sent.length).toBe(before);
});

test('a delivery that is always refused gets no early attempts once the receiver has accepted another delivery', async () => {
  await press();
  reply = () => ({ status: 400 });
  await press();
  await station.clock.advance(6 * SECOND);
  const refused = sent.at(-1)?.id ?? '';
  reply = (id) => ({ status: id === refused ? 400 : 200 });
  await press();
  await station.clock.advance(SECOND);
  const before = timesOf(refused, 0).length;
  for (let pressed = 0; pressed < 20; pressed += 1) {
    await press();
    await station.clock.advance(SECOND);
  }
  expect(timesOf(refused, 0).length).toBe(before);
});

test('makes no early attempts while the URL is empty, and tries a new URL within a second', async () => {
  reply = () => ({ status: 503 });
  await press();
  await station.patch('/api/settings/', { callback_url: '' });
  await station.clock.advance(2 * MINUTE);
  expect((await deliveries())[0]?.attempts).toBeLessThan(4);
  reply = () => ({ status: 200 });
  await station.patch('/api/settings/', { callback_url: 'http://10.0.0.8/hook' });
  await station.clock.advance(SECOND);
  expect(await states()).toEqual(new Set(['delivered']));
});

test('a replay continues counting attempts and restarts the schedule', async () => {
  reply = () => ({ status: 503 });
  const from = station.clock.now();
  await press();
  await station.clock.advance(30 * MINUTE);
  const [delivery] = await deliveries();
  expect(delivery?.attempts).toBeGreaterThan(20);
  const [replayedAt, before] = [station.clock.now() - from, sent.length];
  expect(await station.post(`/api/callbacks/${delivery?.id}/replay/`)).toMatchObject({ attempts: delivery?.attempts });
  await station.clock.advance(MINUTE);
  const times = timesOf(delivery?.id, from + replayedAt).slice(before);
  expect(times[0]).toBe(0);
  expect(times[1]).toBeGreaterThanOrEqual(5);
  expect(times[1]).toBeLessThan(7);
  expect((await deliveries())[0]?.attempts).toBe(sent.length);
});

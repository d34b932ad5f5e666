import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url, backup_every: 0 });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

/** Causes a press with this nonce, then disconnects the hardware so that hours of fake time pass quickly. */
async function press(nonce: string): Promise<void> {
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(5_000);
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce });
  await station.clock.advance(1_000);
  await station.press(DEVICE);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
}

async function deliveries(state?: Delivery['state']): Promise<Delivery[]> {
  return station.get<Delivery[]>(`/api/callbacks/${state === undefined ? '' : `?state=${state}`}`);
}

const attempts = () => receiver.requests.length;

test('retries after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, then every 4 h for 72 h, each up to a tenth later, despite early attempts', async () => {
  receiver.reply(503);
  const times: number[] = [];
  receiver.reply(() => {
    times.push(station.clock.now());
    return 503;
  });
  await press('a');
  await station.clock.advance(100 * HOUR);
  const planned = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR];
  const [first = 0] = times;
  // During the first ten minutes, the oldest delivery also gets early attempts.
  const scheduled = [first];
  for (const wait of planned) {
    const from = (scheduled.at(-1) ?? 0) + wait;
    const found = times.find((time) => time >= from && time <= from + wait * 0.1 + 50);
    if (found === undefined) throw new Error(`There is no attempt ${wait} ms after ${scheduled.length} others.`);
    scheduled.push(found);
  }
  const isEarly = (time: number) => time - first <= 10 * MINUTE + SECOND && !scheduled.includes(time);
  const waits = times
    .filter((time) => !isEarly(time))
    .map((time, index, all) => time - (all[index - 1] ?? time))
    .slice(1);
  expect(waits.length).toBeGreaterThan(planned.length + 10);
  for (const [index, wait] of waits.entries()) {
    const least = planned[index] ?? 4 * HOUR;
    // The last wait can be shorter, because the last attempt is at the end of the 72 hours.
    if (index < waits.length - 1) expect(wait).toBeGreaterThanOrEqual(least);
    expect(wait).toBeLessThanOrEqual(least * 1.1 + 50);
  }
  expect(new Set(waits.slice(planned.length)).size).toBeGreaterThan(5);
  const lasted = (times.at(-1) ?? 0) - (times[0] ?? 0);
  expect(lasted).toBeGreaterThanOrEqual(72 * HOUR);
  expect(lasted).toBeLessThanOrEqual(72 * HOUR + 2 * MINUTE);
  expect(await deliveries()).toMatchObject([
    {
      state: 'dead',
      attempts: times.length,
      next_attempt: null,
      last_status: 503,
      last_error: expect.stringContaining('503') as string,
    },
  ]);
});

test('all attempts have the same id and payload, even if the data has changed', async () => {
  receiver.reply(500);
  await station.post(`/api/device/${DEVICE}/`, { locationoverride: 'before' });
  await press('a');
  await station.post(`/api/device/${DEVICE}/`, { locationoverride: 'after' });
  await station.clock.advance(HOUR);
  expect(attempts()).toBeGreaterThan(4);
  expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(receiver.payloads()[0]).toMatchObject({ location: 'before' });
});

test('delivers only once, as soon as the receiver recovers', async () => {
  receiver.reply(500);
  await press('a');
  await station.clock.advance(MINUTE);
  receiver.reply(204);
  await station.clock.advance(10 * HOUR);
  const count = attempts();
  expect(await deliveries()).toMatchObject([
    { state: 'delivered', attempts: count, last_status: 204, last_error: null },
  ]);
  await station.clock.advance(10 * HOUR);
  expect(attempts()).toBe(count);
});

test('each attempt uses the current URL and method', async () => {
  receiver.reply(500);
  await press('a');
  const other = await startReceiver();
  try {
    await station.patch('/api/settings/', { callback_url: `${other.url}{nonce}/{acknack}` });
    await station.clock.advance(10 * SECOND);
    expect(attempts()).toBe(1);
    expect(other.requests).toMatchObject([{ method: 'GET', url: '/a/ack' }]);
    expect(await deliveries()).toMatchObject([{ state: 'delivered', url: `${other.url}{nonce}/{acknack}` }]);
  } finally {
    await other.stop();
  }
});

test('removing the URL keeps deliveries pending until a URL is set', async () => {
  receiver.reply(500);
  await press('a');
  await station.patch('/api/settings/', { callback_url: '' });
  await station.clock.advance(HOUR);
  expect(attempts()).toBe(1);
  expect(await deliveries('pending')).toHaveLength(1);
  receiver.reply(200);
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(4 * HOUR);
  expect(await deliveries()).toMatchObject([{ state: 'delivered' }]);
});

test('respects Retry-After in seconds and as a date', async () => {
  const retryAfter = (value: string) => ({ status: 429, headers: { 'retry-after': value } });
  receiver.reply(retryAfter('600'));
  await press('seconds');
  await station.clock.advance(9 * MINUTE + 50 * SECOND);
  expect(attempts()).toBe(1);
  receiver.reply(retryAfter(new Date(station.clock.now() + 2 * HOUR).toUTCString()));
  await station.clock.advance(MINUTE);
  expect(attempts()).toBe(2);
  await station.clock.advance(HOUR + 55 * MINUTE);
  expect(attempts()).toBe(2);
  receiver.reply(200);
  await station.clock.advance(10 * MINUTE);
  expect(attempts()).toBe(3);
  expect(await deliveries()).toMatchObject([{ state: 'delivered' }]);
});

test('a redirect is a failure, and its target is never called', async () => {
  const elsewhere = await startReceiver();
  try {
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.reply({ status, headers: { location: elsewhere.url } });
      await press(`r${status}`);
      await station.clock.advance(MINUTE);
    }
    expect(elsewhere.requests).toEqual([]);
    expect(await deliveries('pending')).toHaveLength(5);
  } finally {
    await elsewhere.stop();
  }
});

test.each([
  [302, 'https://script.googleusercontent.com/macros/echo?user_content_key=x', 'End doPost with return HtmlService'],
  [302, 'https://accounts.google.com/ServiceLogin?continue=x', 'Deploy it as a web app to which anyone has access.'],
  [303, '/thanks', 'make it answer 2xx instead. Otherwise, the callback is repeated.'],
  [308, 'https://shop.example/hook', 'The receiver answered 308. Redirects are not followed: enter the final address.'],
])('the error of a redirect (%i to %s) says what to do', async (status, location, says) => {
  receiver.reply({ status, headers: { location } });
  await press('a');
  expect(await deliveries('pending')).toMatchObject([{ last_error: expect.stringContaining(says) }]);
});

test('replaying a dead delivery restarts its schedule', async () => {
  receiver.reply(500);
  await press('a');
  await press('b');
  await station.clock.advance(80 * HOUR);
  expect(await deliveries('dead')).toHaveLength(2);
  const [b, a] = await deliveries();
  expect([a?.payload['nonce'], b?.payload['nonce']]).toEqual(['a', 'b']);
  const before = attempts();
  expect(await station.post(`/api/callbacks/${a?.id}/replay/`)).toMatchObject({ id: a?.id, state: 'pending' });
  await station.clock.advance(HOUR);
  expect(attempts()).toBeGreaterThan(before + 3);
  receiver.reply(200);
  await station.clock.advance(4 * HOUR);
  expect(await deliveries()).toMatchObject([
    { id: b?.id, state: 'dead' },
    { id: a?.id, state: 'delivered' },
  ]);
  expect(receiver.requests.at(-1)?.headers['webhook-id']).toBe(a?.id);
});

test('one call replays all dead deliveries, and no others', async () => {
  await press('delivered');
  receiver.reply(500);
  for (const nonce of ['a', 'b', 'c']) await press(nonce);
  await station.clock.advance(80 * HOUR);
  receiver.reply(200);
  const before = attempts();
  expect(await station.post('/api/callbacks/replay/', { state: 'dead' })).toEqual({ replayed: 3 });
  await station.clock.advance(0);
  expect(attempts()).toBe(before + 3);
  expect(await deliveries('delivered')).toHaveLength(4);
  expect(await station.post('/api/callbacks/replay/', { state: 'dead' })).toEqual({ replayed: 0 });
});

test('a delivered callback can also be replayed, and keeps its id', async () => {
  await press('a');
  const [delivery] = await deliveries();
  await station.post(`/api/callbacks/${delivery?.id}/replay/`);
  expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([delivery?.id, delivery?.id]);
});

test('lists deliveries newest first, in pages, and answers 404 for unknown ids', async () => {
  for (const nonce of ['a', 'b', 'c', 'd', 'e']) await press(nonce);
  const nonces = (page: Delivery[]) => page.map(({ payload }) => payload['nonce']);
  expect(nonces(await deliveries())).toEqual(['e', 'd', 'c', 'b', 'a']);
  const page = await station.get<Delivery[]>('/api/callbacks/?limit=2');
  expect(nonces(page)).toEqual(['e', 'd']);
  expect(nonces(await station.get<Delivery[]>(`/api/callbacks/?limit=2&after=${page[1]?.id}&state=delivered`))).toEqual(
    ['c', 'b'],
  );
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'state=lost']) {
    expect(await station.request('GET', `/api/callbacks/?${query}`)).toMatchObject({ status: 400 });
  }
  for (const id of ['1', 'msg_other_1', `${page[0]?.id}9`, '%00']) {
    expect(await station.request('POST', `/api/callbacks/${id}/replay/`), id).toMatchObject({ status: 404 });
  }
});

test('after a restart between attempts, no delivery is lost or sent twice', async () => {
  receiver.reply(500);
  for (const nonce of ['a', 'b', 'c']) await press(nonce);
  await station.clock.advance(MINUTE);
  const ids = (await deliveries('pending')).map(({ id }) => id).toSorted();
  receiver.reply(200);
  const before = attempts();
  await station.restart();
  await station.clock.advance(5 * HOUR);
  const later = receiver.requests.slice(before).map(({ headers }) => String(headers['webhook-id']));
  expect(later.toSorted()).toEqual(ids);
  expect(await deliveries('delivered')).toHaveLength(3);
});

test('after startup, sends more deliveries than can be in flight at the same time', async () => {
  receiver.reply(500);
  for (let count = 0; count < 80; count += 1) await station.press(DEVICE, 'front', 'long');
  receiver.reply(200);
  // All deliveries are due at the next start.
  station.clock.jump(MINUTE);
  await station.restart();
  await station.clock.advance(SECOND);
  expect(await station.get('/api/callbacks/?state=delivered&limit=1000')).toHaveLength(80);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery, ReceivedCallback } from '#shared/api/callback.ts';
import { TEST_RECEIVER } from '#shared/lib/connections/testReceiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({
    simulate: 1,
    refreshMs: 0,
    http: {
      send: () => ({ answer: Promise.reject(new Error('Nothing leaves the station.')), giveUp: () => undefined }),
      stop: () => undefined,
    },
  });
  await station.patch('/api/settings/', { callback_url: TEST_RECEIVER });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

const call = () => station.press(DEVICE, 'front', 'long');
const received = () => station.get<ReceivedCallback[]>('/api/callbacks/received/');

test('the built-in receiver shows each callback, which is counted as delivered without being sent anywhere', async () => {
  await call();
  await station.clock.advance(0);
  const [one] = await received();
  const [delivery] = await station.get<Delivery[]>('/api/callbacks/');
  expect(one).toMatchObject({
    id: '1',
    webhook_id: delivery?.id,
    times: 1,
    method: 'POST',
    url: TEST_RECEIVER,
    signature: 'none',
  });
  expect(JSON.parse(one?.body ?? '')).toEqual(delivery?.payload);
  expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, last_status: 200, url: TEST_RECEIVER });
});

test('the built-in receiver verifies signatures and marks repeated callbacks', async () => {
  await station.patch('/api/settings/', {
    callback_signing_secret: SECRET,
    callback_api_key: 'k-4711',
    callback_headers: { 'X-Shop': 'h-4711' },
  });
  await call();
  await station.clock.advance(0);
  const [delivery] = await station.get<Delivery[]>('/api/callbacks/');
  await station.post(`/api/callbacks/${delivery?.id}/replay/`);
  await station.post('/api/callbacks/test/');
  expect((await received()).map(({ times, signature }) => [times, signature])).toEqual([
    [1, 'right'],
    [2, 'right'],
    [1, 'right'],
  ]);
  expect(JSON.stringify(await received())).not.toContain('4711');
});

test('the built-in receiver shows a URL template with its fields filled in', async () => {
  await station.patch('/api/settings/', { callback_url: `${TEST_RECEIVER}{acknack}?q={qty}` });
  await call();
  await station.clock.advance(0);
  expect((await received())[0]).toMatchObject({ method: 'GET', url: `${TEST_RECEIVER}call?q=0`, body: '' });
});

test('the built-in receiver keeps the last hundred callbacks in memory until they are deleted or the station restarts', async () => {
  for (let count = 0; count < 105; count += 1) await call();
  await station.clock.advance(0);
  const all = await received();
  expect(all.map(({ id }) => Number(id))).toEqual(Array.from({ length: 100 }, (_, index) => 105 - index));
  expect((await station.request('DELETE', '/api/callbacks/received/')).status).toBe(204);
  expect(await received()).toEqual([]);
  await call();
  await station.restart();
  expect(await received()).toEqual([]);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestDelivery } from '#shared/api/callback.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation();
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

const send = () => station.post<TestDelivery>('/api/callbacks/test/');

test('a test is sent immediately like any callback, and its result is returned', async () => {
  const callback_signing_secret = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;
  const callback_families = { device: false };
  await station.patch('/api/settings/', {
    callback_url: receiver.url,
    callback_api_key: 'k',
    callback_signing_secret,
    callback_families,
  });
  const told = await send();
  const payload = { acknack: 'ack', deviceid: '000000:000000', location: '', nonce: 'test', qty: 0 };
  expect(told).toEqual({
    id: expect.stringMatching(/^msg_test_[\w-]{12}$/) as string,
    state: 'delivered',
    url: receiver.url,
    method: 'POST',
    payload,
    status: 200,
    error: null,
    milliseconds: expect.any(Number) as number,
  });
  const [request] = receiver.requests;
  expect(JSON.parse(request?.body ?? '')).toEqual(payload);
  expect(request?.headers).toMatchObject({ 'webhook-id': told.id, 'x-api-key': 'k' });
  expect(request?.headers['webhook-signature']).toMatch(/^v1,/);
});

test('a test fills in the fields of a URL template', async () => {
  const callback_url = `${receiver.url}{acknack}?id={deviceid}`;
  await station.patch('/api/settings/', { callback_url });
  expect(await send()).toMatchObject({ state: 'delivered', method: 'GET', url: callback_url });
  expect(receiver.requests[0]?.url).toBe('/ack?id=000000%3A000000');
});

test('a test reports that the receiver refuses it, and is not retried', async () => {
  receiver.reply(500);
  await station.patch('/api/settings/', { callback_url: receiver.url });
  expect(await send()).toMatchObject({ state: 'failed', status: 500, error: 'The receiver answered 500.' });
  await station.clock.advance(24 * 3_600_000);
  expect(receiver.requests).toHaveLength(1);
  expect(await station.get('/api/callbacks/')).toEqual([]);
});

test('a test reports that the receiver is unreachable', async () => {
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await receiver.stop();
  expect(await send()).toMatchObject({ state: 'failed', status: null, error: expect.stringMatching(/./) as string });
});

test('a test without a URL is refused', async () => {
  const { status, body } = await station.request('POST', '/api/callbacks/test/');
  expect(status).toBe(409);
  expect(body).toMatchObject({ code: 'conflict', detail: 'There is nowhere to send it: set callback_url first.' });
});

test('at most eight tests wait for a receiver at the same time', async () => {
  receiver.reply('hang');
  await station.patch('/api/settings/', { callback_url: receiver.url });
  const ask = () => station.request('POST', '/api/callbacks/test/');
  const waiting = Array.from({ length: 8 }, ask);
  await receiver.received(8);
  const { status, body } = await ask();
  expect(status).toBe(409);
  expect(body).toMatchObject({
    code: 'conflict',
    detail: '8 tests are already waiting for an answer. Wait until one of them is done.',
  });
  await station.clock.advance(60_000);
  expect(await Promise.all(waiting)).toMatchObject(
    Array.from({ length: 8 }, () => ({ status: 200, body: { state: 'failed' } })),
  );
  receiver.reply(200);
  expect(await send()).toMatchObject({ state: 'delivered' });
  expect(receiver.requests).toHaveLength(9);
});

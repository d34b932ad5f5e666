import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { startReceiver, type Received, type Receiver } from '../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import { fetchDocument, type OpenApi, type DocumentedOperation } from './documents.ts';
import { findMismatch } from './strict.ts';

const DEVICE = '51D000:000002';
const KEY = Buffer.from('a key that nobody guesses');

let station: TestStation;
let receiver: Receiver;
let document: OpenApi;

beforeAll(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(5_000);
  document = await fetchDocument(station, '/api/openapi.json');
});

afterAll(async () => {
  await station.stop();
  await receiver.stop();
});

/** Names of the documented callbacks. They are listed under the operation that changes the settings. */
type CallbackName = 'pressOrTimeout' | 'item' | 'shipment' | 'order' | 'orderState' | 'condition' | 'movement' | 'task';

function callback(name: CallbackName): DocumentedOperation {
  const callbacks = document.paths['/api/settings/']?.['patch']?.callbacks ?? {};
  const described = callbacks[name]?.['{$request.body#/callback_url}']?.['post'];
  if (described === undefined) throw new Error(`The callback ${name} is not described.`);
  return described;
}

/** Makes the station send one callback of each kind: a press, a timeout, and the three calls from an idle device. */
async function sendEveryCallback(): Promise<Received[]> {
  await station.post(`/api/device/${DEVICE}/`, { unsolicitedNonce: 'help', locationoverride: 'A-1' });
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', quantity: 3, nonce: 'a' });
  await station.clock.advance(1_000);
  await station.press(DEVICE);
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', seconds: 5, nonce: 'b' });
  await station.clock.advance(60_000);
  await station.press(DEVICE, 'front', 'long');
  await station.clock.advance(5_000);
  for (const button of ['plus', 'minus'] as const) {
    await station.press(DEVICE, button);
    await station.clock.advance(5_000);
  }
  return receiver.requests;
}

test('device callbacks match the document, and are signed as it describes', async () => {
  await station.patch('/api/settings/', {
    callback_url: receiver.url,
    callback_api_key: 'key-of-the-receiver',
    callback_signing_secret: `whsec_${KEY.toString('base64')}`,
  });
  const { parameters = [], requestBody } = callback('pressOrTimeout');
  const told = await sendEveryCallback();
  const said = told.map(({ body }) => JSON.parse(body) as { acknack: string });
  expect(said.map(({ acknack }) => acknack)).toEqual(['ack', 'nack', 'call', 'call_up', 'call_down']);
  const schema = requestBody?.content['application/json']?.schema;
  for (const body of said) expect(findMismatch(schema, body, document)).toBeUndefined();
  for (const { method, headers, body } of told) {
    expect(method).toBe('POST');
    expect(parameters.length).toBeGreaterThan(0);
    for (const { name } of parameters) expect(headers[name.toLowerCase()], name).toMatch(/./);
    const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', KEY).update(text).digest('base64')}`);
  }
});

test('alert callbacks match the document', async () => {
  await station.patch('/api/settings/', { callback_url: receiver.url, callback_families: { condition: true } });
  const before = receiver.requests.length;
  for (const battery_mv of [2_250, 3_000]) {
    await station.patch(`/api/simulator/devices/${DEVICE}/`, { battery_mv });
    await station.clock.advance(1_000);
  }
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.clock.advance(90_000);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(30_000);
  const told = receiver.payloads().slice(before);
  expect(told.map(({ condition_event, kind }) => `${String(condition_event)} ${String(kind)}`)).toEqual([
    'alert_raised battery_low',
    'alert_ended battery_low',
    'alert_raised turbo_offline',
    'alert_ended turbo_offline',
  ]);
  const schema = callback('condition').requestBody?.content['application/json']?.schema;
  for (const body of told) expect(findMismatch(schema, body, document)).toBeUndefined();
});

test('order callbacks match the document', async () => {
  const before = receiver.requests.length;
  const items = [
    { SKU: 'CT-200', ordered_quantity: 1, deviceid: DEVICE },
    { SKU: 'CT-300', ordered_quantity: 1, deviceid: DEVICE, callback_nonce: 'of mine' },
  ];
  const shipments = [{ shipment_number: 'S', shipmentnonce: 's', items }];
  const { shipments: made } = await station.post<Order>('/api/orders/', {
    order_number: 'O',
    ordernonce: 'o',
    seconds: 10,
    shipments,
  });
  await station.post('/api/orders/O/launch/');
  await station.clock.advance(3_000);
  await station.press(DEVICE);
  await station.clock.advance(30_000);
  for (const quantity_fulfilled of [2, 0, 1]) {
    await station.patch(`/api/orders/O/items/${made[0]?.items[1]?.id}/`, { quantity_fulfilled });
  }
  await station.clock.advance(1_000);
  // The item's timeout also raises an alert, which is left out here.
  const told = receiver
    .payloads()
    .slice(before)
    .filter((body) => !('condition_event' in body));
  const ofEvents: Record<string, CallbackName> = {
    undefined: 'pressOrTimeout',
    device_ack: 'item',
    item_added: 'item',
    item_removed: 'item',
    shipment_fulfilled: 'shipment',
    order_fulfilled: 'order',
  };
  expect(new Set(told.map(({ order_event: event }) => String(event)))).toEqual(new Set(Object.keys(ofEvents)));
  for (const body of told) {
    const schema = callback(ofEvents[String(body['order_event'])] ?? 'condition').requestBody?.content[
      'application/json'
    ]?.schema;
    expect(findMismatch(schema, body, document)).toBeUndefined();
  }
});

test.each(['pressOrTimeout', 'item', 'shipment', 'order', 'orderState', 'condition', 'movement', 'task'] as const)(
  'the documented examples match the schema of their callback: %s',
  (name) => {
    const { schema, examples } = callback(name).requestBody?.content['application/json'] ?? {};
    expect(Object.keys(examples ?? {}).length).toBeGreaterThan(0);
    for (const { value } of Object.values(examples ?? {})) {
      expect(findMismatch(schema, value, document)).toBeUndefined();
    }
  },
);

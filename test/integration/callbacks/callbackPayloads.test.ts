import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import { addOrder, anItem, correct, launch } from '../../helpers/orders.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const THREE_BUTTONS = '51D000:000002';

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

async function light(deviceid: string, request: object): Promise<void> {
  await station.post(`/api/device/${deviceid}/`, request);
  await station.clock.advance(1_000);
}

/** Returns the bodies of the callbacks so far, as sent. */
async function told(): Promise<string[]> {
  await station.clock.advance(0);
  return receiver.requests.map(({ body }) => body);
}

type Told = Record<string, string | undefined>;

const owed = () => station.rows('SELECT * FROM outbox');

test('the callback of a press has only the five fields, in their fixed order', async () => {
  await light(ONE, { line1: 'x', nonce: 'tx1' });
  await station.press(ONE);
  expect(await told()).toEqual([`{"acknack":"ack","deviceid":"${ONE}","location":"","nonce":"tx1","qty":0}`]);
});

test.each([
  ['its DeviceID', { deviceid: ONE }, 'moved'],
  ['a label', { location: 'A-1' }, 'A-1'],
])(
  'a command sent to %s has the current label, or the name it was sent to, as its location everywhere',
  async (_, to, location) => {
    await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
    await station.post('/api/devices/', { ...to, line1: 'x', nonce: 'a' });
    await station.clock.advance(1_000);
    await station.post(`/api/device/${ONE}/`, { locationoverride: 'moved' });
    await station.clock.advance(1_000);
    expect(await station.device(ONE)).toMatchObject({
      commands: [{ location }],
      displayed: { screen: { label: location, lines: ['x'] } },
    });
    await station.press(ONE);
    expect(receiver.payloads()).toEqual([{ acknack: 'ack', deviceid: ONE, location, nonce: 'a', qty: 0 }]);
    expect(station.rows('SELECT kind, location FROM history')).toEqual([{ kind: 'acknowledged', location }]);
  },
);

test('an ack reports the quantity as adjusted by the worker, down to 0', async () => {
  await light(ONE, { line1: 'x', quantity: 120, nonce: 'asked' });
  await station.press(ONE);
  await light(THREE_BUTTONS, { line1: 'x', quantity: 1, nonce: 'none' });
  await station.press(THREE_BUTTONS, 'minus');
  await station.press(THREE_BUTTONS);
  expect(receiver.payloads()).toMatchObject([
    { nonce: 'asked', qty: 120 },
    { nonce: 'none', qty: 0 },
  ]);
});

test('a nack reports only a quantity that the worker set', async () => {
  await light(ONE, { line1: 'x', quantity: 5, nonce: 'untouched', seconds: 5 });
  await light(THREE_BUTTONS, { line1: 'x', quantity: 5, nonce: 'touched', seconds: 5 });
  await station.press(THREE_BUTTONS, 'plus');
  await station.clock.advance(20_000);
  const bodies = await told();
  expect(bodies.toSorted()).toEqual([
    `{"acknack":"nack","deviceid":"${ONE}","location":"","nonce":"untouched","qty":0}`,
    `{"acknack":"nack","deviceid":"${THREE_BUTTONS}","location":"","nonce":"touched","qty":6}`,
  ]);
});

test('presses at an idle device report no quantity, and have the current unsolicited nonce', async () => {
  await station.post(`/api/device/${THREE_BUTTONS}/`, {
    quantity: 40,
    unsolicitedNonce: 'bell',
    locationoverride: 'B-2',
  });
  await station.clock.advance(3_000);
  await station.press(THREE_BUTTONS, 'front', 'long');
  await station.post(`/api/device/${THREE_BUTTONS}/`, { unsolicitedNonce: '' });
  await station.press(THREE_BUTTONS, 'plus');
  await station.press(THREE_BUTTONS, 'minus');
  const place = { deviceid: THREE_BUTTONS, location: 'B-2', qty: 0 };
  expect(receiver.payloads()).toEqual([
    { acknack: 'call', ...place, nonce: 'bell' },
    { acknack: 'call_up', ...place, nonce: '' },
    { acknack: 'call_down', ...place, nonce: '' },
  ]);
});

test('a long press at a lit device is an ack; plus and minus send no callback', async () => {
  await light(THREE_BUTTONS, { line1: 'x', quantity: 2, nonce: 'long' });
  await station.press(THREE_BUTTONS, 'plus');
  await station.press(THREE_BUTTONS, 'minus');
  await station.press(THREE_BUTTONS, 'front', 'long');
  expect(receiver.payloads()).toMatchObject([{ acknack: 'ack', nonce: 'long', qty: 2 }]);
});

test('a command without a nonce sends no callback, whether acknowledged or timed out', async () => {
  await light(ONE, { line1: 'x', quantity: 5 });
  await station.press(ONE);
  await light(ONE, { line1: 'y', seconds: 2 });
  await station.clock.advance(20_000);
  expect(await told()).toEqual([]);
  expect(owed()).toEqual([]);
  expect(station.rows('SELECT kind FROM history')).toEqual([{ kind: 'acknowledged' }, { kind: 'timedOut' }]);
});

test('a killed or replaced command sends no callback', async () => {
  await light(ONE, { line1: 'x', nonce: 'a' });
  await light(ONE, { line1: 'y', nonce: 'a' });
  await station.post(`/api/device/${ONE}/`, { command: 'kill' });
  await station.clock.advance(20_000);
  expect(owed()).toEqual([]);
});

test('without a URL or with the family off, the event is in the history and no callback is queued', async () => {
  await station.patch('/api/settings/', { callback_url: '' });
  await light(ONE, { line1: 'x', nonce: 'no-url' });
  await station.press(ONE);
  await station.patch('/api/settings/', { callback_url: receiver.url, callback_families: { device: false } });
  await light(ONE, { line1: 'x', nonce: 'off' });
  await station.press(ONE);
  await station.press(ONE, 'front', 'long');
  expect(owed()).toEqual([]);
  expect(station.rows('SELECT kind, nonce FROM history')).toEqual([
    { kind: 'acknowledged', nonce: 'no-url' },
    { kind: 'acknowledged', nonce: 'off' },
    { kind: 'call', nonce: '' },
  ]);
  await station.patch('/api/settings/', { callback_families: { device: true } });
  await light(ONE, { line1: 'x', nonce: 'on' });
  await station.press(ONE);
  expect(receiver.payloads()).toMatchObject([{ nonce: 'on' }]);
});

test('a command that never reached its device sends a nack, or no callback if so configured', async () => {
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  await station.clock.advance(5_000);
  await light(ONE, { line1: 'x', nonce: 'told', seconds: 5 });
  await station.clock.advance(30_000);
  await station.patch('/api/settings/', { unreachable_callback: 'none' });
  await light(ONE, { line1: 'x', nonce: 'silent', seconds: 5 });
  await station.clock.advance(30_000);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: true });
  await station.clock.advance(30_000);
  // A command that was shown and timed out sends a callback in either case.
  await light(ONE, { line1: 'x', nonce: 'shown', seconds: 5 });
  await station.clock.advance(30_000);
  // So does a shown command whose device cannot report the timeout.
  await light(ONE, { line1: 'x', nonce: 'lost', seconds: 5 });
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.clock.advance(30_000);
  expect(receiver.payloads()).toMatchObject([
    { acknack: 'nack', nonce: 'told' },
    { acknack: 'nack', nonce: 'shown' },
    { acknack: 'nack', nonce: 'lost' },
  ]);
});

test('special characters in a nonce arrive unchanged', async () => {
  const nonce = 'Größe "8" \\ {nonce} \u0001 🔩';
  await light(ONE, { line1: 'x', nonce });
  await station.press(ONE);
  expect(receiver.payloads()).toMatchObject([{ nonce }]);
});

test('lists a delivered callback with its payload and result, and finds none in other states', async () => {
  await light(ONE, { line1: 'x', nonce: 'a' });
  await station.press(ONE);
  await station.clock.advance(0);
  const [delivery] = await station.get<Delivery[]>('/api/callbacks/?state=delivered');
  expect(delivery).toEqual({
    id: receiver.requests[0]?.headers['webhook-id'],
    receiver: 'http',
    receiver_name: null,
    webhook_id: receiver.requests[0]?.headers['webhook-id'],
    state: 'delivered',
    family: 'device',
    payload: { acknack: 'ack', deviceid: ONE, location: '', nonce: 'a', qty: 0 },
    url: receiver.url,
    attempts: 1,
    next_attempt: null,
    last_attempt: expect.stringMatching(/^2026-11-20T.*Z$/) as string,
    last_status: 200,
    last_error: null,
    created: expect.stringMatching(/^2026-11-20T.*Z$/) as string,
    command_id: expect.stringMatching(/^\d+$/) as string,
  });
  expect(await station.get('/api/callbacks/?state=pending')).toEqual([]);
  expect(await station.get('/api/callbacks/?state=dead')).toEqual([]);
});

test('nonce_alias repeats vendor_nonce as the last field in each structured body, but not in simple bodies', async () => {
  await station.patch('/api/settings/', { nonce_alias: 'acme_nonce', shipmentnonce: 's', ordernonce: 'o' });
  const items = [anItem({ callback_nonce: 'i-1' }), anItem({ callback_nonce: 'i-2', deviceid: THREE_BUTTONS })];
  await addOrder(station, 'SO', items, { seconds: 10 });
  await launch(station, 'SO');
  await station.press(ONE);
  // The second item times out and is corrected manually.
  await station.clock.advance(15_000);
  await correct(station, 'SO', 2, { quantity_fulfilled: 2 });
  await correct(station, 'SO', 2, { quantity_fulfilled: 1 });
  await station.post('/api/sequence/', {
    sequenceid: 'round',
    sequencenonce: 'all',
    steps: [{ order: 1, device: ONE }],
  });
  await station.get('/api/launchsequence/round/');
  await station.clock.advance(1_000);
  await station.press(ONE);
  await light(ONE, { line1: 'x', nonce: 'n' });
  await station.press(ONE);
  await station.press(ONE, 'front', 'long');
  const bodies = station
    .rows<{ payload: string }>('SELECT payload FROM outbox ORDER BY id')
    .map(({ payload }) => payload);
  expect((await told()).toSorted()).toEqual(bodies.toSorted());
  const said = bodies.map((body) => {
    const { order_event: event, acknack, vendor_nonce: nonce, acme_nonce: same } = JSON.parse(body) as Told;
    const isLast = body.endsWith(`,"acme_nonce":${JSON.stringify(nonce)}}`);
    return [event ?? acknack, same, isLast];
  });
  expect(said).toEqual([
    ['device_ack', 'i-1', true],
    ['item_added', 'i-1', true],
    ['nack', undefined, false],
    ['item_added', 'i-2', true],
    ['shipment_fulfilled', 's', true],
    ['order_fulfilled', 'o', true],
    ['item_removed', 'i-2', true],
    ['ack', undefined, false],
    ['ack', undefined, false],
    ['ack', undefined, false],
    ['call', undefined, false],
  ]);
  for (const body of bodies.filter((text) => text.includes('acknack'))) expect(body).not.toContain('acme_nonce');
});

test('without nonce_alias, structured bodies have no extra field', async () => {
  await addOrder(station, 'SO', [anItem()]);
  await launch(station, 'SO');
  await station.press(ONE);
  const bodies = receiver.payloads();
  expect(bodies).toHaveLength(2);
  for (const body of bodies) expect(Object.keys(body).at(-1)).toBe('vendor_nonce');
});

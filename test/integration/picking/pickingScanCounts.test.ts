import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ItemCallback } from '#shared/api/callback.ts';
import type { Device } from '#shared/api/device.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import {
  addOrder,
  anItem,
  expectCountsRight,
  itemsOf,
  launch,
  litDevices,
  ONE,
  press,
  statesOf,
  THIRD,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: a scan with a quantity counts pieces, and closes a line only if the line is full or the scan asks for it.
let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  receiver = await startReceiver();
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'A-2' });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

let scans = 0;

async function scan(code: string, given: object = {}): Promise<ScanResult> {
  scans += 1;
  const body = { code, order_number: 'SO-1', act: true, key: `scan ${scans}`, ...given };
  const answer = await station.post<ScanResult>('/api/scan/', body);
  await station.clock.advance(3_000);
  return answer;
}

function refused(code: string, given: object) {
  return station.request('POST', '/api/scan/', { code, order_number: 'SO-1', act: true, ...given });
}

/** Returns the item callbacks so far, each with its total quantity. */
function events(): (readonly [string, number])[] {
  const sent = receiver.payloads() as Partial<ItemCallback>[];
  return sent.flatMap(({ order_event: event, quantity = 0 }) =>
    event === 'device_ack' || event === 'item_added' || event === 'item_removed' ? [[event, quantity] as const] : [],
  );
}

async function shownAt(deviceId: string): Promise<number | null | undefined> {
  const { displayed } = await station.get<Device>(`/api/device/${deviceId}/`);
  return displayed?.screen.quantity;
}

async function startOrder(items: readonly object[]): Promise<void> {
  await addOrder(station, 'SO-1', items);
  await launch(station, 'SO-1');
}

const THREE = anItem({ SKU: 'CT-200', UPC: '4006381333931', ordered_quantity: 3 });

test('counts pieces immediately, shows the rest, and closes the line with the scan that fills it', async () => {
  await startOrder([THREE]);
  const counted = { result: 'counted', quantity: 1, order_number: 'SO-1', deviceid: ONE };
  expect(await scan('A-1', { quantity: 1 })).toMatchObject({
    ...counted,
    remaining: 2,
    verified: false,
    says: 'A-1: 1 Cable tie, 2 to go.',
  });
  expect(events()).toEqual([['item_added', 1]]);
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active)');
  expect(await shownAt(ONE)).toBe(2);
  expect(await scan('CT-200', { quantity: 1 })).toMatchObject({ ...counted, remaining: 1, verified: true });
  await expectCountsRight(station, 'SO-1');
  expect(await scan('A-1', { quantity: 1 })).toMatchObject({ result: 'acknowledged', quantity: 1, remaining: null });
  expect(events()).toEqual([
    ['item_added', 1],
    ['item_added', 2],
    ['device_ack', 3],
    ['item_added', 3],
  ]);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  expect(await litDevices(station)).toEqual([]);
  const timeline = await station.get<{ kind: string; qty: number }[]>('/api/history/?kind=order_counted');
  expect(timeline.map(({ qty }) => qty)).toEqual([2, 1]);
});

test('a press after a counting scan adds the quantity shown then, even if the worker had set the same quantity before', async () => {
  await startOrder([{ ...THREE, deviceid: THREE_BUTTONS }]);
  await press(station, THREE_BUTTONS, 'minus');
  expect(await shownAt(THREE_BUTTONS)).toBe(2);
  const before = (await itemsOf(station, 'SO-1'))[0]?.command_id;
  const { command_id } = await scan('A-2', { quantity: 1 });
  expect(command_id).not.toBe(before);
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ command_id, quantity_fulfilled: 1 });
  expect(await shownAt(THREE_BUTTONS)).toBe(2);
  await press(station, THREE_BUTTONS);
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 3 });
});

test('the callback of a counting scan names the alias that lit the line, or else the label of its device', async () => {
  await station.post('/api/location-aliases/', { name: 'F-10', deviceid: THIRD, deviceIs: 'Above' });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await startOrder([{ ...THREE, deviceid: undefined, warehouse_location: 'F-10' }, anItem({ SKU: 'N-1' })]);
  await scan('CT-200', { quantity: 1 });
  await scan('N-1', { quantity: 1 });
  const places = (receiver.payloads() as Partial<ItemCallback>[]).map(({ location, deviceid }) => [location, deviceid]);
  expect(places).toEqual([
    ['F-10', THIRD],
    ['A-1', ONE],
  ]);
});

test('counts pieces of a line that waits for another line at its device', async () => {
  await startOrder([anItem({ name: 'Fuse' }), THREE]);
  expect(await scan('CT-200', { quantity: 2 })).toMatchObject({ result: 'counted', remaining: 1 });
  await press(station, ONE);
  expect(await shownAt(ONE)).toBe(1);
  await press(station, ONE);
  expect((await itemsOf(station, 'SO-1')).map((item) => item.quantity_fulfilled)).toEqual([2, 3]);
});

test('scanning a place, SKU or UPC without a quantity confirms the rest', async () => {
  for (const [index, code] of ['A-1', 'CT-200', '(01)04006381333931(21)778'].entries()) {
    const order_number = `SO-${index + 10}`;
    await addOrder(station, order_number, [THREE]);
    await launch(station, order_number);
    expect(await scan(code, { order_number, quantity: 1 }), code).toMatchObject({ result: 'counted' });
    expect(await scan(code, { order_number }), code).toMatchObject({ result: 'acknowledged', quantity: 2 });
    expect((await itemsOf(station, order_number))[0], code).toMatchObject({ state: 'done', quantity_fulfilled: 3 });
  }
});

test('does not count more than the remaining pieces unless over is set', async () => {
  await startOrder([THREE]);
  const tooMany = {
    result: 'too_many',
    quantity: null,
    says: 'Only 2 left to pick at A-1, not 3.',
    remaining: 2,
  };
  await scan('A-1', { quantity: 1 });
  expect(await scan('A-1', { quantity: 3 })).toMatchObject(tooMany);
  expect(await scan('A-1', { quantity: 3, act: false })).toMatchObject(tooMany);
  expect(events()).toEqual([['item_added', 1]]);
  expect(await scan('A-1', { quantity: 3, over: true })).toMatchObject({ result: 'acknowledged', quantity: 3 });
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 4 });
});

test('closes a line with fewer pieces only with a known reason', async () => {
  await startOrder([THREE, { ...THREE, SKU: 'F-10', deviceid: THREE_BUTTONS }]);
  for (const given of [{ quantity: 2 }, { quantity: 2, reason: 'whim' }, { quantity: 0, reason: '' }]) {
    expect(await refused('A-1', { ...given, close: true }), JSON.stringify(given)).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/reason' }] },
    });
  }
  expect(await refused('A-1', { quantity: 0 })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/quantity' }] },
  });
  expect(events()).toEqual([]);
  const close = { quantity: 2, close: true, reason: 'missing' };
  expect(await scan('A-1', close)).toMatchObject({ result: 'acknowledged', quantity: 2 });
  expect(await statesOf(station, 'SO-1')).toContain('(short active)');
  expect(events()).toEqual([
    ['device_ack', 2],
    ['item_added', 2],
  ]);
  expect(await station.get('/api/history/?kind=acknowledged')).toMatchObject([{ reason: 'missing', qty: 2 }]);
  await scan('A-2', { quantity: 1 });
  expect(await scan('A-2', { quantity: 0, close: true, reason: 'damaged' })).toMatchObject({ result: 'acknowledged' });
  expect((await itemsOf(station, 'SO-1'))[1]).toMatchObject({ state: 'short', quantity_fulfilled: 1 });
});

test('a key counts once, and can be used again if its scan booked nothing', async () => {
  await startOrder([THREE]);
  const first = await scan('A-1', { quantity: 1, key: 'a' });
  await station.clock.advance(60 * 60_000);
  expect(await scan('A-1', { quantity: 1, key: 'a' })).toEqual({ ...first, repeated: true });
  expect(await scan('A-1', { quantity: 3, key: 'b' })).toMatchObject({ result: 'too_many' });
  expect(await scan('A-1', { quantity: 2, key: 'b' })).toMatchObject({ result: 'acknowledged', repeated: false });
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ quantity_fulfilled: 3 });
});

test('without a key, counting scans are never treated as repetitions; with keys, scans of a place book each of its lines', async () => {
  await startOrder([THREE, anItem({ name: 'Fuse' }), anItem({ name: 'Nut' })]);
  const quick = (given: object = {}) => station.post<ScanResult>('/api/scan/', { code: 'A-1', act: true, ...given });
  for (const remaining of [2, 1]) {
    expect(await quick({ quantity: 1 })).toMatchObject({ result: 'counted', remaining, repeated: false });
  }
  expect(await quick()).toMatchObject({ result: 'acknowledged', text: 'Cable tie' });
  expect(await quick({ code: ' a-1' })).toMatchObject({ text: 'Cable tie', repeated: true });
  expect(await quick({ key: 'x' })).toMatchObject({ result: 'acknowledged', text: 'Fuse', repeated: false });
  expect(await quick({ key: 'y' })).toMatchObject({ result: 'acknowledged', text: 'Nut', repeated: false });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done done done)');
});

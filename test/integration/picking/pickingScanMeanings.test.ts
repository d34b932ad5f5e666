import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ItemCallback } from '#shared/api/callback.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import { SCAN_COMMANDS } from '#shared/lib/picking/scanCommands.ts';
import {
  addOrder,
  anItem,
  expectCountsRight,
  FOURTH,
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

// Contract, section 16: which meaning of a code takes precedence.
let station: TestStation;
let receiver: Receiver;

const LABELS = { [ONE]: 'A-1', [THREE_BUTTONS]: 'A-2', [THIRD]: 'A-3', [FOURTH]: 'A-4' };

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  for (const [id, locationoverride] of Object.entries(LABELS)) {
    await station.post(`/api/device/${id}/`, { locationoverride });
  }
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

async function scan(code: string, given: object = {}): Promise<ScanResult> {
  const answer = await station.post<ScanResult>('/api/scan/', { code, ...given });
  await station.clock.advance(3_000);
  return answer;
}

const addAlias = (name: string, deviceid: string) =>
  station.post('/api/location-aliases/', { name, deviceid, deviceIs: 'Above' });

const addPerson = (username: string) =>
  station.post('/api/users/', { username, password: 'a few easy words', role: 'picker' });

const of = { order_number: 'SO-1' };

test('scanning a printed command returns its word in lower case, books nothing, and is never treated as a repetition', async () => {
  await addOrder(station, 'SO-1', [anItem({ SKU: 'PICK:OK' })]);
  await launch(station, 'SO-1');
  expect(SCAN_COMMANDS).toHaveLength(31);
  for (const [code, command] of [
    ['PICK:OK', 'ok'],
    ['pick:mine', 'mine'],
    ['pick:reason3', 'reason3'],
    [' PICK:7\r', '7'],
    ['PICK:7', '7'],
    ['PICK:EMPTY', 'empty'],
  ] as const) {
    const answer = await station.post('/api/scan/', { ...of, code, act: true, quantity: 1 });
    expect(answer).toMatchObject({ result: 'command', command, says: `Command: ${command}.`, repeated: false });
  }
  expect(await scan('PICK:REASON0')).toMatchObject({ result: 'unknown', command: null });
  expect(await litDevices(station)).toEqual([ONE]);
});

test('finds an order by its number with or without a leading #', async () => {
  await addOrder(station, '#1001', [anItem()]);
  await addOrder(station, 'SO-1', [anItem()]);
  expect(await scan('1001')).toMatchObject({ result: 'order', order_number: '#1001' });
  expect(await scan('#so-1')).toMatchObject({ result: 'order', order_number: 'SO-1' });
});

test('a program that does not name a picker launches a scanned order without a picker', async () => {
  await addOrder(station, 'SO-1', [anItem()]);
  expect(await scan('SO-1')).toMatchObject({ result: 'order', launched: false });
  const launched = { result: 'order', taken: false, launched: true, pickers: [], repeated: false };
  expect(await scan('SO-1', { act: true, key: 'a' })).toMatchObject(launched);
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active)');
  await press(station, ONE);
  expect(await scan('SO-1', { act: true, key: 'a' })).toMatchObject({ launched: true, repeated: true });
  expect(await scan('SO-1', { act: true, key: 'b' })).toMatchObject({
    result: 'order',
    launched: false,
    says: 'Order SO-1 is already fulfilled.',
  });
});

test("an order scanned for a person is lit immediately and pauses that person's current order", async () => {
  await addPerson('Anna');
  await addOrder(station, 'SO-1', [anItem()]);
  await addOrder(station, 'SO-2', [anItem({ deviceid: THREE_BUTTONS })]);
  await scan('SO-1', { act: true, picker: 'Anna' });
  expect(await scan('SO-2', { act: true, picker: 'Anna' })).toMatchObject({ result: 'order', taken: true });
  expect(await litDevices(station)).toEqual([THREE_BUTTONS]);
});

test('outside an order, a code that is both a place and the name of an article means the place', async () => {
  await addOrder(station, 'SO-1', [anItem({ name: 'A-2' }), anItem({ name: 'Cup', deviceid: THREE_BUTTONS })]);
  await launch(station, 'SO-1');
  expect(await scan('A-2')).toMatchObject({ result: 'lit', deviceid: THREE_BUTTONS, text: 'Cup', verified: false });
});

test('codes of open lines in the named order take precedence over order numbers and other places', async () => {
  await addAlias('F-10', FOURTH);
  await addOrder(station, 'CT-200', [anItem({ deviceid: FOURTH })]);
  await addOrder(station, 'SO-1', [
    anItem({ name: 'Tie', SKU: 'CT-200' }),
    anItem({ name: 'Fuse', SKU: 'F-10', deviceid: THIRD }),
    anItem({ name: 'A-2', deviceid: THREE_BUTTONS }),
  ]);
  await launch(station, 'SO-1');
  expect(await scan('CT-200')).toMatchObject({ result: 'order' });
  expect(await scan('CT-200', of)).toMatchObject({ result: 'lit', deviceid: ONE, verified: true });
  expect(await scan('A-2', of)).toMatchObject({ result: 'lit', deviceid: THREE_BUTTONS, verified: false });
  await scan('CT-200', { ...of, act: true });
  expect(await scan('CT-200', of)).toMatchObject({ result: 'order', order_number: 'CT-200' });
});

test("codes of open lines in the order of a picker's current line take precedence for that picker", async () => {
  await addPerson('Anna');
  await addOrder(station, 'CT-200', [anItem({ deviceid: FOURTH })]);
  await addOrder(station, 'SO-1', [anItem({ name: 'Tie', SKU: 'CT-200' })]);
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  const [tie] = await itemsOf(station, 'SO-1');
  const setCurrent = (item_id: number | null | undefined) =>
    station.request('PUT', '/api/user/current/', { picker: 'Anna', item_id });
  expect(await scan('CT-200', { picker: 'Anna' })).toMatchObject({ result: 'order' });
  await setCurrent(tie?.id);
  expect(await scan('CT-200', { picker: 'Anna' })).toMatchObject({ result: 'lit', deviceid: ONE, verified: true });
  expect(await scan('CT-200')).toMatchObject({ result: 'order' });
  await setCurrent(null);
  expect(await scan('CT-200', { picker: 'Anna' })).toMatchObject({ result: 'order' });
});

test('a code that is both an alias or label and an SKU or UPC means the article', async () => {
  await addAlias('ct-200', FOURTH);
  await station.post(`/api/device/${FOURTH}/`, { locationoverride: '4006381333931' });
  const tie = anItem({ name: 'Tie', SKU: 'CT-200', UPC: '4006381333931' });
  await addOrder(station, 'SO-1', [tie, anItem({ name: 'Fuse', deviceid: THIRD })]);
  await launch(station, 'SO-1');
  for (const code of ['CT-200', '4006381333931', '(01)04006381333931(21)5']) {
    for (const given of [of, {}]) {
      expect(await scan(code, given), code).toMatchObject({ result: 'lit', deviceid: ONE, verified: true });
    }
  }
  expect(await scan('CT-200', { ...of, act: true })).toMatchObject({ result: 'acknowledged', text: 'Tie' });
  expect(await scan('CT-200', of)).toMatchObject({
    result: 'already_done',
    item_id: (await itemsOf(station, 'SO-1'))[0]?.id,
  });
  expect(await scan('CT-200')).toMatchObject({ result: 'place', deviceid: FOURTH });
});

test('an article of the order takes precedence over a lit place with the same name', async () => {
  await addAlias('CT-200', FOURTH);
  const nut = anItem({ name: 'Nut', deviceid: undefined, warehouse_location: 'CT-200' });
  await addOrder(station, 'SO-1', [anItem({ name: 'Tie', SKU: 'CT-200' }), nut]);
  await launch(station, 'SO-1');
  expect(await litDevices(station)).toEqual([ONE, FOURTH]);
  for (const given of [of, {}]) {
    expect(await scan('CT-200', given)).toMatchObject({ result: 'lit', deviceid: ONE, text: 'Tie', verified: true });
  }
});

test('a place that gets a light means the lines that are lit there, also those that had no light', async () => {
  await addPerson('Anna');
  const nut = anItem({ name: 'Nut', deviceid: undefined, warehouse_location: 'X-9' });
  await addOrder(station, 'SO-1', [anItem({ name: 'Fuse', deviceid: FOURTH }), nut]);
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  await station.post(`/api/device/${FOURTH}/`, { locationoverride: 'X-9' });
  await station.clock.advance(3_000);
  for (const given of [{ ...of, picker: 'Anna' }, { picker: 'Anna' }]) {
    expect(await scan('X-9', given)).toMatchObject({ result: 'lit', deviceid: FOURTH, text: 'Fuse' });
  }
  await press(station, FOURTH);
  expect(await scan('X-9', { ...of, picker: 'Anna' })).toMatchObject({ result: 'lit', deviceid: FOURTH, text: 'Nut' });
});

test('a place with the name of an article that was already picked means the open line that is lit there', async () => {
  await addAlias('CT-200', FOURTH);
  await addOrder(station, 'SO-1', [anItem({ SKU: 'CT-200' }), anItem({ name: 'Fuse', deviceid: FOURTH })]);
  await launch(station, 'SO-1');
  await press(station, ONE);
  expect(await scan('CT-200', of)).toMatchObject({ result: 'lit', deviceid: FOURTH, text: 'Fuse' });
});

test('the printed place of a line without a light means that line, for its picker, and books it without a press', async () => {
  await addPerson('Anna');
  await addOrder(station, 'SO-1', [
    anItem({ name: 'Tie', SKU: 'CT-200', warehouse_location: 'Regal 7', deviceid: undefined, ordered_quantity: 3 }),
    anItem({ name: 'Nut', warehouse_location: 'Regal 8', deviceid: undefined }),
    anItem({ name: 'Fuse', deviceid: THIRD }),
  ]);
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  await station.clock.advance(3_000);
  const [tie] = await itemsOf(station, 'SO-1');
  const asAnna = { picker: 'Anna' };
  const line = { deviceid: null, command_id: null, location: 'Regal 7', text: 'Tie', item_id: tie?.id };
  for (const code of ['regal 7', 'CT-200', 'tie']) {
    for (const given of [asAnna, { ...asAnna, ...of }]) {
      expect(await scan(code, given), code).toMatchObject({
        result: 'lit',
        quantity: 3,
        says: 'Regal 7: 3 Tie',
        ...line,
      });
    }
  }
  expect(await scan('Regal 7')).toMatchObject({ result: 'unknown' });
  // A caller who names the order also matches dark lines of a picker.
  expect(await scan('Regal 7', of)).toMatchObject({ result: 'lit', ...line });
  const acting = { ...asAnna, ...of, act: true };
  expect(await scan('Regal 7', { ...acting, quantity: 1 })).toMatchObject({ result: 'counted', remaining: 2, ...line });
  expect(await scan('Regal 7', { ...acting, quantity: 9 })).toMatchObject({ result: 'too_many', remaining: 2 });
  expect(await scan('Regal 7', acting)).toMatchObject({ result: 'acknowledged', quantity: 2, ...line });
  expect(await scan('Regal 7', { ...acting, key: 'again' })).toMatchObject({
    result: 'already_done',
    item_id: tie?.id,
  });
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 3, picker: 'Anna' });
  await scan('Regal 8', { ...acting, quantity: 0, close: true, reason: 'missing' });
  await expectCountsRight(station, 'SO-1');
  await scan('A-3', acting);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done short done)');
  const sent = (receiver.payloads() as Partial<ItemCallback>[]).filter(({ order_event: event }) => event !== undefined);
  expect(sent.slice(0, 2)).toMatchObject([
    { order_event: 'item_added', quantity: 1, device: '', deviceid: '' },
    { order_event: 'item_added', quantity: 3, device: '', deviceid: '' },
  ]);
  expect(sent[2]).toMatchObject({ order_event: 'device_ack', deviceid: THIRD });
});

test('scanning a printed place with several articles returns the lines to choose from', async () => {
  await addPerson('Anna');
  const at = { warehouse_location: 'Regal 7', deviceid: undefined };
  await addOrder(station, 'SO-1', [anItem({ name: 'Tie', ...at }), anItem({ name: 'Nut', ...at }), anItem()]);
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  const answer = await scan('Regal 7', { ...of, picker: 'Anna', act: true });
  expect(answer).toMatchObject({ result: 'ambiguous' });
  const items = await itemsOf(station, 'SO-1');
  expect(answer.candidates).toMatchObject(
    items.slice(0, 2).map(({ id, name }) => ({ item_id: id, text: name, deviceid: null, location: 'Regal 7' })),
  );
});

test('a line that is dark because its picker has paused cannot be picked by scanning its place', async () => {
  await addPerson('Anna');
  await addOrder(station, 'SO-1', [anItem({ SKU: 'CT-200', warehouse_location: 'A-1', deviceid: undefined })]);
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  await station.post('/api/orders/SO-1/pause/', { picker: 'Anna' });
  expect(await scan('A-1', { ...of, picker: 'Anna', act: true })).toMatchObject({ result: 'wrong_place' });
  expect(await scan('CT-200', { ...of, picker: 'Anna', act: true })).toMatchObject({
    result: 'place',
    says: 'Cable tie is not lit. Launch the order again.',
  });
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ state: 'open', quantity_fulfilled: 0 });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ItemCallback } from '#shared/api/callback.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import { addArticle, onHand } from '../../helpers/articles.ts';
import {
  addOrder,
  itemsOf,
  launch,
  litDevices,
  ONE,
  orderPath,
  statesOf,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, sections 16 and 20: scanning barcodes of articles and packs.
let station: TestStation;
let receiver: Receiver;

const UPC = '4006381333931';

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'A-2' });
  const barcodes = [{ code: UPC }, { code: 'BOX-10', quantity: 10 }];
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 100 }], { name: 'Nut M8', barcodes });
  await addArticle(station, 'Y', [{ location: 'A-2', on_hand: 100 }], { barcodes: [{ code: 'A-1' }] });
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

const act = (code: string, given: object = {}) => scan(code, { act: true, ...given });
const events = (): unknown[] =>
  receiver.requests.map(({ body }) => (JSON.parse(body) as ItemCallback).order_event).filter(Boolean);

async function order(...items: object[]): Promise<void> {
  await addOrder(station, 'SO-1', items);
  await launch(station, 'SO-1');
  await station.clock.advance(3_000);
}

test('the barcode of an article confirms its line even if the order does not contain the barcode; so do its SKU and name', async () => {
  const items = [UPC, 'x', 'nut m8'].map(() => ({ SKU: 'X', ordered_quantity: 23 }));
  for (const code of [UPC, `0${UPC}`, 'x', 'nut m8']) {
    await order(items[0] ?? {});
    expect(await act(code), code).toMatchObject({ result: 'acknowledged', quantity: 23, pack: null, verified: true });
    await station.request('DELETE', orderPath('SO-1'));
  }
});

test('the barcode of a pack counts its pieces until the line is full', async () => {
  await order({ name: 'nut m8', ordered_quantity: 23 });
  expect(await scan('BOX-10')).toMatchObject({ result: 'lit', quantity: 10, pack: 10, says: 'A-1: 10 nut m8' });
  expect(await act('box-10', { key: '1' })).toMatchObject({ result: 'counted', quantity: 10, remaining: 13 });
  expect(await act('BOX-10', { key: '2' })).toMatchObject({ result: 'counted', quantity: 10, remaining: 3 });
  const tooMany = { result: 'too_many', quantity: null, remaining: 3, pack: 10 };
  const says = 'Only 3 left to pick at A-1: the pack has 10. Nothing was counted.';
  for (const how of [{}, { act: true }]) expect(await scan('BOX-10', how)).toMatchObject({ ...tooMany, says });
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 80 });
  expect(events()).toEqual(['item_added', 'item_added']);
  expect(await act(UPC)).toMatchObject({ result: 'acknowledged', quantity: 3 });
  expect(events()).toEqual(['item_added', 'item_added', 'device_ack', 'item_added']);
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 77 });
});

test('a pack that fills the line closes it; a quantity counts pieces, and over allows more', async () => {
  await order({ SKU: 'X', ordered_quantity: 12 });
  expect(await act('BOX-10', { quantity: 2 })).toMatchObject({ result: 'counted', quantity: 2, remaining: 10 });
  expect(await act('BOX-10')).toMatchObject({ result: 'acknowledged', quantity: 10 });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  await addOrder(station, 'SO-2', [{ SKU: 'X', ordered_quantity: 3 }]);
  await launch(station, 'SO-2');
  await station.clock.advance(3_000);
  expect(await act('BOX-10', { over: true })).toMatchObject({ result: 'acknowledged', quantity: 10 });
  expect((await itemsOf(station, 'SO-2'))[0]).toMatchObject({ quantity_fulfilled: 10 });
});

test('scanning a pack counts its pieces for a line without a light', async () => {
  await station.post('/api/users/', { username: 'Paula', password: 'harbour street', role: 'picker' });
  await addArticle(station, 'Z', [{ location: 'Loft', on_hand: 50 }], { barcodes: [{ code: 'Z-5', quantity: 5 }] });
  await addOrder(station, 'SO-1', [{ SKU: 'Z', ordered_quantity: 8 }]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Paula' });
  expect(await act('Z-5', { picker: 'Paula', key: '1' })).toMatchObject({ result: 'counted', remaining: 3 });
  expect(await act('Z-5', { picker: 'Paula', key: '2' })).toMatchObject({ result: 'too_many', remaining: 3 });
  expect(await onHand(station, 'Z')).toEqual({ Loft: 45 });
});

test('a code that is both a place and a barcode means the article', async () => {
  await order({ SKU: 'X', ordered_quantity: 1 }, { SKU: 'Y', ordered_quantity: 2 });
  expect(await act('A-1')).toMatchObject({ result: 'acknowledged', deviceid: THREE_BUTTONS, quantity: 2 });
  expect(await litDevices(station)).toEqual([ONE]);
});

test('the code of an article outside the order is a wrong article, and the code of a hidden article is unknown', async () => {
  await order({ SKU: 'Y', ordered_quantity: 2 });
  expect(await act('BOX-10', { order_number: 'SO-1' })).toMatchObject({ result: 'wrong_item', text: 'Nut M8' });
  expect(await act('BOX-10')).toMatchObject({ result: 'place', text: 'Nut M8', expected: ['A-2'] });
  await station.patch('/api/articles/X/', { active: false });
  expect(await act('BOX-10')).toMatchObject({ result: 'unknown' });
});

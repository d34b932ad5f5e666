import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScanResult, WorkLine } from '#shared/api/picking.ts';
import { addArticle } from '../../helpers/articles.ts';
import { act, addBatch, addCart, addTies, handsOf, OTHER_PLACE, PLACE, slotsOf } from '../../helpers/batches.ts';
import { addOrder, itemsOf, orderPath, press, statesOf } from '../../helpers/orders.ts';
import { ADMIN_PASSWORD, type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// Contract, section 21: codes on carts, slots and totes.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await addCart(station);
});
afterEach(() => station.stop());

async function load(given: object = {}): Promise<void> {
  await addTies(station, 'SO-1', 2);
  await addTies(station, 'SO-2', 3);
  await addBatch(station, [], {
    slots: [{ order_number: 'SO-1' }, { order_number: 'SO-2', tote: 'T-7' }],
    put_confirmation: 'each',
    ...given,
  });
  await act(station, 'launch/');
}

const scan = (code: string, given: object = {}) => station.post<ScanResult>('/api/scan/', { code, ...given });
const put = (code: string, given: object = {}) => scan(code, { act: true, ...given });

test("scanning the code of a cart returns its live batch and the pieces in each person's hand", async () => {
  expect(await scan('cart-1')).toMatchObject({ result: 'cart', says: 'Cart 1 is not in use.' });
  await load();
  expect(await scan('CART-1')).toMatchObject({
    result: 'cart',
    batch: 1,
    says: 'Cart 1 is being picked. Nothing is in hand.',
  });
  await press(station, PLACE);
  expect((await put('CART-1')).says).toBe('Cart 1 is being picked. In hand: 5 Cable tie.');
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2', 'A2 open 0+3/3']);
  await act(station, 'hand/', { by: '', do: 'take', picker: 'admin' });
  expect((await scan('CART-1')).says).toBe('Cart 1 is being picked. admin holds 5 Cable tie.');
});

test('scanning the code of a slot or tote returns its contents and, with act, puts the pieces in hand there', async () => {
  await load();
  expect(await scan('C1-A1')).toMatchObject({
    result: 'slot',
    batch: 1,
    slot: 'A1',
    order_number: 'SO-1',
    says: 'A1: SO-1 is open: 0 of 2 put, 2 to pick (2 Cable tie).',
  });
  await press(station, PLACE);
  expect((await scan('t-7')).says).toBe('A2: SO-2 is open: 0 of 3 put, 3 in hand (3 Cable tie).');
  expect(await put('T-7', { quantity: 1 })).toMatchObject({
    result: 'put',
    quantity: 1,
    slot: 'A2',
    expected: ['A1', 'A2'],
  });
  expect(await put('C1-A1')).toMatchObject({ result: 'put', quantity: 2, expected: ['A2'] });
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2', 'A2 open 1+2/3']);
  expect((await itemsOf(station, 'SO-1')).map(({ state }) => state)).toEqual(['done']);
});

test('scanning a slot names the articles that are missing', async () => {
  await load();
  const names = ['Bolt', 'Nut', 'Screw', 'Washer', 'Hook', 'Ring'];
  const lines = names.map((name) => ({ name, ordered_quantity: 2, deviceid: OTHER_PLACE }));
  await addOrder(station, 'SO-3', lines.slice(0, 2));
  await addOrder(station, 'SO-4', lines);
  await act(station, 'slots/', { slot: 'B1', order_number: 'SO-3', tote: 'T-8' });
  await act(station, 'slots/', { slot: 'B2', order_number: 'SO-4', tote: 'T-9' });
  await press(station, OTHER_PLACE);
  expect((await scan('T-8')).says).toBe('B1: SO-3 is open: 0 of 4 put, 2 in hand (2 Bolt), 2 to pick (2 Nut).');
  const named = '2 Bolt, 2 Nut, 2 Screw, 2 Washer and 2 more';
  expect((await scan('T-9')).says).toBe(`B2: SO-4 is open: 0 of 12 put, 12 to pick (${named}).`);
});

test('a scan of the wrong slot books nothing and reports where the pieces belong; with an empty hand, it only returns the contents', async () => {
  await load();
  await addOrder(station, 'SO-3', [{ name: 'Screw', ordered_quantity: 1, deviceid: OTHER_PLACE }]);
  await act(station, 'slots/', { order_number: 'SO-3' });
  expect(await put('T-7')).toMatchObject({
    result: 'slot',
    says: 'You hold nothing. A2: SO-2 is open: 0 of 3 put, 3 to pick (3 Cable tie).',
  });
  await press(station, OTHER_PLACE);
  expect(await put('T-7')).toMatchObject({ result: 'wrong_slot', quantity: 0, expected: ['B1'] });
  expect(await handsOf(station)).toEqual({ '': 1 });
});

test('a scan does not put pieces that somebody else holds, and a repeated scan puts only once', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'Correct horse 7', role: 'picker' });
  await load({ put_confirmation: 'once' });
  await act(station, 'pause/');
  await act(station, 'launch/', { picker: 'Anna' });
  await press(station, PLACE);
  expect(await put('T-7', { picker: 'admin' })).toMatchObject({ result: 'slot' });
  expect(await handsOf(station)).toEqual({ Anna: 5 });
  const first = await put('T-7', { picker: 'Anna', key: 'k1' });
  expect(first).toMatchObject({ result: 'put', quantity: 5 });
  await act(station, 'put/undo/', { slot: 'A1', item_id: 1, picker: 'Anna' });
  expect(await put('T-7', { picker: 'Anna', key: 'k1' })).toMatchObject({ result: 'put', repeated: true });
  expect(await handsOf(station)).toEqual({ Anna: 2 });
});

test('codes of slots and totes are unknown once their batch is done, and a quantity of 0 is rejected', async () => {
  await load();
  await press(station, PLACE);
  expect((await station.request('POST', '/api/scan/', { code: 'T-7', act: true, quantity: 0 })).status).toBe(400);
  await act(station, 'put/', { all: true });
  await act(station, 'free/');
  expect(await scan('T-7')).toMatchObject({ result: 'unknown' });
  expect(await scan('C1-A1')).toMatchObject({ result: 'unknown' });
});

test('scanning a place books the whole sum; a smaller quantity needs a reason', async () => {
  await load();
  const scanPlace = (given: object) => station.request('POST', '/api/scan/', { code: PLACE, act: true, ...given });
  const before = await slotsOf(station);
  for (const given of [{ quantity: 2 }, { quantity: 2, close: true }, { quantity: 0 }])
    expect(await scanPlace(given)).toMatchObject({ status: 400, body: { code: 'invalid' } });
  expect((await scanPlace({ quantity: 9 })).body).toMatchObject({ result: 'too_many', remaining: 5 });
  expect(await slotsOf(station)).toEqual(before);
  expect((await scanPlace({ quantity: 2, close: true, reason: 'damaged' })).body).toMatchObject({
    result: 'acknowledged',
    quantity: 2,
  });
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2', 'A2 complete 0+0/3']);
});

test('with a batch, scanning the article acknowledges the light and verifies the pieces; a second scan books nothing', async () => {
  await addTies(station, 'SO-1', 2, { scan_required: true });
  await addTies(station, 'SO-2', 3, { scan_required: true });
  await addBatch(station, ['SO-1', 'SO-2'], { put_confirmation: 'each' });
  await act(station, 'launch/');
  expect(await scan('CT-200', { batch: 1 })).toMatchObject({ result: 'lit', quantity: 5, verified: true });
  expect(await slotsOf(station)).toEqual(['A1 open 0+0/2', 'A2 open 0+0/3']);
  expect(await put('ct-200', { batch: 1 })).toMatchObject({ result: 'acknowledged', quantity: 5, verified: true });
  expect(await put('CT-200', { batch: 1 })).toMatchObject({ says: 'Cable tie is the right article.' });
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2', 'A2 open 0+3/3']);
  await act(station, 'put/', { slot: 'A1' });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
});

test('after a press, a scan of the article verifies the picked pieces and completes the order', async () => {
  await addTies(station, 'SO-1', 2, { scan_required: true });
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/');
  await press(station, PLACE);
  await act(station, 'put/', { all: true });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(done)');
  expect(await put('CT-200', { batch: 1 })).toMatchObject({ result: 'acknowledged', verified: true });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
});

test('a scan does not book an article that is lit at two places or for another person', async () => {
  await addOrder(station, 'SO-1', [
    { name: 'Cable tie', SKU: 'CT-200', ordered_quantity: 2, deviceid: PLACE },
    { name: 'Cable tie', SKU: 'CT-200', ordered_quantity: 1, deviceid: OTHER_PLACE },
  ]);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/', { picker: 'admin' });
  expect((await put('CT-200', { batch: 1, picker: 'admin' })).result).toBe('ambiguous');
  await station.post('/api/users/', { username: 'Paula', password: ADMIN_PASSWORD, role: 'picker' });
  expect((await put('CT-200', { batch: 1, picker: 'Paula' })).says).toBe('Cable tie is lit for admin.');
  expect(await handsOf(station)).toEqual({});
});

test('an ambiguous scan, or one with too many pieces, verifies nothing', async () => {
  const at = (deviceid: string, ordered_quantity = 1) => ({
    name: 'Cable tie',
    SKU: 'CT-200',
    ordered_quantity,
    deviceid,
  });
  await addOrder(station, 'SO-1', [at(PLACE), at(OTHER_PLACE, 2), at('51D000:000005')], { scan_required: true });
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/');
  await press(station, PLACE);
  expect((await put('CT-200', { batch: 1 })).result).toBe('ambiguous');
  await press(station, '51D000:000005');
  expect((await put('CT-200', { batch: 1, quantity: 3 })).result).toBe('too_many');
  expect((await itemsOf(station, 'SO-1')).map(({ verified }) => verified)).toEqual([false, false, false]);
  expect((await put('CT-200', { batch: 1 })).result).toBe('acknowledged');
  expect((await itemsOf(station, 'SO-1')).map(({ verified }) => verified)).toEqual([false, true, false]);
});

test('a scan of an article without a light reports that its line must be confirmed', async () => {
  await addOrder(station, 'SO-1', [{ name: 'Bolt', SKU: 'M8', ordered_quantity: 1, warehouse_location: 'Z-9' }]);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/');
  expect((await put('M8', { batch: 1 })).says).toBe('Bolt has no light. Confirm its line.');
});

test('after a program confirms a line, anybody can put its pieces by scanning the slot', async () => {
  await addOrder(station, 'SO-1', [{ name: 'Bolt', SKU: 'M8', ordered_quantity: 1, warehouse_location: 'Z-9' }]);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/');
  await station.post(orderPath('SO-1', 'items/1/confirm/'));
  expect(await handsOf(station)).toEqual({ '': 1 });
  expect((await put('C1-A1', { picker: 'admin' })).result).toBe('put');
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
});

test("a hand shows the person's name as registered, even if a program sends it in a different case", async () => {
  await addOrder(station, 'SO-1', [{ name: 'Bolt', SKU: 'M8', ordered_quantity: 1, warehouse_location: 'Z-9' }]);
  await addTies(station, 'SO-2', 3);
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/');
  await station.post(orderPath('SO-1', 'items/1/confirm/'), { picker: 'ADMIN' });
  expect(await handsOf(station)).toEqual({ admin: 1 });
  await put(PLACE, { batch: 1, picker: 'Admin' });
  expect(await handsOf(station)).toEqual({ admin: 4 });
});

test('with the intent "sort", scanning an article that is lit at a place books nothing', async () => {
  await load();
  expect((await put('CT-200', { batch: 1, intent: 'sort' })).result).toBe('lit');
  expect(await slotsOf(station)).toEqual(['A1 open 0+0/2', 'A2 open 0+0/3']);
  expect((await put('CT-200', { batch: 1 })).result).toBe('acknowledged');
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2', 'A2 open 0+3/3']);
});

test('a line of a batch has the barcodes of its article, unless the article is hidden', async () => {
  const codes = [
    { code: '4006381333931', quantity: 1 },
    { code: 'BOX-5', quantity: 5 },
  ];
  await addArticle(station, 'CT-200', [], { barcodes: codes });
  await load();
  const barcodes = async () => (await station.get<WorkLine[]>('/api/work/?batch=1')).map((line) => line.barcodes);
  expect(await barcodes()).toEqual([codes]);
  await station.patch('/api/articles/CT-200/', { active: false });
  expect(await barcodes()).toEqual([[]]);
});

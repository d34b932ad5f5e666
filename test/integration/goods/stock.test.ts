import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Movement, StockRow } from '#shared/api/stock.ts';
import { addArticle, articlePath, movedOf, movementsOf, onHand, placeOf, postStock } from '../../helpers/articles.ts';
import {
  addOrder,
  anItem,
  correct,
  itemsOf,
  launch,
  ONE,
  orderPath,
  press,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 20: how picking changes the stock.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'A-2' });
  await addArticle(station, 'X', [{ location: 'a-1', on_hand: 10 }, { location: 'A-2' }]);
});
afterEach(() => station.stop());

/** Returns the movements after the initial counts. */
const moved = async (): Promise<unknown[]> => (await movedOf(station)).slice(1);

/** Creates and launches an order. Returns the ids of its items. */
async function order(items: readonly object[], number = 'SO-1'): Promise<number[]> {
  await addOrder(
    station,
    number,
    items.map((item) => anItem({ SKU: 'X', ...item })),
  );
  await launch(station, number);
  return (await itemsOf(station, number)).map(({ id }) => id);
}

async function act(what: string, id: number, body: object = {}, number = 'SO-1') {
  const answer = await station.request('POST', orderPath(number, `items/${id}/${what}/`), body);
  await station.clock.advance(3_000);
  return answer;
}

test('a launch allocates stock, and a press removes it from the place of the line, with one movement and one fact', async () => {
  await order([{ ordered_quantity: 3 }]);
  expect(await placeOf(station, 'X', 'a-1')).toMatchObject({ on_hand: 10, allocated: 3, available: 7 });
  await press(station, ONE);
  expect(await placeOf(station, 'X', 'a-1')).toMatchObject({ on_hand: 7, allocated: 0, available: 7 });
  const [movement] = (await movementsOf(station)).slice(1);
  expect(movement).toMatchObject({
    kind: 'pick',
    SKU: 'X',
    location: 'a-1',
    deviceid: ONE,
    delta: -3,
    on_hand: 7,
    order: 'SO-1',
    shipment: 'SO-1',
    ordered_quantity: 3,
    quantity_fulfilled: 3,
    by: 'device',
  });
  const facts = station
    .rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision')
    .map(({ facts: text }) => text);
  const booked = facts.filter((text) => text.includes('"kind":"pick"'));
  expect(booked).toHaveLength(1);
  for (const part of ['"type":"movement"', '"type":"article.changed"', '"on_hand":7', '"type":"order.item"'])
    expect(booked[0]).toContain(part);
});

test('a line of an aborted order has no allocated stock, even after its picked pieces were returned', async () => {
  const [first = 0] = await order([{ ordered_quantity: 3 }, { ordered_quantity: 2 }]);
  const item = orderPath('SO-1', `items/${first}/`);
  await station.request('PATCH', item, { quantity_fulfilled: 3 });
  await station.post(orderPath('SO-1', 'abort/'));
  await station.request('PATCH', item, { quantity_fulfilled: 0 });
  expect(await placeOf(station, 'X', 'a-1')).toMatchObject({ on_hand: 10, allocated: 0, available: 10 });
  await launch(station, 'SO-1');
  expect(await placeOf(station, 'X', 'a-1')).toMatchObject({ allocated: 5 });
});

test('the stock does not change for pieces picked before the order was created, nor for a launch or an abort', async () => {
  await order([{ ordered_quantity: 3, quantity_fulfilled: 2 }]);
  await station.post(orderPath('SO-1', 'abort/'));
  expect(await moved()).toEqual([]);
  expect(await placeOf(station, 'X', 'a-1')).toMatchObject({ on_hand: 10, allocated: 0 });
  await launch(station, 'SO-1');
  await press(station, ONE);
  expect(await moved()).toEqual([['pick', 'a-1', -1, 9]]);
});

test('scans, corrections and manual confirmations change the stock in the same way, even below 0', async () => {
  const [id = 0] = await order([{ ordered_quantity: 20 }]);
  await station.post('/api/scan/', { code: 'X', order_number: 'SO-1', act: true, quantity: 2 });
  await correct(station, 'SO-1', id, { quantity_fulfilled: 12 });
  await correct(station, 'SO-1', id, { quantity_fulfilled: 11 });
  await station.clock.advance(3_000);
  await press(station, ONE);
  expect(await moved()).toEqual([
    ['pick', 'a-1', -2, 8],
    ['pick', 'a-1', -10, -2],
    ['pick', 'a-1', 1, -1],
    ['pick', 'a-1', -9, -10],
  ]);
  expect(await placeOf(station, 'X', 'a-1')).toMatchObject({ attention: ['negative'] });
  const negative = await station.get<StockRow[]>('/api/stock/?negative=1');
  expect(negative).toMatchObject([{ sku: 'X', location: 'a-1', on_hand: -10 }]);
});

test('an uncounted place stays uncounted, and a pick at a place that the article does not have is recorded without a place', async () => {
  await order([
    { ordered_quantity: 2, deviceid: THREE_BUTTONS },
    { ordered_quantity: 1, deviceid: '51D000:000003' },
  ]);
  await press(station, THREE_BUTTONS);
  await press(station, '51D000:000003');
  expect(await moved()).toEqual([
    ['pick', 'A-2', -2, null],
    ['pick', '', -1, null],
  ]);
  expect(await onHand(station, 'X')).toEqual({ 'a-1': 10, 'A-2': null });
});

test('the place of a line is the alias by which it was lit, even after the light is off', async () => {
  await station.post('/api/location-aliases/', { name: 'B-1', deviceid: ONE, deviceIs: 'Above' });
  await addArticle(station, 'Y', [
    { location: 'B-1', on_hand: 5 },
    { location: 'A-1', on_hand: 5 },
  ]);
  const [id = 0] = await order([{ SKU: 'Y', deviceid: undefined, warehouse_location: 'b-1' }]);
  await press(station, ONE);
  expect(await onHand(station, 'Y')).toEqual({ 'B-1': 3, 'A-1': 5 });
  await correct(station, 'SO-1', id, { quantity_fulfilled: 3 });
  expect(await onHand(station, 'Y')).toEqual({ 'B-1': 2, 'A-1': 5 });
  await act('reopen', id, { quantity_fulfilled: 0 });
  expect(await onHand(station, 'Y')).toEqual({ 'B-1': 5, 'A-1': 5 });
});

test('pieces from two places return there in reverse picking order, to a renamed place under its new name', async () => {
  await addArticle(station, 'Y', [
    { location: 'A-1', on_hand: 5 },
    { location: 'A-2', on_hand: 5 },
  ]);
  const [id = 0] = await order([{ SKU: 'Y', ordered_quantity: 5 }]);
  await act('short', id, { quantity_fulfilled: 2, reason: 'other', elsewhere: THREE_BUTTONS });
  await press(station, THREE_BUTTONS);
  expect(await onHand(station, 'Y')).toEqual({ 'A-1': 3, 'A-2': 2 });
  await station.post('/api/places/rename/', { from: 'A-2', to: 'C-9' });
  await correct(station, 'SO-1', id, { quantity_fulfilled: 1 });
  expect(await onHand(station, 'Y')).toEqual({ 'A-1': 4, 'C-9': 5 });
});

test('an undo returns the pieces, and "It was mine" books them for the other line', async () => {
  const [first = 0, second = 0] = await order([
    { ordered_quantity: 2 },
    { ordered_quantity: 2, deviceid: THREE_BUTTONS },
  ]);
  await press(station, ONE);
  await act('reopen', first, { instead: second });
  expect(await moved()).toEqual([
    ['pick', 'a-1', -2, 8],
    ['pick', 'a-1', 2, 10],
    ['pick', 'A-2', -2, null],
  ]);
});

test('an article is found by barcode or by a unique name, and keeps its lines when renamed', async () => {
  await addArticle(station, 'Y', [{ location: 'A-1', on_hand: 5 }], {
    name: 'Nut',
    barcodes: [{ code: '036000291452' }],
  });
  await order([
    { SKU: undefined, UPC: '0036000291452' },
    { SKU: undefined, name: 'nut', deviceid: THREE_BUTTONS },
    { SKU: 'Y', deviceid: '51D000:000003', warehouse_location: 'A-1' },
  ]);
  await station.patch(articlePath('Y'), { sku: 'Z' });
  await press(station, ONE);
  await press(station, THREE_BUTTONS);
  const movements = await movementsOf(station, '?sku=z&kind=pick');
  expect(movements.map(({ SKU, location }) => [SKU, location])).toEqual([
    ['Z', 'A-1'],
    ['Z', 'A-2'],
  ]);
});

test('a delta, a count and a transfer in one request are booked separately, each with its own result', async () => {
  const answer = await postStock(
    station,
    { SKU: 'x', location: 'A-1', delta: '-4', reason: 'broken' },
    { sku: 'X', location: 'A-2', delta: 3, key: 'k' },
    { sku: 'X', location: 'A-2', count: 5, was: null },
    { sku: 'X', from: 'A-1', to: 'A-2', quantity: 2 },
    { sku: 'X', location: 'A-1', count: 1, was: 10 },
    { sku: 'X', location: 'nowhere', delta: 1 },
    { sku: 'no', location: 'A-1', delta: 1 },
    { sku: 'X', location: 'A-1', count: -1 },
    { sku: 'X', location: 'A-1' },
    { sku: 'X', from: 'A-1', to: 'a-1', quantity: 1 },
  );
  expect(answer.status).toBe(207);
  expect(answer.body).toMatchObject([
    { status: 200, on_hand: 6, warnings: [expect.stringContaining('without a key')] },
    { status: 200, on_hand: null },
    { status: 200, on_hand: 5 },
    { status: 200, on_hand: 7 },
    { status: 409, code: 'outdated', movement_id: null, detail: expect.stringContaining('is now 4 instead of 10') },
    { status: 404, code: 'not_found' },
    { status: 404, code: 'not_found' },
    { status: 400, code: 'invalid' },
    { status: 400, code: 'invalid' },
    { status: 400, code: 'invalid' },
  ]);
  expect(await moved()).toEqual([
    ['adjust', 'a-1', -4, 6],
    ['adjust', 'A-2', 3, null],
    ['count', 'A-2', 5, 5],
    ['transfer', 'a-1', -2, 4],
    ['transfer', 'A-2', 2, 7],
  ]);
});

test('lists of stock and movements can be filtered, and are paged and sorted', async () => {
  await addArticle(station, 'B', [
    { location: 'A-1', on_hand: 1, minimum: 2 },
    { location: 'Loft', on_hand: 9, minimum: 2 },
  ]);
  const rows = await station.get<StockRow[]>('/api/stock/?limit=3');
  expect(rows.map(({ sku, location }) => [sku, location])).toEqual([
    ['B', 'A-1'],
    ['B', 'Loft'],
    ['X', 'a-1'],
  ]);
  const page = await station.request('GET', '/api/stock/?limit=3');
  const next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  expect(await station.get<StockRow[]>(next)).toMatchObject([{ sku: 'X', location: 'A-2' }]);
  expect(await station.get<StockRow[]>('/api/stock/?below_minimum=1')).toMatchObject([{ sku: 'B', location: 'A-1' }]);
  expect(await station.get<StockRow[]>('/api/stock/?location=a-1&SKU=b')).toHaveLength(1);
  await order([{}]);
  await press(station, ONE);
  const all = await movementsOf(station);
  const ids = all.map(({ movement_id: id }) => id);
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  expect(await movementsOf(station, `?after=${ids[1] ?? 0}`)).toEqual(all.slice(2));
  for (const query of ['?order_number=SO-1', '?kind=pick', '?sku=x&location=A-1&kind=pick'])
    expect(await movementsOf(station, query), query).toMatchObject([{ order: 'SO-1' }] satisfies Partial<Movement>[]);
  expect(await movementsOf(station, '?sku=nothing')).toEqual([]);
  expect(await movementsOf(station, '?from=2100-01-01T00:00:00Z')).toEqual([]);
});

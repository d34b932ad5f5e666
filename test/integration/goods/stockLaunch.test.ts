import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkLine } from '#shared/api/picking.ts';
import { addArticle, onHand, placeOf } from '../../helpers/articles.ts';
import {
  addOrder,
  correct,
  itemsOf,
  launch,
  litDevices,
  ONE,
  orderPath,
  press,
  statesOf,
  THIRD,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 20: where a launch lights an item.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  for (const [id, label] of [
    [ONE, 'A-1'],
    [THREE_BUTTONS, 'A-2'],
    [THIRD, 'A-3'],
  ] as const)
    await station.post(`/api/device/${id}/`, { locationoverride: label });
});
afterEach(() => station.stop());

const line = (given: object = {}): object => ({ SKU: 'X', ordered_quantity: 3, ...given });

test('an item that names no place is lit where the stock suffices, found by SKU, barcode or name', async () => {
  const given = { name: 'Nut', barcodes: [{ code: '4006381333931' }] };
  await addArticle(
    station,
    'X',
    [
      { location: 'A-1', on_hand: 2 },
      { location: 'a-2', on_hand: 9 },
    ],
    given,
  );
  for (const [index, item] of [
    line(),
    line({ SKU: undefined, UPC: '4006381333931' }),
    line({ SKU: undefined, name: 'nut' }),
  ].entries()) {
    await addOrder(station, `SO-${index}`, [item]);
    await launch(station, `SO-${index}`);
    expect(await litDevices(station), String(index)).toEqual([THREE_BUTTONS]);
    await press(station, THREE_BUTTONS);
  }
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 2, 'a-2': 0 });
});

test('two lines in one launch do not count on the same pieces', async () => {
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 4 },
    { location: 'A-2', on_hand: 4 },
  ]);
  await addOrder(station, 'SO-1', [line(), line()]);
  await launch(station, 'SO-1');
  expect(await litDevices(station)).toEqual([ONE, THREE_BUTTONS]);
  expect(await placeOf(station, 'X', 'A-2')).toMatchObject({ allocated: 3, available: 1 });
});

test('without any stock the first place is lit anyway, and the order needs attention until the line is picked', async () => {
  await addArticle(station, 'X', [
    { location: 'A-2', priority: 2, on_hand: 0 },
    { location: 'A-3', priority: 1, on_hand: 0 },
  ]);
  await addOrder(station, 'SO-1', [line(), line({ SKU: 'other', deviceid: ONE })]);
  await launch(station, 'SO-1');
  expect(await litDevices(station)).toEqual([ONE, THIRD]);
  expect(await station.get(orderPath('SO-1'))).toMatchObject({
    attention: ['no_stock'],
    shipments: [{ attention: ['no_stock'], items: [{ no_stock: true }, { no_stock: false }] }],
  });
  expect(await station.get('/api/order-progress/?attention=1')).toMatchObject([{ order_number: 'SO-1' }]);
  const subject = {
    kind: 'order_attention',
    problem: 'Order SO-1: An article that it needs has run out.',
  };
  expect(await station.get('/api/alerts/')).toMatchObject([subject]);
  await press(station, THIRD);
  expect(await station.get(orderPath('SO-1'))).toMatchObject({ state: 'in_progress', attention: [] });
  expect(await station.get('/api/alerts/')).toEqual([]);
});

test('the setting place_rule chooses among places with enough stock, with walking order as the tie-breaker', async () => {
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 9 },
    { location: 'A-2', on_hand: 4 },
    { location: 'A-3', on_hand: 4 },
  ]);
  const rack = await station.post<{ shelves: { id: number }[] }>('/api/map/racks/', { name: 'A' });
  for (const [column, id] of [THIRD, THREE_BUTTONS].entries())
    await station.request('PUT', `/api/map/places/${id}/`, { shelf: rack.shelves[0]?.id, column });
  expect(await station.request('PATCH', '/api/settings/', { place_rule: 'fullest' })).toMatchObject({ status: 400 });
  await station.patch('/api/settings/', { place_rule: 'emptiest' });
  await addOrder(station, 'SO-1', [line(), line(), line()]);
  await launch(station, 'SO-1');
  expect((await itemsOf(station, 'SO-1')).map(({ deviceid }) => deviceid)).toEqual([THIRD, THREE_BUTTONS, ONE]);
});

test('a launch after a pause lights the same places again', async () => {
  await station.post('/api/users/', { username: 'Paula', password: 'harbour street', role: 'picker' });
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 6 },
    { location: 'A-2', on_hand: 2 },
  ]);
  await addOrder(station, 'SO-1', [line(), line()]);
  for (let round = 0; round < 2; round += 1) {
    await station.post(orderPath('SO-1', 'launch/'), { picker: 'Paula' });
    expect((await itemsOf(station, 'SO-1')).map(({ deviceid }) => deviceid)).toEqual([ONE, ONE]);
    await station.post(orderPath('SO-1', 'pause/'), { picker: 'Paula' });
  }
});

test('a timed-out line is lit again at the place of its article', async () => {
  await addArticle(station, 'X', [{ location: 'A-2', on_hand: 9 }]);
  await addOrder(station, 'SO-1', [line()], { seconds: 5 });
  await launch(station, 'SO-1');
  await station.clock.advance(9_000);
  const [item] = await itemsOf(station, 'SO-1');
  expect(item).toMatchObject({ timed_out: true });
  expect(await station.request('POST', orderPath('SO-1', `items/${item?.id ?? 0}/light/`))).toMatchObject({
    status: 200,
    body: { state: 'active', deviceid: THREE_BUTTONS },
  });
});

test('an item without a name or description has those of its article, which are fixed once its line is lit', async () => {
  const given = { name: 'Nut M8', description: 'steel' };
  await addArticle(station, 'X', [{ location: 'A-1' }], given);
  const order = { order_number: 'SO-1', items: [line(), line({ name: 'Own', description: 'words' })] };
  await station.post('/api/orders/', order);
  expect(await itemsOf(station, 'SO-1')).toMatchObject([given, { name: 'Own', description: 'words' }]);
  // The request has the same content, although the stored order has more fields.
  expect(await station.request('POST', '/api/orders/', order)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('the same content') as string },
  });
  await station.patch('/api/articles/X/', { name: 'Nut M8x20' });
  await launch(station, 'SO-1');
  const lit = { name: 'Nut M8x20', description: 'steel' };
  expect(await itemsOf(station, 'SO-1')).toMatchObject([lit, { name: 'Own' }]);
  expect(await station.get<WorkLine[]>('/api/work/')).toMatchObject([
    { text: 'Nut M8x20', description: 'steel' },
    { text: 'Own' },
  ]);
  expect(await station.device(ONE)).toMatchObject({ commands: [{ line1: 'Nut M8x20', line2: 'steel' }, {}] });
  await station.request('DELETE', '/api/articles/X/?force=1');
  expect(await itemsOf(station, 'SO-1')).toMatchObject([lit, { name: 'Own' }]);
});

test('a short offers the other places of the article, and the rest is booked at the chosen place', async () => {
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 9 },
    { location: 'A-2', on_hand: 0 },
    { location: 'Loft', on_hand: 5 },
    { location: 'Drawer', on_hand: 5 },
  ]);
  await station.post('/api/location-aliases/', { name: 'Drawer', deviceid: THIRD, deviceIs: 'Above' });
  await addOrder(station, 'SO-1', [line()]);
  await launch(station, 'SO-1');
  const elsewhere = [
    { deviceid: THIRD, location: 'Drawer' },
    { deviceid: THREE_BUTTONS, location: 'A-2' },
  ];
  expect(await station.get('/api/work/')).toMatchObject([{ deviceid: ONE, elsewhere }]);
  const [item] = await itemsOf(station, 'SO-1');
  const short = { quantity_fulfilled: 1, reason: 'missing', elsewhere: THIRD };
  await station.post(orderPath('SO-1', `items/${item?.id ?? 0}/short/`), short);
  await press(station, THIRD);
  expect(await onHand(station, 'X')).toMatchObject({ Drawer: 3 });
});

test('a partly picked line keeps its place, and a place named in the order takes precedence', async () => {
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 3 },
    { location: 'A-2', on_hand: 9 },
  ]);
  await addOrder(station, 'SO-1', [line(), line({ warehouse_location: 'A-3' })]);
  await launch(station, 'SO-1');
  expect(await litDevices(station)).toEqual([ONE, THIRD]);
  const [first] = await itemsOf(station, 'SO-1');
  await correct(station, 'SO-1', first?.id ?? 0, { quantity_fulfilled: 1 });
  await station.post(orderPath('SO-1', 'abort/'));
  await launch(station, 'SO-1');
  expect(await litDevices(station)).toEqual([ONE, THIRD]);
});

test('without a picker, uses only places with a device; with a picker, a place without a device is work without a light', async () => {
  await addArticle(station, 'X', [
    { location: 'Loft', on_hand: 9 },
    { location: 'A-1', on_hand: 1 },
  ]);
  await station.post('/api/users/', { username: 'Paula', password: 'harbour street', role: 'picker' });
  await addOrder(station, 'SO-1', [line()]);
  await launch(station, 'SO-1');
  expect(await litDevices(station)).toEqual([ONE]);
  await station.post(orderPath('SO-1', 'abort/'));
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Paula' });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active)');
  expect(await station.get<WorkLine[]>('/api/work/?picker=Paula')).toMatchObject([{ light: false, location: 'Loft' }]);
  const [item] = await itemsOf(station, 'SO-1');
  await station.post(orderPath('SO-1', `items/${item?.id ?? 0}/confirm/`), { picker: 'Paula' });
  expect(await onHand(station, 'X')).toEqual({ Loft: 6, 'A-1': 1 });
});

test('an item of an article without places is lit at the alias named like its SKU', async () => {
  await addArticle(station, 'X');
  await station.post('/api/location-aliases/', { name: 'x', deviceid: THIRD, deviceIs: 'Above' });
  await addOrder(station, 'SO-1', [line()]);
  await launch(station, 'SO-1');
  expect(await litDevices(station)).toEqual([THIRD]);
});

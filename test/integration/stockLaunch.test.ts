import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkLine } from '#shared/api/picking.ts';
import { addArticle, onHand, placeOf } from '../helpers/articles.ts';
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
} from '../helpers/orders.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';

// Contract, section 20: where an item lights.
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

test('an item that names no place is lit where the stock covers it, by SKU, barcode or name', async () => {
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

test('lines of one launch do not count the same pieces twice', async () => {
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 4 },
    { location: 'A-2', on_hand: 4 },
  ]);
  await addOrder(station, 'SO-1', [line(), line()]);
  await launch(station, 'SO-1');
  expect(await litDevices(station)).toEqual([ONE, THREE_BUTTONS]);
  expect(await placeOf(station, 'X', 'A-2')).toMatchObject({ allocated: 3, available: 1 });
});

test('without any stock the first place is lit anyway', async () => {
  await addArticle(station, 'X', [
    { location: 'A-2', priority: 2, on_hand: 0 },
    { location: 'A-3', priority: 1, on_hand: 0 },
  ]);
  await addOrder(station, 'SO-1', [line()]);
  await launch(station, 'SO-1');
  expect(await litDevices(station)).toEqual([THIRD]);
});

test('a partly picked line keeps its place, and what the order names comes first', async () => {
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

test('for nobody only places with a device count; for a picker, a place without one is work without a light', async () => {
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

test('an article without places does what it did: an alias with its SKU lights', async () => {
  await addArticle(station, 'X');
  await station.post('/api/location-aliases/', { name: 'x', deviceid: THIRD, deviceIs: 'Above' });
  await addOrder(station, 'SO-1', [line()]);
  await launch(station, 'SO-1');
  expect(await litDevices(station)).toEqual([THIRD]);
});

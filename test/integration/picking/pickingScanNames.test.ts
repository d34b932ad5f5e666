import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryEntry, OrderTimeline } from '#shared/api/history.ts';
import type { PickerFigures } from '#shared/api/historySummary.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import { addOrder, anItem, itemsOf, ONE, orderPath, press, THREE_BUTTONS } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: the history and picker statistics attribute scans to the right person.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  for (const username of ['Anna', 'Ben']) {
    await station.post('/api/users/', { username, password: 'a few easy words', role: 'picker' });
  }
  await station.clock.advance(5_000);
  await addOrder(station, 'SO-1', [
    anItem({ SKU: 'CT-200', ordered_quantity: 5 }),
    anItem({ name: 'Fuse', SKU: 'F-1', deviceid: THREE_BUTTONS }),
    anItem({ name: 'Bolt', SKU: 'B-1', deviceid: undefined, warehouse_location: 'C-9' }),
  ]);
  await act('launch', { picker: 'Anna' });
});

afterEach(() => station.stop());

async function act(what: string, body: object = {}): Promise<void> {
  await station.post(orderPath('SO-1', `${what}/`), body);
  await station.clock.advance(3_000);
}

let scans = 0;
async function scan(code: string, more: object = {}): Promise<ScanResult> {
  const body = { code, picker: 'anna', act: true, order_number: 'SO-1', key: `scan ${scans++}`, ...more };
  const answer = await station.post<ScanResult>('/api/scan/', body);
  await station.clock.advance(3_000);
  return answer;
}

const people = (): Promise<PickerFigures[]> => station.get('/api/history/people/');

test('the history and the timeline record who scanned, and for whom', async () => {
  await scan('CT-200', { quantity: 1 });
  await scan('CT-200');
  await scan('F-1');
  await scan('B-1');
  const kinds = 'acknowledged,order_counted,order_short,order_confirmed,order_fulfilled';
  const rows = await station.get<HistoryEntry[]>(`/api/history/?kind=${kinds}`);
  expect(rows).toHaveLength(5);
  expect(rows.map(({ by, for: whom }) => `${by} for ${whom}`)).toEqual(Array(5).fill('API key for Anna'));
  expect((await itemsOf(station, 'SO-1')).map(({ picker }) => picker)).toEqual(['Anna', 'Anna', 'Anna']);
  const { steps } = await station.get<OrderTimeline>('/api/history/orders/SO-1/');
  const acknowledged = steps.filter(({ kind }) => kind === 'acknowledged');
  expect(acknowledged.map(({ by, for: whom }) => `${by} for ${whom}`)).toEqual(Array(2).fill('API key for Anna'));
});

test('the history names the item that was scanned or pressed, even if two lines have the same article', async () => {
  await addOrder(station, 'SO-2', [anItem({ SKU: 'S-1' }), anItem({ SKU: 'S-1' }), anItem({ SKU: 'S-1' })]);
  await station.post(orderPath('SO-2', 'launch/'), { picker: 'Ben' });
  await station.clock.advance(3_000);
  const [first, second, third] = (await itemsOf(station, 'SO-2')).map(({ id }) => id);
  const here = { order_number: 'SO-2', picker: 'Ben' };
  await station.post(orderPath('SO-1', 'pause/'), { picker: 'Anna' });
  await scan('S-1', { ...here, item_id: second, quantity: 1 });
  await scan('S-1', { ...here, item_id: second });
  await press(station, ONE);
  await station.post(orderPath('SO-2', `items/${third}/short/`), { reason: 'missing' });
  const kinds = 'acknowledged,order_counted,order_short,order_launched';
  const rows = await station.get<HistoryEntry[]>(`/api/history/?kind=${kinds}&order_number=SO-2`);
  expect(rows.map(({ kind, item_id: id }) => [kind, id]).toReversed()).toEqual([
    ['order_launched', null],
    ['order_counted', second],
    ['acknowledged', second],
    ['acknowledged', first],
    ['order_short', third],
  ]);
});

test('the history names the person of a scan even if only the calling program knows the name', async () => {
  await station.post(orderPath('SO-1', 'leave/'), { picker: 'Anna' });
  await scan('CT-200', { picker: 'Temp 7', quantity: 1 });
  await scan('CT-200', { picker: 'Temp 7' });
  const rows = await station.get<HistoryEntry[]>('/api/history/?kind=acknowledged,order_counted');
  expect(rows.map(({ by, for: whom }) => `${by} for ${whom}`)).toEqual(Array(2).fill('API key for Temp 7'));
  expect(await station.get('/api/history/?by=Temp 7')).toEqual(rows);
  const [row] = await people();
  expect(row).toBeUndefined();
});

test('a line stays with its picker if a person outside the order confirms it', async () => {
  await scan('CT-200', { picker: 'Ben' });
  const [row] = await station.get<HistoryEntry[]>('/api/history/?kind=acknowledged');
  expect(row).toMatchObject({ by: 'API key', for: 'Ben' });
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ state: 'done', picker: 'Anna' });
});

test('a line that a program scans for a colleague in the same order counts for the colleague', async () => {
  await act('join', { picker: 'Ben' });
  expect((await itemsOf(station, 'SO-1')).map(({ picker }) => picker)).toEqual(['Anna', 'Ben', 'Anna']);
  await scan('F-1', { picker: 'Ben' });
  await scan('CT-200', { picker: 'Ben' });
  expect((await itemsOf(station, 'SO-1')).map(({ picker, state }) => `${picker} ${state}`)).toEqual([
    'Ben done',
    'Ben done',
    'Anna active',
  ]);
  expect((await people()).map(({ picker, units }) => `${picker} ${units}`)).toEqual(['Ben 7']);
});

test('picker statistics count the pieces of every scan, but each line only once', async () => {
  await scan('CT-200', { quantity: 2 });
  expect(await people()).toMatchObject([{ picker: 'Anna', lines: 0, units: 2, shorts: 0, median_seconds: null }]);
  await scan('CT-200', { quantity: 2 });
  await press(station, ONE);
  await scan('B-1', { quantity: 1 });
  await scan('B-1', { quantity: 0, close: true, reason: 'missing' });
  expect(await people()).toMatchObject([{ picker: 'Anna', lines: 2, units: 6, shorts: 1 }]);
});

test('picker statistics credit pieces to the person who counted them', async () => {
  await scan('CT-200', { quantity: 2 });
  await act('handover', { picker: 'Ben' });
  await press(station, ONE);
  expect(await people()).toMatchObject([
    { picker: 'Ben', lines: 1, units: 3 },
    { picker: 'Anna', lines: 0, units: 2 },
  ]);
});

test('an undo removes the line and its last pieces from the picker statistics, but not earlier pieces', async () => {
  await scan('CT-200', { quantity: 2 });
  await press(station, ONE);
  const [item] = await itemsOf(station, 'SO-1');
  await act(`items/${item?.id}/reopen`);
  expect(await people()).toMatchObject([{ lines: 0, units: 2 }]);
  await press(station, ONE);
  expect(await people()).toMatchObject([{ lines: 1, units: 5 }]);
  await act(`items/${item?.id}/reopen`, { quantity_fulfilled: 1 });
  expect(await people()).toMatchObject([{ lines: 0, units: 1 }]);
});

test('the pieces found for a short line stay credited to its picker after an undo, even if the rest was moved elsewhere', async () => {
  const [item] = await itemsOf(station, 'SO-1');
  await act(`items/${item?.id}/short`, { quantity_fulfilled: 2, reason: 'missing' });
  expect(await people()).toMatchObject([{ lines: 1, units: 2, shorts: 1 }]);
  await act(`items/${item?.id}/reopen`);
  expect(await people()).toMatchObject([{ lines: 0, units: 2, shorts: 0, median_seconds: null }]);
  const elsewhere = { quantity_fulfilled: 3, reason: 'missing', elsewhere: '51D000:000003' };
  await act(`items/${item?.id}/short`, elsewhere);
  expect(await people()).toMatchObject([{ lines: 0, units: 3 }]);
});

test.each<[string, string, object]>([
  ['an order', '7', {}],
  ['an order with # in front', '#077', {}],
  ['an SKU', 'SO-9', { SKU: '12' }],
  ['a UPC', 'SO-9', { UPC: '123' }],
  ['an article', 'SO-9', { name: '5' }],
])('the station reports that a number is too short for %s', async (_, number, item) => {
  const exist = async () => (await station.get<{ exist: boolean }>('/api/scan/short-numbers/')).exist;
  await addOrder(station, '1007', [anItem({ SKU: '1234', UPC: '4006381333931' })]);
  expect(await exist()).toBe(false);
  await addOrder(station, number, [anItem(item)]);
  expect(await exist()).toBe(true);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScanResult, WorkLine } from '#shared/api/picking.ts';
import { addArticle, onHand } from '../../helpers/articles.ts';
import { act as actOnBatch, addBatch, addCart } from '../../helpers/batches.ts';
import { addOrder, anItem, FOURTH, getOrder, itemsOf, ONE, orderPath, THREE_BUTTONS } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: places that can be scanned, and their precedence over order numbers.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await station.post('/api/users/', { username: 'Anna', password: 'a few easy words', role: 'picker' });
  await label(ONE, 'A-1');
  await label(THREE_BUTTONS, 'A-2');
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

const label = (id: string, locationoverride: string) => station.post(`/api/device/${id}/`, { locationoverride });

async function scan(code: string, given: object = {}): Promise<ScanResult> {
  const answer = await station.post<ScanResult>('/api/scan/', { code, picker: 'Anna', ...given });
  await station.clock.advance(3_000);
  return answer;
}

async function launch(number: string): Promise<void> {
  await station.post(orderPath(number, 'launch/'), { picker: 'Anna' });
  await station.clock.advance(5_000);
}

const work = (): Promise<WorkLine[]> => station.get('/api/work/?picker=Anna');
const of = { order_number: 'SO-1' };
const UNLIT = { deviceid: undefined, warehouse_location: undefined };

test('with an order in hand, the label of another shelf is the wrong place, even if an order has that number', async () => {
  await addOrder(station, 'A-2', [anItem({ deviceid: FOURTH })]);
  await addOrder(station, 'SO-1', [anItem()]);
  await launch('SO-1');
  const wrong = { result: 'wrong_place', location: 'A-2', taken: false, says: 'Wrong place: that was A-2. Scan A-1.' };
  expect(await scan('a-2', { ...of, act: true })).toMatchObject(wrong);
  expect((await getOrder(station, 'SO-1')).pickers).toMatchObject([{ name: 'Anna', paused: false }]);
  const [item] = await itemsOf(station, 'SO-1');
  expect(await scan('A-2')).toMatchObject({ result: 'order', order_number: 'A-2' });
  await station.request('PUT', '/api/user/current/', { picker: 'Anna', item_id: item?.id });
  expect(await scan('A-2', { act: true })).toMatchObject(wrong);
  expect(await scan('#A-2', { ...of, act: true })).toMatchObject({ result: 'order', order_number: 'A-2', taken: true });
});

test('in a batch, the label of another shelf is the wrong place, even if an order has that number', async () => {
  await addCart(station);
  await addOrder(station, 'A-2', [anItem({ deviceid: FOURTH })]);
  await addOrder(station, 'SO-1', [anItem()]);
  await addBatch(station, ['SO-1']);
  await actOnBatch(station, 'launch/', { picker: 'Anna' });
  for (const act of [false, true])
    expect(await scan('A-2', { batch: 1, act })).toMatchObject({ result: 'wrong_place', location: 'A-2' });
  expect(await scan('A-1', { batch: 1 })).toMatchObject({ result: 'lit', location: 'A-1' });
  expect(await scan('#A-2', { batch: 1 })).toMatchObject({ result: 'order', order_number: 'A-2' });
});

test('a place of articles without a device is a place for scans', async () => {
  await addArticle(station, 'NUT', [{ location: 'C-9' }]);
  await addOrder(station, 'C-9', [anItem({ deviceid: FOURTH })]);
  await addOrder(station, 'SO-1', [anItem()]);
  await launch('SO-1');
  expect(await scan('c-9', of)).toMatchObject({ result: 'wrong_place', location: 'C-9', deviceid: null });
  expect(await scan('#C-9', of)).toMatchObject({ result: 'order' });
  await addArticle(station, 'BOLT', [{ location: 'C-8' }]);
  expect(await scan('C-8')).toMatchObject({ result: 'place', location: 'C-8', says: 'C-8 has no light.' });
});

test('a line without a light is confirmed by a scan of the place that the page shows for it', async () => {
  await addArticle(station, 'NUT', [{ location: 'C 9' }]);
  await addOrder(station, 'C 9', [anItem({ deviceid: FOURTH })]);
  await addOrder(station, 'SO-1', [anItem({ ...UNLIT, SKU: 'NUT' }), anItem()]);
  await launch('SO-1');
  const dark = (await work()).find(({ light }) => !light);
  expect(dark).toMatchObject({ location: 'C 9', quantity: 2 });
  expect(await scan('c 9', of)).toMatchObject({ result: 'lit', location: 'C 9', item_id: dark?.item_id, quantity: 2 });
  expect(await scan('C 9', { ...of, act: true })).toMatchObject({ result: 'acknowledged', item_id: dark?.item_id });
  expect(await itemsOf(station, 'SO-1')).toMatchObject([{ state: 'done' }, { state: 'active' }]);
  expect(await scan('C 9', { ...of, act: true, key: 'again' })).toMatchObject({ result: 'already_done' });
});

test('at a line without a light, another place of its article is the wrong place, and the pieces can be taken there', async () => {
  await addArticle(station, 'NUT', [
    { location: 'C-9', on_hand: 5 },
    { location: 'C-8', on_hand: 7 },
    { location: 'A-2', on_hand: 0 },
  ]);
  await addArticle(station, 'TIE', [{ location: 'C-7' }]);
  await addOrder(station, 'SO-1', [anItem({ ...UNLIT, SKU: 'NUT' })]);
  await launch('SO-1');
  const [dark] = await work();
  expect(dark).toMatchObject({ location: 'C-9', light: false });
  const id = dark?.item_id ?? 0;
  const other = { result: 'wrong_place', item_id: id, order_number: 'SO-1' };
  expect(await scan('C-8', { ...of, act: true })).toMatchObject({ ...other, location: 'C-8', deviceid: null });
  expect(await scan('A-2', of)).toMatchObject({ ...other, location: 'A-2', deviceid: THREE_BUTTONS });
  expect(await scan('C-7', of)).toMatchObject({ result: 'wrong_place', item_id: null });
  const confirm = (location: string) =>
    station.request('POST', orderPath('SO-1', `items/${id}/confirm/`), { location, picker: 'Anna' });
  expect(await confirm('C-7')).toMatchObject({ status: 400, body: { errors: [{ path: '/location' }] } });
  expect(await confirm('c-8')).toMatchObject({ status: 200, body: { state: 'done', quantity_fulfilled: 2 } });
  expect(await onHand(station, 'NUT')).toEqual({ 'C-9': 5, 'C-8': 5, 'A-2': 0 });
});

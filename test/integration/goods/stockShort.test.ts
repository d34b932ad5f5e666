import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Task } from '#shared/api/task.ts';
import { addArticle, movedOf, placeOf, postStock } from '../../helpers/articles.ts';
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

// Contract, section 20: shorts, damaged pieces and undo.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'A-2' });
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 10 }, { location: 'A-2' }]);
});
afterEach(() => station.stop());

const moved = async (): Promise<unknown[]> => (await movedOf(station)).slice(1);

async function line(given: object = {}, number = 'SO-1'): Promise<number> {
  await addOrder(station, number, [anItem({ SKU: 'X', ordered_quantity: 5, ...given })]);
  await launch(station, number);
  return (await itemsOf(station, number))[0]?.id ?? 0;
}

async function act(what: 'short' | 'reopen' | 'verify' | 'confirm', id: number, body: object = {}): Promise<void> {
  const answer = await station.request('POST', orderPath('SO-1', `items/${id}/${what}/`), body);
  expect(answer.status).toBe(200);
  await station.clock.advance(3_000);
}

const missing = { quantity_fulfilled: 2, reason: 'missing' };

test('the reason "missing" books the pieces found, then sets the stock to 0; an undo restores the stock but keeps the pieces found', async () => {
  const id = await line();
  await act('short', id, missing);
  expect(await moved()).toEqual([
    ['pick', 'A-1', -2, 8],
    ['short', 'A-1', -8, 0],
  ]);
  await act('reopen', id);
  expect((await moved()).slice(2)).toEqual([['short', 'A-1', 8, 8]]);
});

test('an undo that also returns pieces restores the stock of the emptied place first', async () => {
  const id = await line();
  await act('short', id, missing);
  await act('reopen', id, { quantity_fulfilled: 0 });
  expect((await moved()).slice(2)).toEqual([
    ['short', 'A-1', 8, 8],
    ['pick', 'A-1', 2, 10],
  ]);
});

test('an undo does not change the stock if it has been changed since', async () => {
  const id = await line();
  await act('short', id, missing);
  await postStock(station, { sku: 'X', location: 'A-1', count: 3 });
  await act('reopen', id);
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 3 });
  await act('short', id, missing);
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 0 });
});

test('an uncounted place is marked as empty until something is put, picked or counted there', async () => {
  const id = await line({ deviceid: THREE_BUTTONS });
  await act('short', id, { quantity_fulfilled: 0, reason: 'missing' });
  expect(await placeOf(station, 'X', 'A-2')).toMatchObject({ on_hand: null, empty: true });
  await act('reopen', id);
  expect(await placeOf(station, 'X', 'A-2')).toMatchObject({ on_hand: null, empty: false });
  await act('short', id, { reason: 'missing' });
  await postStock(station, { sku: 'X', location: 'A-2', delta: 4 });
  expect(await placeOf(station, 'X', 'A-2')).toMatchObject({ on_hand: null, empty: false });
});

test('closing short with a device button sets the stock to 0 only once a person gives the reason "missing"', async () => {
  const id = await line({ deviceid: THREE_BUTTONS });
  await postStock(station, { sku: 'X', location: 'A-2', count: 9 });
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS);
  expect((await moved()).slice(1)).toEqual([
    ['pick', 'A-2', -4, 5],
    ['short', 'A-2', 0, 5],
  ]);
  await act('short', id, { reason: 'missing' });
  await postStock(station, { sku: 'X', location: 'A-2', delta: 7 });
  await act('short', id, { reason: 'missing' });
  expect((await moved()).slice(3)).toEqual([
    ['short', 'A-2', -5, 0],
    ['adjust', 'A-2', 7, 7],
  ]);
});

test('changing the reason from "missing" to a different one restores the stock', async () => {
  const id = await line();
  await act('short', id, missing);
  await act('short', id, { reason: 'wrong_item' });
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 8 });
});

test('the reason of a correction does not replace the reason of the short, and damaged pieces that return are written off', async () => {
  const id = await line();
  await act('short', id, missing);
  await correct(station, 'SO-1', id, { quantity_fulfilled: 3, reason: 'counted again' });
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: -1 });
  await correct(station, 'SO-1', id, { quantity_fulfilled: 1, reason: 'damaged' });
  expect((await moved()).slice(2)).toEqual([
    ['pick', 'A-1', -1, -1],
    ['pick', 'A-1', 2, 1],
    ['adjust', 'A-1', -2, -1],
  ]);
});

test('fewer pieces after a correction, or put back after an abort, return to a place that stays as it was found', async () => {
  await addOrder(station, 'SO-1', [anItem({ SKU: 'X', ordered_quantity: 5 }), anItem({ name: 'Other' })]);
  await launch(station, 'SO-1');
  const id = (await itemsOf(station, 'SO-1'))[0]?.id ?? 0;
  await act('short', id, missing);
  await correct(station, 'SO-1', id, { quantity_fulfilled: 1, reason: 'counted again' });
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 1 });
  await act('short', id, { quantity_fulfilled: 2, reason: 'missing' });
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 0 });
  await station.post(orderPath('SO-1', 'abort/'));
  const [task] = await station.get<Task[]>('/api/tasks/?kind=put_back');
  await station.post(`/api/tasks/${task?.id}/done/`);
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 2 });
  expect(await station.get('/api/tasks/?state=open')).toEqual([]);
});

test('a correction that completes a short line restores the stock of the place, because its pieces were found', async () => {
  const id = await line();
  await act('short', id, missing);
  await correct(station, 'SO-1', id, { quantity_fulfilled: 5, reason: 'found' });
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 5 });
});

test('the reason "missing" can be given when acknowledging fewer pieces than requested', async () => {
  await line();
  const { commands } = await station.device(ONE);
  const answer = await station.request('POST', `/api/device/${ONE}/acknowledge/`, {
    command_id: commands[0]?.command_id,
    qty: 1,
    reason: 'missing',
  });
  expect(answer.status).toBe(200);
  expect(await moved()).toEqual([
    ['pick', 'A-1', -1, 9],
    ['short', 'A-1', -9, 0],
  ]);
});

test('a line without a light books its pieces at the place in the order and applies the reason given on confirmation', async () => {
  await addArticle(station, 'Y', [{ location: 'Loft', on_hand: 6 }]);
  await station.post('/api/users/', { username: 'Paula', password: 'harbour street', role: 'picker' });
  await addOrder(station, 'SO-1', [
    anItem({ SKU: 'Y', ordered_quantity: 5, deviceid: undefined, warehouse_location: 'loft' }),
  ]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Paula' });
  expect(await placeOf(station, 'Y', 'Loft')).toMatchObject({ allocated: 5 });
  const id = (await itemsOf(station, 'SO-1'))[0]?.id ?? 0;
  await act('confirm', id, { quantity: 2, reason: 'missing', picker: 'Paula' });
  expect(await placeOf(station, 'Y', 'Loft')).toMatchObject({ on_hand: 0, allocated: 0 });
});

test.each([0, 2])(
  'a place with damaged pieces is counted, although the rest of %i found is lit elsewhere',
  async (found) => {
    const id = await line();
    await act('short', id, { quantity_fulfilled: found, reason: 'damaged', elsewhere: THREE_BUTTONS });
    const tasks = await station.get<Task[]>('/api/tasks/?kind=count&state=open');
    expect(tasks.map(({ SKU, location }) => [SKU, location])).toEqual([['X', 'A-1']]);
    expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 10 - found });
  },
);

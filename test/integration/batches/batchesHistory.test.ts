import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BatchTimeline, HistoryEntry, OrderTimeline } from '#shared/api/history.ts';
import { act, addBatch, addCart, addTies, PLACE } from '../../helpers/batches.ts';
import { addOrder, orderPath, press } from '../../helpers/orders.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// Contract, section 21: batches in the history.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  await addCart(station);
  await addTies(station, 'SO-1', 2);
  await addTies(station, 'SO-2', 3);
});
afterEach(() => station.stop());

const history = (query: string): Promise<HistoryEntry[]> => station.get(`/api/history/?limit=1000&${query}`);
/** Returns the kind, order and slot of each history entry, oldest first. */
const lines = async (query: string): Promise<string[]> =>
  (await history(query))
    .toReversed()
    .map(({ kind, order_number: order, batch }) => [kind, order ?? '', batch?.slot ?? ''].join(' ').trim());

test('the history of a batch contains only its launch, orders, picks, puts, shorts and end', async () => {
  await station.post(orderPath('SO-2', 'launch/'), { picker: 'Anna' });
  await station.post(orderPath('SO-2', 'leave/'), { picker: 'Anna' });
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/', { picker: 'Anna' });
  await act(station, 'pause/');
  await act(station, 'launch/', { picker: 'Anna' });
  await station.post('/api/scan/', {
    code: PLACE,
    act: true,
    quantity: 4,
    close: true,
    reason: 'damaged',
    picker: 'Anna',
  });
  await act(station, 'put/', { all: true, picker: 'Anna' });
  await act(station, 'put/undo/', { slot: 'A2', item_id: 2, picker: 'Anna' });
  await act(station, 'put/', { all: true, picker: 'Anna' });
  await act(station, 'free/');
  await addOrder(station, 'SO-3', [{ name: 'Fuse', ordered_quantity: 1, deviceid: PLACE }]);
  await station.post(orderPath('SO-3', 'launch/'), {});
  const own = (await lines('batch=1')).filter((line) => !/^(acknowledged|killed)/.test(line));
  expect(own).toEqual([
    'order_loaded SO-1 A1',
    'order_loaded SO-2 A2',
    'order_launched SO-1 A1',
    'order_launched SO-2 A2',
    'batch_launched',
    'batch_paused',
    'batch_launched',
    'order_counted SO-1 A1',
    'order_counted SO-2 A2',
    'order_confirmed SO-1 A1',
    'order_fulfilled SO-1 A1',
    'order_short SO-2 A2',
    'order_fulfilled SO-2 A2',
    'order_put SO-1 A1',
    'order_put SO-2 A2',
    'order_reopened SO-2 A2',
    'order_put_undone SO-2 A2',
    'order_short SO-2 A2',
    'order_fulfilled SO-2 A2',
    'order_put SO-2 A2',
    'order_unloaded SO-1 A1',
    'order_unloaded SO-2 A2',
    'batch_done',
  ]);
  const [put] = await history('kind=order_put&order_number=SO-1');
  expect(put).toMatchObject({ qty: 2, for: 'Anna', item: { name: 'Cable tie', before: 0 } });
  expect(put?.batch).toEqual({ id: 1, name: 'Cart 1', slot: 'A1' });
  expect(await lines('batch=1&kind=order_put&order_number=SO-1')).toEqual(['order_put SO-1 A1']);
  expect(await history('batch=1&sequenceid=x')).toEqual([]);
  expect(await history('batch=2')).toEqual([]);
  expect(await history('order_number=SO-3&kind=order_launched')).toMatchObject([{ batch: null }]);
});

test('the history of a batch contains its lights', async () => {
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/');
  await press(station, PLACE);
  const found = await history(`batch=1&kind=acknowledged`);
  expect(found).toMatchObject([{ deviceid: PLACE, qty: 2, batch: { id: 1, name: '', slot: null } }]);
  expect(await history(`batch=1&deviceid=${PLACE}&command_id=${found[0]?.command_id}`)).toHaveLength(1);
  expect(await history(`batch=2&command_id=${found[0]?.command_id}`)).toEqual([]);
});

test('the timeline of an order names its cart and slot, even after the order left the batch and was deleted', async () => {
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/', { picker: 'Anna' });
  await press(station, PLACE);
  await act(station, 'put/', { all: true, picker: 'Anna' });
  await act(station, 'free/');
  const details = async () => {
    const { steps } = await station.get<OrderTimeline>('/api/history/orders/SO-1/');
    return steps.filter(({ kind }) => /^order_(loaded|put|unloaded)$/.test(kind)).map(({ detail }) => detail);
  };
  const expected = ['Cart 1, slot A1.', '2 in the slot, 0 before. Cart 1, slot A1.', 'Cart 1, slot A1.'];
  expect(await details()).toEqual(expected);
  await station.request('DELETE', orderPath('SO-1', ''));
  expect(await details()).toEqual(expected);
});

test('the timeline of a batch contains its orders, lights and end, but no unrelated changes to the orders', async () => {
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/');
  await press(station, PLACE);
  await act(station, 'put/', { all: true });
  await act(station, 'free/');
  await station.patch(orderPath('SO-1', ''), { note: 'Ring twice' });
  const { steps, ...batch } = await station.get<BatchTimeline>('/api/history/batches/1/');
  expect(batch).toEqual({ id: 1, name: 'Cart 1', state: 'done', complete: true });
  const words = steps
    .filter(({ deviceid: id = PLACE }) => id === PLACE)
    .map(({ kind, order_number: order = '', slot = '' }) => `${kind} ${order} ${slot}`.trim());
  expect(words).toEqual([
    'order_loaded SO-1 A1',
    'order_loaded SO-2 A2',
    'order_launched SO-1 A1',
    'order_launched SO-2 A2',
    'batch_launched',
    'shown',
    'acknowledged',
    'order_counted SO-1 A1',
    'order_counted SO-2 A2',
    'order_confirmed SO-1 A1',
    'order_fulfilled SO-1 A1',
    'order_confirmed SO-2 A2',
    'order_fulfilled SO-2 A2',
    'order_put SO-1 A1',
    'order_put SO-2 A2',
    'order_unloaded SO-1 A1',
    'order_unloaded SO-2 A2',
    'batch_done',
  ]);
  expect((await station.request('GET', '/api/history/batches/2/')).status).toBe(404);
});

test('the history records orders removed from their slot, and those restored by an undo', async () => {
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/');
  await station.request('DELETE', '/api/batches/1/slots/A2/');
  await press(station, PLACE);
  await act(station, 'put/', { all: true });
  await act(station, 'slots/A1/free/');
  await act(station, 'slots/A1/free/undo/');
  const moves = (await lines('batch=1')).filter((line) => /loaded/.test(line));
  expect(moves).toEqual([
    'order_loaded SO-1 A1',
    'order_loaded SO-2 A2',
    'order_unloaded SO-2 A2',
    'order_unloaded SO-1 A1',
    'order_loaded SO-1 A1',
  ]);
});

test('the exported history has columns for the batch and the slot', async () => {
  await addBatch(station, ['SO-1']);
  const { body } = await station.request('GET', '/api/history/export/?batch=1');
  const [head, line] = String(body).trim().split(/\r?\n/);
  expect(head).toMatch(/;batch;slot$|,batch,slot$/);
  expect(line).toMatch(/[;,]1[;,]A1$/);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WallBoard } from '#shared/api/wallBoard.ts';
import { act, addBatch, addCart, addTies, PLACE, SLOT_A1, tryTo } from '../../helpers/batches.ts';
import { addOrder, press } from '../../helpers/orders.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

let station: TestStation & AsyncDisposable;
beforeEach(async () => void (station = await startTestStation({ simulate: 6, refreshMs: 0 })));
afterEach(() => station.stop());

test('the wall board lists the carts and walls in use, walls first', async () => {
  const board = async () => {
    await station.clock.advance(2_000);
    const { batches, batch_count: count } = await station.get<WallBoard>('/api/wall-board/');
    expect(batches).toHaveLength(count);
    return batches;
  };
  expect(await board()).toEqual([]);
  await addCart(station);
  await station.post('/api/walls/', { name: 'Wall 1', rows: 1, columns: 2 });
  await addTies(station, 'SO-1', 2);
  await addTies(station, 'SO-2', 2);
  await addBatch(station, ['SO-1', 'SO-2']);
  for (const number of ['SO-3', 'SO-4', 'SO-5'])
    await addOrder(station, number, [{ name: 'Bell', SKU: 'BE-7', ordered_quantity: 2 }]);
  await addBatch(station, ['SO-3', 'SO-4', 'SO-5'], { mode: 'wall', wall: 2, cart: undefined });
  await act(station, 'launch/', undefined, 2);
  await act(station, 'launch/');
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'A1', quantity: 2 });
  const counts = { slot_count: 2, complete_count: 0, stopped_count: 0, waiting_count: 0 };
  expect(await board()).toEqual([
    { ...counts, id: 2, name: 'Wall 1', mode: 'wall', state: 'sorting', waiting_count: 1 },
    { ...counts, id: 1, name: 'Cart 1', mode: 'cart', state: 'picking', complete_count: 1 },
  ]);
  await act(station, 'put/', { all: true });
  await act(station, 'free/');
  expect((await board()).map(({ id }) => id)).toEqual([2]);
  expect((await tryTo(station, '2/', undefined, 'DELETE')).status).toBeLessThan(300);
  expect(await board()).toEqual([]);
});

test('the command at a place or slot names its batch', async () => {
  await addCart(station);
  await addTies(station, 'SO-1', 2);
  const { id } = await addBatch(station, ['SO-1']);
  await act(station, 'launch/');
  const batchAt = async (deviceId: string) =>
    (await station.device(deviceId)).commands.map(({ batch_id: batch, order_number: order }) => [batch, order]);
  expect(await batchAt(PLACE)).toEqual([[id, null]]);
  await press(station, PLACE);
  expect(await batchAt(SLOT_A1)).toEqual([[id, null]]);
  await station.restart();
  expect(await batchAt(SLOT_A1)).toEqual([[id, null]]);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScanResult } from '#shared/api/picking.ts';
import { addArticle } from '../helpers/articles.ts';
import {
  act,
  addBatch,
  addCart,
  addTies,
  getBatch,
  handsOf,
  OTHER_PLACE,
  PLACE,
  shownAt,
  slotsOf,
} from '../helpers/batches.ts';
import { addOrder, itemsOf, orderPath, press, statesOf } from '../helpers/orders.ts';
import { type TestStation, startTestStation } from '../helpers/startTestStation.ts';

// Cases from the issue trackers of other programs.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await addCart(station);
});
afterEach(() => station.stop());

test('two orders of one customer: one line is corrected down, the other one is closed short', async () => {
  await addTies(station, 'SO-1', 5, { customer: 'Meyer' });
  await addTies(station, 'SO-2', 3, { customer: 'Meyer' });
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/', { color: 'blue' });
  expect(await shownAt(station, PLACE)).toContain('8 ');
  await press(station, PLACE);
  await station.patch(orderPath('SO-1', 'items/1/'), { quantity_fulfilled: 4, reason: 'damaged' });
  await station.post(orderPath('SO-2', 'items/2/reopen/'), {});
  await station.post(orderPath('SO-2', 'items/2/short/'), { reason: 'missing' });
  await station.post(orderPath('SO-1', 'items/1/short/'), { reason: 'damaged' });
  await station.clock.advance(3_000);
  expect(await handsOf(station)).toEqual({ '': 4 });
  expect(await slotsOf(station)).toEqual(['A1 open 0+4/5', 'A2 complete 0+0/3']);
  await act(station, 'put/', { all: true });
  expect([await statesOf(station, 'SO-1'), await statesOf(station, 'SO-2')]).toEqual([
    'fulfilled: fulfilled(short)',
    'fulfilled: fulfilled(short)',
  ]);
  expect((await itemsOf(station, 'SO-1'))[0]?.quantity_fulfilled).toBe(4);
});

test('two articles of one name in a batch: a scan of the name books nothing', async () => {
  await addArticle(station, 'LOT-A', [], { name: 'Batch 7' });
  await addArticle(station, 'LOT-B', [], { name: 'Batch 7' });
  for (const [number, SKU] of [
    ['SO-1', 'LOT-A'],
    ['SO-2', 'LOT-B'],
  ] as const)
    await addOrder(station, number, [
      { name: 'Batch 7', SKU, ordered_quantity: 1, deviceid: number === 'SO-1' ? PLACE : OTHER_PLACE },
    ]);
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/', { color: 'blue' });
  const { result } = await station.post<ScanResult>('/api/scan/', { code: 'Batch 7', batch: 1, act: true });
  expect(result).toBe('place');
  expect((await getBatch(station)).hands).toEqual([]);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import { act, addBatch, addCart, addTies, getBatch, handsOf, PLACE, slotsOf, tryTo } from '../../helpers/batches.ts';
import { orderPath, press } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 21: slots that were freed, and stopped slots.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await station.post('/api/users/', { username: 'Anna', password: 'a few easy words', role: 'picker' });
  await addCart(station);
});
afterEach(() => station.stop());

const freedIn = ({ slots }: Batch) => slots.flatMap(({ slot, freed }) => (freed === null ? [] : [[slot, freed]]));

test('a freed slot says who freed it, and which order it held, until it takes another order', async () => {
  await addTies(station, 'SO-1', 2);
  await addTies(station, 'SO-2', 3);
  await addTies(station, 'SO-3', 1);
  await addBatch(station, ['SO-1', 'SO-2', 'SO-3'], { put_confirmation: 'none' });
  await act(station, 'launch/');
  expect(freedIn(await getBatch(station))).toEqual([]);
  await press(station, PLACE);
  const at = expect.stringMatching(/^2\d{3}-.*Z$/) as string;
  await act(station, 'slots/A1/free/', { picker: 'Anna' });
  await act(station, 'slots/A2/free/');
  const expected = [
    ['A1', { at, by: 'Anna', order_number: 'SO-1' }],
    ['A2', { at, by: 'API key', order_number: 'SO-2' }],
  ];
  expect(freedIn(await getBatch(station))).toEqual(expected);
  await station.restart();
  expect(freedIn(await getBatch(station))).toEqual(expected);
  await act(station, 'slots/A2/free/undo/');
  expect(freedIn(await getBatch(station))).toEqual(expected.slice(0, 1));
  await addTies(station, 'SO-4', 1);
  expect((await tryTo(station, '1/slots/', { slot: 'A1', order_number: 'SO-4' })).status).toBe(409);
  await station.clock.advance(10_000);
  await act(station, 'slots/', { slot: 'A1', order_number: 'SO-4' });
  expect(freedIn(await getBatch(station))).toEqual([]);
  expect((await tryTo(station, '1/slots/A1/free/undo/')).status).toBe(409);
});

test('with pieces in hand, the code of a stopped slot is a wrong slot, and the put continues', async () => {
  await addTies(station, 'SO-1', 2);
  await addTies(station, 'SO-2', 3);
  await addBatch(station, [], {
    slots: [
      { slot: 'A1', order_number: 'SO-1' },
      { slot: 'A2', order_number: 'SO-2', tote: 'T-7' },
    ],
    put_confirmation: 'each',
  });
  await act(station, 'launch/');
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'A1', quantity: 1 });
  await station.post(orderPath('SO-1', 'abort/'));
  expect(await slotsOf(station)).toEqual(['A1 stopped 1+0/2', 'A2 open 0+3/3']);
  for (const code of ['C1-A1', 'c1-a1'])
    expect(await station.post<ScanResult>('/api/scan/', { code, act: true, key: code })).toMatchObject({
      result: 'wrong_slot',
      quantity: 0,
      expected: ['A2'],
      says: 'That was A1. Put 3 into A2.',
    });
  expect(await station.post('/api/batches/1/put/', { slot: 'A1' })).toMatchObject({ result: 'wrong_slot' });
  expect(await handsOf(station)).toEqual({ '': 3 });
  expect(await station.post('/api/scan/', { code: 'T-7', act: true })).toMatchObject({ result: 'put', quantity: 3 });
});

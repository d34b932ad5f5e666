import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkLine } from '#shared/api/picking.ts';
import { addArticle, movedOf } from '../../helpers/articles.ts';
import { act, addBatch, addCart } from '../../helpers/batches.ts';
import { addOrder, ONE, press, THREE_BUTTONS as TWO } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 9 }]);
  await addOrder(station, 'SO-1', [{ SKU: 'X', name: 'Nut', ordered_quantity: 2 }]);
  await addCart(station);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/', {});
  await station.clock.advance(3_000);
});
afterEach(() => station.stop());

const label = async (deviceId: string, locationoverride: string): Promise<void> => {
  await station.post(`/api/device/${deviceId}/`, { locationoverride });
  await station.clock.advance(3_000);
};
const litAt = async (deviceId: string): Promise<string[]> =>
  (await station.device(deviceId)).commands.map(({ line1, location }) => `${location}: ${line1}`);
const lines = () => station.get<WorkLine[]>('/api/work/?batch=1');

test('a pick of a cart follows the name of its place to another device, and waits without a light if there is none', async () => {
  expect(await litAt(ONE)).toEqual(['A-1: Nut']);
  await label(ONE, 'B-1');
  expect(await litAt(ONE)).toEqual([]);
  expect(await lines()).toMatchObject([{ location: 'A-1', deviceid: null, light: false, quantity: 2 }]);
  await label(TWO, 'a-1');
  expect(await litAt(TWO)).toEqual(['a-1: Nut']);
  expect(await lines()).toMatchObject([{ deviceid: TWO, light: true }]);
  await label(ONE, 'A-1');
  await label(TWO, 'C-1');
  expect(await litAt(ONE)).toEqual(['A-1: Nut']);
  await press(station, ONE);
  expect(await movedOf(station, '?kind=pick')).toEqual([['pick', 'A-1', -2, 7]]);
});

test('a pick of a cart gets the new name of its renamed place', async () => {
  await station.post('/api/places/rename/', { from: 'A-1', to: 'D-1' });
  await station.clock.advance(3_000);
  expect(await litAt(ONE)).toEqual(['D-1: Nut']);
  expect(await lines()).toMatchObject([{ location: 'D-1', deviceid: ONE, light: true }]);
  await press(station, ONE);
  expect(await movedOf(station, '?kind=pick')).toEqual([['pick', 'D-1', -2, 7]]);
});

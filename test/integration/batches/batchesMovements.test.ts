import { afterEach, beforeEach, expect, test } from 'vitest';
import { addArticle, movementsOf } from '../../helpers/articles.ts';
import { addBatch, addCart, act, PLACE } from '../../helpers/batches.ts';
import { addOrder, press } from '../../helpers/orders.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// A movement names the person, and a question about a place goes to the person who picked there.
let station: TestStation;
let key: string;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.post(`/api/device/${PLACE}/`, { locationoverride: 'A-1' });
  await addArticle(station, 'CT-200', [{ location: 'A-1', on_hand: 5 }]);
  const anna = { username: 'Anna', password: 'a few easy words' };
  await station.post('/api/users/', { ...anna, role: 'picker' });
  ({ apikey: key } = await openSession(station, anna));
  await addCart(station);
  for (const [number, quantity] of [
    ['SO-1', 2],
    ['SO-2', 3],
  ] as const)
    await addOrder(station, number, [
      { name: 'Cable tie', SKU: 'CT-200', ordered_quantity: quantity, warehouse_location: 'A-1' },
    ]);
});
afterEach(() => station.stop());

async function pressTheSum(): Promise<void> {
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/', { picker: 'Anna' });
  await press(station, PLACE);
}

test('the movements of a press at the light of a batch name the person', async () => {
  await pressTheSum();
  const picks = (await movementsOf(station)).filter(({ kind }) => kind === 'pick');
  expect(picks.map(({ delta, picker }) => [delta, picker])).toEqual([
    [-2, 'Anna'],
    [-3, 'Anna'],
  ]);
});

test('after a press in a batch, the person may answer whether the place is empty', async () => {
  await station.patch('/api/settings/', { zero_check: true });
  await pressTheSum();
  const body = { sku: 'CT-200', location: 'A-1', count: 1 };
  const headers = { 'api-key': key, 'content-type': 'application/json' };
  const answer = await station.request('POST', '/api/stock/left/', body, headers);
  expect(answer).toMatchObject({ status: 200 });
  expect((await movementsOf(station)).at(-1)).toMatchObject({ kind: 'count', picker: 'Anna', on_hand: 1 });
});

test('pieces that a batch takes back name the person too', async () => {
  await pressTheSum();
  await act(station, 'hand/', { by: 'Anna', do: 'missing', picker: 'Anna' });
  const back = (await movementsOf(station)).filter(({ kind, delta }) => kind === 'pick' && delta > 0);
  expect(back.map(({ picker }) => picker)).toEqual(['Anna', 'Anna']);
});

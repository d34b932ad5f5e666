import { afterEach, beforeEach, expect, test } from 'vitest';
import { addArticle } from '../../helpers/articles.ts';
import { act, addBatch, addCart, handsOf, OTHER_PLACE, PLACE } from '../../helpers/batches.ts';
import { addOrder, itemsOf, orderPath, press } from '../../helpers/orders.ts';
import { openSession } from '../../helpers/session.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// Anna's press picks 2 of SO-1 and 3 of 5 of SO-2. The rest of SO-2 moves to another place, where Ben picks it.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  for (const username of ['Anna', 'Ben'])
    await station.post('/api/users/', { username, password: 'Correct horse 7', role: 'picker' });
  await addCart(station);
  await station.post(`/api/device/${PLACE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${OTHER_PLACE}/`, { locationoverride: 'A-2' });
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 9 },
    { location: 'A-2', on_hand: 9 },
  ]);
  await addOrder(station, 'SO-1', [{ SKU: 'X', ordered_quantity: 2 }]);
  await addOrder(station, 'SO-2', [{ SKU: 'X', ordered_quantity: 5 }]);
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/', { picker: 'Anna' });
  const { commands } = await station.device(PLACE);
  await station.post(`/api/device/${PLACE}/acknowledge/`, { command_id: commands[0]?.command_id, qty: 5 });
  await station.clock.advance(3_000);
  await act(station, 'join/', { picker: 'Ben' });
  await act(station, 'handover/', { from: 'Anna', picker: 'Ben' });
  await press(station, OTHER_PLACE);
  expect(await handsOf(station)).toEqual({ Anna: 5, Ben: 2 });
});
afterEach(() => station.stop());

async function reopenAs(username: string, order: string, body: object) {
  const { write } = await openSession(station, { username, password: 'Correct horse 7' });
  const id = (await itemsOf(station, order))[0]?.id ?? 0;
  const headers = { ...write, 'content-type': 'application/json' };
  return station.request('POST', orderPath(order, `items/${id}/reopen/`), body, headers);
}

test('a press of which a part was picked again since is not taken back in part', async () => {
  expect(await reopenAs('Anna', 'SO-1', { press: true })).toMatchObject({ status: 409 });
  expect(await handsOf(station)).toEqual({ Anna: 5, Ben: 2 });
});

test('a person takes back no press of another picker', async () => {
  const answer = await reopenAs('Anna', 'SO-2', { press: true });
  expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Ben picked') } });
  expect(await handsOf(station)).toEqual({ Anna: 5, Ben: 2 });
  expect(await reopenAs('Ben', 'SO-2', { press: true })).toMatchObject({ status: 200 });
  expect(await handsOf(station)).toEqual({ Anna: 5 });
});

test('item by item, a person takes back all own pieces, and none of the person who picked last', async () => {
  expect(await reopenAs('Anna', 'SO-1', {})).toMatchObject({ status: 200 });
  expect(await reopenAs('Anna', 'SO-2', {})).toMatchObject({ status: 200 });
  expect(await handsOf(station)).toEqual({ Ben: 2 });
});

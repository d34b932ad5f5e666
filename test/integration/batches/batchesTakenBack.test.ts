import { afterEach, beforeEach, expect, test } from 'vitest';
import { addArticle } from '../../helpers/articles.ts';
import { act, addBatch, addCart, handsOf, PLACE, tryTo, OTHER_PLACE, SLOT_A1 } from '../../helpers/batches.ts';
import { addOrder, itemsOf, orderPath, press } from '../../helpers/orders.ts';
import { addGoods, addWall, owed, scan, sort } from '../../helpers/walls.ts';
import { openSession } from '../../helpers/session.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// "It was mine" and "Not mine" take back what the press booked, and nothing that was booked since.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  for (const username of ['Anna', 'Ben'])
    await station.post('/api/users/', { username, password: 'Correct horse 7', role: 'picker' });
});
afterEach(() => station.stop());

const idOf = async (order: string) => (await itemsOf(station, order))[0]?.id ?? 0;
const pathOf = async (order: string, what: string) => orderPath(order, `items/${await idOf(order)}/${what}`);

async function load(): Promise<void> {
  await addCart(station);
  await station.post(`/api/device/${PLACE}/`, { locationoverride: 'A-1' });
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 9 },
    { location: 'Shelf 7', on_hand: 9 },
  ]);
  await addOrder(station, 'SO-1', [{ SKU: 'X', ordered_quantity: 2 }]);
  await addOrder(station, 'SO-2', [{ SKU: 'X', ordered_quantity: 3 }]);
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/', { picker: 'Anna' });
}

async function acknowledge(qty: number): Promise<void> {
  const { commands } = await station.device(PLACE);
  await station.post(`/api/device/${PLACE}/acknowledge/`, { command_id: commands[0]?.command_id, qty });
  await station.clock.advance(3_000);
}

test('pieces that were confirmed at the next place since stay in the hand', async () => {
  await load();
  // A press of the device itself, with the number that somebody typed for it.
  const { commands } = await station.device(PLACE);
  await station.post(`/api/device/${PLACE}/adjust/`, { command_id: commands[0]?.command_id, quantity: 2 });
  await press(station, PLACE);
  await station.clock.advance(3_000);
  expect(await handsOf(station)).toEqual({ Anna: 2 });
  await station.post(await pathOf('SO-2', 'confirm/'), { picker: 'Anna' });
  expect(await handsOf(station)).toEqual({ Anna: 5 });
  await station.post(await pathOf('SO-1', 'reopen/'), { press: true });
  expect(await handsOf(station)).toEqual({ Anna: 3 });
});

test('what a touch booked as one sum is taken back and lit as one sum', async () => {
  await load();
  await acknowledge(5);
  expect(await handsOf(station)).toEqual({ Anna: 5 });
  await station.post(await pathOf('SO-2', 'reopen/'), { press: true });
  expect(await handsOf(station)).toEqual({});
  expect((await station.device(PLACE)).commands.map(({ quantity }) => quantity)).toEqual([5]);
});

test('where a pick is a put, a picker cannot take back what a colleague has picked of the line since', async () => {
  await addCart(station);
  await station.post(`/api/device/${PLACE}/`, { locationoverride: 'A-1' });
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 9 },
    { location: 'Shelf 7', on_hand: 9 },
  ]);
  await addOrder(station, 'SO-1', [{ SKU: 'X', ordered_quantity: 5 }]);
  await addBatch(station, ['SO-1'], { put_confirmation: 'none' });
  await act(station, 'launch/', { picker: 'Anna' });
  await act(station, 'join/', { picker: 'Ben' });
  const { commands } = await station.device(PLACE);
  await station.post(`/api/device/${PLACE}/acknowledge/`, {
    command_id: commands[0]?.command_id,
    qty: 2,
    reason: 'missing',
  });
  await station.clock.advance(3_000);
  await station.post(await pathOf('SO-1', 'confirm/'), { picker: 'Ben', quantity: 3 });
  const picked = async () => (await itemsOf(station, 'SO-1'))[0]?.quantity_fulfilled;
  expect(await picked()).toBe(5);
  const reopenAs = async (username: string) => {
    const { write } = await openSession(station, { username, password: 'Correct horse 7' });
    return await station.request(
      'POST',
      await pathOf('SO-1', 'reopen/'),
      {},
      { ...write, 'content-type': 'application/json' },
    );
  };
  expect(await reopenAs('Anna')).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('Ben picked') as string },
  });
  expect(await picked()).toBe(5);
  expect((await reopenAs('Ben')).status).toBe(200);
  expect(await picked()).toBe(2);
});

test('an order of the press that was aborted since does not matter', async () => {
  await load();
  await press(station, PLACE);
  await station.post(orderPath('SO-2', 'abort/'));
  await station.post(await pathOf('SO-1', 'reopen/'), { press: true });
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ quantity_fulfilled: 0 });
});

test('a press at a slot cannot be exchanged for another item, or once its put was undone', async () => {
  await addCart(station);
  await addOrder(station, 'SO-1', [
    { name: 'Tie', ordered_quantity: 2, deviceid: PLACE },
    { name: 'Clip', ordered_quantity: 3, deviceid: OTHER_PLACE },
  ]);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/', { picker: 'Anna' });
  await act(station, 'join/', { picker: 'Ben' });
  for (const place of [PLACE, OTHER_PLACE, SLOT_A1]) await press(station, place);
  expect(await handsOf(station)).toEqual({ Ben: 3 });
  const [tie, clip] = (await itemsOf(station, 'SO-1')).map(({ id }) => id);
  const mine = { slot: 'A1', instead: true, picker: 'Ben' };
  expect(await tryTo(station, '1/put/undo/', { ...mine, item_id: clip })).toMatchObject({ status: 409 });
  await act(station, 'put/undo/', { slot: 'A1', item_id: tie, picker: 'Anna' });
  await act(station, 'put/', { slot: 'A1', item_id: tie, picker: 'Anna' });
  expect(await tryTo(station, '1/put/undo/', { ...mine, item_id: tie })).toMatchObject({ status: 409 });
  expect(await handsOf(station)).toEqual({ Ben: 3 });
});

test('pieces that "It was mine" puts at a wall without picking are reported as put at its slot', async () => {
  await addWall(station);
  await station.patch('/api/settings/', { callback_url: 'http://127.0.0.1:9/', callback_nonce: 'item-{order}' });
  await addGoods(station, 'SO-1', { 'CT-200': 1, 'SC-1': 1 });
  await sort(station, ['SO-1']);
  await scan(station, 'CT-200', { picker: 'Anna' });
  await scan(station, 'SC-1', { picker: 'Ben' });
  await press(station, SLOT_A1);
  const [tie] = (await itemsOf(station, 'SO-1')).map(({ id }) => id);
  const before = owed(station).length;
  await act(station, 'put/undo/', { slot: 'A1', item_id: tie, instead: true, picker: 'Ben' });
  expect(owed(station).slice(before)).toContain(`device_ack SO-1 ${SLOT_A1} 1`);
});

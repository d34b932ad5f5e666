import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkLine } from '#shared/api/picking.ts';
import { act, addBatch, addCart, getBatch, handsOf, OTHER_PLACE, PLACE } from '../../helpers/batches.ts';
import { addOrder, itemsOf, orderPath, press } from '../../helpers/orders.ts';
import { openSession } from '../../helpers/session.ts';
import { type Answer, type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// Lines of a batch can be current and arrived. Anna picks two orders of a batch at a place, where Ben has a line of his order.
let station: TestStation & AsyncDisposable;
let ofBatch = 0;
let ofBen = 0;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  for (const username of ['Anna', 'Ben'])
    await station.post('/api/users/', { username, password: 'Correct horse 7', role: 'picker' });
  await addCart(station);
  const tie = (ordered_quantity: number) => [{ name: 'Tie', ordered_quantity, deviceid: PLACE }];
  await addOrder(station, 'SO-1', tie(2));
  await addOrder(station, 'SO-2', [...tie(1), { name: 'Clip', ordered_quantity: 1, deviceid: OTHER_PLACE }]);
  await addOrder(station, 'SO-9', tie(4));
  await station.post(orderPath('SO-9', 'launch/'), { picker: 'Ben' });
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/', { picker: 'Anna' });
  [ofBatch, ofBen] = [(await itemsOf(station, 'SO-1'))[0]?.id ?? 0, (await itemsOf(station, 'SO-9'))[0]?.id ?? 0];
});
afterEach(() => station.stop());

const linesOfBatch = () => station.get<WorkLine[]>('/api/work/?batch=1');
const commandOf = async (deviceId: string) =>
  (await linesOfBatch()).find(({ deviceid }) => deviceid === deviceId)?.command_id;
const queue = async () =>
  (await station.device(PLACE)).commands.map(({ quantity, state }) => `${quantity} ${state}`).join(', ');
async function shows(body: object): Promise<Answer> {
  const answer = await station.request('PUT', '/api/user/current/', body);
  await station.clock.advance(3_000);
  return answer;
}
const booked = () =>
  station
    .rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision')
    .flatMap(({ facts }) => JSON.parse(facts) as { type: string }[])
    .filter(({ type }) => type === 'line.booked');

test.each<[string, () => Promise<object>]>([
  ['its command', async () => ({ command_id: await commandOf(PLACE) })],
  ['an item of it', async () => ({ item_id: ofBatch })],
])('a device shows the current line of a batch, named by %s, before lines of orders', async (_, named) => {
  expect(await queue()).toBe('4 shown, 3 queued');
  const answer = await shows({ ...(await named()), picker: 'Anna' });
  expect(answer).toMatchObject({ status: 200, body: { deviceid: PLACE, batch: 1, quantity: 3, current: true } });
  expect(await queue()).toBe('3 shown, 4 queued');
  expect((await linesOfBatch()).map(({ current }) => current)).toEqual([true, false]);
  const all = await station.get<WorkLine[]>('/api/work/');
  expect(all.filter(({ current }) => current).map(({ batch, quantity }) => `${batch} ${quantity}`)).toEqual(['1 3']);
  await shows({ item_id: null, picker: 'Anna' });
  await shows({ item_id: ofBen, picker: 'Ben' });
  expect(await queue()).toBe('4 shown, 3 queued');
});

test('only its picker can make a line of a batch current, while it is open', async () => {
  const of = { command_id: await commandOf(PLACE) };
  expect(await shows({ ...of, picker: 'Ben' })).toMatchObject({ status: 409 });
  expect((await shows({ ...of, picker: 'Anna' })).status).toBe(200);
  expect((await shows({ item_id: null, picker: 'Anna' })).status).toBe(204);
  expect((await linesOfBatch()).some(({ current }) => current)).toBe(false);
  await act(station, 'pause/');
  expect(await shows({ item_id: ofBatch, picker: 'Anna' })).toMatchObject({ status: 404 });
});

test('a press for the line of an order names the person who picks a batch there, and the other way round', async () => {
  await shows({ item_id: ofBen, picker: 'Ben' });
  await shows({ item_id: ofBatch, picker: 'Anna' });
  await press(station, PLACE);
  await press(station, PLACE);
  expect(await handsOf(station)).toEqual({ Anna: 3 });
  expect(booked()).toMatchObject([
    { item_id: ofBen, picker: 'Ben', quantity: 4, waiting: [{ picker: 'Anna', item_id: ofBatch }], quiet: false },
  ]);
  // The line of the batch has ended, so it is not current after a reopening.
  await station.post(orderPath('SO-1', `items/${ofBatch}/reopen/`));
  expect((await linesOfBatch()).some(({ current }) => current)).toBe(false);
});

test('a person who touches the number of a batch line has arrived, so the press is quietly theirs', async () => {
  await shows({ item_id: ofBen, picker: 'Ben' });
  await shows({ item_id: ofBatch, picker: 'Anna' });
  expect(await queue()).toBe('4 shown, 3 queued');
  const { write } = await openSession(station, { username: 'Anna', password: 'Correct horse 7' });
  const headers = { ...write, 'content-type': 'application/json' };
  const touch = { command_id: await commandOf(PLACE), quantity: 3 };
  await station.request('POST', `/api/device/${PLACE}/adjust/`, touch, headers);
  await station.clock.advance(3_000);
  expect(await queue()).toBe('3 shown, 4 queued');
  await press(station, PLACE);
  expect(booked()).toMatchObject([
    { item_id: ofBatch, batch: '1', picker: 'Anna', waiting: [{ picker: 'Ben', item_id: ofBen }], quiet: true },
  ]);
});

test.each<[string, () => Promise<unknown>]>([
  ['pauses', () => act(station, 'pause/', { picker: 'Anna' })],
  ['hands the batch over', () => act(station, 'handover/', { picker: 'Ben' })],
  [
    'signs out',
    async () => {
      const { write } = await openSession(station, { username: 'Anna', password: 'Correct horse 7' });
      await station.request('POST', '/api/user/logout/', undefined, write);
    },
  ],
])('a line of a batch is no longer current once its picker %s', async (_, leave) => {
  await shows({ item_id: ofBatch, picker: 'Anna' });
  await leave();
  await station.clock.advance(3_000);
  await act(station, 'launch/', { picker: 'Anna' });
  expect((await linesOfBatch()).some(({ current }) => current)).toBe(false);
});

test('a line of a batch without a light can be current too, until the batch pauses', async () => {
  await addOrder(station, 'SO-3', [{ name: 'Screw', ordered_quantity: 2, location: 'Shelf 7' }]);
  await act(station, 'slots/', { order_number: 'SO-3' });
  const id = (await itemsOf(station, 'SO-3'))[0]?.id;
  expect(await shows({ item_id: id, picker: 'Anna' })).toMatchObject({
    status: 200,
    body: { light: false, current: true },
  });
  const current = async () => (await linesOfBatch()).filter((line) => line.current).map(({ light }) => light);
  expect(await current()).toEqual([false]);
  await act(station, 'pause/');
  await act(station, 'launch/');
  expect(await current()).toEqual([]);
});

/** Lets Cleo help Anna at OTHER_PLACE, where Dora has arrived for another order and then Cleo arrives. */
async function waitBehindDora(): Promise<{ ofDora: number; ofCleo: number }> {
  for (const username of ['Cleo', 'Dora'])
    await station.post('/api/users/', { username, password: 'Correct horse 7', role: 'picker' });
  await addOrder(station, 'SO-8', [{ name: 'Nut', ordered_quantity: 5, deviceid: OTHER_PLACE }]);
  await station.post(orderPath('SO-8', 'launch/'), { picker: 'Dora' });
  await act(station, 'join/', { picker: 'Cleo' });
  const [ofDora, ofCleo] = [(await itemsOf(station, 'SO-8'))[0]?.id ?? 0, (await itemsOf(station, 'SO-2'))[1]?.id ?? 0];
  for (const picker of ['Dora', 'Cleo']) {
    await shows({ item_id: picker === 'Dora' ? ofDora : ofCleo, picker });
    await station.post('/api/scan/', { code: OTHER_PLACE, picker });
    await station.clock.advance(3_000);
  }
  return { ofDora, ofCleo };
}

test.each<[string, () => Promise<unknown>]>([
  ['leaves', () => act(station, 'leave/', { picker: 'Anna' })],
  ['hands over to this person', () => act(station, 'handover/', { from: 'Anna', picker: 'Cleo' })],
])('the line of a helper stays arrived when the picker of the batch %s', async (_, leave) => {
  const { ofDora, ofCleo } = await waitBehindDora();
  await shows({ item_id: ofBatch, picker: 'Anna' });
  await leave();
  expect((await getBatch(station)).pickers.map(({ name }) => name)).toEqual(['Cleo']);
  const current = (await linesOfBatch()).filter((line) => line.current);
  expect(current.map(({ deviceid, picker }) => [deviceid, picker])).toEqual([[OTHER_PLACE, 'Cleo']]);
  await press(station, OTHER_PLACE);
  expect(booked()).toMatchObject([
    { item_id: ofDora, picker: 'Dora', waiting: [{ picker: 'Cleo', item_id: ofCleo }], quiet: false },
  ]);
});

test('when a picker leaves a batch, a line without a light stops being current, even if it comes back', async () => {
  await station.post('/api/users/', { username: 'Cleo', password: 'Correct horse 7', role: 'picker' });
  await addOrder(station, 'SO-3', [{ name: 'Screw', ordered_quantity: 2, location: 'Shelf 7' }]);
  await act(station, 'slots/', { order_number: 'SO-3' });
  await act(station, 'join/', { picker: 'Cleo' });
  const id = (await itemsOf(station, 'SO-3'))[0]?.id;
  const current = async () => (await linesOfBatch()).filter((line) => line.current).map(({ picker }) => picker);
  await shows({ item_id: id, picker: 'Cleo' });
  expect(await current()).toEqual(['Cleo']);
  await act(station, 'leave/', { picker: 'Cleo' });
  await act(station, 'join/', { picker: 'Cleo' });
  expect(await current()).toEqual([]);
});

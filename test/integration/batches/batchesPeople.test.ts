import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
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
  tryTo,
} from '../../helpers/batches.ts';
import { addOrder, getOrder, litDevices, orderPath, press } from '../../helpers/orders.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// Contract, sections 16 and 21: who picks a batch.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await addCart(station);
  for (const [username, color] of [
    ['Anna', 'blue'],
    ['Ben', 'magenta'],
  ] as const) {
    await station.post('/api/users/', { username, password: 'Correct horse 7', role: 'picker' });
    await station.request('PATCH', '/api/user/', { color, picker: username });
  }
  await addTies(station, 'SO-1', 2);
  await addTies(station, 'SO-2', 3);
  await addOrder(station, 'SO-9', [{ name: 'Screw', ordered_quantity: 1, deviceid: OTHER_PLACE }]);
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/', { picker: 'Anna' });
});
afterEach(() => station.stop());

/** Scans the number of order SO-9 as this person. */
async function take(picker: string): Promise<void> {
  await station.post('/api/scan/', { code: 'SO-9', picker, act: true });
  await station.clock.advance(3_000);
}

const stateAndPicker = async () => {
  const { state, picker } = await getBatch(station);
  return `${state} ${picker}`;
};

test("taking another order pauses the person's batch, and launching the batch pauses the order", async () => {
  await take('Ben');
  expect(await stateAndPicker()).toBe('picking Anna');
  await station.post(orderPath('SO-9', 'handover/'), { picker: 'Ben' });
  await station.post(orderPath('SO-9', 'leave/'), { picker: 'Ben' });
  await take('Anna');
  expect(await stateAndPicker()).toBe('paused Anna');
  expect(await litDevices(station)).toEqual([OTHER_PLACE]);
  await act(station, 'launch/', { picker: 'Anna' });
  expect(await stateAndPicker()).toBe('picking Anna');
  expect(await litDevices(station)).toEqual([PLACE]);
});

test('an order waits if a program launches it for a person who is picking a batch', async () => {
  await station.post(orderPath('SO-9', 'launch/'), { picker: 'Anna' });
  const { state, pickers } = await station.get<Order>(orderPath('SO-9'));
  expect([state, pickers[0]?.name]).toEqual(['open', 'Anna']);
  expect(await stateAndPicker()).toBe('picking Anna');
  expect((await getOrder(station, 'SO-9')).state).toBe('open');
});

test("after a handover, the batch is lit in the new picker's color, and pieces in hand stay with the previous picker", async () => {
  await addOrder(station, 'SO-3', [{ name: 'Screw', ordered_quantity: 1, deviceid: OTHER_PLACE }]);
  await act(station, 'slots/', { order_number: 'SO-3' });
  await press(station, PLACE);
  const before = await shownAt(station, OTHER_PLACE);
  await act(station, 'handover/', { picker: 'Ben' });
  expect(await stateAndPicker()).toBe('picking Ben');
  expect(await shownAt(station, OTHER_PLACE)).not.toBe(before);
  expect(await handsOf(station)).toEqual({ Anna: 5 });
  await press(station, OTHER_PLACE);
  expect(await handsOf(station)).toEqual({ Anna: 5, Ben: 1 });
  expect((await tryTo(station, '1/handover/', { picker: 'Nobody' })).status).toBe(400);
});

test('a batch handed over to a busy person is paused', async () => {
  await take('Ben');
  await act(station, 'handover/', { picker: 'Ben' });
  expect(await stateAndPicker()).toBe('paused Ben');
  expect(await litDevices(station)).toEqual([OTHER_PLACE]);
});

test('a batch pauses when its picker leaves, and the next launch assigns it to another person', async () => {
  expect((await tryTo(station, '1/leave/', { picker: 'Ben' })).status).toBe(409);
  await act(station, 'leave/', { picker: 'Anna' });
  expect(await stateAndPicker()).toBe('paused null');
  expect(await litDevices(station)).toEqual([]);
  await act(station, 'launch/', { picker: 'Ben' });
  expect(await stateAndPicker()).toBe('picking Ben');
});

test.each<[string, () => Promise<unknown>]>([
  ['somebody else picks', async () => undefined],
  [
    'nobody picks',
    async () => {
      await act(station, 'leave/', { picker: 'Anna' });
      await act(station, 'launch/', { color: 'cyan' });
    },
  ],
])('a person who launches a batch that %s takes over its lights, in the color of this person', async (_, before) => {
  await before();
  expect(await shownAt(station, PLACE)).toContain(' 5 ');
  expect(await shownAt(station, PLACE)).not.toContain('magenta');
  await station.request('PUT', '/api/user/current/', { command_id: await commandAt(PLACE), picker: 'Anna' });
  const { warnings } = await act<{ warnings?: string[] }>(station, 'launch/', { picker: 'Ben' });
  expect(warnings).toBeUndefined();
  expect(await shownAt(station, PLACE)).toContain(' 5 magenta');
  await press(station, PLACE);
  expect(await handsOf(station)).toEqual({ Ben: 5 });
});

const commandAt = async (deviceId: string) => (await station.device(deviceId)).commands[0]?.command_id;

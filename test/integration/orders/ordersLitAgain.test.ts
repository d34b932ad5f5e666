import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryEntry } from '#shared/api/history.ts';
import {
  addOrder,
  anItem,
  expectCountsRight,
  getOrder,
  itemsOf,
  launch,
  litDevices,
  ONE,
  orderPath,
  press,
  statesOf,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { type Answer, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.clock.advance(5_000);
  await addOrder(station, '7', [anItem({ deviceid: ONE }), anItem({ deviceid: THREE_BUTTONS })]);
});

afterEach(() => station.stop());

/** Requests that the item at this device is lit again. */
async function light(deviceid: string, number = '7'): Promise<Answer> {
  const item = (await itemsOf(station, number)).find((each) => each.deviceid === deviceid);
  const answer = await station.request('POST', orderPath(number, `items/${item?.id}/light/`), {});
  await station.clock.advance(3_000);
  return answer;
}

test('lights one line again after its command was removed, without changing the others', async () => {
  await launch(station, '7');
  await station.clock.advance(3_000);
  await station.post(`/api/device/${ONE}/`, { command: 'kill' });
  await station.post(`/api/device/${THREE_BUTTONS}/`, { command: 'kill' });
  await station.clock.advance(3_000);
  expect(await litDevices(station)).toEqual([]);
  expect(await light(ONE)).toMatchObject({ status: 200, body: { state: 'active', deviceid: ONE } });
  expect(await litDevices(station)).toEqual([ONE]);
  // Repeating the request changes nothing.
  expect(await light(ONE)).toMatchObject({ status: 200, body: { state: 'active' } });
  const launches = await station.get<HistoryEntry[]>('/api/history/?order_number=7&kind=order_launched');
  expect(launches).toHaveLength(2);
  await expectCountsRight(station, '7');
  await press(station, ONE);
  expect(await light(ONE)).toMatchObject({ status: 409, body: { code: 'conflict' } });
});

test('relighting one line of an aborted order puts the order in progress, and the other line stays aborted', async () => {
  await launch(station, '7');
  await station.post(orderPath('7', 'abort/'), {});
  await station.clock.advance(3_000);
  expect((await getOrder(station, '7')).state).toBe('aborted');
  expect((await light(THREE_BUTTONS)).status).toBe(200);
  expect((await getOrder(station, '7')).state).toBe('in_progress');
  expect(await litDevices(station)).toEqual([THREE_BUTTONS]);
  expect(await statesOf(station, '7')).toContain('cancelled');
  await expectCountsRight(station, '7');
});

test('refuses to light a line whose picker has paused, or a line without a device', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  await station.post(orderPath('7', 'launch/'), { picker: 'Anna' });
  await station.post(orderPath('7', 'pause/'), { picker: 'Anna' });
  await station.clock.advance(3_000);
  const refused = await light(ONE);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining('Anna')]);
  expect(await litDevices(station)).toEqual([]);
  await addOrder(station, '8', [anItem({ deviceid: ONE }), { name: 'Nowhere', ordered_quantity: 1 }]);
  const nowhere = (await itemsOf(station, '8')).find(({ name }) => name === 'Nowhere');
  const answer = await station.request('POST', orderPath('8', `items/${nowhere?.id}/light/`), {});
  expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Item } from '#shared/api/order.ts';
import { addArticle, onHand } from '../../helpers/articles.ts';
import {
  addOrder,
  anItem,
  expectCountsRight,
  itemsOf,
  launch,
  litDevices,
  ONE,
  orderPath,
  press,
  statesOf,
} from '../../helpers/orders.ts';
import { startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: confirmations that waited in a browser.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  await addOrder(station, 'SO-1', [
    anItem({ ordered_quantity: 5 }),
    anItem({ name: 'Nut', deviceid: '51D000:000002' }),
  ]);
  await launch(station, 'SO-1');
});
afterEach(() => station.stop());

async function item(): Promise<Item> {
  const [found] = await itemsOf(station, 'SO-1');
  if (found === undefined) throw new Error('The order has no item.');
  return found;
}
async function act(what: string, body: object): Promise<Answer> {
  const answer = await station.request('POST', orderPath('SO-1', `items/${(await item()).id}/${what}/`), body);
  await station.clock.advance(3_000);
  return answer;
}
const late = (quantity: number, more: object = {}) => act('confirm', { quantity, late: true, ...more });

test('pieces picked some time ago are added to an open line, which stays lit until it is full', async () => {
  expect(await late(3)).toMatchObject({ status: 200, body: { state: 'active', quantity_fulfilled: 3 } });
  expect((await station.device(ONE)).commands).toMatchObject([{ quantity: 2 }]);
  expect(await late(9)).toMatchObject({ status: 200, body: { state: 'done', quantity_fulfilled: 5 } });
  expect(await litDevices(station)).toEqual(['51D000:000002']);
  expect(await late(1)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  await expectCountsRight(station, 'SO-1');
});

test('a short line takes what is still open, also once its order is complete, and stays short until it is full', async () => {
  await act('short', { quantity_fulfilled: 1, reason: 'damaged' });
  await press(station, '51D000:000002');
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(short done)');
  expect(await late(2)).toMatchObject({ status: 200, body: { state: 'short', quantity_fulfilled: 3 } });
  expect(await late(5)).toMatchObject({ status: 200, body: { state: 'done', quantity_fulfilled: 5 } });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done done)');
  await expectCountsRight(station, 'SO-1');
});

test('nothing is booked late for an aborted order', async () => {
  await station.post(orderPath('SO-1', 'abort/'));
  expect(await late(5)).toMatchObject({ status: 409 });
  expect(await item()).toMatchObject({ quantity_fulfilled: 0 });
});

test('what the page has seen includes the asked quantity and the place', async () => {
  const { command_id } = await item();
  const acknowledge = (seen: unknown) =>
    station.request('POST', `/api/device/${ONE}/acknowledge/`, { command_id, qty: 5, seen });
  expect(await acknowledge({ picked: 0, asked: 4 })).toMatchObject({ status: 409, body: { code: 'outdated' } });
  expect(await acknowledge({ picked: 1, asked: 5 })).toMatchObject({ status: 409, body: { code: 'outdated' } });
  expect(await acknowledge({ picked: 0, asked: 5, place: 'A-1' })).toMatchObject({ status: 200 });
});

test('a line that has moved to another place since is outdated', async () => {
  await addArticle(station, 'NUT', [{ location: 'C-1' }, { location: 'C-2' }]);
  await station.post('/api/users/', { username: 'Anna', password: 'a few easy words', role: 'picker' });
  await addOrder(station, 'SO-2', [{ SKU: 'NUT', ordered_quantity: 2 }, anItem()]);
  await station.post(orderPath('SO-2', 'launch/'), { picker: 'Anna' });
  const [nut] = await itemsOf(station, 'SO-2');
  const confirm = (place: string) =>
    station.request('POST', orderPath('SO-2', `items/${nut?.id}/confirm/`), { seen: { picked: 0, asked: 2, place } });
  expect(await confirm('C-2')).toMatchObject({ status: 409, body: { code: 'outdated' } });
  expect(await confirm('c-1')).toMatchObject({ status: 200, body: { state: 'done' } });
  await addArticle(station, 'BOLT', [{ location: 'B-1' }, { location: 'B-2' }]);
  for (const [id, name] of [
    ['51D000:000002', 'B-1'],
    ['51D000:000003', 'B-2'],
  ])
    await station.post(`/api/device/${id}/`, { locationoverride: name });
  await addOrder(station, 'SO-3', [{ SKU: 'BOLT', ordered_quantity: 2 }]);
  await launch(station, 'SO-3');
  const [bolt] = await itemsOf(station, 'SO-3');
  const path = orderPath('SO-3', `items/${bolt?.id}/short/`);
  await station.post(path, { quantity_fulfilled: 0, reason: 'missing', elsewhere: '51D000:000003' });
  const body = { command_id: bolt?.command_id, qty: 2, seen: { picked: 0, asked: 2 } };
  const answer = await station.request('POST', '/api/device/51D000:000002/acknowledge/', body);
  expect(answer).toMatchObject({ status: 409, body: { code: 'outdated' } });
  expect((await itemsOf(station, 'SO-3'))[0]).toMatchObject({ state: 'active', quantity_fulfilled: 0 });
});

test('history keeps a line about pieces that were put back and never booked, even if the order is deleted', async () => {
  await addArticle(station, 'TIE', [{ location: 'A-3-1', on_hand: 9 }]);
  const { id } = await item();
  await station.request('DELETE', orderPath('SO-1'));
  const returned = (number: string) =>
    station.request('POST', orderPath(number, 'returned/'), {
      item_id: id,
      quantity: 5,
      location: 'A-3-1',
      key: number,
    });
  expect((await returned('SO-1')).status).toBe(204);
  expect((await returned('SO-1')).status).toBe(204);
  expect(await returned('SO-9')).toMatchObject({ status: 404 });
  expect(await station.get('/api/history/?kind=order_returned')).toMatchObject([
    { order_number: 'SO-1', qty: 5, location: 'A-3-1', by: 'API key' },
  ]);
  expect(await onHand(station, 'TIE')).toEqual({ 'A-3-1': 9 });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { addArticle, getArticle } from '../../helpers/articles.ts';
import {
  addOrder,
  anItem,
  FOURTH,
  itemsOf,
  launch,
  ONE,
  orderPath,
  press,
  statesOf,
  THIRD,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { type Answer, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 8: lines of an order that somebody adds, changes and removes.
let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(5_000);
});
afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

const told = () =>
  station
    .rows<{ payload: string }>('SELECT payload FROM outbox ORDER BY id')
    .map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
/** Sets how long the radio takes for each message, in milliseconds. */
async function radio(latency_ms: number): Promise<void> {
  const [turbo] = await station.get<{ serial_number: string }[]>('/api/turbo/');
  await station.patch(`/api/simulator/turbos/${turbo?.serial_number ?? ''}/`, { latency_ms });
}
/** Returns the facts of this type in all commits so far. */
function facts(type: string): unknown[] {
  const rows = station.rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision');
  const all = rows.flatMap((row) => JSON.parse(row.facts) as { type: string }[]);
  return all.filter((fact) => fact.type === type);
}
const idAt = async (number: string, index: number): Promise<number> => (await itemsOf(station, number))[index]?.id ?? 0;
async function change(number: string, index: number, body: object): Promise<Answer> {
  const path = orderPath(number, `items/${await idAt(number, index)}/`);
  const answer = await station.request('PATCH', path, body);
  await station.clock.advance(3_000);
  return answer;
}
async function remove(number: string, index: number): Promise<Answer> {
  const answer = await station.request('DELETE', orderPath(number, `items/${await idAt(number, index)}/`));
  await station.clock.advance(3_000);
  return answer;
}

test('a press for the old show books at most the new quantity, and the rest is reported', async () => {
  await addOrder(station, 'press', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 5 }), anItem()]);
  await launch(station, 'press');
  await radio(400);
  await station.press(THREE_BUTTONS);
  expect((await change('press', 0, { ordered_quantity: 3 })).status).toBe(200);
  await station.clock.advance(5_000);
  expect((await itemsOf(station, 'press'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 3 });
  expect(told().at(-1)).toMatchObject({ order_event: 'item_added', quantity: 3 });
  expect(facts('press.over')).toMatchObject([{ order_number: 'press', quantity: 3, left_over: 2, picker: null }]);
});

test('a press for a show that was replaced, but asked for no more than now, books what it says', async () => {
  await addOrder(station, 'plus', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 2 }), anItem()]);
  await launch(station, 'plus');
  await station.press(THREE_BUTTONS, 'plus');
  await station.clock.advance(3_000);
  await radio(400);
  await station.press(THREE_BUTTONS);
  await change('plus', 0, { ordered_quantity: 4 });
  await station.clock.advance(5_000);
  expect((await itemsOf(station, 'plus'))[0]).toMatchObject({ state: 'short', quantity_fulfilled: 3 });
  expect(facts('press.over')).toEqual([]);
});

test('only a change of the line limits a press for an old screen, and not a correction of what is picked', async () => {
  await addOrder(station, 'exact', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 5 }), anItem()]);
  await launch(station, 'exact');
  await change('exact', 0, { quantity_fulfilled: 2 });
  for (let more = 0; more < 2; more += 1) await station.press(THREE_BUTTONS, 'plus');
  await station.clock.advance(3_000);
  await radio(400);
  await station.press(THREE_BUTTONS);
  await station.patch('/api/orders/exact/', { color: 'red' });
  await station.clock.advance(5_000);
  expect((await itemsOf(station, 'exact'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 7 });
  expect(facts('press.over')).toEqual([]);
});

test('a press that was held while its order paused books at most the new quantity', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'a few easy words', role: 'picker' });
  await addOrder(station, 'held', [anItem({ ordered_quantity: 5 }), anItem({ deviceid: THIRD })]);
  await station.post(orderPath('held', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(5_000);
  await radio(2_000);
  await station.press(ONE);
  await station.post(orderPath('held', 'pause/'), { picker: 'Anna' });
  const path = orderPath('held', `items/${await idAt('held', 0)}/`);
  await station.patch(path, { ordered_quantity: 2 });
  await station.clock.advance(8_000);
  expect((await itemsOf(station, 'held'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 2 });
  expect(facts('press.over')).toMatchObject([{ left_over: 3, picker: 'Anna' }]);
});

test('a press for the former article of a line books nothing and is late', async () => {
  await addOrder(station, 'swap', [anItem({ name: 'Bolt', SKU: 'B-1' }), anItem({ deviceid: THIRD })]);
  await launch(station, 'swap');
  await radio(400);
  await station.press(ONE);
  expect((await change('swap', 0, { SKU: 'N-2' })).status).toBe(200);
  await station.clock.advance(5_000);
  expect((await itemsOf(station, 'swap'))[0]).toMatchObject({ SKU: 'N-2', quantity_fulfilled: 0, state: 'active' });
  expect(facts('press.late')).toMatchObject([{ quantity: 2 }]);
  await press(station, ONE);
  expect((await itemsOf(station, 'swap'))[0]).toMatchObject({ quantity_fulfilled: 2, state: 'done' });
});

test('a press at the former place of a line takes nothing from the new place, and is late', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${FOURTH}/`, { locationoverride: 'B-1' });
  const places = [
    { location: 'A-1', on_hand: 10 },
    { location: 'B-1', on_hand: 10 },
  ];
  await addArticle(station, 'NUT', places, { name: 'Nut' });
  const line = { SKU: 'NUT', warehouse_location: 'A-1', ordered_quantity: 2 };
  await addOrder(station, 'moved', [line, anItem({ deviceid: THIRD })]);
  await launch(station, 'moved');
  await radio(400);
  await station.press(ONE);
  expect((await change('moved', 0, { warehouse_location: 'B-1' })).status).toBe(200);
  await station.clock.advance(5_000);
  expect((await itemsOf(station, 'moved'))[0]).toMatchObject({ quantity_fulfilled: 0, state: 'active' });
  expect(facts('press.late')).toMatchObject([{ quantity: 2 }]);
  await press(station, FOURTH);
  expect((await itemsOf(station, 'moved'))[0]).toMatchObject({ quantity_fulfilled: 2, state: 'done' });
  const { places: left } = await getArticle(station, 'NUT');
  expect(left.map(({ location, on_hand }) => [location, on_hand])).toEqual([
    ['A-1', 10],
    ['B-1', 8],
  ]);
});

test('a press for a line with another name, but the same article, counts', async () => {
  await addOrder(station, 'named', [anItem({ name: 'Bolt', SKU: 'B-1' }), anItem({ deviceid: THIRD })]);
  await launch(station, 'named');
  await radio(400);
  await station.press(ONE);
  await change('named', 0, { name: 'Bolt, long' });
  await station.clock.advance(5_000);
  expect((await itemsOf(station, 'named'))[0]).toMatchObject({ quantity_fulfilled: 2, state: 'done' });
  expect(facts('press.late')).toEqual([]);
});

test('a confirmation that waited in a browser is not booked for another article', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'a few easy words', role: 'picker' });
  const far = { deviceid: undefined, warehouse_location: 'Yard' };
  await addOrder(station, 'dark', [anItem({ ...far, SKU: 'B-1' }), anItem()]);
  await station.post(orderPath('dark', 'launch/'), { picker: 'Anna' });
  const confirmed_at = new Date(station.clock.now()).toISOString();
  await station.clock.advance(1_000);
  await change('dark', 0, { SKU: 'N-2' });
  const path = orderPath('dark', `items/${await idAt('dark', 0)}/confirm/`);
  const waited = { key: 'one', picker: 'Anna', confirmed_at, seen: { picked: 0, asked: 2 } };
  expect(await station.request('POST', path, waited)).toMatchObject({ status: 409, body: { code: 'outdated' } });
  const now = { ...waited, key: 'two', confirmed_at: new Date(station.clock.now()).toISOString() };
  expect(await station.request('POST', path, now)).toMatchObject({ status: 200 });
});

test('a press for a removed line books nothing and is late', async () => {
  await addOrder(station, 'gone', [anItem(), anItem({ deviceid: THIRD })]);
  await launch(station, 'gone');
  await radio(400);
  await station.press(ONE);
  expect(await remove('gone', 0)).toMatchObject({ status: 204 });
  await station.clock.advance(5_000);
  expect(await statesOf(station, 'gone')).toBe('in_progress: in_progress(active)');
  expect(facts('press.late')).toMatchObject([{ quantity: 2 }]);
});

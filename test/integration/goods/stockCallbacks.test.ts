import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Movement } from '#shared/api/stock.ts';
import { addArticle, movementsOf, onHand, postOne } from '../../helpers/articles.ts';
import { startBroker, type TestBroker } from '../../helpers/servers/broker.ts';
import { addOrder, anItem, correct, itemsOf, launch, ONE, press } from '../../helpers/orders.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 20: the callback family `movement`, and the topic `stock/{sku}` at the broker.
let station: TestStation;
let receiver: Receiver;
let broker: TestBroker | undefined;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.patch('/api/settings/', { callback_url: receiver.url, backup_every: 0 });
});
afterEach(async () => {
  await station.stop();
  await receiver.stop();
  await broker?.stop();
  broker = undefined;
});

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn += 1) await station.clock.advance(600);
};

const told = () => receiver.payloads().filter((payload) => 'movement_id' in payload);

async function pick(number = 'SO-1'): Promise<void> {
  await addOrder(station, number, [anItem({ SKU: 'X' })]);
  await launch(station, number);
  await press(station, ONE);
}

test('movements are sent only if their family is on, and have the fields that GET returns except the author', async () => {
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 10 }]);
  await pick();
  await settle();
  expect(told()).toEqual([]);
  await station.patch('/api/settings/', { callback_families: { movement: true, order: false } });
  const [item] = await itemsOf(station, 'SO-1');
  await correct(station, 'SO-1', item?.id ?? 0, { quantity_fulfilled: 1 });
  await postOne(station, { sku: 'X', location: 'A-1', count: 4, reason: 'counted' });
  await settle();
  const listed = (await movementsOf(station)).slice(2);
  const withoutBy = (movement: Movement) => {
    const { by: _, ...rest } = movement;
    return rest;
  };
  expect(told()).toEqual(listed.map(withoutBy));
  expect(told()).toMatchObject([
    { kind: 'pick', SKU: 'X', location: 'A-1', delta: 1, on_hand: 9, order: 'SO-1', quantity_fulfilled: 1 },
    { kind: 'count', delta: -5, on_hand: 4, order: null, item: null, reason: 'counted' },
  ]);
  expect(Object.keys(told()[0] ?? {})).toEqual(
    'movement_id kind time SKU location deviceid delta on_hand order shipment item ordered_quantity quantity_fulfilled reason picker nonce key'.split(
      ' ',
    ),
  );
  // Movement callbacks have 0 in this header, so a receiver that sums it counts each picked piece once.
  for (const { headers, body } of receiver.requests)
    if (body.includes('movement_id')) expect(headers['pickstation-picked']).toBe('0');
});

test('a movement callback is sent again after a restart if it failed or its answer was lost', async () => {
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 10 }]);
  await station.patch('/api/settings/', { callback_families: { movement: true, order: false } });
  receiver.reply(500);
  await pick();
  await receiver.received(1);
  await station.restart();
  receiver.reply(200);
  for (let turn = 0; turn < 20; turn += 1) await station.clock.advance(6_000);
  expect(told().length).toBeGreaterThan(1);
  expect(new Set(told().map(({ movement_id: id }) => id)).size).toBe(1);
  expect(told().at(-1)).toMatchObject({ on_hand: 8 });
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 8 });
});

test('a refused movement sends no callback', async () => {
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 10 }]);
  await station.patch('/api/settings/', { callback_families: { movement: true } });
  await postOne(station, { sku: 'X', location: 'A-1', count: 4, was: 3 });
  await settle();
  expect(told()).toEqual([]);
});

test("the broker retains each article's stock under the encoded SKU until the article is removed or renamed", async () => {
  broker = await startBroker();
  await addArticle(station, 'M8/20 #+', [{ location: 'A-1', on_hand: 10 }]);
  await station.patch('/api/settings/', {
    mqtt_url: broker.url,
    mqtt_prefix: 'shop',
    mqtt_station: 'counter',
    callback_families: { movement: true },
  });
  await settle();
  const stored = (): string[] => [...(broker?.stored().keys() ?? [])].filter((topic) => topic.includes('/stock/'));
  const read = (topic: string) => JSON.parse(broker?.stored().get(`shop/counter/stock/${topic}`) ?? 'null') as unknown;
  expect(read('M8%2F20 %23%2B')).toMatchObject({ sku: 'M8/20 #+', places: [{ location: 'A-1', on_hand: 10 }] });
  await postOne(station, { sku: 'm8/20 #+', location: 'A-1', count: 7 });
  await settle();
  expect(read('M8%2F20 %23%2B')).toMatchObject({ places: [{ on_hand: 7 }] });
  // A subscriber without user properties reads the event from the payload; `time` occurs only once in it.
  const [said = ''] = broker.at('shop/counter/callbacks/movement');
  expect(said.match(/"time":/g)).toHaveLength(1);
  expect(JSON.parse(said)).toMatchObject({ kind: 'count', on_hand: 7, picked: 0 });
  await station.patch(`/api/articles/${encodeURIComponent('M8/20 #+')}/`, { sku: 'set' });
  await settle();
  expect(stored()).toEqual(['shop/counter/stock/set']);
  await station.request('DELETE', '/api/articles/set/?force=1');
  await settle();
  expect(stored()).toEqual([]);
});

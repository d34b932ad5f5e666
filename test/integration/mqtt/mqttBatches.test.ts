import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import { act, addBatch, addCart, addTies, getBatch, PLACE } from '../../helpers/batches.ts';
import { startBroker, type TestBroker } from '../../helpers/servers/broker.ts';
import { press } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 18: the retained topics of batches.
const TOPIC = 'shop/counter/batches/1';
const DAY = 86_400_000;
let broker: TestBroker;
let station: TestStation;

beforeEach(async () => {
  broker = await startBroker();
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await addCart(station);
  await addTies(station, 'SO-1', 2, { customer: 'Harbour Bikes' });
});
afterEach(async () => {
  await station.stop();
  await broker.stop();
});

async function connect(): Promise<void> {
  const settings = { mqtt_url: broker.url, mqtt_prefix: 'shop', mqtt_station: 'counter', backup_every: 0 };
  await station.patch('/api/settings/', settings);
  await settle();
}

async function settle(): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one after another
  for (let turn = 0; turn < 4; turn += 1) await station.clock.advance(600);
}

const stored = () => JSON.parse(broker.stored().get(TOPIC) ?? 'null') as Batch | null;

test('each batch has a retained topic with the same content as GET, updated after each pick and put', async () => {
  await connect();
  expect(stored()).toBe(null);
  await addBatch(station, ['SO-1']);
  await settle();
  expect(stored()?.state).toBe('loading');
  await act(station, 'launch/');
  await press(station, PLACE);
  await settle();
  expect(stored()).toEqual(await getBatch(station));
  expect(stored()?.hands).toHaveLength(1);
  await act(station, 'put/', { all: true });
  await act(station, 'free/');
  await settle();
  expect([stored()?.state, broker.stored().get(TOPIC)?.includes('Harbour')]).toEqual(['done', false]);
});

test('existing batches are published when the station connects, and topics without a batch are cleared', async () => {
  await broker.publish('shop/counter/batches/9', '{}', true);
  await addBatch(station, ['SO-1']);
  await connect();
  expect([stored()?.id, broker.stored().get('shop/counter/batches/9')]).toEqual([1, undefined]);
});

test('the topic of a deleted batch is cleared', async () => {
  await connect();
  await station.patch('/api/settings/', { history_days: 10 });
  await addBatch(station, ['SO-1']);
  await station.request('DELETE', '/api/batches/1/');
  await settle();
  expect(stored()?.state).toBe('done');
  await station.clock.advance(11 * DAY);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/', undefined, 2);
  await station.clock.advance(2 * 3_600_000);
  await settle();
  expect(broker.stored().get(TOPIC)).toBe(undefined);
});

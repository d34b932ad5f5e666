import { expect, test } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { Device } from '#shared/api/device.ts';
import type { Fact } from '#shared/api/station.ts';
import { createBrokerSession } from '../../../electron/server/mqtt/brokerSession.ts';
import { createRetained } from '../../../electron/server/mqtt/retained.ts';
import { topicsOf } from '../../../electron/server/mqtt/topics.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

const COUNT = 20;
const ids = Array.from({ length: COUNT }, (_, index) => `51D000:0000${String(index + 10)}`);
const LAST = ids.at(-1) ?? '';

/** Creates retained state with a broker that accepts messages only when `taken` is called. */
function open() {
  const clock = createFakeClock(0);
  const states = new Map(ids.map((id) => [id, 'old']));
  const stored = new Map<string, string>();
  const waiting: (() => void)[] = [];
  const retained = createRetained({
    clock,
    topics: topicsOf({ prefix: 'shop', station: 'counter' }),
    devices: {
      get: (id) => ({ deviceid: id, state: states.get(id) }) as unknown as Device,
      listIds: () => ids,
      knows: () => true,
    },
    orders: { listProgress: () => [], findProgress: () => undefined },
    batches: { list: () => [], find: () => undefined },
    articles: {
      list: () => [],
      find: (sku) => (sku.toLowerCase() === 'k-10' ? ({ sku: 'K-10' } as unknown as Article) : undefined),
    },
    store: (topic, text) =>
      new Promise((resolve) => {
        waiting.push(() => {
          stored.set(topic, text);
          resolve(true);
        });
      }),
  });
  const facts = [{ type: 'command.shown', deviceid: LAST, command_id: '1' }] as unknown as Fact[];
  return {
    clock,
    retained,
    change(state: string): void {
      states.set(LAST, state);
      retained.committed({ facts });
    },
    /** Makes the broker accept everything sent so far. */
    async taken(): Promise<void> {
      for (const take of waiting.splice(0)) take();
      await new Promise(setImmediate);
    },
    texts: stored,
    stored: (): unknown => JSON.parse(stored.get(`shop/counter/devices/${LAST}`) ?? '{}'),
  };
}

test('stores the final state of a device that changes while the broker is slow to accept the subscription', async () => {
  const { clock, retained, change, taken, stored } = open();
  change('lit');
  // Subscribing takes longer than the interval in which changes are collected.
  await clock.advance(1_000);
  const started = retained.start(new Map());
  await taken();
  change('idle');
  for (let turn = 0; turn < COUNT; turn += 1) {
    await clock.advance(300);
    await taken();
  }
  await started;
  expect(stored()).toMatchObject({ state: 'idle' });
});

test("does not mistake the previous connection's will for another client; once online, restores overwritten topics", async () => {
  const { clock, retained } = open();
  const topics = topicsOf({ prefix: 'shop', station: 'counter' });
  const published: string[] = [];
  const restored: string[] = [];
  const acknowledged = Promise.withResolvers<void>();
  const session = createBrokerSession({
    topics,
    clock,
    retained,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    bus: { subscribe: () => () => undefined },
    queue: { connected: () => undefined, disconnected: () => undefined },
    devices: { list: () => [], count: () => 0 },
    commands: { take: () => Promise.resolve({ problem: null }), acknowledged: () => undefined },
    about: () => ({ station: 'counter', name: '', url: '', instance: '' }),
    hasDiscovery: false,
    vitals: () => ({
      battery_percent: 15,
      throughput: { picks_last_hour: 0 },
      failing_receivers: [],
      open_alerts: 0,
      alerts: [],
    }),
    restored: (overwritten) => void restored.push(...overwritten),
    async publish(topic) {
      published.push(topic);
      await acknowledged.promise;
      return { url: topic, error: null };
    },
    resumedAt: undefined,
  });
  const offline = {
    topic: topics.availability,
    payload: Buffer.from('offline'),
    qos: 0,
    isRetained: false,
    packetId: undefined,
    isRedelivered: false,
    isWatched: true,
    expires: false,
    id: undefined,
    propertyNames: [],
    responseTopic: undefined,
    correlation: undefined,
  } as const;
  void session.start(new Map());
  expect(session.heardOwnTopic(offline)).toBe(false);
  acknowledged.resolve();
  await clock.advance(60_000);
  expect([session.heardOwnTopic(offline), restored]).toEqual([true, []]);
  await clock.advance(250);
  expect(restored).toEqual([topics.availability]);
  expect(published.filter((topic) => topic === topics.availability)).toHaveLength(2);
  session.stop();
});

test('restores stock that another client overwrote, and clears topics of unknown articles and topics in a different spelling', async () => {
  const { clock, retained, taken, texts } = open();
  const started = retained.start(new Map());
  for (let turn = 0; turn < COUNT; turn += 1) await taken();
  await started;
  const topics = ['K-10', 'k-10', 'unknown'].map((sku) => `shop/counter/stock/${sku}`);
  for (const topic of topics) expect(retained.noteOverwritten(topic, 'nonsense')).toBe(true);
  retained.restore(topics);
  await clock.advance(300);
  await taken();
  expect(topics.map((topic) => texts.get(topic))).toEqual(['{"sku":"K-10"}', '', '']);
});

import { expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import { BASE, ONE, TWO, useMqtt } from './mqttRig.ts';

const shop = useMqtt();

test('publishes the state of devices and orders, and clears it when they are removed', async () => {
  const order = { order_number: 'A/7+#', items: [{ name: 'Screws', ordered_quantity: 2, deviceid: ONE }] };
  await shop.station.post('/api/orders/', order);
  await shop.light(TWO, 'n1');
  await shop.settle();
  expect(shop.storedDevice(TWO)).toEqual(JSON.parse(JSON.stringify(await shop.station.device(TWO))));
  expect(shop.storedDevice(TWO)?.commands).toMatchObject([{ state: 'shown' }]);
  const topic = `${BASE}/orders/A%2F7%2B%23`;
  expect(JSON.parse(shop.broker.stored().get(topic) ?? '')).toMatchObject({
    order_number: 'A/7+#',
    state: 'open',
    item_count: 1,
  });
  const before = shop.broker.saw.length;
  await shop.station.request('DELETE', '/api/orders/A%2F7%2B%23/');
  await shop.station.request('DELETE', `/api/device/${TWO}/`);
  await shop.settle();
  expect([...shop.broker.stored().keys()].filter((each) => each.includes('/orders/') || each.endsWith(TWO))).toEqual(
    [],
  );
  // The other device has not changed, so nothing was published about it.
  expect(shop.broker.saw.slice(before).filter(({ topic: each }) => each.endsWith(ONE))).toEqual([]);
});

test('never publishes the customer or the note of an order', async () => {
  const order = {
    order_number: 'A-1',
    items: [{ name: 'Screws', ordered_quantity: 2 }],
    customer: 'Miller',
    note: 'Frail',
  };
  await shop.station.post('/api/orders/', order);
  await shop.settle();
  // The station publishes all state again when it connects.
  await shop.station.patch('/api/settings/', { mqtt_url: '' });
  await shop.settle();
  await shop.station.patch('/api/orders/A-1/', { priority: 1 });
  await shop.station.patch('/api/settings/', { mqtt_url: shop.broker.url });
  await shop.settle();
  await shop.command('orders/set', { ...order, order_number: 'A-2' });
  await shop.settle();
  const topics = ['orders/A-1', 'orders/A-2', 'orders/result', 'events'].map((topic) => `${BASE}/${topic}`);
  const published = topics.map((topic) => shop.broker.at(topic).join());
  for (const text of published) expect(text).toMatch(/A-[12]/);
  expect(published.join()).not.toMatch(/Miller|Frail/);
});

test('leftover and invalid topics are cleared at the next connection', async () => {
  await shop.station.post('/api/orders/', { order_number: 'A-1', items: [{ name: 'Screws', ordered_quantity: 2 }] });
  await shop.settle();
  await shop.station.patch('/api/settings/', { mqtt_url: '' });
  await shop.settle();
  await shop.station.request('DELETE', `/api/device/${TWO}/`);
  await shop.broker.publish(`${BASE}/orders/old`, '\u0000rubbish', true);
  const kept = shop.broker.stored().get(`${BASE}/orders/A-1`);
  const before = shop.broker.saw.length;
  await shop.station.patch('/api/settings/', { mqtt_url: shop.broker.url });
  // The broker sends what it has stored when it gets to it.
  const topicsAfter = async (): Promise<string[]> => {
    await shop.settle();
    return [...shop.broker.stored().keys()].toSorted();
  };
  await expect
    .poll(topicsAfter, { interval: 5 })
    .toEqual([`${BASE}/availability`, `${BASE}/devices/${ONE}`, `${BASE}/info`, `${BASE}/orders/A-1`]);
  // Unchanged state is not published again.
  expect(kept).toContain('A-1');
  expect(shop.broker.saw.slice(before).filter(({ topic }) => topic.endsWith('A-1'))).toEqual([]);
});

test('each commit is published as one event', async () => {
  await shop.light(ONE, 'n1');
  await shop.settle();
  const events = shop.broker
    .at(`${BASE}/events`)
    .map((text) => JSON.parse(text) as { revision: number; facts: { type: string }[] });
  expect(events.flatMap(({ facts }) => facts.map(({ type }) => type))).toEqual(
    expect.arrayContaining(['command.queued', 'command.shown']),
  );
  const revisions = events.map(({ revision }) => revision);
  expect(revisions).toEqual([...new Set(revisions)].toSorted((one, other) => one - other));
});

test('a callback is sent to both receivers with one webhook id, as separate deliveries', async () => {
  await shop.light(ONE, 'n1');
  await shop.station.press(ONE);
  await shop.settle();
  const [sent] = shop.broker.at(`${BASE}/callbacks/device`);
  const { webhook_id: id, revision, time, picked, ...payload } = JSON.parse(sent ?? '') as Record<string, unknown>;
  expect(shop.receiver.requests[0]?.headers).toMatchObject({
    'webhook-id': id,
    'pickstation-revision': String(revision),
    'pickstation-time': time,
    'pickstation-picked': '0',
  });
  expect([typeof revision, picked]).toEqual(['number', 0]);
  expect(payload).toEqual(JSON.parse(shop.receiver.requests[0]?.body ?? ''));
  const deliveries = await shop.station.get<Delivery[]>('/api/callbacks/');
  expect(deliveries).toMatchObject([
    { id: `${String(id)}.mqtt`, receiver: 'mqtt', webhook_id: id, state: 'delivered', url: `${BASE}/callbacks/device` },
    { id, receiver: 'http', webhook_id: id, state: 'delivered', url: shop.receiver.url },
  ]);
  const one = `/api/callbacks/${String(id)}.mqtt/`;
  expect(await shop.station.get(one)).toMatchObject({ id: `${String(id)}.mqtt`, request: null });
  await shop.station.post(`${one}replay/`);
  await shop.settle();
  expect(shop.broker.at(`${BASE}/callbacks/device`)).toEqual([sent, sent]);
  expect(shop.receiver.requests).toHaveLength(1);
});

test('while one receiver is down, the other gets its callbacks, and each gets its missed callbacks once', async () => {
  shop.receiver.reply(500);
  for (const nonce of ['n1', 'n2']) {
    await shop.light(ONE, nonce);
    await shop.station.press(ONE);
  }
  await shop.settle();
  const nonces = (): unknown[] =>
    shop.broker.at(`${BASE}/callbacks/device`).map((text) => (JSON.parse(text) as { nonce: unknown }).nonce);
  expect(nonces()).toEqual(['n1', 'n2']);
  const port = Number(new URL(shop.broker.url).port);
  await shop.broker.stop();
  await shop.station.clock.advance(5_000);
  const refused = shop.receiver.requests.length;
  shop.receiver.reply(200);
  for (const nonce of ['n3', 'n4', 'n5']) {
    await shop.light(ONE, nonce);
    await shop.station.press(ONE);
  }
  await shop.settle();
  expect(await shop.status()).toMatchObject({
    state: 'error',
    waiting: 3,
    problem: expect.stringContaining('refused') as string,
  });
  await shop.startBrokerAt(port);
  await shop.station.restart();
  await shop.station.clock.advance(40_000);
  await shop.settle();
  expect(nonces()).toEqual(['n3', 'n4', 'n5']);
  expect(await shop.status()).toMatchObject({ state: 'connected', waiting: 0 });
  const taken = shop.receiver.payloads().slice(refused);
  expect(taken.map(({ nonce }) => String(nonce)).toSorted()).toEqual(['n1', 'n2', 'n3', 'n4', 'n5']);
});

import { expect, test } from 'vitest';
import type { BrokerConnection } from '../../../electron/server/ports/broker.ts';
import { createFleetOrders } from '../../../electron/server/mqtt/fleetOrders.ts';
import { createFleetPicture } from '../../../electron/server/mqtt/fleetPicture.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { START_MS } from '../../helpers/screens/template.ts';

const TOPIC = 'shop/berlin/orders/result';
const NONCE = `fleet-${'00'.repeat(12)}`;

function rig() {
  const clock = createFakeClock(START_MS);
  const { find, take } = createFleetPicture({ clock, prefix: 'shop', own: 'office' });
  take({ topic: 'shop/berlin/info', text: JSON.stringify({ protocol: 1, name: 'pi' }), isLive: true });
  take({ topic: 'shop/berlin/availability', text: 'online', isLive: true });
  const connection: BrokerConnection = {
    protocol: '5',
    isResumed: false,
    publish: () => new Promise(() => undefined),
    subscribe: () => Promise.resolve(),
    raiseQos: () => Promise.resolve(),
    watch: () => Promise.resolve(),
    unsubscribe: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const ids = { bytes: (count: number) => new Uint8Array(count) };
  const orders = createFleetOrders({ clock, ids, prefix: 'shop', find, connection: () => connection });
  return { clock, orders };
}

test('sending an order fails after ten seconds if the broker hangs', async () => {
  const { clock, orders } = rig();
  const sent = orders.send('berlin', { order_number: 'SO-1', items: [] }, false);
  const said = expect(sent).rejects.toThrow('did not answer');
  await clock.advance(10_000);
  await said;
});

const DEEP = '['.repeat(100_000);
const NAMES_THE_ORDER = { nonce: NONCE, order_number: 'SO-1', state: 'open', warnings: [], detail: '' };
const HOSTILE = [
  '',
  'null',
  '[]',
  '7',
  '"x"',
  '<!doctype html><script>alert(1)</script>',
  DEEP,
  `{"nonce":"${NONCE}","status":200,"detail":"${'x'.repeat(1_000_000)}`,
  JSON.stringify({ nonce: [NONCE], status: 200 }),
  JSON.stringify({ ...NAMES_THE_ORDER, status: '200' }),
  JSON.stringify({ ...NAMES_THE_ORDER, status: 200, nonce: 'another' }),
  JSON.stringify({ ...NAMES_THE_ORDER, status: 200, state: 'stolen' }),
  JSON.stringify({ ...NAMES_THE_ORDER, status: 200, order_number: { toString: 1 } }),
  JSON.stringify({ ...NAMES_THE_ORDER, status: 301, location: 'http://evil.example/' }),
  JSON.stringify({ ...NAMES_THE_ORDER, status: 1e99 }),
  JSON.stringify({ ...NAMES_THE_ORDER, status: 400, code: '__proto__' }),
];

test.each(HOSTILE.map((text) => [text.slice(0, 60), text]))(
  'ignores the invalid answer %s to an order',
  async (_, text) => {
    const { clock, orders } = rig();
    const sent = orders.send('berlin', { order_number: 'SO-1', items: [] }, false);
    const said = expect(sent).rejects.toThrow('Station "berlin" did not answer.');
    await clock.advance(0);
    for (let times = 0; times < 3; times += 1) orders.receive(TOPIC, text);
    await clock.advance(10_000);
    await said;
  },
);

test('ignores an answer under a different topic and an answer that arrives too late', async () => {
  const { clock, orders } = rig();
  const good = JSON.stringify({ ...NAMES_THE_ORDER, status: 201 });
  const sent = orders.send('berlin', { order_number: 'SO-1', items: [] }, false);
  const said = expect(sent).rejects.toThrow('did not answer');
  await clock.advance(0);
  orders.receive('shop/paris/orders/result', good);
  await clock.advance(10_000);
  await said;
  orders.receive(TOPIC, good);
});

test('an error detail from a station stays plain text', async () => {
  const { clock, orders } = rig();
  const sent = orders.send('berlin', { order_number: 'SO-1', items: [] }, false);
  const detail = '<img src=x onerror=alert(1)>';
  const said = expect(sent).rejects.toThrow(`Station "berlin": ${detail}`);
  await clock.advance(0);
  orders.receive(TOPIC, JSON.stringify({ ...NAMES_THE_ORDER, status: 409, code: 'conflict', detail }));
  await said;
});

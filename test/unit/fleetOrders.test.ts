import { expect, test } from 'vitest';
import type { BrokerConnection } from '../../electron/server/brokerPort.ts';
import { createFleetOrders } from '../../electron/server/mqtt/fleetOrders.ts';
import { createFleetPicture } from '../../electron/server/mqtt/fleetPicture.ts';
import { createFakeClock } from '../helpers/fakeClock.ts';
import { START_MS } from '../helpers/template.ts';

test('sending an order fails after ten seconds if the broker hangs', async () => {
  const clock = createFakeClock(START_MS);
  const { find, take } = createFleetPicture({ clock, prefix: 'shop', own: 'office' });
  take({ topic: 'shop/berlin/info', text: JSON.stringify({ protocol: 1, name: 'pi' }), isLive: true });
  take({ topic: 'shop/berlin/availability', text: 'online', isLive: true });
  const connection: BrokerConnection = {
    protocol: '5',
    isResumed: false,
    publish: () => new Promise(() => undefined),
    subscribe: () => Promise.resolve(),
    watch: () => Promise.resolve(),
    unsubscribe: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const ids = { bytes: (count: number) => new Uint8Array(count) };
  const orders = createFleetOrders({ clock, ids, prefix: 'shop', find, connection: () => connection });
  const sent = orders.send('berlin', { order_number: 'SO-1', items: [] }, false);
  const said = expect(sent).rejects.toThrow('did not answer');
  await clock.advance(10_000);
  await said;
});

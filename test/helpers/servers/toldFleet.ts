import type { TestBroker } from './broker.ts';

const ONE = '51D000:000001';
const SINCE = '2026-11-22T08:15:00.000Z';

/** Publishes a retained message below the prefix `acme`. */
export function tellAt(broker: TestBroker, topic: string, payload: unknown): Promise<void> {
  return broker.publish(`acme/${topic}`, typeof payload === 'string' ? payload : JSON.stringify(payload), true);
}

const info = (name: string, more: object = {}) => ({
  protocol: 1,
  name,
  version: '0.1.0',
  url: `http://${name}.test:4680/`,
  devices: 2,
  time: SINCE,
  battery_percent: 15,
  throughput: { picks_last_hour: 42 },
  failing_receivers: [],
  open_alerts: 0,
  alerts: [],
  ...more,
});

const device = (label: string, more: object = {}) => ({
  locationoverride: label,
  statica: '',
  battery: 90,
  online: true,
  commands: [],
  ...more,
});

/** Publishes four stations: berlin is OK, madrid needs attention, oslo is offline, and mars uses a different protocol version. */
export async function tellOfStations(broker: TestBroker): Promise<void> {
  const tell = (topic: string, payload: unknown) => tellAt(broker, topic, payload);
  await tell('berlin/availability', 'online');
  await tell('berlin/info', info('berlin'));
  await tell(`berlin/devices/${ONE}`, device('A-1-1', { statica: 'Cable tie 200', commands: [] }));
  await tell('berlin/devices/51D000:000002', device('A-1-2'));
  await tell('madrid/availability', 'online');
  const alerts = [
    { kind: 'battery_low', about: ONE, since: SINCE, problem: '' },
    { kind: 'receiver_failing', about: 'erp.madrid.test', since: SINCE, problem: 'The receiver answered 503.' },
  ];
  await tell(
    'madrid/info',
    info('madrid', { devices: 1, failing_receivers: ['erp.madrid.test'], open_alerts: 2, alerts }),
  );
  await tell(
    `madrid/devices/${ONE}`,
    device('M-7', { battery: 9, commands: [{ state: 'shown', line1: 'Cable tie 200' }] }),
  );
  await tell('madrid/orders/SO-77', { order_number: 'SO-77', state: 'in_progress', attention: ['stalled'] });
  await tell('oslo/availability', 'offline');
  await tell('oslo/info', info('oslo', { devices: 1 }));
  await tell(`oslo/devices/${ONE}`, device('O-1', { commands: [{ state: 'shown', line1: 'Gloves' }] }));
  await tell('mars/availability', 'online');
  await tell('mars/info', { protocol: 2 });
}

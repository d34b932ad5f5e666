import { afterEach, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import { watchMessages } from '../helpers/watchMessages.ts';
import { attachPeer, startRig } from './turboLinkRig.ts';

let station: TestStation;
afterEach(() => station.stop());

test('a turbo is asked for everything once when it connects, and again when it connects again', async () => {
  const wire = watchMessages();
  station = await startTestStation({ simulate: 3, refreshMs: 0, watchTransport: wire.watch });
  await station.clock.advance(30_000);
  expect(wire.sent('sync')).toHaveLength(1);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.clock.advance(1_000);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(30_000);
  expect(wire.sent('sync')).toHaveLength(2);
  expect(wire.received('deviceStatus')).toHaveLength(2 * 3);
});

test('a machine that woke asks again', async () => {
  const wire = watchMessages();
  station = await startTestStation({ simulate: 1, refreshMs: 0, watchTransport: wire.watch });
  await station.clock.advance(30_000);
  station.clock.sleep('suspend');
  station.clock.sleep('resume');
  await station.clock.advance(1_000);
  expect(wire.sent('sync')).toHaveLength(2);
  // Of some sleeps nobody told.
  station.clock.sleep('resume');
  await station.clock.advance(1_000);
  expect(wire.sent('sync')).toHaveLength(3);
});

test('a turbo that has told all is not asked again because another one connects', async () => {
  const rig = await startRig();
  const other = attachPeer(rig);
  rig.forgetPast();
  other.hello();
  await rig.clock.advance(0);
  await rig.fleet.told(10_000);
  expect(rig.messages.filter(({ direction, message }) => direction === 'out' && message.name === 'sync')).toHaveLength(
    1,
  );
  rig.stop();
  other.stop();
});

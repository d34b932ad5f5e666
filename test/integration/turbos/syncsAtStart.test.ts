import { afterEach, expect, test } from 'vitest';
import type { TurboFrame } from '#shared/api/turbo.ts';
import { startSerialMachine } from '../../helpers/devices/serialMachine.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { watchMessages } from '../../helpers/servers/watchMessages.ts';
import { attachPeer, startRig } from '../turboLink/turboLinkRig.ts';

let station: TestStation;
afterEach(() => station.stop());

test('syncs once with a turbo when it connects, and again when it reconnects', async () => {
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

test('syncs with the turbos again after the machine wakes', async () => {
  const wire = watchMessages();
  station = await startTestStation({ simulate: 1, refreshMs: 0, watchTransport: wire.watch });
  await station.clock.advance(30_000);
  station.clock.sleep('suspend');
  station.clock.sleep('resume');
  await station.clock.advance(1_000);
  expect(wire.sent('sync')).toHaveLength(2);
  // Some systems announce a sleep only when it ends.
  station.clock.sleep('resume');
  await station.clock.advance(1_000);
  expect(wire.sent('sync')).toHaveLength(3);
});

test('does not sync again with a turbo when another connects', async () => {
  const rig = await startRig();
  const other = attachPeer(rig);
  rig.forgetPast();
  other.hello();
  await rig.clock.advance(0);
  await rig.turbos.awaitReports(10_000);
  expect(rig.messages.filter(({ direction, message }) => direction === 'out' && message.name === 'sync')).toHaveLength(
    1,
  );
  rig.stop();
  other.stop();
});

/**
 * Starts a station with three turbos: one on USB that has synced, one that is not plugged in yet, and one whose answers
 * take seconds.
 */
async function startWithThree() {
  const machine = startSerialMachine();
  station = await startTestStation({ simulate: 1, refreshMs: 0, clock: machine.clock, serial: machine.ports });
  const plugIn = (path: string, serialNumber: string) => machine.plugIn(path, {}, { serialNumber, devices: [] });
  plugIn('/dev/ttyACM0', 'USB-1');
  for (const path of ['/dev/ttyACM0', '/dev/ttyACM1']) await station.post('/api/turbo/links/', { path });
  await station.clock.advance(30_000);
  const slow = (change: object) => station.patch('/api/simulator/turbos/SIM-1/', change);
  await slow({ connected: false, latency_ms: 1_400 });
  await station.clock.advance(30_000);
  const syncsOf = async (serial: string) =>
    (await station.get<TurboFrame[]>(`/api/turbo/${serial}/frames/`)).filter(
      ({ message, repeated }) => message === 'sync' && !repeated,
    ).length;
  expect([await syncsOf('USB-1'), await syncsOf('SIM-1')]).toEqual([1, 1]);
  /** Lets the slow turbo connect and waits until the station has sent it a sync, whose answer takes seconds. */
  const comeBack = async (): Promise<void> => {
    await slow({ connected: true });
    while ((await syncsOf('SIM-1')) < 2) await station.clock.advance(100);
  };
  return { plugIn, syncsOf, comeBack };
}

test('syncs only with the turbos that connect, even if one connects while the station waits for another', async () => {
  const { plugIn, syncsOf, comeBack } = await startWithThree();
  await comeBack();
  plugIn('/dev/ttyACM1', 'USB-2');
  await station.post('/api/turbo/links/2/retry/');
  await station.clock.advance(60_000);
  expect([await syncsOf('USB-1'), await syncsOf('SIM-1'), await syncsOf('USB-2')]).toEqual([1, 2, 1]);
});

test('also syncs with the other turbos if the machine wakes while the station waits for a reconnected one', async () => {
  const { syncsOf, comeBack } = await startWithThree();
  await comeBack();
  station.clock.sleep('resume');
  await station.clock.advance(60_000);
  expect(await syncsOf('USB-1')).toBe(2);
});

test('a press held by a turbo that reconnects just before the command is overdue counts, even if it arrives slowly', async () => {
  const device = '51D000:000001';
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.clock.advance(30_000);
  await station.post(`/api/device/${device}/`, { line1: 'x', nonce: 'n', seconds: 20 });
  await station.clock.advance(1_000);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false, latency_ms: 1_400 });
  await station.press(device);
  // The command is shown for 20 s, plus 2 s of grace: the hello arrives before that time ends, and the press after it.
  await station.clock.advance(19_000);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(1_900);
  expect(await station.get('/api/turbo/SIM-1/')).toMatchObject({ status: 'online' });
  expect(await station.device(device)).toMatchObject({ commands: [{ nonce: 'n' }] });
  await station.clock.advance(200);
  expect(await station.device(device)).toMatchObject({ commands: [{ nonce: 'n' }] });
  await station.clock.advance(10_000);
  expect(await station.get(`/api/history/?deviceid=${device}`)).toMatchObject([{ kind: 'acknowledged', nonce: 'n' }]);
});

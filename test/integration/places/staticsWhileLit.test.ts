import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../helpers/fakeClock.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { watchMessages } from '../../helpers/servers/watchMessages.ts';
import { createHardware } from '../../property/model/hardware.ts';

const DEVICE = '51D000:000001';

let station: TestStation;
let wire: ReturnType<typeof watchMessages>;

beforeEach(async () => {
  wire = watchMessages();
  station = await startTestStation({ simulate: 1, watchTransport: wire.watch });
  await station.post(`/api/device/${DEVICE}/`, { statica: 'old', quantity: 4 });
  await station.clock.advance(12_000);
});
afterEach(() => station.stop());

const lines = async () => (await station.device(DEVICE)).displayed?.screen.lines;
const frames = () => [...wire.sent('show').map(({ token }) => `show ${token}`), ...wire.sent('keep').map(() => 'keep')];

/** Returns the lines that the display shows during the next `ms` milliseconds, in order. */
async function seenFor(ms: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let at = 0; at < ms; at += 100) {
    const now = JSON.stringify(await lines());
    if (seen.at(-1) !== now) seen.push(now);
    await station.clock.advance(100);
  }
  return seen;
}

test('statics that change while a command is lit are shown after it, without the old statics in between', async () => {
  await station.post(`/api/device/${DEVICE}/`, { line1: 'pick', seconds: 10 });
  await station.clock.advance(1_000);
  await station.post(`/api/device/${DEVICE}/`, { statica: 'new' });
  await station.clock.advance(1_000);
  wire.forgetPast();
  expect(await seenFor(12_000)).toEqual(['["pick"]', '["new"]']);
  expect(frames()).toEqual([]);
});

test('after a reconnect, changed statics are shown when the command is pressed, without being sent again', async () => {
  const { command_id: id } = await station.post(`/api/device/${DEVICE}/`, { line1: 'pick', seconds: 0 });
  await station.clock.advance(1_000);
  await station.post(`/api/device/${DEVICE}/`, { statica: 'new' });
  await station.clock.advance(1_000);
  wire.forgetPast();
  await station.post(`/api/device/${DEVICE}/`, { statica: 'new' });
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.clock.advance(2_000);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(5_000);
  expect(frames()).toEqual([]);
  await station.press(DEVICE);
  expect(await seenFor(3_000)).toEqual(['["pick"]', '["new"]']);
  expect(frames()).toEqual([]);
  expect((await station.get<{ kind: string }[]>(`/api/history/?command_id=${String(id)}`))[0]?.kind).toBe(
    'acknowledged',
  );
});

test('after a restart of the station, changed statics are shown when the command is pressed, without being sent again', async () => {
  await station.stop();
  const clock = createFakeClock(START_MS);
  using hardware = lastingHardware(clock);
  station = await startTestStation({ clock, watchTransport: (own) => wire.watch(hardware.plug(own)) });
  await station.clock.advance(12_000);
  await station.post(`/api/device/${DEVICE}/`, { line1: 'pick', seconds: 0 });
  await station.clock.advance(1_000);
  await station.post(`/api/device/${DEVICE}/`, { statica: 'new' });
  await station.clock.advance(1_000);
  wire.forgetPast();
  await station.restart();
  await station.clock.advance(12_000);
  hardware.sim.press(DEVICE, 'front', 'short');
  expect(await seenFor(3_000)).toEqual(['["pick"]', '["new"]']);
  expect(frames()).toEqual([]);
});

/** Creates hardware that keeps running while the station restarts. */
function lastingHardware(clock: FakeClock) {
  const hardware = createHardware({ clock, seed: 1, tap: { station: (end) => end, turbo: (end) => end } });
  clock.whenIdle(() => hardware.idle(), 'the hardware');
  hardware.sim.addDevice({ deviceId: DEVICE, buttons: 1, firmware: 70 });
  return { ...hardware, [Symbol.dispose]: () => hardware.sim.stop() };
}

test('a device is not sent what it already shows, even after identical statics, an identical label or a reconnect', async () => {
  wire.forgetPast();
  await station.post(`/api/device/${DEVICE}/`, { statica: 'old', quantity: 4 });
  await station.post(`/api/device/${DEVICE}/`, { locationoverride: '' });
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.clock.advance(2_000);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(20_000);
  expect(frames()).toEqual([]);
});

test('repeating a command does not send its content again', async () => {
  const command = { line1: 'pick', nonce: 'n', seconds: 60 };
  await station.post(`/api/device/${DEVICE}/`, command);
  await station.clock.advance(3_000);
  wire.forgetPast();
  await station.post(`/api/device/${DEVICE}/`, command);
  await station.clock.advance(3_000);
  expect(wire.sent('show').map(({ screen }) => screen.form)).toEqual(['same']);
  expect(wire.sent('keep')).toEqual([]);
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Turbo, TurboLink } from '#shared/api/turbo.ts';
import type { SimulatedHardware } from '../../../electron/server/simulator/simulator.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { createFrameWriter, encodeFrame } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import { startSerialMachine } from '../../helpers/devices/serialMachine.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { ADMIN_PASSWORD } from '../../helpers/screens/template.ts';

const DEVICE = '7C0001:000001';
const PORT = '/dev/ttyACM0';

let machine: ReturnType<typeof startSerialMachine>;
let station: TestStation;
let hardware: SimulatedHardware;

/** Starts a complete station with one turbo on USB. */
beforeEach(async () => {
  machine = startSerialMachine();
  const plugged = machine.plugIn(PORT, {}, { serialNumber: 'USB-1', devices: [DEVICE] });
  if (plugged === undefined) throw new Error('unreachable');
  hardware = plugged;
  station = await startTestStation({ clock: machine.clock, serial: machine.ports, turboPort: 0 });
  await station.post('/api/turbo/links/', { path: PORT });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

const link = async () => (await station.get<TurboLink[]>('/api/turbo/links/'))[0];

async function light(nonce: string): Promise<void> {
  await station.post(`/api/device/${DEVICE}/`, { line1: nonce, nonce, seconds: 0 });
  await station.clock.advance(3_000);
  expect(await station.device(DEVICE)).toMatchObject({ commands: [{ nonce, state: 'shown' }] });
}

const acknowledged = async () =>
  (await station.get<{ kind: string; nonce: string }[]>(`/api/history/?deviceid=${DEVICE}`))
    .filter(({ kind }) => kind === 'acknowledged')
    .map(({ nonce }) => nonce);

test('the link of an unplugged turbo explains why; after replugging, an earlier press counts once and the next command is shown', async () => {
  await light('first');
  machine.unplug(PORT);
  await station.clock.advance(100);
  expect(await link()).toMatchObject({ step: 'waiting', problem: `The link on ${PORT} ended: unplugged`, turbo: null });
  await station.clock.advance(3_000);
  expect(await link()).toMatchObject({ step: 'absent', problem: `${PORT} is not plugged in.` });
  hardware.press(DEVICE, 'front', 'short');
  expect(await station.device(DEVICE)).toMatchObject({ online: false, turbo: null, state: 'active' });
  machine.plugAgain(PORT);
  await station.clock.advance(10_000);
  expect(await link()).toMatchObject({ step: 'online', problem: null, turbo: 'USB-1' });
  expect(await acknowledged()).toEqual(['first']);
  await light('second');
  expect(await acknowledged()).toEqual(['first']);
});

test('presses in flight are neither lost nor duplicated when a turbo reboots', async () => {
  for (const nonce of ['a', 'b', 'c']) {
    await light(nonce);
    hardware.press(DEVICE, 'front', 'short');
    hardware.restartTurbo('USB-1');
    await station.clock.advance(5_000);
  }
  expect((await acknowledged()).toSorted()).toEqual(['a', 'b', 'c']);
});

test('a turbo on a half-open TCP connection is offline after 15 s without data, and the connection is closed', async () => {
  const socket: Socket = connect(station.started.turboPort() ?? 0, '127.0.0.1');
  const welcomed = once(socket, 'data');
  const closed = once(socket, 'close');
  const body = { ...EXAMPLES.hello, serialNumber: 'NET-1', username: 'admin', secret: ADMIN_PASSWORD };
  socket.write(encodeFrame(createFrameWriter(), { name: 'hello', body }, 1, false));
  await welcomed;
  const status = async () => (await station.get<Turbo>('/api/turbo/NET-1/')).status;
  expect(await status()).toBe('online');
  await station.clock.advance(14_900);
  expect(await status()).toBe('online');
  await station.clock.advance(200);
  expect(await status()).toBe('offline');
  await closed;
});

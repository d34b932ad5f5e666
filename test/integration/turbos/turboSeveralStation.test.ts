import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Log } from '../../../electron/server/ports.ts';
import type { Turbo } from '#shared/api/turbo.ts';
import { streamTransport } from '../../../electron/server/turbo/frames/transports/stream.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { seededIds } from '../../helpers/seeded.ts';
import { openStreams } from '../../helpers/devices/serialMachine.ts';
import { createSharedDevice, type Ear } from '../../helpers/devices/sharedDevice.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const DEVICE = '7C0001:000001';

let station: TestStation;
let shared: ReturnType<typeof createSharedDevice>;
/** The station's ends of the cables. An unplugged cable has no entry. */
const near = new Map<string, Duplex>();
const unplugged = new Set<string>();
let one: Ear;
let two: Ear;

/** Starts a complete station with two turbos on cables, both in range of the device. */
beforeEach(async () => {
  const clock = createFakeClock(START_MS);
  shared = createSharedDevice({ clock, ids: seededIds(9), log: SILENT, deviceId: DEVICE });
  const far = new Map<string, ReturnType<typeof openStreams>[1]>();
  const turbos = ['/dev/ttyS1', '/dev/ttyS2'].map((path, at) => {
    const open = (): ReturnType<typeof openStreams>[1] => {
      const stream = far.get(path);
      if (stream === undefined) throw new Error('the port is not open');
      return stream;
    };
    return shared.addTurbo(`T-${at + 1}`, () => streamTransport(open(), { clock, kind: 'usb', port: 'far' }));
  });
  const [first, second] = turbos;
  if (first === undefined || second === undefined) throw new Error('unreachable');
  [one, two] = [first, second];
  station = await startTestStation({
    clock,
    serial: {
      list: () => Promise.resolve([]),
      open({ path }) {
        if (unplugged.has(path)) return Promise.reject(new Error('unplugged'));
        const [end, other] = openStreams();
        near.set(path, end);
        far.set(path, other);
        const { turbo } = path.endsWith('1') ? one : two;
        turbo.disconnect();
        turbo.connect();
        return Promise.resolve(end);
      },
      reset: () => Promise.resolve(),
    },
  });
  one.hears(-50);
  for (const path of ['/dev/ttyS1', '/dev/ttyS2']) await station.post('/api/turbo/links/', { path });
  await station.clock.advance(1_000);
});

afterEach(() => station.stop());

function unplug(path: string): void {
  unplugged.add(path);
  near.get(path)?.destroy(new Error('unplugged'));
}

async function plugIn(link: string): Promise<void> {
  unplugged.clear();
  await station.post(`/api/turbo/links/${link}/retry/`, {});
}

const kinds = async () =>
  (await station.get<{ kind: string }[]>(`/api/history/?limit=100&deviceid=${DEVICE}`))
    .map(({ kind }) => kind)
    .toSorted();
const light = (nonce: string) => station.post(`/api/device/${DEVICE}/`, { line1: nonce, nonce, seconds: 0 });

test('a press that both turbos report counts once, even if one reports it minutes later', async () => {
  await light('a');
  await station.clock.advance(0);
  unplug('/dev/ttyS2');
  shared.press();
  await station.clock.advance(0);
  expect((await station.device(DEVICE)).commands).toEqual([]);
  await light('b');
  await station.clock.advance(600_000);
  expect((await station.device(DEVICE)).commands).toMatchObject([{ nonce: 'b', state: 'shown' }]);
  await plugIn('2');
  await station.clock.advance(60_000);
  expect(await station.get<Turbo>('/api/turbo/T-2/')).toMatchObject({ status: 'online', device_count: 1 });
  expect(shared.held()).toBe(0);
  expect((await station.device(DEVICE)).commands).toMatchObject([{ nonce: 'b', state: 'shown' }]);
  expect((await kinds()).filter((kind) => kind === 'acknowledged' || kind === 'late')).toEqual(['acknowledged']);
});

test('counts 64 presses that only one turbo holds, although the other turbo has reported a newer one', async () => {
  two.reach(false);
  unplug('/dev/ttyS1');
  for (let press = 0; press < 64; press += 1) shared.press('plus');
  two.reach(true);
  shared.press('plus');
  await station.clock.advance(0);
  expect(await kinds()).toEqual(['call_up']);
  await plugIn('1');
  await station.clock.advance(60_000);
  expect(shared.held()).toBe(0);
  expect((await kinds()).filter((kind) => kind === 'call_up')).toHaveLength(65);
});

test('the turbo, signal, online state and command of a device follow it to another turbo', async () => {
  expect(await station.device(DEVICE)).toMatchObject({ turbo: 'T-1', rssi: -50, online: true });
  const { command_id } = await light('a');
  await station.clock.advance(0);
  one.reach(false);
  await station.clock.advance(0);
  expect(await station.device(DEVICE)).toMatchObject({ turbo: 'T-2', rssi: -60, online: true, state: 'active' });
  unplug('/dev/ttyS1');
  unplug('/dev/ttyS2');
  await station.clock.advance(0);
  expect(await station.device(DEVICE)).toMatchObject({ turbo: null, online: false });
  await plugIn('2');
  await station.clock.advance(30_000);
  expect(await station.device(DEVICE)).toMatchObject({ turbo: 'T-2', online: true });
  shared.press();
  await station.clock.advance(0);
  const history = await station.get<{ kind: string; command_id: string }[]>(`/api/history/?deviceid=${DEVICE}`);
  expect(history.filter(({ kind }) => kind === 'acknowledged')).toMatchObject([{ command_id }]);
  expect(history.filter(({ kind }) => kind === 'shown').length).toBeLessThanOrEqual(1);
});

test('a device that moved to another turbo raises no separate alert while that turbo is offline', async () => {
  one.reach(false);
  await station.clock.advance(1_000);
  unplug('/dev/ttyS2');
  await station.clock.advance(900_000);
  const alerts = await station.get<{ kind: string; turbo: string | null }[]>('/api/alerts/');
  expect(alerts).toMatchObject([{ kind: 'turbo_offline', turbo: 'T-2' }]);
});

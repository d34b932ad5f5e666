import type { Duplex } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { streamTransport } from '../../../electron/server/turbo/frames/transports/stream.ts';
import { openStreams } from '../../helpers/devices/serialMachine.ts';
import { createSharedDevice } from '../../helpers/devices/sharedDevice.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { addOrder, anItem, itemsOf, launch } from '../../helpers/orders.ts';
import { seededIds } from '../../helpers/seeded.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '7C0001:000001';
const nothing = (): void => undefined;
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

let station: TestStation;

afterEach(() => station.stop());

/** Starts a station with two lit lines at one device on a cable. The device has pressed the first line if `feelsPresses` is given. */
async function startWithTwoLines(feelsPresses: boolean) {
  const clock = createFakeClock(START_MS);
  const shared = createSharedDevice({ clock, ids: seededIds(9), log: SILENT, deviceId: DEVICE, feelsPresses });
  let far: Duplex | undefined;
  const { turbo, hears } = bind(
    shared.addTurbo('T-1', () => {
      if (far === undefined) throw new Error('the port is not open');
      return streamTransport(far, { clock, kind: 'usb', port: 'far' });
    }),
  );
  station = await startTestStation({
    clock,
    serial: {
      list: () => Promise.resolve([]),
      open() {
        const [end, other] = openStreams();
        far = other;
        turbo.connect();
        return Promise.resolve(end);
      },
      reset: () => Promise.resolve(),
    },
  });
  hears();
  await station.post('/api/turbo/links/', { path: '/dev/ttyS1' });
  await clock.advance(1_000);
  await addOrder(
    station,
    'SO-1',
    [1, 2].map(() => anItem({ deviceid: DEVICE, ordered_quantity: 1 })),
  );
  await launch(station, 'SO-1');
  await clock.advance(5_000);
  return { clock, press: () => shared.press() };
}

function bind(ear: ReturnType<ReturnType<typeof createSharedDevice>['addTurbo']>) {
  return { turbo: ear.turbo, hears: () => ear.hears(-50) };
}

const states = async () => (await itemsOf(station, 'SO-1')).map(({ state }) => state).toSorted();
const kinds = () => station.rows<{ kind: string }>('SELECT kind FROM history ORDER BY id').map(({ kind }) => kind);

test.each([
  ['does not measure times between presses', false],
  ['measures times between presses', true],
])('a bounce whose bytes wait while the station is busy books nothing if the device %s', async (_, feelsPresses) => {
  const { clock, press } = await startWithTwoLines(feelsPresses);
  press();
  await clock.advance(150);
  press();
  clock.stall(350);
  await clock.advance(5_000);
  expect(await states()).toEqual(['active', 'done']);
  expect(kinds()).toContain('early');
  press();
  await clock.advance(5_000);
  expect(await states()).toEqual(['done', 'done']);
});

test('a second press whose bytes wait while the station is busy counts if the device measures times between presses', async () => {
  const { clock, press } = await startWithTwoLines(true);
  press();
  await clock.advance(150);
  clock.stall(150);
  press();
  await clock.advance(5_000);
  expect(await states()).toEqual(['done', 'done']);
});

test('a press long after the last one counts although the station was busy', async () => {
  const { clock, press } = await startWithTwoLines(false);
  press();
  await clock.advance(1_000);
  press();
  clock.stall(2_000);
  await clock.advance(5_000);
  expect(await states()).toEqual(['done', 'done']);
});

test('a third press counts although a bounce came shortly before it', async () => {
  const { clock, press } = await startWithTwoLines(true);
  press();
  await clock.advance(180);
  press();
  await clock.advance(130);
  press();
  await clock.advance(5_000);
  expect(await states()).toEqual(['done', 'done']);
});

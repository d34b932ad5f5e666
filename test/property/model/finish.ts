import { drawScreen } from '#shared/screen/raster.ts';
import { EMPTY_SCREEN, type ScreenContent } from '#shared/screen/content.ts';
import { SIMULATED_SERIAL } from '../../../electron/server/simulator/simulator.ts';
import { unpackBits } from '../../../electron/server/turbo/frames/protocol/packBits.ts';
import { set } from './asking.ts';
import { same } from './snapshot.ts';
import { countOf, LED_COLORS, screenOf, type ModelDevice } from './state.ts';
import type { World } from './world.ts';

const BATTERY_MV = 3_000;
/** Maximum time to draw a picture and the next one. */
const DRAWN_MS = 4_500;
/** Maximum delay of the event stream. */
const TOLD_MS = 100;
const BITMAP_BYTES = 4_736;

/** Repairs everything, waits until the station is idle, and checks the final state of each side. */
export async function finish(world: World): Promise<void> {
  const { clock, hardware, deliveries, link } = world;
  deliveries.answer(200);
  await set(world, { callback_url: deliveries.url });
  Object.assign(link, { connected: true, loss: 0, latencyMs: 0 });
  hardware.sim.setTurbo(SIMULATED_SERIAL, { loss: 0, latencyMs: 0 });
  hardware.connect();
  for (const deviceId of world.deviceIds) hardware.sim.setDevice(deviceId, { reachable: true });
  world.unreachable.clear();
  world.noteRadio();
  await world.settle();
  // These rests together are longer than the longest wait between repetitions, a drain, and the longest command in this test.
  for (let rest = 0; rest < 5; rest += 1) await rests(world, 20_000);
  // The device may still be drawing the screen after a command that has just ended.
  while (clock.monotonic() - lastChange(world) < DRAWN_MS) await rests(world, DRAWN_MS);
  await world.checkSnapshot();
  world.presses.checkAllTold();
  for (const device of world.oracle.devices.values()) checkSight(world, device);
  await deliver(world);
  const outbox = world.disk.outbox();
  same('How many callbacks there are', outbox.length, world.oracle.ledger.told);
  world.deliveries.check(outbox);
  await world.checkSnapshot();
  await clock.advance(TOLD_MS);
  await world.checkStream();
}

/** Returns the time at which a screen was last sent to a device, or at which a device last ended a command itself. */
function lastChange(world: World): number {
  const { devices, shows } = world.oracle;
  return Math.max(shows.lastMono, ...[...devices.values()].map(({ truth }) => truth.sinceMono));
}

async function rests(world: World, ms: number): Promise<void> {
  await world.clock.advance(ms);
  await world.settle();
}

/** Checks that the device shows exactly what it should. */
function checkSight(world: World, device: ModelDevice): void {
  const sight = world.hardware.sim.look(device.id);
  const [command] = device.queue;
  const { token, active, led, count, heldReports, checksum = 0 } = sight ?? {};
  same(
    `What ${device.id} shows`,
    { token, active, led, count, heldReports },
    {
      token: command?.id ?? 0,
      active: command !== undefined,
      led: ledOf(device),
      count: command && countOf(device),
      heldReports: 0,
    },
  );
  const content = world.oracle.shows.content(checksum);
  const bitmap = world.oracle.shows.bitmap(checksum);
  const wanted = screenOf(device);
  if (content !== undefined) return same(`The screen of ${device.id}`, content, wanted);
  // A device counts up and down itself, with a bitmap as well as with fields.
  const drawn = { ...wanted, quantity: bitmap?.quantity };
  const screen = { ...EMPTY_SCREEN, ...JSON.parse(JSON.stringify(drawn)) } as ScreenContent;
  const { bytes } = drawScreen(screen, { firmware: device.firmware, batteryMv: BATTERY_MV });
  const pixels = bitmap?.packing === 'packBits' ? unpackBits(bitmap.pixels, BITMAP_BYTES) : bitmap?.pixels;
  if (pixels === undefined || Buffer.compare(pixels, bytes) !== 0) {
    throw new Error(`${device.id} draws other pixels than those of ${JSON.stringify(drawn)}`);
  }
}

/** Returns the state that the LED must have. Named colors depend on the device's brightness, hexadecimal ones do not. */
function ledOf({ queue: [command], brightness }: ModelDevice): 'off' | 'steady' | 'blink' {
  if (command === undefined) return 'off';
  if (brightness === 0 && LED_COLORS[command.color]?.fixedBrightness !== true) return 'off';
  return command.word === 'flash' ? 'blink' : 'steady';
}

/** Waits until no callback is pending. The longest wait between two attempts is a little over an hour here. */
async function deliver(world: World): Promise<void> {
  world.hardware.disconnect();
  world.link.connected = false;
  world.noteRadio();
  for (let hours = 0; world.disk.outbox().some((row) => row.state === 'pending'); hours += 1) {
    if (hours > 6) throw new Error('Callbacks are pending for six hours with a receiver that takes them');
    await rests(world, 3_600_000);
  }
}

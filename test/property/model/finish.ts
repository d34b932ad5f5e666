import { isDeepStrictEqual } from 'node:util';
import { drawScreen } from '#shared/screen/raster.ts';
import { EMPTY_SCREEN, type ScreenContent } from '#shared/screen/content.ts';
import { SIMULATED_SERIAL } from '../../../electron/server/simulator/simulator.ts';
import { unpackBits } from '../../../electron/server/turbo/protocol/packBits.ts';
import type { Received } from '../../helpers/receiver.ts';
import { set } from './operations.ts';
import { same } from './snapshot.ts';
import { screenOf, type ModelDevice } from './state.ts';
import type { World } from './world.ts';

const BATTERY_MV = 3_000;
/** An old picture and a new one, each at its slowest. */
const DRAWN_MS = 4_500;
const BITMAP_BYTES = 4_736;

/** Mends everything, lets it all come to rest, and looks at what each side has in the end. */
export async function finish(world: World): Promise<void> {
  const { clock, hardware, receiver, link } = world;
  receiver.reply(200);
  await set(world, { callback_url: receiver.url });
  Object.assign(link, { connected: true, loss: 0, latencyMs: 0 });
  hardware.sim.setTurbo(SIMULATED_SERIAL, { loss: 0, latencyMs: 0 });
  hardware.connect();
  for (const deviceId of world.deviceIds) hardware.sim.setDevice(deviceId, { reachable: true });
  world.unreachable.clear();
  world.noteRadio();
  await world.settle();
  // Longer than the longest wait between repetitions, than a drain, and than what is lit here.
  for (let rest = 0; rest < 5; rest += 1) await rests(world, 20_000);
  // What ended just now is still being drawn.
  while (clock.monotonic() - world.oracle.lastShowMono < DRAWN_MS) await rests(world, DRAWN_MS);
  await world.checkSnapshot();
  world.presses.checkAllTold();
  for (const device of world.oracle.devices.values()) checkSight(world, device);
  await deliver(world);
  checkDeliveries(world);
  await world.checkSnapshot();
}

async function rests(world: World, ms: number): Promise<void> {
  await world.clock.advance(ms);
  await world.settle();
}

/** What a worker sees is what is asked for, and nothing else. */
function checkSight(world: World, device: ModelDevice): void {
  const sight = world.hardware.sim.look(device.id);
  const [command] = device.queue;
  const counted = command === undefined ? undefined : (command.adjusted ?? command.quantity ?? undefined);
  const { token, lit, count, heldReports, checksum = 0 } = sight ?? {};
  same(
    `What ${device.id} shows`,
    { token, lit, count, heldReports },
    { token: command?.id ?? 0, lit: command !== undefined, count: counted, heldReports: 0 },
  );
  const content = world.oracle.content(checksum);
  const bitmap = world.oracle.bitmap(checksum);
  const wanted = screenOf(device);
  if (content !== undefined) return same(`The screen of ${device.id}`, content, wanted);
  const screen = { ...EMPTY_SCREEN, ...JSON.parse(JSON.stringify(wanted)) } as ScreenContent;
  const { bytes } = drawScreen(screen, { firmware: device.firmware, batteryMv: BATTERY_MV });
  const pixels = bitmap?.packing === 'packBits' ? unpackBits(bitmap.pixels, BITMAP_BYTES) : bitmap?.pixels;
  if (pixels === undefined || Buffer.compare(pixels, bytes) !== 0) {
    throw new Error(`${device.id} draws other pixels than those of ${JSON.stringify(wanted)}`);
  }
}

/** Waits until nothing is pending: the longest wait between attempts here is an hour and a bit. */
async function deliver(world: World): Promise<void> {
  world.hardware.disconnect();
  world.link.connected = false;
  world.noteRadio();
  for (let hours = 0; world.disk.outbox().some((row) => row.state === 'pending'); hours += 1) {
    if (hours > 6) throw new Error('Callbacks are pending for six hours with a receiver that takes them');
    await rests(world, 3_600_000);
  }
}

/** Every callback was received, under one id and as it was written; nothing else was. */
function checkDeliveries(world: World): void {
  const prefix = `msg_${world.disk.stationId()}_`;
  const rows = new Map(world.disk.outbox().map((row) => [`${prefix}${row.id}`, row]));
  const heard = new Set<string>();
  for (const request of world.receiver.requests) {
    const id = String(request.headers['webhook-id']);
    const row = rows.get(id);
    if (row === undefined) throw new Error(`The receiver was sent ${id}, which is in no outbox`);
    heard.add(id);
    checkRequest(request, row.payload);
  }
  for (const [id, row] of rows) {
    if (row.state !== 'delivered') throw new Error(`${id} is ${row.state}`);
    if (!heard.has(id)) throw new Error(`${id} is said to be delivered, and the receiver never heard of it`);
    if (row.history_id === null) throw new Error(`${id} tells nothing that is in history`);
  }
}

function checkRequest(request: Received, payload: string): void {
  const { acknack, deviceid, location, nonce, qty } = JSON.parse(payload) as Record<string, string | number>;
  const said = (value: string | number | undefined) => encodeURIComponent(String(value));
  const url = `/${said(acknack)}/${said(nonce)}/?at=${said(location)}&d=${said(deviceid)}&n=${said(qty)}&x=`;
  if (request.method === 'GET') return same('A callback', request.url, url);
  const { method, body } = request;
  if (method === 'POST' && isDeepStrictEqual(JSON.parse(body), JSON.parse(payload))) return;
  throw new Error(`The receiver was sent ${method} ${body} for ${payload}`);
}

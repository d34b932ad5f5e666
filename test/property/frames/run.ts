import { decodePayload } from '../../../electron/server/turbo/frames/protocol/codec.ts';
import { FrameParser, HALF_FRAME_MS } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import { SIMULATED_SERIAL } from '../../../electron/server/simulator/simulator.ts';
import { heapInUse } from '../../helpers/heap.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { tapWire } from '../../helpers/devices/tapWire.ts';
import { createRandom, type Random } from '../model/random.ts';
import { createHostileFrames, KNOWN_DEVICES } from './hostile.ts';

/** Number of frames sent together. The station reads them in one turn of its event loop and stores their reports in one commit. */
const AT_ONCE = 50;
/** Probability of other work between two groups of frames. */
const WORK_CHANCE = 0.1;
/** Fraction of the run after which every unknown device and number has occurred, so that memory must stop growing. */
const SETTLED_PART = 0.3;
/** Maximum growth of the heap in bytes: an allowance for uncollected garbage and compiled code. */
const MAX_GROWTH_BYTES = 3_000_000;

/**
 * Passes frames through the parser and the codec only. Throws if either of them throws, or if a byte is neither part of a frame nor
 * reported as junk.
 */
export function parseFrames(seed: number, count: number): void {
  const next = createHostileFrames(seed);
  const random = createRandom(seed + 1);
  let pushed = 0;
  let told = 0;
  let nowMs = 0;
  const parser = new FrameParser({
    frame(type, _flags, _seq, payload) {
      told += payload.end - payload.position + 14;
      decodePayload(type, payload);
    },
    junk: (bytes) => void (told += bytes),
  });
  for (let sent = 0; sent < count; sent += 1) {
    const bytes = next();
    pushed += bytes.length;
    const cut = random.below(bytes.length + 1);
    parser.push(bytes.subarray(0, cut), nowMs);
    nowMs += random.one([0, 0, 0, 1, 400]);
    parser.expire(nowMs);
    parser.push(bytes.subarray(cut), nowMs);
  }
  while (parser.deadline() !== undefined) parser.expire((nowMs += HALF_FRAME_MS));
  if (told !== pushed) throw new Error(`Of ${pushed} bytes ${told} were accounted for (seed ${seed})`);
}

/**
 * Sends frames to a whole station and its simulated turbo, between their own messages. Throws if anything throws, if memory grows, or if
 * station and turbo do not recover afterwards.
 */
export async function sendFrames(seed: number, count: number): Promise<void> {
  const next = createHostileFrames(seed);
  const random = createRandom(seed + 1);
  const wire = tapWire();
  await using station = await startTestStation({ simulate: 4, refreshMs: 0, seed, watchTransport: wire.watch });
  await station.patch('/api/settings/', { accept_devices: 'ask' });
  let settledBytes: number | undefined;
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    if (settledBytes === undefined && sent >= count * SETTLED_PART) settledBytes = heapInUse();
    const bytes = Buffer.concat(Array.from({ length: AT_ONCE }, next));
    const cut = random.below(bytes.length);
    const [target, other] = random.chance(0.5) ? [wire.toStation, wire.toTurbo] : [wire.toTurbo, wire.toStation];
    target(bytes.subarray(0, cut));
    other(bytes.subarray(cut));
    await station.clock.advance(random.one([0, 1, 30, 300]));
    if (random.chance(WORK_CHANCE)) await work(station, random);
    checkLog(station, seed);
  }
  const grownBytes = heapInUse() - (settledBytes ?? 0);
  if (grownBytes > MAX_GROWTH_BYTES) throw new Error(`The heap grew by ${grownBytes} bytes (seed ${seed})`);
  await findTogether(station);
  checkLog(station, seed);
}

/** Starts something that is still in progress when the next frames arrive. */
async function work(station: TestStation, random: Random): Promise<void> {
  const deviceId = random.one(KNOWN_DEVICES);
  await station.post(`/api/device/${deviceId}/`, {
    command: 'flash',
    quantity: random.below(4),
    seconds: random.below(9),
  });
  await station.press(random.one(KNOWN_DEVICES), 'front', random.one(['short', 'long']));
}

/** Checks that the log has no errors. Refused frames are logged as warnings, so an error would be an internal one. */
function checkLog(station: TestStation, seed: number): void {
  const mistake = station.logged.find(({ level }) => level === 'error');
  if (mistake !== undefined) throw new Error(`${mistake.message} (seed ${seed})`, { cause: mistake.fields });
  station.logged.length = 0;
}

/** Checks that everything works again after the turbo reconnects: each device shows its command, and a press counts. */
async function findTogether(station: TestStation): Promise<void> {
  for (const connected of [false, true]) {
    await station.patch(`/api/simulator/turbos/${SIMULATED_SERIAL}/`, { connected });
    await station.clock.advance(60_000);
  }
  for (const deviceId of KNOWN_DEVICES) {
    await station.post(`/api/device/${deviceId}/`, { command: 'kill' });
    const sent = await station.post<{ command_id: string }>(`/api/device/${deviceId}/`, {
      command: 'flash',
      nonce: 'last',
    });
    await station.clock.advance(5_000);
    await station.press(deviceId);
    // A forged press with this command's id that came before the command is logged as late.
    const taken = station.rows(
      `SELECT id FROM history WHERE kind = 'acknowledged' AND command_id = ?`,
      Number(sent.command_id),
    );
    if (taken.length !== 1) {
      throw new Error(
        `The press of ${deviceId} was taken ${taken.length} times: ${JSON.stringify(await station.device(deviceId))}`,
      );
    }
  }
}

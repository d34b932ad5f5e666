/**
 * How long a thousand lights take over a slow cable, and one light through bad air. On the fake clock: cable, air and
 * losses are simulated; the station, its disk and its frames are real. Processor time is not counted here.
 */
import { drawScreen } from '#shared/screen/raster.ts';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { MESSAGES } from '../electron/server/turbo/protocol/messages.ts';
import { packBits } from '../electron/server/turbo/protocol/packBits.ts';
import { RADIO_RETRY_MS } from '../electron/server/simulator/radio.ts';
import { createRandom } from '../test/property/model/random.ts';
import { median, type Goal } from './goals.ts';
import { startHall, type HallOptions } from './hall.ts';
import { BODY, deviceId } from './loads.ts';
import { pacedLine, type LineCount } from './pacedLine.ts';
import type { Workplace } from './processes.ts';

const DEVICES = 1_000;
const LINE = { bytesASecond: 92_160, latencyMs: 20 };
const CLEAR = { loss: 0, latencyMs: 0, frameMs: 0 };
const PACE_LIMIT = 1.5;

const COMMANDS = 3_000;
const AMONG = 200;
/** By then a lost `shown` report has been repeated, unless the report before it was lost four times in a row. */
const PRESS_AFTER_MS = 20_000;
const EVERY_MS = 100;
const LATENCY_MS = 50;
const LOSS = 0.05;
const RETRANSMISSIONS = 2;

export async function measureAir(place: Workplace): Promise<Goal[]> {
  return [
    ...(await flashAll(place, 'fields', 70)),
    ...(await flashAll(place, 'bitmaps', 40)),
    ...(await measureLoss(place)),
  ];
}

function request(number: number) {
  const { quantity, ...body } = BODY;
  return {
    ...body,
    quantity: quantity + (number % 90),
    line3: `Order ${4_000 + number}`,
    barcode: `${100_000 + number}`,
  };
}

/** Lights a thousand devices in one call. */
async function flashAll(place: Workplace, form: string, firmware: number): Promise<Goal[]> {
  const count: LineCount = { toTurbo: 0, fromTurbo: 0 };
  const hall = await startHall({
    folder: place.folder(),
    devices: DEVICES,
    firmware,
    pressAfterMs: undefined,
    radio: CLEAR,
    link: CLEAR,
    line: (end, clock) => pacedLine(end, { clock, ...LINE, count }),
  });
  const before = { ...count };
  const begunMs = hall.clock.monotonic();
  const asked = Array.from({ length: DEVICES }, (_, index) => ({ deviceid: deviceId(index + 1), ...request(index) }));
  await hall.post('/api/devices/', asked);
  while (hall.unshown() > 0) await hall.clock.advance(10);
  const tookMs = hall.clock.monotonic() - begunMs;
  const bytes = Math.max(count.toTurbo - before.toTurbo, count.fromTurbo - before.fromTurbo);
  const neededMs = (bytes / LINE.bytesASecond) * 1_000;
  await hall.stop();
  const size =
    form === 'bitmaps'
      ? median(asked.map((_, index) => bitmapBytes(index)))
      : Math.round((count.toTurbo - before.toTurbo) / DEVICES);
  process.stdout.write(
    `${DEVICES.toLocaleString('en')} devices that draw ${form}, flashed in one call over ${LINE.bytesASecond.toLocaleString('en')} bytes a second, ${LINE.latencyMs} ms late: a screen has ${size} bytes (${form === 'bitmaps' ? 'median, packed' : 'with its frame and the ack of its report'}); all are lit after ${Math.round(tookMs)} ms, their bytes need ${Math.round(neededMs)} ms.\n`,
  );
  return [
    {
      name: `${DEVICES.toLocaleString('en')} devices lit with ${form} / what the bytes need`,
      unit: 'x',
      values: [tookMs / neededMs],
      atMost: PACE_LIMIT,
    },
  ];
}

function bitmapBytes(number: number): number {
  const { line1, line2, line3, quantity, barcode } = request(number);
  const content = { ...EMPTY_SCREEN, lines: [line1, line2, line3], quantity, barcode };
  return packBits(drawScreen(content, { firmware: 40, batteryMv: 3_000 }).bytes).length;
}

/** Commands one after another, in good and bad air, over a good and a bad cable. */
async function measureLoss(place: Workplace): Promise<Goal[]> {
  const late = { ...CLEAR, latencyMs: LATENCY_MS };
  const bad = { ...late, loss: LOSS };
  const air = { free: await p99(place, late, CLEAR), lossy: await p99(place, bad, CLEAR) };
  const cable = { free: await p99(place, CLEAR, late), lossy: await p99(place, CLEAR, bad) };
  const limits = { air: RETRANSMISSIONS * RADIO_RETRY_MS, cable: RETRANSMISSIONS * MESSAGES.show.replyMs };
  process.stdout.write(
    `\n${COMMANDS.toLocaleString('en')} commands to ${AMONG} devices, ${LATENCY_MS} ms late: p99 of command → shown is ${air.free} ms in clear air and ${air.lossy} ms where ${LOSS * 100} % are lost and sent again after ${RADIO_RETRY_MS} ms; over a cable ${cable.free} ms, and ${cable.lossy} ms where frames are sent again after ${MESSAGES.show.replyMs} ms.\n\n`,
  );
  const goal = (where: string, p: { free: number; lossy: number }, atMost: number): Goal => ({
    name: `command → shown p99 at ${LOSS * 100} % loss ${where}, more than without`,
    unit: 'ms',
    values: [p.lossy - p.free],
    atMost,
  });
  return [goal('in the air', air, limits.air), goal('on the cable', cable, limits.cable)];
}

async function p99(place: Workplace, radio: HallOptions['radio'], link: HallOptions['link']): Promise<number> {
  const random = createRandom(1);
  const hall = await startHall({
    folder: place.folder(),
    devices: AMONG,
    firmware: 70,
    pressAfterMs: PRESS_AFTER_MS,
    radio,
    link,
    line: (end) => end,
  });
  for (let number = 0; number < COMMANDS; number += 1) {
    // Each device in turn, so that none waits for the one before.
    await hall.post(`/api/device/${deviceId(1 + (number % AMONG))}/`, request(number));
    await hall.clock.advance(EVERY_MS + random.below(EVERY_MS));
  }
  await hall.clock.advance(60_000);
  const delays = hall.delaysMs().toSorted((a, b) => a - b);
  await hall.stop();
  if (delays.length < COMMANDS) throw new Error(`Only ${delays.length} of ${COMMANDS} commands were pressed`);
  return delays[Math.floor(delays.length * 0.99)] ?? Number.NaN;
}

/** Cost of a wire: ordinary frames, and hostile bytes. Counts only processor time of the station's side. */
import { crc32 } from 'node:zlib';
import { EXAMPLES } from '../electron/server/turbo/protocol/examples.ts';
import { createFrameWriter, encodeFrame } from '../electron/server/turbo/protocol/frame.ts';
import type { Goal } from './goals.ts';
import { recordConversation, startStationSide, type Conversation } from './wireConversation.ts';

const COMMANDS = 3_000;
/** 921,600 baud: ten bits per byte, in both directions at once. */
const LINE_BYTES_A_SECOND = 92_160;
const HOSTILE_BYTES = 2_000_000;
/** A typical chunk of a serial port or a socket. */
const CHUNK_BYTES = 1_024;
/** Delivering single bytes is slower. */
const FEWER_BYTES = HOSTILE_BYTES / 10;
/** Processor time has a resolution of a millisecond or worse. */
const MIN_MS = 40;
/** Takes the best of several: others share the processor. */
const TURNS = 3;

/** Byte streams made to cost as much as possible. */
const HOSTILE: Readonly<Record<string, () => Buffer>> = {
  'first bytes of frames': () => Buffer.alloc(HOSTILE_BYTES, Buffer.from([0xa5, 0x5a])),
  'headers of long frames, each in the other': () => repeated(longHeader(8_192)),
  'headers of frames of 1,000 bytes': () => repeated(longHeader(1_000)),
  'frames with one wrong bit': () => repeated(brokenFrame()),
  'unknown messages, each refused': unknownFrames,
  'a hello behind the other': hellos,
};

/** Single bytes: a parser must not rescan for each of them. */
const DRIPS: typeof HOSTILE = {
  'long frames': () => repeated(Buffer.concat([longHeader(8_192), Buffer.alloc(8_192 + 4)])),
  'headers of long frames, each in the other': () => repeated(longHeader(8_192)),
};

export async function measureFrames(rounds: number): Promise<Goal[]> {
  const conversation = await recordConversation(COMMANDS);
  const { bytesHeard, bytesSaid } = conversation;
  const bytes = Math.max(bytesHeard, bytesSaid);
  const frames = countFrames(conversation);
  process.stdout.write(
    `A command on the wire, ${COMMANDS.toLocaleString('en')} of them: show, shown, button, shown, with their acks. ${(frames / COMMANDS).toFixed(1)} frames, ${Math.round(bytesSaid / COMMANDS)} bytes to the turbo, ${Math.round(bytesHeard / COMMANDS)} from it.\n\n`,
  );
  const rate: Goal = { name: 'frames a second of processor time', unit: '/s', values: [] };
  const share: Goal = { name: 'part of a core at 921,600 baud', unit: '%', values: [], atMost: 5 };
  const costs = Object.keys(HOSTILE).map((name): Goal => ({
    name: `a byte of ${name} / ordinary`,
    unit: 'x',
    values: [],
    atMost: 4,
  }));
  const growth = Object.keys(HOSTILE).map((name): Goal => ({
    name: `${HOSTILE_BYTES.toLocaleString('en')} bytes of ${name} / half of them`,
    unit: 'x',
    values: [],
    atMost: 2.5,
  }));
  const drips = Object.keys(DRIPS).map((name): Goal => ({
    name: `byte by byte, a byte of ${name} / ordinary`,
    unit: 'x',
    values: [],
    atMost: 4,
  }));
  const hostile = Object.values(HOSTILE).map((make) => make());
  await timeConversation(conversation);
  for (let round = 0; round < rounds; round += 1) {
    const ms = await timeConversation(conversation);
    rate.values.push((frames / ms) * 1_000);
    share.values.push((ms / ((bytes / LINE_BYTES_A_SECOND) * 1_000)) * 100);
    const perByte = ms / bytesHeard;
    for (const [index, all] of hostile.entries()) {
      const whole = timeBytes(all, CHUNK_BYTES);
      costs[index]?.values.push(whole / all.length / perByte);
      growth[index]?.values.push(whole / timeBytes(all.subarray(0, all.length / 2), CHUNK_BYTES));
    }
    const ordinary = timeBytes(heard(conversation).subarray(0, FEWER_BYTES), 1);
    for (const [index, make] of Object.values(DRIPS).entries())
      drips[index]?.values.push(timeBytes(make().subarray(0, FEWER_BYTES), 1) / ordinary);
  }
  return [rate, share, ...costs, ...growth, ...drips];
}

/** Processor milliseconds, minimum of several runs. */
async function timeConversation({ steps }: Conversation): Promise<number> {
  let best = Infinity;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const side = startStationSide();
    const begun = process.threadCpuUsage();
    for (const step of steps) {
      if (step instanceof Uint8Array) side.hear(step);
      else side.want(step.deviceId, step.show);
      // The engine answers in a later turn of the event loop.
      await Promise.resolve();
    }
    best = Math.min(best, busyMs(begun));
    side.stop();
  }
  return best;
}

/** The same for bytes in chunks, each run after a welcomed hello; repeated until measurable. */
function timeBytes(bytes: Buffer, chunkBytes: number): number {
  let best = Infinity;
  for (let turn = 0; turn < TURNS; turn += 1) {
    let ms = 0;
    let times = 0;
    for (; ms < MIN_MS; times += 1) {
      const side = startStationSide();
      side.hear(hello(0));
      const begun = process.threadCpuUsage();
      for (let at = 0; at < bytes.length; at += chunkBytes) side.hear(bytes.subarray(at, at + chunkBytes));
      ms += busyMs(begun);
      side.stop();
    }
    best = Math.min(best, ms / times);
  }
  return best;
}

function busyMs(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
}

/** In both directions: each frame heard answers one that was sent, or is answered by one. */
function countFrames(conversation: Conversation): number {
  const bytes = heard(conversation);
  let frames = 0;
  for (let at = 0; at < bytes.length; at += 14 + bytes.readUInt16LE(at + 6)) frames += 2;
  return frames;
}

function heard({ steps }: Conversation): Buffer {
  return Buffer.concat(steps.filter((step) => step instanceof Uint8Array));
}

function repeated(piece: Buffer): Buffer {
  return Buffer.alloc(HOSTILE_BYTES, piece);
}

function longHeader(length: number): Buffer {
  const header = Buffer.from([0xa5, 0x5a, 0x10, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt16LE(length, 6);
  header.writeUInt16LE(crc32(header.subarray(2, 8)) & 0xffff, 8);
  return header;
}

function brokenFrame(): Buffer {
  const frame = encodeFrame(createFrameWriter(), { name: 'button', body: EXAMPLES.button }, 1, false);
  frame[20] = (frame[20] ?? 0) ^ 1;
  return frame;
}

/** Distinct sequence numbers: a repetition would get the answer of the first. */
function unknownFrames(): Buffer {
  return Buffer.concat(
    Array.from({ length: HOSTILE_BYTES / 14 }, (_, index) => {
      const frame = Buffer.from([0xa5, 0x5a, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
      frame.writeUInt16LE(index % 0x10000, 4);
      frame.writeUInt16LE(crc32(frame.subarray(2, 8)) & 0xffff, 8);
      frame.writeUInt32LE(crc32(frame.subarray(2, 10)), 10);
      return frame;
    }),
  );
}

function hello(seq: number): Buffer {
  return encodeFrame(createFrameWriter(), { name: 'hello', body: { ...EXAMPLES.hello, bootId: seq } }, seq, false);
}

function hellos(): Buffer {
  const all: Buffer[] = [];
  for (let seq = 1, length = 0; length < HOSTILE_BYTES; seq += 1) {
    const frame = hello(seq % 0x10000);
    all.push(frame);
    length += frame.length;
  }
  return Buffer.concat(all).subarray(0, HOSTILE_BYTES);
}

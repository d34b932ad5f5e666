import * as fc from '../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import { EXAMPLES } from '../../electron/server/turbo/frames/protocol/examples.ts';
import {
  createFrameWriter,
  encodeFrame,
  FrameParser,
  HALF_FRAME_MS,
} from '../../electron/server/turbo/frames/protocol/frame.ts';
import type { Message } from '../../electron/server/turbo/frames/protocol/messages.ts';

const scratch = createFrameWriter();
const examples = Object.entries(EXAMPLES).map(([name, body]) => ({ name, body }) as Message);

const goodFrame = fc
  .tuple(fc.constantFrom(...examples), fc.integer({ min: 0, max: 0xffff }))
  .map(([message, seq]) => ({ good: true, bytes: encodeFrame(scratch, message, seq, false) }));

/** Random bytes that often look like the start of a frame. */
const noise = fc
  .array(fc.oneof(fc.constant(0xa5), fc.constant(0x5a), fc.integer({ min: 0, max: 0xff })), { maxLength: 40 })
  .map((bytes) => ({ good: false, bytes: Buffer.from(bytes) }));

/** Generates frames that lack more than their checksum, because a single missing byte could by chance equal the first byte that follows. */
const cutFrame = fc.tuple(goodFrame, fc.nat(60)).map(([{ bytes }, length]) => ({
  good: false,
  bytes: bytes.subarray(0, Math.min(length, bytes.length - 5)),
}));

const brokenFrame = fc.tuple(goodFrame, fc.nat(), fc.integer({ min: 0, max: 7 })).map(([{ bytes }, place, bit]) => {
  const broken = Buffer.from(bytes);
  const at = place % broken.length;
  broken[at] = (broken[at] ?? 0) ^ (1 << bit);
  return { good: false, bytes: broken };
});

const stream = fc.array(fc.oneof({ weight: 3, arbitrary: goodFrame }, noise, cutFrame, brokenFrame), { maxLength: 12 });

/** Splits bytes into chunks at these places, given in any order. */
function chunksOf(bytes: Buffer, cuts: number[]): Buffer[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])];
  places.sort((a, b) => a - b);
  return places.slice(1).map((end, at) => bytes.subarray(places[at], end));
}

test('finds every good frame in order, with any bytes between the frames and any split into chunks', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(5_000), { maxLength: 30 }), (pieces, cuts) => {
      const found: string[] = [];
      let junk = 0;
      const parser = new FrameParser({
        frame: (type, flags, seq, payload) =>
          void found.push(`${type} ${flags} ${seq} ${payload.bytes.toString('hex', payload.position, payload.end)}`),
        junk: (count) => void (junk += count),
      });
      const all = Buffer.concat(pieces.map((piece) => piece.bytes));
      for (const chunk of chunksOf(all, cuts)) parser.push(chunk, 0);
      for (let nowMs = HALF_FRAME_MS; parser.deadline() !== undefined; nowMs += HALF_FRAME_MS) parser.expire(nowMs);

      const good = pieces.filter((piece) => piece.good);
      const wanted = good.map(
        ({ bytes }) =>
          `${bytes[2]} ${bytes[3]} ${bytes.readUInt16LE(4)} ${bytes.toString('hex', 10, bytes.length - 4)}`,
      );
      expect(found).toEqual(wanted);
      expect(junk).toBe(all.length - good.reduce((sum, { bytes }) => sum + bytes.length, 0));
    }),
    { numRuns: 1_000 },
  );
});

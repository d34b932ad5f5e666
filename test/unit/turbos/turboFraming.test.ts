import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { crc32 } from 'node:zlib';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import {
  createFrameWriter,
  encodeFrame,
  FrameParser,
  HALF_FRAME_MS,
  MAX_PAYLOAD_BYTES,
} from '../../../electron/server/turbo/frames/protocol/frame.ts';

function frame(seq: number): Buffer {
  return encodeFrame(createFrameWriter(), { name: 'button', body: EXAMPLES.button }, seq, false);
}

function createReceiver() {
  const seqs: number[] = [];
  let junk = 0;
  const parser = new FrameParser({
    frame: (_type, _flags, seq) => void seqs.push(seq),
    junk: (count) => void (junk += count),
  });
  return { parser, seqs, junk: () => junk };
}

/** Returns a header with a valid checksum that announces this length, without data after it. */
function lyingHeader(length: number): Buffer {
  const header = Buffer.from([0xa5, 0x5a, 0x12, 0, 9, 0, 0, 0, 0, 0]);
  header.writeUInt16LE(length, 6);
  header.writeUInt16LE(crc32(header.subarray(2, 8)) & 0xffff, 8);
  return header;
}

describe('a corrupt frame loses only itself', () => {
  test.each(Array.from({ length: frame(1).length }, (_, at) => at))('byte %i inverted', (at) => {
    const { parser, seqs, junk } = createReceiver();
    const broken = frame(1);
    broken[at] = (broken[at] ?? 0) ^ 0xff;
    parser.push(Buffer.concat([broken, frame(2)]), 0);
    expect(seqs).toEqual([2]);
    expect(junk()).toBe(broken.length);
  });
});

test('rejects a length beyond the limit, and finds the next frame immediately', () => {
  const { parser, seqs } = createReceiver();
  parser.push(Buffer.concat([lyingHeader(MAX_PAYLOAD_BYTES + 1), frame(2)]), 0);
  expect(seqs).toEqual([2]);
});

test('finds a frame within the payload of a broken one', () => {
  const { parser, seqs } = createReceiver();
  const inner = frame(3);
  parser.push(Buffer.concat([lyingHeader(inner.length), inner, Buffer.alloc(4)]), 0);
  expect(seqs).toEqual([3]);
});

test('skips and counts noise before, between and after frames', () => {
  const { parser, seqs, junk } = createReceiver();
  const noise = Buffer.from([0x00, 0xa5, 0xa5, 0x5a, 0x01, 0xff]);
  parser.push(Buffer.concat([noise, frame(1), noise, frame(2), noise]), 0);
  expect(seqs).toEqual([1, 2]);
  parser.expire(HALF_FRAME_MS);
  parser.expire(2 * HALF_FRAME_MS);
  expect(junk()).toBe(3 * noise.length);
});

test('a frame beyond a lower limit is damaged, and the next frame is found', () => {
  const { parser, seqs } = createReceiver();
  const one = frame(1);
  parser.maxPayloadBytes = one.length - 15;
  parser.push(Buffer.concat([one, encodeFrame(createFrameWriter(), { name: 'sync', body: {} }, 2, false)]), 0);
  expect(seqs).toEqual([2]);
  parser.maxPayloadBytes += 1;
  parser.push(one, 0);
  expect(seqs).toEqual([2, 1]);
});

test('checksums of headers within each other cover at most five bytes for each received byte', () => {
  const { parser, seqs } = createReceiver();
  const bytes = Buffer.alloc(40 * MAX_PAYLOAD_BYTES, lyingHeader(MAX_PAYLOAD_BYTES));
  let covered = 0;
  const subarray = vi.spyOn(Buffer.prototype, 'subarray');
  subarray.mockImplementation(function (this: Buffer, ...[from, to]: unknown[]) {
    const [start, end] = [Number(from ?? 0), Number(to ?? this.length)];
    covered += end - start;
    return Buffer.from(this.buffer, this.byteOffset + start, end - start);
  });
  onTestFinished(() => subarray.mockRestore());
  parser.push(bytes, 0);
  expect(covered).toBeLessThan(5 * bytes.length);
  subarray.mockRestore();
  parser.push(Buffer.alloc(MAX_PAYLOAD_BYTES * 2), 0);
  parser.push(frame(8), 0);
  expect(seqs).toEqual([8]);
});

test('a line on which every frame is damaged loses no frame that follows', () => {
  const { parser, seqs } = createReceiver();
  const broken = frame(1);
  broken[broken.length - 1] = (broken[broken.length - 1] ?? 0) ^ 0xff;
  parser.push(Buffer.concat(Array.from({ length: 10_000 }, () => broken)), 0);
  parser.push(frame(2), 0);
  expect(seqs).toEqual([2]);
});

test('a frame that arrives byte by byte is one frame', () => {
  const { parser, seqs, junk } = createReceiver();
  for (const byte of frame(5)) parser.push(Uint8Array.of(byte), 0);
  expect(seqs).toEqual([5]);
  expect(junk()).toBe(0);
  expect(parser.deadline()).toBeUndefined();
});

test('does not copy the longest frames again with each byte', () => {
  const { parser } = createReceiver();
  const header = lyingHeader(MAX_PAYLOAD_BYTES);
  const bytes = Buffer.alloc(3 * MAX_PAYLOAD_BYTES, header);
  const concat = vi.spyOn(Buffer, 'concat');
  onTestFinished(() => concat.mockRestore());
  for (let at = 0; at < bytes.length; at += 1) parser.push(bytes.subarray(at, at + 1), 0);
  expect(concat.mock.calls.length).toBeLessThan(10);
});

describe('a frame that stays incomplete', () => {
  test('is dropped after a second, and releases the good frame that it swallowed', () => {
    const { parser, seqs, junk } = createReceiver();
    parser.push(lyingHeader(500), 100);
    parser.push(frame(7), 150);
    expect(seqs).toEqual([]);
    expect(parser.deadline()).toBe(100 + HALF_FRAME_MS);
    parser.expire(100 + HALF_FRAME_MS - 1);
    expect(seqs).toEqual([]);
    parser.expire(100 + HALF_FRAME_MS);
    expect(seqs).toEqual([7]);
    expect(junk()).toBe(10);
    expect(parser.deadline()).toBeUndefined();
  });

  test('expires a second after its first byte, even while more bytes follow', () => {
    const { parser, seqs } = createReceiver();
    parser.push(Buffer.concat([frame(1), lyingHeader(500)]), 1_000);
    parser.push(frame(2), 1_900);
    parser.expire(2_000);
    expect(seqs).toEqual([1, 2]);
  });

  test('is completed if its rest arrives in time', () => {
    const { parser, seqs } = createReceiver();
    const bytes = frame(9);
    parser.push(bytes.subarray(0, 13), 0);
    parser.expire(HALF_FRAME_MS - 1);
    parser.push(bytes.subarray(13), HALF_FRAME_MS - 1);
    expect(seqs).toEqual([9]);
  });

  test('gets a full second after a frame that arrived slowly', () => {
    const { parser, seqs } = createReceiver();
    const [first, second] = [frame(1), frame(2)];
    parser.push(first.subarray(0, 20), 0);
    parser.push(Buffer.concat([first.subarray(20), second.subarray(0, 20)]), 900);
    expect(parser.deadline()).toBe(900 + HALF_FRAME_MS);
    parser.expire(1_000);
    parser.push(second.subarray(20), 1_500);
    expect(seqs).toEqual([1, 2]);
  });

  test('never holds more than the longest frame', () => {
    const { parser } = createReceiver();
    parser.push(lyingHeader(MAX_PAYLOAD_BYTES), 0);
    for (let chunk = 0; chunk < 100; chunk++) parser.push(Buffer.alloc(1_000, 0x11), 0);
    expect(parser.deadline()).toBeUndefined();
  });
});

test('forgets a half-received frame when the link closes', () => {
  const { parser, seqs } = createReceiver();
  parser.push(frame(1).subarray(0, 20), 0);
  parser.reset();
  parser.push(frame(2), 0);
  expect(seqs).toEqual([2]);
});

test('the encoder refuses a payload longer than a frame holds', () => {
  const screen = { form: 'bitmap', packing: 'raw', pixels: new Uint8Array(8_190) } as const;
  const show = { name: 'show', body: { ...EXAMPLES.show, screen } } as const;
  expect(() => encodeFrame(createFrameWriter(), show, 0, false)).toThrow(RangeError);
});

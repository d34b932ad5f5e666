import { expect, test } from 'vitest';
import {
  encodeDisplayFrame,
  FrameSplitter,
  MAX_PAYLOAD_BYTES,
} from '../../../electron/server/turbo/openDisplay/displayFrames.ts';

const payloads = [Buffer.from([0, 0x44]), Buffer.alloc(MAX_PAYLOAD_BYTES, 7), Buffer.from([1])];

test('finds frames in pieces of any size', () => {
  const stream = Buffer.concat(payloads.map(encodeDisplayFrame));
  for (const step of [1, 2, 3, 5, 4_095, stream.length]) {
    const splitter = new FrameSplitter();
    const found: Buffer[] = [];
    for (let at = 0; at < stream.length; at += step)
      found.push(...(splitter.push(stream.subarray(at, at + step)) ?? []));
    expect(found).toEqual(payloads);
  }
});

test('rejects a length that no frame can have', () => {
  for (const length of [
    [0, 0],
    [0xff, 0x0f],
    [0xff, 0xff],
  ])
    expect(new FrameSplitter().push(Buffer.from(length))).toBeUndefined();
  expect(new FrameSplitter().push(Buffer.from([0xfe, 0x0f]))).toEqual([]);
});

test('does not encode an empty or oversized payload', () => {
  expect(() => encodeDisplayFrame(Buffer.alloc(0))).toThrow();
  expect(() => encodeDisplayFrame(Buffer.alloc(MAX_PAYLOAD_BYTES + 1))).toThrow();
});

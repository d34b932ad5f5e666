import * as fc from '../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import { packBits, unpackBits } from '../../electron/server/turbo/frames/protocol/packBits.ts';

/** Bytes with runs of every length, as in pictures. */
const picture = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 300 })), { maxLength: 40 })
  .map((runs) => Uint8Array.from(runs.flatMap(([value, count]) => Array<number>(count).fill(value * 85))));

const bytes = fc.oneof(picture, fc.uint8Array({ maxLength: 600 }));

test('packed bytes unpack unchanged', () => {
  fc.assert(
    fc.property(bytes, (original) => {
      expect(unpackBits(packBits(original), original.length)).toEqual(original);
    }),
  );
});

test('packing adds at most one byte per 128', () => {
  fc.assert(
    fc.property(bytes, (original) => {
      expect(packBits(original).length).toBeLessThanOrEqual(original.length + Math.ceil(original.length / 128));
    }),
  );
});

test('an empty screen packs to 74 bytes', () => {
  expect(packBits(new Uint8Array(4_736)).length).toBe(74);
});

test('refuses data that is truncated or shorter than the stated length', () => {
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 50 }), (original, other) => {
      const packed = packBits(original);
      expect(unpackBits(packed, original.length + other)).toBeUndefined();
      if (packed.length > 0) expect(unpackBits(packed.subarray(0, -1), original.length)).toBeUndefined();
    }),
  );
});

test('unpacking any bytes never throws or exceeds the stated length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(2_000), (packed, length) => {
      expect([undefined, length]).toContain(unpackBits(packed, length)?.length);
    }),
  );
});

test('refuses a literal or a run that exceeds the stated length', () => {
  expect(unpackBits(Uint8Array.of(2, 7, 8, 9), 2)).toBeUndefined();
  expect(unpackBits(Uint8Array.of(254, 7), 2)).toBeUndefined();
});

test('ignores the byte 128', () => {
  expect(unpackBits(Uint8Array.of(128, 254, 7, 128), 3)).toEqual(Uint8Array.of(7, 7, 7));
});

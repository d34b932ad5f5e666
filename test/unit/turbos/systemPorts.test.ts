import { expect, test } from 'vitest';
import { systemIds } from '../../../electron/server/systemPorts.ts';

test('returns random bytes of the requested length, and never the same sequence twice', () => {
  const { bytes } = systemIds();
  const values = Array.from({ length: 1_000 }, () => bytes(9));
  expect(new Set(values.map(({ length }) => length))).toEqual(new Set([9]));
  expect(new Set(values.map((each) => Buffer.from(each).toString('hex'))).size).toBe(1_000);
  expect(bytes(32)).toHaveLength(32);
  // Later calls do not change bytes that were already returned.
  const kept = bytes(9);
  const before = Buffer.from(kept).toString('hex');
  for (let index = 0; index < 300; index += 1) bytes(9);
  expect(Buffer.from(kept).toString('hex')).toBe(before);
});

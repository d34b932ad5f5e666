import { expect, test } from 'vitest';
import type { BulkResult } from '#shared/api/device.ts';
import { StationError } from '../../electron/server/errors.ts';
import { inParts } from '../../electron/server/http/bulkParts.ts';

const NUMBERS = Array.from({ length: 250 }, (_, index) => index);
const done = (number: unknown): BulkResult => ({ status: 200, deviceid: String(number) });
const full = new StationError('storage', 'The disk is full. Nothing was changed.');

test('every element is carried out once, in its order, a hundred at a time', async () => {
  const parts: number[] = [];
  const results = await inParts(NUMBERS, (part) => {
    parts.push(part.length);
    return Promise.resolve(part.map(done));
  });
  expect(parts).toEqual([100, 100, 50]);
  expect(results).toEqual(NUMBERS.map(done));
  expect(await inParts([], () => Promise.reject(full))).toEqual([]);
});

test('what cannot be written is answered with why, and with what is behind it; what is done stays done', async () => {
  let tries = 0;
  const results = await inParts(NUMBERS, (part) => {
    tries += 1;
    return part[0] === 100 ? Promise.reject(full) : Promise.resolve(part.map(done));
  });
  const refused = { status: 507, deviceid: '', code: 'storage', detail: 'The disk is full. Nothing was changed.' };
  expect(results).toEqual([...NUMBERS.slice(0, 100).map(done), ...NUMBERS.slice(100).map(() => refused)]);
  expect(tries).toBe(2);
});

test('where nothing is done yet, and where the reason is a defect, the whole request fails', async () => {
  await expect(inParts(NUMBERS, () => Promise.reject(full))).rejects.toBe(full);
  const defect = new Error('a defect');
  const later = inParts(NUMBERS, (part) => (part[0] === 0 ? Promise.resolve(part.map(done)) : Promise.reject(defect)));
  await expect(later).rejects.toBe(defect);
});

test('between two parts others have their turn', async () => {
  let others = 0;
  const goOn = (): void => {
    others += 1;
    if (others < 1_000) setImmediate(goOn);
  };
  const seen: number[] = [];
  goOn();
  await inParts(NUMBERS, (part) => {
    seen.push(others);
    return Promise.resolve(part.map(done));
  });
  expect((seen[1] ?? 0) - (seen[0] ?? 0)).toBeGreaterThanOrEqual(4);
  expect((seen[2] ?? 0) - (seen[1] ?? 0)).toBeGreaterThanOrEqual(4);
});

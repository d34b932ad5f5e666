import { expect, test } from 'vitest';
import { createLaunchLimiter } from '../../electron/server/services/base/launchLimiter.ts';

/** Jobs of these sizes; records which have begun and lets the test end each. */
function rig(sizes: readonly number[]) {
  const limiter = createLaunchLimiter();
  const begun: number[] = [];
  const ends: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const results = sizes.map((size, index) =>
    limiter.take(size, () => {
      begun.push(index);
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      ends[index] = { resolve, reject };
      return promise;
    }),
  );
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { limiter, begun, ends, results, settle };
}

test('runs small launches together and large ones alone, in the order of requests', async () => {
  const { begun, ends, settle } = rig([0, 3, 400, 1_000, 1, 1_000]);
  await settle();
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.resolve(0);
  ends[1]?.resolve(0);
  await settle();
  expect(begun).toEqual([0, 1, 2]);
  ends[2]?.resolve(0);
  await settle();
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[3]?.resolve(0);
  await settle();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  ends[4]?.resolve(0);
  await settle();
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
});

test('runs at most five hundred rows together', async () => {
  const { begun, ends, settle } = rig([499, 1, 1]);
  await settle();
  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve(0);
  await settle();
  expect(begun).toEqual([0, 1, 2]);
});

test('a launch without rows takes room too', async () => {
  const { begun, ends, settle } = rig([499, 0, 0]);
  await settle();
  expect(begun).toEqual([0, 1]);
  ends[0]?.resolve(0);
  await settle();
  expect(begun).toEqual([0, 1, 2]);
});

test('a stop refuses waiting and new launches, and lets running ones end', async () => {
  const { ends, results, limiter, settle } = rig([600, 1]);
  await settle();
  limiter.stop();
  await expect(results[1]).rejects.toThrow('The station is stopping.');
  await expect(limiter.take(1, () => Promise.resolve(1))).rejects.toMatchObject({ code: 'stopping' });
  ends[0]?.resolve(5);
  expect(await results[0]).toBe(5);
});

test('each launch gets its own result, and a failed one makes room too', async () => {
  const { begun, ends, results, settle } = rig([600, 600]);
  await settle();
  ends[0]?.reject(new Error('No.'));
  await expect(results[0]).rejects.toThrow('No.');
  await settle();
  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve(7);
  expect(await results[1]).toBe(7);
});

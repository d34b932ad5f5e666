import { expect, test } from 'vitest';
import { createFakeClock } from '../../helpers/fakeClock.ts';

test('timers fire in order of their time, and equal ones in the order in which they were set', async () => {
  const clock = createFakeClock(5_000);
  const fired: string[] = [];
  const note = (name: string) => () => void fired.push(`${name} ${clock.monotonic()} ${clock.now()}`);
  clock.setTimer(20, note('c'));
  clock.setTimer(10, note('a'));
  clock.setTimer(10, note('b'));
  clock.setTimer(30, note('d')).cancel();
  clock.setTimer(31, note('late'));
  await clock.advance(30);
  expect(fired).toEqual(['a 10 5010', 'b 10 5010', 'c 20 5020']);
  expect(clock.now()).toBe(5_030);
  expect(clock.timerCount()).toBe(1);
});

test('a timer set by the work of another timer fires within the same advance', async () => {
  const clock = createFakeClock(0);
  const fired: number[] = [];
  clock.setTimer(5, () => {
    setImmediate(() => clock.setTimer(5, () => void fired.push(clock.monotonic())));
  });
  await clock.advance(10);
  expect(fired).toEqual([10]);
});

test('waits between two timers until all registered work is idle', async () => {
  const clock = createFakeClock(0);
  const seen: string[] = [];
  let work = 0;
  clock.whenIdle(() => work === 0, 'the work');
  clock.setTimer(1, () => {
    work = 5;
    const step = (): void => {
      work--;
      if (work > 0) setImmediate(step);
      else seen.push('work done');
    };
    setImmediate(step);
  });
  clock.setTimer(2, () => void seen.push('next timer'));
  await clock.advance(2);
  expect(seen).toEqual(['work done', 'next timer']);
});

test('a jump moves only the wall clock', async () => {
  const clock = createFakeClock(1_000_000);
  let fired = 0;
  clock.setTimer(100, () => void fired++);
  clock.jump(-900_000);
  expect([clock.now(), clock.monotonic(), fired]).toEqual([100_000, 0, 0]);
  await clock.advance(100);
  expect([clock.now(), fired]).toEqual([100_100, 1]);
});

test('an error in a timer fails the advance, which can be repeated', async () => {
  const clock = createFakeClock(0);
  clock.setTimer(1, () => {
    throw new Error('broken');
  });
  await expect(clock.advance(5)).rejects.toThrow('broken');
  await clock.advance(5);
  expect(clock.monotonic()).toBe(6);
});

test('rejects a second advance during the first', async () => {
  const clock = createFakeClock(0);
  const first = clock.advance(1);
  await expect(clock.advance(1)).rejects.toThrow('await the first');
  await first;
});

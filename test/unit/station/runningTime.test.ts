import { expect, test } from 'vitest';
import {
  advance,
  forwardAt,
  resume,
  toWall,
  type RunningTime,
} from '../../../electron/server/domain/station/runningTime.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.UTC(2026, 10, 20, 8);

/** Reads both clocks every minute. `jumps` contains, for each minute, the milliseconds by which the wall clock is set. */
function run(time: RunningTime, jumps: readonly number[]): RunningTime {
  let [wallAt, monotonicMs] = [time.readMs + time.offsetMs, time.readMs];
  let now = time;
  for (const jump of jumps) {
    wallAt += MINUTE + jump;
    monotonicMs += MINUTE;
    now = advance(now, { wallAt, monotonicMs });
  }
  return now;
}

const fresh = () => resume(undefined, { wallAt: START, monotonicMs: 500 }, 0);

test('a steady clock advances running time and forward time equally', () => {
  const time = run(fresh(), [0, 0, 0]);
  expect([time.ranMs, forwardAt(time)]).toEqual([3 * MINUTE, START + 3 * MINUTE]);
});

test('setting the wall clock does not affect the running time', () => {
  for (const jump of [4 * DAY, -4 * DAY, 2_000, -2_000]) {
    expect(run(fresh(), [jump, 0, -jump]).ranMs, String(jump)).toBe(3 * MINUTE);
  }
});

test('forward time follows a clock that is set forward, and never goes back', () => {
  expect(forwardAt(run(fresh(), [4 * DAY]))).toBe(START + MINUTE + 4 * DAY);
  expect(forwardAt(run(fresh(), [-4 * DAY]))).toBe(START + MINUTE);
  expect(forwardAt(run(fresh(), [-4 * DAY, 4 * DAY]))).toBe(START + 2 * MINUTE + 4 * DAY);
});

test('a step of a second is a jump; a smaller one is drift until it adds up to a second', () => {
  expect(forwardAt(run(fresh(), [1_000]))).toBe(START + MINUTE + 1_000);
  expect(forwardAt(run(fresh(), [999]))).toBe(START + MINUTE);
  expect(forwardAt(run(fresh(), [999, 1]))).toBe(START + 2 * MINUTE + 1_000);
  expect(toWall(run(fresh(), [-1_000]), START)).toBe(START - 1_000);
});

test('forward time less than a second ahead converts to the same wall time', () => {
  const aheadBy = (ms: number) =>
    resume({ ranMs: 0, forwardAt: START + ms, savedAt: START }, { wallAt: START, monotonicMs: 7 }, 0);
  expect(toWall(aheadBy(999), START + 5)).toBe(START + 5);
  expect(toWall(aheadBy(1_000), START + 5)).toBe(START + 5 - 1_000);
});

test('reading the clocks very often does not add time', () => {
  let time = fresh();
  for (let read = 1; read <= 10_000; read += 1) {
    // The wall clock counts whole milliseconds, the monotonic clock fractions.
    time = advance(time, { wallAt: START + Math.floor(read / 10), monotonicMs: 500 + read / 10 });
  }
  expect(forwardAt(time) - START).toBeCloseTo(1_000, 3);
  expect(time.ranMs).toBeCloseTo(1_000, 3);
});

test('counts a gap of more than two minutes between readings as sleep, not as running time', () => {
  const time = fresh();
  const reading = (gapMs: number) => ({ wallAt: START + gapMs, monotonicMs: 500 + gapMs });
  expect(advance(time, reading(2 * MINUTE)).ranMs).toBe(2 * MINUTE);
  const asleep = advance(time, reading(2 * MINUTE + 1));
  expect([asleep.ranMs, forwardAt(asleep)]).toEqual([0, START + 2 * MINUTE + 1]);
});

test('startup continues from the saved times, and does not count the time in between as running time', () => {
  const saved = { ranMs: 10 * MINUTE, forwardAt: START + 2 * DAY, savedAt: START };
  const at = (wallAt: number) => resume(saved, { wallAt, monotonicMs: 7 }, START + 90 * DAY);
  expect(at(START + DAY).ranMs).toBe(10 * MINUTE);
  expect(forwardAt(at(START + DAY))).toBe(START + 3 * DAY);
  expect(forwardAt(at(START - 4 * DAY))).toBe(START + 2 * DAY);
});

test('without saved times, forward time begins with the clock, but not before the last commit', () => {
  expect([fresh().ranMs, forwardAt(fresh())]).toEqual([0, START]);
  expect(forwardAt(resume(undefined, { wallAt: START, monotonicMs: 0 }, START + DAY))).toBe(START + DAY);
});

test('converts moments of forward time to wall time', () => {
  const steady = run(fresh(), [0]);
  expect(toWall(steady, START + 5)).toBe(START + 5);
  const ahead = run(fresh(), [-4 * DAY]);
  const wallNow = START + MINUTE - 4 * DAY;
  expect(toWall(ahead, forwardAt(ahead) + 30_000)).toBe(wallNow + 30_000);
});

import { expect, test } from 'vitest';
import { createAlarm } from '../../../electron/server/scheduling/alarm.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

function start() {
  const clock = createFakeClock(0);
  const runs: number[] = [];
  const alarm = createAlarm(clock, () => runs.push(clock.monotonic()));
  return { clock, runs, alarm };
}

test('a new time replaces the previous one, and the alarm runs once', async () => {
  const { clock, runs, alarm } = start();
  alarm.in(10);
  alarm.in(30);
  expect(clock.timerCount()).toBe(1);
  await clock.advance(100);
  expect(runs).toEqual([30]);
  expect(alarm.isSet()).toBe(false);
});

test('"within" keeps an earlier time and replaces a later one', async () => {
  const { clock, runs, alarm } = start();
  alarm.within(20);
  alarm.within(50);
  await clock.advance(100);
  expect(runs).toEqual([20]);
  alarm.within(50);
  alarm.within(5);
  await clock.advance(100);
  expect(runs).toEqual([20, 105]);
});

test('an alarm can be set again by the work that it runs', async () => {
  const clock = createFakeClock(0);
  let count = 0;
  const alarm = createAlarm(clock, () => {
    count += 1;
    alarm.within(10);
  });
  alarm.in(10);
  await clock.advance(35);
  expect(count).toBe(3);
});

test('the alarm runs immediately for a past time, after at most an hour for a distant one, and never for Infinity', async () => {
  const { clock, runs, alarm } = start();
  alarm.in(-5);
  await clock.advance(0);
  expect(runs).toEqual([0]);
  alarm.in(100 * 3_600_000);
  await clock.advance(3_600_000);
  expect(runs).toEqual([0, 3_600_000]);
  alarm.within(Number.POSITIVE_INFINITY);
  expect([alarm.isSet(), clock.timerCount()]).toEqual([false, 0]);
  alarm.in(10);
  alarm.in(Number.POSITIVE_INFINITY);
  expect([alarm.isSet(), clock.timerCount()]).toEqual([false, 0]);
});

test('a canceled alarm can be set again, but a stopped one cannot', async () => {
  const { clock, runs, alarm } = start();
  alarm.in(10);
  alarm.cancel();
  expect(clock.timerCount()).toBe(0);
  alarm.within(20);
  await clock.advance(20);
  expect(runs).toEqual([20]);
  alarm.in(10);
  alarm.stop();
  alarm.in(10);
  alarm.within(10);
  expect([alarm.isSet(), clock.timerCount()]).toEqual([false, 0]);
});

test('an alarm reports how late it runs', () => {
  const fake = createFakeClock(0);
  let now = 0;
  let ring: () => void = () => undefined;
  const late: number[] = [];
  const alarm = createAlarm(
    {
      ...fake,
      monotonic: () => now,
      setTimer(_ms, run) {
        ring = run;
        return { cancel: () => undefined };
      },
    },
    (lateMs) => late.push(lateMs),
  );
  alarm.in(1_000);
  now = 61_000;
  ring();
  expect(late).toEqual([60_000]);
});

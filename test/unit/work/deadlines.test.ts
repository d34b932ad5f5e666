import { beforeEach, expect, test } from 'vitest';
import { HOUR, NOW, startDeadlinesRig, type DeadlinesRig } from './deadlinesRig.ts';

let rig: DeadlinesRig;

beforeEach(async () => {
  rig = await startDeadlinesRig();
});

test('after startup, ends nothing until the turbos have reported everything', async () => {
  rig.due.set(1, NOW - 1);
  rig.start();
  await rig.clock.advance(60_000);
  expect(rig.asked).toMatchObject([{ how: 'told', limitMs: 10_000 }]);
  expect(rig.ended).toEqual([]);
  await rig.answerAll();
  expect(rig.ended).toEqual([1]);
});

test('after startup, waits ten seconds for more turbos even if all known ones have reported', async () => {
  rig.isReady = true;
  rig.due.set(1, NOW - 1);
  rig.start();
  await rig.clock.advance(9_999);
  expect(rig.ended).toEqual([]);
  await rig.clock.advance(1);
  expect(rig.ended).toEqual([1]);
});

test('a link that comes up repeatedly postpones an overdue command at most three times', async () => {
  await rig.started();
  rig.add(1, 1_000);
  rig.deadlines.turboUp();
  await rig.clock.advance(2_000);
  for (let time = 1; time < 3; time += 1) {
    rig.deadlines.turboUp();
    await rig.answerAll();
    expect([time, rig.ended, rig.asked.length]).toEqual([time, [], 1]);
  }
  rig.deadlines.turboUp();
  await rig.answerAll();
  expect(rig.ended).toEqual([1]);
  // The last link-up still applies: the turbos are asked, and no other command ends until they answer.
  expect(rig.asked).toMatchObject([{ how: 'told' }, { how: 'drain', limitMs: 10_000 }]);
  rig.add(2, 0);
  await rig.clock.advance(1_000);
  expect(rig.ended).toEqual([1]);
  await rig.answerAll();
  expect(rig.ended).toEqual([1, 2]);
});

test('links that come up during a wait share one more wait', async () => {
  await rig.started();
  rig.deadlines.turboUp();
  for (let time = 0; time < 5; time += 1) rig.deadlines.turboUp();
  expect(rig.asked).toHaveLength(1);
  await rig.answerAll();
  expect(rig.asked).toHaveLength(1);
  await rig.answerAll();
  expect(rig.asked).toEqual([]);
});

test('sets no timer longer than an hour, and ends a command due in three hours on time', async () => {
  await rig.started();
  rig.add(1, 3 * HOUR);
  await rig.clock.advance(3 * HOUR - 1);
  expect(Math.max(...rig.timers)).toBe(HOUR);
  expect(rig.ended).toEqual([]);
  await rig.clock.advance(1);
  expect(rig.ended).toEqual([1]);
});

test('an earlier deadline does not wait for a later one, and a later one sets no extra timer', async () => {
  await rig.started();
  rig.add(1, 60_000);
  rig.add(2, 5_000);
  rig.add(3, 90_000);
  await rig.clock.advance(5_000);
  expect(rig.ended).toEqual([2]);
  expect(rig.timers).toEqual([60_000, 5_000, 55_000]);
});

test('logs a failure to end commands and retries a second later', async () => {
  await rig.started();
  rig.add(1, 1_000);
  rig.failing = true;
  await rig.clock.advance(1_000);
  expect(rig.said).toEqual(['could not end overdue commands; will retry']);
  rig.failing = false;
  await rig.clock.advance(999);
  expect(rig.ended).toEqual([]);
  await rig.clock.advance(1);
  expect(rig.ended).toEqual([1]);
});

test('gives a device two more seconds to report a command that it times itself', async () => {
  await rig.started();
  for (const id of [1, 2, 3]) rig.add(id, 1_000);
  rig.remaining = new Map([
    [1, 4_000.5],
    [2, -1_999],
    [3, -2_000],
  ]);
  await rig.clock.advance(1_000);
  expect(rig.ended).toEqual([3]);
  expect([...rig.due]).toEqual([
    [1, rig.clock.now() + 4_001 + 2_000],
    [2, rig.clock.now() - 1_999 + 2_000],
  ]);
});

test('an overdue command that was shown always causes a callback; one that was not shown only if the settings say so', async () => {
  await rig.started();
  rig.unshown = new Set([2, 3]);
  for (const [id, callback] of [
    [1, 'none'],
    [2, 'none'],
    [3, 'nack'],
  ] as const) {
    rig.unreachableCallback = callback;
    rig.add(id, 0);
    await rig.clock.advance(0);
  }
  expect([rig.ended, rig.untold]).toEqual([[1, 2, 3], [2]]);
});

test('does not end a command that was pressed after it became overdue', async () => {
  await rig.started();
  rig.add(1, 0);
  rig.add(2, 0);
  rig.found = () => rig.due.delete(1);
  await rig.clock.advance(0);
  expect([rig.ended, rig.said]).toEqual([[2], []]);
});

test('after a stop, ends nothing and asks no turbo', async () => {
  await rig.started();
  rig.add(1, 1_000);
  rig.deadlines.stop();
  rig.deadlines.turboUp();
  rig.clock.sleep('suspend');
  await rig.clock.advance(60_000);
  rig.add(2, 0);
  await rig.clock.advance(1_000);
  expect([rig.ended, rig.asked]).toEqual([[], []]);
  expect(rig.clock.timerCount()).toBe(0);
});

test('logs nothing if ending a command fails because of a stop', async () => {
  await rig.started();
  rig.add(1, 0);
  rig.found = () => {
    rig.deadlines.stop();
    throw new Error('closed');
  };
  await rig.clock.advance(0);
  expect([rig.ended, rig.said]).toEqual([[], []]);
});

test('ends nothing if it is stopped before the turbos answer', async () => {
  await rig.started();
  rig.add(1, 1_000);
  rig.deadlines.turboUp();
  await rig.clock.advance(2_000);
  rig.deadlines.stop();
  await rig.answerAll();
  expect(rig.ended).toEqual([]);
});

test('sets no timer before the start or during a wait, and asks no turbo before the start', async () => {
  rig.add(1, 1_000);
  rig.deadlines.turboUp();
  expect([rig.timers, rig.asked]).toEqual([[], []]);
  await rig.started();
  rig.deadlines.turboUp();
  rig.add(2, 500);
  expect(rig.timers).toEqual([]);
});

test('sets no timer when nothing is due, or while it ends a command', async () => {
  await rig.started();
  rig.inUnit((tx) => rig.deadlines.due(tx));
  expect(rig.timers).toEqual([]);
  rig.add(1, 0);
  rig.found = () => {
    rig.add(2, 500);
    expect(rig.timers).toEqual([0]);
  };
  await rig.clock.advance(0);
  expect(rig.ended).toEqual([1]);
  expect(rig.timers).toEqual([0, 500]);
});

import { beforeEach, expect, test } from 'vitest';
import { HOUR, NOW, startDeadlinesRig, type DeadlinesRig } from './deadlinesRig.ts';

let rig: DeadlinesRig;

beforeEach(async () => {
  rig = await startDeadlinesRig();
});

test('after a start nothing is ended for ten seconds, and nothing while a turbo has not told all', async () => {
  rig.due.set(1, NOW - 1);
  rig.start();
  await rig.clock.advance(60_000);
  expect(rig.asked).toMatchObject([{ how: 'told', limitMs: 10_000 }]);
  expect(rig.ended).toEqual([]);
  await rig.answerAll();
  expect(rig.ended).toEqual([1]);
});

test('where the turbos have told all at once, others have ten seconds to come', async () => {
  rig.isReady = true;
  rig.due.set(1, NOW - 1);
  rig.start();
  await rig.clock.advance(9_999);
  expect(rig.ended).toEqual([]);
  await rig.clock.advance(1);
  expect(rig.ended).toEqual([1]);
});

test('a link that comes up again and again puts off what is overdue three times and no longer', async () => {
  await rig.started();
  rig.add(1, 1_000);
  rig.deadlines.linkUp();
  await rig.clock.advance(2_000);
  for (let time = 1; time < 3; time += 1) {
    rig.deadlines.linkUp();
    await rig.answerAll();
    expect([time, rig.ended, rig.asked.length]).toEqual([time, [], 1]);
  }
  rig.deadlines.linkUp();
  await rig.answerAll();
  expect(rig.ended).toEqual([1]);
  // The last link-up still counts: the turbos are asked, and nothing else ends until they have answered.
  expect(rig.asked).toMatchObject([{ how: 'told' }, { how: 'drain', limitMs: 10_000 }]);
  rig.add(2, 0);
  await rig.clock.advance(1_000);
  expect(rig.ended).toEqual([1]);
  await rig.answerAll();
  expect(rig.ended).toEqual([1, 2]);
});

test('several links that come up meanwhile are waited for once', async () => {
  await rig.started();
  rig.deadlines.linkUp();
  for (let time = 0; time < 5; time += 1) rig.deadlines.linkUp();
  expect(rig.asked).toHaveLength(1);
  await rig.answerAll();
  expect(rig.asked).toHaveLength(1);
  await rig.answerAll();
  expect(rig.asked).toEqual([]);
});

test('no timer is longer than an hour, and what is due in three is ended then', async () => {
  await rig.started();
  rig.add(1, 3 * HOUR);
  await rig.clock.advance(3 * HOUR - 1);
  expect(Math.max(...rig.timers)).toBe(HOUR);
  expect(rig.ended).toEqual([]);
  await rig.clock.advance(1);
  expect(rig.ended).toEqual([1]);
});

test('an earlier deadline is not kept waiting by a later one, and a later one wakes nobody before', async () => {
  await rig.started();
  rig.add(1, 60_000);
  rig.add(2, 5_000);
  rig.add(3, 90_000);
  await rig.clock.advance(5_000);
  expect(rig.ended).toEqual([2]);
  expect(rig.timers).toEqual([60_000, 5_000, 55_000]);
});

test('what could not be ended is said, and tried again a second later', async () => {
  await rig.started();
  rig.add(1, 1_000);
  rig.failing = true;
  await rig.clock.advance(1_000);
  expect(rig.said).toEqual(['overdue commands could not be ended and are tried again']);
  rig.failing = false;
  await rig.clock.advance(999);
  expect(rig.ended).toEqual([]);
  await rig.clock.advance(1);
  expect(rig.ended).toEqual([1]);
});

test('what the device still counts is left to it, and to its report for two seconds', async () => {
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

test('what a device never showed is told as the settings say, what it showed always', async () => {
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

test('what was pressed since it was found overdue is not ended', async () => {
  await rig.started();
  rig.add(1, 0);
  rig.add(2, 0);
  rig.found = () => rig.due.delete(1);
  await rig.clock.advance(0);
  expect([rig.ended, rig.said]).toEqual([[2], []]);
});

test('stopped, it ends nothing and asks nobody', async () => {
  await rig.started();
  rig.add(1, 1_000);
  rig.deadlines.stop();
  rig.deadlines.linkUp();
  rig.clock.sleep('suspend');
  await rig.clock.advance(60_000);
  rig.add(2, 0);
  await rig.clock.advance(1_000);
  expect([rig.ended, rig.asked]).toEqual([[], []]);
  expect(rig.clock.timerCount()).toBe(0);
});

test('stopped while something cannot be ended, it says nothing', async () => {
  await rig.started();
  rig.add(1, 0);
  rig.found = () => {
    rig.deadlines.stop();
    throw new Error('closed');
  };
  await rig.clock.advance(0);
  expect([rig.ended, rig.said]).toEqual([[], []]);
});

test('stopped while the turbos are asked, it ends nothing once they have answered', async () => {
  await rig.started();
  rig.add(1, 1_000);
  rig.deadlines.linkUp();
  await rig.clock.advance(2_000);
  rig.deadlines.stop();
  await rig.answerAll();
  expect(rig.ended).toEqual([]);
});

test('before the start, and while nothing may be ended, no timer is set and a link asks nobody', async () => {
  rig.add(1, 1_000);
  rig.deadlines.linkUp();
  expect([rig.timers, rig.asked]).toEqual([[], []]);
  await rig.started();
  rig.deadlines.linkUp();
  rig.add(2, 500);
  expect(rig.timers).toEqual([]);
});

test('no timer is set where nothing is due, nor while something is being ended', async () => {
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

import { expect, test } from 'vitest';
import { createBackgroundQueue, createForegroundQueue } from '../../../electron/server/scheduling/stepQueue.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

/** Creates a queue on a fake clock, on which each step takes a given time. */
function rig() {
  const clock = createFakeClock(0);
  let workedMs = 0;
  let commit = (): void => undefined;
  const onCommit = (handle: () => void) => {
    commit = handle;
    return () => undefined;
  };
  const turns = createBackgroundQueue({ clock: { ...clock, monotonic: () => clock.monotonic() + workedMs }, onCommit });
  const told: string[] = [];
  const take = (name: string, ms: number) =>
    turns.take(() => {
      workedMs += ms;
      told.push(name);
      return name;
    });
  return { clock, turns, told, take, commit: () => commit() };
}

test('after at least a millisecond of work, all reads pause for four times as long', async () => {
  const { clock, told, take } = rig();
  const all = Promise.all([take('a', 0.5), take('b', 0.5), take('c', 3), take('d', 0)]);
  await clock.advance(0);
  expect(told).toEqual(['a', 'b']);
  await clock.advance(3.9);
  expect(told).toEqual(['a', 'b']);
  await clock.advance(0.2);
  expect(told).toEqual(['a', 'b', 'c']);
  await clock.advance(11);
  expect(told).toHaveLength(3);
  await clock.advance(1.1);
  expect(await all).toEqual(['a', 'b', 'c', 'd']);
});

test('two long reads take turns, part by part, and each gets its own result', async () => {
  const { clock, turns, told } = rig();
  const long = function* (name: string) {
    for (let part = 1; part <= 3; part += 1) {
      told.push(`${name}${part}`);
      yield;
    }
    return name;
  };
  const both = Promise.all([turns.takeAll(long('a')), turns.takeAll(long('b'))]);
  await clock.advance(0);
  expect(await both).toEqual(['a', 'b']);
  expect(told).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
});

test('a failing read does not hold up the others', async () => {
  const { told, turns, take } = rig();
  const failing = turns.take(() => {
    throw new Error('The disk is gone.');
  });
  const others = Promise.all([take('a', 0), take('b', 0)]);
  await expect(failing).rejects.toThrow('The disk is gone.');
  await others;
  expect(told).toEqual(['a', 'b']);
});

test('rejects waiting and new reads immediately when the station stops', async () => {
  const { clock, turns, told, take } = rig();
  await take('a', 5);
  const waiting = take('b', 0);
  await clock.advance(0);
  turns.stop();
  await expect(waiting).rejects.toMatchObject({ code: 'stopping' });
  await expect(take('c', 0)).rejects.toMatchObject({ code: 'stopping' });
  expect(told).toEqual(['a']);
  expect(clock.timerCount()).toBe(0);
});

test('waits for a pause between commits, but only for a limited time', async () => {
  const { clock, told, take, commit } = rig();
  const all = Promise.all([take('a', 1), take('b', 1), take('c', 0)]);
  await clock.advance(0);
  await clock.advance(3);
  commit();
  await clock.advance(1);
  expect(told).toEqual(['a']);
  await clock.advance(4.9);
  expect(told).toEqual(['a']);
  await clock.advance(0.2);
  expect(told).toEqual(['a', 'b']);
  // Commits come as often as presses can.
  for (let tenth = 0; tenth < 230; tenth += 1) {
    await clock.advance(0.1);
    commit();
  }
  expect(told).toEqual(['a', 'b']);
  for (let tenth = 0; tenth < 20; tenth += 1) {
    await clock.advance(0.1);
    commit();
  }
  expect(told).toEqual(['a', 'b', 'c']);
  await all;
});

test('foreground reads yield to other work after three milliseconds, without a timer', async () => {
  let now = 0;
  const queue = createForegroundQueue({ clock: { monotonic: () => now } });
  const order: string[] = [];
  const step = (name: string, ms: number) =>
    queue.take(() => {
      now += ms;
      order.push(name);
    });
  setImmediate(() => order.push('other work'));
  await Promise.all([step('a', 1), step('b', 1), step('c', 1), step('d', 1)]);
  expect(order).toEqual(['a', 'b', 'c', 'other work', 'd']);
  queue.stop();
  await expect(step('e', 1)).rejects.toThrow('The station is stopping.');
});

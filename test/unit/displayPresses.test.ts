import { expect, test } from 'vitest';
import { PressCounter } from '../../electron/server/turbo/links/displayPresses.ts';

const BUTTONS = [0, 1, 2].map((id) => ({ byte: 2, id }));

/** A display whose telemetry is read; times in milliseconds. */
function rig({ isLadder = false } = {}) {
  const counter = new PressCounter({ buttons: BUTTONS, ladders: isLadder ? [2] : [] });
  let nowMs = 0;
  const telemetry = (id: number, count: number, isDown: boolean) => {
    const bytes = Buffer.alloc(11);
    bytes[2] = id | ((count & 15) << 3) | (isDown ? 0x80 : 0);
    return bytes;
  };
  return {
    counter,
    read(id: number, count: number, { isDown = false, afterMs = 100 } = {}) {
      nowMs += afterMs;
      return counter.read(telemetry(id, count, isDown), nowMs).map((one) => one.id);
    },
    resume(id: number, count: number, { afterMs = 10_000 } = {}) {
      nowMs += afterMs;
      return counter.resume(telemetry(id, count, false), nowMs).map((one) => one.id);
    },
  };
}

test('the first telemetry has no press, and repeated telemetry none either', () => {
  const { read } = rig();
  expect(read(1, 7)).toEqual([]);
  expect(read(1, 7)).toEqual([]);
  expect(read(1, 8, { isDown: true })).toEqual([1]);
  expect(read(1, 8, { isDown: true })).toEqual([]);
  expect(read(1, 8)).toEqual([]);
});

test('a count goes round at 16', () => {
  const { read } = rig();
  read(0, 14);
  expect([15, 16, 17].map((count) => read(0, count))).toEqual([[0], [0], [0]]);
});

test('presses between two readings count as often as they can have been made', () => {
  const { read } = rig();
  read(0, 3);
  expect(read(0, 6, { afterMs: 4_000 })).toEqual([0, 0, 0]);
  // A button that bounces.
  expect(read(0, 9)).toEqual([0]);
});

test('buttons that share a byte have counts of their own', () => {
  const { read } = rig();
  read(0, 5);
  expect(read(1, 1, { isDown: true })).toEqual([1]);
  expect(read(0, 5)).toEqual([]);
  expect(read(0, 6)).toEqual([0]);
  expect(read(1, 2)).toEqual([1]);
});

test('a count that began anew is a press, once', () => {
  const { read } = rig({ isLadder: true });
  read(0, 1);
  expect(read(0, 1, { isDown: true, afterMs: 6_000 })).toEqual([0]);
  expect(read(0, 1)).toEqual([]);
  expect(read(0, 4, { afterMs: 1_000 })).toEqual([0, 0, 0]);
  expect(read(0, 1, { afterMs: 6_000 })).toEqual([0]);
  // Another button, with the first count of a new series.
  expect(read(2, 1, { afterMs: 6_000 })).toEqual([2]);
});

test('all buttons of a ladder share one count', () => {
  const { read } = rig({ isLadder: true });
  read(0, 1);
  expect(read(1, 2, { afterMs: 3_000 })).toEqual([1]);
  expect(read(0, 3, { afterMs: 3_000 })).toEqual([0]);
});

test('after a pause of the connection presses count while the display went on counting', () => {
  for (const [before, after, presses] of [
    [3, 3, []],
    [3, 4, [0]],
    [15, 17, [0, 0]],
    // It restarted: from 7 to 1 nobody presses ten times.
    [7, 1, []],
    [7, 0, []],
    // Nothing tells whether it restarted.
    [0, 1, []],
  ] as const) {
    const { read, resume } = rig();
    read(0, before);
    expect(resume(0, after)).toEqual(presses);
    // And goes on from there.
    expect(read(0, after + 1)).toEqual([0]);
  }
});

test('what somebody else had is not compared', () => {
  const { counter, read, resume } = rig();
  read(0, 3);
  counter.forget();
  expect(resume(0, 4)).toEqual([]);
});

test('whether a button is down is that of the last telemetry', () => {
  const { counter, read } = rig();
  read(0, 3);
  read(1, 1, { isDown: true });
  expect(BUTTONS.map((button) => counter.isDown(button))).toEqual([false, true, false]);
});

import { expect, test } from 'vitest';
import * as fc from '../../helpers/fastCheck.ts';
import { PressCounter } from '../../../electron/server/turbo/openDisplay/displayPresses.ts';

const BUTTONS = [0, 1, 2].map((id) => ({ byte: 2, id }));

/** Creates a press counter for a display, with functions that read its telemetry. Times are in milliseconds. */
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

test('finds no press in the first telemetry, and none in repeated telemetry', () => {
  const { read } = rig();
  expect(read(1, 7)).toEqual([]);
  expect(read(1, 7)).toEqual([]);
  expect(read(1, 8, { isDown: true })).toEqual([1]);
  expect(read(1, 8, { isDown: true })).toEqual([]);
  expect(read(1, 8)).toEqual([]);
});

test('a count wraps around at 16', () => {
  const { read } = rig();
  read(0, 14);
  expect([15, 16, 17].map((count) => read(0, count))).toEqual([[0], [0], [0]]);
});

test('counts all presses between two readings, up to what the time allows', () => {
  const { read } = rig();
  read(0, 3);
  expect(read(0, 6, { afterMs: 4_000 })).toEqual([0, 0, 0]);
  // The button bounces.
  expect(read(0, 9)).toEqual([0]);
});

test('buttons that share a byte have separate counts', () => {
  const { read } = rig();
  read(0, 5);
  expect(read(1, 1, { isDown: true })).toEqual([1]);
  expect(read(0, 5)).toEqual([]);
  expect(read(0, 6)).toEqual([0]);
  expect(read(1, 2)).toEqual([1]);
});

test('a count that starts over counts as one press', () => {
  const { read } = rig({ isLadder: true });
  read(0, 1);
  expect(read(0, 1, { isDown: true, afterMs: 6_000 })).toEqual([0]);
  expect(read(0, 1)).toEqual([]);
  expect(read(0, 4, { afterMs: 1_000 })).toEqual([0, 0, 0]);
  expect(read(0, 1, { afterMs: 6_000 })).toEqual([0]);
  // A different button starts a new series of counts.
  expect(read(2, 1, { afterMs: 6_000 })).toEqual([2]);
});

test('all buttons of a ladder share one count', () => {
  const { read } = rig({ isLadder: true });
  read(0, 1);
  expect(read(1, 2, { afterMs: 3_000 })).toEqual([1]);
  expect(read(0, 3, { afterMs: 3_000 })).toEqual([0]);
});

test('after a connection gap, finds the presses if the display kept counting', () => {
  for (const [before, after, presses] of [
    [3, 3, []],
    [3, 4, [0]],
    [15, 17, [0, 0]],
    // The display restarted: ten presses from 7 to 1 are implausible.
    [7, 1, []],
    [7, 0, []],
    // The count does not show whether the display restarted.
    [0, 1, []],
  ] as const) {
    const { read, resume } = rig();
    read(0, before);
    expect(resume(0, after)).toEqual(presses);
    // Counting continues from there.
    expect(read(0, after + 1)).toEqual([0]);
  }
});

test('after "forget", does not compare with earlier counts', () => {
  const { counter, read, resume } = rig();
  read(0, 3);
  counter.forget();
  expect(resume(0, 4)).toEqual([]);
});

test('a button is down if the last telemetry reports it as down', () => {
  const { counter, read } = rig();
  read(0, 3);
  read(1, 1, { isDown: true });
  expect(BUTTONS.map((button) => counter.isDown(button))).toEqual([false, true, false]);
});

type Step = { button: number; gapMs: number; isRead: boolean; isHeld: boolean };

/** Plays presses on a display and returns how many were found. If `isHeld` is true, the telemetry is also read while the button is down. */
function play(steps: readonly Step[], { isLadder }: { isLadder: boolean }): number {
  const counter = new PressCounter({ buttons: BUTTONS, ladders: isLadder ? [2] : [] });
  const counts = [0, 0, 0];
  const bytes = Buffer.alloc(11);
  let [nowMs, pressedMs, found] = [0, -Infinity, 0];
  const read = (): void => void (found += counter.read(bytes, nowMs).length);
  read();
  for (const { button, gapMs, isRead, isHeld } of steps) {
    nowMs += gapMs;
    const at = isLadder ? 0 : button;
    const isAnew = isLadder && nowMs - pressedMs > 5_000;
    counts[at] = isAnew ? 1 : ((counts[at] ?? 0) + 1) & 15;
    pressedMs = nowMs;
    bytes[2] = button | ((counts[at] ?? 0) << 3) | 0x80;
    if (isRead && isHeld) read();
    bytes[2] &= 0x7f;
    nowMs += 100;
    if (isRead) read();
  }
  return found;
}

const stepOf = (given: Partial<Record<keyof Step, fc.Arbitrary<unknown>>>): fc.Arbitrary<Step> =>
  fc.record({
    button: fc.nat({ max: 2 }),
    gapMs: fc.integer({ min: 50, max: 8_000 }),
    isRead: fc.boolean(),
    isHeld: fc.boolean(),
    ...given,
  }) as fc.Arbitrary<Step>;

test.each([false, true])('never finds a press twice; ladder: %s', (isLadder) => {
  fc.assert(
    fc.property(fc.array(stepOf({}), { maxLength: 60 }), (steps) => {
      expect(play(steps, { isLadder })).toBeLessThanOrEqual(steps.length);
    }),
  );
});

test.each([false, true])('finds each press that is read while the button is down; ladder: %s', (isLadder) => {
  const all = { isRead: fc.constant(true), isHeld: fc.constant(true) };
  fc.assert(
    fc.property(fc.array(stepOf(all), { maxLength: 60 }), (steps) => {
      expect(play(steps, { isLadder })).toBe(steps.length);
    }),
  );
});

test('finds unread presses of one button later, up to 15', () => {
  const unread = { button: fc.constant(0), isRead: fc.constant(false) };
  const last = { button: 0, gapMs: 200, isHeld: false, isRead: true };
  fc.assert(
    fc.property(fc.array(stepOf(unread), { maxLength: 14 }), (steps) => {
      expect(play([...steps, last], { isLadder: false })).toBe(steps.length + 1);
    }),
  );
});

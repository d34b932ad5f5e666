import { expect, test } from 'vitest';
import { isLoss, isMet, isMetDespiteNoise, isMachineIndependent } from '../../bench/goals.ts';

const goal = { name: 'a figure', unit: 'ms' };

test('the median decides on a quiet machine; beside other programs, the best round against three times the goal', () => {
  const slow = { ...goal, values: [9, 11, 40], atMost: 10 };
  expect([isMet(slow), isMetDespiteNoise(slow)]).toEqual([false, true]);
  const tooSlow = { ...goal, values: [31, 40, 50], atMost: 10 };
  expect(isMetDespiteNoise(tooSlow)).toBe(false);
  expect(isMetDespiteNoise({ ...goal, values: [0.34, 0.2], atLeast: 1 })).toBe(true);
  expect(isMetDespiteNoise({ ...goal, values: [0.33, 0.2], atLeast: 1 })).toBe(false);
});

test('the goal of a count is not widened beside other programs', () => {
  expect(isMetDespiteNoise({ name: 'commits', unit: '', values: [4, 5], atMost: 4 })).toBe(true);
  expect(isMetDespiteNoise({ name: 'commits', unit: '', values: [4.1, 5], atMost: 4 })).toBe(false);
});

test('a figure that was never measured misses its goal', () => {
  const never = { ...goal, values: [], atMost: 10 };
  expect([isMet(never), isMetDespiteNoise(never)]).toEqual([false, false]);
});

test('only counts and ratios are independent of the speed of the machine', () => {
  expect(
    ['', 'x', 'ms', 's', '/s', 'MB', '%'].filter((unit) => isMachineIndependent({ ...goal, unit, values: [] })),
  ).toEqual(['', 'x']);
  expect(isMachineIndependent({ ...goal, unit: 'x', values: [], isOfDisk: true })).toBe(false);
});

test('a ratio a quarter worse than at the last recorded commit is a loss, whichever direction is better', () => {
  const ratio = { ...goal, unit: 'x', values: [1] };
  expect([isLoss({ ...ratio, atMost: 3 }, 0.79), isLoss({ ...ratio, atMost: 3 }, 0.81)]).toEqual([true, false]);
  expect([isLoss({ ...ratio, atLeast: 1 }, 1.26), isLoss({ ...ratio, atLeast: 1 }, 1.24)]).toEqual([true, false]);
  expect([isLoss({ ...ratio, atMost: 3 }, undefined), isLoss({ ...goal, values: [9], atMost: 3 }, 1)]).toEqual([
    false,
    false,
  ]);
});

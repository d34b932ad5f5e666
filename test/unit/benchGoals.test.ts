import { expect, test } from 'vitest';
import { isMet, isMetDespiteNoise } from '../../bench/goals.ts';

const goal = { name: 'a figure', unit: 'ms' };

test('the median decides on a quiet machine, the best round beside other programs, widened by three', () => {
  const slow = { ...goal, values: [9, 11, 40], atMost: 10 };
  expect([isMet(slow), isMetDespiteNoise(slow)]).toEqual([false, true]);
  const tooSlow = { ...goal, values: [31, 40, 50], atMost: 10 };
  expect(isMetDespiteNoise(tooSlow)).toBe(false);
  expect(isMetDespiteNoise({ ...goal, values: [0.34, 0.2], atLeast: 1 })).toBe(true);
  expect(isMetDespiteNoise({ ...goal, values: [0.33, 0.2], atLeast: 1 })).toBe(false);
});

test('what is counted keeps to its goal exactly', () => {
  expect(isMetDespiteNoise({ name: 'commits', unit: '', values: [4, 5], atMost: 4 })).toBe(true);
  expect(isMetDespiteNoise({ name: 'commits', unit: '', values: [4.1, 5], atMost: 4 })).toBe(false);
});

test('a figure that was never measured is missed', () => {
  const never = { ...goal, values: [], atMost: 10 };
  expect([isMet(never), isMetDespiteNoise(never)]).toEqual([false, false]);
});

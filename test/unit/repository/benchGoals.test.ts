import { expect, test } from 'vitest';
import { isMet, quantile } from '../../../bench/goals.ts';

const goal = { name: 'a figure', unit: 'x' };

test('the best round decides whether a goal is met', () => {
  expect(isMet({ ...goal, values: [3, 2, 9], atMost: 2 })).toBe(true);
  expect(isMet({ ...goal, values: [3, 2.1, 9], atMost: 2 })).toBe(false);
});

test('a result without a goal passes, and a result that was never measured fails', () => {
  expect(isMet({ ...goal, values: [3] })).toBe(true);
  expect(isMet({ ...goal, values: [], atMost: 10 })).toBe(false);
});

test('a quantile is one of the values', () => {
  expect([0, 0.5, 0.99, 1].map((part) => quantile([4, 1, 3, 2], part))).toEqual([1, 3, 4, 4]);
  expect(quantile([], 0.5)).toBeNaN();
});

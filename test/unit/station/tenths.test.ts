import { expect, test } from 'vitest';
import { createTenths } from '../../../electron/server/domain/history/tenths.ts';

test('the median of counted times is exact to a tenth of a second', () => {
  const times = createTenths();
  expect([times.count(), times.median()]).toEqual([0, null]);
  times.add(50, 1);
  expect(times.median()).toBe(5);
  times.add(10, 1);
  expect([times.count(), times.median()]).toEqual([2, 1]);
  times.add(900, 3);
  expect([times.count(), times.median()]).toEqual([5, 90]);
  times.add(20, 4);
  expect(times.median()).toBe(2);
});

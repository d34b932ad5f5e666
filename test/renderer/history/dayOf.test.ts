import { expect, test } from 'vitest';
import { countLate, dayOf } from '../../../renderer/src/features/station/dayOf.ts';
import { progress } from '../orders/workSupport.tsx';

const NOW = Date.parse('2026-11-27T12:00:00.000Z');

const order: typeof progress = (number, given) => progress(number, { state: 'open', ...given });

const anna = { name: 'Anna', color: 'blue', paused: false, deviceid: null };
const ben = { name: 'Ben', color: 'orange', paused: true, deviceid: null };

test('counts waiting, running, short and late orders, but not ended ones', () => {
  const orders = [
    order('1'),
    order('2', { due_time: '2026-11-27T11:59:59.000Z' }),
    order('3', { due_time: '2026-11-27T12:00:01.000Z', state: 'in_progress', short_count: 2 }),
    order('4', { due_time: '2026-11-27T09:00:00.000Z', state: 'fulfilled', short_count: 1 }),
    order('5', { state: 'aborted' }),
  ];
  expect(dayOf(orders)).toMatchObject({ open: 2, in_progress: 1, short: 1 });
  expect(countLate(orders, NOW)).toBe(1);
});

test('lists every picker of every running order, with the most urgent order first', () => {
  const { picking } = dayOf([
    order('1', { state: 'in_progress', pickers: [ben], done_count: 1 }),
    order('2', { state: 'in_progress', pickers: [anna, ben], priority: 5, done_count: 3 }),
    order('3', { state: 'fulfilled', pickers: [anna] }),
  ]);
  expect(
    picking.map(({ picker, orderNumber, done, all, isPaused }) => [picker, orderNumber, done, all, isPaused]),
  ).toEqual([
    ['Anna', '2', 3, 3, false],
    ['Ben', '2', 3, 3, true],
    ['Ben', '1', 1, 3, true],
  ]);
});

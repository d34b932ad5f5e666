import { expect, test } from 'vitest';
import { choosePlace } from '../../electron/server/domain/placeChoice.ts';

const place = (name: string, available: number | null, isEmpty = false) => ({ name, available, isEmpty });

test.each([
  ['covers', [place('less', 2), place('uncounted', null), place('covers', 5), place('also covers', 9)]],
  ['uncounted', [place('less', 2), place('empty', null, true), place('uncounted', null)]],
  ['less', [place('nothing', 0), place('negative', -3), place('less', 1)]],
  ['empty', [place('empty', null, true), place('nothing', 0)]],
])('of the places, five pieces come from: %s', (expected, places) => {
  expect(choosePlace(places, 5)?.name).toBe(expected);
});

test('without places, none is chosen', () => {
  expect(choosePlace([], 5)).toBeUndefined();
});

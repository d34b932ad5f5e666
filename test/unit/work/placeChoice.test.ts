import { expect, test } from 'vitest';
import { choosePlace, type ChoosablePlace } from '../../../electron/server/domain/orders/placeChoice.ts';

type Place = ChoosablePlace & { name: string };

const place = (name: string, available: number | null, given: Partial<Place> = {}): Place => ({
  name,
  available,
  isEmpty: false,
  priority: null,
  ...given,
});

/** Compares places by name, which is also the walking order. */
const byWalk = ({ name: one }: Place, { name: other }: Place): number => (one < other ? -1 : 1);
const chosen = (places: readonly Place[], rule: 'priority' | 'emptiest' = 'priority') =>
  choosePlace(places, 5, { rule, byWalk });

test.each([
  ['covers', [place('less', 2), place('uncounted', null), place('covers', 5), place('also covers', 9)]],
  ['uncounted', [place('less', 2), place('empty', null, { isEmpty: true }), place('uncounted', null)]],
  ['less', [place('nothing', 0), place('negative', -3), place('less', 1)]],
  ['list', [place('list', 9), place('behind', 9)]],
  ['A-2', [place('A-3', 9, { priority: 1 }), place('A-2', 9, { priority: 1 }), place('A-1', 9)]],
])('five pieces come from: %s', (expected, places) => {
  expect(chosen(places)).toMatchObject({ place: { name: expected }, isLacking: false });
});

test.each([
  ['the place with the fewest pieces that suffice', 'few', [place('many', 9), place('few', 6), place('less', 4)]],
  ['equal places in walking order', 'A-1', [place('A-2', 6, { priority: 1 }), place('A-1', 6)]],
  ['the first place by priority if none has enough', 'first', [place('first', 4), place('fewer', 1)]],
])('the rule "emptiest" chooses %s', (_what, expected, places) => {
  expect(chosen(places, 'emptiest')?.place.name).toBe(expected);
});

test('without any stock, either rule lights the first place', () => {
  const places = [place('empty', null, { isEmpty: true }), place('A-1', 0), place('negative', -3)];
  for (const rule of ['priority', 'emptiest'] as const)
    expect(chosen(places, rule)).toMatchObject({ place: { name: 'empty' }, isLacking: true });
});

test('chooses nothing if there are no places', () => {
  expect(chosen([])).toBeUndefined();
});

import { expect, test } from 'vitest';
import type { WorkLine } from '#shared/api/picking.ts';
import {
  durationWords,
  isStillLit,
  progressOf,
  shelfWords,
  packWords,
  toPick,
  whatBecame,
} from '../../../renderer/src/features/pick/session/lines.ts';
import { item, order } from '../orders/workSupport.tsx';

const line = (id: number, given: Partial<WorkLine> = {}): WorkLine => ({
  deviceid: `51D000:00000${id}`,
  location: `A-${id}`,
  light: true,
  customer: '',
  note: '',
  text: `Item ${id}`,
  description: '',
  SKU: '',
  UPC: '',
  quantity: 5,
  ordered_quantity: 5,
  quantity_fulfilled: 0,
  order_number: 'SO-1',
  item_id: id,
  color: 'blue',
  picker: 'Anna',
  command_id: String(id),
  waiting: false,
  current: false,
  unreachable: false,
  shown_at: null,
  on_hand: null,
  packs: [],
  picture: null,
  found_empty: null,
  elsewhere: [],
  ...given,
});

const ids = (lines: readonly Pick<WorkLine, 'item_id'>[]) => lines.map(({ item_id: id }) => id);

test("lists lines in the station's order, without confirmed ones and with skipped ones last", () => {
  const all = [line(1), line(2), line(3), line(4)];
  const shown = (confirmed: number[], skipped: number[]) =>
    ids(
      toPick(all, {
        isBooked: ({ item_id: id }) => confirmed.includes(id ?? 0),
        skipped,
        order: undefined,
        me: 'Anna',
      }),
    );
  expect(shown([], [])).toEqual([1, 2, 3, 4]);
  expect(shown([2], [])).toEqual([1, 3, 4]);
  expect(shown([], [3, 1])).toEqual([2, 4, 3, 1]);
});

test("omits lines that the stream reports as picked, and continues after the picker's latest device", () => {
  const all = [line(1), line(2), line(3), line(4)];
  const picked = order('SO-1', [item(1), item(2), item(3, { state: 'done' }), item(4)], {
    pickers: [{ name: 'Anna', color: 'blue', paused: false, deviceid: '51D000:000003' }],
  });
  const known = { isBooked: () => false, skipped: [], order: picked };
  expect(ids(toPick(all, { ...known, me: 'Anna' }))).toEqual([4, 1, 2]);
  expect(ids(toPick(all, { ...known, me: 'Ben' }))).toEqual([1, 2, 4]);
  // The station's list begins with another line at the picker's latest device, so that line comes next.
  const here = [line(4, { deviceid: '51D000:000003' }), line(1), line(2)];
  expect(ids(toPick(here, { ...known, me: 'Anna' }))).toEqual([4, 1, 2]);
});

test('omits lines that a colleague has taken in the meantime, but not lines without a picker', () => {
  const lit = { state: 'active', command_id: '1' } as const;
  const shared = order('SO-1', [item(1, { ...lit, picker: 'Ben' }), item(2, lit), item(3, { ...lit, picker: 'Anna' })]);
  const known = { isBooked: () => false, skipped: [], order: shared, me: 'Anna' };
  expect(ids(toPick([line(1), line(2), line(3)], known))).toEqual([2, 3]);
});

test('explains why a line is no longer lit: picked, changed without a press, timed out, moved, or turned off', () => {
  const became = (given: object, end?: 'pressed' | 'withdrawn') => whatBecame(item(1, given), 'Anna', end);
  expect(became({ state: 'done' }, 'pressed')).toBe('picked');
  // After a snapshot, how the command ended is unknown.
  expect(became({ state: 'short' })).toBe('picked');
  expect(became({ state: 'done' }, 'withdrawn')).toBe('withdrawn');
  expect(became({ state: 'open', timed_out: true }, 'withdrawn')).toBe('timedOut');
  expect(became({ state: 'active', picker: 'Ben' }, 'withdrawn')).toBe('moved');
  expect(became({ state: 'open' }, 'withdrawn')).toBe('gone');
});

test('a line counts as lit until the order reports its end', () => {
  const isLit = (given: object) => isStillLit(item(1, { picker: 'Anna', command_id: '1', ...given }), 'Anna');
  expect(isLit({ state: 'active' })).toBe(true);
  // The line was lit again after an undo, or with a different count.
  expect(isLit({ state: 'active', command_id: '2' })).toBe(true);
  for (const given of [{ state: 'done' }, { state: 'active', picker: 'Ben' }, { state: 'active', command_id: null }])
    expect(isLit(given)).toBe(false);
  expect(isStillLit(undefined, 'Anna')).toBe(false);
});

test("describes a shelf by its rack and position, and a rack with one shelf by the rack's name", () => {
  const rack = (id: string, shelves: number) => ({
    id,
    name: `Rack ${id}`,
    note: '',
    columns: 4,
    shelves: Array.from({ length: shelves }, (_, index) => ({ id: `${id}${index}`, name: String(index) })),
  });
  const place = (deviceid: string, shelf: string) => ({ deviceid, shelf, column: 0 });
  const map = {
    racks: [rack('A', 12), rack('B', 1)],
    places: [place('1', 'A2'), place('2', 'A11'), place('3', 'B0')],
    zones: [],
  };
  expect(['1', '2', '3', '4'].map((id) => shelfWords(map, id))).toEqual([
    'Rack A, third shelf',
    'Rack A, 12th shelf',
    'Rack B',
    '',
  ]);
});

test('counts lines and pieces, but never more pieces than ordered', () => {
  const items = [
    item(1, { state: 'done', quantity_fulfilled: 9 }),
    item(2, { state: 'short', quantity_fulfilled: 2 }),
    item(3, { state: 'active' }),
  ];
  expect(progressOf(order('SO-1', items))).toMatchObject({ lines: 3, done: 2, shorts: 1, units: 15, picked: 7 });
});

test('formats durations like a clock', () => {
  expect([0, 134_000, 3_734_000].map(durationWords)).toEqual(['0:00', '2:14', '1:02:14']);
});

test.each([
  [23, [10], '2 × 10 + 3'],
  [20, [10], '2 × 10'],
  [127, [100, 10], '1 × 100 + 2 × 10 + 7'],
  [9, [10], undefined],
  [9, [], undefined],
])('describes %i pieces in packs of %o as %s', (quantity, packs, expected) => {
  expect(packWords(quantity, packs)).toBe(expected);
});

test('lists a line last if its place was found empty', () => {
  const empty = line(1, { found_empty: { by: 'Ben', at: '2026-11-20T08:00:00.000Z' } });
  const known = { isBooked: () => false, skipped: [], order: undefined, me: 'Anna' };
  expect(ids(toPick([empty, line(2), line(3)], known))).toEqual([2, 3, 1]);
});

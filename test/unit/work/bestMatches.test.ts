import { expect, test } from 'vitest';
import { bestMatches, LEAST_OF_KIND, type Candidate } from '../../../electron/server/domain/find/bestMatches.ts';

const KINDS = ['device', 'item'] as const;
type Kind = (typeof KINDS)[number];

const candidate = (kind: Kind, thing: string, rank: 0 | 1 | 2 | 3): Candidate<Kind, string> => ({
  kind,
  thing,
  rank,
  field: 0,
  ref: thing,
});
const best = (candidates: readonly Candidate<Kind, string>[], limit: number) =>
  bestMatches(candidates, { kinds: KINDS, limit }).map(({ kind, thing, rank }) => `${kind} ${thing} ${rank}`);

test('better matches come first, and equal ones in the order of the kinds', () => {
  const given = [
    candidate('item', 'a', 1),
    candidate('device', 'b', 2),
    candidate('device', 'c', 1),
    candidate('item', 'd', 0),
  ];
  expect(best(given, 10)).toEqual(['item d 0', 'device c 1', 'item a 1', 'device b 2']);
});

test('a result is listed once, with its best match', () => {
  const given = [candidate('device', 'a', 3), candidate('device', 'a', 0), candidate('item', 'a', 2)];
  expect(best(given, 10)).toEqual(['device a 0', 'item a 2']);
});

test('many matches of one kind do not hide the best of another', () => {
  const items = Array.from({ length: 80 }, (_, index) => candidate('item', String(index), 0));
  const devices = Array.from({ length: 20 }, (_, index) => candidate('device', String(index), 3));
  const listed = best([...items, ...devices], 50);
  expect(listed).toHaveLength(50);
  expect(listed.filter((each) => each.startsWith('device'))).toEqual(
    Array.from({ length: LEAST_OF_KIND }, (_, index) => `device ${index} 3`),
  );
  expect(listed[0]).toBe('item 0 0');
});

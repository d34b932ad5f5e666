import { expect, test, vi } from 'vitest';
import { whole } from '#shared/lib/station/inParts.ts';
import { createTextIndex, MATCH_RANKS } from '../../../electron/server/domain/find/textIndex.ts';

const LIMIT = 50;

function indexOf(texts: Readonly<Record<string, readonly string[]>>) {
  const index = createTextIndex<string>();
  for (const [key, fields] of Object.entries(texts)) index.set(key, [{ ref: key, fields }]);
  return index;
}

function found(index: ReturnType<typeof indexOf>, wanted: string, limit = LIMIT): string[] {
  return whole(index.find(wanted, limit)).map(({ ref, field, rank }) => `${MATCH_RANKS[rank]} ${ref} ${field}`);
}

test('an exact match comes before a prefix, the beginning of a word, and any other part', () => {
  const index = indexOf({
    inside: ['unstable tie'],
    word: ['black-table'],
    prefix: ['Table tie'],
    exact: ['', 'tABLE'],
    none: ['tab', 'le'],
  });
  expect(found(index, 'table')).toEqual(['exact exact 1', 'prefix prefix 0', 'word word 0', 'inside inside 0']);
});

test('ranks a part by its best field, and lists it only once', () => {
  const index = indexOf({ one: ['a tie', 'tied', 'tie', 'tie'] });
  expect(found(index, 'tie')).toEqual(['exact one 2']);
});

test('does not find a text that spans fields or parts', () => {
  const index = createTextIndex<string>();
  index.set('order', [
    { ref: 'one', fields: ['cable', 'tie'] },
    { ref: 'two', fields: ['tie', 'wrap'] },
  ]);
  for (const wanted of ['cable tie', 'cabletie', 'cable\u0001tie', 'tie\u0002\u0001tie', 'tiewrap']) {
    expect(whole(index.find(wanted, LIMIT)), JSON.stringify(wanted)).toEqual([]);
  }
  expect(found(index, 'tie')).toEqual(['exact two 0', 'exact one 1']);
});

test('ignores case, Unicode forms and surrounding spaces, but not accents or punctuation', () => {
  const index = indexOf({ one: ['Größe 100 % _x_ *'], two: ['d\u0075\u0308bel 🔩 M6'], three: ['"quoted" \'it\''] });
  for (const wanted of ['GRÖSSE', 'gro\u0308ße', ' größe ', '100 %', '_X_', '*']) {
    expect(found(index, wanted), wanted).toHaveLength(1);
  }
  expect(found(index, 'Dübel')).toEqual(['prefix two 0']);
  expect(found(index, '🔩')).toEqual(['word two 0']);
  expect(found(index, '"quoted"')).toEqual(['prefix three 0']);
  for (const wanted of ['%%', '_0', 'x*', 'grosse', 'dubel', '']) expect(found(index, wanted), wanted).toEqual([]);
});

test('does not count a non-ASCII letter as the end of a word', () => {
  expect(found(indexOf({ one: ['Büro'], two: ['𝔸tie'], three: ['é-tie'] }), 'ro')).toEqual(['inside one 0']);
  expect(found(indexOf({ two: ['𝔸tie'], three: ['é-tie'] }), 'tie')).toEqual(['word three 0', 'inside two 0']);
});

test('finds at most the given number of parts per rank, newest first', () => {
  const index = createTextIndex<number>();
  const parts = Array.from({ length: 120 }, (_, ref) => ({ ref, fields: [ref % 2 === 0 ? 'tie' : 'a tie'] }));
  index.set('order', parts);
  const refs = whole(index.find('tie', 3)).map(({ ref }) => ref);
  expect(refs).toEqual([118, 116, 114, 119, 117, 115]);
  expect(whole(index.find('tie', 200))).toHaveLength(120);
});

test('no longer finds a text that was replaced or removed', () => {
  const index = indexOf({ one: ['tie'], two: ['tie'] });
  index.set('one', [{ ref: 'one', fields: ['screw'] }]);
  expect(found(index, 'tie')).toEqual(['exact two 0']);
  index.delete('two');
  index.set('one', []);
  expect(index.size()).toBe(0);
  expect(found(index, 'screw')).toEqual([]);
});

test('counts the parts of all keys', () => {
  const index = createTextIndex<number>();
  const parts = [1, 2, 3].map((ref) => ({ ref, fields: ['tie'] }));
  index.set('one', parts);
  index.set('two', parts);
  index.set('two', parts.slice(1));
  index.set('three', []);
  expect(index.parts()).toBe(5);
  expect(index.keys()).toEqual(['one', 'two']);
  index.delete('one');
  index.delete('none');
  index.set('two', []);
  expect(index.parts()).toBe(0);
  index.set('one', parts);
  index.clear();
  expect(index.parts()).toBe(0);
});

test('searches many texts in parts, and survives changes between them', () => {
  const index = createTextIndex<number>();
  for (let number = 0; number < 10_000; number += 1) index.set(String(number), [{ ref: number, fields: ['tie'] }]);
  // Each look at the clock takes 1 µs.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.001));
  const work = index.find('tie', 20_000);
  let parts = 0;
  let part = work.next();
  for (; part.done !== true; part = work.next()) {
    parts += 1;
    index.delete(String(10_000 - parts));
  }
  clock.mockRestore();
  expect(parts).toBeGreaterThanOrEqual(9);
  expect(part.value).toHaveLength(10_000 - parts);
});

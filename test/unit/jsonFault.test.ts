import { assert, constantFrom, json, nat, property, tuple } from '../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import { jsonFault } from '../../electron/server/http/jsonFault.ts';

/** What only the body knows. */
const SECRET = 'K3y-of-the-shop';

test.each([
  ['', 1, 1, 'the body ends before there is a value'],
  ['  \n ', 2, 2, 'the body ends before there is a value'],
  ['{"a": 1', 1, 8, 'the body ends, and an object is open'],
  ['[1, [2]', 1, 8, 'the body ends, and an array is open'],
  ['{"a": 1,}', 1, 9, 'the name of a field is missing'],
  ['{a: 1}', 1, 2, 'the name of a field, in double quotes, or the }'],
  ['{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3, 'a comma or the } that ends the object is missing'],
  ['["a"\n"b"]', 2, 1, 'a comma or the ] that ends the array is missing'],
  ['{"a" 1}', 1, 6, 'a : is missing'],
  ['[1,]', 1, 4, 'a value is missing'],
  ['[,1]', 1, 2, 'a value or the ] that ends the array is missing'],
  ["{'a': 1}", 1, 2, 'in double quotes (")'],
  ['{"a": “b”}', 1, 7, 'in double quotes (")'],
  ['{"a": tru}', 1, 7, 'a value is missing: a text in double quotes'],
  ['{"a": 012}', 1, 8, 'a comma or the } that ends the object is missing'],
  ['{"a": "b', 1, 9, 'its closing double quote is missing'],
  ['{"a": "b\nc"}', 1, 9, 'a line break, a tab or another control character'],
  ['{"a": "C:\\x"}', 1, 10, 'write \\\\ for one'],
  ['{"a": 1]', 1, 8, 'a comma or the } that ends the object is missing'],
  ['{"a": 1}}', 1, 9, 'goes on behind its end'],
  ['\ufeff{}', 1, 1, 'a value is missing'],
])('%j is wrong at line %d, column %d: %s', (text, line, column, what) => {
  expect(jsonFault(text)).toMatchObject({ line, column });
  expect(jsonFault(text)?.what).toContain(what);
});

test('it finds a fault just where the engine does, in whatever is cut, changed or put in', () => {
  const broken = tuple(
    json({ maxDepth: 4 }),
    nat(),
    nat(3),
    constantFrom('', '"', '\\', ',', ':', '}', ']', '{', '1', ' ', '\n', '-', '.', "'"),
  );
  assert(
    property(broken, ([whole, at, cut, put]) => {
      const place = at % (whole.length + 1);
      const text = whole.slice(0, place) + put + whole.slice(place + cut);
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(jsonFault(text) === undefined).toBe(isJson);
    }),
    { numRuns: 2_000 },
  );
});

test('no piece of the body is in it', () => {
  const whole = JSON.stringify({ api_key: SECRET, list: [SECRET] });
  for (let at = 0; at < whole.length; at += 1) {
    const fault = JSON.stringify(jsonFault(`${whole.slice(0, at)}\u0001${whole.slice(at)}`));
    for (let from = 0; from + 4 <= SECRET.length; from += 1) expect(fault).not.toContain(SECRET.slice(from, from + 4));
  }
});

test('a million brackets, or characters of one text, are read through at once', () => {
  expect(jsonFault('['.repeat(1_000_000))).toMatchObject({ column: 1_000_001 });
  expect(jsonFault(`"${'a\\n'.repeat(300_000)}`)).toMatchObject({ column: 900_002 });
  expect(jsonFault(' '.repeat(1_000_000))).toMatchObject({ column: 1_000_001 });
  expect(jsonFault('\n'.repeat(1_000_000))).toMatchObject({ line: 1_000_001 });
});

import { assert, constantFrom, json, nat, property, tuple } from '../../helpers/fastCheck.ts';
import { expect, test, vi } from 'vitest';
import { readJson } from '../../../electron/server/http/bodies/jsonReader.ts';
import { scanJson } from '../../../electron/server/http/bodies/jsonScan.ts';
import { StationError } from '../../../electron/server/errors.ts';

/** Returns the syntax error that the scan reports, with its position, or undefined if it reports none. */
function jsonFault(text: string): { line: number; column: number; what: string } | undefined {
  try {
    scanJson(text);
    return undefined;
  } catch (error) {
    const { message, code } = error as StationError;
    if (code === 'invalid') return undefined;
    const [, line, column, what = ''] = /^The body is not JSON: line (\d+), column (\d+): (.*)\.$/.exec(message) ?? [];
    return { line: Number(line), column: Number(column), what };
  }
}

/** Returns the refusal of a text that exceeds a limit, or undefined if the text is accepted. */
function refusal(text: string): Pick<StationError, 'code' | 'errors'> | undefined {
  try {
    readJson(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof StationError)) throw error;
    return { code: error.code, errors: error.errors };
  }
}

/** A text that must not appear in an error. */
const SECRET = 'K3y-of-the-shop';

test.each([
  ['', 1, 1, 'the body ends before there is a value'],
  ['  \n ', 2, 2, 'the body ends before there is a value'],
  ['{"a": 1', 1, 8, 'the body ends before the end of an object'],
  ['[1, [2]', 1, 8, 'the body ends before the end of an array'],
  ['{"a": 1,}', 1, 9, 'remove the comma before this }'],
  ['{"a": 1,, "b": 2}', 1, 9, 'the name of a field, in double quotes, is missing after the comma'],
  ['{a: 1}', 1, 2, 'texts and names need double quotes'],
  ['{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3, 'a comma or the } that ends the object is missing'],
  ['["a"\n"b"]', 2, 1, 'a comma or the ] that ends the array is missing'],
  ['{"a" 1}', 1, 6, 'a : is missing'],
  ['[1,]', 1, 4, 'remove the comma before this ]'],
  ['[1, // one', 1, 5, 'JSON has no comments'],
  ['{ /* one */ "a": 1}', 1, 3, 'JSON has no comments'],
  ['{"a": 1 # one', 1, 9, 'JSON has no comments'],
  ['{"a": None}', 1, 7, 'JSON has only true, false and null, in lower case'],
  ['{"a": -Infinity}', 1, 7, 'JSON has only true, false and null, in lower case'],
  ['{"a":\u00a01}', 1, 6, 'there is an invisible character, U+00A0'],
  ['[,1]', 1, 2, 'a value or the ] that ends the array is missing'],
  ["{'a': 1}", 1, 2, 'need double quotes (")'],
  ['{"a": “b”}', 1, 7, 'need double quotes (")'],
  ['{"a": tru}', 1, 7, 'texts and names need double quotes'],
  ['{"a": 012}', 1, 8, 'a comma or the } that ends the object is missing'],
  ['{"a": "b', 1, 9, 'its closing double quote is missing'],
  ['{"a": "b\nc"}', 1, 9, 'a text contains a line break, a tab or another control character'],
  ['{"a": "C:\\x"}', 1, 10, 'write \\\\ for a backslash'],
  ['{"a": 1]', 1, 8, 'a comma or the } that ends the object is missing'],
  ['{"a": 1}}', 1, 9, 'follows the end of the body'],
  ['\ufeff{}', 1, 1, 'there is an invisible character, U+FEFF'],
])('reports the error of %j at line %d, column %d: %s', (text, line, column, what) => {
  expect(jsonFault(text)).toMatchObject({ line, column });
  expect(jsonFault(text)?.what).toContain(what);
});

test('reports an error exactly when JSON.parse does, in any truncated or changed text', () => {
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
    { numRuns: 1_000 },
  );
});

test('an error does not quote the body', () => {
  const whole = JSON.stringify({ api_key: SECRET, list: [SECRET] });
  for (let at = 0; at < whole.length; at += 1) {
    const fault = JSON.stringify(jsonFault(`${whole.slice(0, at)}\u0001${whole.slice(at)}`));
    for (let from = 0; from + 4 <= SECRET.length; from += 1) expect(fault).not.toContain(SECRET.slice(from, from + 4));
  }
});

test('reads a string, spaces or line breaks of a million characters', () => {
  expect(jsonFault(`"${'a\\n'.repeat(300_000)}`)).toMatchObject({ column: 900_002 });
  expect(jsonFault(' '.repeat(1_000_000))).toMatchObject({ column: 1_000_001 });
  expect(jsonFault('\n'.repeat(1_000_000))).toMatchObject({ line: 1_000_001 });
  expect(jsonFault('\r\n'.repeat(100_000))).toMatchObject({ line: 100_001, column: 1 });
});

const numbered = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(',');
const objectOf = (fields: number) => `{${numbered(fields, (index) => `"k${index}":0`)}}`;

test.each([
  ['512 fields', objectOf(512), objectOf(513), '', 'An object has at most 512 fields.'],
  ['nested fields', `[{"a/b":${objectOf(512)}}]`, `[0,{"a/b":${objectOf(513)}}]`, '/1/a~1b', 'at most 512 fields'],
  ['32 levels', '['.repeat(32) + ']'.repeat(32), '['.repeat(500_000), '/0'.repeat(32), '32 levels'],
  [
    '32 levels in a short text',
    `{"a":"${'['.repeat(40)}"}`,
    `${'['.repeat(33)}{}${']'.repeat(33)}`,
    '/0'.repeat(32),
    '32 levels',
  ],
  [
    '32 levels of objects',
    '{"a":'.repeat(31) + '[]' + '}'.repeat(31),
    '{"a":'.repeat(33),
    '/a'.repeat(32),
    '32 levels',
  ],
  ['10,000 elements', `[${numbered(10_000, String)}]`, `[${numbered(10_001, String)}]`, '', 'at most 10000 elements'],
  [
    'nested elements',
    `{"steps":[[],[${numbered(10_000, () => '{}')}]]}`,
    `{"steps":[[],[${numbered(10_001, () => '{}')}]]}`,
    '/steps/1',
    'at most 10000 elements',
  ],
  [
    '500,000 values',
    `[${numbered(49, () => `[${numbered(9_999, () => '0')}]`)}]`,
    `[${numbered(51, () => `[${numbered(9_999, () => '0')}]`)}]`,
    '',
    'at most 500000',
  ],
  ['long names', `{"${'a'.repeat(1_024)}":1}`, `{"a":{"${'a'.repeat(1_025)}":1}}`, '/a', 'name has at most 1024'],
  ['long numbers', `[-${'1'.repeat(1_023)}]`, `[0,${'1'.repeat(1_000_000)}]`, '/1', 'number has at most 1024'],
  ['long fractions', `[0.${'1'.repeat(1_022)}]`, `{"a":0.${'1'.repeat(1_000_000)}}`, '/a', 'number has at most 1024'],
  ['long exponents', `[1e${'0'.repeat(1_022)}]`, `{"é\\n":1e${'0'.repeat(1_000_000)}}`, '/é\n', 'at most 1024'],
])('accepts a body at the limit and refuses one beyond it: %s', (_, most, tooMany, path, sentence) => {
  expect(refusal(most)).toBeUndefined();
  expect(refusal(tooMany)).toEqual({
    code: 'invalid',
    errors: [{ path, message: expect.stringContaining(sentence) as string }],
  });
});

test('parses no part of a refused body', () => {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    refusal(`[${objectOf(512)},${objectOf(513).slice(0, -1)}`);
    refusal(`[${objectOf(512)},${numbered(11_000, () => `"${'a'.repeat(100)}"`)}]`);
    refusal(`[${objectOf(500)},${numbered(9_000, () => `"${'a'.repeat(100)}"`)}`);
    // Only field names in a pointer are parsed.
    const parsed = parse.mock.calls.map(([text]) => text.length);
    expect(Math.max(0, ...parsed)).toBeLessThan(10);
    expect(refusal(`[${objectOf(512)}]`)).toBeUndefined();
    expect(parse).toHaveBeenCalled();
  } finally {
    parse.mockRestore();
  }
});

test('parses a long body with the same result as JSON.parse', () => {
  const texts = ['', 'x'.repeat(200_000), '\\u00e9\\n'.repeat(40_000), '\\ud83d\\ude00'.repeat(20_000)];
  const body = `  {"__proto__": ${numbered(1, () => objectOf(300))}, "list": [${numbered(
    9_000,
    (index) => `{"deviceid": "51D000:${index}", "__proto__": {"a": ${index}}, "line1": "\\"]}"}`,
  )}],
    "more": [[], {}, [${numbered(10_000, () => '[ ]')}], ${numbered(4_500, () => '-1.5e3 , "a\\\\"')} ], "b": {"": null},
    ${texts.map((text, index) => `"t${index}": "${text}"`).join(' , ')}, "c": [{"long": "${'y'.repeat(100_000)}"}] }\n`;
  const read = readJson(body);
  const expected = JSON.parse(body) as object;
  expect(read).toEqual(expected);
  expect(Object.keys(read as object)).toEqual(Object.keys(expected));
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
});

test('refuses repeated names in an object and reports their position, in short and in long bodies', () => {
  const long = `"pad":${JSON.stringify('x'.repeat(2_000))}`;
  for (const pad of ['"pad":1', long]) {
    for (const [text, path] of [
      [`{"a":1,"a":2,${pad}}`, '/a'],
      [`{"a":1,"\\u0061":2,${pad}}`, '/a'],
      [`{"a":null,${pad},"a":null}`, '/a'],
      [`{"list":[{"x":1},{"x":1,"x":1}],${pad}}`, '/list/1/x'],
      [`[{"a/b":{"__proto__":1,"__proto__":2}, ${pad}}]`, '/0/a~1b/__proto__'],
    ] as const) {
      expect(refusal(text), text.slice(0, 60)).toMatchObject({ code: 'invalid', errors: [{ path }] });
    }
    for (const text of [
      `{"a":{"a":1},"b":{"a":1},"A":1,${pad}}`,
      `{"a":"\\":","b":"x\\" :",${pad}}`,
      `{"toString":1,"__proto__":2,${pad}}`,
    ]) {
      expect(readJson(text), text.slice(0, 60)).toEqual(JSON.parse(text));
    }
  }
});

import { expect, test } from 'vitest';
import { writeXml, XML_FORMAT } from '../../electron/server/http/compat/xmlWriter.ts';
import { writeAnswer } from '../../electron/server/http/bodies/formats.ts';
import { createPauses, JSON_FORMAT, piecesOf } from '../../electron/server/http/bodies/valueParts.ts';
import * as fc from '../helpers/fastCheck.ts';

const XML = 'application/xml';

async function written(value: unknown, accept: string | undefined): Promise<string> {
  const { chunks, beginning } = await writeAnswer(value, accept, () => undefined);
  const text = Buffer.concat(chunks).toString();
  if (accept === undefined) expect(text.startsWith(beginning)).toBe(true);
  return text;
}

const inXml = (value: unknown): string => writeXml(value, { name: 'response', namespace: undefined });

/** Lists, some of which are long enough to be written element by element. */
const long = fc
  .tuple(fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 6 }), fc.nat(900))
  .map(([some, times]) => Array.from({ length: times }, (_, index) => some[index % some.length]));

test('a value written in parts has the same text as the whole value', async () => {
  await fc.assert(
    fc.asyncProperty(long, fc.string(), async (values, name) => {
      for (const value of [
        values,
        { [name]: values, none: undefined, nil: null },
        { i: values },
        { before: 1, one: values, after: { list: values }, two: values },
        [{ items: values }, values, 'ö'],
      ]) {
        expect(await written(value, undefined)).toBe(JSON.stringify(value));
        expect(await written(value, XML)).toBe(inXml(value));
      }
    }),
    { numRuns: 60 },
  );
});

const items = Array.from({ length: 10_000 }, (_, id) => ({ id, name: 'Cable tie 200', state: 'open' }));

test.each([
  ['a list', items],
  ['an object of long lists', { one: items, two: items, three: 'last' }],
])('%s is written element by element', (_what, value) => {
  for (const [format, ofItem] of [
    [JSON_FORMAT, '"id":'],
    [XML_FORMAT, '<id>'],
  ] as const) {
    const counts = Array.from(piecesOf(value, format), (piece) => piece.split(ofItem).length - 1);
    expect(Math.max(...counts)).toBe(1);
  }
});

test('other work runs after each 10 ms of writing', async () => {
  let now = 0;
  let wroteMs = 0;
  let longestMs = 0;
  let turns = 0;
  let isOver = false;
  const other = (): void => {
    turns += 1;
    longestMs = Math.max(longestMs, wroteMs);
    wroteMs = 0;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const timed = items.map((item) => ({
    toJSON() {
      now += 3;
      wroteMs += 3;
      return item;
    },
  }));
  const { chunks } = await writeAnswer(timed, undefined, createPauses({ monotonic: () => now }));
  isOver = true;
  expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual(items);
  expect(longestMs).toBe(12);
  expect(turns).toBeGreaterThanOrEqual(items.length / 4);
});

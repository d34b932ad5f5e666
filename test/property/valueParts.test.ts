import { expect, test } from 'vitest';
import { LazyList } from '#shared/lib/lazyList.ts';
import { whole } from '#shared/lib/inParts.ts';
import { writeXml, XML_FORMAT } from '../../electron/server/http/compat/xmlWriter.ts';
import { writeInParts } from '../../electron/server/http/formats.ts';
import { JSON_FORMAT, piecesOf } from '../../electron/server/http/valueParts.ts';
import * as fc from '../helpers/fastCheck.ts';

const XML = 'application/xml';

function written(value: unknown, accept: string | undefined): string {
  const { chunks, beginning } = whole(writeInParts(value, accept));
  const text = Buffer.concat(chunks).toString();
  if (accept === undefined) expect(text.startsWith(beginning)).toBe(true);
  return text;
}

const inXml = (value: unknown): string => writeXml(value, { name: 'response', namespace: undefined });

/** Values of which some are far too long for one piece. */
const long = fc
  .tuple(fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 6 }), fc.nat(900))
  .map(([some, times]) => Array.from({ length: times }, (_, index) => some[index % some.length]));

test('a value written in pieces is the same text as the whole value', () => {
  fc.assert(
    fc.property(long, fc.string(), (values, name) => {
      for (const value of [
        values,
        { [name]: values, none: undefined, nil: null },
        { i: values },
        [{ items: values }, values, 'ö'],
      ]) {
        expect(written(value, undefined)).toBe(JSON.stringify(value));
        expect(written(value, XML)).toBe(inXml(value));
      }
    }),
    { numRuns: 60 },
  );
});

test('a lazy list is written like its elements, wherever it is split and even if it is empty', () => {
  fc.assert(
    fc.property(fc.array(long, { maxLength: 4 }), (parts) => {
      const lazy = { before: 1, list: new LazyList(() => parts), after: { list: new LazyList(() => parts) } };
      const plain = { before: 1, list: parts.flat(), after: { list: parts.flat() } };
      expect(written(lazy, undefined)).toBe(JSON.stringify(plain));
      expect(written(lazy, XML)).toBe(inXml(plain));
    }),
    { numRuns: 60 },
  );
});

const items = Array.from({ length: 10_000 }, (_, id) => ({ id, name: 'Cable tie 200', state: 'open' }));

test('a long value is written in many pieces', () => {
  let parts = 0;
  for (const _ of writeInParts({ order: 'a', shipments: [{ items }] }, undefined)) parts += 1;
  expect(parts).toBeGreaterThan(40);
});

test.each([
  ['a list', items],
  ['a list in an object in a list', [{ order: 'a', shipments: [{ items }] }]],
  ['a lazy list', { items: new LazyList(() => [items]) }],
  ['an object of long lists', { one: items, two: items, three: 'last' }],
])('no piece of %s has more than a thousand values', (_what, value) => {
  // No item has more than four values.
  for (const [format, ofItem] of [
    [JSON_FORMAT, '"id":'],
    [XML_FORMAT, '<id>'],
  ] as const) {
    const counts = Array.from(piecesOf(value, format), (piece) => piece.split(ofItem).length - 1);
    expect(Math.max(...counts)).toBe(250);
  }
});

import * as fc from '../helpers/fastCheck.ts';
import { XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { locationAliasSchema } from '#shared/api/alias.ts';
import { bulkResultSchema, deviceResultSchema, deviceSchema } from '#shared/api/device.ts';
import { historyEntrySchema, timelineSchema } from '#shared/api/history.ts';
import { mapSchema } from '#shared/api/map.ts';
import { previewSchema } from '#shared/api/preview.ts';
import { problemSchema } from '#shared/api/problem.ts';
import { settingsAnswerSchema } from '#shared/api/settings.ts';
import { stationSchema } from '#shared/api/station.ts';
import { StationError } from '../../electron/server/errors.ts';
import { shapeOf } from '../../electron/server/http/compat/bodyShape.ts';
import { readXmlBody } from '../../electron/server/http/compat/xmlBody.ts';
import { writeXml } from '../../electron/server/http/compat/xmlWriter.ts';
import { asXmlCan, byTheRule, readByRule } from '../helpers/xmlRule.ts';

const ANSWERS = {
  device: deviceSchema,
  devices: z.array(z.string()),
  sent: z.union([deviceResultSchema, z.array(bulkResultSchema)]),
  station: stationSchema,
  map: mapSchema,
  history: z.array(historyEntrySchema),
  timeline: timelineSchema.omit({ callbacks: true }),
  aliases: z.array(locationAliasSchema),
  settings: settingsAnswerSchema,
  preview: previewSchema,
  problem: problemSchema,
} satisfies Record<string, z.ZodType>;

type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  $defs?: Record<string, Schema>;
};

const trouble = fc.constantFrom(
  '<', '>', '&', '&lt;', '&#0;', ']]>', '<!--', '-->', '<i>', '</i>', '<![CDATA[', '"', "'", ' ', '\t', '\n', '\r', '\r\n',
  '\0', '\u0008', '\u001b', '\u0085', '\u2028', '\ufeff', '\ufffe', '\uffff', '\ud800', '\udc00', '😀', 'ä', '_x0041_', '0', 'true',
); // prettier-ignore
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.array(trouble, { maxLength: 6 }).map((parts) => parts.join('')),
);
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 5 }),
  fc.constantFrom('i', 'X-Shop', '1', 'a:b', '_x0041_', 'ä'),
);

/** Generates answers that fit this schema, with unusual texts. */
function answersOf(schema: Schema, root: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return answersOf(root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {}, root);
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return fc.oneof(...either.map((part) => answersOf(part, root)));
  const { type } = schema;
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => answersOf({ ...schema, type: each }, root)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const { properties = {}, additionalProperties: others } = schema;
  switch (type) {
    case 'string':
      return text;
    case 'integer':
      return fc.maxSafeInteger();
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(answersOf(schema.items ?? {}, root), { maxLength: 3 });
    case 'object':
      return typeof others === 'object' && Object.keys(properties).length === 0
        ? fc.dictionary(name, answersOf(others, root), { maxKeys: 3 })
        : fc.record(Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, answersOf(part, root)])), {
            requiredKeys: schema.required ?? [],
            noNullPrototype: true,
          });
    default:
      throw new Error(`There is no example of ${JSON.stringify(schema)}.`);
  }
}

/** Returns a value as the other side of a connection receives it. */
function told(value: unknown): unknown {
  const plain = JSON.parse(JSON.stringify(value)) as unknown;
  const clean = (part: unknown): unknown => {
    if (typeof part === 'string') return asXmlCan(part);
    if (Array.isArray(part)) return part.map(clean);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, clean(each)]));
  };
  return clean(plain);
}

function write(value: unknown): string {
  return writeXml(value, { name: 'response', namespace: undefined });
}

test.each(Object.entries(ANSWERS))('an answer of the form %s is read back as written', (_name, schema) => {
  const shape = shapeOf(schema);
  const form = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Schema;
  fc.assert(
    fc.property(answersOf(form, form), (answer) => {
      expect(readXmlBody(write(answer), shape)).toEqual(told(answer));
    }),
    { numRuns: 200 },
  );
});

test('any JSON becomes well-formed XML that our reader and an independent reader read the same way', () => {
  const anything = shapeOf(z.unknown());
  const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
      fc.array(tie('tree'), { maxLength: 4 }),
      // The other reader cannot handle these names.
      fc.dictionary(
        name.filter((each) => !inherited.has(each)),
        tie('tree'),
        { maxKeys: 4 },
      ),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const expected = byTheRule(JSON.parse(JSON.stringify(value)));
      const xml = write(value);
      expect(readByRule(xml)).toEqual({ root: 'response', namespace: undefined, value: expected });
      expect(readXmlBody(xml, anything)).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});

test('any body is refused with a message, or is well-formed XML with a value that JSON can express', () => {
  const part = fc.constantFrom(
    '<a>', '</a>', '<b c="1">', '</b >', '<d/>', "<e f='>'/>", '<x:a>', '</x:a>', '<!-- -->', '<!--', '-->', '<![CDATA[', ']]>',
    '<?p q?>', '<?', '?>', '<!DOCTYPE a>', '&lt;', '&#65;', '&#0;', '&x;', '&', '<', '>', '"', "'", '=', '/', 'text', ' ', '\n', '\r\n',
    '\0', '\ud800', 'ä', '😀', '-', '<i>', '</i>', '<i/>', ' xsi:nil="true"', '__proto__', '<__proto__>', '</__proto__>',
  ); // prettier-ignore
  const nested = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
  const document = fc.oneof(
    nested,
    nested.map((content) => `<r>${content}</r>`),
    nested.map((content) => `<r><a>${content}</a><d/></r>`),
  );
  let read = 0;
  fc.assert(
    fc.property(document, (xml) => {
      let value: unknown;
      try {
        value = readXmlBody(xml, shapeOf(z.unknown()));
      } catch (error) {
        if (!(error instanceof StationError)) throw error;
        expect(error.message).toMatch(
          /^(?:The body is not XML: line \d+, column \d+: .+\.|<.+> has the attribute .+)$/s,
        );
        return;
      }
      read += 1;
      expect(XMLValidator.validate(xml)).toBe(true);
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    }),
    { numRuns: 2_000 },
  );
  expect(read).toBeGreaterThan(50);
});

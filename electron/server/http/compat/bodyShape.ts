import { z } from 'zod';

/** What a schema allows at a position in a body. Needed because XML has neither numbers nor lists, and old clients send numbers as text. */
export type Shape = {
  /** Whether the schema allows any value. */
  isAnything: boolean;
  isText: boolean;
  isNumber: boolean;
  isBoolean: boolean;
  isObject: boolean;
  /** Shape of the elements, if the value may be an array. */
  elements?: Shape;
  /** Names of the fields, if the value may be an object. */
  names: readonly string[];
  field: (name: string) => Shape | undefined;
};

type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $defs?: Record<string, Schema>;
};

/** Shape of a position where the schema allows any value. Text stays text there. */
export const ANYTHING: Shape = {
  isAnything: true,
  isText: true,
  isNumber: false,
  isBoolean: false,
  isObject: false,
  names: [],
  field: () => undefined,
};

/** Compiled shapes by schema, shared by parsing, converting and checking a body. */
const SHAPES = new WeakMap<z.ZodType, Shape>();

/** Returns the shape of requests with this schema. */
export function shapeOf(schema: z.ZodType): Shape {
  const known = SHAPES.get(schema);
  if (known !== undefined) return known;
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  const shape = compiled([root], root);
  SHAPES.set(schema, shape);
  return shape;
}

function compiled(schemas: readonly Schema[], root: Schema): Shape {
  const alternatives = schemas.flatMap((schema) => alternativesOf(schema, root));
  const types = new Set(alternatives.flatMap(typesOf));
  const elements = alternatives.flatMap(({ items }) => items ?? []);
  const names = new Set(alternatives.flatMap(({ properties = {} }) => Object.keys(properties)));
  const others = alternatives.flatMap(({ additionalProperties: part }) => (typeof part === 'object' ? part : []));
  const compileField = (name: string): Shape =>
    compiled([...alternatives.flatMap(({ properties }) => properties?.[name] ?? []), ...others], root);
  // Compile on first use, because a schema can contain itself.
  const fields = new Map<string, Shape>();
  let otherFields: Shape | undefined;
  let compiledElements: Shape | undefined;
  return {
    isAnything: types.size === 0,
    isText: types.has('string') || types.size === 0,
    isNumber: types.has('number') || types.has('integer'),
    isBoolean: types.has('boolean'),
    isObject: types.has('object'),
    names: [...names],
    get elements() {
      if (types.has('array')) compiledElements ??= elements.length === 0 ? ANYTHING : compiled(elements, root);
      return compiledElements;
    },
    field(name) {
      if (!names.has(name)) {
        if (others.length > 0) otherFields ??= compiled(others, root);
        return otherFields;
      }
      const known = fields.get(name) ?? compileField(name);
      fields.set(name, known);
      return known;
    },
  };
}

function alternativesOf(schema: Schema, root: Schema): Schema[] {
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) {
    const target = $ref === '#' ? root : root.$defs?.[$ref.replace('#/$defs/', '')];
    return target === undefined ? [] : alternativesOf(target, root);
  }
  const parts = anyOf ?? oneOf ?? allOf;
  return parts === undefined ? [schema] : parts.flatMap((part) => alternativesOf(part, root));
}

function typesOf({ type, const: constant, enum: values }: Schema): string[] {
  if (type !== undefined) return [type].flat();
  return (values ?? (constant === undefined ? [] : [constant])).map((value) => typeof value);
}

import { z } from 'zod';
import type { InParts } from '#shared/lib/station/inParts.ts';

export type Json = { [key: string]: unknown };

const PREFIX = '#/components/schemas/';

/** Returns a schema in which parts with an id are replaced by references. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const id = z.globalRegistry.get(schema)?.id;
  if (id !== undefined) return { $ref: PREFIX + id };
  const inline = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    uri: componentUri,
    unrepresentable: 'any',
  } as never) as Json;
  // Remove the definitions: parts with an id are components of the document instead.
  delete inline['definitions'];
  const described = clean(JSON.parse(JSON.stringify(inline).replaceAll('"#/definitions/', `"${PREFIX}`)));
  return (io === 'output' ? open(described) : described) as Json;
}

type Components = Record<string, Record<string, Json>>;

/** Returns all components to which `used` refers, directly or through other components. */
export function* componentsFor(used: object, others: Components): InParts<Components> {
  const all: Components = { schemas: yield* everySchema(), ...others };
  const found = new Map<string, Set<string>>(Object.keys(all).map((kind) => [kind, new Set()]));
  const follow = (value: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      const component = all[kind]?.[name];
      if (component === undefined || found.get(kind)?.has(name) === true) continue;
      found.get(kind)?.add(name);
      follow(component);
    }
  };
  for (const part of Object.values(used)) {
    follow(part);
    yield;
  }
  return Object.fromEntries(
    Object.entries(all).map(([kind, components]) => [kind, only(components, (name) => found.get(kind)?.has(name))]),
  );
}

function only(components: Record<string, Json>, isKept: (name: string) => boolean | undefined): Record<string, Json> {
  const kept = Object.entries(components).filter(([name]) => isKept(name));
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function componentUri(id: string): string {
  return PREFIX + id;
}

function* everySchema(): InParts<Record<string, Json>> {
  const all: Record<string, Json> = {};
  // oxlint-disable-next-line no-underscore-dangle -- Zod has no other list of schemas, and converts all of them only at once
  for (const [id, schema] of z.globalRegistry._idmap) {
    const { definitions } = z.toJSONSchema(schema, {
      target: 'openapi-3.0',
      io: 'input',
      uri: componentUri,
    } as never) as unknown as { definitions: Record<string, Json> };
    const text = JSON.stringify(definitions[id]).replaceAll('"#/definitions/', `"${PREFIX}`);
    all[id] = clean(JSON.parse(text)) as Json;
    yield;
  }
  return Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, withNulls(schema, all) as Json]));
}

/** Inlines nullable references, because OpenAPI 3.0 does not allow `nullable` next to a reference. */
function withNulls(value: unknown, all: Record<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((part) => withNulls(part, all));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withNulls(part, all)]));
  const { allOf, ...rest } = parts;
  const [only] = Array.isArray(allOf) && rest['nullable'] === true ? (allOf as Json[]) : [];
  const reference = only?.['$ref'];
  return typeof reference === 'string' ? { ...all[reference.replace(PREFIX, '')], ...rest } : parts;
}

/** Allows additional fields in responses, because later versions may add some. */
function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, part]) => key !== 'additionalProperties' || part !== false);
  return Object.fromEntries(kept.map(([key, part]) => [key, open(part)]));
}

/** Removes keywords that OpenAPI 3.0 does not have. */
function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  const result: Json = {};
  for (const [key, part] of Object.entries(value)) {
    // Skip names of the schema itself. A property called id is an object, not a string.
    if (typeof part === 'string' && (key === '$id' || key === '$schema' || key === 'id')) continue;
    // Skip limits of JavaScript, which are not limits of the API.
    if (part === Number.MIN_SAFE_INTEGER || part === Number.MAX_SAFE_INTEGER) continue;
    result[key] = clean(part);
  }
  const { allOf, ...others } = result;
  // Unwrap a schema that only refers to another.
  if (Array.isArray(allOf) && allOf.length === 1 && Object.keys(others).length === 0) return allOf[0];
  // A nullable enum has to list null.
  if (result['nullable'] === true && Array.isArray(result['enum']) && !result['enum'].includes(null)) {
    result['enum'] = [...(result['enum'] as unknown[]), null];
  }
  return result;
}

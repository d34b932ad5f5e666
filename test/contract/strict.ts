import { z } from 'zod';
import { resolve, type JsonObject, type OpenApi } from './documents.ts';

/** Returns how a value violates a schema that allows only described fields, or undefined if it does not. */
export function findMismatch(schema: unknown, value: unknown, document: OpenApi): string | undefined {
  const { error } = toZod(schema, document).safeParse(value);
  return error && z.prettifyError(error);
}

const made = new WeakMap<OpenApi, Map<string, z.ZodType>>();

/** Converts a schema to a Zod type. Caches types by document, because most answers share a few schemas. */
export function toZod(schema: unknown, document: OpenApi): z.ZodType {
  const known = made.get(document) ?? new Map<string, z.ZodType>();
  made.set(document, known);
  const key = JSON.stringify(schema);
  const type = known.get(key) ?? strict(resolve(schema, document));
  known.set(key, type);
  return type;
}

/** Converts a schema to a Zod type for values read from XML, where everything is text and all empty values look alike. */
export function toZodOfTexts(schema: unknown, document: OpenApi): z.ZodType {
  return ofTexts(resolve(schema, document));
}

const EMPTY = z.literal('');

function ofTexts(schema: JsonObject): z.ZodType {
  const read = ofPlainTexts(schema);
  return schema['nullable'] === true ? read.nullable() : read;
}

function ofPlainTexts(schema: JsonObject): z.ZodType {
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as JsonObject[] | undefined;
  if (alternatives !== undefined) return z.union(alternatives.map(ofTexts));
  const values = schema['enum'] as unknown[] | undefined;
  if (values !== undefined) return z.enum(values.filter((each) => each !== null).map(String));
  switch (schema['type']) {
    case 'object':
      return objectOfTexts(schema);
    case 'array':
      return z.union([EMPTY, z.array(ofTexts((schema['items'] ?? {}) as JsonObject))]);
    case 'boolean':
      return z.enum(['true', 'false']);
    case 'integer':
      return z.string().regex(/^-?\d+$/);
    case 'number':
      return z.string().regex(/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/);
    case 'string':
      return z.string();
    default:
      return z.unknown();
  }
}

function objectOfTexts(schema: JsonObject): z.ZodType {
  const required = (schema['required'] ?? []) as string[];
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>).map(
    ([name, property]) => {
      const read = ofTexts(property);
      return [name, required.includes(name) ? read : read.optional()] as const;
    },
  );
  const others = schema['additionalProperties'];
  const fields = Object.fromEntries(properties);
  const isOpen = typeof others === 'object' || others === true || schema['properties'] === undefined;
  const read = isOpen
    ? z.object(fields).catchall(typeof others === 'object' ? ofTexts(others as JsonObject) : z.unknown())
    : z.strictObject(fields);
  return required.length === 0 ? z.union([EMPTY, read]) : read;
}

function strict(schema: JsonObject): z.ZodType {
  return z.fromJSONSchema(closed(schema) as Parameters<typeof z.fromJSONSchema>[0], { defaultTarget: 'openapi-3.0' });
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]));
  const isObject = 'properties' in value && !('additionalProperties' in value);
  return isObject ? { ...parts, additionalProperties: false } : parts;
}

import { z } from 'zod';
import { resolve, type Json, type OpenApi } from './documents.ts';

/** What is wrong with a value by a schema that takes nothing beyond what it describes; undefined where nothing is. */
export function findMismatch(schema: unknown, value: unknown, document: OpenApi): string | undefined {
  const { error } = strict(resolve(schema, document)).safeParse(value);
  return error && z.prettifyError(error);
}

/** The schema as one that reads values. */
export function toZod(schema: unknown, document: OpenApi): z.ZodType {
  return strict(resolve(schema, document));
}

function strict(schema: Json): z.ZodType {
  return z.fromJSONSchema(closed(schema) as Parameters<typeof z.fromJSONSchema>[0], { defaultTarget: 'openapi-3.0' });
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]));
  const isObject = 'properties' in value && !('additionalProperties' in value);
  return isObject ? { ...parts, additionalProperties: false } : parts;
}

import type { TestStation } from '../helpers/startTestStation.ts';

export type Json = { [key: string]: unknown };

export type Operation = {
  operationId: string;
  parameters?: { name: string; in: 'path' | 'query'; required: boolean; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>;
  security: Json[];
};

export type OpenApi = {
  openapi: string;
  info: Json;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
};

export async function fetchDocument(station: TestStation, path: string): Promise<OpenApi> {
  const answer = await station.request('GET', path, undefined, {});
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return answer.body as OpenApi;
}

/** Every operation with its path and method. */
export function operations(document: OpenApi): { path: string; method: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

/** A schema with what it refers to in place of every reference. */
export function resolve(schema: unknown, document: OpenApi): Json {
  return inline(schema, document) as Json;
}

function inline(value: unknown, document: OpenApi): unknown {
  if (Array.isArray(value)) return value.map((part) => inline(part, document));
  if (typeof value !== 'object' || value === null) return value;
  const reference = '$ref' in value ? value.$ref : undefined;
  if (typeof reference === 'string') {
    const target = document.components.schemas[reference.replace('#/components/schemas/', '')];
    if (target === undefined) throw new Error(`There is no ${reference}.`);
    return inline(target, document);
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inline(part, document)]));
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestStation } from '../helpers/startTestStation.ts';

export type JsonObject = { [key: string]: unknown };

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonObject;
  example?: string | number;
};

export type MediaTypes = Record<
  string,
  { schema: JsonObject; examples?: Record<string, { summary?: string; value: unknown }> }
>;

export type Response = { description: string; headers?: JsonObject; content?: MediaTypes };

export type DocumentedOperation = {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { description?: string; required: boolean; content: MediaTypes };
  responses: Record<string, Response | { $ref: string }>;
  security: JsonObject[];
  /** Callbacks that the operation causes, by name, URL and method. */
  callbacks?: Record<string, Record<string, Record<string, DocumentedOperation>>>;
};

export type OpenApi = {
  openapi: string;
  info: JsonObject;
  tags?: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: {
    schemas: Record<string, JsonObject>;
    responses?: Record<string, JsonObject>;
    parameters?: Record<string, Parameter>;
  };
};

/** The paths of the documents named in the specification, with the tags that each covers. */
export const PARTS: readonly [path: string, tags: readonly string[]][] = [
  ['/devices/openapi.json', ['devices', 'turbos']],
  ['/location-aliases/openapi.json', ['location-aliases']],
  ['/sequence/openapi.json', ['sequences']],
  ['/orders/openapi.json', ['orders']],
];

export type Described = { path: string; method: string; operation: DocumentedOperation };

export async function fetchDocument(station: TestStation, path: string): Promise<OpenApi> {
  const answer = await station.request('GET', path, undefined, {});
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return answer.body as OpenApi;
}

/** Path of the frozen contract, on which callers rely. */
export const FROZEN = join(import.meta.dirname, '..', '..', 'resources', 'openapi', 'whole.json');

/** Reads the frozen contract, which may differ from the document that the station serves. */
export function frozenDocument(): OpenApi {
  return JSON.parse(readFileSync(FROZEN, 'utf8')) as OpenApi;
}

/** Returns the rights named in the description, one of which a caller needs. The list is empty if the operation is public. */
export function rightsNeeded({ description = '' }: DocumentedOperation): string[] {
  const [, named = ''] = /Needs the right (`\w+`(?: or `\w+`)*):[^\n]*$/.exec(description) ?? [];
  return [...named.matchAll(/`(\w+)`/g)].map(([, right = '']) => right);
}

/** Lists every operation with its path, method and resolved parameters. */
export function operations(document: OpenApi): Described[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: withParameters(operation, document),
    })),
  );
}

function withParameters(operation: DocumentedOperation, { components }: OpenApi): DocumentedOperation {
  const { parameters } = operation;
  if (parameters === undefined) return operation;
  return { ...operation, parameters: parameters.map((parameter) => resolved(parameter, components.parameters)) };
}

function resolved(parameter: Parameter | { $ref: string }, shared: Record<string, Parameter> = {}): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const found = shared[parameter.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`The document has no ${parameter.$ref}.`);
  return found;
}

/** Returns an operation's answer with this status, or its default answer. */
export function responseOf(
  operation: DocumentedOperation,
  status: number | string,
  document: OpenApi,
): Response | undefined {
  const response = operation.responses[status] ?? operation.responses['default'];
  if (response === undefined || !('$ref' in response)) return response;
  const name = response.$ref.replace('#/components/responses/', '');
  const shared = document.components.responses?.[name];
  if (shared === undefined) throw new Error(`There is no ${response.$ref}.`);
  return shared as Response;
}

/** Replaces every reference in a schema with its target. */
export function resolve(schema: unknown, document: OpenApi): JsonObject {
  return inline(schema, document) as JsonObject;
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
  const parts = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inline(part, document)]));
  return 'allOf' in parts ? merged(parts) : parts;
}

/** Replaces `allOf` with one object that has the fields of all its parts. Returns other schemas unchanged. */
function merged({ allOf, ...rest }: JsonObject): JsonObject {
  const parts = [...(allOf as JsonObject[]), rest];
  if (!parts.some(({ properties }) => properties !== undefined)) return { allOf, ...rest };
  const fields = parts.map(({ properties }) => properties as JsonObject | undefined);
  const required = parts.flatMap(({ required: names }) => (names as string[] | undefined) ?? []);
  const { properties: _, ...first } = Object.assign({}, ...parts.toReversed()) as JsonObject;
  return { ...first, properties: Object.assign({}, ...fields), ...(required.length === 0 ? {} : { required }) };
}

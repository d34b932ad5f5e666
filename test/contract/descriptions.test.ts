import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import { fetchDocument, operations, resolve, type JsonObject, type OpenApi } from './documents.ts';

let station: TestStation;
let whole: OpenApi;

beforeAll(async () => {
  station = await startTestStation();
  whole = await fetchDocument(station, '/api/openapi.json');
});

afterAll(() => station.stop());

/** Returns the fields of a schema and of its nested schemas, each with its path. */
function fieldsOf(
  schema: JsonObject,
  path: string,
  seen: readonly string[] = [],
): { path: string; field: JsonObject }[] {
  const { $ref } = schema as { $ref?: string };
  if ($ref !== undefined) {
    return seen.includes($ref) ? [] : fieldsOf(resolve(schema, whole), path, [...seen, $ref]);
  }
  const {
    properties = {},
    items,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema as Record<string, never> & {
    properties?: Record<string, JsonObject>;
    anyOf?: JsonObject[];
    oneOf?: JsonObject[];
    allOf?: JsonObject[];
  };
  const own = Object.entries(properties).flatMap(([name, field]) => [
    { path: `${path}/${name}`, field },
    ...fieldsOf(field, `${path}/${name}`, seen),
  ]);
  const parts = [...anyOf, ...oneOf, ...allOf, ...(items === undefined ? [] : [items])];
  return [...own, ...parts.flatMap((part) => fieldsOf(part, path, seen))];
}

/** Returns the field's own description, or else that of its type. */
function saidOf(field: JsonObject): unknown {
  const { description, allOf = [], $ref } = field as { description?: string; allOf?: JsonObject[]; $ref?: string };
  if (description !== undefined) return description;
  if ($ref !== undefined) return saidOf(resolve(field, whole)) ?? (resolve(field, whole) as { type?: string }).type;
  return allOf.map(saidOf).find((said) => said !== undefined);
}

function isNumber(field: JsonObject): boolean {
  const { type, anyOf = [], oneOf = [] } = field as { type?: string; anyOf?: JsonObject[]; oneOf?: JsonObject[] };
  return type === 'integer' || type === 'number' || [...anyOf, ...oneOf].some(isNumber);
}

test('every number and every field of a request body has a description', () => {
  const sent = operations(whole).flatMap(({ operation }) =>
    Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
      fieldsOf(schema, operation.operationId),
    ),
  );
  const numbers = Object.entries(whole.components.schemas)
    .flatMap(([name, schema]) => fieldsOf(schema, name))
    .filter(({ field }) => isNumber(field));
  expect(sent.length).toBeGreaterThan(100);
  expect(numbers.length).toBeGreaterThan(100);
  const silent = [...sent, ...numbers].filter(({ field }) => saidOf(field) === undefined).map(({ path }) => path);
  expect([...new Set(silent)]).toEqual([]);
});

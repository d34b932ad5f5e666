import { expect, test } from 'vitest';
import { pointerOf } from '#shared/lib/station/jsonPointer.ts';
import { operations, resolve, type Described, type JsonObject, type OpenApi } from './documents.ts';
import { sendExamples, type SentExample } from './sendExamples.ts';

const UNKNOWN = 'no_such_field';
/** Maximum number of unknown fields that an answer names. */
const MAX_NAMED = 10;
const STRICT = 'strict=1';

/** Returns the schema of an operation's request body, or undefined if it has none. */
function bodySchema({ operation }: Described, document: OpenApi): JsonObject | undefined {
  const { content = {} } = operation.requestBody ?? {};
  const { schema } = content['application/json'] ?? content['application/x-www-form-urlencoded'] ?? {};
  return schema === undefined ? undefined : resolve(schema, document);
}

/** Adds an unknown field to each object in a value that has known fields. Returns the value and the pointers to the unknown fields. */
function marked(value: unknown, schemas: readonly JsonObject[], path: (string | number)[] = []): Marked {
  const all = schemas.flatMap((schema) => (schema['anyOf'] ?? schema['oneOf'] ?? [schema]) as JsonObject[]);
  if (Array.isArray(value)) {
    const items = all.flatMap((schema): JsonObject[] => [(schema['items'] ?? {}) as JsonObject]);
    return joined(value.map((each, index) => marked(each, items, [...path, index])));
  }
  if (typeof value !== 'object' || value === null) return { value, paths: [] };
  const parts = Object.entries(value).map(([name, part]) => {
    const inside = all.map((schema) => (schema['properties'] as Record<string, JsonObject> | undefined)?.[name] ?? {});
    return [name, marked(part, inside, [...path, name])] as const;
  });
  const isClosed = all.some(({ properties }) => properties !== undefined) || path.length === 0;
  const fields = Object.fromEntries(parts.map(([name, part]) => [name, part.value]));
  const paths = parts.flatMap(([, part]) => part.paths);
  return isClosed
    ? { value: { ...fields, [UNKNOWN]: 'x' }, paths: [...paths, pointerOf([...path, UNKNOWN])] }
    : { value: fields, paths };
}

type Marked = { value: unknown; paths: string[] };

const joined = (parts: readonly Marked[]): Marked => ({
  value: parts.map(({ value }) => value),
  paths: parts.flatMap(({ paths }) => paths),
});

const asNamed = (text: string): string[] =>
  text.includes('There is no such field.') ? [text.slice(0, text.indexOf(': '))] : [];

/** Returns the pointers that an answer warns about, in `warnings` or else in the header. Elements of a list have their own warnings. */
function warnedOf({ body, headers }: SentExample['answer']): string[] {
  const header = JSON.parse(headers.get('x-pickstation-warnings') ?? '[]') as string[];
  if (Array.isArray(body) && header.length === 0) {
    return (body as Faulty[]).flatMap(({ warnings = [] }, index) =>
      warnings.flatMap(asNamed).map((path) => `/${index}${path}`),
    );
  }
  const isObject = typeof body === 'object' && !Array.isArray(body) && !(body instanceof Uint8Array);
  return (isObject ? ((body as Faulty).warnings ?? []) : header).flatMap(asNamed);
}

/** Returns the pointers that a refusal names. */
function refusedOf({ body }: SentExample['answer']): string[] {
  const of = ({ errors = [] }: Faulty): string[] =>
    errors.flatMap(({ path, message }) => asNamed(`${path}: ${message}`));
  return Array.isArray(body)
    ? (body as Faulty[]).flatMap((each, index) => of(each).map((path) => `/${index}${path}`))
    : of(body as Faulty);
}

function elementAt(body: unknown, path: string): Faulty | undefined {
  return Array.isArray(body) ? (body as Faulty[])[Number(path.split('/')[1])] : undefined;
}

type Faulty = { status?: number; warnings?: string[]; errors?: { path: string; message: string }[] };

/** Bodies that change nothing: an empty one, and one with only an unknown field. */
const NOTHING = [{}, { [UNKNOWN]: 1 }];

/** The requests with unknown fields and their answers. They are sent only once, by the first test that needs them. */
let sending: ReturnType<typeof sendMarked> | undefined;

async function sendMarked() {
  const pointers = new Map<unknown, string[]>();
  const { document, sent } = await sendExamples((whole) => (real, described) => {
    const schema = bodySchema(described, whole);
    if (schema === undefined) return [{ body: real }];
    const { value: body, paths } = marked(real ?? {}, [schema]);
    pointers.set(body, paths);
    const isClosed = schema['additionalProperties'] === false;
    return [
      ...(described.method === 'PATCH' ? NOTHING.map((nothing) => ({ body: nothing })) : []),
      { body, query: STRICT },
      { body },
      ...(isClosed ? [{ body: real }] : []),
    ];
  });
  return { pointers, document, sent };
}

test('every operation with a body warns about unknown fields at any depth, and refuses them with ?strict=1', async () => {
  const { pointers, document, sent } = await (sending ??= sendMarked());
  const checked = new Set<string>();
  for (const { operation, request, answer, variant } of sent) {
    const paths = pointers.get(variant.body);
    if (paths === undefined) continue;
    const name = `${operation.operationId} (${request}) ${variant.query ?? ''}`;
    const named = new Set([...warnedOf(answer), ...refusedOf(answer)]);
    // If an element's device is unknown, the answer names only the device and not the unknown fields.
    const expected = paths.filter((path) => elementAt(answer.body, path)?.status !== 404);
    expect({ name, status: answer.status, named: [...named].toSorted() }).toEqual({
      name,
      status: variant.query === STRICT ? expect.toBeOneOf([400, 207]) : expect.any(Number),
      named: paths.length > MAX_NAMED ? expect.any(Array) : expected.toSorted(),
    });
    expect(named.size, name).toBe(Math.min(expected.length, MAX_NAMED));
    checked.add(operation.operationId);
  }
  const withBody = operations(document).filter((each) => bodySchema(each, document) !== undefined);
  expect([...checked].toSorted()).toEqual(withBody.map(({ operation }) => operation.operationId).toSorted());
});

test('every PATCH refuses a body that changes nothing', async () => {
  const { document, sent } = await (sending ??= sendMarked());
  const empty = sent.filter(({ variant }) => NOTHING.includes(variant.body as object));
  for (const { operation, answer } of empty) {
    const { status } = answer;
    const said = ((answer.body as Faulty).errors ?? []).map(({ message }) => message).join(' ');
    expect({ name: operation.operationId, status, said }).toEqual({
      name: operation.operationId,
      status: 400,
      said: expect.stringMatching(
        /The request changes nothing\. Send |This is missing|There is no such field|This has to be an array/,
      ),
    });
  }
  const names = new Set(empty.map(({ operation }) => operation.operationId));
  expect(names.size).toBe(operations(document).filter(({ method }) => method === 'PATCH').length);
});

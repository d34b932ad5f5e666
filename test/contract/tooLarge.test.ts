import { expect, test } from 'vitest';
import { pointerOf } from '#shared/lib/station/jsonPointer.ts';
import { resolve, type Described, type JsonObject, type OpenApi } from './documents.ts';
import { sendExamples } from './sendExamples.ts';

/** Numbers that are too large for every field: one that a double stores exactly, one that it does not, and one as text. Fields take turns. */
const HUGE = [2_000_000_000_000, 1e300, '9'.repeat(30)] as const;
let turn = 0;

type Limit = { path: string; says: RegExp };
type Filled = { value: unknown; limits: Limit[] };

/** Returns the value with a text that is too long, or a number that is too large, in each field that has a limit, and the limits. */
function tooLarge(value: unknown, given: JsonObject, document: OpenApi, at: (string | number)[]): Filled {
  const schema = resolve(given, document);
  const path = pointerOf(at);
  const { maxLength, maximum } = schema as { maxLength?: number; maximum?: number };
  if (schema['type'] === 'string' && maxLength !== undefined && schema['pattern'] === undefined)
    return {
      value: 'x'.repeat(maxLength + 1),
      limits: [{ path, says: new RegExp(`at most ${maxLength}|${maxLength} characters`) }],
    };
  if ((schema['type'] === 'integer' || schema['type'] === 'number') && maximum !== undefined)
    return {
      value: HUGE[(turn += 1) % HUGE.length],
      limits: [{ path, says: new RegExp(`(?:largest value is|to|at most) ${maximum}\\b`) }],
    };
  if (Array.isArray(value) && value.length > 0) {
    const items = (schema['items'] ?? {}) as JsonObject;
    const parts = value.map((each, index) => tooLarge(each, items, document, [...at, index]));
    return { value: parts.map((part) => part.value), limits: parts.flatMap((part) => part.limits) };
  }
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>).filter(
    // An idempotency key that is too long is refused before the other fields are read.
    ([name]) => at.length > 0 || name !== 'key',
  );
  if (properties.length === 0 || typeof value !== 'object' || value === null) return { value, limits: [] };
  const known = value as Record<string, unknown>;
  const parts = properties.map(([name, each]) => [name, tooLarge(known[name], each, document, [...at, name])] as const);
  const changed = Object.fromEntries(
    parts.flatMap(([name, part]) => (part.value === undefined ? [] : [[name, part.value]])),
  );
  return { value: { ...known, ...changed }, limits: parts.flatMap(([, part]) => part.limits) };
}

function bodySchema({ operation }: Described): JsonObject | undefined {
  return operation.requestBody?.content?.['application/json']?.schema;
}

type Refusal = { errors?: { path: string; message: string }[] };

/** Lists the errors of an answer. Errors of an element in an array are below its index, and the list that the body names. */
function errorsOf(body: unknown, list: string): { path: string; message: string }[] {
  if (!Array.isArray(body)) return (body as Refusal).errors ?? [];
  return (body as Refusal[]).flatMap(({ errors = [] }, index) =>
    errors.map(({ path, message }) => ({ path: `${list}/${index}${path}`, message })),
  );
}

test('texts that are too long and numbers that are too large are refused with the limit of the field', async () => {
  const limitsOf = new Map<unknown, Limit[]>();
  const { sent } = await sendExamples((document) => (real, described) => {
    const schema = bodySchema(described);
    if (schema === undefined) return [{ body: real }];
    const { value: body, limits } = tooLarge(real, schema, document, []);
    if (limits.length > 0) limitsOf.set(body, limits);
    return limits.length > 0 ? [{ body }, { body: real }] : [{ body: real }];
  });
  const faults = sent.flatMap(({ operation, answer, variant }) => {
    const limits = limitsOf.get(variant.body) ?? [];
    const errors = errorsOf(answer.body, operation.operationId === 'changeStock' ? '/movements' : '');
    return limits.flatMap(({ path, says }) => {
      const own = errors.filter((error) => error.path === path).map(({ message }) => message);
      // Some lists take numbers only, not numbers as text.
      if (own.includes('This has to be a number.')) return [];
      const isWider = own.some((message) => message.includes('largest value') && !says.test(message));
      return own.some((message) => says.test(message)) && !isWider
        ? []
        : [{ operation: operation.operationId, status: answer.status, path, says: String(says), own }];
    });
  });
  expect(faults).toEqual([]);
  expect(limitsOf.size).toBeGreaterThan(40);
});

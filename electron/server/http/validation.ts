import type { z } from 'zod';
import type { FieldError } from '#shared/api/problem.ts';
import { fieldErrors } from '#shared/api/schemaFaults.ts';
import { StationError } from '../errors.ts';

/**
 * Validates a value. Throws `invalid` with all faults that the schema finds, and with `others`, which the caller has found. The pointers
 * refer to the body, or name the parameter.
 */
export function validate<T>(
  schema: z.ZodType<T>,
  value: unknown,
  part: 'path' | 'query' | 'body',
  others: readonly FieldError[] = [],
): T {
  const result = schema.safeParse(value);
  if (result.success && others.length === 0) return result.data;
  const named = new Set(others.map(({ path }) => path));
  const invalid = result.error === undefined ? [] : fieldErrors(result.error);
  const errors = [...others, ...invalid.filter(({ path }) => !named.has(path))];
  const [first] = errors;
  const where =
    part === 'body'
      ? first?.path === ''
        ? 'The body'
        : (first?.path ?? 'The body')
      : `The ${part} parameter ${first?.path.slice(1) ?? ''}`;
  throw new StationError('invalid', `${where}: ${first?.message ?? 'not valid'}`, errors);
}

/**
 * Returns the valid fields of an object, and the faults in its other fields. For requests that are checked further, so that one response
 * lists all faults. Throws `invalid` if the value is not an object, or is invalid as a whole.
 */
export function readValid<T>(schema: z.ZodType<T>, value: unknown): { read: T; faults: FieldError[] } {
  const result = schema.safeParse(value);
  if (result.success) return { read: result.data, faults: [] };
  const wrong = new Set(result.error.issues.map(({ path }) => path[0]));
  if (typeof value !== 'object' || value === null || wrong.has(undefined)) {
    return { read: validate(schema, value, 'body'), faults: [] };
  }
  const rest = Object.fromEntries(Object.entries(value).filter(([field]) => !wrong.has(field)));
  return { read: validate(schema, rest, 'body'), faults: fieldErrors(result.error) };
}

import type { z } from 'zod';
import type { FieldError } from '#shared/api/problem.ts';
import { StationError } from '../errors.ts';
import { pointerOf } from '#shared/lib/jsonPointer.ts';

/** Throws `invalid` with all faults, after `others` that the caller found. Pointers lead into the body, or name the parameter. */
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
 * Reads the valid fields of an object and returns the faults of the others, for requests whose fields are checked further, so
 * that one answer names all faults. Throws `invalid` where nothing can be read.
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

/** The faults of a value by its schema. */
export function faultsOf(schema: z.ZodType, value: unknown): FieldError[] {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : fieldErrors(error);
}

function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.flatMap((issue) => {
    const path = pointerOf(issue.path);
    if (issue.code !== 'unrecognized_keys') return [{ path, message: sentenceOf(issue) }];
    return issue.keys.map((key) => ({ path: path + pointerOf([key]), message: 'There is no such field.' }));
  });
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

const UNITS: Record<string, string> = { string: 'characters', array: 'elements' };

/** Says what is wrong and what is right. Messages of our own schemas are sentences already. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (!issue.message.startsWith('Invalid input')) return issue.message;
      return `${issue.message.endsWith('received undefined') ? 'This is missing: it has' : 'This has'} to be ${NOUNS[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      return issue.origin in UNITS
        ? `This is too short: at least ${issue.minimum} ${UNITS[issue.origin]}.`
        : `The smallest value is ${issue.minimum}.`;
    case 'too_big':
      if (!issue.message.startsWith('Too big')) return issue.message;
      return issue.origin in UNITS
        ? `This is too long: at most ${issue.maximum} ${UNITS[issue.origin]}.`
        : `The largest value is ${issue.maximum}.`;
    case 'invalid_value':
      return `Use one of ${issue.values.map(String).join(', ')}.`;
    case 'invalid_key':
      return issue.issues.map(sentenceOf).join(' ');
    default:
      return issue.message;
  }
}

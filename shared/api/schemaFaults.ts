import type { z } from 'zod';
import { pointerOf } from '../lib/station/jsonPointer.ts';
import type { FieldError } from './problem.ts';

/** Lists the errors that a schema finds in a value. */
export function faultsOf(schema: z.ZodType, value: unknown): FieldError[] {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : fieldErrors(error);
}

/** Returns the errors of a value from a file as one text. Each begins with the name of its field. Empty if there are none. */
export function faultWords(schema: z.ZodType, value: unknown): string {
  const words = faultsOf(schema, value).map(({ path, message }) => {
    const field = path.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part));
    return field === undefined ? message : `${field}: ${message}`;
  });
  return words.join(' ');
}

/** Returns errors for a problem document: JSON Pointers, and sentences that do not quote values. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  return narrowest(error.issues).flatMap((issue) => {
    const path = pointerOf(issue.path);
    if (issue.code !== 'unrecognized_keys') return [{ path, message: sentenceOf(issue) }];
    return issue.keys.map((key) => ({ path: path + pointerOf([key]), message: 'There is no such field.' }));
  });
}

/** Drops limits of a value that are wider than another one, such as the safe integers next to the limit of the field. */
function narrowest(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const limits = new Map<string, number>();
  for (const issue of issues) {
    const limit = limitOf(issue);
    if (limit === undefined) continue;
    const key = issue.code + pointerOf(issue.path);
    limits.set(key, Math.min(limits.get(key) ?? Infinity, limit));
  }
  return issues.filter((issue) => {
    const limit = limitOf(issue);
    return limit === undefined || limit === limits.get(issue.code + pointerOf(issue.path));
  });
}

/** Returns how wide a limit of a number is, or undefined if the issue is something else. */
function limitOf(issue: z.core.$ZodIssue): number | undefined {
  if (issue.code === 'too_big') return Number(issue.maximum);
  return issue.code === 'too_small' ? -Number(issue.minimum) : undefined;
}

const NOUNS = new Map(
  Object.entries<string>({
    string: 'a text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'an array',
    object: 'an object',
    record: 'an object',
  }),
);

const UNITS = new Map(Object.entries<string>({ string: 'characters', array: 'elements' }));

function unitOf(origin: string, count: number | bigint): string {
  const units = UNITS.get(origin) ?? '';
  return Number(count) === 1 ? units.slice(0, -1) : units;
}

/** Returns the message of an issue as a sentence. Messages of our schemas are already sentences. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (!issue.message.startsWith('Invalid input')) return issue.message;
      return `${issue.message.endsWith('received undefined') ? 'This is missing: it has' : 'This has'} to be ${NOUNS.get(issue.expected) ?? issue.expected}.`;
    case 'too_small':
      return UNITS.has(issue.origin)
        ? `This is too short: at least ${issue.minimum} ${unitOf(issue.origin, issue.minimum)}.`
        : `The smallest value is ${issue.minimum}.`;
    case 'too_big':
      if (!issue.message.startsWith('Too big')) return issue.message;
      return UNITS.has(issue.origin)
        ? `This is too long: at most ${issue.maximum} ${unitOf(issue.origin, issue.maximum)}.`
        : `The largest value is ${issue.maximum}.`;
    case 'invalid_value':
      return `Use one of ${issue.values.map(String).join(', ')}.`;
    case 'invalid_key':
      return issue.issues.map(sentenceOf).join(' ');
    default:
      return issue.message;
  }
}

import type { FieldError, Problem } from '#shared/api/problem.ts';
import { plainSentence } from './plainSentence.ts';
import * as texts from './texts.ts';

/** The code of the station's error, or `unreachable` if the station did not answer. */
export type FailureCode = Problem['code'] | 'unreachable';

/** A failed call. `message` is for people, so it omits what only programs need; `fields` contains the errors by field, if any. */
export class ApiError extends Error {
  readonly code: FailureCode;
  readonly fields: readonly FieldError[];

  constructor(code: FailureCode, message: string, fields: readonly FieldError[] = []) {
    super(plainSentence(message));
    this.name = 'ApiError';
    this.code = code;
    this.fields = fields;
  }
}

/** Returns the message of an `ApiError`, or `otherwise` for any other error. */
export function sentenceOf(error: unknown, otherwise: string = texts.failure.other): string {
  return error instanceof ApiError ? error.message : otherwise;
}

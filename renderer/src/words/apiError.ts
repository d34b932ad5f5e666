import type { FieldError, Problem } from '#shared/api/problem.ts';
import * as texts from './texts.ts';

/** Why a call failed: the problem's code, or `unreachable` where there was no answer of the station at all. */
export type FailureCode = Problem['code'] | 'unreachable';

/** A call that failed, as a sentence for a person (`message`), and as problems of single fields where there are any. */
export class ApiError extends Error {
  readonly code: FailureCode;
  readonly fields: readonly FieldError[];

  constructor(code: FailureCode, message: string, fields: readonly FieldError[] = []) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.fields = fields;
  }
}

/** What to say of anything that was thrown. */
export function sentenceOf(error: unknown, otherwise: string = texts.failure.other): string {
  return error instanceof ApiError ? error.message : otherwise;
}

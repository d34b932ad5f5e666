import type { ErrorCode, FieldError } from '#shared/api/problem.ts';
import type { Right } from '#shared/api/rights.ts';

/** An expected failure, said in a sentence. Anything else that is thrown is a bug. The HTTP status of each code stands in http/problem.ts. */
export class StationError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];

  constructor(code: ErrorCode, message: string, errors: readonly FieldError[] = []) {
    super(message);
    this.name = 'StationError';
    this.code = code;
    this.errors = errors;
  }
}

/** `too_many_requests`, with how long to wait. */
export class TooManyRequests extends StationError {
  readonly retryAfterS: number;

  constructor(message: string, retryAfterS: number) {
    super('too_many_requests', message);
    this.retryAfterS = retryAfterS;
  }
}

/** `forbidden`, with the right that the caller lacks. */
export class MissingRight extends StationError {
  readonly right: Right;

  constructor(right: Right, message: string) {
    super('forbidden', message);
    this.right = right;
  }
}

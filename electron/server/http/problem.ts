import type { ErrorCode, Problem } from '#shared/api/problem.ts';
import { MissingRight, OrderExists, type StationError } from '../errors.ts';

/** HTTP status and title of each error code (section 2 of the contract), defined only here. */
const PROBLEMS = {
  malformed: [400, 'The request cannot be read'],
  encoding: [400, 'The request is not encoded as it says'],
  invalid: [400, 'The request is not valid'],
  unknown_parameter: [400, 'Unknown query parameter'],
  unauthenticated: [401, 'Not signed in'],
  csrf: [403, 'The request does not prove where it comes from'],
  foreign_origin: [403, 'The request comes from another site'],
  forbidden: [403, 'Not allowed'],
  not_found: [404, 'Not found'],
  missing_trailing_slash: [404, 'The path lacks its trailing slash'],
  method_not_allowed: [405, 'Method not allowed'],
  conflict: [409, 'Conflict'],
  in_use: [409, 'In use'],
  nothing_in_hand: [409, 'Nothing is in hand'],
  outdated: [409, 'Outdated'],
  changed: [412, 'Changed meanwhile'],
  key_reused: [409, 'The key belongs to another request'],
  too_large: [413, 'The request is too large'],
  unsupported_media_type: [415, 'Unsupported content type'],
  foreign_host: [421, 'Not a name of this station'],
  too_many_requests: [429, 'Too many requests'],
  internal: [500, 'Something went wrong here'],
  stopping: [503, 'The station is stopping'],
  lost: [503, 'The data folder is gone'],
  storage: [507, 'The data folder cannot be written'],
} as const satisfies Record<ErrorCode, readonly [status: number, title: string]>;

/** Returns the problem details (RFC 9457) for an expected failure. */
export function problemOf(error: StationError): Problem {
  const [status, title] = PROBLEMS[error.code];
  const problem: Problem = { type: 'about:blank', title, status, detail: error.message, code: error.code };
  if (error instanceof MissingRight) return { ...problem, right: error.right };
  const whole = error.errors.length === 0 ? problem : { ...problem, errors: [...error.errors] };
  return error instanceof OrderExists ? { ...whole, same: error.same } : whole;
}

/** Returns the problem details for a bug, without revealing internals. */
export function internalProblem(): Problem {
  const [status, title] = PROBLEMS.internal;
  return {
    type: 'about:blank',
    title,
    status,
    detail: 'This is a defect of the station; its log says more.',
    code: 'internal',
  };
}

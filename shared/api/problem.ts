import { z } from 'zod';
import { RIGHT_NAMES } from './rights.ts';
import { named, oneOf } from './fields.ts';

/** The closed list of error codes for callers. */
export const ERROR_CODES = [
  'malformed',
  'encoding',
  'invalid',
  'unknown_parameter',
  'unauthenticated',
  'csrf',
  'foreign_origin',
  'foreign_host',
  'forbidden',
  'not_found',
  'missing_trailing_slash',
  'method_not_allowed',
  'conflict',
  'in_use',
  'nothing_in_hand',
  'outdated',
  'changed',
  'key_reused',
  'too_large',
  'unsupported_media_type',
  'too_many_requests',
  'stopping',
  'storage',
  'lost',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** An error in a request. */
export const fieldErrorSchema = z.object({
  path: z.string().describe('JSON Pointer into the request, such as `/items/0/SKU`.'),
  message: z.string(),
});
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** Problem details (RFC 9457) with a code from the closed list and, for validation, every error found. */
export const problemSchema = named('Problem', {
  type: z.string(),
  title: z.string(),
  status: z.int().describe('The HTTP status.'),
  detail: z.string().describe('What happened, and how to fix it.'),
  code: oneOf(ERROR_CODES).describe(
    'Error code for programs. malformed: the body cannot be parsed as JSON or XML. encoding: the body has bytes that are invalid in its charset (UTF-8 if none is declared). invalid: parsed, but not valid; see errors. unknown_parameter: the query has an unknown parameter. csrf, foreign_origin: only for pages in browsers. foreign_host: the address is not in public_urls. conflict: the request does not fit the current state. in_use: an article or a place has stock or open lines; detail names them. nothing_in_hand: a put without picked pieces. changed: a field that the request sets has changed since the caller read it (If-Match). key_reused: the key was used for another request. lost: the data folder was moved, removed or replaced while the station ran, so nothing can be stored. internal: an error in the station.',
  ),
  errors: z.array(fieldErrorSchema).optional(),
  same: z
    .boolean()
    .optional()
    .describe(
      'With `conflict` of POST /api/orders/: whether the existing order has the same content, apart from picked quantities.',
    ),
  right: oneOf(RIGHT_NAMES).optional().describe('With `forbidden`: the missing right. `detail` says who can grant it.'),
});
export type Problem = z.infer<typeof problemSchema>;

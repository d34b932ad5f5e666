import { z } from 'zod';
import { afterId, intOrNull, named, oneOf, textOrNull, textUpTo, timestamp } from './fields.ts';

/** How the caller authenticated. `none` means not at all, or in an unsupported way. */
const CREDENTIALS = ['key', 'session', 'token', 'password', 'none'] as const;
export type LoggedCredential = (typeof CREDENTIALS)[number];

export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'failed'] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

export const REQUEST_SOURCES = ['programs', 'window'] as const;

const KEPT = ['whole', 'cut', 'none', 'file', 'unread', 'secret'] as const;

const loggedBodySchema = z.object({
  content_type: z.string().describe('The Content-Type header; empty if none.'),
  bytes: intOrNull.describe('Size in bytes, as sent; null if not counted.'),
  kept: oneOf(KEPT).describe(
    'whole, cut: `text` has the whole body, or its beginning. none: there was no body. Bodies that are not kept: file (not text), unread (refused before reading), secret (cannot be parsed and may contain a secret).',
  ),
  text: textOrNull.describe('Body with *** instead of secrets; null if not kept.'),
});
export type LoggedBody = z.infer<typeof loggedBodySchema>;

/** One request to the API. */
export const loggedRequestSchema = named('LoggedRequest', {
  id: z.string(),
  at: timestamp.describe('When the request arrived.'),
  method: z.string(),
  path: z.string().describe('Path with the query string, and *** instead of secrets.'),
  by: z.string().describe('Name of the person or API user; empty if nobody was signed in.'),
  credential: oneOf(CREDENTIALS),
  address: z.string().describe('Network address of the caller.'),
  status: intOrNull.describe('HTTP status; null if the caller disconnected before the answer.'),
  code: z.string().describe('Code of the problem; empty if none.'),
  ms: z.number().describe('Milliseconds from the first line of the request to the end of the answer.'),
  request_bytes: intOrNull.describe('Size of the request body in bytes; null if not counted.'),
  answer_bytes: intOrNull.describe('Size of the answer body in bytes; null if not counted.'),
});
export type LoggedRequest = z.infer<typeof loggedRequestSchema>;

/** A request with its bodies. */
export const loggedExchangeSchema = named('LoggedExchange', {
  ...loggedRequestSchema.shape,
  user_agent: z.string().describe('The User-Agent header; empty if none.'),
  accept: z.string().describe('The Accept header; empty if none.'),
  request: loggedBodySchema,
  answer: loggedBodySchema,
});
export type LoggedExchange = z.infer<typeof loggedExchangeSchema>;

export const requestLogQuerySchema = z.object({
  status: oneOf(STATUS_CLASSES).optional().describe('Only answers of this class. failed: 400 and above.'),
  by: textUpTo(200).optional().describe('Only requests of this person or API user, ignoring case.'),
  path: textUpTo(2_000).optional().describe('Only requests whose path contains this text.'),
  from: oneOf(REQUEST_SOURCES)
    .optional()
    .describe(
      'window: requests of people who are signed in, most of which the page sends automatically. programs: all other requests.',
    ),
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('Maximum number of requests.'),
  after: afterId('a request'),
});
export type RequestLogQuery = z.infer<typeof requestLogQuerySchema>;

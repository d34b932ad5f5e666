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
  content_type: z.string().describe('Empty without one.'),
  bytes: intOrNull.describe('Size as sent; null: not counted.'),
  kept: oneOf(KEPT).describe(
    'whole, cut: `text` has all of it, or its beginning. none: no body. Not kept: file, not text; unread, refused before reading; secret, cannot be parsed and may contain a secret.',
  ),
  text: textOrNull.describe('With *** instead of secrets; null if nothing was kept.'),
});
export type LoggedBody = z.infer<typeof loggedBodySchema>;

/** One request to the API. */
export const loggedRequestSchema = named('LoggedRequest', {
  id: z.string(),
  at: timestamp.describe('When it came.'),
  method: z.string(),
  path: z.string().describe('With the query string, and *** instead of secrets.'),
  by: z.string().describe('A person or an API user; empty if nobody was signed in.'),
  credential: oneOf(CREDENTIALS),
  address: z.string().describe('Network address of the caller.'),
  status: intOrNull.describe('null: the caller disconnected before the answer.'),
  code: z.string().describe('Code of the problem; empty without a problem.'),
  ms: z.number().describe('Milliseconds from the first line of the request to the end of the answer.'),
  request_bytes: intOrNull.describe('Of the body.'),
  answer_bytes: intOrNull.describe('Of the body.'),
});
export type LoggedRequest = z.infer<typeof loggedRequestSchema>;

/** A request with its bodies. */
export const loggedExchangeSchema = named('LoggedExchange', {
  ...loggedRequestSchema.shape,
  user_agent: z.string().describe('The User-Agent header; empty without one.'),
  accept: z.string().describe('The Accept header; empty without one.'),
  request: loggedBodySchema,
  answer: loggedBodySchema,
});
export type LoggedExchange = z.infer<typeof loggedExchangeSchema>;

export const requestLogQuerySchema = z.object({
  status: oneOf(STATUS_CLASSES).optional().describe('Only this class. failed: 400 and above.'),
  by: textUpTo(200).optional().describe('Only this person or API user, ignoring case.'),
  path: textUpTo(2_000).optional().describe('Only paths that contain this.'),
  from: oneOf(REQUEST_SOURCES)
    .optional()
    .describe('window: from people who are signed in; the page sends most of these by itself. programs: all others.'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('Maximum number of requests.'),
  after: afterId('a request'),
});
export type RequestLogQuery = z.infer<typeof requestLogQuerySchema>;

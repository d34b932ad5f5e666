import { z } from 'zod';

/** How somebody showed who he is. none: he did not, or not in a way that is known here. */
const CREDENTIALS = ['key', 'session', 'token', 'password', 'none'] as const;
export type LoggedCredential = (typeof CREDENTIALS)[number];

export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'failed'] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

export const REQUEST_SOURCES = ['programs', 'window'] as const;

const KEPT = ['whole', 'cut', 'none', 'file', 'unread', 'secret'] as const;

const loggedBodySchema = z.object({
  content_type: z.string().describe('Empty where there is none.'),
  bytes: z.int().nullable().describe('As it was sent; null: it was not counted.'),
  kept: z
    .enum(KEPT)
    .describe(
      'whole, cut: all of it in `text`, or its beginning. none: there was none. Not kept: file, which is no text for people; unread, as the request was refused before; secret, which cannot be read and may hold one.',
    ),
  text: z.string().nullable().describe('With *** in the place of secrets; null where nothing was kept.'),
});
export type LoggedBody = z.infer<typeof loggedBodySchema>;

/** One request to the API. */
export const loggedRequestSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime().describe('When it came.'),
    method: z.string(),
    path: z.string().describe('With what follows its question mark, and *** in the place of secrets.'),
    by: z.string().describe('A person or an API user; empty where nobody was signed in.'),
    credential: z.enum(CREDENTIALS),
    address: z.string().describe('The network address that it came from.'),
    status: z.int().nullable().describe('null: the caller was gone before he was answered.'),
    code: z.string().describe('Of a problem, its code; else empty.'),
    ms: z.number().describe('From its first line to the end of the answer, in milliseconds.'),
    request_bytes: z.int().nullable().describe('Of the body.'),
    answer_bytes: z.int().nullable().describe('Of the body.'),
  })
  .meta({ id: 'LoggedRequest' });
export type LoggedRequest = z.infer<typeof loggedRequestSchema>;

/** The same with what was sent and answered. */
export const loggedExchangeSchema = loggedRequestSchema
  .extend({
    user_agent: z.string().describe('What the program calls itself; empty where it does not.'),
    accept: z.string().describe('The formats that were asked for; empty where any will do.'),
    request: loggedBodySchema,
    answer: loggedBodySchema,
  })
  .meta({ id: 'LoggedExchange' });
export type LoggedExchange = z.infer<typeof loggedExchangeSchema>;

export const requestLogQuerySchema = z.object({
  status: z.enum(STATUS_CLASSES).optional().describe('Only of this class. failed: 400 and above.'),
  by: z.string().max(200).optional().describe('Only of this person or API user, whatever the case.'),
  path: z.string().max(2_000).optional().describe('Only where the path contains this.'),
  from: z
    .enum(REQUEST_SOURCES)
    .optional()
    .describe('window: of people who are signed in, most of which the page sends by itself. programs: all others.'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('At most this many requests.'),
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'This is no id of a request.')
    .optional()
    .describe('The last id of the page before.'),
});
export type RequestLogQuery = z.infer<typeof requestLogQuerySchema>;

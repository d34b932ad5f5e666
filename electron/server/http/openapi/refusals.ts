import { problemSchema, type ErrorCode } from '#shared/api/problem.ts';
import { queryNamesOf } from '../queryNames.ts';
import { missingWords } from '#shared/api/rights.ts';
import { StationError } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { withBody } from '../bodies/requestBody.ts';
import { isWrite, takesKeys } from '../requestKey.ts';
import { problemOf } from '../problem.ts';
import { jsonAndXml } from './content.ts';
import { schemaOf, type Json } from './schemas.ts';

type Refusal = {
  /** Explains when the station sends this refusal. */
  words: string;
  code: ErrorCode;
  /** The `detail` of the example, by default `words`. */
  detail?: string;
  errors?: { path: string; message: string }[];
  headers?: Json;
};

/** Responses for refusals that any endpoint can have. */
export const RESPONSES = {
  BadRequest: refusal({
    words: 'The request cannot be parsed, or it has invalid fields, which `errors` names. Nothing was changed.',
    code: 'invalid',
    detail: '/seconds: The smallest value is 0.',
    errors: [{ path: '/seconds', message: 'The smallest value is 0.' }],
  }),
  Unauthenticated: refusal({
    words: 'The request has no key or sign-in, or it is no longer valid. Sign in again.',
    code: 'unauthenticated',
    detail: 'Send an API key in the header API-KEY, or sign in at /api/user/login/.',
    headers: { 'WWW-Authenticate': { description: 'The accepted ways to sign in.', schema: { type: 'string' } } },
  }),
  Forbidden: refusal({
    words:
      'The caller lacks the right in `right`; `detail` says who can give it. Or the request comes from a page of another site.',
    code: 'forbidden',
    detail: missingWords('send', { name: 'ERP', scope: 'read' }),
  }),
  KeyReused: refusal({
    words: 'The `Idempotency-Key` was used for another request. Nothing was done.',
    code: 'key_reused',
  }),
  Changed: refusal({
    words: 'A field that the change sets has changed since the caller read it (`If-Match`). Nothing was done.',
    code: 'changed',
  }),
  TooLarge: refusal({
    words: 'The body is larger than the limit.',
    code: 'too_large',
    detail: 'The body is larger than 1 MiB. Send it in parts.',
  }),
  UnsupportedMediaType: refusal({
    words: 'The content type of the body is not supported.',
    code: 'unsupported_media_type',
  }),
  Misdirected: refusal({
    words: 'The header Host is not a name of this station. Add it to the setting `public_urls`.',
    code: 'foreign_host',
  }),
  TooManyRequests: refusal({
    words:
      'Too many different wrong passwords, secrets or keys from this address, or too many files at the same time. Wait for the time in `Retry-After`.',
    code: 'too_many_requests',
    headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
  }),
  Stopping: refusal({
    words: 'The station is stopping.',
    code: 'stopping',
    detail: 'The station is stopping. Try again when it is back.',
  }),
  Storage: refusal({
    words: 'The data folder cannot be written, for example because the disk is full. Nothing was changed.',
    code: 'storage',
  }),
  Failure: refusal({
    words: 'Any other error. `detail` says what to do; `code` is for programs.',
    code: 'internal',
    detail: 'This is a defect of the station; its log says more.',
  }),
} satisfies Readonly<Record<string, Json>>;

/** Error codes by status, for the statuses that endpoints explain with their own reasons. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
};

/** Returns the responses for all refusals of an endpoint, by status. */
export function refusalsOf(endpoint: Endpoint): Json {
  const own = endpoint.refusals ?? {};
  const responses: Record<string, Json> = {};
  const general = new Map(generalRefusals(endpoint));
  for (const [status, name] of general) {
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  for (const [status, words] of Object.entries(own)) {
    responses[status] = refusal({ words, code: CODES[Number(status)] ?? 'invalid' });
  }
  for (const [status, schema] of Object.entries(endpoint.otherAnswers ?? {})) {
    // Requests that cannot be parsed are refused before they reach the endpoint.
    const unread = general.has(Number(status)) ? jsonAndXml('problem', schemaOf(problemSchema, 'output')) : {};
    responses[status] = {
      description: own[Number(status)] ?? 'Refused.',
      content: { 'application/json': { schema: schemaOf(schema, 'output') }, ...unread },
    };
  }
  return { ...responses, default: { $ref: '#/components/responses/Failure' } };
}

function generalRefusals(endpoint: Endpoint): [status: number, name: string][] {
  const { right, params, query } = endpoint;
  const body = endpoint.body ?? endpoint.upload;
  const isPublic = right === 'public';
  const writes = isWrite(endpoint);
  const takesSecrets = !isPublic || body !== undefined;
  const readsBody = body !== undefined || withBody(endpoint).body !== undefined;
  const all: [status: number, name: string, isPossible: boolean][] = [
    [
      400,
      'BadRequest',
      params !== undefined || readsBody || queryNamesOf(endpoint) !== undefined || query !== undefined,
    ],
    [401, 'Unauthenticated', !isPublic],
    [403, 'Forbidden', true],
    [409, 'KeyReused', takesKeys(endpoint)],
    [412, 'Changed', endpoint.tagged !== undefined && writes],
    [413, 'TooLarge', readsBody],
    [415, 'UnsupportedMediaType', readsBody],
    [421, 'Misdirected', true],
    [429, 'TooManyRequests', takesSecrets],
    [503, 'Stopping', true],
    [507, 'Storage', writes],
  ];
  return all.filter(([, , isPossible]) => isPossible).map(([status, name]) => [status, name]);
}

function refusal({ words, code, detail, errors, headers }: Refusal): Json {
  const example = problemOf(new StationError(code, detail ?? words.replaceAll('`', ''), errors));
  return {
    description: words,
    ...(headers === undefined ? {} : { headers }),
    content: jsonAndXml('problem', schemaOf(problemSchema, 'output'), { [code]: { value: example } }),
  };
}

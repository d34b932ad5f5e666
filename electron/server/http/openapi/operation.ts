import { z } from 'zod';
import { strictQuerySchema } from '#shared/api/device.ts';
import { warningsSchema } from '#shared/api/fields.ts';
import { neededWords, scopeFor, type Right } from '#shared/api/rights.ts';
import { neededRights, statusOf, type Endpoint } from '../endpoint.ts';
import { DEFAULT_LIMIT, refusesUnknown, sizeOf } from '../bodies/requestBody.ts';
import { takesKeys } from '../requestKey.ts';
import { CALLBACKS } from './callbacks.ts';
import answers from './answers.json' with { type: 'json' };
import { contentOfType, jsonAndXml, withExamples, type MediaExamples } from './content.ts';
import { refusalsOf } from './refusals.ts';
import { schemaOf, type Json } from './schemas.ts';

/** Recorded responses to the examples, written by `npm run contract`. */
const EXAMPLE_ANSWERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = answers;

const NO_CONTENT = 204;

const DONE: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. The action follows shortly.',
  204: 'Done. The response has no body.',
  207: 'Some elements were refused. Each element has its own `status`.',
};

const ETAG: Json = {
  ETag: {
    description:
      'Value for `If-None-Match`, and for `If-Match` if the change accepts it. JSON and XML have different tags.',
    schema: { type: 'string' },
  },
};

/** Headers that every response can have. */
export const HEADERS = {
  Warnings: {
    description:
      'JSON array in ASCII, with one warning for each ignored part of the request, such as an unknown field. Absent if nothing was ignored. If the response is an object, its `warnings` also contains these warnings.',
    schema: { type: 'string' },
  },
} satisfies Readonly<Record<string, Json>>;

/** Parameters shared by several operations. */
export const PARAMETERS = {
  Strict: {
    name: 'strict',
    in: 'query',
    required: false,
    description: '1: refuses requests with unknown fields. Otherwise, unknown fields are ignored with a warning.',
    schema: { type: 'string', enum: ['0', '1'] },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A unique text for each request. Repeating the request with the same key within 24 hours has no further effect and returns the first response, with the header `Idempotency-Replayed: true`.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
    example: '5f2c6c9e-8d3b-4b57-9d0e-1c9a7a6f2b10',
  },
  LastEventID: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description:
      'The last id that you received, or the `pickstation-revision` of a list. The stream begins with the missed events, or with `reset` if they are no longer stored.',
    schema: { type: 'string' },
    example: '46',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of an earlier response. If nothing has changed, the station returns 304 without a body.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of the response on which the change is based. Returns 412 `changed` if a field that the change sets has changed since.',
    schema: { type: 'string' },
  },
} satisfies Readonly<Record<string, Json>>;

/** Returns the OpenAPI operation of an endpoint. */
export function operation(endpoint: Endpoint): Json {
  const parameters = [
    ...parametersOf(endpoint.params, 'path', endpoint),
    ...parametersOf(endpoint.query, 'query', endpoint),
    ...strictParameter(endpoint),
    ...(endpoint.resumes === true ? [{ $ref: '#/components/parameters/LastEventID' }] : []),
    ...(endpoint.tagged === undefined
      ? []
      : [{ $ref: `#/components/parameters/${isRead(endpoint) ? 'IfNoneMatch' : 'IfMatch'}` }]),
    ...(takesKeys(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    security: securityOf(neededRights(endpoint)),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: requestBody(endpoint, endpoint.documentedBody ?? endpoint.body) }),
    ...(endpoint.upload === undefined ? {} : { requestBody: uploaded(endpoint.upload) }),
    responses: responsesOf(endpoint),
    ...(endpoint.sendsCallbacks === undefined ? {} : { callbacks: CALLBACKS }),
  };
}

/**
 * Returns the parameter `strict`, if the endpoint has a body. If the endpoint has `namesUnknown`, `strict` can refuse more than unknown
 * fields.
 */
function strictParameter(endpoint: Endpoint): Json[] {
  if (endpoint.body === undefined) return [];
  if (endpoint.namesUnknown === true) return parametersOf(strictQuerySchema, 'query', endpoint);
  return [{ $ref: '#/components/parameters/Strict' }];
}

function descriptionOf(endpoint: Endpoint): string {
  const { description } = endpoint;
  const rights = neededRights(endpoint);
  const needed = rights.length === 0 ? 'Needs no sign-in.' : neededWords(rights);
  return description === undefined ? needed : `${description}\n\n${needed}`;
}

/**
 * Returns the ways to sign in, with the lowest scope that a token needs. On a trial station, a lower scope is enough for some endpoints.
 */
function securityOf([right]: readonly Right[]): Json[] {
  if (right === undefined) return [];
  return [{ apiKey: [] }, { session: [] }, { oauth2: [scopeFor(right, true)] }, { basic: [] }];
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query', endpoint: Endpoint): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, example, ...rest } = property;
    const shown = endpoint.parameterExamples?.[name] ?? example;
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      description,
      schema: rest,
      ...(shown === undefined ? {} : { example: shown }),
    };
  });
}

function requestBody(endpoint: Endpoint, body: z.ZodType): Json {
  const schema = schemaOf(body, 'input');
  return {
    description: bodyWords(endpoint),
    required: endpoint.bodyOptional !== true,
    content:
      endpoint.isForm === true
        ? { 'application/x-www-form-urlencoded': withExamples(schema, endpoint.examples) }
        : { ...jsonAndXml('request', schema, endpoint.examples), ...(endpoint.files === true ? fileForm(schema) : {}) },
  };
}

/** Returns the content of a form with a file and the options of the JSON body. Files have no example. */
function fileForm(options: Json): Json {
  const properties = { file: { type: 'string', format: 'binary', description: 'The file, with its name.' }, options };
  return { 'multipart/form-data': { schema: { type: 'object', required: ['file'], properties } } };
}

function uploaded({ contentType, limit }: NonNullable<Endpoint['upload']>): Json {
  return {
    description: `At most ${sizeOf(limit)}. The body is the file itself.`,
    required: true,
    content: contentOfType(contentType),
  };
}

function bodyWords(endpoint: Endpoint): string {
  const sentences = [`At most ${sizeOf(endpoint.limit ?? DEFAULT_LIMIT)}.`];
  if (endpoint.bodyOptional === true) sentences.push('Optional.');
  if (endpoint.isForm !== true && !hasNoFields(endpoint.body)) {
    const others = refusesUnknown(endpoint)
      ? 'an unknown field is refused'
      : 'unknown fields are ignored, with a warning';
    sentences.push(`Numbers may come as text, texts as numbers or booleans; ${others}.`);
  }
  return sentences.join(' ');
}

function hasNoFields(body: z.ZodType | undefined): boolean {
  return body instanceof z.ZodObject && Object.keys(body.shape).length === 0;
}

function responsesOf(endpoint: Endpoint): Json {
  const statuses = [statusOf(endpoint), ...(endpoint.otherStatuses ?? [])];
  return {
    ...Object.fromEntries(statuses.map((status) => [status, success(endpoint, status)])),
    ...(endpoint.tagged !== undefined && isRead(endpoint)
      ? { 304: { description: 'Nothing has changed. The response has no body.' } }
      : {}),
    ...refusalsOf(endpoint),
  };
}

function isRead({ method }: Endpoint): boolean {
  return method === 'GET';
}

function success(endpoint: Endpoint, status: number): Json {
  const description = DONE[status] ?? 'Done.';
  const { answer, alternative, tagged, method } = endpoint;
  const other = alternative === undefined ? {} : contentOfType(alternative.contentType);
  const headers = {
    ...(endpoint.namesRevision === true ? REVISION_HEADER : {}),
    ...(tagged === undefined || method === 'POST' || answer === undefined ? {} : ETAG),
    'X-Pickstation-Warnings': { $ref: '#/components/headers/Warnings' },
  };
  if (answer === undefined || status === NO_CONTENT) return { description, headers };
  if ('contentType' in answer) {
    const schema = endpoint.eventData === undefined ? undefined : schemaOf(endpoint.eventData, 'output');
    return { description, headers, content: { ...contentOfType(answer.contentType, schema), ...other } };
  }
  const schema = withWarnings(answer);
  const examples = examplesOf(endpoint.operationId, status);
  // A form has its own protocol, in which answers are always JSON.
  const own =
    endpoint.isForm === true
      ? { 'application/json': withExamples(schema, examples) }
      : jsonAndXml('response', schema, examples);
  return { description, headers, content: { ...own, ...other } };
}

/** Returns the schema of a response. Any object can have `warnings` about ignored headers, bodies, fields and query parameters. */
function withWarnings(answer: z.ZodType): Json {
  const schema = schemaOf(answer, 'output');
  if (answer instanceof z.ZodUnion) {
    const options = answer.options as readonly z.ZodType[];
    return { anyOf: options.map((option) => withWarnings(option)) };
  }
  const hasPlace = !(answer instanceof z.ZodObject) || 'warnings' in answer.shape;
  return hasPlace ? schema : { allOf: [schema, schemaOf(warningsSchema, 'output')] };
}

const REVISION_HEADER = {
  'pickstation-revision': {
    description: 'Revision of the list. Send it as `Last-Event-ID` to `GET /api/events/` to get all later events.',
    schema: { type: 'integer' },
  },
};

/** Returns the example responses with this status, by the name of the example request. */
function examplesOf(operationId: string, status: number): MediaExamples {
  const examples = Object.entries(EXAMPLE_ANSWERS[`${operationId} ${status}`] ?? {});
  return Object.fromEntries(examples.map(([request, value]) => [request, { value }]));
}

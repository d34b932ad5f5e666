import { z } from 'zod';
import { neededWords, scopeFor, type Right } from '#shared/api/rights.ts';
import { neededRights, type Endpoint } from '../endpoint.ts';
import { DEFAULT_LIMIT, sizeOf } from '../router.ts';
import answers from './answers.json' with { type: 'json' };
import { contentOfType, jsonAndXml, withExamples, type Examples } from './content.ts';
import { DESCRIBED, type Described } from './operations.ts';
import { PARAMETERS } from './parameters.ts';
import { refusalsOf } from './refusals.ts';
import { schemaOf, type Json } from './schemas.ts';

/** Answers of a station to the examples, as the test of the documents has written them down. */
const EXAMPLE_ANSWERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = answers;

const DONE: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Taken: it happens in a moment.',
  204: 'Done. There is no body.',
  207: 'Some were refused: each says its own status.',
};

/** What OpenAPI says of one endpoint. */
export function operation(endpoint: Endpoint): Json {
  const described = DESCRIBED[keyOf(endpoint)] ?? { name: nameOf(endpoint) };
  const parameters = [
    ...parametersOf(endpoint.params, 'path', described),
    ...parametersOf(endpoint.query, 'query', described),
  ];
  return {
    operationId: described.name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    security: securityOf(neededRights(endpoint)),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: requestBody(endpoint, endpoint.documentedBody ?? endpoint.body, described) }),
    ...(endpoint.upload === undefined ? {} : { requestBody: uploaded(endpoint.upload) }),
    responses: responsesOf(endpoint, described),
    ...(described.callbacks === undefined ? {} : { callbacks: described.callbacks }),
  };
}

export function keyOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

function descriptionOf(endpoint: Endpoint): string {
  const { description } = endpoint;
  const rights = neededRights(endpoint);
  const needed = rights.length === 0 ? 'Needs no sign-in.' : neededWords(rights);
  return description === undefined ? needed : `${description}\n\n${needed}`;
}

/** OpenAPI has a place for the least scope of a token; a station for trying out takes less for some. */
function securityOf([right]: readonly Right[]): Json[] {
  if (right === undefined) return [];
  return [{ apiKey: [] }, { session: [] }, { oauth2: [scopeFor(right, true)] }, { basic: [] }];
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query', described: Described): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, example, ...rest } = property;
    const other = PARAMETERS[name];
    const shown = described.parameters?.[name] ?? example ?? other?.example;
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      description: description ?? other?.description,
      schema: rest,
      ...(shown === undefined ? {} : { example: shown }),
    };
  });
}

function requestBody(endpoint: Endpoint, body: z.ZodType, described: Described): Json {
  const schema = schemaOf(body, 'input');
  return {
    description: bodyWords(endpoint),
    required: endpoint.bodyOptional !== true,
    content:
      endpoint.isForm === true
        ? { 'application/x-www-form-urlencoded': withExamples(schema, described.bodies) }
        : jsonAndXml('request', schema, described.bodies),
  };
}

function uploaded({ contentType, limit }: NonNullable<Endpoint['upload']>): Json {
  return {
    description: `At most ${sizeOf(limit)}. The file as it is.`,
    required: true,
    content: contentOfType(contentType),
  };
}

function bodyWords(endpoint: Endpoint): string {
  const sentences = [`At most ${sizeOf(endpoint.limit ?? DEFAULT_LIMIT)}.`];
  if (endpoint.bodyOptional === true) sentences.push('It may be left out.');
  if (endpoint.isForm !== true && !hasNoFields(endpoint.body)) {
    const others = isStrict(endpoint.body) ? 'an unknown field is refused' : 'unknown fields are ignored';
    sentences.push(`Numbers may come as text, texts as numbers or booleans; ${others}.`);
  }
  return sentences.join(' ');
}

function hasNoFields(body: z.ZodType | undefined): boolean {
  return body instanceof z.ZodObject && Object.keys(body.shape).length === 0;
}

function isStrict(body: z.ZodType | undefined): boolean {
  return body instanceof z.ZodObject && body.def.catchall instanceof z.ZodNever;
}

function responsesOf(endpoint: Endpoint, described: Described): Json {
  const statuses = [endpoint.status ?? 200, ...(endpoint.otherStatuses ?? [])];
  return {
    ...Object.fromEntries(statuses.map((status) => [status, success(endpoint, status, described.name)])),
    ...refusalsOf(endpoint, described.refusals ?? {}),
  };
}

function success(endpoint: Endpoint, status: number, name: string): Json {
  const description = DONE[status] ?? 'Done.';
  const { answer, alternative } = endpoint;
  const other = alternative === undefined ? {} : contentOfType(alternative.contentType);
  if ('contentType' in answer) return { description, content: { ...contentOfType(answer.contentType), ...other } };
  if (answer.type === 'undefined') return { description };
  const schema = schemaOf(answer, 'output');
  const examples = examplesOf(name, status);
  // What answers a form is JSON by its own protocol.
  const own =
    endpoint.isForm === true
      ? { 'application/json': withExamples(schema, examples) }
      : jsonAndXml('response', schema, examples);
  return { description, content: { ...own, ...other } };
}

/** The answers of this status, by the name of the request that caused each. */
function examplesOf(name: string, status: number): Examples {
  const examples = Object.entries(EXAMPLE_ANSWERS[`${name} ${status}`] ?? {});
  return Object.fromEntries(examples.map(([request, value]) => [request, { value }]));
}

/** A name for an endpoint that has none yet. */
function nameOf(endpoint: Endpoint): string {
  const words = endpoint.path
    .replace(/^\/api\//, '')
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== '');
  return endpoint.method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

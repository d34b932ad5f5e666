import { describe, expect, test } from 'vitest';
import { breakingChanges, rightChanges } from './breakingChanges.ts';
import type { JsonObject, OpenApi, DocumentedOperation } from './documents.ts';

const OPERATION: DocumentedOperation = {
  operationId: 'postThing',
  security: [],
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  requestBody: {
    required: false,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            text: { type: 'string', maxLength: 10, nullable: true },
            kind: { type: 'string', enum: ['a', 'b'] },
            list: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
          },
          required: ['text'],
        },
      },
    },
  },
  responses: {
    '200': {
      description: 'Done',
      content: {
        'application/json': {
          schema: { anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'array', items: { type: 'string' } }] },
        },
      },
    },
  },
};

const DOCUMENT: OpenApi = {
  openapi: '3.0.3',
  info: {},
  paths: { '/api/thing/{id}/': { post: OPERATION } },
  components: {
    schemas: {
      Part: {
        type: 'object',
        properties: { count: { type: 'integer', minimum: 0 }, name: { type: 'string' } },
        required: ['count'],
      },
    },
  },
};

/** Returns a changed copy of the document. */
function changed(
  change: (parts: { document: OpenApi; operation: DocumentedOperation; request: JsonObject; part: JsonObject }) => void,
): OpenApi {
  const document = structuredClone(DOCUMENT);
  const operation = document.paths['/api/thing/{id}/']?.['post'];
  const request = operation?.requestBody?.content['application/json']?.schema;
  const part = document.components.schemas['Part'];
  if (operation === undefined || request === undefined || part === undefined) throw new Error('The example is broken.');
  change({ document, operation, request, part });
  return document;
}

type Properties = Record<string, JsonObject>;

function alternativesOf(operation: DocumentedOperation): JsonObject[] | undefined {
  const answer = operation.responses['200'];
  const content = answer !== undefined && 'content' in answer ? answer.content : undefined;
  return content?.['application/json']?.schema['anyOf'] as JsonObject[] | undefined;
}

test('reports a higher scope as breaking, but not a lower one', () => {
  const needing = (scope: string) => changed(({ operation }) => (operation.security = [{ oauth2: [scope] }]));
  expect(breakingChanges(needing('read'), needing('control'))).toEqual([
    'POST /api/thing/{id}/: needs the scope control',
  ]);
  expect(breakingChanges(needing('control'), needing('read'))).toEqual([]);
});

test('reports wider and narrower rights, and an operation that no longer needs a right', () => {
  const needing = (right: string, scope: string) =>
    changed(({ operation }) => {
      operation.description = `Does it.\n\nNeeds the right \`${right}\`: \`${scope}\`, \`admin\`.`;
      operation.security = [{ oauth2: [scope] }];
    });
  const [low, high] = [needing('work', 'control'), needing('import', 'admin')];
  expect(rightChanges(low, high)).toEqual(['POST /api/thing/{id}/: needs import admin, needed work control']);
  expect(rightChanges(high, low)).toEqual(['POST /api/thing/{id}/: needs work control, needed import admin']);
  expect(rightChanges(low, needing('send', 'control'))).toHaveLength(1);
  expect(rightChanges(low, DOCUMENT)).toEqual(['POST /api/thing/{id}/: needs nothing, needed work control']);
  expect(rightChanges(low, needing('work', 'control'))).toEqual([]);
});

describe('reports a change that breaks a caller', () => {
  const cases: [name: string, change: Parameters<typeof changed>[0], told: RegExp][] = [
    ['a removed path', ({ document }) => delete document.paths['/api/thing/{id}/'], /POST .* is gone/],
    ['a removed method', ({ document }) => delete document.paths['/api/thing/{id}/']?.['post'], /is gone/],
    ['a new operationId', ({ operation }) => (operation.operationId = 'x'), /operationId/],
    ['a new way to sign in', ({ operation }) => operation.security.push({ apiKey: [] }), /sign-in/],
    [
      'a new alternative in an answer',
      ({ operation }) => alternativesOf(operation)?.push({ type: 'integer' }),
      /alternative 2 is new/,
    ],
    ['a removed parameter', ({ operation }) => (operation.parameters = []), /path id is gone/],
    [
      'a new required parameter',
      ({ operation }) => operation.parameters?.push({ name: 'q', in: 'query', required: true, schema: {} }),
      /query q is new and required/,
    ],
    [
      'a body that becomes required',
      ({ operation }) => operation.requestBody && (operation.requestBody.required = true),
      /body is required/,
    ],
    [
      'a removed request field',
      ({ request }) => delete (request['properties'] as Properties)['kind'],
      /body\.kind is gone/,
    ],
    ['a new required field', ({ request }) => (request['required'] = ['text', 'kind']), /body\.kind is required/],
    [
      'a shorter maximum length',
      ({ request }) => Object.assign((request['properties'] as Properties)['text'] ?? {}, { maxLength: 9 }),
      /maxLength is 9/,
    ],
    [
      'a new limit',
      ({ request }) => Object.assign((request['properties'] as Properties)['kind'] ?? {}, { minLength: 1 }),
      /minLength is 1/,
    ],
    [
      'a null that is now refused',
      ({ request }) => delete (request['properties'] as Properties)['text']?.['nullable'],
      /may not be null/,
    ],
    [
      'an enum value that is now refused',
      ({ request }) => Object.assign((request['properties'] as Properties)['kind'] ?? {}, { enum: ['a'] }),
      /may not be b/,
    ],
    [
      'unknown fields that are now refused',
      ({ request }) => (request['additionalProperties'] = false),
      /unknown fields/,
    ],
    [
      'a different type',
      ({ part }) => Object.assign((part['properties'] as Properties)['count'] ?? {}, { type: 'string' }),
      /is "string", was "integer"/,
    ],
    ['a removed answer field', ({ part }) => delete (part['properties'] as Properties)['name'], /name is gone/],
    ['an answer field that may now be missing', ({ part }) => (part['required'] = []), /count may be missing/],
    [
      'an answer field that may now be null',
      ({ part }) => Object.assign((part['properties'] as Properties)['count'] ?? {}, { nullable: true }),
      /may be null/,
    ],
    ['a removed status', ({ operation }) => delete operation.responses['200'], /answer 200 is gone/],
    [
      'a removed alternative',
      ({ operation }) =>
        (operation.responses['200'] = {
          description: 'Done',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Part' } } },
        }),
      /answer 200/,
    ],
  ];
  for (const [name, change, told] of cases) {
    test(name, () => expect(breakingChanges(DOCUMENT, changed(change)).join('\n')).toMatch(told));
  }
});

describe('allows a change that does not break callers', () => {
  const cases: [name: string, change: Parameters<typeof changed>[0]][] = [
    ['nothing', () => undefined],
    ['a new path', ({ document, operation }) => (document.paths['/api/other/'] = { get: operation })],
    [
      'an optional parameter',
      ({ operation }) => operation.parameters?.push({ name: 'q', in: 'query', required: false, schema: {} }),
    ],
    [
      'an optional field',
      ({ request }) => Object.assign(request['properties'] as object, { more: { type: 'string' } }),
    ],
    [
      'a greater maximum length',
      ({ request }) => Object.assign((request['properties'] as Properties)['text'] ?? {}, { maxLength: 11 }),
    ],
    [
      'an additional enum value',
      ({ request }) => Object.assign((request['properties'] as Properties)['kind'] ?? {}, { enum: ['a', 'b', 'c'] }),
    ],
    [
      'an additional answer field',
      ({ part }) => Object.assign(part['properties'] as object, { more: { type: 'string' } }),
    ],
    ['an additional status', ({ operation }) => (operation.responses['207'] = { description: 'Some' })],
    ['a description', ({ part }) => (part['description'] = 'A part.')],
  ];
  for (const [name, change] of cases) {
    test(name, () => expect(breakingChanges(DOCUMENT, changed(change))).toEqual([]));
  }
});

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
    ['a path that is gone', ({ document }) => delete document.paths['/api/thing/{id}/'], /POST .* is gone/],
    ['a method that is gone', ({ document }) => delete document.paths['/api/thing/{id}/']?.['post'], /is gone/],
    ['a new name of the operation', ({ operation }) => (operation.operationId = 'x'), /operationId/],
    ['a sign-in', ({ operation }) => operation.security.push({ apiKey: [] }), /sign-in/],
    [
      'an alternative of an answer that nobody knew',
      ({ operation }) => alternativesOf(operation)?.push({ type: 'integer' }),
      /alternative 2 is new/,
    ],
    ['a parameter that is gone', ({ operation }) => (operation.parameters = []), /path id is gone/],
    [
      'a parameter that is needed',
      ({ operation }) => operation.parameters?.push({ name: 'q', in: 'query', required: true, schema: {} }),
      /query q is new and required/,
    ],
    [
      'a body that is needed',
      ({ operation }) => operation.requestBody && (operation.requestBody.required = true),
      /body is required/,
    ],
    [
      'a field of a request that is gone',
      ({ request }) => delete (request['properties'] as Properties)['kind'],
      /body\.kind is gone/,
    ],
    ['a field that is required', ({ request }) => (request['required'] = ['text', 'kind']), /body\.kind is required/],
    [
      'a shorter text',
      ({ request }) => Object.assign((request['properties'] as Properties)['text'] ?? {}, { maxLength: 9 }),
      /maxLength is 9/,
    ],
    [
      'a limit that there was not',
      ({ request }) => Object.assign((request['properties'] as Properties)['kind'] ?? {}, { minLength: 1 }),
      /minLength is 1/,
    ],
    [
      'a null that is refused',
      ({ request }) => delete (request['properties'] as Properties)['text']?.['nullable'],
      /may not be null/,
    ],
    [
      'a word that is refused',
      ({ request }) => Object.assign((request['properties'] as Properties)['kind'] ?? {}, { enum: ['a'] }),
      /may not be b/,
    ],
    ['unknown fields that are refused', ({ request }) => (request['additionalProperties'] = false), /unknown fields/],
    [
      'another type',
      ({ part }) => Object.assign((part['properties'] as Properties)['count'] ?? {}, { type: 'string' }),
      /is "string", was "integer"/,
    ],
    [
      'a field of an answer that is gone',
      ({ part }) => delete (part['properties'] as Properties)['name'],
      /name is gone/,
    ],
    ['a field of an answer that may be missing', ({ part }) => (part['required'] = []), /count may be missing/],
    [
      'a null in an answer',
      ({ part }) => Object.assign((part['properties'] as Properties)['count'] ?? {}, { nullable: true }),
      /may be null/,
    ],
    ['a status that is gone', ({ operation }) => delete operation.responses['200'], /answer 200 is gone/],
    [
      'an alternative that is gone',
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

describe('allows a change that breaks no caller', () => {
  const cases: [name: string, change: Parameters<typeof changed>[0]][] = [
    ['nothing', () => undefined],
    ['a new path', ({ document, operation }) => (document.paths['/api/other/'] = { get: operation })],
    [
      'a parameter that may be left out',
      ({ operation }) => operation.parameters?.push({ name: 'q', in: 'query', required: false, schema: {} }),
    ],
    [
      'a field that may be left out',
      ({ request }) => Object.assign(request['properties'] as object, { more: { type: 'string' } }),
    ],
    [
      'a longer text',
      ({ request }) => Object.assign((request['properties'] as Properties)['text'] ?? {}, { maxLength: 11 }),
    ],
    [
      'one more word',
      ({ request }) => Object.assign((request['properties'] as Properties)['kind'] ?? {}, { enum: ['a', 'b', 'c'] }),
    ],
    [
      'one more field in an answer',
      ({ part }) => Object.assign(part['properties'] as object, { more: { type: 'string' } }),
    ],
    ['one more status', ({ operation }) => (operation.responses['207'] = { description: 'Some' })],
    ['words for people', ({ part }) => (part['description'] = 'A part.')],
  ];
  for (const [name, change] of cases) {
    test(name, () => expect(breakingChanges(DOCUMENT, changed(change))).toEqual([]));
  }
});

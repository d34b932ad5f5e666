import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import { fetchDocument, operations, resolve } from './documents.ts';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
});

afterAll(() => station.stop());

/** What a caller may rely on, by name: a route that loses its place in the document is missed here. */
const PROMISED = [
  'GET /api/device/',
  'POST /api/device/',
  'GET /api/device/{DeviceID}/',
  'POST /api/device/{DeviceID}/',
  'PUT /api/device/{DeviceID}/',
  'DELETE /api/device/{DeviceID}/',
  'GET /api/device/{DeviceID}/screen/',
  'POST /api/devices/',
  'PUT /api/devices/',
  'POST /api/device/{DeviceID}/acknowledge/',
  'DELETE /api/device/{DeviceID}/commands/{command_id}/',
  'POST /api/device/{DeviceID}/adjust/',
  'POST /api/device/{DeviceID}/identify/',
  'GET /api/turbo/',
  'GET /api/turbo/{SerialNo}/',
  'POST /api/user/login/',
  'POST /api/user/logout/',
  'GET /api/settings/',
  'PATCH /api/settings/',
  'GET /api/callbacks/',
  'POST /api/callbacks/replay/',
  'POST /api/callbacks/{id}/replay/',
  'GET /api/station/',
  'GET /api/events/',
  'POST /api/simulator/devices/',
  'POST /api/simulator/devices/{DeviceID}/press/',
  'PATCH /api/simulator/devices/{DeviceID}/',
  'PATCH /api/simulator/turbos/{SerialNo}/',
  'GET /api/map/',
  'PUT /api/map/',
  'POST /api/map/racks/',
  'PATCH /api/map/racks/{id}/',
  'DELETE /api/map/racks/{id}/',
  'PUT /api/map/places/{DeviceID}/',
  'DELETE /api/map/places/{DeviceID}/',
  'POST /api/map/arrange/',
  'GET /api/history/',
  'GET /api/history/commands/{command_id}/',
  'POST /api/setup/',
  'POST /api/setup/demo/',
  'POST /api/user/password/',
  'GET /healthz',
];

test('every document is valid OpenAPI 3.0', async () => {
  for (const path of ['/api/openapi.json', '/devices/openapi.json', '/api/devices/openapi.json']) {
    const document = await fetchDocument(station, path);
    expect(document.openapi).toMatch(/^3\.0\./);
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect({ valid, errors }, path).toEqual({ valid: true, errors: undefined });
  }
});

test('the whole document has every promised route, and the one of the devices theirs', async () => {
  const names = (routes: ReturnType<typeof operations>) => routes.map(({ method, path }) => `${method} ${path}`);
  expect(names(operations(await fetchDocument(station, '/api/openapi.json')))).toEqual(
    expect.arrayContaining(PROMISED),
  );
  const devices = names(operations(await fetchDocument(station, '/devices/openapi.json')));
  expect(devices).toEqual(PROMISED.filter((name) => /\/api\/(?:device|devices|turbo)\//.test(name)));
});

test('every documented path exists with exactly the documented methods', async () => {
  const document = await fetchDocument(station, '/api/openapi.json');
  for (const [template, methods] of Object.entries(document.paths)) {
    const path = template.replaceAll(/\{\w+\}/g, 'x');
    const answer = await station.request('OPTIONS', path);
    const allowed = (answer.headers.get('allow') ?? '').split(', ').filter((method) => method !== 'HEAD');
    expect({ template, status: answer.status, allowed: allowed.toSorted() }).toEqual({
      template,
      status: 405,
      allowed: Object.keys(methods)
        .map((method) => method.toUpperCase())
        .toSorted(),
    });
  }
});

test('every operation has an id of its own, names its parameters, and says who may', async () => {
  const document = await fetchDocument(station, '/api/openapi.json');
  const all = operations(document);
  expect(new Set(all.map(({ operation }) => operation.operationId)).size).toBe(all.length);
  for (const { path, method, operation } of all) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const named = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(named, `${method} ${path}`).toEqual(inPath);
    const open = ['/healthz', '/api/user/login/'].includes(path);
    expect(operation.security.length > 0, `${method} ${path}`).toBe(!open);
    const problem = operation.responses['default']?.content?.['application/problem+json']?.schema;
    expect(resolve(problem, document), `${method} ${path}`).toHaveProperty('properties.code.enum');
  }
});

test('the bulk request is described as what it holds', async () => {
  const document = await fetchDocument(station, '/api/openapi.json');
  const body = document.paths['/api/devices/']?.['post']?.requestBody?.content['application/json']?.schema;
  const [one, many] = resolve(body, document)['anyOf'] as Record<string, unknown>[];
  expect(one).toHaveProperty('properties.line1');
  expect(many).toHaveProperty('items.properties.line1');
});

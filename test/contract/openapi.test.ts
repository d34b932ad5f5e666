import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import { fetchDocument, frozenDocument, operations, PARTS, resolve, responseOf, type OpenApi } from './documents.ts';

let station: TestStation;
let whole: OpenApi;

beforeAll(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  whole = await fetchDocument(station, '/api/openapi.json');
});

afterAll(() => station.stop());

function namesOf(document: OpenApi): string[] {
  return operations(document).map(({ method, path }) => `${method} ${path}`);
}

test('each part has the operations with its tags in the whole document, and is also served under /api/', async () => {
  for (const [path, tags] of PARTS) {
    const part = await fetchDocument(station, path);
    expect(await fetchDocument(station, `/api${path}`)).toEqual(part);
    const expected = operations(whole).filter(({ operation }) => operation.tags?.some((tag) => tags.includes(tag)));
    expect(operations(part), path).toEqual(expected);
    const isEmpty = String(part.info['description']).startsWith('This version of the station has no ');
    expect({ path, isEmpty }).toEqual({ path, isEmpty: expected.length === 0 });
  }
});

test('the devices document has every frozen route of boards, devices and turbos', async () => {
  const OF_DEVICES = /\/api\/(?:boards|device|devices|turbo|preview|\{DeviceID\})\/(?!openapi\.json)/;
  const devices = namesOf(await fetchDocument(station, '/devices/openapi.json'));
  expect(devices).toEqual(namesOf(frozenDocument()).filter((name) => OF_DEVICES.test(name)));
});

test('every documented path exists with exactly the documented methods', async () => {
  for (const [template, methods] of Object.entries(whole.paths)) {
    const path = template.replaceAll('{DeviceID}', '51D000:000001').replaceAll(/\{\w+\}/g, 'x');
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

test("a resource's id has the same type in its list and in paths", () => {
  const typeOf = (schema: unknown): unknown => {
    const { items } = resolve(schema ?? {}, whole) as { items?: { properties?: Record<string, { type?: unknown }> } };
    return items?.properties?.['id']?.type;
  };
  const all = operations(whole);
  const compared = all.flatMap(({ path, method, operation }) => {
    const parameter = operation.parameters?.find((each) => each.in === 'path' && each.name === 'id');
    if (parameter === undefined) return [];
    const [base = ''] = path.split('{id}');
    const list = all.find((each) => each.path === base && each.method.toLowerCase() === 'get')?.operation;
    const answer = list === undefined ? undefined : responseOf(list, 200, whole);
    const listed = answer === undefined ? undefined : typeOf(answer.content?.['application/json']?.schema);
    const inPath = resolve(parameter.schema, whole)['type'];
    return listed === undefined ? [] : [{ name: `${method} ${path}`, inPath, listed }];
  });
  expect(compared.length).toBeGreaterThan(40);
  expect(compared.filter(({ inPath, listed }) => inPath !== listed)).toEqual([]);
});

test('every operation has a unique operationId', () => {
  const ids = operations(whole).map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z]+$/);
});

test('every operation documents its parameters, its right and its refusals', () => {
  for (const { path, method, operation } of operations(whole)) {
    const name = `${method} ${path}`;
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const parameters = operation.parameters ?? [];
    expect(
      parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name),
      name,
    ).toEqual(inPath);
    for (const parameter of parameters) {
      expect({ name, parameter }).toMatchObject({ parameter: { description: expect.stringMatching(/./) } });
      if (parameter.required) expect(parameter.example, `${name}: ${parameter.name}`).toBeDefined();
    }
    const isOpen = operation.security.length === 0;
    const right = /Needs the right `\w+`(?: or `\w+`)*: `.*\.$/;
    expect(operation.description, name).toMatch(isOpen ? /Needs no sign-in\.$/ : right);
    const problem = responseOf(operation, 'default', whole)?.content?.['application/problem+json']?.schema;
    expect(resolve(problem, whole), name).toHaveProperty('properties.code.enum');
    // A PUT that can create an object never answers 404.
    const finds = inPath.length > 0 && operation.responses['201'] === undefined;
    expect(Object.keys(operation.responses), name).toEqual(
      expect.arrayContaining(['403', '421', '503', ...(isOpen ? [] : ['401']), ...(finds ? ['404'] : [])]),
    );
    if (operation.requestBody !== undefined) {
      expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(['400', '413', '415']));
      expect(operation.requestBody.description, name).toMatch(/^At most \d+ [KM]iB\./);
    }
  }
});

test('required bodies and JSON answers have examples', () => {
  for (const { operation } of operations(whole)) {
    const { operationId, requestBody, tags } = operation;
    for (const [type, { examples, schema }] of Object.entries(requestBody?.content ?? {})) {
      if (schema['format'] === 'binary' || type === 'multipart/form-data') continue;
      expect(requestBody?.required === false || examples !== undefined, operationId).toBe(true);
    }
    if (tags?.includes('documents') === true) continue;
    for (const status of Object.keys(operation.responses).filter((code) => code.startsWith('2'))) {
      const json = responseOf(operation, status, whole)?.content?.['application/json'];
      expect(json === undefined || json.examples !== undefined, `${operationId} ${status}`).toBe(true);
    }
  }
});

test('the description of each body with fields says that numbers may be text, and whether unknown fields are ignored or refused', () => {
  const strict: string[] = [];
  for (const { operation } of operations(whole)) {
    const { operationId, requestBody } = operation;
    const json = requestBody?.content['application/json']?.schema;
    if (json === undefined) continue;
    const body = resolve(json, whole);
    const { properties, anyOf, additionalProperties } =
      body['items'] === undefined ? body : resolve(body['items'], whole);
    if (Object.keys(properties ?? anyOf ?? {}).length === 0) {
      expect(requestBody?.description, operationId).not.toContain('unknown field');
      continue;
    }
    expect(requestBody?.description, operationId).toContain('Numbers may come as text');
    const isRefused = requestBody?.description?.includes('an unknown field is refused') === true;
    if (isRefused) strict.push(operationId);
    else expect(requestBody?.description, operationId).toContain('unknown fields are ignored');
    if (additionalProperties === false) expect(isRefused, operationId).toBe(true);
  }
  // Settings and the map refuse them, and so do calls whose effect cannot be undone.
  expect(strict).toEqual(expect.arrayContaining(['changeSettings', 'changeRack', 'changeZone', 'dismissItem']));
  expect(strict).not.toContain('createOrder');
  expect(whole.info['description']).toMatch(/Unknown fields\*\* of a body are ignored/);
});

test('the bulk request is documented as one request or a list', () => {
  const body = whole.paths['/api/devices/']?.['post']?.requestBody?.content['application/json']?.schema;
  const [one, many] = resolve(body, whole)['anyOf'] as Record<string, unknown>[];
  expect(one).toHaveProperty('properties.line1');
  expect(many).toHaveProperty('items.properties.line1');
});

test('every answer that is an object has a place for warnings, and every success names their header', () => {
  const without: string[] = [];
  for (const { operation } of operations(whole)) {
    for (const status of Object.keys(operation.responses).filter((each) => /^20\d$/.test(each))) {
      const { headers, content } = responseOf(operation, status, whole) ?? {};
      expect(headers, operation.operationId).toHaveProperty('X-Pickstation-Warnings');
      const schema = content?.['application/json']?.schema;
      if (schema === undefined) continue;
      const all = resolve(schema, whole);
      for (const { properties } of (all['anyOf'] ?? [all]) as { properties?: object }[])
        if (properties !== undefined && !('warnings' in properties)) without.push(`${operation.operationId} ${status}`);
    }
  }
  expect(without).toEqual([]);
});

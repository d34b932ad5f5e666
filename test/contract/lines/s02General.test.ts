import { expect, test } from 'vitest';
import { fetchDocument, operations, resolve, responseOf, type JsonObject } from '../documents.ts';
import { ONE, useStation, type RefusedWith, type RigRequest } from './rig.ts';

// Contract, section 2: HTTP in general.
const shop = useStation();

function alternativesOf(schema: JsonObject): JsonObject[] {
  const parts = schema['anyOf'];
  return Array.isArray(parts) ? (parts as JsonObject[]).flatMap(alternativesOf) : [schema];
}

/** Replaces every path parameter with a valid value. */
const filled = (path: string) => path.replaceAll('{DeviceID}', ONE).replaceAll(/\{\w+\}/g, '1');

test('every documented path ends with a slash; without the slash, a 404 missing_trailing_slash names the right path', async () => {
  const document = await fetchDocument(shop.station, '/api/openapi.json');
  const paths = Object.keys(document.paths).filter((path) => path !== '/healthz' && !path.endsWith('.json'));
  for (const path of paths) expect(path).toMatch(/^\/api\/.*\/$/);
  for (const path of paths.filter((each) => !each.startsWith('/api/{DeviceID}/')).map(filled)) {
    const without = path.slice(0, -1);
    const methods = Object.keys(document.paths['/api/device/'] ?? {}).map((method) => method.toUpperCase());
    for (const method of new Set([...methods, 'DELETE'])) {
      const problem = await shop.refused([method, `${without}?x=1`], [404, 'missing_trailing_slash']);
      expect(problem.detail).toContain(path);
    }
  }
});

test('answers 404 to a path without its slash before checking the key', async () => {
  await shop.refused(['GET', '/api/settings', { headers: { 'api-key': undefined } }], [404, 'missing_trailing_slash']);
});

test('the query-string interface works without its last slash, with raw commas, colons and tildes', async () => {
  const { status } = await shop.ask('GET', `/api/${ONE}/message/a,b:c~d/e~f/300,a5,1,g5s,1/20rb/tx:1,2`);
  expect(status).toBe(200);
  expect(await shop.only()).toMatchObject({ line1: 'a,b:c', line2: 'd', line3: 'e', line4: 'f', nonce: 'tx:1,2' });
  await shop.station.post(`/api/device/${ONE}/`, { command: 'kill' });
});

test('errors are application/problem+json with type, title, status, detail and code, and expose no internals', async () => {
  const cases: [RigRequest, RefusedWith][] = [
    [
      ['POST', `/api/device/${ONE}/`, { body: '{' }],
      [400, 'malformed'],
    ],
    [
      ['POST', `/api/device/${ONE}/`, { body: { seconds: -1 } }],
      [400, 'invalid'],
    ],
    [
      ['GET', '/api/device/', { headers: { 'api-key': 'wrong' } }],
      [401, 'unauthenticated'],
    ],
    [
      ['GET', '/api/device/', { headers: { origin: 'null' } }],
      [403, 'foreign_origin'],
    ],
    [
      ['GET', '/api/device/FFFFFF:FFFFFF/'],
      [404, 'not_found'],
    ],
    [
      ['GET', '/api/device'],
      [404, 'missing_trailing_slash'],
    ],
    [
      ['PATCH', '/api/device/', { body: {} }],
      [405, 'method_not_allowed'],
    ],
    [
      ['POST', '/api/device/', { body: { deviceid: ONE } }],
      [409, 'conflict'],
    ],
    [
      ['POST', `/api/device/${ONE}/`, { body: ' '.repeat(1024 * 1024 + 1) }],
      [413, 'too_large'],
    ],
    [
      ['POST', `/api/device/${ONE}/`, { body: 'x', headers: { 'content-type': 'text/plain' } }],
      [415, 'unsupported_media_type'],
    ],
    [
      ['GET', '/api/device/', { headers: { host: 'evil.example' } }],
      [421, 'foreign_host'],
    ],
  ];
  for (const [request, refusal] of cases) {
    const { headers, text } = await shop.ask(...request);
    const problem = await shop.refused(request, refusal);
    expect(headers['content-type'], problem.code).toMatch(/^application\/problem\+json/);
    expect(Object.keys(problem).filter((field) => field !== 'errors')).toEqual([
      'type',
      'title',
      'status',
      'detail',
      'code',
    ]);
    expect(problem.detail, problem.code).toMatch(/^\S+ .*\.$/);
    expect(text).not.toMatch(/<html|\bat \w+.*:\d+:\d+|node_modules|\.ts\b/i);
  }
});

test("an error's path is a JSON Pointer into objects and lists", async () => {
  const racks = [{ name: 'A', columns: 4, shelves: [{ name: '1' }, { name: '' }] }];
  const problem = await shop.refused(['PUT', '/api/map/', { body: { racks, places: [] } }], [400, 'invalid']);
  expect(problem.errors).toMatchObject([
    { path: '/racks/0/shelves/1/name', message: expect.stringMatching(/\S/) as string },
  ]);
});

test('the JSON Pointer escapes slashes and tildes as in RFC 6901', async () => {
  const body = { callback_headers: { 'a/b~c': 'x' }, 'd/e~f': 1 };
  const problem = await shop.refused(['PATCH', '/api/settings/', { body }], [400, 'invalid']);
  expect(problem.errors?.map(({ path }) => path).toSorted()).toEqual(['/callback_headers/a~1b~0c', '/d~1e~0f']);
});

test('answers 413 to bodies over 1 MiB, or over 4 MiB for devices and imports', async () => {
  const MIB = 1024 * 1024;
  const padded = (body: object, bytes: number) => JSON.stringify(body).padEnd(bytes);
  const csv = { csv: `name,deviceid,deviceIs\nA-1,${ONE},Below\n`, dry_run: true };
  for (const [method, path, body] of [
    ['POST', '/api/devices/', { deviceid: ONE, statica: '' }],
    ['POST', '/api/location-aliases/import/', csv],
    ['POST', '/api/order-import/', { csv: 'order_number;SKU;ordered_quantity\n7001;M8;1', dry_run: true }],
  ] as const) {
    const { status } = await shop.ask(method, path, { body: padded(body, 2 * MIB) });
    expect({ path, status }).toEqual({ path, status: 200 });
    const refusal = await shop.refused([method, path, { body: padded(body, 4 * MIB + 1) }], [413, 'too_large']);
    expect(refusal.detail).toContain('4 MiB');
  }
  for (const [method, path] of [
    ['POST', '/api/location-aliases/'],
    ['POST', '/api/location-aliases/import/undo/'],
    ['PATCH', '/api/settings/'],
    ['PUT', '/api/map/'],
    ['POST', '/api/preview/'],
    ['POST', '/api/user/login/'],
    ['POST', '/api/simulator/devices/'],
  ] as const) {
    await shop.refused([method, path, { body: padded({}, MIB + 1) }], [413, 'too_large']);
  }
});

test('never answers HTML under /api/', async () => {
  for (const path of ['/api/', '/api/nothing/', '/api/device', '/api/settings/', `/api/device/${ONE}/`, '/api/%zz/']) {
    const { headers } = await shop.ask('GET', path, {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    expect({ path, type: headers['content-type'] }).toEqual({ path, type: expect.stringMatching(/json/) as string });
  }
});

test('GET accepts a JSON or XML content type without a body and can answer in XML', async () => {
  for (const type of ['application/json', 'application/xml', 'text/xml']) {
    for (const path of ['/api/device/', `/api/device/${ONE}/`, '/api/turbo/', '/api/location-aliases/']) {
      expect((await shop.ask('GET', path, { headers: { 'content-type': type } })).status, path).toBe(200);
    }
  }
  const { headers } = await shop.ask('GET', '/api/device/', { headers: { accept: 'application/xml' } });
  expect(headers['content-type']).toMatch(/^application\/xml/);
});

test('no documented JSON answer is a bare null, text or number', async () => {
  const document = await fetchDocument(shop.station, '/api/openapi.json');
  for (const { path, method, operation } of operations(document)) {
    for (const status of Object.keys(operation.responses)) {
      const schema = responseOf(operation, status, document)?.content?.['application/json']?.schema;
      if (schema === undefined) continue;
      for (const { type, nullable } of alternativesOf(resolve(schema, document))) {
        const isWhole = /^(?:array|object)$/.test(String(type)) && nullable !== true;
        expect({ path, method, type, isWhole }).toEqual({ path, method, type, isWhole: true });
      }
    }
  }
});

test('timestamps in answers are ISO 8601 in UTC', async () => {
  await shop.station.post(`/api/device/${ONE}/`, { line1: 'x', seconds: 5 });
  await shop.station.clock.advance(20_000);
  const texts: string[] = [];
  for (const path of [
    `/api/device/${ONE}/`,
    '/api/turbo/',
    '/api/history/',
    '/api/history/commands/1/',
    '/api/users/',
    '/api/api-users/',
    '/api/audit/',
    '/api/station/',
  ]) {
    const { text } = await shop.ask('GET', path);
    for (const [, name = '', value = ''] of text.matchAll(/"(\w+)":"(20\d\d-[^"]*)"/g)) texts.push(`${name} ${value}`);
  }
  expect(texts.length).toBeGreaterThan(10);
  for (const text of texts) expect(text).toMatch(/^\w+ \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('lists are plain arrays in a stable order, paged by limit and after', async () => {
  for (const name of ['c', 'b', 'a']) {
    await shop.station.post('/api/location-aliases/', { name, deviceid: ONE, deviceIs: 'Above' });
  }
  for (const [path, key] of [
    ['/api/device/', ''],
    ['/api/location-aliases/', 'id'],
    ['/api/history/', 'id'],
    ['/api/audit/', 'id'],
    ['/api/callbacks/', 'id'],
  ] as const) {
    const all = (await shop.ask('GET', path)).json as Record<string, unknown>[];
    expect((await shop.ask('GET', path)).json, path).toEqual(all);
    expect(Array.isArray(all)).toBe(true);
    const paged: unknown[] = [];
    for (let after: string | undefined; paged.length < all.length;) {
      const query: string = after === undefined ? 'limit=1' : `limit=1&after=${after}`;
      const [next, ...others] = (await shop.ask('GET', `${path}?${query}`)).json as Record<string, unknown>[];
      expect(others, `${path}?${query}`).toEqual([]);
      paged.push(next);
      after = String(key === '' ? next : next?.[key]);
    }
    expect(paged, path).toEqual(all);
  }
});

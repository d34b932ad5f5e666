import { afterEach, describe, expect, test } from 'vitest';
import { fetchDocument, operations, resolve, type JsonObject } from '../documents.ts';
import { ONE, TWO, useStation } from './rig.ts';

// Contract, section 2: lenient reading of bodies.
const shop = useStation();

afterEach(() => shop.station.post(`/api/device/${ONE}/`, { command: 'kill' }));

describe('numeric strings become numbers, and numbers and booleans in text fields become text, in every body', () => {
  test.each<[line: string, method: string, path: string, body: object, answer: object]>([
    ['the seconds in a command', 'POST', `/api/device/${ONE}/`, { line1: 7, seconds: '60' }, { warnings: [] }],
    [
      'simulated devices',
      'POST',
      '/api/simulator/devices/',
      { count: '1', buttons: '3', firmware: '66' },
      [{ buttons: 3, firmware: 66 }],
    ],
    [
      'the battery of a simulated device',
      'PATCH',
      `/api/simulator/devices/${ONE}/`,
      { battery_mv: '2900', reachable: 'true' },
      { battery_mv: 2_900, reachable: true },
    ],
    [
      'the link of a simulated turbo',
      'PATCH',
      '/api/simulator/turbos/SIM-1/',
      { loss: '0.0', latency_ms: ' 0 ' },
      { serial_number: 'SIM-1' },
    ],
    [
      'settings',
      'PATCH',
      '/api/settings/',
      { default_seconds: '45', ordernonce: 12, callback_verify: 'true' },
      { default_seconds: 45, ordernonce: '12', callback_verify: true },
    ],
    [
      'callback headers',
      'PATCH',
      '/api/settings/',
      { callback_headers: { 'X-Shop': 7 } },
      { callback_headers: { 'X-Shop': '***' } },
    ],
    ['a place', 'POST', '/api/location-aliases/', { name: 4711, deviceid: ONE, deviceIs: 'Above' }, { name: '4711' }],
    ['a person', 'POST', '/api/users/', { username: 4711, password: 4071936582, role: 'picker' }, { username: '4711' }],
    ['a program', 'POST', '/api/api-users/', { name: 99 }, { name: '99' }],
    [
      'a rack',
      'POST',
      '/api/map/racks/',
      { name: 12, columns: '3', shelves: [1, 2] },
      { name: '12', columns: 3, shelves: [{ name: '1' }, { name: '2' }] },
    ],
    [
      'a dry run',
      'POST',
      '/api/location-aliases/import/',
      { csv: `A-1,${ONE},Below`, dry_run: 'true' },
      { dry_run: true },
    ],
    ['a preview', 'POST', '/api/preview/', { line1: 12, scale: '2', firmware: '66' }, { width: 592 }],
  ])('%s', async (_, method, path, body, answer) => {
    const { status, json, text } = await shop.ask(method, path, { body });
    expect({ status, text }).toMatchObject({ status: expect.toSatisfy((each: number) => each < 300) as number });
    expect(json).toMatchObject(answer);
  });

  test('signs in with a numeric name and password', async () => {
    const { status } = await shop.ask('POST', '/api/user/login/', { body: { username: 4711, password: 4071936582 } });
    expect(status).toBe(200);
  });

  test('refuses values that are not a number or boolean', async () => {
    for (const count of ['', 'two', '1.5', '0x1', '1e1', [], {}, true]) {
      const problem = await shop.refused(['POST', '/api/simulator/devices/', { body: { count } }], [400, 'invalid']);
      expect(problem.errors).toMatchObject([{ path: '/count' }]);
    }
    await shop.refused(['PATCH', '/api/simulator/turbos/SIM-1/', { body: { connected: 'no' } }], [400, 'invalid']);
  });
});

describe('ignores unknown fields', () => {
  const more = { api: '2.0', x: { y: [null] } };
  test.each<[method: string, path: string, body: object]>([
    ['POST', `/api/device/${ONE}/`, { line1: 'x' }],
    ['PUT', `/api/device/${ONE}/`, { statica: '' }],
    ['POST', '/api/devices/', { deviceid: ONE, command: 'kill' }],
    ['POST', '/api/preview/', { line1: 'x' }],
    ['POST', '/api/location-aliases/', { name: 'unknown', deviceid: ONE, deviceIs: 'Below' }],
    ['POST', '/api/simulator/devices/', {}],
    ['POST', `/api/simulator/devices/${ONE}/press/`, {}],
    ['PATCH', `/api/simulator/devices/${ONE}/`, { reachable: true }],
    ['PATCH', '/api/simulator/turbos/SIM-1/', { connected: true }],
    ['POST', `/api/device/${ONE}/identify/`, {}],
    ['POST', '/api/api-users/', { name: 'unknown' }],
    ['POST', '/api/map/racks/', { name: 'unknown' }],
  ])('in %s %s', async (method, path, body) => {
    const { status, text } = await shop.ask(method, path, { body: { ...body, ...more } });
    expect({ status, text }).toMatchObject({ status: expect.toSatisfy((each: number) => each < 300) as number });
  });

  test('except in settings, where a 400 names the field', async () => {
    const problem = await shop.refused(['PATCH', '/api/settings/', { body: { default_second: 5 } }], [400, 'invalid']);
    expect(problem.errors).toMatchObject([{ path: '/default_second' }]);
  });

  test('except in calls whose effect cannot be undone, which accept the version that old programs send', async () => {
    const replay = (body: object) => ['POST', '/api/callbacks/replay/', { body: { state: 'dead', ...body } }] as const;
    const problem = await shop.refused(replay(more), [400, 'invalid']);
    expect(problem.errors).toMatchObject([{ path: '/x' }]);
    expect((await shop.ask(...replay({ api: '2.0' }))).status).toBe(200);
    const alias = { name: 'unknown-2', deviceid: ONE, deviceIs: 'Below' };
    const { id } = await shop.station.post<{ id: number }>('/api/location-aliases/', alias);
    expect((await shop.ask('DELETE', `/api/location-aliases/${id}/`, { body: { api: '2.0' } })).status).toBe(204);
  });
});

describe('accepts a JSON content type with an empty body where no body is needed', () => {
  const json = { 'content-type': 'application/json' };
  test.each<[line: string, method: string, make: () => Promise<string>]>([
    [
      'a location alias',
      'DELETE',
      async () =>
        `/api/location-aliases/${await made('/api/location-aliases/', { name: 'gone', deviceid: ONE, deviceIs: 'Below' })}/`,
    ],
    ['an API user', 'DELETE', async () => `/api/api-users/${await made('/api/api-users/', { name: 'gone' })}/`],
    ['a rack', 'DELETE', async () => `/api/map/racks/${await made('/api/map/racks/', { name: 'gone' })}/`],
    [
      'a command',
      'DELETE',
      async () => `/api/device/${ONE}/commands/${await made(`/api/device/${ONE}/`, { line1: 'gone' }, 'command_id')}/`,
    ],
    ['a place on the map', 'DELETE', () => Promise.resolve(`/api/map/places/${ONE}/`)],
    [
      'rotation of a key',
      'POST',
      async () => `/api/api-users/${await made('/api/api-users/', { name: 'rotated' })}/rotate/`,
    ],
    ['a press', 'POST', () => Promise.resolve(`/api/simulator/devices/${ONE}/press/`)],
    ['a search for a device', 'POST', () => Promise.resolve(`/api/device/${TWO}/identify/`)],
    [
      'a device',
      'DELETE',
      async () => {
        const added = await shop.ask('POST', '/api/device/', { body: { deviceid: 'ABCDEF:000001' } });
        expect(added.status).toBe(201);
        return '/api/device/ABCDEF:000001/';
      },
    ],
  ])('%s: %s', async (_, method, make) => {
    const { status, text } = await shop.ask(method, await make(), { headers: json });
    expect({ status, text }).toMatchObject({ status: expect.toSatisfy((each: number) => each < 300) as number });
  });

  test('DELETE accepts an empty object as its body', async () => {
    const id = await made('/api/location-aliases/', { name: 'with a body', deviceid: ONE, deviceIs: 'Below' });
    expect((await shop.ask('DELETE', `/api/location-aliases/${id}/`, { body: {} })).status).toBe(204);
    expect((await shop.ask('GET', `/api/location-aliases/${id}/`)).status).toBe(404);
  });

  async function made(path: string, body: object, key = 'id'): Promise<string> {
    const { status, json } = await shop.ask('POST', path, { body });
    expect(status).toBeLessThan(300);
    return String((json as JsonObject)[key]);
  }
});

test('reads XML with any root element like JSON, answers in the format that Accept asks for, and refuses a DOCTYPE', async () => {
  const headers = { 'content-type': 'application/xml', accept: 'application/xml' };
  const body = '<anything><line1>M8</line1><quantity>2</quantity><seconds>60</seconds></anything>';
  const sent = await shop.ask('POST', `/api/device/${ONE}/`, { body, headers });
  expect(sent).toMatchObject({ status: 200, headers: { 'content-type': expect.stringMatching(/xml/) as string } });
  expect(await shop.only()).toMatchObject({ line1: 'M8', quantity: 2, seconds: 60 });
  const doctype = '<!DOCTYPE x [<!ENTITY e "boo">]><x><line1>&e;</line1></x>';
  await shop.refused(
    ['POST', `/api/device/${ONE}/`, { body: doctype, headers: { 'content-type': 'text/xml' } }],
    [400, 'malformed'],
  );
});

test('the documents state the lenient limits, not the strict ones', async () => {
  const document = await fetchDocument(shop.station, '/devices/openapi.json');
  const send = operations(document).find(({ operation }) => operation.operationId === 'sendToDevice');
  const schema = resolve(send?.operation.requestBody?.content['application/json']?.schema, document);
  const fields = schema['properties'] as Record<string, JsonObject>;
  // A text of 27 characters, a quantity of 100 and an unknown field must be valid according to the document.
  for (const line of ['line1', 'line5', 'statica']) expect(fields[line]).not.toHaveProperty('maxLength');
  expect(Number(fields['quantity']?.['maximum'])).toBeGreaterThan(99_999);
  expect(fields['quantity']).toMatchObject({ minimum: 0, nullable: true });
  expect(fields['seconds']).toMatchObject({ minimum: 0, maximum: 2_592_000 });
  expect(schema).not.toHaveProperty('additionalProperties');
  for (const name of ['arrow', 'color', 'command', 'sound', 'icon']) expect(fields[name]).not.toHaveProperty('enum');
});

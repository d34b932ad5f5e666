import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import { fetchDocument, operations, resolve, type Json, type OpenApi } from './documents.ts';

const DEVICE = '51D000:000001';

const ONE_RACK = {
  racks: [{ id: 'r', name: 'A', columns: 2, shelves: [{ id: 's', name: 'A-1' }] }],
  places: [],
};

/** One that there is, of everything that stands in a path. A new parameter needs its example here. */
const EXAMPLES: Readonly<Record<string, string>> = { DeviceID: DEVICE, SerialNo: 'SIM-1', command_id: '1', id: 'r' };

let station: TestStation;
let receiver: Receiver;
let document: OpenApi;

/** A station where everything that can be told has something to tell. */
beforeAll(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  document = await fetchDocument(station, '/api/openapi.json');
  await station.patch('/api/settings/', { callback_url: receiver.url, callback_headers: { 'X-Shop': 'one' } });
  await station.post('/api/map/racks/', { name: 'Rack A', shelves: ['A-1'] });
  await station.post(`/api/device/${DEVICE}/`, {
    locationoverride: 'A-1',
    statica: 'on hand',
    quantity: 3,
    arrow: 'left',
  });
  await station.clock.advance(5_000);
  await station.press(DEVICE, 'front', 'long');
  await station.post(`/api/device/${DEVICE}/`, { line1: 'shown', quantity: 3, arrow: 'up', nonce: 'n', sound: 'beep' });
  await station.clock.advance(5_000);
  await station.post(`/api/device/${DEVICE}/`, { line1: 'queued', seconds: 0 });
});

afterAll(async () => {
  await station.stop();
  await receiver.stop();
});

/** A schema of the document that takes nothing beyond what it describes. */
function strict(schema: Json): z.ZodType {
  return z.fromJSONSchema(closed(schema) as Parameters<typeof z.fromJSONSchema>[0], { defaultTarget: 'openapi-3.0' });
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]));
  const isObject = 'properties' in value && !('additionalProperties' in value);
  return isObject ? { ...parts, additionalProperties: false } : parts;
}

test('what every GET answers is what the document says, no more and no less', async () => {
  const gets = operations(document).filter(({ method }) => method === 'GET');
  expect(gets.length).toBeGreaterThan(8);
  for (const { path, operation } of gets) {
    const [type, { schema }] = Object.entries(operation.responses['200']?.content ?? {})[0] ?? ['', { schema: {} }];
    if (type === 'text/event-stream') continue;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const example = EXAMPLES[name];
      if (example === undefined) throw new Error(`${path}: there is no example of ${name}.`);
      return example;
    });
    const answer = await station.request('GET', filled);
    expect(answer.status, filled).toBe(200);
    expect(answer.headers.get('content-type')?.split(';')[0], filled).toBe(type);
    if (type !== 'application/json') continue;
    const { error } = strict(resolve(schema, document)).safeParse(answer.body);
    expect(error && z.prettifyError(error), filled).toBeUndefined();
    if (Array.isArray(answer.body)) expect(answer.body.length, `${filled} has nothing to look at`).toBeGreaterThan(0);
  }
});

test('what the writes answer is what the document says', async () => {
  const path = '/api/device/{DeviceID}/';
  const filled = `/api/device/${DEVICE}/`;
  const calls: [method: string, template: string, path: string, body: unknown, status: number][] = [
    ['POST', path, filled, { line1: 'x', nonce: 'y' }, 200],
    ['PUT', path, filled, { statica: 'x' }, 200],
    ['POST', path, filled, { command: 'kill' }, 200],
    ['POST', '/api/devices/', '/api/devices/', { deviceid: DEVICE, statica: 'x' }, 200],
    [
      'POST',
      '/api/devices/',
      '/api/devices/',
      [
        { deviceid: DEVICE, line1: 'x' },
        { deviceid: DEVICE, command: 'kill' },
      ],
      200,
    ],
    ['POST', '/api/devices/', '/api/devices/', [{ deviceid: DEVICE, statica: 'x' }, { command: 'blink' }, {}], 207],
    ['PATCH', '/api/settings/', '/api/settings/', { default_seconds: 30 }, 200],
    ['POST', '/api/simulator/devices/', '/api/simulator/devices/', { count: 1 }, 201],
    ['PATCH', '/api/simulator/devices/{DeviceID}/', `/api/simulator/devices/${DEVICE}/`, { press_after_ms: null }, 200],
    ['POST', '/api/simulator/devices/{DeviceID}/press/', `/api/simulator/devices/${DEVICE}/press/`, {}, 202],
    ['PATCH', '/api/simulator/turbos/{SerialNo}/', '/api/simulator/turbos/SIM-1/', {}, 200],
    ['POST', '/api/map/racks/', '/api/map/racks/', { name: 'B' }, 201],
    ['POST', '/api/map/arrange/', '/api/map/arrange/', {}, 200],
    ['PUT', '/api/map/', '/api/map/', ONE_RACK, 200],
    ['PATCH', '/api/map/racks/{id}/', '/api/map/racks/r/', { name: 'C' }, 200],
    ['PUT', '/api/map/places/{DeviceID}/', `/api/map/places/${DEVICE}/`, { shelf: 's', column: 0 }, 200],
    ['POST', '/api/device/', '/api/device/', { deviceid: '51D0AB:00000F' }, 201],
    ['POST', `${path}identify/`, `${filled}identify/`, {}, 200],
    ['POST', '/api/callbacks/replay/', '/api/callbacks/replay/', { state: 'dead' }, 200],
  ];
  for (const [method, template, target, body, status] of calls) {
    const answer = await station.request(method, target, body);
    const name = `${method} ${template}`;
    expect(answer.status, name).toBe(status);
    const responses = document.paths[template]?.[method.toLowerCase()]?.responses;
    const schema = responses?.[String(status)]?.content?.['application/json']?.schema;
    const { error } = strict(resolve(schema, document)).safeParse(answer.body);
    expect(error && z.prettifyError(error), name).toBeUndefined();
  }
});

test('problems are what the document says', async () => {
  const schema = strict(resolve({ $ref: '#/components/schemas/Problem' }, document));
  for (const [method, path, body] of [
    ['GET', '/api/device/FFFFFF:FFFFFF/', undefined],
    ['GET', '/api/nothing/', undefined],
    ['DELETE', '/api/device/', undefined],
    ['POST', `/api/device/${DEVICE}/`, { command: 'blink' }],
    ['PATCH', '/api/settings/', { nothing: 1 }],
  ] as const) {
    const answer = await station.request(method, path, body);
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(schema.safeParse(answer.body).error, path).toBeUndefined();
  }
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawRequest } from '../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import { fetchDocument, operations, responseOf, type OpenApi } from './documents.ts';
import { findMismatch } from './strict.ts';

const DEVICE = '51D000:000001';
const KEY = { 'api-key': API_KEY };
const JSON_BODY = { ...KEY, 'content-type': 'application/json' };

let station: TestStation;
let document: OpenApi;

beforeAll(async () => {
  station = await startTestStation({ simulate: 2 });
  document = await fetchDocument(station, '/api/openapi.json');
  await station.post('/api/map/racks/', { name: 'A' });
  await station.post('/api/location-aliases/', { name: 'A-1', deviceid: DEVICE, deviceIs: 'Below' });
});

afterAll(() => station.stop());

type Case = [operationId: string, path: string, status: number, headers: Record<string, string>, body?: string];

const SEND = `/api/device/${DEVICE}/`;
const MANY = 'x'.repeat(1024 * 1024 + 1);

const CASES: readonly Case[] = [
  ['sendToDevice', SEND, 400, JSON_BODY, '{"command":"blink"}'],
  ['sendToDevice', SEND, 400, JSON_BODY, '{"command":'],
  ['sendToDevice', SEND, 401, { ...JSON_BODY, 'api-key': 'another' }, '{"line1":"x"}'],
  ['sendToDevice', SEND, 403, { ...JSON_BODY, origin: 'http://other.example' }, '{"line1":"x"}'],
  ['sendToDevice', '/api/device/FFFFFF:FFFFFF/', 404, JSON_BODY, '{"line1":"x"}'],
  ['sendToDevice', SEND, 413, JSON_BODY, JSON.stringify({ line1: MANY })],
  ['sendToDevice', SEND, 415, { ...KEY, 'content-type': 'text/csv' }, 'line1,x'],
  ['sendToDevice', SEND, 421, { ...JSON_BODY, host: 'other.example' }, '{"line1":"x"}'],
  ['sendByAddressTexts', `/api/${DEVICE}/blink/x/`, 400, KEY],
  ['sendByAddressTexts', '/api/FFFFFF:FFFFFF/flash/x/', 404, KEY],
  ['getDevice', '/api/device/FFFFFF:FFFFFF/', 404, KEY],
  ['getDevice', '/api/device/%ff/', 400, KEY],
  ['listHistory', '/api/history/?limit=0', 400, KEY],
  ['getHealth', '/healthz', 421, { host: 'other.example' }],
  ['registerDevice', '/api/device/', 409, JSON_BODY, JSON.stringify({ deviceid: DEVICE })],
  ['acknowledgeCommand', `${SEND}acknowledge/`, 404, JSON_BODY, '{"command_id":"77"}'],
  [
    'addLocationAlias',
    '/api/location-aliases/',
    409,
    JSON_BODY,
    JSON.stringify({ name: 'a-1', deviceid: DEVICE, deviceIs: 'Above' }),
  ],
  ['makeDemoShop', '/api/setup/demo/', 409, KEY],
  ['removeUser', '/api/users/admin/', 409, KEY],
  ['rotateApiUser', '/api/api-users/1/rotate/', 409, KEY],
  [
    'issueToken',
    '/api/oauth/token/',
    400,
    { 'content-type': 'application/x-www-form-urlencoded' },
    'scope=read&scope=read',
  ],
  ['signIn', '/api/user/login/', 401, { 'content-type': 'application/json' }, '{"username":"admin","password":"no"}'],
];

/** Returns how an answer contradicts the document by its status, content type or body, or undefined if it does not. */
function faultOf(operationId: string, answer: { status: number; type: string; text: string }): string | undefined {
  const operation = operations(document).find((each) => each.operation.operationId === operationId)?.operation;
  if (operation === undefined) return `There is no ${operationId}.`;
  if (!(String(answer.status) in operation.responses)) return `${answer.status} is not named.`;
  const [type = ''] = answer.type.split(';');
  const content = responseOf(operation, answer.status, document)?.content?.[type];
  if (content === undefined) return `${answer.status} is not described as ${type}.`;
  return findMismatch(content.schema, JSON.parse(answer.text), document);
}

async function send([operationId, path, , headers, body]: Case) {
  const method = operations(document).find((each) => each.operation.operationId === operationId)?.method ?? 'GET';
  const sent = body === undefined ? { method, path, headers } : { method, path, headers, body };
  const answer = await rawRequest(station.url, sent);
  return { status: answer.status, type: answer.headers['content-type'] ?? '', text: answer.text };
}

test.each(CASES)('the document describes why %s %s answers %i', async (...given) => {
  const answer = await send(given);
  expect(answer.status, answer.text).toBe(given[2]);
  expect(faultOf(given[0], answer)).toBeUndefined();
});

test('the document describes the refusal after repeated wrong passwords', async () => {
  // Repeating the same wrong password counts once.
  const guess = (tries: number) =>
    send(['signIn', '/api/user/login/', 429, JSON_BODY, `{"username":"nobody","password":"no ${tries}"}`]);
  let answer = await guess(0);
  for (let tries = 1; tries <= 10 && answer.status === 401; tries += 1) answer = await guess(tries);
  expect(answer.status).toBe(429);
  expect(faultOf('signIn', answer)).toBeUndefined();
});

import { readFileSync, writeFileSync } from 'node:fs';
import { arch, release, type } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { startTestStation } from '../helpers/startTestStation.ts';
import { fetchDocument, responseOf, type OpenApi } from './documents.ts';
import { sendExamples, type SentExample } from './sendExamples.ts';
import { findMismatch } from './strict.ts';

const DEVICE = '51D000:000001';

/**
 * The documented answers. `PICKSTATION_EXAMPLES=new` adds answers that are new or whose fields have changed. `all` (or `1`) writes all
 * current answers of the station.
 */
const ANSWERS = join(import.meta.dirname, '../../electron/server/http/openapi/answers.json');

/** Matches the URL of the test's receiver, whose port changes with each run. Examples show the replacement below. */
const OWN_ADDRESS = /(http|ws):\/\/127\.0\.0\.1:\d+\//;
const EXAMPLE_ADDRESS = '$1://127.0.0.1:8080/';

/** Matches the data folder of the test machine. Examples show the replacements below. */
const OWN_FOLDER = /^\S*pickstation-test-\w+/;
const EXAMPLE_FOLDER = '/var/lib/pickstation';
const OWN_SYSTEM = `${type()} ${release()} ${arch()}`;
const EXAMPLE_SYSTEM = 'Linux 6.8.0 x64';

/**
 * The examples with their answers. They are sent only once, by the first test that needs them: hooks have a shorter timeout than tests, and
 * hashing passwords takes time.
 */
let sending: ReturnType<typeof sendExamples> | undefined;

function examples(): ReturnType<typeof sendExamples> {
  return (sending ??= sendExamples());
}

test('the station accepts every example and answers exactly as documented', async () => {
  const { document, sent } = await examples();
  for (const { operation, method, target, request, answer } of sent) {
    const name = `${operation.operationId} (${request}): ${method} ${target}`;
    expect({ name, status: answer.status, body: answer.status < 300 || answer.body }).toEqual({
      name,
      status: expect.toSatisfy(
        (status: number) => status >= 200 && status < 300 && String(status) in operation.responses,
      ),
      body: true,
    });
    const types = Object.keys(responseOf(operation, answer.status, document)?.content ?? {});
    const type = answer.headers.get('content-type')?.split(';')[0];
    if (types.length === 0) {
      expect({ name, type: type ?? '' }).toEqual({ name, type: '' });
      continue;
    }
    expect(types, name).toContain(type);
    if (type !== 'application/json') continue;
    const schema = responseOf(operation, answer.status, document)?.content?.[type]?.schema;
    expect({ name, mismatch: findMismatch(schema, answer.body, document) }).toEqual({ name, mismatch: undefined });
  }
});

test('every list in the examples has entries', async () => {
  const { sent } = await examples();
  for (const { target, answer } of sent) {
    // Simulated devices are always registered, so this list is empty.
    if (target === '/api/devices/waiting/') continue;
    if (Array.isArray(answer.body)) expect(target.includes('?') || answer.body.length > 0, target).toBe(true);
  }
});

test("the documented answers have the fields of the station's answers", async () => {
  const now = answersOf(await examples());
  const shown = JSON.parse(readFileSync(ANSWERS, 'utf8')) as typeof now;
  const wanted = process.env['PICKSTATION_EXAMPLES'];
  if (wanted !== undefined) {
    const isKept = (name: string) => wanted === 'new' && isDeepStrictEqual(shapeOf(shown[name]), shapeOf(now[name]));
    const written = Object.entries(now).map(([name, answers]) => [name, isKept(name) ? shown[name] : answers]);
    writeFileSync(ANSWERS, `${JSON.stringify(Object.fromEntries(written), undefined, 2)}\n`);
    return;
  }
  expect(shapeOf(shown), 'npm run contract writes them').toEqual(shapeOf(now));
});

test('error answers match the document', async () => {
  await using station = await startTestStation({ simulate: 1 });
  const whole = await fetchDocument(station, '/api/openapi.json');
  for (const [method, path, body] of [
    ['GET', '/api/device/FFFFFF:FFFFFF/', undefined],
    ['GET', '/api/nothing/', undefined],
    ['DELETE', '/api/device/', undefined],
    ['POST', `/api/device/${DEVICE}/`, { command: 'blink' }],
    ['PATCH', '/api/settings/', { nothing: 1 }],
  ] as const) {
    const answer = await station.request(method, path, body);
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(findMismatch({ $ref: '#/components/schemas/Problem' }, answer.body, whole), path).toBeUndefined();
  }
});

/** Returns the first JSON answer to each request, by operation and status. */
function answersOf({
  document,
  sent,
}: {
  document: OpenApi;
  sent: SentExample[];
}): Record<string, Record<string, unknown>> {
  const answers: Record<string, Record<string, unknown>> = {};
  for (const { operation, request, answer } of sent) {
    const isDescribed =
      Object.keys(responseOf(operation, answer.status, document)?.content ?? {})[0] === 'application/json';
    if (!isDescribed || operation.tags?.includes('documents') === true) continue;
    const group = (answers[`${operation.operationId} ${answer.status}`] ??= {});
    group[request] ??= short(answer.body);
  }
  return answers;
}

/** Shortens a value for the documentation and replaces the data of the test machine. */
function short(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = value
      .replace(OWN_ADDRESS, EXAMPLE_ADDRESS)
      .replace(OWN_FOLDER, EXAMPLE_FOLDER)
      .replace(OWN_SYSTEM, EXAMPLE_SYSTEM);
    return text.length > 160 ? `${text.slice(0, 40)}…` : text;
  }
  if (Array.isArray(value)) return value.slice(0, 3).map(short);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, short(part)]));
}

/** Returns the structure of an answer without values that change. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]));
}

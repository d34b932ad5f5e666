import { expect, test } from 'vitest';
import {
  BODY_LIMIT,
  createRequestLog,
  MAX_BYTES,
  MAX_REQUESTS,
  type KeptRequest,
} from '../../../electron/server/services/base/requestLog.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

const ALL = { limit: 1_000_000 };

function request(path: string, text: string): KeptRequest {
  const body = { contentType: '', bytes: text.length, kept: 'whole' as const, text };
  const who = { by: '', credential: 'none' as const, address: '', userAgent: '', accept: '' };
  return { at: 0, method: 'GET', path, ...who, status: 200, code: '', ms: 0, request: body, answer: body };
}

const createLog = () => createRequestLog({ clock: createFakeClock(1_000), isOn: () => true });

test('keeps the newest thousand requests, and finds no older ones', () => {
  const log = createLog();
  for (let count = 0; count <= MAX_REQUESTS; count += 1) log.add(request(`/${count}`, ''));
  const paths = log.list(ALL).map(({ path }) => path);
  expect(paths).toHaveLength(MAX_REQUESTS);
  expect([paths[0], paths.at(-1)]).toEqual([`/${MAX_REQUESTS}`, '/1']);
  expect(() => log.get('1000')).toThrow('Request 1000 is not kept, or no longer.');
  expect(log.get('1001').path).toBe('/1');
});

test('keeps fewer requests while their bodies exceed the limit, and as many as before afterwards', () => {
  const log = createLog();
  const long = 'x'.repeat(BODY_LIMIT);
  const bytes = 2 * (2 * BODY_LIMIT + '/0000'.length);
  for (let count = 0; count < MAX_REQUESTS; count += 1) log.add(request('/0000', long));
  expect(log.list(ALL)).toHaveLength(Math.floor(MAX_BYTES / bytes));
  for (let count = 0; count < MAX_REQUESTS; count += 1) log.add(request('/', ''));
  expect(log.list(ALL)).toHaveLength(MAX_REQUESTS);
});

test('finds nothing for an invalid id', () => {
  const log = createLog();
  log.add(request('/', ''));
  for (const id of ['', 'x', '1000.5', '999', '1001', '-1', '1e3x']) expect(() => log.get(id)).toThrow('is not kept');
  expect(log.get('1000').path).toBe('/');
});

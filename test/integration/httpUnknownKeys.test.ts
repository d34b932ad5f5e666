import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditEntry } from '#shared/api/access.ts';
import { createUnknownKeys } from '../../electron/server/services/accessUnknownKeys.ts';
import { createFakeClock } from '../helpers/fakeClock.ts';
import { rawRequest } from '../helpers/rawHttp.ts';
import { openSession, signIn } from '../helpers/session.ts';
import { API_KEY, startTestStation, type TestStation } from '../helpers/startTestStation.ts';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
});

afterEach(() => station.stop());

const ask = (key: string) => rawRequest(station.url, { path: '/api/device/', headers: { 'api-key': key } });

async function refused(): Promise<AuditEntry[]> {
  const entries = await station.get<AuditEntry[]>('/api/audit/');
  return entries.filter(({ action }) => action === 'session.refused');
}

test('who guesses keys is 429 within sixty tries, and is told when to come back', async () => {
  const statuses: number[] = [];
  for (let tries = 0; tries < 60; tries += 1) statuses.push((await ask(`psk_guess ${tries}`)).status);
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
  expect(statuses.at(-1)).toBe(429);
  const last = await ask('psk_another');
  expect(JSON.parse(last.text)).toMatchObject({ status: 429, code: 'too_many_requests' });
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(last.headers['retry-after'])).toBeLessThanOrEqual(60);

  // Nobody who has a key, a session or a password notices.
  expect((await ask(API_KEY)).status).toBe(200);
  const session = await openSession(station);
  expect((await ask(session.apikey)).status).toBe(200);
  expect((await station.request('GET', '/api/device/', undefined, session.cookies)).status).toBe(200);
  expect((await signIn(station)).status).toBe(200);

  await station.clock.advance(60_000);
  expect((await ask('psk_another')).status).toBe(401);
});

test('a program that sends one old key all day is 429 itself, and others there still read 401', async () => {
  for (let tries = 0; tries < 300; tries += 1) expect((await ask('old key')).status).toBe(401);
  expect((await ask('old key')).status).toBe(429);
  const { apikey, write } = await openSession(station);
  await station.request('POST', '/api/user/logout/', undefined, write);
  expect(await ask(apikey)).toMatchObject({ status: 401 });
});

test('the tries of an hour are one entry, which counts them, survives the stop, and says nothing of the key', async () => {
  await ask('psk_secret');
  await station.clock.advance(0);
  expect(await refused()).toMatchObject([
    { by: '', subject: '', address: '127.0.0.1', detail: { method: 'key', tries: 1 } },
  ]);
  for (let tries = 0; tries < 40; tries += 1) await ask(`psk_secret${tries % 35}`);
  await station.clock.advance(60_000);
  expect(await refused()).toMatchObject([{ detail: { method: 'key', tries: 41 } }]);
  await ask('psk_secret');
  await station.restart();
  expect(await refused()).toMatchObject([{ detail: { method: 'key', tries: 42 } }]);
  await ask('psk_secret');
  await station.clock.advance(3_600_000);
  await ask('psk_secret');
  await station.clock.advance(0);
  expect((await refused()).map(({ detail }) => detail.tries)).toEqual([1, 1, 42]);
  expect(JSON.stringify([station.rows('SELECT * FROM audit'), station.logged])).not.toContain('psk_');
});

test('right keys are never too many, and leave no entry', async () => {
  for (let count = 0; count < 100; count += 1) expect((await ask(API_KEY)).status).toBe(200);
  expect(await refused()).toEqual([]);
});

test('addresses are counted apart, those of one IPv6 network together, and a disk that is full refuses nobody', async () => {
  const warned: string[] = [];
  const say = (_fields: object, message: string) => void warned.push(message);
  const keys = createUnknownKeys({
    writer: { write: () => Promise.reject(new Error('full')) },
    clock: createFakeClock(0),
    log: { debug: say, info: say, warn: say, error: say },
    audit: { record: () => 1, amend: () => undefined, list: () => [] },
  });
  const isRefused = (hash: string, address: string) => {
    try {
      keys.tried(hash, address);
      return false;
    } catch {
      return true;
    }
  };
  for (let tries = 0; tries < 30; tries += 1) {
    expect(isRefused(`${tries}`, `fd00:0:0:7::${tries.toString(16)}`)).toBe(false);
    expect(isRefused(`${tries}`, `10.0.0.${tries}`)).toBe(false);
  }
  expect(isRefused('new', 'fd00:0:0:7:ffff::1')).toBe(true);
  expect(isRefused('new', 'fd00:0:0:8::1')).toBe(false);
  expect(isRefused('new', '10.0.0.1')).toBe(false);
  await keys.stop();
  expect(new Set(warned)).toEqual(new Set(['unknown keys that were tried could not be written down']));
});

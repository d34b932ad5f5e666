import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Station } from '#shared/api/station.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ADMIN_PASSWORD = 'harbour street';
const JSON_TYPE = { 'content-type': 'application/json' };

let one: TestStation;
let other: TestStation;
let folder: string;
/** The cookies of a browser, which sends them to every port of an address. */
let jar: Map<string, string>;

beforeEach(async () => {
  one = await startTestStation({ adminPassword: ADMIN_PASSWORD });
  // Test stations start with copies of one folder, which share an id. This station needs a different id, so it starts empty.
  folder = mkdtempSync(join(tmpdir(), 'pickstation-other-'));
  other = await startTestStation({ adminPassword: ADMIN_PASSWORD, dataFolder: folder, seed: 2 });
  jar = new Map();
});

afterEach(async () => {
  await one.stop();
  await other.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(station: TestStation, method: string, path: string, body?: object, more: object = {}) {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await station.request(method, path, body, { ...JSON_TYPE, cookie, ...more });
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') jar.delete(name);
    else jar.set(name, value);
  }
  return answer;
}

async function signIn(station: TestStation, query = '?page=1'): Promise<string> {
  const body = { username: 'admin', password: ADMIN_PASSWORD };
  const answer = await ask(station, 'POST', `/api/user/login/${query}`, body);
  expect(answer.status).toBe(200);
  return (answer.body as { token: string }).token;
}

const write = (station: TestStation, token: string) =>
  ask(station, 'PATCH', '/api/settings/', { default_seconds: 30 }, { 'x-csrf-token': token, referer: station.url });

test('pages of two stations at one address stay signed in, even if the user signs out of one', async () => {
  const token = await signIn(one);
  const otherToken = await signIn(other);
  expect([...jar.keys()].toSorted()).toHaveLength(4);
  expect((await write(one, token)).status).toBe(200);
  expect((await write(other, otherToken)).status).toBe(200);
  const { body } = await ask(one, 'GET', '/api/station/');
  const { id } = body as Station;
  expect(jar.get(`pickstation-csrf-${id}`)).toBe(token);
  expect(
    (await ask(one, 'POST', '/api/user/logout/', undefined, { 'x-csrf-token': token, referer: one.url })).status,
  ).toBe(204);
  expect(jar.size).toBe(2);
  expect((await ask(one, 'GET', '/api/device/')).status).toBe(401);
  expect((await write(other, otherToken)).status).toBe(200);
});

test('a page and a program that uses the usual cookies do not sign each other out', async () => {
  const token = await signIn(one);
  const ofProgram = await signIn(one, '');
  expect([...jar.keys()]).toEqual(expect.arrayContaining(['sessionid', 'csrftoken']));
  expect((await write(one, token)).status).toBe(200);
  expect((await write(one, ofProgram)).status).toBe(200);
  expect((await write(one, 'wrong')).status).toBe(403);
});

test('an ended session of the page does not hide the session of a program, or vice versa', async () => {
  const ofProgram = await signIn(one, '');
  const token = await signIn(one);
  const stale = [...jar].map(([name, value]) => [name, name === 'sessionid' ? value : `x${value}`] as const);
  const kept = new Map(jar);
  jar = new Map(stale);
  expect((await write(one, ofProgram)).status).toBe(200);
  jar = new Map([...kept].map(([name, value]) => [name, name === 'sessionid' ? `x${value}` : value]));
  expect((await write(one, token)).status).toBe(200);
});

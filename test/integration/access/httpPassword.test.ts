import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Problem } from '#shared/api/problem.ts';
import { openSession, signIn, type TestSession } from '../../helpers/session.ts';
import { ADMIN_PASSWORD, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const NEW = 'a better password';

let station: TestStation;
let session: TestSession;

beforeEach(async () => {
  station = await startTestStation();
  session = await openSession(station);
});

afterEach(() => station.stop());

function change(old_password: unknown, new_password: unknown, headers: Record<string, string> = session.write) {
  return station.request(
    'POST',
    '/api/user/password/',
    { old_password, new_password },
    { 'content-type': 'application/json', ...headers },
  );
}

async function signsIn(password: string): Promise<boolean> {
  return (await signIn(station, { username: 'admin', password })).status === 200;
}

test('a new password replaces the old one immediately, and survives a restart', async () => {
  expect((await change(ADMIN_PASSWORD, NEW)).status).toBe(204);
  expect([await signsIn(ADMIN_PASSWORD), await signsIn(NEW)]).toEqual([false, true]);
  await station.restart();
  expect([await signsIn(ADMIN_PASSWORD), await signsIn(NEW)]).toEqual([false, true]);
});

test("a new password ends the user's other sessions with their keys and streams, but not the current session", async () => {
  const other = await openSession(station);
  const stream = await fetch(new URL('/api/events/', station.url), { headers: other.cookies });
  const ended = stream.text();
  expect((await change(ADMIN_PASSWORD, NEW)).status).toBe(204);
  const status = async (headers: Record<string, string>) =>
    (await station.request('GET', '/api/device/', undefined, headers)).status;
  expect(await status(session.cookies)).toBe(200);
  expect(await status({ 'api-key': session.apikey })).toBe(200);
  expect(await status(other.cookies)).toBe(401);
  expect(await status({ 'api-key': other.apikey })).toBe(401);
  await ended;
  await station.restart();
  expect(await status(session.cookies)).toBe(200);
  expect(await status(other.cookies)).toBe(401);
});

test('a wrong old password changes nothing, and too many wrong passwords get 429', async () => {
  const answer = await change('wrong', NEW);
  expect(answer.status).toBe(400);
  expect((answer.body as Problem).errors?.map(({ path }) => path)).toEqual(['/old_password']);
  for (let count = 0; count < 9; count += 1) await change(`wrong ${count}`, NEW);
  const throttled = await change(ADMIN_PASSWORD, NEW);
  expect(throttled.status).toBe(429);
  expect(throttled.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await signsIn(ADMIN_PASSWORD)).toBe(true);
});

test.each([['short'], [''], [7], ['x'.repeat(1_001)]])('refuses the new password %j', async (word) => {
  const answer = await change(ADMIN_PASSWORD, word);
  expect(answer.status).toBe(400);
  expect((answer.body as Problem).errors?.map(({ path }) => path)).toEqual(['/new_password']);
});

test('a caller with a key cannot change a password', async () => {
  const answer = await station.request('POST', '/api/user/password/', {
    old_password: ADMIN_PASSWORD,
    new_password: NEW,
  });
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await change(ADMIN_PASSWORD, NEW, { 'api-key': session.apikey })).toMatchObject({ status: 403 });
});

test('only one of two simultaneous changes succeeds, and the other gets 401', async () => {
  const other = await openSession(station);
  const words = ['the first one', 'the other one'];
  const answers = await Promise.all([
    change(ADMIN_PASSWORD, words[0], session.write),
    change(ADMIN_PASSWORD, words[1], other.write),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401]);
  expect([await signsIn('the first one'), await signsIn('the other one')]).toEqual(
    answers.map(({ status }) => status === 204),
  );
});

test('a sign-in with the old password during the change opens no session', async () => {
  const [changed, ...signedIn] = await Promise.all([
    change(ADMIN_PASSWORD, NEW),
    ...[1, 2, 3].map(() => signIn(station)),
  ]);
  expect(changed.status).toBe(204);
  for (const { status, body } of signedIn) {
    if (status !== 200) continue;
    const { apikey } = body as { apikey: string };
    const answer = await station.request('GET', '/api/device/', undefined, { 'api-key': apikey });
    expect(answer.status).toBe(401);
  }
});

test.each(['password123', 'TrustNo1', 'ｐassword123'])(
  'refuses %s as one of the most common passwords',
  async (common) => {
    const answer = await change(ADMIN_PASSWORD, common);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid', errors: [{ path: '/new_password' }] } });
    expect((answer.body as Problem).detail).toContain('one of the most common');
    expect([await signsIn(ADMIN_PASSWORD), await signsIn(common)]).toEqual([true, false]);
  },
);

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Problem } from '#shared/api/problem.ts';
import type { Station } from '#shared/api/station.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { openSession, signIn } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const PASSWORD = 'harbour street';

let folder: string;
let station: TestStation;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-setup-'));
});

afterEach(async () => {
  await station.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(firstRun: 'print' | 'window', seed = 1, adminPassword?: string): Promise<TestStation> {
  station = await startTestStation({
    dataFolder: folder,
    firstRun,
    seed,
    ...(adminPassword === undefined ? {} : { adminPassword }),
  });
  return station;
}

/** Opens the session that the desktop shell gives to its window. */
async function windowSession() {
  const { sessionId, token } = await station.started.signIn();
  const cookie = `sessionid=${sessionId}; csrftoken=${token}`;
  return {
    read: { cookie },
    write: { cookie, 'x-csrf-token': token, referer: station.url, 'content-type': 'application/json' },
  };
}

function setUp(headers: Record<string, string>, password: unknown = PASSWORD) {
  return station.request('POST', '/api/setup/', { password }, headers);
}

async function setupState(): Promise<string> {
  return (await station.get<Station>('/api/station/')).setup;
}

test('in a window, a user chooses the password, which can then be used to sign in', async () => {
  await start('window');
  expect(station.started.generatedPassword).toBeUndefined();
  expect(await setupState()).toBe('pending');
  const { read, write } = await windowSession();
  const snapshot = await station.request('GET', '/api/station/', undefined, read);
  expect(snapshot.body).toMatchObject({ setup: 'pending', user: { name: 'admin', scope: 'admin' } });
  expect((await signIn(station, { username: 'admin', password: PASSWORD })).status).toBe(401);

  expect((await setUp(write)).status).toBe(204);
  expect(await setupState()).toBe('done');
  expect((await signIn(station, { username: 'admin', password: PASSWORD })).status).toBe(200);
  // The window stays signed in.
  expect((await station.request('GET', '/api/station/', undefined, read)).status).toBe(200);
});

test('the event stream reports that the setup is done', async () => {
  await start('window');
  const stream = await openStream(station.url);
  expect((await setUp((await windowSession()).write)).status).toBe(204);
  const { revision } = await station.get<Station>('/api/station/');
  await station.clock.advance(100);
  await stream.until(() => stream.commits().at(-1)?.id === revision);
  expect(stream.commits().flatMap(({ facts }) => facts)).toContainEqual({ type: 'setup.done' });
  stream.close();
});

test('accepts only one of several passwords chosen at the same time', async () => {
  await start('window');
  const { write } = await windowSession();
  const answers = await Promise.all([setUp(write, 'the first one'), setUp(write, 'the other one')]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409]);
  const again = await setUp(write, 'a third one');
  expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
  const words = await Promise.all(
    ['the first one', 'the other one', 'a third one'].map((password) =>
      signIn(station, { username: 'admin', password }),
    ),
  );
  expect(words.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
});

test.each([['short'], [''], [undefined], ['x'.repeat(1_001)], ['Password123']])(
  'refuses the password %j with an error for that field',
  async (word) => {
    await start('window');
    const answer = await station.request('POST', '/api/setup/', { password: word }, (await windowSession()).write);
    expect(answer.status).toBe(400);
    expect((answer.body as Problem).errors?.map(({ path }) => path)).toEqual(['/password']);
    expect(await setupState()).toBe('pending');
    const password = word ?? '';
    expect((await signIn(station, { username: 'admin', password })).status).not.toBe(200);
  },
);

test('refuses a password without a session', async () => {
  await start('window');
  const json = { 'content-type': 'application/json' };
  expect((await setUp(json)).status).toBe(401);
  const { read } = await windowSession();
  expect(await setUp({ ...json, ...read })).toMatchObject({ status: 403, body: { code: 'csrf' } });
  expect(await setupState()).toBe('pending');
});

test('requests cannot get the session that is reserved for the window', async () => {
  await start('window');
  for (const path of ['/api/setup/', '/api/user/login/', '/api/setup/demo/', '/']) {
    const answer = await station.request('POST', path, {}, { 'content-type': 'application/json' });
    expect(answer.status, path).toBeGreaterThanOrEqual(400);
    expect(answer.headers.getSetCookie(), path).toEqual([]);
  }
});

test('asks for the password again if the window was closed before a password was chosen', async () => {
  await start('window');
  await station.restart();
  expect(await setupState()).toBe('pending');
  expect((await setUp((await windowSession()).write)).status).toBe(204);
  await station.restart();
  expect(await setupState()).toBe('done');
});

test('a headless start after an unfinished setup in a window generates one password', async () => {
  await start('window');
  await station.halt();
  await start('print', 2);
  const password = station.started.generatedPassword ?? '';
  expect(password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){2}$/);
  expect(await setupState()).toBe('done');
  expect((await signIn(station, { username: 'admin', password })).status).toBe(200);
  await station.halt();
  await start('print', 3);
  expect(station.started.generatedPassword).toBeUndefined();
  expect((await signIn(station, { username: 'admin', password })).status).toBe(200);
});

test('a headless first start generates a password, and a window opened later does not ask for one', async () => {
  await start('print');
  const password = station.started.generatedPassword ?? '';
  expect(await setupState()).toBe('done');
  await openSession(station, { username: 'admin', password });
  await station.halt();
  await start('window', 2);
  expect(await setupState()).toBe('done');
  expect((await setUp((await windowSession()).write)).status).toBe(409);
  expect((await signIn(station, { username: 'admin', password: PASSWORD })).status).toBe(401);
  expect((await signIn(station, { username: 'admin', password })).status).toBe(200);
});

test('setting a different password at startup ends sessions of the old password, but setting the same one does not', async () => {
  await start('print', 1, PASSWORD);
  const { sessionId } = await station.started.signIn();
  const status = async () =>
    (await station.request('GET', '/api/station/', undefined, { cookie: `sessionid=${sessionId}` })).status;
  await station.halt();
  await start('print', 2, PASSWORD);
  expect(await status()).toBe(200);
  await station.halt();
  await start('print', 3, 'another street');
  expect(await status()).toBe(401);
  await station.halt();
  await start('print', 4, 'another street');
  expect(await status()).toBe(401);
});

test('a failed start does not change the password', async () => {
  await start('print', 1, PASSWORD);
  await station.halt();
  const stranger = createServer();
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const { port } = stranger.address() as AddressInfo;
  const options = { dataFolder: folder, port, adminPassword: 'the other one' };
  await expect(startTestStation(options)).rejects.toThrow(String(port));
  await new Promise((resolve) => stranger.close(resolve));
  await start('print', 2);
  expect((await signIn(station, { username: 'admin', password: 'the other one' })).status).toBe(401);
  expect((await signIn(station, { username: 'admin', password: PASSWORD })).status).toBe(200);
});

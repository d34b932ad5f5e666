import { homedir } from 'node:os';
import { basename } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import type { Diagnostics } from '#shared/api/diagnostics.ts';
import { createLogMemory } from '../../../electron/server/services/base/logMemory.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { startSerialMachine } from '../../helpers/devices/serialMachine.ts';
import { openSession } from '../../helpers/session.ts';
import {
  ADMIN_PASSWORD,
  API_KEY,
  START_MS,
  startTestStation,
  type TestStation,
} from '../../helpers/startTestStation.ts';

const SETTINGS = {
  callback_url: 'https://receiver.example/hook/url-secret?key={nonce}',
  callback_api_key: 'receiver-key-secret',
  callback_password: 'receiver-password-secret',
  callback_username: 'Receiver-Bertha',
  callback_signing_secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0',
  callback_headers: { Authorization: 'Bearer header-secret' },
};

let station: TestStation & AsyncDisposable;
/** The reason why no serial port can be opened, which the log quotes. */
let reason: string;

beforeEach(async () => {
  const { ports, clock } = startSerialMachine();
  const open = (): Promise<never> => Promise.reject(new Error(reason));
  station = await startTestStation({ simulate: 2, serial: { ...ports, open }, clock });
});

afterEach(() => station.stop());

/** Causes a log line that contains this text, and returns the log. */
async function logAfter(text: string): Promise<Diagnostics['log']> {
  reason = text;
  await station.post('/api/turbo/links/', { path: '/dev/ttyACM0' });
  await station.clock.advance(100);
  return (await station.get<Diagnostics>('/api/diagnostics/')).log;
}

test('diagnostics contain versions, sizes, counts, settings and turbos', async () => {
  await station.post('/api/backups/');
  const told = await station.get<Diagnostics>('/api/diagnostics/');
  expect(told).toMatchObject({
    generated: '2026-11-20T08:00:00.000Z',
    version: '0.1.0',
    node: process.versions.node,
    data: { backups: 1 },
    counts: { devices: 2, users: 1, api_users: 1 },
    settings: { default_seconds: '60', callback_url: 'not set', callback_families: 'device, sequence, order' },
    turbos: [{ serial_number: 'SIM-1', status: 'online', device_count: 2 }],
  });
  expect(told.sqlite).toMatch(/^3\.\d+\.\d+$/);
  expect(told.data.free_bytes).toBeGreaterThan(0);
  expect(told.data.database_bytes).toBeGreaterThan(10_000);
  expect(told.data.backups_bytes).toBeGreaterThan(10_000);
});

test("diagnostics contain no password, key, token, secret or person's name", async () => {
  await station.patch('/api/settings/', SETTINGS);
  await station.post('/api/users/', { username: 'Zebulon Quick', password: 'long enough', role: 'picker' });
  const program = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'Bookkeeper', scope: 'admin' });
  const session = await openSession(station, { username: 'admin', password: ADMIN_PASSWORD });
  const text = JSON.stringify(await station.get('/api/diagnostics/'));
  const secrets = [
    API_KEY,
    ADMIN_PASSWORD,
    'long enough',
    'Zebulon',
    'Bookkeeper',
    'Bertha',
    'secret',
    'c2VjcmV0',
    program.api_key,
    program.client_secret,
    program.client_id,
    session.apikey,
    session.token,
  ];
  for (const secret of secrets) {
    // The text may contain the name of this setting.
    expect(text.replaceAll('"callback_signing_secret"', ''), secret).not.toContain(secret);
  }
});

test("hides secrets and names that a log line quotes, and the user's home folder", async () => {
  await station.patch('/api/settings/', SETTINGS);
  await station.post('/api/users/', { username: 'Zebulon', password: 'long enough', role: 'picker' });
  const quoting = `${SETTINGS.callback_url} refused Zebulon with ${SETTINGS.callback_api_key} in ${homedir()}/x`;
  const text = JSON.stringify(await logAfter(quoting));
  expect(text).toContain('refused (hidden) with (hidden) in ~/x');
  for (const secret of ['Zebulon', 'url-secret', 'receiver-key-secret', homedir()]) expect(text).not.toContain(secret);
});

test("hides the receiver's path, but not an identical folder name within other paths", async () => {
  const folder = basename(station.dataFolder);
  await station.patch('/api/settings/', { callback_url: `http://receiver.example/${folder}` });
  const quoting = `POST /${folder} to http://receiver.example/${folder}?x and /srv/${folder}/file`;
  const log = await logAfter(quoting);
  const { data } = await station.get<Diagnostics>('/api/diagnostics/');
  expect(data.folder).toBe(station.dataFolder.replace(homedir(), '~'));
  expect(JSON.stringify(log)).toContain(`POST (hidden) to (hidden)?x and /srv/${folder}/file`);
});

test("hides the receiver's query in a line without the rest of the URL", async () => {
  await station.patch('/api/settings/', { callback_url: 'http://receiver.example/?token=query-secret' });
  const quoting = 'refused /?token=query-secret by /srv';
  expect(JSON.stringify(await logAfter(quoting))).toContain('refused /(hidden) by /srv');
});

test('hides the constant parts of a URL with fields', async () => {
  await station.patch('/api/settings/', { callback_url: 'http://receiver.example/url-secret/{nonce}/' });
  const quoting = 'GET http://receiver.example/url-secret/n1/';
  expect(JSON.stringify(await logAfter(quoting))).toContain('GET http://(hidden)n1/');
});

test('the log memory keeps only the latest lines, and of their fields only the error', () => {
  const memory = createLogMemory(
    { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    createFakeClock(START_MS),
  );
  for (let line = 1; line <= 300; line += 1)
    memory.log.warn({ password: 'secret', err: new Error('broke') }, `line ${line}`);
  memory.log.debug({}, 'too much');
  expect(memory.lines()).toHaveLength(200);
  expect(memory.lines().at(-1)).toEqual({
    at: '2026-11-20T08:00:00.000Z',
    level: 'warn',
    message: 'line 300',
    error: 'broke',
  });
});

test('only an admin can read diagnostics', async () => {
  const { api_key } = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'Lights', scope: 'control' });
  expect((await station.request('GET', '/api/diagnostics/', undefined, { 'api-key': api_key })).status).toBe(403);
});

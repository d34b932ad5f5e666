import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import type { Diagnostics } from '#shared/api/diagnostics.ts';
import { startSerialMachine } from '../../helpers/devices/serialMachine.ts';
import {
  ADMIN_PASSWORD,
  API_KEY,
  START_MS,
  startTestStation,
  type TestStation,
} from '../../helpers/startTestStation.ts';

const SECRETS = {
  callback_url: 'http://127.0.0.1:9/hook/url-secret?key={nonce}',
  callback_api_key: 'receiver-key-secret',
  callback_password: 'receiver-password-secret',
  callback_username: 'Receiver-Bertha',
  callback_signing_secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0',
  callback_headers: { Authorization: 'Bearer header-secret' },
  mail_password: 'mail-password-secret',
  mqtt_password: 'broker-password-secret',
};

const DAY_MS = 86_400_000;

let station: TestStation & AsyncDisposable;
/** The reason why no serial port can be opened, which the log quotes. */
let reason = '';

beforeEach(async () => {
  const { ports, clock } = startSerialMachine();
  const open = (): Promise<never> => Promise.reject(new Error(reason));
  station = await startTestStation({ simulate: 2, serial: { ...ports, open }, clock, logFiles: true });
});

afterEach(() => station.stop());

/** Adds a link to a serial port that cannot be opened, for a reason that contains this text. */
async function logQuoting(text: string, path = '/dev/ttyACM0'): Promise<void> {
  reason = text;
  await station.post('/api/turbo/links/', { path });
  await station.clock.advance(1_000);
}

async function bundle(): Promise<Diagnostics> {
  return station.get<Diagnostics>('/api/diagnostics/?logs=1');
}

function onDisk(): string {
  const folder = join(station.dataFolder, 'logs');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}

test('the log files record startup, a turbo connecting and disconnecting, and the stop', async () => {
  await station.restart();
  await bundle();
  const said = onDisk()
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(said).toEqual(
    expect.arrayContaining(['The station started', 'Turbo online', 'Turbo offline', 'The station stopped']),
  );
  expect(said.indexOf('The station started')).toBeLessThan(said.indexOf('The station stopped'));
  await station.halt();
  expect(onDisk().split('The station stopped')).toHaveLength(3);
});

test('neither the log files nor the bundle contain secrets from settings, headers, URLs, keys or serial data', async () => {
  await station.patch('/api/settings/', SECRETS);
  await station.post('/api/users/', { username: 'Zebulon', password: 'long enough', role: 'picker' });
  const program = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'Bookkeeper', scope: 'admin' });
  const quoted = [
    ...Object.values(SECRETS).flatMap((value) => (typeof value === 'string' ? [value] : Object.values(value))),
    `API-KEY: serial-secret`,
    `http://u:inline-secret@receiver.example/?token=query-secret`,
    `password=assigned-secret`,
    `${program.api_key} ${program.client_secret} Zebulon Bookkeeper`,
  ];
  await logQuoting(`refused: ${quoted.join('; ')}; the end`);
  // Cause log lines with a wrong key and a failed callback.
  await station.request('GET', '/api/device/', undefined, { 'api-key': 'wrong-secret' });
  await station.clock.advance(60_000);
  const told = await bundle();
  const texts = { disk: onDisk(), bundle: JSON.stringify(told.log_files) };
  for (const [where, text] of Object.entries(texts)) {
    expect(text, where).toContain('the end');
    for (const secret of [
      'secret',
      'c2VjcmV0',
      'Bertha',
      'Zebulon',
      'Bookkeeper',
      program.api_key,
      API_KEY,
      ADMIN_PASSWORD,
    ])
      expect(text, `${secret}, ${where}`).not.toContain(secret);
  }
});

test('the bundle hides a secret that was set after the lines that quote it', async () => {
  await logQuoting('the other side says later-word, twice: later-word');
  expect(JSON.stringify((await bundle()).log_files)).toContain('later-word');
  await station.patch('/api/settings/', { callback_password: 'later-word' });
  expect(JSON.stringify((await bundle()).log_files)).not.toContain('later-word');
});

test('the bundle contains at most 1 MiB of the log files, on request, with the latest lines last', async () => {
  await logQuoting('no such port');
  const folder = join(station.dataFolder, 'logs');
  const line = `${JSON.stringify({ level: 'info', msg: 'x'.repeat(1_000) })}\n`;
  writeFileSync(join(folder, 'pickstation-2026-11-18.log'), line.repeat(2_000));
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  expect(await station.get<Diagnostics>('/api/diagnostics/')).toMatchObject({ log_files: [], crash_dumps: [] });
  const { log_files: files } = await bundle();
  expect(files.map(({ name }) => name)).toEqual(['pickstation-2026-11-18.log', 'pickstation-2026-11-20.log']);
  expect(files[0]?.bytes).toBe(line.length * 2_000);
  expect(files[1]?.lines.join('')).toContain('no such port');
  const bytes = JSON.stringify(files.map(({ lines }) => lines)).length;
  expect(bytes).toBeGreaterThan(900_000);
  expect(bytes).toBeLessThan(1.1 * 2 ** 20);
});

test('the bundle lists crash dumps with name, time and size, but not their content', async () => {
  const folder = join(station.dataFolder, 'crashes', 'completed');
  mkdirSync(folder, { recursive: true });
  for (const [index, name] of ['one', 'two'].entries()) {
    writeFileSync(join(folder, `${name}.dmp`), 'memory with a password');
    utimesSync(join(folder, `${name}.dmp`), 1_000 + index, 1_000 + index);
  }
  writeFileSync(join(folder, 'one.meta'), '');
  const told = await bundle();
  expect(told.crash_dumps).toEqual([
    { name: 'two.dmp', at: '1970-01-01T00:16:41.000Z', bytes: 22 },
    { name: 'one.dmp', at: '1970-01-01T00:16:40.000Z', bytes: 22 },
  ]);
  expect(JSON.stringify(told)).not.toContain('memory with');
});

test('log_days determines which files are deleted when the next file is opened, without a restart', async () => {
  // Create the file for the first day, which deletes files that are too old.
  await bundle();
  const folder = join(station.dataFolder, 'logs');
  mkdirSync(folder, { recursive: true });
  // Add files for days before the first day.
  for (const before of [1, 2, 5, 12, 20, 40]) {
    const day = new Date(START_MS - before * DAY_MS).toISOString().slice(0, 10);
    writeFileSync(join(folder, `pickstation-${day}.log`), '{"level":"info","msg":"old"}\n');
  }
  const daysAfter = async (settings: { log_days: number }): Promise<string[]> => {
    await station.patch('/api/settings/', settings);
    station.clock.jump(DAY_MS);
    await logQuoting('a new day', `/dev/ttyACM${settings.log_days}`);
    await bundle();
    return readdirSync(folder)
      .map((name) => name.slice('pickstation-2026-'.length, -'.log'.length))
      .toSorted();
  };
  expect(await daysAfter({ log_days: 30 })).toEqual(['10-31', '11-08', '11-15', '11-18', '11-19', '11-20', '11-21']);
  expect(await daysAfter({ log_days: 15 })).toEqual(['11-08', '11-15', '11-18', '11-19', '11-20', '11-21', '11-22']);
  expect(await daysAfter({ log_days: 14 })).toEqual(['11-15', '11-18', '11-19', '11-20', '11-21', '11-22', '11-23']);
  // The files of the three latest earlier days are always kept.
  expect(await daysAfter({ log_days: 1 })).toEqual(['11-21', '11-22', '11-23', '11-24']);
  expect((await station.request('PATCH', '/api/settings/', { log_days: 0 })).status).toBe(400);
  expect((await station.request('PATCH', '/api/settings/', { log_days: 366 })).status).toBe(400);
});

test('a station without log files does not report or write any', async () => {
  await using without = await startTestStation();
  expect(await without.get<Diagnostics>('/api/diagnostics/?logs=1')).toMatchObject({
    log_folder: '',
    log_files: [],
    crash_dumps: [],
  });
  expect(readdirSync(without.dataFolder)).not.toContain('logs');
});

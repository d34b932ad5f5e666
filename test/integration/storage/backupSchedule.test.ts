import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { Backup, BackupStatus } from '#shared/api/backup.ts';
import type { Problem } from '#shared/api/problem.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const HOUR_MS = 3_600_000;

let station: TestStation & AsyncDisposable;

beforeEach(async () => {
  station = await startTestStation();
  // Days pass faster without a connected turbo, which would report every few seconds.
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
});

afterEach(() => station.stop());

const backups = (): Promise<Backup[]> => station.get<Backup[]>('/api/backups/');
const status = (): Promise<BackupStatus> => station.get<BackupStatus>('/api/backups/status/');
const kinds = async (): Promise<string[]> => (await backups()).map(({ kind, created }) => `${kind} ${created}`);

const alerts = async (state: 'open' | 'ended' = 'open'): Promise<Alert[]> =>
  (await station.get<Alert[]>(`/api/alerts/?state=${state}`)).filter(({ kind }) => kind === 'backup_failed');

test('makes the first backup a day after the folder was created, and then one per day', async () => {
  expect((await status()).next).toBe('2026-11-21T08:00:00.000Z');
  await station.clock.advance(24 * HOUR_MS - 1_000);
  expect(await backups()).toEqual([]);
  await station.clock.advance(1_000);
  expect(await kinds()).toEqual(['scheduled 2026-11-21T08:00:00.000Z']);
  expect((await backups())[0]?.by).toBe('');
  await station.clock.advance(24 * HOUR_MS);
  expect(await kinds()).toEqual(['scheduled 2026-11-22T08:00:00.000Z', 'scheduled 2026-11-21T08:00:00.000Z']);
});

test('keeps the configured number of scheduled backups, and all manual backups', async () => {
  await station.patch('/api/settings/', { backup_every: 1, backup_keep: 2 });
  await station.post('/api/backups/');
  await station.clock.advance(4 * HOUR_MS);
  expect(await kinds()).toEqual([
    'scheduled 2026-11-20T12:00:00.000Z',
    'scheduled 2026-11-20T11:00:00.000Z',
    'manual 2026-11-20T08:00:00.000Z',
  ]);
  await station.patch('/api/settings/', { backup_keep: 1 });
  expect(await kinds()).toEqual(['scheduled 2026-11-20T12:00:00.000Z', 'manual 2026-11-20T08:00:00.000Z']);
});

test('makes no backups while they are turned off, and schedules the next one when they are turned on', async () => {
  await station.patch('/api/settings/', { backup_every: 0 });
  expect((await status()).next).toBeNull();
  await station.clock.advance(50 * HOUR_MS);
  expect(await backups()).toEqual([]);
  await station.patch('/api/settings/', { backup_every: 24 });
  await station.clock.advance(0);
  expect(await kinds()).toEqual(['scheduled 2026-11-22T10:00:00.000Z']);
});

test('a backup that was due while the station was stopped is made soon after startup, not during it', async () => {
  await station.halt();
  await station.clock.advance(72 * HOUR_MS);
  await station.restart();
  expect(await backups()).toEqual([]);
  await station.clock.advance(60_000);
  expect(await kinds()).toEqual(['scheduled 2026-11-23T08:01:00.000Z']);
  await station.restart();
  await station.clock.advance(HOUR_MS);
  expect(await backups()).toHaveLength(1);
});

test('a clock that temporarily ran a year ahead does not postpone backups', async () => {
  station.clock.jump(365 * 24 * HOUR_MS);
  await station.clock.advance(HOUR_MS);
  expect(await backups()).toHaveLength(1);
  station.clock.jump(-365 * 24 * HOUR_MS);
  await station.clock.advance(25 * HOUR_MS);
  expect((await backups()).length).toBeGreaterThan(1);
});

test('a failed backup is reported and retried within an hour, and a success clears the report', async () => {
  // A file in place of the folder makes the backup fail.
  writeFileSync(join(station.dataFolder, 'backups'), '');
  await station.clock.advance(24 * HOUR_MS);
  const { failure, next } = await status();
  expect(failure?.message).toMatch(/No backup was made.*nothing is left.*The station continues/);
  expect(next).toBe('2026-11-21T09:00:00.000Z');
  const raised = await alerts();
  expect(raised).toMatchObject([
    { kind: 'backup_failed', about: folder(), since: '2026-11-21T08:00:00.000Z', problem: failure?.message },
  ]);
  expect(station.logged.map(({ message }) => message).join()).toMatch(/could not make the daily backup/);
  rmSync(join(station.dataFolder, 'backups'));
  await station.clock.advance(HOUR_MS);
  expect(await kinds()).toEqual(['scheduled 2026-11-21T09:00:00.000Z']);
  expect((await status()).failure).toBeNull();
  expect(await alerts()).toEqual([]);
  expect(await alerts('ended')).toMatchObject([{ id: raised[0]?.id }]);
});

test('a manual backup that fails raises the alert too, and a canceled one does not', async () => {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await station.stop();
  station = await startTestStation({
    watchCopy() {
      begun.resolve();
      return gate.promise;
    },
  });
  const canceled = station.request('POST', '/api/backups/');
  await begun.promise;
  await station.request('POST', '/api/backups/cancel/');
  gate.resolve();
  expect((await canceled).status).toBe(409);
  expect(await alerts()).toEqual([]);
  rmSync(folder(), { recursive: true });
  writeFileSync(folder(), '');
  expect((await station.request('POST', '/api/backups/')).status).toBe(507);
  expect(await alerts()).toMatchObject([{ kind: 'backup_failed' }]);
});

test('a copy of this station that does not pass its check is an error of the station, not of the request', async () => {
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  db.exec("INSERT INTO meta (key, value) VALUES ('mails_sent', '7')");
  db.close();
  const { status: answered, body } = await station.request('POST', '/api/backups/');
  expect(answered).toBe(500);
  expect((body as Problem).detail).toMatch(/^No backup was made, .*"mails_sent" of meta.*Restart the station/);
  expect((body as Problem).detail).not.toMatch(/Choose/);
  expect(await alerts()).toMatchObject([{ kind: 'backup_failed', problem: (body as Problem).detail }]);
});

test('a failed backup leaves no files', async () => {
  await station.stop();
  let steps = 0;
  station = await startTestStation({
    watchCopy: () => {
      steps += 1;
      // Delete the file while it is being written.
      if (steps === 1) for (const file of readdirSync(folder())) rmSync(join(folder(), file));
      return undefined;
    },
  });
  const answer = await station.request('POST', '/api/backups/');
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(existsSync(folder()) ? readdirSync(folder()) : []).toEqual([]);
  expect((await station.request('GET', '/healthz')).status).toBe(200);
  expect((await station.request('POST', '/api/backups/')).status).toBe(201);
});

const folder = (): string => join(station.dataFolder, 'backups');

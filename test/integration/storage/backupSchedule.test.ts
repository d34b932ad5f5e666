import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Backup, BackupStatus } from '#shared/api/backup.ts';
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
  expect(station.logged.map(({ message }) => message).join()).toMatch(/could not make the daily backup/);
  rmSync(join(station.dataFolder, 'backups'));
  await station.clock.advance(HOUR_MS);
  expect(await kinds()).toEqual(['scheduled 2026-11-21T09:00:00.000Z']);
  expect((await status()).failure).toBeNull();
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

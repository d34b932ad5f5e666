import { hash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { Backup } from '#shared/api/backup.ts';
import { rewriteBackup } from '../../../electron/server/db/backupCheck.ts';
import { DATABASE_FILE, openDatabase } from '../../../electron/server/db/database.ts';
import { MARK_FILE, readMark } from '../../../electron/server/db/mark.ts';
import { MIGRATIONS } from '../../../electron/server/db/migrations.ts';
import { preparedPath } from '../../../electron/server/db/restore.ts';
import { DataLost } from '../../../electron/server/errors.ts';
import { startTestStation, type TestStation, type TestStationOptions } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';

let parent: string;
let folder: string;
let running: TestStation[];

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'pickstation-lost-'));
  folder = join(parent, 'data');
  running = [];
});

afterEach(async () => {
  for (const station of running) await station.halt();
  rmSync(parent, { recursive: true, force: true });
});

async function start(options: TestStationOptions = {}): Promise<TestStation> {
  const station = await startTestStation({ dataFolder: folder, simulate: 1, refreshMs: 0, ...options });
  running.push(station);
  return station;
}

const file = (end = '', of = folder): string => join(of, DATABASE_FILE + end);
const alerts = (station: TestStation): Promise<Alert[]> => station.get<Alert[]>('/api/alerts/');
const label = async (station: TestStation): Promise<string> => (await station.device(DEVICE)).locationoverride;
const name = (station: TestStation, locationoverride: string) =>
  station.post(`/api/device/${DEVICE}/`, { locationoverride });
const keptFolders = (): string[] => readdirSync(folder).filter((entry) => entry.startsWith('lost-'));

/** Runs a station, copies its folder as a kill at that moment would leave it, and stops the station. The tests start from the copy. */
async function killedStation(options: TestStationOptions & { commits?: number } = {}): Promise<void> {
  const origin = join(parent, 'origin');
  const station = await start({ ...options, dataFolder: origin });
  for (let index = 0; index < (options.commits ?? 10); index += 1) await name(station, `A-${index}`);
  await station.clock.advance(12_000);
  cpSync(origin, folder, { recursive: true });
  for (const entry of ['lock.sqlite', 'station.json']) rmSync(join(folder, entry), { force: true });
  await station.halt();
}

/** Returns a hash of each file that a refused start must not change. */
function contents(): Record<string, string> {
  const names = readdirSync(folder).filter((entry) => entry.startsWith('pickstation.') && !entry.endsWith('-shm'));
  return Object.fromEntries(names.map((entry) => [entry, hash('sha256', readFileSync(join(folder, entry)))]));
}

/** Starts the station twice and checks that both starts report the same loss and change nothing. Returns the loss. */
async function refusal(): Promise<DataLost> {
  const before = contents();
  const errors: unknown[] = [];
  for (let tries = 0; tries < 2; tries += 1) errors.push(await start().catch((error: unknown) => error));
  expect(contents()).toEqual(before);
  expect(keptFolders()).toEqual([]);
  const [first, second] = errors;
  expect(first).toBeInstanceOf(DataLost);
  if (!(first instanceof DataLost) || !(second instanceof DataLost)) throw new Error('It was opened.');
  expect(second.message).toBe(first.message);
  expect(first.code).toBe('storage');
  expect(first.message).toContain('--accept-loss');
  return first;
}

/** Returns a port that another program uses. */
async function takenPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo).port;
}

function garbleLog(part: number): void {
  const log = readFileSync(file('-wal'));
  log.fill(0xa5, Math.floor(log.length * part), Math.floor(log.length * part) + 500);
  writeFileSync(file('-wal'), log);
}

describe('does not report a loss', () => {
  test('after a kill, with an intact mark file', async () => {
    await killedStation();
    expect(existsSync(file('-wal'))).toBe(true);
    const station = await start();
    expect(await label(station)).toBe('A-9');
    expect(await alerts(station)).toEqual([]);
  });

  test('after a normal stop', async () => {
    const station = await start();
    await name(station, 'A-1');
    const { revision } = await station.get<{ revision: number }>('/api/station/');
    await station.halt();
    expect(readMark(folder)).toMatchObject({ revision });
    expect(await label(await start())).toBe('A-1');
  });

  test('without a mark, as after an update', async () => {
    await killedStation();
    rmSync(join(folder, MARK_FILE));
    const station = await start();
    expect(await alerts(station)).toEqual([]);
    expect(readMark(folder)).not.toBeUndefined();
  });

  test('with an unreadable mark and an intact database', async () => {
    await killedStation();
    writeFileSync(join(folder, MARK_FILE), 'noise');
    const station = await start();
    expect(await label(station)).toBe('A-9');
    await station.halt();
    expect(readMark(folder)).toMatchObject({ identity: expect.any(String) as string });
  });

  test('after a restore by the running station or at startup', async () => {
    const station = await start();
    const backup = await station.post<Backup>('/api/backups/');
    for (let index = 0; index < 30; index += 1) await name(station, `A-${index}`);
    await station.clock.advance(20_000);
    await station.post(`/api/backups/${backup.name}/restore/`);
    await station.clock.advance(0);
    expect(await label(station)).toBe('');
    await station.halt();
    const again = await start();
    expect(await label(again)).toBe('');
    await name(again, 'B-1');
    await again.halt();
    const third = await start({ restore: join(folder, 'backups', backup.name) });
    expect(await label(third)).toBe('');
    expect(await alerts(third)).toEqual([]);
    await third.halt();
    expect(await alerts(await start())).toEqual([]);
  });
});

describe('refuses to start, and changes nothing', () => {
  test('if the database was deleted', async () => {
    await killedStation();
    for (const end of ['', '-wal', '-shm']) rmSync(file(end), { force: true });
    const { message } = await refusal();
    expect(message).toMatch(
      /pickstation\.sqlite is gone\. This station stored changes until 2026-11-20 08:00:\d\d UTC\./,
    );
    expect(existsSync(file())).toBe(false);
  });

  test('if only the database was deleted, and its log remains', async () => {
    await killedStation();
    rmSync(file());
    expect((await refusal()).message).toMatch(/is gone/);
  });

  test('if the database and the mark were deleted, but there are backups', async () => {
    await killedStation();
    for (const end of ['', '-wal', '-shm']) rmSync(file(end), { force: true });
    rmSync(join(folder, MARK_FILE));
    mkdirSync(join(folder, 'backups'), { recursive: true });
    writeFileSync(join(folder, 'backups', 'pickstation-20261120-080000Z-manual.sqlite'), '');
    expect((await refusal()).message).toMatch(/pickstation\.sqlite is gone, and there are backups of one\./);
    expect(existsSync(file())).toBe(false);
  });

  test('if the database was emptied, even with an unreadable mark', async () => {
    await killedStation();
    truncateSync(file(), 0);
    expect((await refusal()).message).toMatch(/is empty/);
    writeFileSync(join(folder, MARK_FILE), 'noise');
    expect((await refusal()).message).toMatch(/is empty\. The station did not start/);
  });

  test('if the log was deleted, and the database is older than the mark', async () => {
    await killedStation();
    rmSync(file('-wal'));
    rmSync(file('-shm'), { force: true });
    expect((await refusal()).message).toMatch(/holds nothing|is older than/);
  });

  test('if the database is an older copy', async () => {
    const station = await start();
    await name(station, 'A-1');
    await station.halt();
    const older = readFileSync(file());
    const later = await start();
    await name(later, 'A-2');
    await later.halt();
    writeFileSync(file(), older);
    expect((await refusal()).message).toMatch(/older than what this station last stored; what is there ends at 2026-/);
  });

  test('if the database is an older copy next to the log of a killed station', async () => {
    const origin = join(parent, 'origin');
    await (await start({ dataFolder: origin })).halt();
    const older = readFileSync(file('', origin));
    const later = await start({ dataFolder: origin });
    await name(later, 'A-2');
    await later.halt();
    await killedStation({ commits: 1 });
    writeFileSync(file(), older);
    expect((await refusal()).message).toMatch(/older than the log of changes beside it/);
  });

  test('if the database belongs to another station', async () => {
    await (await start()).halt();
    const db = new Database(file());
    db.exec(
      "UPDATE meta SET value = '17' WHERE key = 'first_command'; UPDATE commits SET revision = revision + 1000000",
    );
    db.close();
    expect((await refusal()).message).toMatch(/another station/);
  });

  test.for([0.3, 0.5, 0.7])('if the log is damaged at %d of its length', async (part) => {
    await killedStation({ commits: 60 });
    garbleLog(part);
    const { message } = await refusal();
    expect(message).toMatch(/-wal, which holds the latest changes, is damaged in the middle/);
    expect(message).toMatch(/stored changes until/);
  });

  test('if the log is damaged and there is no mark', async () => {
    await killedStation({ commits: 60 });
    rmSync(join(folder, MARK_FILE));
    garbleLog(0.5);
    expect((await refusal()).message).toMatch(/damaged in the middle/);
  });

  test('and names the newest backup that can be restored', async () => {
    const station = await start();
    const good = await station.post<Backup>('/api/backups/');
    await station.clock.advance(5_000);
    const bad = await station.post<Backup>('/api/backups/');
    await station.halt();
    truncateSync(join(folder, 'backups', bad.name), 5_000);
    truncateSync(file(), 0);
    const lost = await refusal();
    expect(basename(typeof lost.backup === 'object' ? lost.backup.path : '')).toBe(good.name);
    expect(lost.message).toContain(`--restore "${join(folder, 'backups', good.name)}"`);
    rmSync(join(folder, 'backups', good.name));
    expect((await refusal()).message).toMatch(/No backup in the data folder can be restored/);
  });
});

describe('accepting the loss', () => {
  test('of a damaged log serves the remaining data, keeps the files and raises an alert that stays', async () => {
    await killedStation({ commits: 60 });
    garbleLog(0.75);
    const found = contents();
    const station = await start({ acceptLoss: true });
    expect(await label(station)).toMatch(/^A-[1-5]?\d$/);
    expect(await label(station)).not.toBe('A-59');
    const [alert] = await alerts(station);
    expect(alert).toMatchObject({ kind: 'data_lost', ended: null, deviceid: null, turbo: null });
    expect(alert?.problem).toMatch(/damaged in the middle.*started with what was there.*lost-/);
    expect(keptFolders()).toEqual([alert?.about]);
    const kept = join(folder, alert?.about ?? '');
    for (const [entry, sum] of Object.entries(found))
      expect([entry, hash('sha256', readFileSync(join(kept, entry)))]).toEqual([entry, sum]);
    await name(station, 'B-1');
    await station.halt();
    const again = await start();
    expect(await label(again)).toBe('B-1');
    expect(await alerts(again)).toMatchObject([{ id: alert?.id }]);
    await again.post(`/api/alerts/${alert?.id}/end/`);
    expect(await alerts(again)).toEqual([]);
    await again.halt();
    expect(await alerts(await start())).toEqual([]);
  });

  test('of a damaged log survives a kill right after startup, and is not reported twice', async () => {
    await killedStation({ commits: 60 });
    garbleLog(0.75);
    const station = await start({ acceptLoss: true });
    const copy = join(parent, 'copy');
    cpSync(folder, copy, { recursive: true });
    await station.halt();
    const again = await start({ dataFolder: copy });
    expect(await alerts(again)).toHaveLength(1);
  });

  test('of a missing database starts an empty station, and keeps the remaining files', async () => {
    await killedStation();
    rmSync(file());
    const log = readFileSync(file('-wal'));
    const station = await start({ acceptLoss: true });
    expect(await label(station)).toBe('');
    expect(await alerts(station)).toMatchObject([{ kind: 'data_lost' }]);
    expect(readFileSync(join(folder, keptFolders()[0] ?? '', `${DATABASE_FILE}-wal`)).equals(log)).toBe(true);
    await station.halt();
    expect(await alerts(await start())).toHaveLength(1);
  });

  test.for(['garbled', 'cut short', 'noise'])(
    'of a damaged database (%s) keeps it, and starts an empty station',
    async (how) => {
      await (await start()).halt();
      const whole = readFileSync(file());
      const damaged = how === 'cut short' ? whole.subarray(0, 50) : Buffer.alloc(whole.length, 0x5a);
      if (how === 'garbled') whole.copy(damaged, 0, 0, 100);
      writeFileSync(file(), damaged);
      const { message, loss } = await refusal();
      expect(loss.isEmpty).toBe(true);
      expect(message).toMatch(
        /is damaged \(.*\) and was left unchanged.*To start with an empty station.*--accept-loss/,
      );
      const station = await start({ acceptLoss: true });
      expect(await label(station)).toBe('');
      expect((await alerts(station))[0]?.problem).toMatch(/is damaged/);
      expect(readFileSync(join(folder, keptFolders()[0] ?? '', DATABASE_FILE)).equals(damaged)).toBe(true);
      await station.halt();
      expect(await alerts(await start())).toHaveLength(1);
    },
  );

  test('of a database and its mark, with only the log remaining, raises one alert', async () => {
    await killedStation();
    rmSync(file());
    rmSync(join(folder, MARK_FILE));
    expect((await refusal()).message).toMatch(/is damaged/);
    expect(await alerts(await start({ acceptLoss: true }))).toHaveLength(1);
  });

  test('of a replaced database adopts the database of the other station', async () => {
    await (await start()).halt();
    const db = new Database(file());
    db.exec("UPDATE meta SET value = '17' WHERE key = 'first_command'");
    db.close();
    await (await start({ acceptLoss: true })).halt();
    expect(await alerts(await start())).toHaveLength(1);
  });

  test('does not have to be repeated if the start then fails because the port is in use', async () => {
    await killedStation();
    for (const end of ['', '-wal', '-shm']) rmSync(file(end), { force: true });
    await expect(start({ acceptLoss: true, port: await takenPort() })).rejects.toMatchObject({ code: 'conflict' });
    expect(await alerts(await start())).toHaveLength(1);
  });

  test('changes nothing if no data is missing', async () => {
    await killedStation();
    const station = await start({ acceptLoss: true });
    expect(await label(station)).toBe('A-9');
    expect([await alerts(station), keptFolders()]).toEqual([[], []]);
  });
});

describe('restoring a backup instead of accepting the loss', () => {
  async function lostWithBackup(): Promise<string> {
    const origin = join(parent, 'origin');
    const station = await start({ dataFolder: origin });
    await name(station, 'in the backup');
    const backup = await station.post<Backup>('/api/backups/');
    for (let index = 0; index < 60; index += 1) await name(station, `A-${index}`);
    await station.clock.advance(12_000);
    cpSync(origin, folder, { recursive: true });
    rmSync(join(folder, 'lock.sqlite'), { force: true });
    await station.halt();
    return join(folder, 'backups', backup.name);
  }

  test('replaces a missing database, and an alert reports it', async () => {
    const restore = await lostWithBackup();
    for (const end of ['', '-wal', '-shm']) rmSync(file(end), { force: true });
    await refusal();
    const station = await start({ restore });
    expect(await label(station)).toBe('in the backup');
    const [alert] = await alerts(station);
    expect(alert?.problem).toMatch(/is gone.*A backup was restored/);
    await station.halt();
    const again = await start();
    expect(await label(again)).toBe('in the backup');
    expect(await alerts(again)).toHaveLength(1);
  });

  test('is complete at the next start if a start fails because the port is in use', async () => {
    const restore = await lostWithBackup();
    for (const end of ['', '-wal', '-shm']) rmSync(file(end), { force: true });
    await expect(start({ restore, port: await takenPort() })).rejects.toMatchObject({ code: 'conflict' });
    const station = await start();
    expect(await label(station)).toBe('in the backup');
    expect(await alerts(station)).toHaveLength(1);
  });

  test('keeps a copy of the damaged log', async () => {
    const restore = await lostWithBackup();
    garbleLog(0.75);
    const log = readFileSync(file('-wal'));
    const station = await start({ restore });
    expect(await label(station)).toBe('in the backup');
    expect(readFileSync(join(folder, keptFolders()[0] ?? '', `${DATABASE_FILE}-wal`)).equals(log)).toBe(true);
    expect(await alerts(station)).toHaveLength(1);
  });

  test.for(['is gone', 'is damaged in the middle'])(
    'reports again that the database %s if the station stopped before it was ready',
    async (found) => {
      const backup = await lostWithBackup();
      if (found === 'is gone') for (const end of ['', '-wal', '-shm']) rmSync(file(end), { force: true });
      else garbleLog(0.75);
      rewriteBackup(backup, preparedPath(folder, 'order'), MIGRATIONS);
      const restore = { id: 'order', from: backup, by: '', address: '', at: 0, bringBack: [] };
      const opened = openDatabase(folder, { now: 0, migrations: MIGRATIONS, restore });
      opened.loss?.settle();
      opened.close();
      const error: unknown = await start().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(DataLost);
      expect((error as DataLost).message).toContain(found);
      const station = await start({ acceptLoss: true });
      expect(await alerts(station)).toHaveLength(1);
      await station.halt();
      expect(await alerts(await start())).toHaveLength(1);
    },
  );

  test('fails with a damaged backup, and the next start still reports the loss', async () => {
    const restore = await lostWithBackup();
    truncateSync(file(), 0);
    rmSync(file('-wal'));
    truncateSync(restore, 5_000);
    await expect(start({ restore })).rejects.toMatchObject({ code: 'invalid' });
    expect((await refusal()).message).toMatch(/is empty/);
  });
});

import { hash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DATABASE_FILE, openDatabase } from '../../../electron/server/db/database.ts';
import { StationError } from '../../../electron/server/errors.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-faults-'));
  file = join(folder, DATABASE_FILE);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A database with some history that was closed normally. It is created only once. */
let filled: Promise<Buffer> | undefined;

async function fill(): Promise<void> {
  filled ??= (async () => {
    const station = await startTestStation({ dataFolder: folder, simulate: 20 });
    const devices = await station.get<string[]>('/api/device/');
    for (let round = 0; round < 20; round += 1) {
      await station.post(
        '/api/devices/',
        devices.map((deviceid) => ({ deviceid, line1: `round ${round}`, nonce: 'n'.repeat(100) })),
      );
    }
    await station.stop();
    return readFileSync(file);
  })();
  writeFileSync(file, await filled);
}

/** Returns a hash of each database file. */
function contents(): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.startsWith(DATABASE_FILE) && !name.endsWith('-shm'));
  return Object.fromEntries(names.map((name) => [name, hash('sha256', readFileSync(join(folder, name)))]));
}

/** Opens the database, checks that this fails without changing any file, and returns the error. */
function refusal(): StationError {
  const before = contents();
  try {
    openDatabase(folder).close();
  } catch (error) {
    expect(contents()).toEqual(before);
    expect(error).toBeInstanceOf(StationError);
    // The lock must be released, so that a repaired database can be opened immediately.
    new Database(join(folder, 'lock.sqlite'), { timeout: 0 }).exec('BEGIN EXCLUSIVE').close();
    return error as StationError;
  }
  throw new Error('It was opened.');
}

function overwrite(position: number, bytes: Buffer): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}

/** Leaves a write-ahead log behind, as a killed station does. */
function withLog(change: (db: Database.Database) => void): void {
  const working = mkdtempSync(join(tmpdir(), 'pickstation-log-'));
  const copy = join(working, DATABASE_FILE);
  if (existsSync(file)) copyFileSync(file, copy);
  const db = new Database(copy);
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 0');
  change(db);
  for (const name of [DATABASE_FILE, `${DATABASE_FILE}-wal`]) copyFileSync(join(working, name), join(folder, name));
  db.close();
  rmSync(working, { recursive: true, force: true });
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
}

describe('leaves a damaged database unchanged, and reports it', () => {
  test('with an overwritten header', async () => {
    await fill();
    overwrite(0, Buffer.from('not a database at all'));
    expect(refusal()).toMatchObject({
      code: 'storage',
      message: expect.stringMatching(/damaged.*left unchanged.*backup/) as string,
    });
  });

  test('with entirely different content', () => {
    writeFileSync(file, Buffer.alloc(100_000, 0x5a));
    expect(refusal().message).toMatch(/damaged/);
  });

  test('truncated at different lengths', async () => {
    await fill();
    const whole = readFileSync(file);
    for (const length of [50, 5_000, Math.floor(whole.length / 2), whole.length - 4_096]) {
      writeFileSync(file, whole.subarray(0, length));
      expect(refusal().message, String(length)).toMatch(/damaged/);
    }
  });

  test('with damaged pages in the middle', async () => {
    await fill();
    const pages = statSync(file).size / 4_096;
    expect(pages).toBeGreaterThan(20);
    for (let page = 2; page < 8; page += 1)
      overwrite(Math.floor((pages * page) / 8) * 4_096, Buffer.alloc(4_096, 0xa5));
    expect(refusal().message).toMatch(/damaged/);
  });

  test('with its own log beside it', async () => {
    await fill();
    withLog((db) => db.exec("UPDATE devices SET label = 'changed'"));
    overwrite(8_192, Buffer.alloc(16_384, 0xa5));
    expect(refusal().message).toMatch(/damaged.*-wal/);
  });

  test('empty or missing, with the log of an earlier station beside it', async () => {
    await fill();
    withLog((db) => db.exec("UPDATE devices SET label = 'changed'"));
    writeFileSync(file, '');
    expect(refusal().message).toMatch(/damaged.*left unchanged.*-wal/);
    rmSync(file);
    expect(refusal().message).toMatch(/damaged.*-wal/);
    expect(existsSync(file)).toBe(false);
  });
});

describe('leaves a foreign database unchanged', () => {
  test('of another program', () => {
    const db = new Database(file);
    db.exec('CREATE TABLE customers (name TEXT); INSERT INTO customers VALUES (1)');
    db.close();
    expect(refusal()).toMatchObject({
      code: 'storage',
      message: expect.stringMatching(/another program.*--data/) as string,
    });
  });

  test('of another program with an application id', () => {
    const db = new Database(file);
    db.pragma('application_id = 252006674');
    db.close();
    expect(refusal().message).toMatch(/another program/);
  });

  test('of another program, with its log', () => {
    withLog((db) => db.exec('CREATE TABLE customers (name TEXT); INSERT INTO customers VALUES (1)'));
    expect(refusal().message).toMatch(/another program/);
  });

  test.each(['PICK', 'PKST'])('of a development version (%s), which cannot be migrated', (id) => {
    const db = new Database(file);
    db.pragma(`application_id = ${Buffer.from(id).readInt32BE()}`);
    db.exec('PRAGMA user_version = 1; CREATE TABLE settings (key)');
    db.close();
    expect(refusal()).toMatchObject({
      code: 'storage',
      message: expect.stringMatching(/development version.*left unchanged.*--data/) as string,
    });
  });

  test('of a newer version', async () => {
    await fill();
    const db = new Database(file);
    db.pragma('journal_mode = DELETE');
    db.pragma('user_version = 999');
    db.close();
    expect(refusal()).toMatchObject({
      code: 'storage',
      message: expect.stringMatching(/newer Pickstation.*999/) as string,
    });
  });

  test('of a newer version that was killed, with its log', async () => {
    await fill();
    withLog((db) => {
      db.exec('CREATE TABLE of_the_future (x)');
      db.pragma('user_version = 999');
    });
    expect(refusal().message).toMatch(/newer Pickstation.*999/);
  });
});

describe('the data folder', () => {
  test('is created for its owner only', () => {
    const deep = join(folder, 'a', 'b');
    openDatabase(deep).close();
    expect(existsSync(join(deep, DATABASE_FILE))).toBe(true);
    if (process.platform !== 'win32') expect(statSync(deep).mode & 0o077).toBe(0);
  });

  test.skipIf(process.platform === 'win32')('makes the data and the lock inaccessible to other users', () => {
    chmodSync(folder, 0o755);
    const database = openDatabase(folder);
    const modes = [DATABASE_FILE, 'lock.sqlite'].map((name) => statSync(join(folder, name)).mode & 0o077);
    database.close();
    expect(modes).toEqual([0, 0]);
  });

  test('is locked without a journal, for which a full disk has no block', () => {
    const database = openDatabase(folder);
    const locks = readdirSync(folder).filter((name) => name.startsWith('lock.sqlite'));
    const { size } = statSync(join(folder, 'lock.sqlite'));
    database.close();
    expect([locks, size]).toEqual([['lock.sqlite'], 0]);
  });

  test('treats an empty database file as a new database', () => {
    writeFileSync(file, '');
    openDatabase(folder).close();
    expect(statSync(file).size).toBeGreaterThan(0);
  });

  test('reports a folder in place of the database', () => {
    mkdirSync(file);
    expect(() => openDatabase(folder)).toThrow(/cannot be opened/);
  });

  test('reports a damaged lock, and does not open the database', async () => {
    await fill();
    const before = contents();
    writeFileSync(join(folder, 'lock.sqlite'), 'x'.repeat(5_000));
    expect(() => openDatabase(folder)).toThrow(/lock\.sqlite.*[Dd]elete it/);
    expect(contents()).toEqual(before);
  });

  test('can be opened only once at a time', () => {
    const first = openDatabase(folder);
    expect(() => openDatabase(folder)).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message: expect.stringMatching(/Another Pickstation/) as string,
      }) as Error,
    );
    first.close();
    openDatabase(folder).close();
  });

  test('keeps the commits of a killed station', () => {
    openDatabase(folder).close();
    withLog((db) => db.exec("INSERT INTO meta VALUES ('mark', 'kept')"));
    const database = openDatabase(folder);
    expect(database.reader.prepare("SELECT value FROM meta WHERE key = 'mark'").pluck().get()).toBe('kept');
    database.close();
  });
});

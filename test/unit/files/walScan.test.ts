import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasLostCommits } from '../../../electron/server/db/walScan.ts';

const HEADER = 32;
const FRAME_HEADER = 24;

let folder: string;
let database: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-wal-'));
  database = join(folder, 'copy.sqlite');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A database and its log as left by a killed program. */
type Left = { db: Buffer; wal: Buffer; frameBytes: number };

/** Changes a database with small pages by `use`. The log is only checkpointed if `use` does so. */
function leave(use: (db: Database.Database, add: (bytes: number) => void) => void): Left {
  const file = join(folder, 'made.sqlite');
  const db = new Database(file);
  db.pragma('page_size = 512');
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 0');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE presses (id INTEGER PRIMARY KEY, text BLOB)');
  const insert = db.prepare('INSERT INTO presses (text) VALUES (zeroblob(?))');
  use(db, (bytes) => void insert.run(bytes));
  const left = { db: readFileSync(file), wal: readFileSync(`${file}-wal`), frameBytes: FRAME_HEADER + 512 };
  db.close();
  rmSync(file);
  return left;
}

/** Creates a log with `count` commits, some of one page and some of several pages. */
function leaveCommits(count: number): Left {
  return leave((_db, add) => {
    for (let index = 0; index < count; index += 1) add(index % 3 === 0 ? 1_500 : 20);
  });
}

function commitsOf({ wal, frameBytes }: Left): boolean[] {
  const count = (wal.length - HEADER) / frameBytes;
  return Array.from({ length: count }, (_, index) => wal.readUInt32BE(HEADER + index * frameBytes + 4) > 0);
}

function put({ db }: Pick<Left, 'db'>, wal: Buffer): void {
  writeFileSync(database, db);
  writeFileSync(`${database}-wal`, wal);
}

function isLost(left: Pick<Left, 'db'>, wal: Buffer): boolean {
  put(left, wal);
  return hasLostCommits(database);
}

/** Returns the number of presses that SQLite recovers, or -1 if the table is missing too. */
function recovered(left: Pick<Left, 'db'>, wal: Buffer): number {
  put(left, wal);
  const db = new Database(database);
  try {
    return Number(db.prepare('SELECT count(*) FROM presses').pluck().get());
  } catch {
    return -1;
  } finally {
    db.close();
    for (const end of ['', '-wal', '-shm']) rmSync(database + end, { force: true });
  }
}

function garbled(wal: Buffer, at: number, length: number): Buffer {
  const bytes = Buffer.from(wal);
  for (let index = at; index < Math.min(at + length, bytes.length); index += 1)
    bytes[index] = (bytes[index] ?? 0) ^ 0xa5;
  return bytes;
}

describe('a log of twenty commits', () => {
  const COMMITS = 20;

  test('is not a loss when it is complete', () => {
    const left = leaveCommits(COMMITS);
    expect(recovered(left, left.wal)).toBe(COMMITS);
    expect(isLost(left, left.wal)).toBe(false);
  });

  test('is a loss when it is damaged in a frame before a commit that was provably on disk', () => {
    const left = leaveCommits(COMMITS);
    const commits = commitsOf(left);
    let losses = 0;
    for (const [index] of commits.entries()) {
      const frameAt = HEADER + index * left.frameBytes;
      for (const [part, at, length, firstProof] of [
        ['page', frameAt + FRAME_HEADER + 100, 8, index],
        ['frame header', frameAt, FRAME_HEADER, index + 1],
        ['whole frame', frameAt, left.frameBytes, index + 1],
      ] as const) {
        const wal = garbled(left.wal, at, length);
        const isProved = commits.some((ends, place) => ends && place >= firstProof && place < commits.length - 1);
        expect(isLost(left, wal), `${part} of frame ${index}`).toBe(isProved);
        if (!isProved) continue;
        losses += 1;
        expect(recovered(left, wal), `${part} of frame ${index}`).toBeLessThan(COMMITS);
      }
    }
    expect(losses).toBeGreaterThan(60);
  });

  test('is not a loss when it is cut anywhere, as after a power failure', () => {
    const left = leaveCommits(COMMITS);
    for (let length = 0; length < left.wal.length; length += 37)
      expect(isLost(left, left.wal.subarray(0, length)), String(length)).toBe(false);
  });

  test('is not a loss when its last commit reached the disk only in part, in any order', () => {
    const left = leave((_db, add) => {
      for (let index = 0; index < COMMITS; index += 1) add(20);
      add(1_500);
    });
    const commits = commitsOf(left);
    const first = commits.lastIndexOf(true, -2) + 1;
    const frames = commits.length - first;
    expect(frames).toBeGreaterThan(3);
    for (let kept = 0; kept < 2 ** frames; kept += 1) {
      const wal = Buffer.from(left.wal);
      for (let index = 0; index < frames; index += 1) {
        const at = HEADER + (first + index) * left.frameBytes;
        if ((kept & (1 << index)) === 0) wal.fill(0, at, at + left.frameBytes);
      }
      expect(isLost(left, wal), kept.toString(2)).toBe(false);
      expect(recovered(left, wal)).toBe(kept === 2 ** frames - 1 ? COMMITS + 1 : COMMITS);
    }
  });

  test('is a loss without its header', () => {
    const left = leaveCommits(COMMITS);
    for (const at of [0, 8, 16, 24]) {
      const wal = garbled(left.wal, at, 8);
      expect(recovered(left, wal), String(at)).toBe(-1);
      expect(isLost(left, wal), String(at)).toBe(true);
    }
  });
});

test('frames left over after a WAL reset do not count as lost commits, wherever the current frames end', () => {
  const left = leave((db, add) => {
    for (let index = 0; index < 20; index += 1) add(600);
    db.pragma('wal_checkpoint(RESTART)');
    for (let index = 0; index < 4; index += 1) add(20);
  });
  const salts = left.wal.readBigUInt64BE(16);
  const present = commitsOf(left).findIndex(
    (_, index) => left.wal.readBigUInt64BE(HEADER + index * left.frameBytes + 8) !== salts,
  );
  expect(present).toBeGreaterThan(2);
  expect(isLost(left, left.wal)).toBe(false);
  // Tear the last frame of the current use.
  const lastAt = HEADER + (present - 1) * left.frameBytes;
  expect(isLost(left, garbled(left.wal, lastAt, left.frameBytes))).toBe(false);
  expect(isLost(left, garbled(left.wal, lastAt + FRAME_HEADER, 8))).toBe(false);
  expect(isLost(left, garbled(left.wal, HEADER, left.frameBytes))).toBe(true);
});

test('the rest of a commit torn by a power failure is not a loss after later commits', () => {
  const left = leave((_db, add) => {
    for (let index = 0; index < 5; index += 1) add(20);
    add(4_000);
  });
  const tornAt = HEADER + (commitsOf(left).lastIndexOf(true, -2) + 1) * left.frameBytes;
  const wal = Buffer.from(left.wal);
  wal.fill(0, tornAt, tornAt + left.frameBytes);
  put(left, wal);
  const db = new Database(database);
  db.pragma('wal_autocheckpoint = 0');
  db.exec('INSERT INTO presses (text) VALUES (zeroblob(20))');
  const again = { db: readFileSync(database), wal: readFileSync(`${database}-wal`), frameBytes: left.frameBytes };
  db.close();
  expect(again.wal.length).toBe(left.wal.length);
  expect(isLost(again, again.wal)).toBe(false);
  expect(recovered(again, again.wal)).toBe(6);
  const lastAt =
    tornAt +
    (commitsOf(again).indexOf(true, (tornAt - HEADER) / left.frameBytes) - (tornAt - HEADER) / left.frameBytes) *
      left.frameBytes;
  expect(isLost(again, garbled(again.wal, lastAt + FRAME_HEADER, 8))).toBe(false);
});

test('a header torn at a restart of the log is not a loss, because everything is in the database', () => {
  const left = leave((db, add) => {
    for (let index = 0; index < 20; index += 1) add(index % 3 === 0 ? 1_500 : 20);
    db.pragma('wal_checkpoint(FULL)');
  });
  const wal = garbled(left.wal, 8, 20);
  expect(recovered(left, wal)).toBe(20);
  expect(isLost(left, wal)).toBe(false);
});

test('pages that the last commit removed from the end of the database do not count as lost', () => {
  const left = leave((db, add) => {
    for (let index = 0; index < 20; index += 1) add(1_500);
    db.exec('DELETE FROM presses WHERE id > 1; VACUUM');
    db.pragma('wal_checkpoint(FULL)');
  });
  expect(isLost(left, garbled(left.wal, 8, 20))).toBe(false);
});

test('a missing or empty log, or a log of zeros or noise, is not a loss', () => {
  const left = leaveCommits(3);
  writeFileSync(database, left.db);
  expect(hasLostCommits(database)).toBe(false);
  for (const wal of [Buffer.alloc(0), Buffer.alloc(20_000), Buffer.alloc(20_000, 0x5a)])
    expect(isLost(left, wal)).toBe(false);
});

test('writes nothing', () => {
  const left = leaveCommits(20);
  const wal = garbled(left.wal, HEADER + left.frameBytes, 50);
  put(left, wal);
  copyFileSync(database, `${database}.before`);
  expect(hasLostCommits(database)).toBe(true);
  expect(readFileSync(database).equals(readFileSync(`${database}.before`))).toBe(true);
  expect(readFileSync(`${database}-wal`).equals(wal)).toBe(true);
});

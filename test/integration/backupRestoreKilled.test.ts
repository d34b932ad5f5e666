import type * as FileSystem from 'node:fs';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { backupPath, beginBackup, finishBackup, listBackups } from '../../electron/server/db/backupFiles.ts';
import { DATABASE_FILE, openDatabase } from '../../electron/server/db/database.ts';
import { MIGRATIONS } from '../../electron/server/db/migrations.ts';

/** Called before each change of a file: what is in the folder then is what a station leaves that is killed there. */
const kills = vi.hoisted(() => ({ look: undefined as ((name: string) => void) | undefined }));

vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof FileSystem>();
  const watched = ['renameSync', 'copyFileSync', 'rmSync', 'writeFileSync', 'chmodSync', 'openSync'] as const;
  const wrapped = watched.map((name) => {
    const change = original[name] as (...given: unknown[]) => unknown;
    return [
      name,
      (...given: unknown[]) => {
        kills.look?.(name);
        return change(...given);
      },
    ];
  });
  return { ...original, ...Object.fromEntries(wrapped) };
});

const NOW = Date.UTC(2026, 10, 20, 8);

let folder: string;
let killed: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-killed-'));
  killed = mkdtempSync(join(tmpdir(), 'pickstation-killed-'));
});

afterEach(() => {
  kills.look = undefined;
  for (const used of [folder, killed]) rmSync(used, { recursive: true, force: true });
});

const opening = (restore?: string) => ({
  now: NOW,
  migrations: MIGRATIONS,
  restore: restore === undefined ? undefined : { id: 'order', from: restore, by: '', address: '', at: NOW },
});

function mark(text: string): void {
  const database = openDatabase(folder, opening());
  database.writer.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('mark', ?)").run(text);
  database.close();
}

function readMark(where: string): string {
  const database = openDatabase(where, opening());
  const found = database.reader.prepare<[], string>("SELECT value FROM meta WHERE key = 'mark'").pluck().get() ?? '';
  database.close();
  return found;
}

/** A backup that says `old`, and a database that says `new` and leaves a log, as after a kill. */
function prepare(): string {
  mark('old');
  const begun = beginBackup(folder, 'manual', NOW - 60_000);
  const db = new Database(join(folder, DATABASE_FILE));
  db.prepare('VACUUM INTO ?').run(begun.part);
  finishBackup(folder, begun);
  db.pragma('journal_mode = WAL');
  db.prepare("UPDATE meta SET value = 'new' WHERE key = 'mark'").run();
  // Copied while it is open: what was changed is in the log alone.
  cpSync(folder, killed, { recursive: true });
  db.close();
  rmSync(folder, { recursive: true });
  cpSync(killed, folder, { recursive: true });
  expect(existsSync(join(folder, `${DATABASE_FILE}-wal`))).toBe(true);
  return begun.name;
}

test('a station that is killed at any moment of a restore leaves the new database or the old one, and the next start finishes it', () => {
  const name = prepare();
  const moments: string[] = [];
  kills.look = (moment) => {
    kills.look = undefined;
    const left = mkdtempSync(join(tmpdir(), 'pickstation-left-'));
    cpSync(folder, left, { recursive: true });
    const wasOrdered = existsSync(join(left, 'restore.json'));
    const file = join(left, DATABASE_FILE);
    expect(existsSync(file), moment).toBe(true);
    // First what is there, without anybody finishing it.
    rmSync(join(left, 'restore.json'), { force: true });
    expect(['old', 'new'], moment).toContain(readMark(left));
    // Then with the order.
    rmSync(left, { recursive: true });
    cpSync(folder, left, { recursive: true });
    const finished = readMark(left);
    if (wasOrdered) expect(finished, moment).toBe('old');
    moments.push(`${moment}: ${finished}`);
    // What was there before is never gone: in its place, or kept.
    const kept = listBackups(left).filter(({ kind }) => kind === 'restore');
    if (finished === 'old')
      expect(
        kept.map((each) => markIn(backupPath(left, each.name))),
        moment,
      ).toContain('new');
    expect(
      readdirSync(join(left, 'backups')).filter((each) => each.includes('.part')),
      moment,
    ).toEqual([]);
    rmSync(left, { recursive: true });
    kills.look = look;
  };
  const { look } = kills;
  openDatabase(folder, opening(backupPath(folder, name))).close();
  kills.look = undefined;
  expect(readMark(folder)).toBe('old');
  expect(moments.filter((moment) => moment.endsWith('new')).length).toBeGreaterThan(3);
  expect(moments.filter((moment) => moment.endsWith('old')).length).toBeGreaterThan(6);
});

test('a damaged database with a log beside it gives way at one moment, and its log is never taken for one of the new', () => {
  const name = prepare();
  const file = join(folder, DATABASE_FILE);
  writeFileSync(file, readFileSync(file).fill(0xa5, 8_192, 60_000));
  const look = (moment: string): void => {
    kills.look = undefined;
    const left = mkdtempSync(join(tmpdir(), 'pickstation-left-'));
    cpSync(folder, left, { recursive: true });
    if (existsSync(join(left, 'restore.json'))) expect(readMark(left), moment).toBe('old');
    rmSync(left, { recursive: true });
    cpSync(folder, left, { recursive: true });
    // Without the order: the damaged one, and said to be, or the new one, and nothing in between.
    rmSync(join(left, 'restore.json'), { force: true });
    expect(markOrRefusal(left), moment).toMatch(/^old$|damaged/);
    rmSync(left, { recursive: true });
    kills.look = look;
  };
  kills.look = look;
  openDatabase(folder, opening(backupPath(folder, name))).close();
  kills.look = undefined;
  expect(readMark(folder)).toBe('old');
  expect(readdirSync(folder).filter((each) => each.includes('damaged'))).toHaveLength(2);
});

test('an order that was carried out is not carried out once more', () => {
  const name = prepare();
  openDatabase(folder, opening(backupPath(folder, name))).close();
  mark('since');
  // As it stands there where the station was killed before it took it away.
  const order = { id: 'order', from: backupPath(folder, name), by: '', address: '', at: NOW };
  writeFileSync(join(folder, 'restore.json'), JSON.stringify(order));
  expect(readMark(folder)).toBe('since');
  expect(existsSync(join(folder, 'restore.json'))).toBe(false);
});

function markOrRefusal(where: string): string {
  try {
    return readMark(where);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

function markIn(file: string): unknown {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare("SELECT value FROM meta WHERE key = 'mark'").pluck().get();
  } finally {
    db.close();
  }
}

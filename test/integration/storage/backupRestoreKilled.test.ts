import type * as FileSystem from 'node:fs';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { backupPath, beginBackup, finishBackup, listBackups } from '../../../electron/server/db/backupFiles.ts';
import { rewriteBackup } from '../../../electron/server/db/backupCheck.ts';
import { DATABASE_FILE, openDatabase } from '../../../electron/server/db/database.ts';
import { MIGRATIONS } from '../../../electron/server/db/migrations.ts';
import { preparedPath } from '../../../electron/server/db/restore.ts';

/** Called before each change to a file. At that moment, the folder is as a kill would leave it. */
const kills = vi.hoisted(() => ({ look: undefined as ((name: string) => void) | undefined }));

vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof FileSystem>();
  const watched = [
    'renameSync',
    'copyFileSync',
    'rmSync',
    'writeFileSync',
    'chmodSync',
    'openSync',
    'linkSync',
  ] as const;
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
  restore:
    restore === undefined ? undefined : { id: 'order', from: restore, by: '', address: '', at: NOW, bringBack: [] },
});

function mark(text: string): void {
  const database = openDatabase(folder, opening());
  database.writer.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('mark', ?)").run(text);
  database.close();
}

function readMark(where: string): string {
  const database = openDatabase(where, opening());
  const found = database.reader.prepare<[], string>("SELECT value FROM meta WHERE key = 'mark'").pluck().get() ?? '';
  // Complete the restore, as a station does once it runs.
  database.settle();
  database.close();
  return found;
}

/** Creates a backup marked `old`, and a database marked `new` with a write-ahead log, as after a kill. */
function prepare(): string {
  mark('old');
  const begun = beginBackup(folder, 'manual', NOW - 60_000);
  const db = new Database(join(folder, DATABASE_FILE));
  db.prepare('VACUUM INTO ?').run(begun.part);
  finishBackup(folder, begun);
  db.pragma('journal_mode = WAL');
  db.prepare("UPDATE meta SET value = 'new' WHERE key = 'mark'").run();
  // Copy the folder while the database is open, so that the changes are only in the log.
  cpSync(folder, killed, { recursive: true });
  db.close();
  rmSync(folder, { recursive: true });
  cpSync(killed, folder, { recursive: true });
  expect(existsSync(join(folder, `${DATABASE_FILE}-wal`))).toBe(true);
  return begun.name;
}

/** Opens the folder with a prepared restore order, without completing the restore. */
function restore(name: string): ReturnType<typeof openDatabase> {
  rewriteBackup(backupPath(folder, name), preparedPath(folder, 'order'), MIGRATIONS);
  return openDatabase(folder, opening(backupPath(folder, name)));
}

/** Calls `look` with each state of the folder that a kill during `change` would leave. */
function atEachMoment(change: () => void, look: (left: string, moment: string) => void): void {
  const watch = (moment: string): void => {
    kills.look = undefined;
    const left = mkdtempSync(join(tmpdir(), 'pickstation-left-'));
    cpSync(folder, left, { recursive: true });
    look(left, moment);
    rmSync(left, { recursive: true });
    kills.look = watch;
  };
  kills.look = watch;
  change();
  kills.look = undefined;
}

const orderIn = (left: string): { stage: string } | undefined =>
  existsSync(join(left, 'restore.json'))
    ? (JSON.parse(readFileSync(join(left, 'restore.json'), 'utf8')) as { stage: string })
    : undefined;

test('a station killed during a restore keeps its previous data, or completes the restore', () => {
  const name = prepare();
  const found: string[] = [];
  atEachMoment(
    () => {
      const database = restore(name);
      database.settle();
      database.close();
    },
    (left, moment) => {
      const stage = orderIn(left)?.stage ?? 'none';
      // The database file always exists.
      expect(existsSync(join(left, DATABASE_FILE)), moment).toBe(true);
      const after = readMark(left);
      if (stage === 'ordered') expect(after, moment).toBe('old');
      if (stage === 'begun' || stage === 'replaced') expect(after, moment).toBe('new');
      // Opening the folder again changes nothing more.
      expect(readMark(left), moment).toBe(after);
      expect(
        readdirSync(left).filter((each) => /^restore|\.before|\.part/.test(each)),
        moment,
      ).toEqual([]);
      const kept = listBackups(left).filter(({ kind }) => kind === 'restore');
      // The previous database is never lost: it is still in use, or kept as a backup.
      if (after === 'old')
        expect(
          kept.map((each) => markIn(backupPath(left, each.name))),
          moment,
        ).toContain('new');
      found.push(`${stage}: ${after}`);
    },
  );
  expect(readMark(folder)).toBe('old');
  expect(new Set(found)).toEqual(new Set(['none: new', 'ordered: old', 'begun: new', 'replaced: new', 'none: old']));
});

test('a damaged database with a log is replaced, and the new database never reads the old log', () => {
  const name = prepare();
  const file = join(folder, DATABASE_FILE);
  writeFileSync(file, readFileSync(file).fill(0xa5, 8_192, 60_000));
  const found = new Set<string>();
  atEachMoment(
    () => {
      const database = restore(name);
      database.settle();
      database.close();
    },
    (left, moment) => {
      const stage = orderIn(left)?.stage ?? 'none';
      const after = markOrRefusal(left);
      // Each state holds either the damaged database or the restored one, never a mix.
      expect(after, moment).toMatch(stage === 'ordered' ? /^old$/ : /^old$|damaged/);
      found.add(after === 'old' ? after : 'damaged');
    },
  );
  expect(found).toEqual(new Set(['old', 'damaged']));
  expect(readMark(folder)).toBe('old');
  expect(readdirSync(folder).filter((each) => each.includes('damaged'))).toHaveLength(2);
});

test('a fresh folder is fresh again after an unfinished restore', () => {
  const name = prepare();
  const fresh = mkdtempSync(join(tmpdir(), 'pickstation-fresh-'));
  rewriteBackup(backupPath(folder, name), preparedPath(fresh, 'order'), MIGRATIONS);
  openDatabase(fresh, opening(backupPath(folder, name))).close();
  expect(readMark(fresh)).toBe('');
  rmSync(fresh, { recursive: true });
});

test('a restore order is carried out only once', () => {
  const name = prepare();
  const database = restore(name);
  database.settle();
  database.close();
  mark('since');
  expect(readMark(folder)).toBe('since');
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

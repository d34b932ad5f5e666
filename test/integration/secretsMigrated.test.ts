import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkBackup, rewriteBackup } from '../../electron/server/db/backupCheck.ts';
import { backupPath, listBackups } from '../../electron/server/db/backupFiles.ts';
import { DATABASE_FILE, openDatabase } from '../../electron/server/db/database.ts';
import { openKeyRing } from '../../electron/server/db/keyRing.ts';
import { MIGRATIONS } from '../../electron/server/db/migrations.ts';
import { createRepositories } from '../../electron/server/db/repositories.ts';
import { preparedPath } from '../../electron/server/db/restore.ts';
import { openSettings } from '../../electron/server/services/settings/secretSettings.ts';
import { findTexts } from '../helpers/secretBytes.ts';

const NOW = Date.UTC(2026, 10, 20, 8);
const OLD = join(import.meta.dirname, '../migrations/0016-sealedSecrets.sqlite');
const PLAIN = {
  callback_api_key: 'plain-api-key-0016',
  callback_password: 'plain-callback-password-0016',
  callback_signing_secret: 'whsec_cGxhaW4tc2lnbmluZy1zZWNyZXQtMDAxNg==',
  callback_headers: { 'X-Shop': 'Bern', Authorization: 'Bearer plain-header-0016' },
  mail_password: 'plain-mail-password-0016',
  mqtt_password: 'plain-mqtt-password-0016',
  mqtt_key: '-----BEGIN PRIVATE KEY-----\nplain-mqtt-key-0016\n-----END PRIVATE KEY-----',
};
const DISPLAY_KEY = '0016aabbccddeeff0016aabbccddeeff';
const TEXTS = [
  ...Object.values(PLAIN).filter((value) => typeof value === 'string'),
  'plain-mqtt-key-0016',
  PLAIN.callback_headers.Authorization,
  DISPLAY_KEY,
  // A former secret, in pages that are free now.
  'former-secret-',
];

let folder: string;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'pickstation-sealed-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(restore?: string) {
  const keyRing = openKeyRing(folder);
  if (restore !== undefined) rewriteBackup(restore, preparedPath(folder, 'x'), MIGRATIONS);
  const order = restore === undefined ? undefined : { id: 'x', from: restore, by: '', address: '', at: NOW };
  const database = openDatabase(folder, { now: NOW, migrations: MIGRATIONS, restore: order, keyRing });
  const { settings, turboLinks } = createRepositories(database.reader);
  return { ...database, keyRing, ...openSettings(settings.list(), keyRing), links: turboLinks.list() };
}

/** Copies the old database, with the page size of a station's databases. */
function keepOld(to: string): void {
  copyFileSync(OLD, to);
  const db = new Database(to);
  db.pragma('page_size = 4096');
  db.exec('VACUUM');
  db.close();
}

test('an update seals all secrets, keeps their values, and leaves none in plain text in database, log and backup', () => {
  copyFileSync(OLD, join(folder, DATABASE_FILE));
  expect(findTexts(folder, TEXTS)).not.toEqual([]);
  const first = open();
  expect(first.traces).toBeUndefined();
  expect(findTexts(folder, TEXTS)).toEqual([]);
  expect(first.opened).toMatchObject(PLAIN);
  expect(first.closed).toEqual([]);
  first.settle();
  first.close();
  expect(findTexts(folder, TEXTS)).toEqual([]);
  expect(listBackups(folder)).toMatchObject([{ kind: 'update' }]);
  const again = open();
  expect(again.opened).toMatchObject(PLAIN);
  const link = again.links.find(({ kind }) => kind === 'opendisplay');
  expect(again.keyRing.open(`turbo_links/${link?.id}/key`, link?.key ?? '')).toBe(DISPLAY_KEY);
  again.close();
});

test('secrets cleared before the update leave no trace either', () => {
  const file = join(folder, DATABASE_FILE);
  copyFileSync(OLD, file);
  const old = new Database(file);
  old.exec('DELETE FROM settings; UPDATE turbo_links SET key = NULL');
  old.close();
  expect(findTexts(folder, ['former-secret-'])).not.toEqual([]);
  open().close();
  expect(findTexts(folder, TEXTS)).toEqual([]);
});

test('keeps a plain secret of an older version that begins like a sealed one, and seals it once', () => {
  const mail_password = 'sealed:1:typed-by-a-person';
  const file = join(folder, DATABASE_FILE);
  copyFileSync(OLD, file);
  const old = new Database(file);
  old.prepare("UPDATE settings SET value = ? WHERE key = 'mail_password'").run(JSON.stringify(mail_password));
  old.close();
  for (let starts = 0; starts < 2; starts += 1) {
    const { opened, close } = open();
    expect(opened).toMatchObject({ ...PLAIN, mail_password });
    close();
    expect(findTexts(folder, [...TEXTS, mail_password])).toEqual([]);
  }
});

test('an update also removes plain secrets from the write-ahead log of a station killed before it', () => {
  copyFileSync(OLD, join(folder, 'old.sqlite'));
  const old = new Database(join(folder, 'old.sqlite'));
  old.pragma('journal_mode = WAL');
  old.prepare("UPDATE settings SET value = ? WHERE key = 'mail_password'").run('"plain-in-the-log-0016"');
  for (const end of ['', '-wal']) copyFileSync(join(folder, `old.sqlite${end}`), join(folder, DATABASE_FILE + end));
  old.close();
  rmSync(join(folder, 'old.sqlite'));
  expect(findTexts(folder, ['plain-in-the-log-0016'])).toEqual([`${DATABASE_FILE}-wal: plain-in-the-log-0016`]);
  const { opened, close } = open();
  expect(opened).toMatchObject({ mail_password: 'plain-in-the-log-0016' });
  expect(findTexts(folder, [...TEXTS, 'plain-in-the-log-0016'])).toEqual([]);
  close();
});

test('the backup made before the update can be restored with its secrets, and holds none in plain text for an older version', () => {
  keepOld(join(folder, DATABASE_FILE));
  open().close();
  const name = listBackups(folder)[0]?.name ?? '';
  const backup = new Database(backupPath(folder, name), { readonly: true });
  expect(backup.pragma('user_version', { simple: true })).toBe(15);
  // Not empty: with an empty secret, the older version would send callbacks unsigned.
  const secret = backup.prepare("SELECT value FROM settings WHERE key = 'callback_signing_secret'").pluck().get();
  expect(secret).toMatch(/^"sealed:1:/);
  backup.close();
  const found = checkBackup(backupPath(folder, name), join(folder, 'scratch'), MIGRATIONS);
  expect([found.mayHoldPlain, found.secrets.every(({ keyId }) => keyId !== undefined)]).toEqual([false, true]);
  const restored = open(backupPath(folder, name));
  expect(restored.opened).toMatchObject(PLAIN);
  expect(findTexts(folder, TEXTS)).toEqual([]);
  restored.close();
});

test('restoring an older backup with plain secrets leaves none of them in the data folder', () => {
  const outside = mkdtempSync(join(tmpdir(), 'pickstation-outside-'));
  const backup = join(outside, 'old.sqlite');
  keepOld(backup);
  open().close();
  const { opened, settle, close } = open(backup);
  expect(opened).toMatchObject(PLAIN);
  settle();
  expect(findTexts(folder, TEXTS)).toEqual([]);
  close();
  rmSync(outside, { recursive: true });
});

test('a restore over an older database seals the secrets in the backup of that database', () => {
  const outside = mkdtempSync(join(tmpdir(), 'pickstation-outside-'));
  const backup = join(outside, 'old.sqlite');
  keepOld(backup);
  copyFileSync(OLD, join(folder, DATABASE_FILE));
  const { settle, close } = open(backup);
  settle();
  expect(listBackups(folder)).toMatchObject([{ kind: 'restore' }]);
  expect(findTexts(folder, TEXTS)).toEqual([]);
  close();
  rmSync(outside, { recursive: true });
});

test('if the file cannot be rewritten, seals the secrets, reports it, and rewrites the file at the next start', () => {
  copyFileSync(OLD, join(folder, DATABASE_FILE));
  // Leaves more free pages with old secrets than migrations reuse.
  const old = new Database(join(folder, DATABASE_FILE));
  old.exec(
    "CREATE TABLE former AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT 'former-secret-' || hex(randomblob(200)) AS x FROM n; DROP TABLE former",
  );
  old.close();
  const { exec } = Database.prototype;
  Database.prototype.exec = function execOnFullDisk(this: Database.Database, sql: string) {
    if (sql === 'VACUUM') throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
    return exec.call(this, sql);
  };
  try {
    const { traces, opened, close } = open();
    expect(traces).toMatch(/encrypted now.*copies in plain text may be left.*Free as much space/);
    expect(opened).toMatchObject(PLAIN);
    close();
  } finally {
    Database.prototype.exec = exec;
  }
  expect(readFileSync(join(folder, DATABASE_FILE)).includes('former-secret-')).toBe(true);
  const { traces, close } = open();
  expect(traces).toBeUndefined();
  close();
  expect(findTexts(folder, TEXTS)).toEqual([]);
});

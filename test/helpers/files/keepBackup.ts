import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import type { Backup } from '#shared/api/backup.ts';
import { rewriteBackup } from '../../../electron/server/db/backupCheck.ts';
import { DATABASE_FILE } from '../../../electron/server/db/database.ts';
import { MIGRATIONS } from '../../../electron/server/db/migrations.ts';
import type { TestStation } from '../startTestStation.ts';

/** Tables to which a backup itself writes. */
const OWN_ROWS = new Set(['audit', 'commits', 'station_time', 'sqlite_sequence']);

/**
 * Backs up the current state over the API, restores the file to a temporary database, and expects each value of the station there. Then
 * removes the backup.
 */
export async function expectRestorable({
  request,
  dataFolder,
}: Pick<TestStation, 'request' | 'dataFolder'>): Promise<void> {
  const live = join(dataFolder, DATABASE_FILE);
  const before = rowsIn(live);
  const { status, body } = await request('POST', '/api/backups/');
  expect(status, `a backup: ${JSON.stringify(body)}`).toBe(201);
  const { name } = body as Backup;
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-restored-'));
  try {
    const to = join(folder, DATABASE_FILE);
    rewriteBackup(join(dataFolder, 'backups', name), to, MIGRATIONS);
    const restored = rowsIn(to);
    // The request may be the first that notices a jump of the clock, and then moves the times of commands after the copy.
    if (!isDeepStrictEqual(restored, before)) expect(restored).toEqual(rowsIn(live));
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect((await request('DELETE', `/api/backups/${name}/`)).status).toBe(204);
}

/** Returns the rows of all tables, with integers of any size. */
function rowsIn(file: string): Record<string, unknown[]> {
  const db = new Database(file, { readonly: true });
  try {
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    return Object.fromEntries(
      tables
        .filter((table) => !OWN_ROWS.has(table))
        .map((table) => [
          table,
          db
            .prepare<[], unknown[]>(`SELECT * FROM "${table}"${table === 'meta' ? " WHERE key <> 'backup'" : ''}`)
            .raw()
            .safeIntegers()
            .all(),
        ]),
    );
  } finally {
    db.close();
  }
}

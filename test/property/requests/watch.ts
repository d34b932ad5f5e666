import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DATABASE_FILE } from '../../../electron/server/db/database.ts';

/** Columns and rows that are traces of a request rather than effects: the last use of a key, a refused caller, a downloaded backup. */
const COUNTED: Readonly<Record<string, { columns?: readonly string[]; where?: string }>> = {
  api_users: { columns: ['used_at'] },
  audit: { where: `action NOT IN ('session.refused', 'right.refused', 'backup.downloaded')` },
};

export type DiskWatch = {
  /** Marks the current state for later comparisons. */
  mark(): void;
  /** Returns what has changed in the database since the mark, or undefined if nothing has. */
  findChange(): string | undefined;
  stop(): void;
};

/**
 * Compares every table with its earlier state. A read transaction that began before a request still sees the old state, so nothing is read
 * unless there was a commit.
 */
export function watchDisk(dataFolder: string): DiskWatch {
  const file = join(dataFolder, DATABASE_FILE);
  const before = new Database(file, { readonly: true });
  const after = new Database(file, { readonly: true });
  const version = after.prepare('PRAGMA data_version').pluck();
  const begin = before.prepare('BEGIN');
  const look = before.prepare('SELECT count(*) FROM meta').pluck();
  const end = before.prepare('COMMIT');
  const tables = after.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`).pluck();
  const readings = (tables.all() as string[]).map((table) => {
    const sql = selectOf(after, table);
    return { table, before: before.prepare(sql).raw(), after: after.prepare(sql).raw() };
  });
  let marked: unknown;
  return {
    mark() {
      if (before.inTransaction) end.run();
      begin.run();
      look.get();
      marked = version.get();
    },
    findChange() {
      if (version.get() === marked) return undefined;
      for (const reading of readings) {
        const [was, is] = [reading.before.all().map(textOf), reading.after.all().map(textOf)];
        const gone = was.filter((row) => !is.includes(row));
        const added = is.filter((row) => !was.includes(row));
        if (gone.length + added.length > 0) return `${reading.table}: ${gone.join()} became ${added.join()}`;
      }
      return undefined;
    },
    stop() {
      before.close();
      after.close();
    },
  };
}

function textOf(row: unknown): string {
  return JSON.stringify(row);
}

function selectOf(db: Database.Database, table: string): string {
  const { columns = [], where = 'true' } = COUNTED[table] ?? {};
  const all = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all() as string[];
  return `SELECT ${all.filter((name) => !columns.includes(name)).join()} FROM ${table} WHERE ${where}`;
}

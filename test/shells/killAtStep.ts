// Loaded into a station before its own code. Kills the station at step KILL_AT_STEP, like kill -9. A step is a file operation or a commit.
// Steps count from the opening of the first order file, or with KILL_FROM=import from the first row of an imported file, with KILL_FROM=key
// from the first change by a request with a key, with KILL_FROM=draft from the first draft that becomes an order, and with KILL_FROM=undo and
// KILL_FROM=redo from the start of the undo or redo of an import.
import Database from 'better-sqlite3';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const last = Number(process.env['KILL_AT_STEP']);
const from = process.env['KILL_FROM'] ?? 'file';
/** The beginning of the statement from which steps count, by KILL_FROM. */
const FIRST_ROWS: Readonly<Record<string, string>> = {
  import: 'INSERT INTO inbox_files',
  key: 'INSERT INTO keyed_steps',
  draft: 'DELETE FROM import_drafts WHERE id',
  undo: 'UPDATE imports SET undone_at',
  redo: "UPDATE imports SET state = 'undone' WHERE id",
};
const firstRow = FIRST_ROWS[from];
let isArmed = false;
let steps = 0;

function step(what: string): void {
  if (!isArmed) return;
  steps += 1;
  if (steps !== last) return;
  process.stderr.write(`killed at step ${steps}: ${what}\n`);
  process.kill(process.pid, 'SIGKILL');
}

const { open, rename } = fs;
fs.open = async (path, ...rest) => {
  if (from === 'file' && /orders-\d+\.csv$/.test(String(path))) isArmed = true;
  step('before an open');
  const handle = await open(path, ...rest);
  step('after an open');
  return handle;
};
fs.rename = async (from, to) => {
  step('before a rename');
  await rename(from, to);
  step('after a rename');
};
syncBuiltinESMExports();

/** Calls `before` and `after` around each run of a statement. */
function watch(statement: Database.Statement, before: () => void, after: () => void): void {
  const run = statement.run.bind(statement);
  statement.run = (...values: unknown[]) => {
    before();
    const result = run(values);
    after();
    return result;
  };
}

const { prepare } = Database.prototype;
Database.prototype.prepare = function prepareWatched(this: Database.Database, sql: string) {
  const statement = prepare.call(this, sql);
  if (sql === 'COMMIT') {
    watch(
      statement,
      () => step('before a commit'),
      () => step('after a commit'),
    );
  }
  if (firstRow !== undefined && sql.startsWith(firstRow)) {
    watch(
      statement,
      () => undefined,
      () => (isArmed = true),
    );
  }
  return statement;
} as typeof prepare;

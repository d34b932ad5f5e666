// Opens a data folder as a start does, and ends at one step like kill -9: before or after an operation on files or
// SQLite.
import Database from 'better-sqlite3';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [, , folder = '', at = ''] = process.argv;
const last = Number(at);
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === last) process.kill(process.pid, 'SIGKILL');
}

function watched<Args extends unknown[], T>(run: (this: unknown, ...args: Args) => T) {
  return function stepByStep(this: unknown, ...args: Args): T {
    step();
    const result = run.apply(this, args);
    step();
    return result;
  };
}

fs.openSync = watched(fs.openSync);
fs.writeSync = watched(fs.writeSync) as typeof fs.writeSync;
fs.fsyncSync = watched(fs.fsyncSync);
fs.renameSync = watched(fs.renameSync);
syncBuiltinESMExports();

const prototype = Database.prototype;
prototype.exec = watched(prototype.exec);
prototype.pragma = watched(prototype.pragma);
const { prepare } = prototype;
prototype.prepare = function prepareWatched(this: Database.Database, sql: string) {
  const statement = prepare.call(this, sql);
  if (!statement.reader) statement.run = watched(statement.run.bind(statement));
  return statement;
} as typeof prepare;

const { openKeyRing } = await import('../../electron/server/db/keyRing.ts');
const { openDatabase } = await import('../../electron/server/db/database.ts');
const { MIGRATIONS } = await import('../../electron/server/db/migrations.ts');
const keyRing = openKeyRing(folder);
const database = openDatabase(folder, { now: 0, migrations: MIGRATIONS, restore: undefined, keyRing });
database.close();
process.stdout.write(`${steps}\n`);

import { VERSION } from '#shared/api/version.ts';
import { StationError } from '../errors.ts';
import type { Db } from './db.ts';
import { APPLICATION_ID, isDamage, reasonOf } from './inspection.ts';
import { firstSchema } from './migrations/0001-firstSchema.ts';
import { sharedBatches } from './migrations/0002-sharedBatches.ts';
import { keptKeys } from './migrations/0003-keptKeys.ts';
import { freedBy } from './migrations/0004-freedBy.ts';
import { namedPlaces } from './migrations/0005-namedPlaces.ts';
import { wantedLines } from './migrations/0006-wantedLines.ts';
import { batchPresses } from './migrations/0007-batchPresses.ts';
import { redoneImports } from './migrations/0008-redoneImports.ts';
import { leftBatches } from './migrations/0009-leftBatches.ts';
import { undoneSubjects } from './migrations/0010-undoneSubjects.ts';
import { bookedAt } from './migrations/0011-bookedAt.ts';
import { endedElsewhere } from './migrations/0012-endedElsewhere.ts';
import { ledRanges } from './migrations/0013-ledRanges.ts';
import { changedRevisions } from './migrations/0014-changedRevisions.ts';
import { movedFiles } from './migrations/0015-movedFiles.ts';
import { alreadyPut } from './migrations/0016-alreadyPut.ts';
import { lookAlikes } from './migrations/0017-lookAlikes.ts';
import { endedLines } from './migrations/0018-endedLines.ts';
import { callersOfActs } from './migrations/0019-callersOfActs.ts';
import { formerPickers } from './migrations/0020-formerPickers.ts';
import { orderAddresses } from './migrations/0021-orderAddresses.ts';
import { logo } from './migrations/0022-logo.ts';
import { customersFound } from './migrations/0023-customersFound.ts';

export type Migration = { name: string; sql: string };

/** All migrations in order. `user_version` of a database is the number of applied migrations. Never edit a released migration. */
export const MIGRATIONS: readonly Migration[] = [
  firstSchema,
  sharedBatches,
  keptKeys,
  freedBy,
  namedPlaces,
  wantedLines,
  batchPresses,
  redoneImports,
  leftBatches,
  undoneSubjects,
  bookedAt,
  endedElsewhere,
  ledRanges,
  changedRevisions,
  movedFiles,
  alreadyPut,
  lookAlikes,
  endedLines,
  callersOfActs,
  formerPickers,
  orderAddresses,
  logo,
  customersFound,
];

/** Returns the number of applied migrations, which is 0 for an empty database. */
export function schemaOf(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Applies the missing migrations, each atomically. Throws a StationError that names the file. */
export function migrate(db: Db, file: string, migrations: readonly Migration[]): void {
  for (const [index, migration] of migrations.entries()) {
    if (index < schemaOf(db)) continue;
    try {
      db.transaction(() => {
        db.exec(migration.sql);
        db.pragma(`application_id = ${APPLICATION_ID}`);
        db.pragma(`user_version = ${index + 1}`);
      })();
    } catch (error) {
      if (isDamage(error)) throw error;
      throw new StationError(
        'storage',
        `${file} could not be migrated to schema ${migration.name} (${reasonOf(error)}); it was left unchanged. Check the disk, or restore a backup.`,
      );
    }
  }
}

const VERSION_KEY = 'program_version';

/** Whether this version of the program was the last to open the database. */
export function isOfThisVersion(db: Db): boolean {
  return db.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(VERSION_KEY) === VERSION;
}

export function noteVersion(db: Db): void {
  if (isOfThisVersion(db)) return;
  db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(VERSION_KEY, VERSION);
}

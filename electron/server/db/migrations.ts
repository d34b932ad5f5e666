import { StationError } from '../errors.ts';
import type { Db } from './db.ts';
import { APPLICATION_ID, isDamage, reasonOf } from './inspection.ts';
import { firstSchema } from './migrations/0001-firstSchema.ts';
import { orderImports } from './migrations/0002-orderImports.ts';
import { stationTime } from './migrations/0003-stationTime.ts';
import { unknownOrigin } from './migrations/0004-unknownOrigin.ts';
import { roles } from './migrations/0005-roles.ts';

export type Migration = { name: string; sql: string };

/** In order; a database's `user_version` is how many of them it has. Never edit one that was released. */
export const MIGRATIONS: readonly Migration[] = [firstSchema, orderImports, stationTime, unknownOrigin, roles];

/** How many of them a database has; 0: it is empty. */
export function schemaOf(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Brings a database to the last of the migrations, each whole or not at all. Throws a StationError about this file. */
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
        `${file} could not be brought to schema ${migration.name} (${reasonOf(error)}); it was left as it was.`,
      );
    }
  }
}

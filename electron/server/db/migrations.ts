import { VERSION } from '#shared/api/version.ts';
import { StationError } from '../errors.ts';
import type { Db } from './db.ts';
import { APPLICATION_ID, isDamage, reasonOf } from './inspection.ts';
import { firstSchema } from './migrations/0001-firstSchema.ts';
import { orderImports } from './migrations/0002-orderImports.ts';
import { stationTime } from './migrations/0003-stationTime.ts';
import { unknownOrigin } from './migrations/0004-unknownOrigin.ts';
import { roles } from './migrations/0005-roles.ts';
import { picking } from './migrations/0006-picking.ts';
import { mails } from './migrations/0007-mails.ts';
import { kioskSessions } from './migrations/0008-kiosks.ts';
import { receivers } from './migrations/0009-receivers.ts';
import { folders } from './migrations/0010-folders.ts';
import { orderTasks } from './migrations/0011-orderTasks.ts';
import { hardware } from './migrations/0012-hardware.ts';
import { boundKeys } from './migrations/0014-boundKeys.ts';
import { linkKeys } from './migrations/0015-linkKeys.ts';
import { historyDevices } from './migrations/0017-historyDevices.ts';
import { orderTaskKinds } from './migrations/0018-orderTaskKinds.ts';
import { noOrderTasks } from './migrations/0019-noOrderTasks.ts';
import { frozenShows } from './migrations/0020-frozenShows.ts';
import { workWithoutLight } from './migrations/0021-workWithoutLight.ts';
import { ordersChanged } from './migrations/0022-ordersChanged.ts';
import { imports } from './migrations/0023-imports.ts';
import { rememberedColumns } from './migrations/0024-rememberedColumns.ts';
import { importedPlaces } from './migrations/0025-importedPlaces.ts';
import { keyedRequests } from './migrations/0026-keyedRequests.ts';
import { callbackEvents } from './migrations/0027-callbackEvents.ts';
import { guessedPlaces } from './migrations/0028-guessedPlaces.ts';
import { callbackReceivers } from './migrations/0029-callbackReceivers.ts';
import { importDrafts } from './migrations/0030-importDrafts.ts';
import { sealedSecrets } from './migrations/0016-sealedSecrets.ts';
import { linkMemory } from './migrations/0013-linkMemory.ts';

export type Migration = { name: string; sql: string };

/** In order; `user_version` of a database is the number applied. Never edit a released one. */
export const MIGRATIONS: readonly Migration[] = [
  firstSchema,
  orderImports,
  stationTime,
  unknownOrigin,
  roles,
  picking,
  mails,
  kioskSessions,
  receivers,
  folders,
  orderTasks,
  hardware,
  linkMemory,
  boundKeys,
  linkKeys,
  sealedSecrets,
  historyDevices,
  orderTaskKinds,
  noOrderTasks,
  frozenShows,
  workWithoutLight,
  ordersChanged,
  imports,
  rememberedColumns,
  importedPlaces,
  keyedRequests,
  callbackEvents,
  guessedPlaces,
  callbackReceivers,
  importDrafts,
];

/** Number of migrations applied; 0: empty database. */
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

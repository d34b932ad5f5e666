import type { BackupCounts } from '#shared/api/backup.ts';
import type { Db } from '../db.ts';

const COUNTED = {
  devices: 'SELECT count(*) FROM devices',
  location_aliases: 'SELECT count(*) FROM location_aliases',
  open_commands: 'SELECT count(*) FROM commands',
  history: 'SELECT count(*) FROM history',
  users: 'SELECT count(*) FROM users',
  api_users: 'SELECT count(*) FROM api_users',
  pending_callbacks: "SELECT count(*) FROM outbox WHERE state = 'pending'",
} as const satisfies Record<keyof BackupCounts, string>;

/** Row counts. Reads whole tables: for occasional questions only. */
export function countRows(db: Db) {
  const counted = Object.entries(COUNTED).map(([name, sql]) => [name, db.prepare<[], number>(sql).pluck()] as const);
  return {
    // Sound: the names are those of the table above.
    all: (): BackupCounts =>
      Object.fromEntries(counted.map(([name, count]) => [name, count.get() ?? 0])) as BackupCounts,
  };
}

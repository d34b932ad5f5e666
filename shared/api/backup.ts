import { z } from 'zod';
import { BACKUP_KINDS } from '../lib/station/backupKinds.ts';
import { intOrNull, named, oneOf, timestamp, timestampOrNull } from './fields.ts';

/** Maximum size of an uploaded backup, in bytes. */
export const MAX_UPLOAD_BYTES = 1024 * 1024 * 1024;

export const backupSchema = named('Backup', {
  name: z.string(),
  kind: oneOf(BACKUP_KINDS).describe(
    'manual: requested by a person or program. scheduled: by the setting backup_every. update: before a new version changed the database. restore: the data before a restore. uploaded: a file from elsewhere.',
  ),
  size: z.int().describe('Bytes.'),
  created: timestamp.describe('When it was added to this folder.'),
  revision: intOrNull.describe('Revision of the station when the backup was made; null if the file cannot be read.'),
  by: z.string().describe('Who requested it; empty if the station made it by itself.'),
});
export type Backup = z.infer<typeof backupSchema>;

export const countsSchema = named('Counts', {
  devices: z.int().describe('Number of known devices.'),
  location_aliases: z.int().describe('Location aliases.'),
  open_commands: z.int().describe('Lit or waiting. In a backup: commands that light again after a restore.'),
  history: z.int().describe('Entries.'),
  users: z.int().describe('Number of people who can sign in.'),
  api_users: z.int().describe('API users.'),
  pending_callbacks: z
    .int()
    .describe(
      'Not delivered yet. In a backup: callbacks that are sent again after a restore, with the same webhook-id.',
    ),
});
export type BackupCounts = z.infer<typeof countsSchema>;

export const backupContentsSchema = named('BackupContents', {
  name: z.string(),
  made: timestampOrNull.describe('When it was made, on any station; null if the file does not say.'),
  version: z.string().describe('Version of Pickstation that made it; empty if the file does not say.'),
  schema: z.int().describe('Schema version of the database. An older one is upgraded during the restore.'),
  revision: z.int().describe('Revision of the station when the backup was made.'),
  holds: countsSchema,
  secrets: z
    .object({
      state: oneOf(['none', 'sealed']).describe('none: it has none. sealed: encrypted with a data key.'),
      enter_again: z
        .array(z.string())
        .describe(
          'Settings and displays whose secret this station cannot read after a restore, unless it gets the passphrase.',
        ),
      passphrase: z.boolean().describe('Whether it carries its data key under a passphrase.'),
    })
    .describe('Passwords, keys and signing secrets in it.'),
});
export type BackupContents = z.infer<typeof backupContentsSchema>;

export const backupStatusSchema = named('BackupStatus', {
  running: z
    .object({
      kind: oneOf(BACKUP_KINDS),
      step: oneOf(['copying', 'checking']),
      done_bytes: z.int().describe('Bytes done in this step.'),
      total_bytes: z.int().describe('Total bytes of this step.'),
      by: z.string(),
    })
    .nullable()
    .describe('The backup in progress.'),
  passphrase_set: z.boolean().describe('Whether backups carry the key of their secrets under a passphrase.'),
  next: timestampOrNull.describe('Time of the next scheduled backup; null: never.'),
  failure: z
    .object({ at: timestamp, message: z.string() })
    .nullable()
    .describe('Why the last scheduled backup or the last restore failed.'),
  folder: z.string().describe('Folder of the backups on the machine of the station.'),
  free_bytes: z.int().describe('Free space on the disk of the folder.'),
  database_bytes: z.int().describe('Size of the database.'),
});
export type BackupStatus = z.infer<typeof backupStatusSchema>;

export const restoreOrderedSchema = named('RestoreOrdered', {
  name: z.string(),
  url: z.string().describe('URL at which the station answers again within seconds.'),
});

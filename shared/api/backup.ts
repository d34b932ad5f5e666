import { z } from 'zod';
import { ACCOUNT_KINDS } from '../lib/access/accountKinds.ts';
import { BACKUP_KINDS } from '../lib/station/backupKinds.ts';
import { intOrNull, named, oneOf, timestamp, timestampOrNull } from './fields.ts';

/** Maximum size of an uploaded backup, in bytes. */
export const MAX_UPLOAD_BYTES = 1024 * 1024 * 1024;

export const backupSchema = named('Backup', {
  name: z.string(),
  kind: oneOf(BACKUP_KINDS).describe(
    'manual: requested by a person or program. scheduled: created by the setting backup_every. update: created before a new version changed the database. restore: the data before a restore. uploaded: an uploaded file.',
  ),
  size: z.int().describe('Size in bytes.'),
  created: timestamp.describe('When the backup was added to this folder.'),
  revision: intOrNull.describe('Revision of the station when the backup was created; null if the file cannot be read.'),
  by: z.string().describe('Who requested it; empty if the station created it automatically.'),
});
export type Backup = z.infer<typeof backupSchema>;

export const countsSchema = named('Counts', {
  devices: z.int().describe('Number of known devices.'),
  location_aliases: z.int().describe('Number of location aliases.'),
  open_commands: z
    .int()
    .describe('Commands that are lit or waiting. In a backup: commands that light again after a restore.'),
  history: z.int().describe('Number of history entries.'),
  users: z.int().describe('Number of people who can sign in. A restore leaves those of this station unchanged.'),
  api_users: z.int().describe('Number of API users.'),
  pending_callbacks: z
    .int()
    .describe(
      'Callbacks that are not delivered yet. In a backup: callbacks that are sent again after a restore, with the same webhook-id.',
    ),
});
export type BackupCounts = z.infer<typeof countsSchema>;

const accountSchema = named('BackupAccount', {
  kind: oneOf(ACCOUNT_KINDS).describe(
    'person: somebody who signs in. key: an API user. kiosk, screen: a browser or wall screen.',
  ),
  name: z.string().describe('Name of the person, key, kiosk or screen.'),
});

const returning = z
  .array(accountSchema)
  .describe(
    'People, keys, kiosks and screens of the backup that this station no longer has. They come back only if `bring_back` names them.',
  );

const opens = z
  .array(
    named('BackupDoor', {
      name: z.string().describe('Name of the setting; callback_receivers or turbo_links for a receiver or a link.'),
      value: z.string().describe('Its value in the backup, without passwords and keys in addresses.'),
    }),
  )
  .describe(
    'Settings, receivers and links of the backup that this station does not have, and that let others in, read or write a folder, or name an address that the station contacts, such as `basic_auth`, `inbox_folder` and `callback_url`. They take effect with the restore.',
  );

export const backupContentsSchema = named('BackupContents', {
  name: z.string(),
  made: timestampOrNull.describe('When the backup was created, on any station; null if the file does not say.'),
  version: z.string().describe('Version of Pickstation that created the backup; empty if the file does not say.'),
  schema: z.int().describe('Schema version of the database. An older one is upgraded during the restore.'),
  revision: z.int().describe('Revision of the station when the backup was created.'),
  holds: countsSchema,
  secrets: z
    .object({
      state: oneOf(['none', 'sealed']).describe(
        'none: the backup has no secrets. sealed: they are encrypted with a data key.',
      ),
      enter_again: z
        .array(z.string())
        .describe(
          'Settings and displays whose secrets this station cannot read after a restore without the passphrase.',
        ),
      passphrase: z.boolean().describe('Whether the backup contains its data key, encrypted with a passphrase.'),
    })
    .describe('Passwords, keys and signing secrets in the backup.'),
  returning,
  opens,
});
export type BackupContents = z.infer<typeof backupContentsSchema>;

export const backupStatusSchema = named('BackupStatus', {
  running: z
    .object({
      kind: oneOf(BACKUP_KINDS),
      step: oneOf(['copying', 'checking']),
      done_bytes: z.int().describe('Number of bytes processed in this step.'),
      total_bytes: z.int().describe('Total number of bytes in this step.'),
      by: z.string(),
    })
    .nullable()
    .describe('The backup in progress; null if none.'),
  passphrase_set: z
    .boolean()
    .describe('Whether backups contain the key of their secrets, encrypted with a passphrase.'),
  next: timestampOrNull.describe('Time of the next scheduled backup; null if none is scheduled.'),
  failure: z
    .object({ at: timestamp, message: z.string() })
    .nullable()
    .describe('Why the last scheduled backup or the last restore failed; otherwise null.'),
  folder: z.string().describe('Folder with the backups on the machine of the station.'),
  free_bytes: z.int().describe('Free space in bytes on the disk of the folder.'),
  database_bytes: z.int().describe('Size of the database in bytes.'),
});
export type BackupStatus = z.infer<typeof backupStatusSchema>;

export const restoreOrderedSchema = named('RestoreOrdered', {
  name: z.string(),
  url: z.string().describe('URL at which the station answers again within seconds.'),
  returning,
  opens,
});

export const restoreRequestSchema = named('RestoreRequest', {
  bring_back: z
    .array(accountSchema)
    .optional()
    .describe('Accounts among `returning` that come back, with their passwords, PINs and keys. By default none.'),
});
export type RestoreRequest = z.infer<typeof restoreRequestSchema>;

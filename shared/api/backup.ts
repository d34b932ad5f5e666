import { z } from 'zod';
import { BACKUP_KINDS } from '../lib/backupKinds.ts';

/** The largest backup that may be uploaded, in bytes. */
export const MAX_UPLOAD_BYTES = 1024 * 1024 * 1024;

const timestamp = z.iso.datetime();

export const backupSchema = z
  .object({
    name: z.string(),
    kind: z
      .enum(BACKUP_KINDS)
      .describe(
        'manual: somebody asked for it. scheduled: as backup_every says. update: before a new version changed the database. restore: the data before a restore. uploaded: from elsewhere.',
      ),
    size: z.int().describe('Bytes.'),
    created: timestamp.describe('When it came into this folder.'),
    revision: z.int().nullable().describe('Of the station when it was made; null where the file cannot be read.'),
    by: z.string().describe('Who asked for it; empty where the station made it by itself.'),
  })
  .meta({ id: 'Backup' });
export type Backup = z.infer<typeof backupSchema>;

export const countsSchema = z
  .object({
    devices: z.int().describe('Devices that are known.'),
    location_aliases: z.int().describe('Location aliases.'),
    open_commands: z.int().describe('Lit or waiting. Of a backup: those that are lit again.'),
    history: z.int().describe('Entries.'),
    users: z.int().describe('People who can sign in.'),
    api_users: z.int().describe('API users.'),
    pending_callbacks: z
      .int()
      .describe('Not delivered yet. Of a backup: those that are sent again, with the same webhook-id.'),
  })
  .meta({ id: 'Counts' });
export type Counts = z.infer<typeof countsSchema>;

export const backupContentsSchema = z
  .object({
    name: z.string(),
    made: timestamp.nullable().describe('When it was made, wherever that was; null where the file does not say.'),
    version: z.string().describe('Of Pickstation when it was made; empty where the file does not say.'),
    schema: z.int().describe('Of the database; an older one is brought up to date when it is restored.'),
    revision: z.int().describe('Of the station when it was made.'),
    holds: countsSchema,
  })
  .meta({ id: 'BackupContents' });
export type BackupContents = z.infer<typeof backupContentsSchema>;

export const backupStatusSchema = z
  .object({
    running: z
      .object({
        kind: z.enum(BACKUP_KINDS),
        step: z.enum(['copying', 'checking']),
        done_bytes: z.int().describe('Bytes that are done in this step.'),
        total_bytes: z.int().describe('Bytes to do in this step.'),
        by: z.string(),
      })
      .nullable()
      .describe('The backup that is being made now.'),
    next: timestamp.nullable().describe('When the next one is made by itself; null: never.'),
    failure: z
      .object({ at: timestamp, message: z.string() })
      .nullable()
      .describe('Why the last one that the station began by itself, or the last restore, came to nothing.'),
    folder: z.string().describe('Where they are, on the machine of the station.'),
    free_bytes: z.int().describe('Room on that disk.'),
    database_bytes: z.int().describe('Size of what is backed up.'),
  })
  .meta({ id: 'BackupStatus' });
export type BackupStatus = z.infer<typeof backupStatusSchema>;

export const restoreOrderedSchema = z
  .object({
    name: z.string(),
    url: z.string().describe('Where the station answers again, within seconds.'),
  })
  .meta({ id: 'RestoreOrdered' });

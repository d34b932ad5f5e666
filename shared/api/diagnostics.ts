import { z } from 'zod';
import { countsSchema } from './backup.ts';
import { intOrNull, named, oneOf, textUpTo, timestamp, timestampOrNull } from './fields.ts';

/** Information for support, without secrets or personal data. */
export const diagnosticsSchema = named('Diagnostics', {
  generated: timestamp,
  version: z.string(),
  node: z.string(),
  sqlite: z.string(),
  system: z.string().describe('Operating system and processor.'),
  uptime_s: z.int().describe('Seconds since the program started.'),
  memory_bytes: z.int().describe('Memory of the whole program.'),
  data: z.object({
    folder: z.string().describe('Data folder, with ~ for the home folder of the user.'),
    database_bytes: z.int().describe('Size of the database, including its log.'),
    backups: z.int().describe('Number of backups.'),
    backups_bytes: z.int().describe('Total size of the backups.'),
    free_bytes: z.int().describe('Free space on the disk of the folder.'),
  }),
  revision: z.int().describe('Revision of the last commit that published facts.'),
  commits: z.int().describe('Number of commits since the start.'),
  counts: countsSchema,
  settings: z
    .record(z.string(), z.string())
    .describe(
      'Values of settings. A value that could be a secret or a name is replaced by whether it is set, and a list by its length.',
    ),
  callback_receivers: z
    .array(
      z.object({
        id: z.string(),
        families: z.string().describe('Names of the families that are sent to it.'),
        paused: z.boolean(),
        waiting: z.int().describe('Number of callbacks waiting for the receiver.'),
        failed: z.int().describe('Number of callbacks in the state `dead`.'),
        last_status: intOrNull.describe('HTTP status of the last answer; null if there was none.'),
        failing_since: timestampOrNull,
      }),
    )
    .describe('Further receivers of callbacks, without their names and addresses.'),
  turbos: z.array(
    z.object({
      serial_number: z.string(),
      status: z.string(),
      transport: z.string(),
      firmware: z.string(),
      uptime_s: z.int().describe('Seconds since the turbo started.'),
      last_seen: timestampOrNull,
      device_count: z.int().describe('Number of devices that it serves.'),
      problem: z.string(),
    }),
  ),
  log: z
    .array(z.object({ at: timestamp, level: oneOf(['info', 'warn', 'error']), message: z.string(), error: z.string() }))
    .describe('The last log lines since the start, oldest first.'),
  log_folder: z
    .string()
    .describe('Folder of the log files on the machine of the station. Empty if log files are turned off.'),
  log_files: z
    .array(
      z.object({
        name: z.string(),
        bytes: z.int().describe('Size of the file.'),
        lines: z.array(z.string()).describe('Newest lines of the file, oldest first, as JSON.'),
      }),
    )
    .describe('With `logs=1`, the log files, oldest first, with at most 1 MiB of their newest lines. Otherwise empty.'),
  crash_dumps: z
    .array(z.object({ name: z.string(), at: timestamp, bytes: z.int().describe('Size of the dump.') }))
    .describe(
      'Crashes of the window or its station, newest first. The dumps themselves are not sent, because they contain memory and therefore secrets.',
    ),
});

/** An error that a page reports. */
export const pageErrorSchema = named('PageError', {
  message: textUpTo(500).describe('Message of the error.'),
  stack: textUpTo(4_000).default('').describe('Stack trace, as provided by the browser.'),
  path: textUpTo(500).default('').describe('Path of the page, without the query.'),
});
export type PageError = z.infer<typeof pageErrorSchema>;

export const diagnosticsQuerySchema = z.object({
  logs: oneOf(['0', '1']).optional().describe('1 includes the newest lines of the log files.'),
});

export type DiagnosticsQuery = z.output<typeof diagnosticsQuerySchema>;

export type Diagnostics = z.infer<typeof diagnosticsSchema>;

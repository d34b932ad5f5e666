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
    folder: z.string().describe('The home folder of the user is written as ~.'),
    database_bytes: z.int().describe('With its log.'),
    backups: z.int().describe('Number of backups.'),
    backups_bytes: z.int().describe('Total size of the backups.'),
    free_bytes: z.int().describe('Free space on that disk.'),
  }),
  revision: z.int().describe('Revision of the last commit that published facts.'),
  commits: z.int().describe('Since the start.'),
  counts: countsSchema,
  settings: z
    .record(z.string(), z.string())
    .describe('For values that could be a secret or a name, only whether they are set; for lists, their length.'),
  callback_receivers: z
    .array(
      z.object({
        id: z.string(),
        families: z.string().describe('Names of the families that it gets.'),
        paused: z.boolean(),
        waiting: z.int().describe('Callbacks that wait for it.'),
        failed: z.int().describe('Callbacks in the state `dead`.'),
        last_status: intOrNull.describe('HTTP status of the last answer; null: no answer.'),
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
  log_folder: z.string().describe('Folder of the log files on the machine of the station. Empty: they are turned off.'),
  log_files: z
    .array(
      z.object({
        name: z.string(),
        bytes: z.int().describe('Size of the file.'),
        lines: z.array(z.string()).describe('Its newest lines, oldest first, as JSON.'),
      }),
    )
    .describe('With `logs=1`: the log files, oldest first, with at most 1 MiB of their newest lines. Otherwise empty.'),
  crash_dumps: z
    .array(z.object({ name: z.string(), at: timestamp, bytes: z.int().describe('Size of the dump.') }))
    .describe(
      'Crashes of the window or its station, newest first. The dumps are not sent: they hold memory, and with it secrets.',
    ),
});

/** An error that a page reports. */
export const pageErrorSchema = named('PageError', {
  message: textUpTo(500).describe('What was thrown.'),
  stack: textUpTo(4_000).default('').describe('The stack, as the browser writes it.'),
  path: textUpTo(500).default('').describe('Path of the page, without its query.'),
});
export type PageError = z.infer<typeof pageErrorSchema>;

export const diagnosticsQuerySchema = z.object({
  logs: oneOf(['0', '1']).optional().describe('1: with the newest lines of the log files.'),
});

export type DiagnosticsQuery = z.output<typeof diagnosticsQuerySchema>;

export type Diagnostics = z.infer<typeof diagnosticsSchema>;

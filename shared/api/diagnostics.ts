import { z } from 'zod';
import { countsSchema } from './backup.ts';
import { named, oneOf, timestamp, timestampOrNull } from './fields.ts';

/** Facts for support, without secrets and personal data. */
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
});
export type Diagnostics = z.infer<typeof diagnosticsSchema>;

import { z } from 'zod';
import { countsSchema } from './backup.ts';

const timestamp = z.iso.datetime();

/** What somebody who helps needs to know, and nothing that he must not. */
export const diagnosticsSchema = z
  .object({
    generated: timestamp,
    version: z.string(),
    node: z.string(),
    sqlite: z.string(),
    system: z.string().describe('Operating system and processor.'),
    uptime_s: z.int().describe('Seconds since the program was started.'),
    memory_bytes: z.int().describe('Of the whole program.'),
    data: z.object({
      folder: z.string().describe('The home of its user is written as ~.'),
      database_bytes: z.int().describe('With its log.'),
      backups: z.int().describe('How many there are.'),
      backups_bytes: z.int().describe('All of them together.'),
      free_bytes: z.int().describe('Room on that disk.'),
    }),
    revision: z.int().describe('Of the last commit that told facts.'),
    commits: z.int().describe('Since the start.'),
    counts: countsSchema,
    settings: z
      .record(z.string(), z.string())
      .describe('Of what could be a secret or a name only whether it is set, and of lists how long they are.'),
    turbos: z.array(
      z.object({
        serial_number: z.string(),
        status: z.string(),
        transport: z.string(),
        firmware: z.string(),
        uptime_s: z.int().describe('Seconds since the turbo was started.'),
        last_seen: timestamp.nullable(),
        device_count: z.int().describe('Devices that it serves.'),
        problem: z.string(),
      }),
    ),
    log: z
      .array(
        z.object({ at: timestamp, level: z.enum(['info', 'warn', 'error']), message: z.string(), error: z.string() }),
      )
      .describe('The last lines since the start, the oldest first.'),
  })
  .meta({ id: 'Diagnostics' });
export type Diagnostics = z.infer<typeof diagnosticsSchema>;

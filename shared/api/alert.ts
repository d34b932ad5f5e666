import { z } from 'zod';

const timestamp = z.iso.datetime();

export const ALERT_KINDS = ['device_offline', 'signal_weak', 'battery_low', 'turbo_offline', 'turbo_trouble'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export const alertKindSchema = z
  .enum(ALERT_KINDS)
  .describe(
    'device_offline: nothing was heard of it for too long. signal_weak, battery_low: of a device. turbo_offline: no link to it for too long. turbo_trouble: it has a `problem`.',
  );

/** Something that lasts and that somebody has to look after. It is raised once, and ends once, by itself. */
export const alertSchema = z
  .object({
    id: z.string(),
    kind: alertKindSchema,
    deviceid: z.string().nullable().describe('Null where it is about a turbo.'),
    turbo: z.string().nullable().describe('Serial number; null where it is about a device.'),
    since: timestamp.describe('Since when it is so; of a device that is offline, when it was heard last.'),
    value: z
      .int()
      .nullable()
      .describe('When it was raised: seconds offline, dBm, or percent; null of a turbo in trouble.'),
    threshold: z.int().nullable().describe('The setting at that time, in the same unit.'),
    problem: z.string().nullable().describe('What is wrong with a turbo in trouble, in words for people; null else.'),
    acknowledged: timestamp.nullable().describe('When somebody said that he has seen it.'),
    acknowledged_by: z.string().nullable(),
    ended: timestamp.nullable().describe('Null while it is open.'),
  })
  .meta({ id: 'Alert' });
export type Alert = z.infer<typeof alertSchema>;

export const seenResultSchema = z
  .object({ acknowledged: z.int().describe('How many nobody had seen before.') })
  .meta({ id: 'SeenResult' });

export const alertQuerySchema = z.object({
  state: z.enum(['open', 'ended']).default('open').describe('Those that are open, or those that are over.'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'This is no id of an alert.')
    .optional()
    .describe('The last id of the page before.'),
});
export type AlertQuery = z.infer<typeof alertQuerySchema>;

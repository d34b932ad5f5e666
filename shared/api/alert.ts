import { z } from 'zod';
import { ALERT_KINDS } from '../lib/alertSubjects.ts';

export type { AlertKind, StationAlertKind } from '../lib/alertSubjects.ts';

const timestamp = z.iso.datetime();

export const alertKindSchema = z
  .enum(ALERT_KINDS)
  .describe(
    'device_offline: nothing was heard of it for too long. signal_weak, battery_low: of a device. turbo_offline: no link to it for too long. turbo_trouble: it has a `problem`. data_lost: the station started without some of its stored data. restore_failed: a backup was not restored; the previous data are in use. many_new_devices: turbos with one key reached the limit of new devices in an hour; further ones wait to be accepted. origin_refused, host_refused: requests from a page of this origin, or to this address, are refused.',
  );

/**
 * Something that lasts and that somebody has to look after. It is raised once and ends once: by itself, or where it is about
 * the station when somebody dismisses it.
 */
export const alertSchema = z
  .object({
    id: z.string(),
    kind: alertKindSchema,
    deviceid: z.string().nullable().describe('Null where it is not about a device.'),
    turbo: z.string().nullable().describe('Serial number; null where it is not about a turbo.'),
    about: z
      .string()
      .nullable()
      .describe(
        'Of an alert about the station: what it is about, such as a folder or an origin; null of devices and turbos.',
      ),
    since: timestamp.describe('Since when it is so; of a device that is offline, when it was heard last.'),
    value: z
      .int()
      .nullable()
      .describe('When it was raised: seconds offline, dBm, or percent; null of a turbo in trouble and of the station.'),
    threshold: z.int().nullable().describe('The setting at that time, in the same unit.'),
    problem: z
      .string()
      .nullable()
      .describe('What is wrong with the station or a turbo in trouble, in words for people; otherwise null.'),
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
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('At most this many alerts.'),
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'This is no id of an alert.')
    .optional()
    .describe('The last id of the page before.'),
});
export type AlertQuery = z.infer<typeof alertQuerySchema>;

import { z } from 'zod';

const timestamp = z.iso.datetime();

export const ALERT_KINDS = [
  'device_offline',
  'signal_weak',
  'battery_low',
  'turbo_offline',
  'turbo_trouble',
  'data_lost',
  'restore_failed',
  'many_new_devices',
  'origin_refused',
  'host_refused',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** What an alert of each kind is about. Those about the station stay open until somebody dismisses them. */
export const ALERT_SUBJECTS = {
  device_offline: 'device',
  signal_weak: 'device',
  battery_low: 'device',
  turbo_offline: 'turbo',
  turbo_trouble: 'turbo',
  data_lost: 'station',
  restore_failed: 'station',
  many_new_devices: 'station',
  origin_refused: 'station',
  host_refused: 'station',
} as const satisfies Record<AlertKind, 'device' | 'turbo' | 'station'>;

/** Alerts about the station itself. */
export type StationAlertKind = {
  [Kind in AlertKind]: (typeof ALERT_SUBJECTS)[Kind] extends 'station' ? Kind : never;
}[AlertKind];

export function isStationAlert(kind: AlertKind): kind is StationAlertKind {
  return ALERT_SUBJECTS[kind] === 'station';
}

export const alertKindSchema = z
  .enum(ALERT_KINDS)
  .describe(
    'device_offline: nothing was heard of it for too long. signal_weak, battery_low: of a device. turbo_offline: no link to it for too long. turbo_trouble: it has a `problem`. data_lost: the station started with less than it had stored. restore_failed: a backup was not restored; the data of before are in use. many_new_devices: turbos with one key registered as many new devices as they may in an hour; further ones wait. origin_refused, host_refused: requests from a page of this origin, or to this address, are refused.',
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
      .describe('What is wrong with the station or a turbo in trouble, in words for people; null else.'),
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

import { z } from 'zod';
import { serialPath } from './turbo.ts';
import { named, oneOf, textOrNull, timestamp } from './fields.ts';

/** The profiles in resources/firmware/boards/, named after their boards or chips. */
export const BOARD_PROFILES = ['badger2040w', 'badger2040', 'esp32s3', 'generic'] as const;

/** A USB port with a board that may run MicroPython. */
export const boardSchema = named('Board', {
  port: z.string().describe('Its serial port.'),
  name: z.string().describe('As the system calls it; may be empty.'),
  serial_number: z.string().describe('Of the USB device; may be empty.'),
  profiles: z.array(oneOf(BOARD_PROFILES)).describe('What it may be, the likeliest first.'),
});
export type Board = z.infer<typeof boardSchema>;

export const newBoardSchema = named('NewBoard', {
  port: serialPath.describe('From GET /api/boards/.'),
  profile: oneOf(BOARD_PROFILES).describe('Which board it is.'),
  name: z.string().trim().max(60).optional().describe('The label of its place.'),
  wifi: z
    .object({
      ssid: z.string().min(1, 'Name the Wi-Fi.').max(32).describe('Its name.'),
      password: z.string().max(63).describe('Goes to the board only: the station neither stores nor logs it.'),
    })
    .optional()
    .describe('Left out: the board stays on its USB port.'),
});
export type NewBoard = z.infer<typeof newBoardSchema>;

export const BOARD_STEPS = [
  'queued',
  'connecting',
  'checking',
  'in_use',
  'writing',
  'verifying',
  'restarting',
  'waiting',
  'done',
] as const;

/** A job that sets up a board as a device, or updates its firmware. */
export const boardJobSchema = named('BoardJob', {
  id: z.string(),
  kind: oneOf(['installation', 'update']),
  port: z.string().describe('Of an update: its connection.'),
  profile: oneOf(BOARD_PROFILES).nullable().describe('Null of an update.'),
  state: oneOf(['running', 'done', 'failed', 'cancelled']),
  step: oneOf(BOARD_STEPS).describe(
    'queued: another board is updated first; in_use: it is lit or pressed, so the update waits; waiting: for its hello.',
  ),
  progress: z.number().describe('Of the step, from 0 to 1.'),
  problem: textOrNull.describe('Why it failed, as text for people.'),
  warnings: z
    .array(z.string())
    .optional()
    .describe('Of an installation: present if another device or an alias has its name as its label.'),
  deviceid: textOrNull.describe('Of an installation: the device that it is; null until it was asked.'),
  turbo: textOrNull.describe('The turbo that it is; null until it was asked.'),
  started: timestamp,
});
export type BoardJob = z.infer<typeof boardJobSchema>;

/** An online board whose firmware differs from the station's. */
export const boardUpdateSchema = named('BoardUpdate', {
  turbo: z.string().describe('Its serial number.'),
  name: z.string().describe('As it calls itself.'),
  runs: z.string().describe('The firmware that it runs: a hash of its files, or "unknown".'),
  update: z.string().describe('The firmware that the station would bring.'),
});
export type BoardUpdate = z.infer<typeof boardUpdateSchema>;

export const newBoardUpdatesSchema = named('NewBoardUpdates', {
  turbos: z.array(z.string()).max(1_000).optional().describe('Serial numbers. Left out: every board of the list.'),
});
export type NewBoardUpdates = z.infer<typeof newBoardUpdatesSchema>;

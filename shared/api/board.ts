import { z } from 'zod';
import { serialPath } from './turbo.ts';
import { named, oneOf, textOrNull, timestamp } from './fields.ts';

/** The profiles in resources/firmware/boards/, named after their boards or chips. */
export const BOARD_PROFILES = ['badger2040w', 'badger2040', 'esp32s3', 'generic'] as const;

/** A USB port with a board that may run MicroPython. */
export const boardSchema = named('Board', {
  port: z.string().describe('Serial port of the board.'),
  name: z.string().describe('Name as reported by the operating system; may be empty.'),
  serial_number: z.string().describe('Serial number of the USB device; may be empty.'),
  profiles: z.array(oneOf(BOARD_PROFILES)).describe('Possible profiles, most likely first.'),
});
export type Board = z.infer<typeof boardSchema>;

export const newBoardSchema = named('NewBoard', {
  port: serialPath.describe('`port` from GET /api/boards/.'),
  profile: oneOf(BOARD_PROFILES).describe('Profile of the board.'),
  name: z.string().trim().max(60).optional().describe('Label of the place of the board.'),
  wifi: z
    .object({
      ssid: z.string().min(1, 'Name the Wi-Fi.').max(32).describe('Name of the Wi-Fi network.'),
      password: z.string().max(63).describe('Sent only to the board. The station neither stores nor logs it.'),
    })
    .optional()
    .describe('If omitted, the board stays on its USB port.'),
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
  port: z.string().describe('Serial port; for an update, the connection of the board.'),
  profile: oneOf(BOARD_PROFILES).nullable().describe('Null for an update.'),
  state: oneOf(['running', 'done', 'failed', 'cancelled']),
  step: oneOf(BOARD_STEPS).describe(
    'queued: another board is updated first. in_use: the board is lit or pressed, so the update waits. waiting: the board has not connected yet.',
  ),
  progress: z.number().describe('Progress of the step, from 0 to 1.'),
  problem: textOrNull.describe('Why the job failed, as text for people; otherwise null.'),
  warnings: z
    .array(z.string())
    .optional()
    .describe('For an installation: present if another device has its name as label, or an alias has its name.'),
  deviceid: textOrNull.describe('For an installation: DeviceID of the board; null until the board reports it.'),
  turbo: textOrNull.describe('Serial number of the board as a turbo; null until the board reports it.'),
  started: timestamp,
});
export type BoardJob = z.infer<typeof boardJobSchema>;

/** An online board whose firmware differs from the station's. */
export const boardUpdateSchema = named('BoardUpdate', {
  turbo: z.string().describe('Serial number of the board.'),
  name: z.string().describe('Name that the board reports.'),
  runs: z.string().describe('Firmware of the board: a hash of its files, or "unknown".'),
  update: z.string().describe('Firmware that an update would install.'),
});
export type BoardUpdate = z.infer<typeof boardUpdateSchema>;

export const newBoardUpdatesSchema = named('NewBoardUpdates', {
  turbos: z
    .array(z.string())
    .max(1_000)
    .optional()
    .describe('Serial numbers. If omitted, all boards in the list are updated.'),
});
export type NewBoardUpdates = z.infer<typeof newBoardUpdatesSchema>;

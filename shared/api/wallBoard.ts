import { z } from 'zod';
import { hasInvisible } from '../lib/access/accountName.ts';
import { ATTENTION } from '../lib/orders/attention.ts';
import { BATCH_STATES } from './batch.ts';
import { named, oneOf, textUpTo, timestamp, timestampOrNull } from './fields.ts';

const count = z.int().min(0);

/** A TV or another screen that shows the wall board. */
export const wallScreenSchema = named('WallScreen', {
  id: z.string(),
  name: z.string(),
  created: timestamp,
  sessions: z
    .int()
    .describe(
      'Number of browser sessions opened with the link of the screen. A restart ends them; boards sign in again automatically.',
    ),
});
export type WallScreen = z.infer<typeof wallScreenSchema>;

export const newWallScreenSchema = named('NewWallScreen', {
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name for the screen, such as that of its place.')
    .max(100)
    .refine((name) => !hasInvisible(name), 'A name is one line of visible characters.')
    .describe('Name in the list of screens. Unique, ignoring case.'),
});
export type NewWallScreen = z.infer<typeof newWallScreenSchema>;

export const wallScreenLinkSchema = named('WallScreenLink', {
  id: z.string(),
  name: z.string(),
  url: z
    .string()
    .nullable()
    .describe(
      'Address of the wall board for this screen. The fragment is the secret of the screen, which the station does not return again. Null in a repeated answer.',
    ),
});
export type WallScreenLink = z.infer<typeof wallScreenLinkSchema>;

export const wallScreenSecretSchema = named('WallScreenSecret', {
  secret: textUpTo(200).describe('Fragment of the address, without `#`.'),
});

export const wallSessionSchema = named('WallSession', {
  apikey: z
    .string()
    .describe(
      'A temporary key with the scope board, for the header API-KEY. It reads the wall board and a stream without contents.',
    ),
  expires_at: timestamp,
});
export type WallSession = z.infer<typeof wallSessionSchema>;

export const wallOrderSchema = named('WallOrder', {
  order_number: z.string(),
  state: oneOf(['open', 'in_progress']),
  due_time: timestampOrNull,
  late: z.boolean().describe('Whether `due_time` has passed.'),
  item_count: count.describe('Number of all lines.'),
  done_count: count.describe('Number of lines picked, including shorts.'),
  short_count: count.describe('Number of lines picked with less than ordered.'),
  attention: z.array(oneOf(ATTENTION)).describe('`attention` of the order.'),
  pickers: z.array(z.object({ name: z.string(), paused: z.boolean() })).describe('The people who pick the order.'),
});
export type WallOrder = z.infer<typeof wallOrderSchema>;

/** What the board warns about, most important first. */
export const WALL_CARE = ['turbo_offline', 'device_offline', 'receiver_failing', 'short', 'battery_low'] as const;

export const wallCareSchema = named('WallCare', {
  kind: oneOf(WALL_CARE).describe(
    'short: lines closed today with less than ordered. The others are alerts: turbo_offline, device_offline, battery_low, receiver_failing.',
  ),
  count: count.describe('Number of such lines or alerts.'),
  names: z
    .array(z.string())
    .describe('Up to three names: places of devices, names of turbos, or numbers of orders. Empty for receivers.'),
});
export type WallCare = z.infer<typeof wallCareSchema>;

export const wallPickerSchema = named('WallPicker', {
  name: z.string().describe('Name of the picker; empty for lines without a picker.'),
  lines: count.describe('Number of lines finished today.'),
});

/** A cart or wall with a batch that has not ended. */
export const wallBatchSchema = named('WallBatch', {
  id: z.int().describe('Id of the batch.'),
  name: z.string().describe('Name of the cart or wall.'),
  mode: oneOf(['cart', 'wall']),
  state: oneOf(BATCH_STATES),
  slot_count: count.describe('Number of slots that are not free.'),
  complete_count: count.describe('Number of complete slots.'),
  stopped_count: count.describe('Number of slots of stopped orders, which somebody has to empty.'),
  waiting_count: count.describe('Number of shipments that wait for a slot or need none.'),
});
export type WallBatch = z.infer<typeof wallBatchSchema>;

/** Content of the wall board. Contains no customers or notes. */
export const wallBoardSchema = named('WallBoard', {
  at: timestamp.describe('Current time of the station.'),
  version: z.string(),
  time_zone: z.string().describe("IANA name of the shop's time zone, which decides when today began."),
  order_count: count.describe('Number of orders that are open or in progress.'),
  late_count: count.describe('Number of these whose `due_time` has passed.'),
  orders: z
    .array(wallOrderSchema)
    .describe(
      'The first 30 orders, sorted by `due_time`, then priority, then age. Orders without `due_time` come last.',
    ),
  batches: z.array(wallBatchSchema).describe('The first 10 carts and walls in progress, walls first.'),
  batch_count: count.describe('Number of carts and walls in progress.'),
  care: z.array(wallCareSchema).describe('Conditions that need attention; empty if none.'),
  lines_today: count.describe("Number of lines finished since midnight, in the shop's time zone."),
  lines_last_hour: count.describe('Number of lines finished in the last 60 minutes.'),
  hours: z
    .array(
      z.object({
        at: timestamp.describe('Start of the hour.'),
        lines: count.describe('Number of lines finished in this hour.'),
      }),
    )
    .describe('Hours of today in which lines were finished. Hours without lines are omitted.'),
  people: z.array(wallPickerSchema).describe('Most lines first.'),
});
export type WallBoard = z.infer<typeof wallBoardSchema>;

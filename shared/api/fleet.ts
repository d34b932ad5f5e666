import { z } from 'zod';
import { deviceIdSchema, MAX_NAME_CHARACTERS } from './device.ts';
import { intOrNull, named, oneOf, textOrNull, timestamp, timestampOrNull } from './fields.ts';
import { findQuerySchema } from './find.ts';
import { MQTT_STATES } from './mqtt.ts';
import { ORDER_STATES } from './order.ts';

const MAX_CHARACTERS = 200;
const MAX_ENTRIES = 1_000;
const MAX_ADDRESS = 500;
/** Maximum count to accept from another station, larger than any real count. */
const MAX_COUNT = 1_000_000;

/** Control characters, and characters that reverse the direction of the text after them. */
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** A list from another station. Drops entries beyond `most` before parsing, because millions of entries would block the station. */
const listOf = <Entry extends z.ZodType>(entry: Entry, most: number) =>
  z
    .unknown()
    .transform((value): unknown[] => (Array.isArray(value) ? value.slice(0, most) : []))
    .pipe(z.array(entry))
    .catch([]);
const cut = (text: string): string => text.slice(0, MAX_NAME_CHARACTERS).replace(UNSEEN, ' ');
/** Shortens a text and replaces characters that would change the text around it. */
export function printable(text: string): string {
  return text.slice(0, MAX_CHARACTERS).replace(UNSEEN, ' ');
}

/** A text from another station. Shortened if it is too long, and empty if the value is not a text. */
const text = z.string().catch('').transform(printable);
const count = z.int().min(0).max(MAX_COUNT).catch(0);
const time = z.iso.datetime().nullable().catch(null);

/**
 * Whether the page can show an address as a link. Returns false if the address has a user name or password, which could only disguise the
 * host.
 */
function isAddress(text: string): boolean {
  const url = text.length > MAX_ADDRESS || /\s/.test(text) ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** Content of the topic `info` of another station (protocol 1). Ignores fields of later versions. Missing fields are empty. */
export const publishedInfoSchema = z.object({
  name: text,
  version: text,
  url: z.string().refine(isAddress).catch(''),
  devices: count,
  time: time,
  battery_percent: count,
  throughput: z
    .object({ picks_last_hour: z.int().min(0) })
    .nullable()
    .catch(null),
  failing_receivers: listOf(text, 10),
  open_alerts: count,
  alerts: listOf(z.object({ kind: text, about: text, since: time, problem: text }), 50).transform((all) => [
    ...new Map(all.map((alert) => [`${alert.kind} ${alert.about}`, alert])).values(),
  ]),
});
export type PublishedInfo = z.output<typeof publishedInfoSchema>;

/** The fields that are read from another station's device. */
export const publishedDeviceSchema = z.object({
  locationoverride: text,
  statica: text,
  staticb: text,
  staticc: text,
  staticd: text,
  statice: text,
  battery: z.number().nullable().catch(null),
  online: z.boolean().catch(false),
  commands: listOf(
    z.object({ state: text, line1: text, line2: text, line3: text, line4: text, line5: text }),
    MAX_ENTRIES,
  ),
});

/** The fields that are read from another station's order. */
export const publishedOrderSchema = z.object({
  order_number: z.string().min(1).max(MAX_NAME_CHARACTERS),
  state: oneOf(ORDER_STATES),
  attention: listOf(z.unknown(), 1),
});

/** The fields that are read from another station's answer to an order. */
export const orderAnswerSchema = z.object({
  status: z.int(),
  nonce: z.string().optional().catch(undefined),
  order_number: z.string().max(MAX_NAME_CHARACTERS).optional().catch(undefined),
  state: oneOf(ORDER_STATES).optional().catch(undefined),
  warnings: listOf(z.string().transform(cut), MAX_ENTRIES),
  detail: z.string().catch('').transform(cut),
  code: oneOf(['invalid', 'not_found', 'conflict', 'too_large', 'too_many_requests', 'storage', 'stopping']).catch(
    'conflict',
  ),
  errors: listOf(z.object({ path: z.string().transform(cut), message: z.string().transform(cut) }), MAX_ENTRIES),
});

const station = z.string().describe('Id of the station, which is the level of its topics after mqtt_prefix.');

/** A station that publishes under the same broker prefix. */
export const fleetStationSchema = named('FleetStation', {
  station,
  own: z.boolean().describe('Whether this is the station that answers.'),
  name: z.string().describe('Name of the machine of the station.'),
  version: z.string(),
  url: z.string().describe('Address of the page of the station; empty if unknown.'),
  protocol: intOrNull.describe('Version of the topics of the station. Only 1 is read. Null if unknown.'),
  availability: oneOf(['online', 'offline', 'unknown']).describe(
    'offline: the other fields have the last known state.',
  ),
  since: timestampOrNull.describe(
    'When the station went online or offline. For a station that was already offline when the watch began, when it last published. Null if unknown.',
  ),
  last_heard: timestampOrNull,
  problem: textOrNull.describe('Why the station is shown partially or not at all; null if it is shown completely.'),
  devices: z.object({
    count: z.int().describe('Number of devices.'),
    lit: z.int().describe('Number of devices that show a command.'),
    offline: z.int().describe('Number of devices that are offline.'),
    batteries_low: z.int().describe('Number of devices at or below the setting alert_battery_percent of that station.'),
  }),
  orders: z.object({
    open: z.int().describe('Number of open orders.'),
    in_progress: z.int().describe('Number of orders in progress.'),
    attention: z.int().describe('Number of orders that need attention.'),
  }),
  picks_last_hour: intOrNull.describe('Number of commands acknowledged in the last hour; null if unknown.'),
  failing_receivers: z
    .array(z.string())
    .describe('Hosts of the receivers of the station that do not accept callbacks.'),
  open_alerts: z.int().describe('Number of open alerts. `alerts` has at most 50 of them.'),
});
export type FleetStation = z.infer<typeof fleetStationSchema>;

export const fleetAlertSchema = named('FleetAlert', {
  station,
  kind: z.string().describe('Kind of the alert, as in GET /api/alerts/ of that station.'),
  about: z.string().describe('Device, turbo, order or other subject of the alert.'),
  location: z.string().describe('Label of the device; empty if none.'),
  since: timestampOrNull,
  problem: z.string().describe('Problem, as text for people; may be empty.'),
});
export type FleetAlert = z.infer<typeof fleetAlertSchema>;

export const fleetSchema = named('Fleet', {
  state: oneOf(MQTT_STATES).describe(
    'State of the connection that watches the stations. off: `fleet` or `mqtt_url` is not set.',
  ),
  problem: textOrNull.describe('What is wrong and how to fix it, as a sentence; null if nothing.'),
  since: timestamp.describe('Start of this state.'),
  stations: z
    .array(fleetStationSchema)
    .describe('Stations, sorted by id. Without a connection, their last known state.'),
  alerts: z.array(fleetAlertSchema).describe('Open alerts of all stations, newest first, at most 1,000.'),
});
export type FleetAnswer = z.infer<typeof fleetSchema>;

export const fleetQuerySchema = findQuerySchema;

/** An order or a device that was found at a station. */
export const fleetFoundSchema = named('FleetFound', {
  station,
  name: z.string().describe('Name of the machine of the station.'),
  url: z.string(),
  online: z.boolean(),
  order_number: z.string().optional(),
  order_state: oneOf(ORDER_STATES).optional(),
  deviceid: deviceIdSchema.optional(),
  location: z.string().optional().describe('Label of the device.'),
  text: z.string().describe('The text that contains `q`.'),
  matched: oneOf(['order_number', 'deviceid', 'label', 'static', 'lit']),
});
export type FleetFound = z.infer<typeof fleetFoundSchema>;

export const fleetOrderQuerySchema = z.object({
  launch: oneOf(['0', '1']).optional().describe('1 launches the order immediately.'),
});

/** An order that another station created. */
export const fleetOrderSchema = named('FleetOrder', {
  station,
  order_number: z.string(),
  state: oneOf(ORDER_STATES),
  warnings: z.array(z.string()).describe('Warnings as in the answer to POST /api/orders/.'),
});
export type FleetOrder = z.infer<typeof fleetOrderSchema>;

import { z } from 'zod';
import { BAUD_RATES } from '../lib/devices/baudRates.ts';
import { LISTENS } from './exposure.ts';
import { httpUrl } from './addressFields.ts';
import { MAX_NAME_CHARACTERS } from './device.ts';
import { named, oneOf, textOrNull, textUpTo, timestamp, timestampOrNull, withoutControl } from './fields.ts';
import { readDisplayUrl } from '../lib/devices/openDisplayNames.ts';

export const turboSchema = named('Turbo', {
  serial_number: z.string(),
  name: z.string(),
  status: oneOf(['online', 'offline', 'connecting']),
  transport: oneOf(['usb', 'network', 'simulated', 'openepaperlink', 'wled', 'opendisplay']),
  port: z.string().describe('Where it is connected.'),
  firmware: z.int().describe('Its version.'),
  uptime: z.int().describe('Seconds from the start of the turbo to last_seen.'),
  last_seen: timestampOrNull,
  device_count: z.int().describe('Number of devices that it serves.'),
  problem: textOrNull.describe(
    'The fault as text for people: why it has no session, or that another turbo has the same serial number; null: none known.',
  ),
});
export type Turbo = z.infer<typeof turboSchema>;

/** A serial port of the system, and whether a turbo is likely to be on it. */
export const serialPortSchema = named('SerialPort', {
  path: z.string().describe('`COM3`, `/dev/ttyUSB0`.'),
  name: z.string().describe('Name of the adapter as reported by the system; may be empty.'),
  vendor_id: z.string().describe('Vendor id of the USB device, four hexadecimal digits; empty if not USB.'),
  product_id: z.string(),
  serial_number: z.string(),
  is_usb: z.boolean(),
  link: textOrNull.describe('Id of the link on this port; null: none.'),
});
export type SerialPortEntry = z.infer<typeof serialPortSchema>;

export const LINK_STEPS = ['absent', 'opening', 'listening', 'online', 'resetting', 'waiting'] as const;

const CONTROLLER_KINDS = ['openepaperlink', 'wled', 'opendisplay'] as const;

export const LINK_KINDS = ['usb', ...CONTROLLER_KINDS] as const;

const linkName = z.string().trim().max(60).describe('For people.');

/** Highest LED number on the longest strip. */
const MAX_LEDS = 100_000;
const MAX_LINK_PLACES = 1_000;

const led = {
  label: withoutControl(z.string().trim().min(1, 'A place needs a label.').max(MAX_NAME_CHARACTERS)).describe(
    'The label of its device.',
  ),
  start: z.int().min(0).max(MAX_LEDS).describe('Its first LED, counted from 0.'),
  count: z.int().min(1).max(MAX_LEDS).describe('Number of LEDs.'),
};

/** A range of LEDs on a strip, which is one device. */
export const linkPlaceSchema = named('LinkPlace', {
  number: z.int().describe('Stays when other places change.'),
  ...led,
  deviceid: textOrNull.describe('Its device; null until the controller was connected for the first time.'),
});

const newPlacesSchema = z
  .array(
    z.object({
      number: z.int().min(1).optional().describe('Of a place that there is; without it the place with the same label.'),
      ...led,
    }),
  )
  .max(MAX_LINK_PLACES, `At most ${MAX_LINK_PLACES} places on one controller.`)
  .superRefine((places, context) => {
    const sorted = places.map((place, index) => ({ ...place, index })).toSorted((a, b) => a.start - b.start);
    for (const [at, place] of sorted.entries()) {
      const next = sorted[at + 1];
      if (next === undefined || place.start + place.count <= next.start) continue;
      const message = `LED ${next.start} belongs to ${place.label} already.`;
      context.addIssue({ code: 'custom', path: [next.index, 'start'], message });
    }
  })
  .describe('Of a WLED controller: ranges of LEDs that do not overlap.');

/** A connection to a turbo that the station keeps open: a serial port, or a network address. */
export const turboLinkSchema = named('TurboLink', {
  id: z.string(),
  kind: oneOf(LINK_KINDS).describe('usb: a serial port.'),
  url: z.string().describe('The address in the network; empty for a serial port.'),
  name: z.string().describe('For people; empty: none was given.'),
  key_set: z.boolean().describe('It has a key. The key itself is in no answer.'),
  places: z.array(linkPlaceSchema).describe('Of a WLED controller.'),
  problems: z.array(z.string()).describe('What of it does not work although it is connected, as texts for people.'),
  path: z.string().describe('Current or last path; the address of a link in the network.'),
  vendor_id: z.string().describe('With it, the adapter is found again in another socket; empty: by path only.'),
  product_id: z.string(),
  serial_number: z.string(),
  baud_rate: z.int().describe('Bits a second.'),
  flow_control: z.boolean(),
  step: oneOf(LINK_STEPS).describe(
    'absent: not plugged in. listening: open, but no turbo has answered, or it was refused: see `problem`. waiting: for the next attempt.',
  ),
  problem: textOrNull.describe('Why there is no turbo on it, as text for people.'),
  attempts: z.int().describe('Consecutive attempts without an answer.'),
  next_try: timestampOrNull.describe(
    'null: an attempt is in progress, the port is watched all the time, or a turbo is connected.',
  ),
  turbo: textOrNull.describe('Serial number of the turbo on it.'),
});
export type TurboLink = z.infer<typeof turboLinkSchema>;
/** A saved link, with warnings about labels that other devices already have. */
export type SavedTurboLink = TurboLink & { warnings?: string[] };

/** A controller on the network that answered a search. */
export const foundControllerSchema = named('FoundController', {
  kind: oneOf(CONTROLLER_KINDS),
  url: z.string().describe('For `url` of a new link: the address from which it answered.'),
  name: z.string().describe('Its own name; may be empty.'),
  linked: z.boolean().describe('It has a link here already.'),
  needs_key: z.boolean().describe('It encrypts: a new link needs its key.'),
});
export type FoundControllerEntry = z.infer<typeof foundControllerSchema>;

/** Traffic between the station and a turbo since its first contact. */
export const turboTrafficSchema = named('TurboTraffic', {
  serial_number: z.string(),
  since: timestamp,
  frames_in: z.int().describe('From the turbo.'),
  frames_out: z.int().describe('To the turbo.'),
  bytes_in: z.int().describe('From the turbo.'),
  bytes_out: z.int().describe('To the turbo.'),
  repeated_in: z.int().describe('Received frames that were repeats.'),
  repeated_out: z.int().describe('Frames that were sent again.'),
  broken_frames: z.int().describe('Frames that arrived damaged or incomplete.'),
  round_trip_ms: z.number().nullable().describe('Running mean from a frame to its ack; null: none yet.'),
  errors: z
    .array(z.object({ at: timestamp, problem: z.string() }))
    .describe('The last twenty, newest first: why links ended or were refused.'),
});
export type TurboTrafficEntry = z.infer<typeof turboTrafficSchema>;

/** One frame of the wire protocol, decoded. */
export const turboFrameSchema = named('TurboFrame', {
  number: z.int().describe('Increases while the station runs; a gap: older frames were discarded.'),
  at: timestamp,
  direction: oneOf(['in', 'out']).describe('in: from the turbo.'),
  message: z.string().describe('Name in the message table; `unsupported 0x7f` or `malformed 0x10` if it matches none.'),
  sequence: z.int().describe('Sequence number on the wire, to which the answer refers.'),
  answers: textOrNull.describe('The message that it answers.'),
  device: textOrNull.describe('The device of the message.'),
  repeated: z.boolean().describe('A repeat of an earlier frame.'),
  fields: z.record(z.string(), z.unknown()).describe('The sign-in of a turbo is hidden.'),
  bytes: z.string().describe('The whole frame in hexadecimal; `··` is hidden.'),
});
export type TurboFrame = z.infer<typeof turboFrameSchema>;

export const turboChangeSchema = named('TurboChange', {
  name: z.string().trim().max(60).describe('Empty: the name that it reports.'),
});

/** What to enter on a turbo so that it connects over the network. */
export const turboNetworkSchema = named('TurboNetwork', {
  websocket: z.array(z.string()).describe('`ws://192.168.1.20:4680/turbo/`; wss if the station has a certificate.'),
  tcp: z.array(z.string()).describe('`192.168.1.20:4681`; empty: no TCP port is open (--turbo-port).'),
  listens: oneOf(LISTENS).describe('this_machine: turbos on the network cannot connect yet.'),
  encrypted: z
    .boolean()
    .describe('false: turbos that send a password or key can sign in from this machine only. Boards prove their key.'),
  plain_passwords: z
    .boolean()
    .describe(
      'The setting turbo_plain_passwords: turbos can send a password or key from anywhere, even without encryption.',
    ),
});
export type TurboNetwork = z.infer<typeof turboNetworkSchema>;

/** The path of a serial port. */
export const serialPath = z
  .string()
  .trim()
  .min(1, 'Name the port, such as COM3 or /dev/ttyUSB0.')
  .max(200)
  .regex(/^(COM\d{1,3}|\/dev\/[\w./:-]+)$/i, 'A port is called COM3 on Windows and /dev/ttyUSB0 elsewhere.')
  .refine((path) => !path.includes('..'), 'Give the direct path of the port, without "..".');

const controllerUrl = textUpTo(2_000).refine(
  (text) => isHttpAddress(text) || readDisplayUrl(text, false) !== undefined,
  'Write the address of the controller, such as http://192.168.1.30, or opendisplay://192.168.1.40 of a display.',
);

/** Whether a text is the address of a plain HTTP server without a sign-in. */
export function isHttpAddress(text: string): boolean {
  return httpUrl.safeParse(text).success && /^http:/i.test(text) && !/[?#]/.test(text);
}

/** A display's key. Refuses a key of zeros, with which displays do not encrypt. */
const displayKey = z
  .string()
  .transform((text) => text.replace(/[\s:-]/g, '').toUpperCase())
  .pipe(z.string().regex(/^(?!0{32})[0-9A-F]{32}$/, 'A key has 32 hexadecimal digits, and not only zeros.'))
  .describe('Of an OpenDisplay display that encrypts: its key, 32 hexadecimal digits. Write-only.');

export const newTurboLinkSchema = named('NewTurboLink', {
  kind: oneOf(LINK_KINDS)
    .default('usb')
    .describe('usb: a serial port, named by `path`. The others are named by `url`.'),
  url: controllerUrl
    .optional()
    .describe('The address of the controller: `http://192.168.1.30`, or `opendisplay://192.168.1.40` of a display.'),
  name: linkName.optional(),
  key: displayKey.optional(),
  places: newPlacesSchema.optional(),
  path: serialPath.optional().describe('The port: `COM3`, `/dev/ttyUSB0`.'),
  baud_rate: z
    .int()
    .refine((rate) => BAUD_RATES.some((known) => known === rate), `One of ${BAUD_RATES.join(', ')}.`)
    .optional()
    .describe(
      'Bits per second. A turbo with its own USB accepts any value. Default: 921,600, or 115,200 for a board that connects through a separate USB chip.',
    ),
  flow_control: z.boolean().default(false).describe('RTS and CTS.'),
});
export type NewTurboLink = z.infer<typeof newTurboLinkSchema>;

export const turboLinkChangeSchema = named('TurboLinkChange', {
  url: controllerUrl.optional().describe('Another address of the controller.'),
  name: linkName.optional(),
  key: displayKey.nullable().optional(),
  places: newPlacesSchema.optional(),
});
export type TurboLinkChange = z.infer<typeof turboLinkChangeSchema>;

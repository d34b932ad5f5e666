import { z } from 'zod';
import { BAUD_RATES } from '../lib/devices/baudRates.ts';
import { LISTENS } from './exposure.ts';
import { httpUrl } from './addressFields.ts';
import { MAX_NAME_CHARACTERS } from './device.ts';
import {
  named,
  oneOf,
  textOrNull,
  textUpTo,
  timestamp,
  timestampOrNull,
  type Warned,
  withoutControl,
} from './fields.ts';
import { readDisplayUrl } from '../lib/devices/openDisplayNames.ts';

export const turboSchema = named('Turbo', {
  serial_number: z.string(),
  name: z.string(),
  status: oneOf(['online', 'offline', 'connecting']),
  transport: oneOf(['usb', 'network', 'simulated', 'openepaperlink', 'wled', 'opendisplay']),
  port: z.string().describe('Port or address of the connection.'),
  firmware: z.int().describe('Firmware version.'),
  uptime: z.int().describe('Seconds from the start of the turbo to last_seen.'),
  last_seen: timestampOrNull,
  device_count: z.int().describe('Number of devices that it serves.'),
  problem: textOrNull.describe(
    'Problem as text for people: why the turbo has no session, or that another turbo has the same serial number; null if none is known.',
  ),
});
export type Turbo = z.infer<typeof turboSchema>;

/** A serial port of the system, and whether a turbo is likely to be on it. */
export const serialPortSchema = named('SerialPort', {
  path: z.string().describe('Path of the port, such as `COM3` or `/dev/ttyUSB0`.'),
  name: z.string().describe('Name of the adapter as reported by the system; may be empty.'),
  vendor_id: z.string().describe('Vendor id of the USB device as four hexadecimal digits; empty if not USB.'),
  product_id: z.string(),
  serial_number: z.string(),
  is_usb: z.boolean(),
  link: textOrNull.describe('Id of the link on this port; null if none.'),
});
export type SerialPortEntry = z.infer<typeof serialPortSchema>;

export const LINK_STEPS = ['absent', 'opening', 'listening', 'online', 'resetting', 'waiting'] as const;

const CONTROLLER_KINDS = ['openepaperlink', 'wled', 'opendisplay'] as const;

export const LINK_KINDS = ['usb', ...CONTROLLER_KINDS] as const;

const linkName = z.string().trim().max(60).describe('Name for people.');

/** Highest LED number on the longest strip. */
const MAX_LEDS = 100_000;
const MAX_LINK_PLACES = 1_000;

const MAX_PLACE_RANGES = 20;

const placeLabel = withoutControl(z.string().trim().min(1, 'A place needs a label.').max(MAX_NAME_CHARACTERS)).describe(
  'Label of the device of this place.',
);

const led = {
  start: z.int().min(0).max(MAX_LEDS).describe('First LED, counted from 0.'),
  count: z.int().min(1).max(MAX_LEDS).describe('Number of LEDs.'),
};

/** A range of LEDs on a strip. */
export const ledRangeSchema = named('LedRange', led);
type LedRange = z.infer<typeof ledRangeSchema>;

/** LEDs on a strip, which are one device. */
export const linkPlaceSchema = named('LinkPlace', {
  number: z.int().describe('Number of the place. Unchanged when other places change.'),
  label: placeLabel,
  start: led.start.describe('First LED of the first range.'),
  count: led.count.describe('Number of LEDs of the first range.'),
  ranges: z.array(ledRangeSchema).describe('All ranges of LEDs of the place, in ascending order.'),
  deviceid: textOrNull.describe('DeviceID of the place; null until the controller is connected for the first time.'),
});

const newPlacesSchema = z
  .array(
    z
      .object({
        number: z
          .int()
          .min(1)
          .optional()
          .describe('Number of an existing place. If omitted, the place with the same label is used.'),
        label: placeLabel,
        start: led.start.optional().describe('First LED of a place with one range, counted from 0.'),
        count: led.count.optional().describe('Number of LEDs of a place with one range.'),
        ranges: z
          .array(ledRangeSchema)
          .min(1)
          .max(MAX_PLACE_RANGES)
          .optional()
          .describe('Ranges of LEDs, for a place with several. `start` and `count` can be left out then.'),
      })
      .superRefine(checkRanges),
  )
  .max(MAX_LINK_PLACES, `At most ${MAX_LINK_PLACES} places on one controller.`)
  .superRefine((places, context) => {
    const sorted = places
      .flatMap((place, index) => rangesOf(place).map((range) => ({ ...range, label: place.label, index })))
      .toSorted((a, b) => a.start - b.start);
    for (const [at, range] of sorted.entries()) {
      const next = sorted[at + 1];
      if (next === undefined || range.start + range.count <= next.start) continue;
      const message = `LED ${next.start} belongs to ${range.label} already.`;
      context.addIssue({ code: 'custom', path: [next.index, 'start'], message });
    }
  })
  .transform((places) =>
    places.map(({ number, label, ...leds }) => ({
      ...(number === undefined ? {} : { number }),
      label,
      ranges: rangesOf(leds),
    })),
  )
  .describe('For a WLED controller: places, whose LEDs do not overlap.');

type GivenRanges = { start?: number | undefined; count?: number | undefined; ranges?: LedRange[] | undefined };

/** Returns the ranges of a place in ascending order. Returns an empty list if the place names no LEDs. */
function rangesOf({ start, count, ranges }: GivenRanges): LedRange[] {
  if (ranges !== undefined) return ranges.toSorted((a, b) => a.start - b.start);
  return start === undefined || count === undefined ? [] : [{ start, count }];
}

function checkRanges({ start, count, ranges }: GivenRanges, context: z.RefinementCtx): void {
  const [first] = ranges === undefined ? [] : rangesOf({ ranges });
  for (const [field, value] of Object.entries({ start, count } as const)) {
    const isOther = first !== undefined && value !== undefined && value !== first[field as keyof LedRange];
    const message = isOther ? OTHER_RANGE : ranges === undefined && value === undefined ? NO_LEDS : undefined;
    if (message !== undefined) context.addIssue({ code: 'custom', path: [field], message });
  }
}

const OTHER_RANGE =
  'start and count differ from the first range in ranges. Leave them out, or give those of the first range.';
const NO_LEDS = 'Give start and count, or ranges.';

/** A connection to a turbo that the station keeps open: a serial port, or a network address. */
export const turboLinkSchema = named('TurboLink', {
  id: z.string(),
  kind: oneOf(LINK_KINDS).describe('Kind of connection. usb: a serial port.'),
  url: z.string().describe('Network address; empty for a serial port.'),
  name: z.string().describe('Name for people; empty if none was given.'),
  key_set: z.boolean().describe('Whether the link has a key. The key itself is never returned.'),
  places: z.array(linkPlaceSchema).describe('Places of a WLED controller.'),
  problems: z.array(z.string()).describe('Problems of a connected link, as texts for people.'),
  path: z.string().describe('Current or last path of the port; for a network link, its address.'),
  vendor_id: z
    .string()
    .describe(
      'Vendor id by which the adapter is recognized at another USB port; if empty, only the path identifies it.',
    ),
  product_id: z.string(),
  serial_number: z.string(),
  baud_rate: z.int().describe('Bits per second.'),
  flow_control: z.boolean(),
  step: oneOf(LINK_STEPS).describe(
    'absent: not plugged in. listening: open, but no turbo has answered, or the turbo was refused (see `problem`). waiting: waiting for the next attempt.',
  ),
  problem: textOrNull.describe('Why no turbo is connected, as text for people; otherwise null.'),
  attempts: z.int().describe('Consecutive attempts without an answer.'),
  next_try: timestampOrNull.describe(
    'Time of the next attempt; null if an attempt is in progress, the port is watched continuously, or a turbo is connected.',
  ),
  turbo: textOrNull.describe('Serial number of the connected turbo; null if none.'),
});
export type TurboLink = z.infer<typeof turboLinkSchema>;
/** A saved link, with warnings about labels that other devices already have. */
export type SavedTurboLink = Warned<TurboLink>;

/** A controller on the network that answered a search. */
export const foundControllerSchema = named('FoundController', {
  kind: oneOf(CONTROLLER_KINDS),
  url: z.string().describe('Address from which the controller answered, for `url` of a new link.'),
  name: z.string().describe('Name that the controller reports; may be empty.'),
  linked: z.boolean().describe('Whether the station already has a link to the controller.'),
  needs_key: z.boolean().describe('Whether the controller encrypts, so that a new link needs its key.'),
});
export type FoundControllerEntry = z.infer<typeof foundControllerSchema>;

/** Traffic between the station and a turbo since its first contact. */
export const turboTrafficSchema = named('TurboTraffic', {
  serial_number: z.string(),
  since: timestamp,
  frames_in: z.int().describe('Number of frames received from the turbo.'),
  frames_out: z.int().describe('Number of frames sent to the turbo.'),
  bytes_in: z.int().describe('Number of bytes received from the turbo.'),
  bytes_out: z.int().describe('Number of bytes sent to the turbo.'),
  repeated_in: z.int().describe('Number of received frames that were repeats.'),
  repeated_out: z.int().describe('Number of frames that were sent again.'),
  broken_frames: z.int().describe('Number of frames that arrived damaged or incomplete.'),
  round_trip_ms: z
    .number()
    .nullable()
    .describe('Running mean of the time from a frame to its ack in milliseconds; null if none yet.'),
  errors: z
    .array(z.object({ at: timestamp, problem: z.string() }))
    .describe('Reasons why links ended or were refused: the last twenty, newest first.'),
});
export type TurboTrafficEntry = z.infer<typeof turboTrafficSchema>;

/** One frame of the wire protocol, decoded. */
export const turboFrameSchema = named('TurboFrame', {
  number: z
    .int()
    .describe('Number of the frame, increasing while the station runs. A gap means that older frames were discarded.'),
  at: timestamp,
  direction: oneOf(['in', 'out']).describe('in: from the turbo. out: to the turbo.'),
  message: z.string().describe('Name in the message table; `unsupported 0x7f` or `malformed 0x10` if no name matches.'),
  sequence: z.int().describe('Sequence number on the wire, which the answer refers to.'),
  answers: textOrNull.describe('The message that this frame answers; null if none.'),
  device: textOrNull.describe('The device of the message; null if none.'),
  repeated: z.boolean().describe('Whether this is a repeat of an earlier frame.'),
  fields: z.record(z.string(), z.unknown()).describe('Decoded fields. The sign-in of a turbo is hidden.'),
  bytes: z.string().describe('The whole frame in hexadecimal, with `··` for hidden bytes.'),
});
export type TurboFrame = z.infer<typeof turboFrameSchema>;

export const turboChangeSchema = named('TurboChange', {
  name: z.string().trim().max(60).describe('New name. Empty for the name that the turbo reports.'),
});

/** What to enter on a turbo so that it connects over the network. */
export const turboNetworkSchema = named('TurboNetwork', {
  websocket: z
    .array(z.string())
    .describe('Addresses such as `ws://192.168.1.20:4680/turbo/`; wss if the station has a certificate.'),
  tcp: z
    .array(z.string())
    .describe('Addresses such as `192.168.1.20:4681`; empty if no TCP port is open (--turbo-port).'),
  listens: oneOf(LISTENS).describe('this_machine: turbos on the network cannot connect yet.'),
  encrypted: z
    .boolean()
    .describe(
      'false: turbos that send a password or key can sign in only from this machine. Boards prove their key without sending it.',
    ),
  plain_passwords: z
    .boolean()
    .describe(
      'Value of the setting turbo_plain_passwords: whether turbos can send a password or key from anywhere, even without encryption.',
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
  .describe('Key of an OpenDisplay display that encrypts: 32 hexadecimal digits. Write-only.');

export const newTurboLinkSchema = named('NewTurboLink', {
  kind: oneOf(LINK_KINDS)
    .default('usb')
    .describe('usb: a serial port, identified by `path`. The other kinds are identified by `url`.'),
  url: controllerUrl
    .optional()
    .describe('The address of the controller: `http://192.168.1.30`, or `opendisplay://192.168.1.40` of a display.'),
  name: linkName.optional(),
  key: displayKey.optional(),
  places: newPlacesSchema.optional(),
  path: serialPath.optional().describe('Path of the port, such as `COM3` or `/dev/ttyUSB0`.'),
  baud_rate: z
    .int()
    .refine((rate) => BAUD_RATES.some((known) => known === rate), `One of ${BAUD_RATES.join(', ')}.`)
    .optional()
    .describe(
      'Bits per second. A turbo with its own USB accepts any value. Defaults to 921,600, or 115,200 for a board that connects through a separate USB chip.',
    ),
  flow_control: z.boolean().default(false).describe('Uses RTS and CTS.'),
});
export type NewTurboLink = z.infer<typeof newTurboLinkSchema>;

export const turboLinkChangeSchema = named('TurboLinkChange', {
  url: controllerUrl.optional().describe('New address of the controller.'),
  name: linkName.optional(),
  key: displayKey.nullable().optional(),
  places: newPlacesSchema.optional(),
});
export type TurboLinkChange = z.infer<typeof turboLinkChangeSchema>;

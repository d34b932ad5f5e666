import { z } from 'zod';
import { LARGEST_QUANTITY, MAX_SECONDS, TEXT_ELEMENTS } from '../lib/deviceFields.ts';
import { ARROWS } from '../screen/content.ts';

/** Characters of a nonce, a label or a name that the station keeps. */
export const MAX_NAME_CHARACTERS = 1_000;

export const DEVICE_ID_PATTERN = /^[0-9A-F]{6}:[0-9A-F]{6}$/;

const NO_DEVICE_ID = 'A DeviceID is two groups of six hexadecimal digits, such as 51D000:000001.';

export const deviceIdSchema = z
  .string()
  .regex(DEVICE_ID_PATTERN, NO_DEVICE_ID)
  .meta({ description: 'DeviceID: two groups of six hexadecimal digits.', example: '51D000:000001' });

/** As a caller gives it: in either case. */
export const givenDeviceIdSchema = z.string().trim().toUpperCase().regex(DEVICE_ID_PATTERN, NO_DEVICE_ID);

export const deviceListQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100_000).optional().describe('All, where it is left out.'),
  after: givenDeviceIdSchema.optional().describe('The last DeviceID of the page before.'),
});
export type DeviceListQuery = z.infer<typeof deviceListQuerySchema>;

/** Of what creates commands, statics, sequences and orders. */
export const strictQuerySchema = z.object({
  strict: z
    .enum(['0', '1'])
    .optional()
    .describe(
      '1: refuses the request instead of leaving something out with a warning: elements that do not fit, an element given twice, a sound that cannot be read.',
    ),
});

export function isStrict({ strict }: z.infer<typeof strictQuerySchema>): boolean {
  return strict === '1';
}

const timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC.', example: '2026-11-20T08:15:00.000Z' });
const arrowSchema = z.enum(ARROWS);

/** As a caller gives it: numbers come as text by then, but those that JSON has changed on the way. */
function text() {
  return z.string({
    error: ({ input }) =>
      typeof input === 'number'
        ? 'JSON keeps no more than 15 digits of a number: send it as text, in quotes.'
        : 'This is text: send it in quotes.',
  });
}

const line = text().describe(
  'Text line. Over 26 characters is cut, with a warning. A line that begins with \\bc, \\qr or \\ic stands for a barcode, a QR code or an icon with what follows as its text, such as \\bc12345, \\qrhello, \\icleft, \\ichazardd.',
);
const staticLine = text()
  .nullable()
  .describe(
    'Persistent text line, at most 26 characters; an empty string or null clears it. With \\bc, \\qr or \\ic at its beginning it holds that element: overwriting or clearing the line removes the element.',
  );
const name = text().max(MAX_NAME_CHARACTERS);

/**
 * What may be asked of a device, in canonical form. A request is a command when it has `command` or a text line;
 * everything else updates statics and settings. Which words, colours, arrows and sounds are allowed is decided by
 * the rules in shared/lib/deviceRequest.ts, which name the alternatives.
 */
export const deviceRequestSchema = z
  .object({
    command: name.describe(
      'flash or message (the LED blinks), pick or display (steady): with a text line and no command, flash. kill takes commands away. static, static2 and location set line1 to line5 as statics or as the label, as in the query string.',
    ),
    line1: line,
    line2: line,
    line3: line,
    line4: line,
    line5: line,
    barcode: text()
      .nullable()
      .describe(
        'Code 128 B in the strip at the bottom: at most 23 characters of ASCII 32 to 126, or 15 beside both a QR code and an icon. Over 21 its quiet zone is smaller, with a warning. Longer is refused, since a cut code would scan as another one.',
      ),
    qrcode: text()
      .nullable()
      .describe(
        'QR code (version 3, level M, or L where its bytes need it): at most 23 characters, or 15 beside both a barcode and an icon, and at most 53 bytes in UTF-8. Longer is refused. A boxed element.',
      ),
    icon: text()
      .nullable()
      .describe(
        'A sign: hazard and one character, whose case counts, such as hazardd, or its name, such as no-smoking. Answers say the former. The name of an arrow sets the arrow instead. An unknown one is refused with all that there are. A boxed element.',
      ),
    quantity: z
      .int()
      .min(0)
      .max(LARGEST_QUANTITY)
      .nullable()
      .describe(
        'Number in a box; over 99 is drawn 99+. Plus and minus of the device change that of a command, and its callback says it as qty. A boxed element.',
      ),
    arrow: text()
      .nullable()
      .describe(
        'left, right, top (up), bottom (down), topleft, topright, bottomleft, bottomright. A boxed element, of which one screen draws at most two.',
      ),
    color: text().describe(
      'LED colour: r g b, mixes such as rg, names such as orange, or #rrggbb; else that of the settings. An unknown one is refused with all that there are.',
    ),
    seconds: z
      .int()
      .min(0)
      .max(MAX_SECONDS)
      .describe('Seconds until the command times out, from when it is shown; 0: never. Else that of the settings.'),
    sound: text().describe(
      'The name of a tune (GET /api/sounds/), beep, none, or an encoding: milliseconds a beat, then notes of the octaves 5 to 7 and their beats, such as 140,c5,2,a5s,1,p,2 (s: sharp, p: pause). Else silence. One that cannot be read is left out, with a warning that gives the position.',
    ),
    nonce: name.describe(
      'Your tag, sent back in the callback; without one there is none. At most one open command of a place has it: the same again takes the place of the earlier.',
    ),
    deviceid: text().describe('In POST /api/devices/: the device. Where the path names one it is ignored.'),
    location: name.describe(
      'In POST /api/devices/, where deviceid is not given: name of a location alias, else label of a device, else its DeviceID, in any case.',
    ),
    statica: staticLine,
    staticb: staticLine,
    staticc: staticLine,
    staticd: staticLine,
    statice: staticLine,
    locationoverride: name
      .nullable()
      .describe(
        'The label of the place, shown in the corner of the display, by which location finds the device. A warning says where it is too long to be shown whole.',
      ),
    unsolicitedNonce: name
      .nullable()
      .describe('The nonce of callbacks for presses while idle: call, call_up, call_down.'),
    brightness: z.int().min(0).max(100).describe('LED brightness in percent.'),
  })
  .partial()
  .meta({
    id: 'DeviceRequest',
    description:
      'Lines, quantity, barcode, QR code, icon and arrow are elements: a screen draws at most five, of which at most two of quantity, QR code, icon and arrow. What does not fit is left out, with a warning: while more than two are boxed, the QR code, the icon, the arrow; while more than five remain, the barcode, the QR code, the icon, the arrow, lines from the last; never the quantity. Of one element given twice the first line that has it is shown, before other lines and before its field, with a warning.',
  });
export type DeviceRequest = z.infer<typeof deviceRequestSchema>;

/** Beside the front one those for plus and minus. */
export const buttonsSchema = z
  .union([z.literal(1), z.literal(3)])
  .describe('1: the front one alone. 3: plus and minus beside it.');

const commandStateSchema = z
  .enum(['queued', 'sent', 'shown'])
  .describe('queued: not told to the device yet. sent: told. shown: lit, and a press ends it.');

/** `state` keeps to the three words that old clients know. */
export const deliverySchema = z
  .enum(['queued', 'sent', 'shown', 'unreachable'])
  .describe(
    'How far it is on its way: as state, or unreachable, where it is the next to be shown and no turbo reaches the device. It is shown when the device is back, within its seconds.',
  );

/** One command in a device's queue. */
export const commandEntrySchema = z
  .object({
    command_id: z.string(),
    command: z.enum(['flash', 'pick']),
    nonce: z.string(),
    location: z.string().describe('As its callback says it: the alias, else the label of the device, else empty.'),
    alias_id: z
      .int()
      .nullable()
      .describe('The location alias it was addressed by, also when that is gone; null: the device itself.'),
    state: commandStateSchema,
    delivery: deliverySchema,
    line1: z.string(),
    line2: z.string(),
    line3: z.string(),
    line4: z.string(),
    line5: z.string(),
    arrow: arrowSchema.nullable(),
    barcode: z.string(),
    qrcode: z.string(),
    icon: z.string(),
    quantity: z.int().nullable().describe('As adjusted by plus and minus.'),
    color: z.string(),
    sound: z.string(),
    seconds: z.int().describe('Until it times out, from when it is shown; 0: never.'),
    sender: z.string().describe('The API user or person who sent it.'),
    sequenceid: z.string().nullable().describe('The sequence of which a step lit it; null of other commands.'),
    order_number: z.string().nullable().describe('The order of which an item lit it; null of other commands.'),
    created_at: timestamp,
    sent_at: timestamp.nullable(),
    shown_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
    unreachable_since: timestamp.nullable().describe('Null where delivery is another.'),
  })
  .meta({ id: 'Command' });
export type CommandEntry = z.infer<typeof commandEntrySchema>;

/** What is on a screen, before it has pixels. */
export const screenContentSchema = z
  .object({
    label: z.string(),
    lines: z.array(z.string()),
    quantity: z.int().nullable().describe('In a box; null: none.'),
    arrow: arrowSchema.nullable(),
    barcode: z.string(),
    qrcode: z.string(),
    icon: z.string(),
  })
  .meta({ id: 'ScreenContent' });

/** What the device showed when it was last heard: its screen as data, and its LED. */
export const displayedSchema = z
  .object({
    command_id: z.string().nullable(),
    screen: screenContentSchema,
    led: z.object({
      mode: z.enum(['off', 'steady', 'blink']),
      hex: z.string().describe('#rrggbb'),
      letter: z.string().describe("The colour's letter, so that colour is not the only sign."),
    }),
  })
  .meta({ id: 'Displayed' });
export type Displayed = z.infer<typeof displayedSchema>;

/** What changes by itself, by the minute: kept in memory, told without a revision. */
export const conditionSchema = z.object({
  voltage: z.number().nullable().describe('Volts.'),
  battery: z.int().nullable().describe('Percent.'),
  uptime: z.int().nullable().describe('Seconds since the device was started, at last_seen.'),
  up_since: timestamp
    .nullable()
    .describe('Since when it is on, by what it said of its uptime; null: it said nothing yet.'),
  rssi: z.int().nullable().describe('dBm.'),
  turbo: z.string().nullable().describe('Serial number of the turbo that hears it.'),
  online: z.boolean().describe('A turbo hears it.'),
  last_seen: timestamp
    .nullable()
    .describe('When it said something last; of a device that is no longer online, until when it was reached.'),
  can_press: z.boolean().describe('Its transport can press its buttons for you.'),
  displayed: displayedSchema.nullable(),
});
export type Condition = z.infer<typeof conditionSchema>;

/** A device, as GET /api/device/{DeviceID}/ answers it. */
export const deviceSchema = z
  .object({
    deviceid: deviceIdSchema,
    locationoverride: z.string().describe('The label of its place.'),
    location: z.string().describe('The label again, as callbacks say it.'),
    statica: z.string().describe('The line as it was sent, such as \\bc12345; `displayed` says what the screen shows.'),
    staticb: z.string(),
    staticc: z.string(),
    staticd: z.string(),
    statice: z.string(),
    arrow: arrowSchema.nullable().describe('Set by its own field: an arrow in a line appears only in that line.'),
    barcode: z.string().describe('Set by its own field.'),
    qrcode: z.string().describe('Set by its own field.'),
    quantity: z.int().nullable().describe('In a box; null: none.'),
    icon: z.string().describe('Set by its own field.'),
    unknown_origin: z
      .array(z.enum(TEXT_ELEMENTS))
      .describe(
        'Those of `arrow`, `barcode`, `qrcode` and `icon` that an earlier version stored without saying whether they came in a line: the next change of a static line removes them, unless it sets their field.',
      ),
    firmware: z.int().describe('Its version; 67 and newer draw a lone element extra large.'),
    buttons: buttonsSchema,
    brightness: z.int().describe('Of the LED, in percent.'),
    unsolicitedNonce: z.string(),
    state: z.enum(['static', 'active']).describe('active: it has commands.'),
    commands: z.array(commandEntrySchema).describe('The queue, the shown one first.'),
    ...conditionSchema.shape,
  })
  .meta({ id: 'Device' });
export type Device = z.infer<typeof deviceSchema>;

const warnings = z.array(z.string()).describe('What is shown otherwise than asked: cut, ignored, or drawn as a box.');

export const commandResultSchema = z
  .object({
    deviceid: deviceIdSchema,
    command_id: z.string(),
    state: commandStateSchema,
    delivery: deliverySchema,
    warnings,
  })
  .meta({ id: 'CommandResult' });

export const staticResultSchema = z
  .object({ deviceid: deviceIdSchema, updated: z.array(z.string()).describe('The fields that were given.'), warnings })
  .meta({ id: 'StaticResult' });

export const killResultSchema = z
  .object({ deviceid: deviceIdSchema, killed: z.int().describe('Commands that were taken away.'), warnings })
  .meta({ id: 'KillResult' });

export const deviceResultSchema = z.union([commandResultSchema, staticResultSchema, killResultSchema]);
export type DeviceResult = z.infer<typeof deviceResultSchema>;

/** One element of a bulk answer. */
export const bulkResultSchema = z
  .object({
    status: z
      .int()
      .describe('200, or why this one was refused: then there are code, detail and errors, as in a problem.'),
    deviceid: z.string().describe('The device that it went to.'),
    command_id: z.string().optional(),
    state: z.enum(['queued', 'sent', 'shown']).optional(),
    delivery: deliverySchema.optional(),
    updated: z.array(z.string()).optional(),
    killed: z.int().optional().describe('Commands that were taken away.'),
    warnings: warnings.optional(),
    code: z.string().optional(),
    detail: z.string().optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'BulkResult' });
export type BulkResult = z.infer<typeof bulkResultSchema>;

/** What somebody at the station says in the place of a press. */
export const acknowledgeSchema = z
  .object({
    command_id: z.string().describe('From the answer to the command, or from commands of the device.'),
    qty: z.int().min(0).max(LARGEST_QUANTITY).optional().describe('What was picked; else the quantity as adjusted.'),
    reason: z.string().trim().max(1_000).optional().describe('Such as short or damaged; it is kept in history only.'),
  })
  .meta({ id: 'Acknowledge' });
export const acknowledgeResultSchema = z
  .object({ deviceid: deviceIdSchema, command_id: z.string(), qty: z.int().describe('As its callback says it.') })
  .meta({ id: 'AcknowledgeResult' });

export const adjustSchema = z
  .object({
    command_id: z.string().describe('From the answer to the command, or from commands of the device.'),
    quantity: z.int().min(0).max(LARGEST_QUANTITY).describe('What is to be picked now.'),
  })
  .meta({ id: 'Adjust' });
export const adjustResultSchema = z
  .object({
    deviceid: deviceIdSchema,
    command_id: z.string().describe('The command that has the quantity now.'),
    quantity: z.int().describe('As it is now.'),
  })
  .meta({ id: 'AdjustResult' });

export const newDeviceSchema = z
  .object({
    deviceid: givenDeviceIdSchema.describe('DeviceID, in either case.'),
    buttons: z
      .union([z.literal(1), z.literal(3)], { error: 'A device has 1 button, or 3 with plus and minus.' })
      .default(1)
      .describe('Until the device is heard and says it itself.'),
    label: name.optional().describe('The label of its place.'),
  })
  .meta({ id: 'NewDevice' });

/** A device that a turbo hears and that nobody has accepted. */
export const waitingDeviceSchema = z
  .object({
    deviceid: deviceIdSchema,
    buttons: buttonsSchema,
    firmware: z.int().describe('Its version.'),
    voltage: z.number().describe('Volts.'),
    rssi: z.int().describe('dBm.'),
  })
  .meta({ id: 'WaitingDevice' });
export type WaitingDevice = z.infer<typeof waitingDeviceSchema>;

export const refusalSchema = z
  .object({ deviceid: givenDeviceIdSchema.describe('DeviceID, in either case.') })
  .meta({ id: 'Refusal' });

/** A device that shall not become known. */
export const refusedDeviceSchema = z
  .object({ deviceid: deviceIdSchema, refused_at: timestamp })
  .meta({ id: 'RefusedDevice' });
export type RefusedDevice = z.infer<typeof refusedDeviceSchema>;

export const replacementSchema = z
  .object({
    deviceid: givenDeviceIdSchema.describe('The known device, without work of its own, that takes the place.'),
  })
  .meta({ id: 'Replacement' });

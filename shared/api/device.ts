import { z } from 'zod';
import { LARGEST_QUANTITY, MAX_SECONDS } from '../lib/requests/deviceFields.ts';
import { ARROWS } from '../screen/content.ts';
import { confirmationKey, intOrNull, named, oneOf, textOrNull, waitedFields, whole, withoutControl } from './fields.ts';

/** Maximum number of characters of a nonce, a label or a name. */
export const MAX_NAME_CHARACTERS = 1_000;

export const DEVICE_ID_PATTERN = /^[0-9A-F]{6}:[0-9A-F]{6}$/;

const NO_DEVICE_ID = 'A DeviceID is two groups of six hexadecimal digits, such as 51D000:000001.';

export const deviceIdSchema = z
  .string()
  .regex(DEVICE_ID_PATTERN, NO_DEVICE_ID)
  .meta({ description: 'DeviceID: two groups of six hexadecimal digits.', example: '51D000:000001' });

/** A DeviceID from a caller, in upper or lower case. */
export const givenDeviceIdSchema = z.string().trim().toUpperCase().regex(DEVICE_ID_PATTERN, NO_DEVICE_ID);

export const deviceListQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100_000).optional().describe('Defaults to all.'),
  after: givenDeviceIdSchema.optional().describe('Last DeviceID of the previous page.'),
});
export type DeviceListQuery = z.infer<typeof deviceListQuerySchema>;

/** The parameter `strict` of requests with a body, and of the query-string interface. */
export const strictQuerySchema = z.object({
  strict: oneOf(['0', '1'])
    .optional()
    .describe(
      '1 refuses the request instead of omitting something with a warning, such as an unknown field, elements that do not fit, an element given twice, or an unreadable sound.',
    ),
});

export function isStrict({ strict }: z.infer<typeof strictQuerySchema>): boolean {
  return strict === '1';
}

const timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC.', example: '2026-11-20T08:15:00.000Z' });
const timestampOrNull = timestamp.nullable();
const arrowSchema = oneOf(ARROWS);

/** Schema for text from a caller. `looseValues.ts` has already converted numbers to text, except those that JSON may have rounded. */
function text() {
  return z.string({
    error: ({ code, input }) => {
      if (code !== 'invalid_type') return undefined;
      return typeof input === 'number'
        ? 'JSON keeps at most 15 digits of a number. Send it as text, in quotes.'
        : 'This must be text. Send it in quotes.';
    },
  });
}

const line = text().describe(
  'Text line. Text beyond 26 characters is cut, with a warning. A line that begins with \\bc, \\qr or \\ic is a barcode, a QR code or an icon, with the rest as its content, such as \\bc12345, \\qrhello, \\icleft, \\ichazardd.',
);
const staticLine = text()
  .nullable()
  .describe(
    'Persistent text line, at most 26 characters; an empty string or null clears it. A line that begins with \\bc, \\qr or \\ic holds that element: overwriting or clearing the line removes the element.',
  );
const name = text().max(MAX_NAME_CHARACTERS);

/**
 * A request to a device, in canonical form. A request with `command` or a text line is a command; all others update statics and settings.
 * shared/lib/requests/deviceRequest.ts has the rules for words, colors, arrows and sounds.
 */
export const deviceRequestSchema = z
  .object({
    command: name.describe(
      'flash or message (the LED blinks), or pick or display (steady). With a text line, defaults to flash. kill removes commands. static, static2 and location set line1 to line5 as statics or as the label, as in the query string.',
    ),
    line1: line,
    line2: line,
    line3: line,
    line4: line,
    line5: line,
    barcode: text()
      .nullable()
      .describe(
        'Code 128 B in the strip at the bottom: at most 23 characters of ASCII 32 to 126, or 15 beside both a QR code and an icon. Above 21, the quiet zone is smaller, with a warning. Longer barcodes are refused, because a cut code would scan as a different one.',
      ),
    qrcode: text()
      .nullable()
      .describe(
        'QR code (version 3, level M, or L if its bytes need it): at most 53 bytes in UTF-8. Longer codes are refused. A boxed element.',
      ),
    icon: text()
      .nullable()
      .describe(
        'A sign: hazard followed by one case-sensitive character, such as hazardd, or a name, such as no-smoking. Answers use the first form. The name of an arrow sets the arrow instead. hazard without the character of a sign draws an empty triangle, with a warning; any other unknown sign is refused with a list of all signs. A boxed element.',
      ),
    quantity: whole(0, LARGEST_QUANTITY)
      .nullable()
      .describe(
        'Number in a box; numbers above 99 are drawn as 99+. The plus and minus buttons of the device change the quantity of a command, and its callback reports it as qty. A boxed element.',
      ),
    arrow: text()
      .nullable()
      .describe(
        'left, right, top (up), bottom (down), topleft, topright, bottomleft, bottomright. A boxed element; a screen draws at most two of these.',
      ),
    color: text().describe(
      'LED color: r g b, mixes such as rg, names such as orange, or #rrggbb. Defaults to the setting. An unknown color is refused with a list of all colors.',
    ),
    seconds: whole(0, MAX_SECONDS).describe(
      'Seconds until the command times out, counted from when it is shown; 0 means never. Defaults to the setting.',
    ),
    sound: text().describe(
      'The name of a tune (GET /api/sounds/), beep, none, or an encoding: milliseconds per beat, then notes of the octaves 5 to 7 with their beats, such as 140,c5,2,a5s,1,p,2 (s: sharp, p: pause). Defaults to silence. An unreadable sound is omitted, with a warning that gives the position.',
    ),
    nonce: name.describe(
      'Your reference, returned in the callback. Without a nonce, no callback is sent. A place has at most one open command per nonce: a new command with the same nonce replaces the earlier one.',
    ),
    deviceid: text().describe('In POST /api/devices/: the device. Ignored if the path names the device.'),
    location: name.describe(
      'In POST /api/devices/ without deviceid: name of a location alias, or label or DeviceID of a device. Case-insensitive.',
    ),
    statica: staticLine,
    staticb: staticLine,
    staticc: staticLine,
    staticd: staticLine,
    statice: staticLine,
    locationoverride: name
      .nullable()
      .describe(
        'The label of the place, shown in the corner of the display. location can name the device by its label. A label that is too long to be shown completely causes a warning.',
      ),
    unsolicitedNonce: name
      .nullable()
      .describe('The nonce of callbacks for presses of an idle device: call, call_up, call_down.'),
    brightness: whole(0, 100).describe('LED brightness in percent.'),
  })
  .partial()
  .meta({
    id: 'DeviceRequest',
    description:
      'Lines, quantity, barcode, QR code, icon and arrow are elements: a screen draws at most five, with at most two of quantity, QR code, icon and arrow. Elements that do not fit are omitted in this order, with a warning: while more than two are boxed, the QR code, the icon, the arrow; while more than five remain, the barcode, the QR code, the icon, the arrow, then lines from the last; never the quantity. If an element is given twice, the first line with it takes precedence over other lines and over its field, with a warning.',
  });
export type DeviceRequest = z.infer<typeof deviceRequestSchema>;

/** Number of buttons: 1 for a front button only, 3 with plus and minus, or 0. */
export const buttonsSchema = z
  .union([z.literal(0), z.literal(1), z.literal(3)])
  .describe(
    '1: front button only. 3: also plus and minus. 0: no buttons; commands are acknowledged by scan, page or API.',
  );

/** Hardware and latency of a device, as reported by the device. */
export const capabilitiesSchema = named('Capabilities', {
  screen: z.boolean().describe('Whether the device has a screen. If false, it has only a light.'),
  led: z.boolean(),
  buttons: buttonsSchema,
  latency: oneOf(['live', 'slow']).describe(
    'slow: the device polls only occasionally for content to show. Its commands have `expected_at`.',
  ),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;

const commandStateSchema = oneOf(['queued', 'sent', 'shown']).describe(
  'queued: not sent to the device yet. sent: sent, but not shown yet. shown: lit; a press ends the command.',
);

/** Progress of a delivery. This is a separate field, because `state` can have only the three values that old clients know. */
export const deliverySchema = oneOf(['queued', 'sent', 'shown', 'unreachable']).describe(
  'Progress of the delivery: the same as state, or unreachable if the command is the next to be shown and the device is offline. The command is shown if the device returns within its seconds.',
);

/** A command in the queue of a device. */
export const commandEntrySchema = named('Command', {
  command_id: z.string(),
  command: oneOf(['flash', 'pick']),
  nonce: z.string(),
  location: z.string().describe('As in the callback: the alias, otherwise the label of the device; empty if none.'),
  alias_id: intOrNull.describe(
    'The location alias that the command was sent to, even if deleted since; null if it was sent to the device itself.',
  ),
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
  quantity: intOrNull.describe('Quantity as adjusted by plus and minus.'),
  color: z.string(),
  sound: z.string(),
  seconds: z.int().describe('Seconds until the command times out, counted from when it is shown; 0 means never.'),
  sender: z.string().describe('The API user or person who sent the command.'),
  sequenceid: textOrNull.describe('The sequence that the command belongs to; null for other commands.'),
  order_number: textOrNull.describe('The order that the command belongs to; null for other commands.'),
  batch_id: intOrNull.describe('The batch for which a place or a slot is lit; null for other commands.'),
  batch_name: z.string().optional().describe('Name of the cart or wall of the batch; absent for other commands.'),
  shows_stock: z.boolean().optional().describe('true for a light of POST /api/stock/show/; absent for other commands.'),
  created_at: timestamp,
  expected_at: timestampOrNull.describe(
    'When a slow device is expected to show the command; without an answer, its seconds count from then. Null for other devices, while the command waits behind others, and once it is shown.',
  ),
  sent_at: timestampOrNull,
  shown_at: timestampOrNull,
  expires_at: timestampOrNull,
  unreachable_since: timestampOrNull.describe('When the device went offline; null unless delivery is unreachable.'),
});
export type CommandEntry = z.infer<typeof commandEntrySchema>;

/** Content of a screen, before it is drawn. */
export const screenContentSchema = named('ScreenContent', {
  label: z.string(),
  lines: z.array(z.string()),
  quantity: intOrNull.describe('Number in a box; null if none.'),
  arrow: arrowSchema.nullable(),
  barcode: z.string(),
  qrcode: z.string(),
  icon: z.string(),
});

/** Screen content and LED when the device last reported. */
export const displayedSchema = named('Displayed', {
  command_id: textOrNull,
  screen: screenContentSchema,
  led: z.object({
    mode: oneOf(['off', 'steady', 'blink']),
    hex: z.string().describe('#rrggbb'),
    letter: z.string().describe('Letter of the color, for people who cannot distinguish colors.'),
  }),
});
export type Displayed = z.infer<typeof displayedSchema>;

/** Values of a device that change every minute. They are kept in memory, and published without a revision. */
export const conditionSchema = z.object({
  voltage: z.number().nullable().describe('Voltage of the battery in volts.'),
  battery: intOrNull.describe('Charge of the battery in percent.'),
  uptime: intOrNull.describe('Seconds from the start of the device to last_seen.'),
  up_since: timestampOrNull.describe('When the device started, computed from its uptime; null if not reported yet.'),
  rssi: intOrNull.describe('Signal strength in dBm.'),
  turbo: textOrNull.describe('Serial number of the turbo that serves the device.'),
  online: z.boolean().describe('Whether a turbo serves the device.'),
  last_seen: timestampOrNull.describe(
    'When the device last reported; for an offline device, the time until which it was online.',
  ),
  can_press: z.boolean().describe('Whether the station can press the buttons, as for simulated devices.'),
  screen_size: z
    .object({ width: z.int().describe('In pixels.'), height: z.int().describe('In pixels.') })
    .describe('296 x 128, unless the turbo has reported another size since the station started.'),
  displayed: displayedSchema.nullable(),
});
export type Condition = z.infer<typeof conditionSchema>;

/** A device, as in GET /api/device/{DeviceID}/. */
export const deviceSchema = named('Device', {
  deviceid: deviceIdSchema,
  locationoverride: z.string().describe('Label of the place.'),
  location: z.string().describe('The same label, under the name that callbacks use.'),
  statica: z.string().describe('The line as sent, such as \\bc12345. For the content of the screen, see `displayed`.'),
  staticb: z.string(),
  staticc: z.string(),
  staticd: z.string(),
  statice: z.string(),
  arrow: arrowSchema
    .nullable()
    .describe('The arrow set by its own field. An arrow in a line appears only in that line.'),
  barcode: z.string().describe('The barcode set by its own field.'),
  qrcode: z.string().describe('The QR code set by its own field.'),
  quantity: intOrNull.describe('Number in a box; null if none.'),
  icon: z.string().describe('The icon set by its own field.'),
  firmware: z.int().describe('Firmware version; 67 and newer draw a single element extra large.'),
  buttons: buttonsSchema,
  capabilities: capabilitiesSchema,
  brightness: z.int().describe('LED brightness in percent.'),
  unsolicitedNonce: z.string(),
  state: oneOf(['static', 'active']).describe('active: the device has commands.'),
  commands: z.array(commandEntrySchema).describe('Queue of commands; the first one is shown.'),
  ...conditionSchema.shape,
});
export type Device = z.infer<typeof deviceSchema>;

const warnings = z
  .array(z.string())
  .describe(
    'Differences between the request and the display, such as cut or ignored text, or characters drawn as boxes.',
  );

export const commandResultSchema = named('CommandResult', {
  deviceid: deviceIdSchema,
  command_id: z.string(),
  state: commandStateSchema,
  delivery: deliverySchema,
  expected_at: timestamp.optional().describe('Present for a slow device: when it is expected to show the command.'),
  warnings,
});

export const staticResultSchema = named('StaticResult', {
  deviceid: deviceIdSchema,
  updated: z.array(z.string()).describe('The fields that the request set.'),
  warnings,
});

export const killResultSchema = named('KillResult', {
  deviceid: deviceIdSchema,
  killed: z.int().describe('Number of commands removed.'),
  warnings,
});

export const deviceResultSchema = z.union([commandResultSchema, staticResultSchema, killResultSchema]);
export type DeviceResult = z.infer<typeof deviceResultSchema>;

/** One element of a bulk answer. */
export const bulkResultSchema = named('BulkResult', {
  status: z
    .int()
    .describe('200, or the status of the error. For an error, code, detail and errors are present, as in a problem.'),
  deviceid: z.string().describe('The device that the request was sent to.'),
  command_id: z.string().optional(),
  state: oneOf(['queued', 'sent', 'shown']).optional(),
  delivery: deliverySchema.optional(),
  expected_at: timestamp.optional(),
  updated: z.array(z.string()).optional(),
  killed: z.int().optional().describe('Number of commands removed.'),
  warnings: warnings.optional(),
  code: z.string().optional(),
  detail: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type BulkResult = z.infer<typeof bulkResultSchema>;

/** A request to acknowledge a command without a press. */
export const acknowledgeSchema = named('Acknowledge', {
  command_id: z.string().describe('Id from the answer to the command, or from `commands` of the device.'),
  qty: whole(0, LARGEST_QUANTITY).optional().describe('Quantity picked. Defaults to the quantity as adjusted.'),
  reason: z.string().trim().max(1_000).optional().describe('Reason, such as short or damaged; stored only in history.'),
  ...waitedFields,
  key: confirmationKey,
});
export const templateScreenSchema = named('TemplateScreen', {
  deviceid: deviceIdSchema,
  lines: z.array(z.string()).describe('The five current static lines.'),
});

export const elsewhereSchema = named('Elsewhere', {
  deviceid: deviceIdSchema,
  location: z.string().describe('The place of the article, the location alias or the label.'),
});
export type Elsewhere = z.infer<typeof elsewhereSchema>;

export const acknowledgeResultSchema = named('AcknowledgeResult', {
  deviceid: deviceIdSchema,
  command_id: z.string(),
  qty: z.int().describe('Quantity as in the callback.'),
  left_over: z
    .int()
    .optional()
    .describe('In a batch: pieces beyond the sum. They are not booked, and have to be put back. Absent if none.'),
  elsewhere: z
    .array(elsewhereSchema)
    .describe('Other devices that hold the article, if an item of an order was closed as short.'),
  warnings: z.array(z.string()).describe('A warning if more pieces were acknowledged than requested.'),
});

export const adjustSchema = named('Adjust', {
  command_id: z.string().describe('Id from the answer to the command, or from `commands` of the device.'),
  quantity: whole(0, LARGEST_QUANTITY).describe('New quantity to pick.'),
  key: confirmationKey,
});
export const adjustResultSchema = named('AdjustResult', {
  deviceid: deviceIdSchema,
  command_id: z.string().describe('The command with the new quantity.'),
  quantity: z.int().describe('The new quantity.'),
});

export const newDeviceSchema = named('NewDevice', {
  deviceid: givenDeviceIdSchema.describe('DeviceID, in upper or lower case.'),
  buttons: z
    .union([z.literal(0), z.literal(1), z.literal(3)], { error: 'A device has 1 button, 3 with plus and minus, or 0.' })
    .default(1)
    .describe('Number of buttons, used until the device reports it.'),
  label: withoutControl(name.trim()).optional().describe('Label of the place.'),
});

/** A device that a turbo reports but nobody has accepted. */
export const waitingDeviceSchema = named('WaitingDevice', {
  deviceid: deviceIdSchema,
  buttons: buttonsSchema,
  firmware: z.int().describe('Firmware version.'),
  voltage: z.number().describe('Voltage of the battery in volts.'),
  rssi: z.int().describe('Signal strength in dBm.'),
});
export type WaitingDevice = z.infer<typeof waitingDeviceSchema>;

export const refusalSchema = named('Refusal', {
  deviceid: givenDeviceIdSchema.describe('DeviceID, in upper or lower case.'),
});

/** A device that stays refused until an admin accepts it. */
export const refusedDeviceSchema = named('RefusedDevice', { deviceid: deviceIdSchema, refused_at: timestamp });
export type RefusedDevice = z.infer<typeof refusedDeviceSchema>;

export const replacementSchema = named('Replacement', {
  deviceid: givenDeviceIdSchema.describe('The replacement: a known device without open work.'),
});

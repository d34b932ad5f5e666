import { z } from 'zod';
import { DEFAULT_CALLBACK_FAMILIES } from '../lib/connections/callbackFamilies.ts';
import { MAX_SECONDS } from '../lib/requests/deviceFields.ts';
import { PLACE_RULES } from '../lib/places/placeRules.ts';
import { PUT_CONFIRMATIONS } from '../lib/picking/putConfirmations.ts';
import { HEADERS_SETTING, SECRET_SETTINGS } from '../lib/access/secretSettings.ts';
import { COLOR_NAMES, parseColor } from '../led/color.ts';
import { httpUrl, origin, proxy, publicUrl } from './addressFields.ts';
import { NO_TEMPLATE, TEMPLATE_FIELDS, unknownFields } from '../lib/requests/screenTemplate.ts';
import { wholeReasons } from '../lib/orders/shortReasons.ts';
import { BLOCKED_PORTS } from './blockedPorts.ts';
import { exposureSchema, LISTENS } from './exposure.ts';
import { DEFAULT_FOLDER_SETTINGS, folderSettings } from './folders.ts';
import { DEFAULT_MAIL_SETTINGS, mailSettings, secretMailSettings } from './mail.ts';
import { DEFAULT_MQTT_SETTINGS, mqttSettings, secretMqttSettings } from './mqtt.ts';
import { PICKER_RIGHTS } from './rights.ts';
import { UPDATE_MODES } from './updates.ts';
import { named, oneOf, textUpTo, whole, withoutControl } from './fields.ts';

export const CALLBACK_FAMILIES = ['device', 'sequence', 'order', 'condition', 'movement', 'task'] as const;
export type CallbackFamily = (typeof CALLBACK_FAMILIES)[number];

/** Headers for framing and connections, which the HTTP client sets. */
const FRAMING_HEADERS =
  'connection content-length expect host keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' ');

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'Not a header name.')
  .refine((name) => !FRAMING_HEADERS.includes(name.toLowerCase()), 'HTTP itself writes this header. Remove it.')
  .refine((name) => !/^(?:webhook|pickstation)-/i.test(name), 'The station writes this header. Remove it.');

const header = textUpTo(2_000).regex(
  /^[\t\x20-\x7e\x80-\xff]*$/,
  'A header value is one line of printable characters.',
);

const ofNonce = (what: string, fields: string): string =>
  `${what} Replacement fields: ${fields}. Blank: none. An order with a value of its own, even an empty one, does not use it.`;
/** Fields of structured callbacks, also over MQTT, in lower case. An alternative name must not be one of them. */
const STRUCTURED_FIELDS: ReadonlySet<string> = new Set(
  `order_event order shipment item sku upc location device deviceid
  quantity ordered_quantity quantity_fulfilled quantity_remaining nonce vendor_nonce shipmentnonce ordernonce webhook_id revision time picked`.split(
    /\s+/,
  ),
);

const nonceAlias = textUpTo(100)
  .regex(/^(?:[A-Za-z][A-Za-z0-9_]*)?$/, 'A name is a letter, then letters, digits and "_".')
  .refine(
    (name) => !STRUCTURED_FIELDS.has(name.toLowerCase()),
    'Callbacks already have a field of that name. Choose another.',
  );

const MAX_SHOP_NAME_CHARACTERS = 60;
/** Maximum number of days in a setting: a hundred years. */
const MAX_DAYS = 36_500;
export const MAX_LOG_DAYS = 365;

/** Maximum number of reasons: four always exist, and a shop can add twenty. */
const MAX_REASONS = 24;
const SHORT_REASONS =
  'What can be the matter when fewer pieces are found than ordered, in the order of the buttons. missing, damaged, wrong_item and other always exist: only their text changes.';

const templateLine = withoutControl(textUpTo(200))
  .refine((line) => unknownFields(line).length === 0, {
    error: ({ input }) => `There is no field {${unknownFields(String(input)).join('}, {')}}.`,
  })
  .describe('One static line. Empty: none.');

const reasonKey = textUpTo(100).trim().min(1);
export const shortReasonSchema = named('ShortReason', {
  key: reasonKey.describe('As it is sent with a short, and stored.'),
  text: textUpTo(100).optional().describe('What the button says. Default: the key.'),
});

/** All settings with their defaults. See the contract, section 9. */
export const settingsSchema = named('Settings', {
  shop_name: withoutControl(textUpTo(MAX_SHOP_NAME_CHARACTERS)).describe(
    'Name of the shop: in the title of the page and on packing slips. Empty: none.',
  ),
  callback_url: httpUrl.describe(
    'URL of your receiver. For further receivers, see /api/callback-receivers/. With replacement fields in path or query, such as {acknack}, {deviceid}, {location}, {nonce} or {qty}: GET. Without: POST of JSON. Empty: no callbacks.',
  ),
  callback_timeout: whole(1, 120).describe('Seconds to wait for a receiver, also for further ones.'),
  callback_families: z
    .object({
      device: z.boolean().describe('About commands and presses.'),
      sequence: z.boolean().describe('About sequences and their steps.'),
      order: z.boolean().describe('About orders and their items.'),
      condition: z.boolean().describe('Of alerts.'),
      movement: z.boolean().describe('About each movement of stock.'),
      task: z.boolean().describe('About tasks.'),
    })
    .describe('Events to send.'),
  callback_headers: z
    .record(headerName, header)
    .describe(
      'Additional headers of each callback, by name. Answers show *** in place of each value; *** in a request keeps the stored value.',
    ),
  callback_username: textUpTo(1_000).describe('With callback_password: Basic sign-in at the receiver. Empty: none.'),
  callback_ca: textUpTo(100_000).describe(
    'PEM certificates to trust in addition to the standard root certificates, also of further receivers.',
  ),
  callback_verify: z.boolean().describe('false: accepts any certificate, also of further receivers.'),
  unreachable_callback: oneOf(['nack', 'none']).describe(
    'Which callback to send for a command that timed out without being shown, such as on an offline device.',
  ),
  ordernonce: textUpTo(1_000).describe(
    ofNonce('`nonce` of order_fulfilled, not sent without a nonce.', '{order} is the order_number'),
  ),
  shipmentnonce: textUpTo(1_000).describe(
    ofNonce('`nonce` of shipment_fulfilled, not sent without a nonce.', '{order} and {shipment} are the numbers'),
  ),
  callback_nonce: textUpTo(1_000).describe(
    ofNonce(
      '`nonce` of item_added, item_removed and device_ack; otherwise a token generated by the station.',
      '{order} and {shipment} are the numbers',
    ),
  ),
  nonce_alias: nonceAlias.describe(
    'Callbacks with a vendor_nonce repeat its value under this name, for receivers that expect it. Empty: no such field.',
  ),
  default_seconds: whole(0, MAX_SECONDS).describe('For commands without seconds; 0: never time out.'),
  default_color: textUpTo(100)
    .refine((text) => parseColor(text) !== undefined, `Use #rrggbb, #rgb, or one of ${COLOR_NAMES.join(', ')}.`)
    .describe('For commands without a color.'),
  order_seconds: whole(0, MAX_SECONDS).describe(
    'For the lights of orders without seconds; 0: they stay on until picked.',
  ),
  order_color: textUpTo(100)
    .refine((text) => parseColor(text) !== undefined, `Use #rrggbb, #rgb, or one of ${COLOR_NAMES.join(', ')}.`)
    .describe('For the lights of orders without a color.'),
  order_stalled_minutes: whole(0, 10_080).describe(
    'An order is stalled when something of it is lit and nobody pressed for this long, and waits when it was paused for as long. 0: never.',
  ),
  short_reasons: z.array(shortReasonSchema).min(1).max(MAX_REASONS).describe(SHORT_REASONS),
  place_rule: oneOf(PLACE_RULES).describe(
    'Where an article is lit that has several places with enough stock. priority: the first by `priority`, else in the order of its list. emptiest: the one with the fewest pieces. Equal ones follow in walking order.',
  ),
  put_confirmation: oneOf(PUT_CONFIRMATIONS).describe(
    'Of new batches. each: each slot is confirmed. once: one confirmation puts the whole hand; at a wall, everything that its person scanned. none: a pick or scan is a put. A batch can say otherwise.',
  ),
  singles: z
    .boolean()
    .describe(
      'Of new batches at a wall: a shipment of one piece takes no slot and goes straight to packing. A batch can say otherwise.',
    ),
  screen_template: z
    .strictObject({ a: templateLine, b: templateLine, c: templateLine, d: templateLine, e: templateLine })
    .describe(
      `Static lines of the devices where articles are, with the replacement fields ${TEMPLATE_FIELDS.map((field) => `{${field}}`).join(', ')}. All empty: none. A place with several articles shows their names.`,
    ),
  scan_required: z
    .boolean()
    .describe(
      'An order is complete only after each picked article was scanned, which the page Pick asks for before the next line. An order can say otherwise.',
    ),
  pack_check: z
    .boolean()
    .describe(
      'The pack page checks each piece of a slot by its scan before it prints. The check is kept on that page only, and books nothing.',
    ),
  tasks: z
    .boolean()
    .describe(
      'A long press on an idle device also opens a task for the article there that is furthest below its minimum. It sends `call` in any case.',
    ),
  task_overdue_hours: whole(0, 8_760).describe('A task that is open for longer raises task_overdue. 0: no alert.'),
  zero_check: z
    .boolean()
    .describe(
      'A pick that should leave nothing asks whether the place is empty: on the page, and on devices with three buttons.',
    ),
  count_every: whole(0, 10_000).describe(
    'Every so many visits of a place, the page asks how many are left after the pick. 0: never.',
  ),
  accept_devices: oneOf(['ask', 'all']).describe(
    'New devices that a turbo serves. ask: they wait (GET /api/devices/waiting/). all: each is accepted.',
  ),
  cors_origins: z
    .array(origin)
    .max(100)
    .describe('Other web pages that may call this station from a browser, such as https://shop.example.'),
  public_urls: z.array(publicUrl).max(100).describe('Further addresses under which this station answers.'),
  unwanted_callers: z
    .array(textUpTo(2_000))
    .max(100)
    .describe(
      'Origins and addresses that are refused without an alert. *Never* in an alert adds its origin or address. The newest 100 are kept.',
    ),
  listen: oneOf(LISTENS).describe(
    'From where connections are accepted. Applies at once, except that opening together with tls applies at the next start.',
  ),
  port: whole(1, 65_535)
    .refine((port) => !BLOCKED_PORTS.has(port), 'Browsers refuse to open this port. Choose another one.')
    .nullable()
    .describe('Where the station listens from the next start on, unless --port says otherwise. null: the usual port.'),
  tls: oneOf(['off', 'generated']).describe(
    '`generated`: HTTPS with a certificate that the station generates, from the next start on.',
  ),
  trusted_proxies: z
    .array(proxy)
    .max(100)
    .describe(
      'Proxies (addresses or networks) whose X-Forwarded-For, -Proto and -Host are trusted; ignored from all others.',
    ),
  alert_offline_seconds: whole(0, 604_800)
    .refine((seconds) => seconds === 0 || seconds >= 30, 'Give at least 30 seconds, or 0 for no alert.')
    .describe('Raises device_offline after a device has been offline for this many seconds. 0: no alert.'),
  alert_weak_dbm: whole(-120, 0)
    .refine((dbm) => dbm === 0 || dbm <= -40, 'Give a value from -120 to -40 dBm, or 0 for no alert.')
    .describe('Raises signal_weak at this many dBm or less, until the signal is 5 dB stronger. 0: no alert.'),
  alert_battery_percent: whole(0, 90).describe(
    'Raises battery_low at this percentage or less, until it is 5 points higher. 0: no alert.',
  ),
  alert_turbo_seconds: whole(0, 604_800)
    .refine((seconds) => seconds === 0 || seconds >= 30, 'Give at least 30 seconds, or 0 for no alert.')
    .describe(
      'Raises turbo_offline or turbo_trouble after this many seconds without a link or with a problem. 0: no alert.',
    ),
  ...mailSettings,
  ...mqttSettings,
  ...folderSettings,
  picker_rights: z
    .array(oneOf(PICKER_RIGHTS))
    .max(PICKER_RIGHTS.length)
    .describe(
      'Rights of every picker in addition to work: create_orders; import_orders (order files); edit_labels (also statics and location aliases); send (commands).',
    ),
  basic_auth: z
    .boolean()
    .describe('Accepts user name and password with each request (Basic); over plain HTTP only from this machine.'),
  turbo_plain_passwords: z
    .boolean()
    .describe(
      'Lets turbos send their password or key from other machines without encryption, where it can be intercepted. Boards with our firmware do not need it.',
    ),
  backup_every: whole(0, 24 * 31).describe('Hours between scheduled backups; 0: none.'),
  backup_keep: whole(1, 1_000).describe('Number of scheduled backups to keep; older ones are deleted.'),
  history_days: whole(0, MAX_DAYS).describe(
    'Minimum days to keep history; older entries are deleted gradually. 0: forever.',
  ),
  order_days: whole(0, MAX_DAYS).describe(
    'Minimum number of days to keep a fulfilled or aborted order after its last change. Older orders are deleted gradually; imports recognize their numbers while history has them. 0: keep all orders.',
  ),
  history_customer_days: whole(0, MAX_DAYS).describe(
    'Minimum number of days to keep `customer` and `note` of a fulfilled or aborted order after its last change. The order stays. Imports older than this cannot be undone. 0: forever.',
  ),
  callback_days: whole(0, MAX_DAYS).describe(
    'Minimum days to keep a delivered callback, counted from its delivery. Callbacks that are not delivered are never deleted. 0: forever.',
  ),
  log_days: whole(1, MAX_LOG_DAYS).describe(
    'Days to keep the log files, today included. The last three days with lines stay in any case, and all files together take at most 64 MiB.',
  ),
  updates: oneOf(UPDATE_MODES).describe(
    'Newer versions of the desktop program. auto: looks every day, downloads, and installs while nobody works. notify: looks every day and says so. off: looks only on request.',
  ),
  request_log: z
    .boolean()
    .describe('Keeps the latest requests in memory for GET /api/requests/. Turning it off deletes them.'),
});
export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = {
  shop_name: '',
  callback_url: '',
  callback_timeout: 10,
  callback_families: DEFAULT_CALLBACK_FAMILIES,
  callback_headers: {},
  callback_username: '',
  callback_ca: '',
  callback_verify: true,
  unreachable_callback: 'nack',
  ordernonce: '',
  shipmentnonce: '',
  callback_nonce: '',
  nonce_alias: '',
  default_seconds: 60,
  default_color: 'red',
  order_seconds: 0,
  order_color: 'green',
  order_stalled_minutes: 15,
  short_reasons: wholeReasons([]),
  place_rule: 'priority',
  put_confirmation: 'once',
  singles: true,
  screen_template: NO_TEMPLATE,
  scan_required: false,
  pack_check: false,
  tasks: false,
  task_overdue_hours: 0,
  zero_check: false,
  count_every: 0,
  accept_devices: 'all',
  cors_origins: [],
  public_urls: [],
  unwanted_callers: [],
  listen: 'this_machine',
  port: null,
  tls: 'off',
  trusted_proxies: [],
  alert_offline_seconds: 300,
  alert_weak_dbm: -85,
  alert_battery_percent: 15,
  alert_turbo_seconds: 60,
  ...DEFAULT_MAIL_SETTINGS,
  ...DEFAULT_MQTT_SETTINGS,
  ...DEFAULT_FOLDER_SETTINGS,
  picker_rights: [],
  basic_auth: false,
  turbo_plain_passwords: false,
  backup_every: 24,
  backup_keep: 7,
  history_days: 400,
  order_days: 0,
  history_customer_days: 90,
  callback_days: 400,
  log_days: 14,
  updates: 'auto',
  request_log: true,
};

/** Write-only settings. Null clears a setting, and answers contain only whether a value is set. */
export const secretSettingsSchema = z.object({
  callback_api_key: header.nullable().describe('Sent in X-API-Key with each callback. Write-only; null clears it.'),
  callback_password: textUpTo(1_000).nullable().describe('Write-only; null clears it.'),
  callback_signing_secret: textUpTo(1_000)
    .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, 'A signing secret is whsec_ followed by base64.')
    // Refuse a leftover single base64 digit, which does not encode a whole byte.
    .refine(
      (text) => text.slice('whsec_'.length).replaceAll('=', '').length % 4 !== 1,
      'The base64 of this signing secret is incomplete. Copy it again.',
    )
    .nullable()
    .describe('Signs each callback: whsec_ and 24 to 64 random bytes in base64. Write-only; null clears it.'),
  ...secretMailSettings,
  ...secretMqttSettings,
});
export type SecretSettings = z.infer<typeof secretSettingsSchema>;

/** Body of PATCH, with any of the fields. Unknown fields are refused, because they are probably typos. */
export const settingsChangeSchema = z
  .strictObject({
    ...settingsSchema.shape,
    short_reasons: z
      .array(z.union([shortReasonSchema, reasonKey]))
      .min(1)
      .max(MAX_REASONS)
      .refine(
        (reasons) => new Set(wholeReasons(reasons).map(({ key }) => key)).size === wholeReasons(reasons).length,
        'A reason is listed twice.',
      )
      .describe(`${SHORT_REASONS} A text is a key.`),
    screen_template: settingsSchema.shape.screen_template
      .partial()
      .describe('Replaces all lines: one that is left out is empty.'),
    callback_families: settingsSchema.shape.callback_families.partial().describe('Those that change.'),
    ...secretSettingsSchema.shape,
  })
  .partial()
  .meta({ id: 'SettingsChange' });
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

export const settingsAnswerSchema = named('SettingsAnswer', {
  ...settingsSchema.shape,
  callback_api_key_set: z.boolean(),
  callback_password_set: z.boolean(),
  callback_signing_secret_set: z.boolean(),
  mail_password_set: z.boolean(),
  mqtt_password_set: z.boolean(),
  mqtt_key_set: z.boolean(),
  unreadable_secrets: z
    .array(oneOf([...SECRET_SETTINGS, HEADERS_SETTING]))
    .describe(
      'Secrets that are set and cannot be read, since the data key of this folder is missing. What needs them waits: enter them again, or start the station with the key.',
    ),
  unreadable_others: z
    .array(z.string())
    .describe(
      'As `unreadable_secrets`, elsewhere: addresses of displays whose key cannot be read, names of callback receivers with such a secret, and `backup_passphrase` if the passphrase of backups is of another data key.',
    ),
  invalid_settings: z
    .array(z.string())
    .describe(
      'Settings whose stored value is not valid, for example after the restore of a modified backup. It is not used, and functions that depend on it wait or are off; the alert setting_invalid says why. Set or clear these settings.',
    ),
  exposure: exposureSchema,
});
export type SettingsAnswer = z.infer<typeof settingsAnswerSchema>;

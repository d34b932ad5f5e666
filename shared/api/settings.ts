import { z } from 'zod';
import { DEFAULT_CALLBACK_FAMILIES } from '../lib/connections/callbackFamilies.ts';
import { MAX_SECONDS } from '../lib/requests/deviceFields.ts';
import { PLACE_RULES } from '../lib/places/placeRules.ts';
import { ENTER_RULES } from '../lib/picking/enterRules.ts';
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
  `${what} Replacement fields: ${fields}. Blank for none. Ignored for an order with its own value, even an empty one.`;
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
/** Maximum length of the texts on packing slips, which can have several lines. */
const MAX_SLIP_CHARACTERS = 500;
/** Maximum number of days in a setting: a hundred years. */
const MAX_DAYS = 36_500;
export const MAX_LOG_DAYS = 365;

/** Maximum number of reasons: four always exist, and a shop can add twenty. */
const MAX_REASONS = 24;
const SHORT_REASONS =
  'Reasons for finding fewer pieces than ordered, in the order of the buttons. missing, damaged, wrong_item and other always exist; only their text can be changed.';

const templateLine = withoutControl(textUpTo(200))
  .refine((line) => unknownFields(line).length === 0, {
    error: ({ input }) => `There is no field {${unknownFields(String(input)).join('}, {')}}.`,
  })
  .describe('One static line. Empty for none.');

const reasonKey = textUpTo(100).trim().min(1);
export const shortReasonSchema = named('ShortReason', {
  key: reasonKey.describe('The key, as sent with a short and stored.'),
  text: textUpTo(100).optional().describe('Text of the button. Defaults to the key.'),
});

/** All settings with their defaults. See the contract, section 9. */
export const settingsSchema = named('Settings', {
  shop_name: withoutControl(textUpTo(MAX_SHOP_NAME_CHARACTERS)).describe(
    'Name of the shop, shown in the title of the page and on packing slips. Empty for none.',
  ),
  shop_address: textUpTo(MAX_SLIP_CHARACTERS).describe(
    'Address of the shop on packing slips, with line breaks. Empty for none.',
  ),
  slip_closing: textUpTo(MAX_SLIP_CHARACTERS).describe(
    'Text at the end of packing slips, such as thanks or how to return goods. Empty for none.',
  ),
  callback_url: httpUrl.describe(
    'URL of your receiver. For further receivers, see /api/callback-receivers/. A URL with replacement fields in path or query, such as {acknack}, {deviceid}, {location}, {nonce} or {qty}, is called with GET, others with a POST of JSON. Empty for no callbacks.',
  ),
  callback_timeout: whole(1, 120).describe('Seconds to wait for an answer of a receiver, including further receivers.'),
  callback_families: z
    .object({
      device: z.boolean().describe('Events of commands and presses.'),
      sequence: z.boolean().describe('Events of sequences and their steps.'),
      order: z.boolean().describe('Events of orders and their items.'),
      order_state: z
        .boolean()
        .describe(
          'Changes of orders, items and batches that `order` does not report, such as a launch, an abort or a short.',
        ),
      condition: z.boolean().describe('Events of alerts.'),
      movement: z.boolean().describe('Each movement of stock.'),
      task: z.boolean().describe('Events of tasks.'),
    })
    .describe('Events to send.'),
  callback_headers: z
    .record(headerName, header)
    .describe(
      'Additional headers of each callback, by name. Answers show *** in place of each value; *** in a request keeps the stored value.',
    ),
  callback_username: textUpTo(1_000).describe(
    'User name for Basic authentication at the receiver, used with callback_password. Empty for none.',
  ),
  callback_ca: textUpTo(100_000).describe(
    'PEM certificates to trust in addition to the standard root certificates. Also applies to further receivers.',
  ),
  callback_verify: z.boolean().describe('false accepts any certificate, including those of further receivers.'),
  unreachable_callback: oneOf(['nack', 'none']).describe(
    'Callback to send for a command that timed out without being shown, such as on an offline device.',
  ),
  ordernonce: textUpTo(1_000).describe(
    ofNonce('`nonce` of order_fulfilled, which is not sent without a nonce.', '{order} is the order_number'),
  ),
  shipmentnonce: textUpTo(1_000).describe(
    ofNonce(
      '`nonce` of shipment_fulfilled, which is not sent without a nonce.',
      '{order} and {shipment} are the numbers',
    ),
  ),
  callback_nonce: textUpTo(1_000).describe(
    ofNonce(
      '`nonce` of item_added, item_removed and device_ack; otherwise a token generated by the station.',
      '{order} and {shipment} are the numbers',
    ),
  ),
  nonce_alias: nonceAlias.describe(
    'Additional name under which callbacks repeat the value of vendor_nonce, for receivers that expect it. Empty for none.',
  ),
  default_seconds: whole(0, MAX_SECONDS).describe(
    'Seconds until a command without its own seconds times out; 0 means never.',
  ),
  default_color: textUpTo(100)
    .refine((text) => parseColor(text) !== undefined, `Use #rrggbb, #rgb, or one of ${COLOR_NAMES.join(', ')}.`)
    .describe('Color of commands without their own color.'),
  order_seconds: whole(0, MAX_SECONDS).describe(
    'Seconds until the lights of an order without its own seconds time out; 0 keeps them on until picked.',
  ),
  order_color: textUpTo(100)
    .refine((text) => parseColor(text) !== undefined, `Use #rrggbb, #rgb, or one of ${COLOR_NAMES.join(', ')}.`)
    .describe('Color of the lights of orders without their own color.'),
  order_stalled_minutes: whole(0, 10_080).describe(
    'Minutes without a press after which a lit order is stalled, and after which a paused order needs attention. 0 means never.',
  ),
  short_reasons: z.array(shortReasonSchema).min(1).max(MAX_REASONS).describe(SHORT_REASONS),
  place_rule: oneOf(PLACE_RULES).describe(
    'Where to light an article that has several places with enough stock. priority: the first place by `priority`, otherwise by the order of the list. emptiest: the place with the fewest pieces. Equal places are used in walking order.',
  ),
  put_confirmation: oneOf(PUT_CONFIRMATIONS).describe(
    'Default for new batches. each: each slot is confirmed. once: one confirmation puts the whole hand; at a wall, everything that its person scanned. none: a pick or scan is a put. A batch can override this.',
  ),
  singles: z
    .boolean()
    .describe(
      'Default for new batches at a wall: whether a shipment of one piece goes straight to packing, without a slot. A batch can override this.',
    ),
  enter_confirms: oneOf(ENTER_RULES).describe(
    'When Enter confirms a line on Pick. always: whenever its button has the focus. never: not at all. unless_scanning: only a line for which a number was typed, if the page has seen a scan in the last hour. A browser or person can choose differently on the page.',
  ),
  screen_template: z
    .strictObject({ a: templateLine, b: templateLine, c: templateLine, d: templateLine, e: templateLine })
    .describe(
      `Static lines of devices at places with articles, with the replacement fields ${TEMPLATE_FIELDS.map((field) => `{${field}}`).join(', ')}. No template if all are empty. A place with several articles shows their names.`,
    ),
  scan_required: z
    .boolean()
    .describe(
      'Whether an order is complete only after each picked article has been scanned. The page Pick asks for the scan before the next line. An order can override this.',
    ),
  pack_check: z
    .boolean()
    .describe(
      'Whether the pack page requires a scan of each piece of a slot before it prints. The check is kept only on that page and books nothing.',
    ),
  tasks: z
    .boolean()
    .describe(
      'Whether a long press on an idle device also opens a task for the article at the place that is furthest below its minimum. `call` is always sent.',
    ),
  task_overdue_hours: whole(0, 8_760).describe('Hours after which an open task raises task_overdue. 0 for no alert.'),
  zero_check: z
    .boolean()
    .describe(
      'Whether a pick that should leave no pieces asks if the place is empty: on the page, and on devices with three buttons.',
    ),
  count_every: whole(0, 10_000).describe(
    'The page asks how many pieces are left after every n-th line picked at a place. 0 means never.',
  ),
  accept_devices: oneOf(['ask', 'all']).describe(
    'How to handle new devices that a turbo serves. ask: they wait (GET /api/devices/waiting/). all: each device is accepted.',
  ),
  cors_origins: z
    .array(origin)
    .max(100)
    .describe(
      'Origins of other web pages that are allowed to call this station from a browser, such as https://shop.example.',
    ),
  public_urls: z.array(publicUrl).max(100).describe('Additional addresses at which this station answers.'),
  unwanted_callers: z
    .array(textUpTo(2_000))
    .max(100)
    .describe(
      'Origins and addresses that are refused without an alert. *Never* in an alert adds the origin or address of the alert. The newest 100 are kept.',
    ),
  listen: oneOf(LISTENS).describe(
    'Where connections are accepted from. Applies immediately, except that opening the station together with tls applies at the next start.',
  ),
  port: whole(1, 65_535)
    .refine((port) => !BLOCKED_PORTS.has(port), 'Browsers refuse to open this port. Choose another one.')
    .nullable()
    .describe('Port of the station from the next start, unless overridden by --port. Null for the usual port.'),
  tls: oneOf(['off', 'generated']).describe(
    '`generated`: HTTPS with a certificate that the station generates. Applies from the next start.',
  ),
  trusted_proxies: z
    .array(proxy)
    .max(100)
    .describe(
      'Proxies (addresses or networks) whose X-Forwarded-For, -Proto and -Host are trusted. These headers are ignored from all other callers.',
    ),
  alert_offline_seconds: whole(0, 604_800)
    .refine((seconds) => seconds === 0 || seconds >= 30, 'Give at least 30 seconds, or 0 for no alert.')
    .describe('Raises device_offline after a device has been offline for this many seconds. 0 for no alert.'),
  alert_weak_dbm: whole(-120, 0)
    .refine((dbm) => dbm === 0 || dbm <= -40, 'Give a value from -120 to -40 dBm, or 0 for no alert.')
    .describe('Raises signal_weak at this many dBm or less, until the signal is 5 dB stronger. 0 for no alert.'),
  alert_battery_percent: whole(0, 90).describe(
    'Raises battery_low at this percentage or less, until it is 5 points higher. 0 for no alert.',
  ),
  alert_turbo_seconds: whole(0, 604_800)
    .refine((seconds) => seconds === 0 || seconds >= 30, 'Give at least 30 seconds, or 0 for no alert.')
    .describe(
      'Raises turbo_offline or turbo_trouble after this many seconds without a link or with a problem. 0 for no alert.',
    ),
  ...mailSettings,
  ...mqttSettings,
  ...folderSettings,
  picker_rights: z
    .array(oneOf(PICKER_RIGHTS))
    .max(PICKER_RIGHTS.length)
    .describe(
      'Rights of all pickers in addition to work: create_orders, import_orders (order files), edit_labels (also statics and location aliases), send (commands) and count (places, without being asked).',
    ),
  basic_auth: z
    .boolean()
    .describe(
      'Accepts user name and password with each request (Basic authentication); over plain HTTP, only from this machine.',
    ),
  turbo_plain_passwords: z
    .boolean()
    .describe(
      'Allows turbos to send their password or key from other machines without encryption, where it can be intercepted. Boards with our firmware do not need it.',
    ),
  backup_every: whole(0, 24 * 31).describe('Hours between scheduled backups; 0 for none.'),
  backup_keep: whole(1, 1_000).describe('Number of scheduled backups to keep. Older ones are deleted.'),
  history_days: whole(0, MAX_DAYS).describe(
    'Minimum number of days to keep history. Older entries are deleted gradually. 0 keeps all entries.',
  ),
  order_days: whole(0, MAX_DAYS).describe(
    'Minimum number of days to keep a fulfilled or aborted order after its last change. Older orders are deleted gradually; imports recognize their numbers while history has them. 0 keeps all orders.',
  ),
  history_customer_days: whole(0, MAX_DAYS).describe(
    'Minimum number of days to keep `customer`, `note`, `address`, `ordered_at` and `paid` of a fulfilled or aborted order after its last change. The order itself is kept. Imports older than this cannot be undone. 0 keeps them forever.',
  ),
  callback_days: whole(0, MAX_DAYS).describe(
    'Minimum number of days to keep a delivered callback, counted from its delivery. Callbacks that are not delivered are never deleted. 0 keeps all callbacks.',
  ),
  log_days: whole(1, MAX_LOG_DAYS).describe(
    'Number of days to keep log files, including today. The last three days with lines are always kept, and all files together take at most 64 MiB.',
  ),
  updates: oneOf(UPDATE_MODES).describe(
    'How to handle newer versions of the desktop program. auto: checks every day, downloads, and installs while nobody works. notify: checks every day and shows a notice. off: checks only on request.',
  ),
  request_log: z
    .boolean()
    .describe('Keeps the latest requests in memory for GET /api/requests/. Turning this off deletes them.'),
});
export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = {
  shop_name: '',
  shop_address: '',
  slip_closing: '',
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
  enter_confirms: 'unless_scanning',
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
      .describe(`${SHORT_REASONS} A string is the key of a reason.`),
    screen_template: settingsSchema.shape.screen_template
      .partial()
      .describe('Replaces all lines. An omitted line is empty.'),
    callback_families: settingsSchema.shape.callback_families.partial().describe('The families to change.'),
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
      'Secrets that are set but cannot be read because the data key of this folder is missing. Functions that need them wait. Enter the secrets again, or start the station with the key.',
    ),
  unreadable_others: z
    .array(z.string())
    .describe(
      'Other unreadable secrets: addresses of displays whose key cannot be read, names of callback receivers with an unreadable secret, and `backup_passphrase` if the passphrase of backups belongs to another data key.',
    ),
  invalid_settings: z
    .array(z.string())
    .describe(
      'Settings whose stored value is not valid, for example after the restore of a modified backup. The value is ignored, and functions that depend on it wait or are off; the alert setting_invalid says why. Set or clear these settings.',
    ),
  exposure: exposureSchema,
});
export type SettingsAnswer = z.infer<typeof settingsAnswerSchema>;

export const logoSchema = named('Logo', {
  shop_logo: z.string().describe('Address of the logo, which changes with the picture.'),
});
export type Logo = z.infer<typeof logoSchema>;

export const logoQuerySchema = z.object({
  v: z
    .string()
    .optional()
    .describe('Version from the address of the logo. Browsers cache the logo only with this parameter.'),
});

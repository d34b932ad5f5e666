import { z } from 'zod';
import { MAX_SECONDS } from '../lib/deviceFields.ts';
import { COLOR_NAMES, parseColor } from '../led/color.ts';
import { exposureSchema, LISTENS } from './exposure.ts';
import { PICKER_RIGHTS } from './rights.ts';
import { named, oneOf, textUpTo, whole } from './fields.ts';

export const CALLBACK_FAMILIES = ['device', 'sequence', 'order', 'condition'] as const;
export type CallbackFamily = (typeof CALLBACK_FAMILIES)[number];

const httpUrl = textUpTo(2_000)
  .refine(
    // A replacement field can become any text.
    (text) => text === '' || (/^https?:\/\/[^/\\?#]/i.test(text) && URL.canParse(text.replace(/\{\w+\}/g, 'x'))),
    'A URL starts with http:// or https:// and names a host.',
  )
  .refine(
    (text) => !/^https?:\/\/[^/?#]*@/i.test(text),
    'Set user and password with their own settings, not in the URL.',
  )
  .refine(
    // Otherwise the sender of a command could choose who receives it, with the key of the receiver.
    (text) => !/^https?:\/\/[^/?#]*\{/i.test(text),
    'Replacement fields belong after the host, in the path or the query.',
  );

/** Not an address that can be opened: wildcard addresses and names. */
const NO_PLACE = /^(?:0\.0\.0\.0|\[::\]|.*\*.*)$/;

/** An address of this station as people open it. A path, as behind a proxy, is allowed and ignored. */
const publicUrl = textUpTo(2_000)
  .refine(
    (text) => /^https?:\/\/[^\s\\{}]+$/i.test(text) && URL.canParse(text),
    'Write the address as a browser shows it, such as https://lights.shop.example/.',
  )
  .refine(
    (text) => !URL.canParse(text) || !NO_PLACE.test(new URL(text).hostname),
    'This address cannot be opened. Write each address separately.',
  )
  .refine(
    (text) => !/[?#]/.test(text) && !/^https?:\/\/[^/]*@/i.test(text),
    'Give only the address: no user, no password, nothing after "?" or "#".',
  );

const addressOrNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

const proxy = textUpTo(100)
  .refine(
    (text) => addressOrNetwork.safeParse(text).success,
    'Write an address such as 192.168.1.2, or a network such as 10.0.0.0/8.',
  )
  .refine((text) => !text.endsWith('/0'), 'This would trust every caller. Name the addresses of your proxies.');

/** An `Origin` header as browsers send it: no path, and never `null`, which any page can send. */
const origin = textUpTo(1_000).refine(
  (text) => /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*A-Z]+$/.test(text) && URL.canParse(text),
  'An origin is scheme and host in lower case, such as https://shop.example.',
);

/** Headers about framing and connections: the HTTP client writes them. */
const FRAMING_HEADERS =
  'connection content-length expect keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' ');

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'Not a header name.')
  .refine((name) => !FRAMING_HEADERS.includes(name.toLowerCase()), 'HTTP itself writes this header. Remove it.');

const header = textUpTo(2_000).regex(
  /^[\t\x20-\x7e\x80-\xff]*$/,
  'A header value is one line of printable characters.',
);

const ofNonce = (what: string, fields: string): string =>
  `${what} Replacement fields: ${fields}. Blank: none. An order with a value of its own, even an empty one, does not use it.`;
/** Fields of structured callbacks, in lower case: an alternative name must not collide with them. */
const STRUCTURED_FIELDS: ReadonlySet<string> = new Set(
  `order_event order shipment item sku upc location device deviceid
  quantity ordered_quantity quantity_fulfilled quantity_remaining nonce vendor_nonce shipmentnonce ordernonce`.split(
    /\s+/,
  ),
);

const nonceAlias = textUpTo(100)
  .regex(/^(?:[A-Za-z][A-Za-z0-9_]*)?$/, 'A name is a letter, then letters, digits and "_".')
  .refine(
    (name) => !STRUCTURED_FIELDS.has(name.toLowerCase()),
    'Callbacks already have a field of that name. Choose another.',
  );

/** A hundred years. */
const MAX_DAYS = 36_500;

/** All settings with their defaults. Contract, section 9. */
export const settingsSchema = named('Settings', {
  callback_url: httpUrl.describe(
    'URL of your receiver; there is one. With replacement fields in path or query, such as {acknack}, {deviceid}, {location}, {nonce} or {qty}: GET. Without: POST of JSON. Empty: no callbacks.',
  ),
  callback_timeout: whole(1, 120).describe('Seconds to wait for the receiver.'),
  callback_families: z
    .object({
      device: z.boolean().describe('About commands and presses.'),
      sequence: z.boolean().describe('About sequences and their steps.'),
      order: z.boolean().describe('About orders and their items.'),
      condition: z.boolean().describe('Of alerts.'),
    })
    .describe('Events to send.'),
  callback_headers: z
    .record(headerName, header)
    .describe(
      'Further headers of each callback, by name. Answers show *** instead of a secret, recognised by the name of the header or the form of its value; *** in a request keeps the stored value.',
    ),
  callback_username: textUpTo(1_000).describe('With callback_password: Basic sign-in at the receiver. Empty: none.'),
  callback_ca: textUpTo(100_000).describe('PEM certificates to trust in addition to the well-known ones.'),
  callback_verify: z.boolean().describe('false: accepts any certificate.'),
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
    'An order is stalled when something of it is lit and nobody pressed for this long. 0: never.',
  ),
  short_reasons: z
    .array(textUpTo(100).trim().min(1))
    .min(1)
    .max(20)
    .describe('What can be the matter when fewer pieces are found than ordered, in the order of the buttons.'),
  scan_required: z
    .boolean()
    .describe(
      'The page Pick asks for a scan of the article before the next line, where the order does not say otherwise.',
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
  picker_rights: z
    .array(oneOf(PICKER_RIGHTS))
    .max(PICKER_RIGHTS.length)
    .describe(
      'Rights of every picker beside work: create_orders; edit_labels, which also covers statics and location aliases; send, for commands.',
    ),
  basic_auth: z
    .boolean()
    .describe('Accepts user name and password with each request (Basic); over plain HTTP only from this machine.'),
  turbo_plain_passwords: z
    .boolean()
    .describe('Lets turbos sign in from other machines without encryption, where the sign-in can be intercepted.'),
  backup_every: whole(0, 24 * 31).describe('Hours between scheduled backups; 0: none.'),
  backup_keep: whole(1, 1_000).describe('Number of scheduled backups to keep; older ones are deleted.'),
  history_days: whole(0, MAX_DAYS).describe(
    'Minimum days to keep history; older entries are deleted gradually. 0: for ever.',
  ),
  callback_days: whole(0, MAX_DAYS).describe(
    'Minimum days to keep a delivered callback, counted from its delivery. Callbacks that are not delivered are never deleted. 0: for ever.',
  ),
  request_log: z
    .boolean()
    .describe('Keeps the latest requests in memory for GET /api/requests/. Turning it off deletes them.'),
});
export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = {
  callback_url: '',
  callback_timeout: 10,
  callback_families: { device: true, sequence: true, order: true, condition: false },
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
  short_reasons: ['missing', 'damaged', 'wrong_item', 'other'],
  scan_required: false,
  accept_devices: 'all',
  cors_origins: [],
  public_urls: [],
  unwanted_callers: [],
  listen: 'this_machine',
  tls: 'off',
  trusted_proxies: [],
  alert_offline_seconds: 300,
  alert_weak_dbm: -85,
  alert_battery_percent: 15,
  alert_turbo_seconds: 60,
  picker_rights: [],
  basic_auth: false,
  turbo_plain_passwords: false,
  backup_every: 24,
  backup_keep: 7,
  history_days: 400,
  callback_days: 400,
  request_log: true,
};

/** Write-only: null clears; answers say only whether a value is set. */
export const secretSettingsSchema = z.object({
  callback_api_key: header.nullable().describe('Sent in X-API-Key with each callback. Write-only; null clears it.'),
  callback_password: textUpTo(1_000).nullable().describe('Write-only; null clears it.'),
  callback_signing_secret: textUpTo(1_000)
    .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, 'A signing secret is whsec_ followed by base64.')
    // A single base64 digit is not a byte: the key would be empty.
    .refine(
      (text) => text.slice('whsec_'.length).replaceAll('=', '').length % 4 !== 1,
      'The base64 of this signing secret is incomplete. Copy it again.',
    )
    .nullable()
    .describe('Signs each callback: whsec_ and 24 to 64 random bytes in base64. Write-only; null clears it.'),
});
export type SecretSettings = z.infer<typeof secretSettingsSchema>;
export const SECRET_SETTINGS = ['callback_api_key', 'callback_password', 'callback_signing_secret'] as const;

/** Body of PATCH: any part. Refuses unknown fields, so that a typo cannot pass as a change. */
export const settingsChangeSchema = z
  .strictObject({
    ...settingsSchema.shape,
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
  exposure: exposureSchema,
});
export type SettingsAnswer = z.infer<typeof settingsAnswerSchema>;

import { z } from 'zod';
import { MAX_SECONDS } from '../lib/deviceFields.ts';
import { COLOR_NAMES, parseColor } from '../led/color.ts';
import { exposureSchema, LISTENS } from './exposure.ts';
import { PICKER_RIGHTS } from './rights.ts';

export const CALLBACK_FAMILIES = ['device', 'sequence', 'order', 'condition'] as const;
export type CallbackFamily = (typeof CALLBACK_FAMILIES)[number];

const httpUrl = z
  .string()
  .max(2_000)
  .refine(
    // A replacement field stands for text of any kind.
    (text) => text === '' || (/^https?:\/\/[^/\\?#]/i.test(text) && URL.canParse(text.replace(/\{\w+\}/g, 'x'))),
    'A URL starts with http:// or https:// and names a host.',
  )
  .refine(
    (text) => !/^https?:\/\/[^/?#]*@/i.test(text),
    'User and password are settings of their own, not part of a URL.',
  )
  .refine(
    // Else who sends a command would choose who is told of it, with the key of the receiver.
    (text) => !/^https?:\/\/[^/?#]*\{/i.test(text),
    'Replacement fields stand after the host, in the path or the query.',
  );

/** Where nobody can go: every address there is, any name. */
const NO_PLACE = /^(?:0\.0\.0\.0|\[::\]|.*\*.*)$/;

/** An address of this station as people open it. A path in front of a proxy does no harm and counts for nothing. */
const publicUrl = z
  .string()
  .max(2_000)
  .refine(
    (text) => /^https?:\/\/[^\s\\{}]+$/i.test(text) && URL.canParse(text),
    'Write the address as a browser shows it, such as https://lights.shop.example/.',
  )
  .refine(
    (text) => !URL.canParse(text) || !NO_PLACE.test(new URL(text).hostname),
    'This is no name that anybody can open. Write each address by itself.',
  )
  .refine(
    (text) => !/[?#]/.test(text) && !/^https?:\/\/[^/]*@/i.test(text),
    'The address alone: no user, no password, nothing behind "?" or "#".',
  );

const addressOrNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

const proxy = z
  .string()
  .max(100)
  .refine(
    (text) => addressOrNetwork.safeParse(text).success,
    'Write an address such as 192.168.1.2, or a network such as 10.0.0.0/8.',
  )
  .refine((text) => !text.endsWith('/0'), 'This would believe everybody. Name the addresses of your proxies.');

/** An `Origin` as browsers send it: no path, and never `null`, which every page can make itself be. */
const origin = z
  .string()
  .max(1_000)
  .refine(
    (text) => /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*A-Z]+$/.test(text) && URL.canParse(text),
    'An origin is scheme and host in lower case, such as https://shop.example.',
  );

/** Headers that say where a message ends or what becomes of its connection: HTTP itself writes them. */
const FRAMING_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'Not a header name.')
  .refine((name) => !FRAMING_HEADERS.includes(name.toLowerCase()), 'This header is written by HTTP itself.');

const header = z
  .string()
  .max(2_000)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'A header value is one line of printable characters.');

const ofNonce = (what: string, fields: string): string =>
  `${what} In it ${fields}. Blank: none. An order that gives one of its own, an empty one too, does not use it.`;
/** Fields that structured callbacks have, in lower case: another name for one value must not be the name of another. */
const STRUCTURED_FIELDS: ReadonlySet<string> = new Set([
  'order_event',
  'order',
  'shipment',
  'item',
  'sku',
  'upc',
  'location',
  'device',
  'deviceid',
  'quantity',
  'ordered_quantity',
  'quantity_fulfilled',
  'quantity_remaining',
  'nonce',
  'vendor_nonce',
  'shipmentnonce',
  'ordernonce',
]);

const nonceAlias = z
  .string()
  .max(100)
  .regex(/^(?:[A-Za-z][A-Za-z0-9_]*)?$/, 'A name is a letter, then letters, digits and "_".')
  .refine((name) => !STRUCTURED_FIELDS.has(name.toLowerCase()), 'Callbacks have a field of that name already.');

/** A hundred years. */
const MAX_DAYS = 36_500;

/** Everything that can be set, with its default. Contract, section 9. */
export const settingsSchema = z
  .object({
    callback_url: httpUrl.describe(
      'Your receiver, one for all. With replacement fields in path or query, such as {acknack}, {deviceid}, {location}, {nonce} or {qty}: GET. Without: POST of JSON. Empty: no callbacks.',
    ),
    callback_timeout: z.int().min(1).max(120).describe('Seconds that a receiver may take.'),
    callback_families: z
      .object({
        device: z.boolean().describe('Of commands and presses.'),
        sequence: z.boolean().describe('Of sequences and their steps.'),
        order: z.boolean().describe('Of orders and their items.'),
        condition: z.boolean().describe('Of alerts.'),
      })
      .describe('Kinds of callbacks that are sent.'),
    callback_headers: z
      .record(headerName, header)
      .describe(
        'Further headers of each callback, by their names. Answers show *** in the place of a secret, by the name of the header or the form of its value; sent back, *** keeps what is stored.',
      ),
    callback_username: z
      .string()
      .max(1_000)
      .describe('With callback_password: Basic sign-in at the receiver. Empty: none.'),
    callback_ca: z.string().max(100_000).describe('PEM certificates to trust beside the well-known ones.'),
    callback_verify: z.boolean().describe('False accepts any certificate.'),
    unreachable_callback: z
      .enum(['nack', 'none'])
      .describe(
        'What is told of a command that timed out without having been shown, as where a device is out of reach.',
      ),
    ordernonce: z
      .string()
      .max(1_000)
      .describe(ofNonce('`nonce` of order_fulfilled, which is not sent without one.', '{order} is the order_number')),
    shipmentnonce: z
      .string()
      .max(1_000)
      .describe(
        ofNonce(
          '`nonce` of shipment_fulfilled, which is not sent without one.',
          '{order} and {shipment} are the numbers',
        ),
      ),
    callback_nonce: z
      .string()
      .max(1_000)
      .describe(
        ofNonce(
          '`nonce` of item_added, item_removed and device_ack; without one a token of the station.',
          '{order} and {shipment} are the numbers',
        ),
      ),
    nonce_alias: nonceAlias.describe(
      'Callbacks that have a vendor_nonce say the same value under this name too, for receivers that know it by that. Empty: they do not.',
    ),
    default_seconds: z
      .int()
      .min(0)
      .max(MAX_SECONDS)
      .describe('Of commands that give no seconds; 0: they never time out.'),
    default_color: z
      .string()
      .max(100)

      .refine((text) => parseColor(text) !== undefined, `Use #rrggbb, #rgb, or one of ${COLOR_NAMES.join(', ')}.`)
      .describe('Of commands that give no color.'),
    accept_devices: z
      .enum(['ask', 'all'])
      .describe('New devices that a turbo hears: ask, they wait (GET /api/devices/waiting/); all, each is accepted.'),
    cors_origins: z
      .array(origin)
      .max(100)
      .describe('Web pages of others that may ask this station in a browser, such as https://shop.example.'),
    public_urls: z.array(publicUrl).max(100).describe('Further addresses that this station answers to.'),
    unwanted_callers: z
      .array(z.string().max(2_000))
      .max(100)
      .describe(
        'Origins and addresses that are refused without an alert: *Never* in an alert adds the one that it is about. The newest 100 are kept.',
      ),
    listen: z
      .enum(LISTENS)
      .describe('From where connections are taken: at once, but for opening together with tls: at the next start.'),
    tls: z
      .enum(['off', 'generated'])
      .describe('`generated`: HTTPS with a certificate that the station makes itself, from the next start on.'),
    trusted_proxies: z
      .array(proxy)
      .max(100)
      .describe('Addresses or networks whose X-Forwarded-For, -Proto and -Host count; of others they are ignored.'),
    alert_offline_seconds: z
      .int()
      .min(0)
      .max(604_800)
      .refine((seconds) => seconds === 0 || seconds >= 30, 'At least 30 seconds, or 0 for no such alert.')
      .describe('Nothing heard of a device for so long: the alert device_offline. 0: no such alert.'),
    alert_weak_dbm: z
      .int()
      .min(-120)
      .max(0)
      .refine((dbm) => dbm === 0 || dbm <= -40, 'From -120 to -40 dBm, or 0 for no such alert.')
      .describe(
        'A device is heard at so many dBm or less: the alert signal_weak, until it is 5 dB more. 0: no such alert.',
      ),
    alert_battery_percent: z
      .int()
      .min(0)
      .max(90)
      .describe('So many percent of battery or less: the alert battery_low, until it is 5 more. 0: no such alert.'),
    alert_turbo_seconds: z
      .int()
      .min(0)
      .max(604_800)
      .refine((seconds) => seconds === 0 || seconds >= 30, 'At least 30 seconds, or 0 for no such alert.')
      .describe(
        'No link to a turbo, or trouble with it, for so long: the alert turbo_offline or turbo_trouble. 0: no such alert.',
      ),
    picker_rights: z
      .array(z.enum(PICKER_RIGHTS))
      .max(PICKER_RIGHTS.length)
      .describe(
        'What every picker may do besides work: create_orders; edit_labels, which also changes statics and location aliases; send, for commands.',
      ),
    basic_auth: z
      .boolean()
      .describe('Takes user name and password with each request (Basic), over plain HTTP from this machine alone.'),
    turbo_plain_passwords: z
      .boolean()
      .describe('Turbos may sign in from other machines without encryption, where others can read along.'),
    backup_every: z
      .int()
      .min(0)
      .max(24 * 31)
      .describe('Hours from one backup that the station makes by itself to the next; 0: it makes none.'),
    backup_keep: z.int().min(1).max(1_000).describe('How many of those stay; older ones are removed.'),
    history_days: z
      .int()
      .min(0)
      .max(MAX_DAYS)
      .describe('Days that history is kept, at least; older entries are removed bit by bit. 0: for ever.'),
    callback_days: z
      .int()
      .min(0)
      .max(MAX_DAYS)
      .describe(
        'Days that a delivered callback is kept, at least, from its delivery on. One that was not delivered is never removed. 0: for ever.',
      ),
    request_log: z
      .boolean()
      .describe('Keeps the last requests in memory for GET /api/requests/. Off, those that are kept are forgotten.'),
  })
  .meta({ id: 'Settings' });
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

/** Write-only: null clears, and answers tell only whether one is set. */
export const secretSettingsSchema = z.object({
  callback_api_key: header.nullable().describe('Sent in X-API-Key with each callback. Write-only; null clears it.'),
  callback_password: z.string().max(1_000).nullable().describe('Write-only; null clears it.'),
  callback_signing_secret: z
    .string()
    .max(1_000)
    .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, 'A signing secret is whsec_ followed by base64.')
    // A single digit of base64 is no byte: everybody could sign with such a key.
    .refine(
      (text) => text.slice('whsec_'.length).replaceAll('=', '').length % 4 !== 1,
      'A signing secret is whole base64.',
    )
    .nullable()
    .describe(
      'With it each callback is signed: whsec_ and 24 to 64 random bytes in base64. Write-only; null clears it.',
    ),
});
export type SecretSettings = z.infer<typeof secretSettingsSchema>;
export const SECRET_SETTINGS = ['callback_api_key', 'callback_password', 'callback_signing_secret'] as const;

/** PATCH: any part; an unknown field is refused, so that a typing error does not pass for a change. */
export const settingsChangeSchema = z
  .strictObject({
    ...settingsSchema.shape,
    callback_families: settingsSchema.shape.callback_families.partial().describe('Those that change.'),
    ...secretSettingsSchema.shape,
  })
  .partial()
  .meta({ id: 'SettingsChange' });
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

export const settingsAnswerSchema = settingsSchema
  .extend({
    callback_api_key_set: z.boolean(),
    callback_password_set: z.boolean(),
    callback_signing_secret_set: z.boolean(),
    exposure: exposureSchema,
  })
  .meta({ id: 'SettingsAnswer' });
export type SettingsAnswer = z.infer<typeof settingsAnswerSchema>;

import { z } from 'zod';
import { MAX_SECONDS } from '../lib/deviceFields.ts';

export const CALLBACK_FAMILIES = ['device', 'sequence', 'order', 'condition'] as const;
export type CallbackFamily = (typeof CALLBACK_FAMILIES)[number];

const httpUrl = z
  .string()
  .max(2_000)
  .refine(
    // A replacement field stands for text of any kind.
    (text) => text === '' || (/^https?:\/\//i.test(text) && URL.canParse(text.replace(/\{\w+\}/g, 'x'))),
    'A URL starts with http:// or https:// and names a host.',
  )
  .refine(
    (text) => !/^https?:\/\/[^/?#]*@/i.test(text),
    'User and password are settings of their own, not part of a URL.',
  );

/** An `Origin` as browsers send it: no path, and never `null`, which every page can make itself be. */
const origin = z
  .string()
  .max(1_000)
  .regex(
    /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*A-Z]+$/,
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

/** Everything that can be set, with its default. Contract, section 9. */
export const settingsSchema = z
  .object({
    callback_url: httpUrl.describe(
      'With replacement fields such as {nonce}: GET. Without: JSON POST. Empty: no callbacks.',
    ),
    callback_timeout: z.int().min(1).max(120).describe('Seconds that a receiver may take.'),
    callback_families: z.object({
      device: z.boolean(),
      sequence: z.boolean(),
      order: z.boolean(),
      condition: z.boolean(),
    }),
    callback_headers: z.record(headerName, header),
    callback_username: z.string().max(1_000),
    callback_ca: z.string().max(100_000).describe('PEM certificates to trust beside the well-known ones.'),
    callback_verify: z.boolean().describe('False accepts any certificate.'),
    unreachable_callback: z.enum(['nack', 'none']),
    ordernonce: z.string().max(1_000),
    shipmentnonce: z.string().max(1_000),
    callback_nonce: z.string().max(1_000),
    default_seconds: z.int().min(0).max(MAX_SECONDS),
    default_color: z.string().max(100),
    accept_devices: z.enum(['ask', 'all']),
    cors_origins: z.array(origin).max(100),
    public_urls: z.array(httpUrl).max(100).describe('Further addresses that this station answers to.'),
    basic_auth: z
      .boolean()
      .describe('Takes user name and password with each request (Basic), over plain HTTP from this machine alone.'),
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
  default_seconds: 60,
  default_color: 'red',
  accept_devices: 'all',
  cors_origins: [],
  public_urls: [],
  basic_auth: false,
};

/** Write-only: null clears, and answers tell only whether one is set. */
export const secretSettingsSchema = z.object({
  callback_api_key: header.nullable(),
  callback_password: z.string().max(1_000).nullable(),
  callback_signing_secret: z
    .string()
    .max(1_000)
    .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, 'A signing secret is whsec_ followed by base64.')
    .nullable(),
});
export type SecretSettings = z.infer<typeof secretSettingsSchema>;
export const SECRET_SETTINGS = ['callback_api_key', 'callback_password', 'callback_signing_secret'] as const;

/** PATCH: any part; an unknown field is refused, so that a typing error does not pass for a change. */
export const settingsChangeSchema = z
  .strictObject({
    ...settingsSchema.shape,
    callback_families: settingsSchema.shape.callback_families.partial(),
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
  })
  .meta({ id: 'SettingsAnswer' });
export type SettingsAnswer = z.infer<typeof settingsAnswerSchema>;

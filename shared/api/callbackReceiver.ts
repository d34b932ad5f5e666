import { z } from 'zod';
import { hasInvisible } from '../lib/access/accountName.ts';
import { httpUrl } from './addressFields.ts';
import { receiverTroubleSchema } from './callback.ts';
import { intOrNull, named, oneOf, textOrNull, textUpTo, timestamp } from './fields.ts';
import { secretSettingsSchema, settingsSchema } from './settings.ts';

const name = textUpTo(100)
  .trim()
  .min(1)
  .refine((text) => !hasInvisible(text), 'A name is one line of visible characters.')
  .describe('Name for people, such as `Label printer`. Unique, ignoring case.');
const url = httpUrl
  .refine((text) => text !== '', 'A receiver has a URL.')
  .describe('URL like `callback_url`: called with GET if it has replacement fields, otherwise with a POST of JSON.');
const families = settingsSchema.shape.callback_families;
/** Settings for some of the families. Unknown families are refused. */
const someFamilies = families.partial().strict();
const paused = z.boolean().describe('true: callbacks to the receiver wait without attempts until `paused` is false.');
const { callback_api_key, callback_signing_secret } = secretSettingsSchema.shape;

const secrets = {
  api_key: callback_api_key.describe('Sent in X-API-Key with each callback. Write-only; null for none.'),
  signing_secret: callback_signing_secret.describe(
    'Signs each callback: whsec_ and 24 to 64 random bytes in base64. Write-only; null for unsigned callbacks.',
  ),
};

/** A new receiver. Unknown fields are refused, because they are probably typos. */
export const newCallbackReceiverSchema = z
  .strictObject({
    name,
    url,
    families: someFamilies
      .optional()
      .describe('Events to send. If omitted, the default of `callback_families` applies.'),
    paused: paused.default(false),
    api_key: secrets.api_key.optional(),
    signing_secret: secrets.signing_secret.optional(),
  })
  .meta({ id: 'NewCallbackReceiver' });
export type NewCallbackReceiver = z.infer<typeof newCallbackReceiverSchema>;

/** Body of PATCH, with any of the fields. */
export const callbackReceiverChangeSchema = z
  .strictObject({ name, url, families: someFamilies.describe('The families to change.'), paused, ...secrets })
  .partial()
  .meta({ id: 'CallbackReceiverChange' });
export type CallbackReceiverChange = z.infer<typeof callbackReceiverChangeSchema>;

/** What a stored receiver must contain. A secret is omitted if it cannot be read. */
export const storedReceiverSchema = z
  .object({ url, families, ...secrets })
  .partial({ api_key: true, signing_secret: true });

/** An additional receiver and the state of its deliveries. */
export const callbackReceiverSchema = named('CallbackReceiver', {
  id: z.string().describe('Value of `receiver` in the deliveries to it. Never reused.'),
  name: z.string(),
  url: z.string(),
  families,
  paused,
  api_key_set: z.boolean(),
  signing_secret_set: z.boolean(),
  unreadable_secrets: z
    .array(oneOf(['api_key', 'signing_secret']))
    .describe(
      'Secrets that cannot be read because the data key of this folder is missing. Callbacks wait until the secrets can be read.',
    ),
  waiting: z.int().describe('Number of callbacks waiting for the receiver.'),
  failed: z.int().describe('Number of callbacks in the state `dead`. Sent again only by a replay.'),
  last: z
    .object({
      at: timestamp,
      status: intOrNull.describe('HTTP status; null if there was no answer.'),
      error: textOrNull.describe('Why the attempt failed, as a sentence; null if delivered.'),
    })
    .nullable()
    .describe('The last attempt; null before the first.'),
  trouble: receiverTroubleSchema
    .nullable()
    .describe('Present after three failed attempts in a row or five minutes; otherwise null.'),
});
export type CallbackReceiverEntry = z.infer<typeof callbackReceiverSchema>;

import { z } from 'zod';
import { MIN_PASSWORD_CHARACTERS } from '../lib/passwordRule.ts';
import { deviceIdSchema } from './device.ts';
import { named, oneOf, textUpTo } from './fields.ts';

/** Longer passwords are not safer, but take longer to hash. */
const MAX_PASSWORD_CHARACTERS = 1_000;

export const newPasswordSchema = z
  .string()
  .min(MIN_PASSWORD_CHARACTERS, `A password has at least ${MIN_PASSWORD_CHARACTERS} characters.`)
  .max(MAX_PASSWORD_CHARACTERS, `A password has at most ${MAX_PASSWORD_CHARACTERS} characters.`)
  .describe(
    `At least ${MIN_PASSWORD_CHARACTERS} characters, and neither the user name nor one of the most common passwords.`,
  );

/** First start in a window: chooses the password of `admin`. */
export const setupSchema = named('Setup', { password: newPasswordSchema });

export const passwordChangeSchema = named('PasswordChange', {
  old_password: textUpTo(MAX_PASSWORD_CHARACTERS).describe('The current password.'),
  new_password: newPasswordSchema,
});

/** What is left of the demo shop. */
export const demoShopSchema = named('DemoShop', {
  orders: z.array(z.string()).describe('Order numbers.'),
  sequences: z.array(z.string()).describe('Their `sequenceid`.'),
  racks: z.array(z.string()).describe('Names.'),
  devices: z.array(z.object({ deviceid: deviceIdSchema, label: z.string() })).describe('Simulated devices.'),
  kept: z
    .array(
      z.object({
        kind: oneOf(['order', 'rack', 'device']),
        name: z.string(),
        reason: z.string().describe('Why it stays, in a sentence.'),
      }),
    )
    .describe('What the demo shop created and somebody changed. It stays.'),
  lit: z
    .array(z.string())
    .describe('Places, orders and sequences of the demo shop that are lit or wait in a queue. Turn them off first.'),
});
export type DemoShop = z.infer<typeof demoShopSchema>;

export const SETUP_STATES = ['pending', 'done'] as const;

import { z } from 'zod';
import { MIN_PASSWORD_CHARACTERS } from '../lib/access/passwordRule.ts';
import { deviceIdSchema } from './device.ts';
import { named, oneOf, textUpTo } from './fields.ts';

/** Maximum length of a password. Longer passwords are not safer, but take longer to hash. */
const MAX_PASSWORD_CHARACTERS = 1_000;

export const newPasswordSchema = z
  .string()
  .min(MIN_PASSWORD_CHARACTERS, `A password has at least ${MIN_PASSWORD_CHARACTERS} characters.`)
  .max(MAX_PASSWORD_CHARACTERS, `A password has at most ${MAX_PASSWORD_CHARACTERS} characters.`)
  .describe(
    `At least ${MIN_PASSWORD_CHARACTERS} characters, and neither the user name nor one of the most common passwords.`,
  );

/** Body of the request that sets the password of `admin` when the station is set up in a window. */
export const setupSchema = named('Setup', { password: newPasswordSchema });

export const passwordChangeSchema = named('PasswordChange', {
  old_password: textUpTo(MAX_PASSWORD_CHARACTERS).describe('The current password.'),
  new_password: newPasswordSchema,
});

/** What remains of the demo shop. */
export const demoShopSchema = named('DemoShop', {
  orders: z.array(z.string()).describe('Order numbers of the demo shop.'),
  sequences: z.array(z.string()).describe('`sequenceid` of each sequence of the demo shop.'),
  racks: z.array(z.string()).describe('Names of the racks of the demo shop.'),
  devices: z
    .array(z.object({ deviceid: deviceIdSchema, label: z.string() }))
    .describe('Simulated devices of the demo shop.'),
  kept: z
    .array(
      z.object({
        kind: oneOf(['order', 'rack', 'device']),
        name: z.string(),
        reason: z.string().describe('Why it is kept, as a sentence.'),
      }),
    )
    .describe('Objects that the demo shop created and somebody has changed. They are kept.'),
  lit: z
    .array(z.string())
    .describe('Places, orders and sequences of the demo shop that are lit or wait in a queue. Turn them off first.'),
});
export type DemoShop = z.infer<typeof demoShopSchema>;

/** An owner's first steps, in order. */
export const FIRST_STEPS = ['name', 'shelves', 'hardware', 'places', 'articles', 'orders', 'pick', 'system'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** An owner's progress through the first steps. */
export const firstDaySchema = named('FirstDay', {
  dismissed: z.boolean().describe('Whether an admin closed the list.'),
  demo: z.boolean().describe('Whether there is a demo shop. Its devices, racks and orders do not complete any step.'),
  steps: z
    .array(
      z.object({
        step: oneOf(FIRST_STEPS),
        done: z.boolean().describe('Whether the step is completed.'),
        in_demo: z.boolean().describe('Whether the step is completed only in the demo shop.'),
      }),
    )
    .describe(
      'name: the setting `shop_name`. shelves: a rack. hardware: a device. places: a device with a label or a place on the map. articles: an article, or an order with picked pieces if there are no articles. orders: an order. pick: an order with picked pieces. system: a callback receiver, a key for a program, MQTT, a folder or a sheet of orders.',
    ),
});
export type FirstDay = z.infer<typeof firstDaySchema>;

export const firstDayChangeSchema = named('FirstDayChange', {
  dismissed: z.boolean().describe('true closes the list on the page Today for everybody; false shows it again.'),
});

export const SETUP_STATES = ['pending', 'done'] as const;

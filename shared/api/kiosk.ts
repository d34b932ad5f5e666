import { z } from 'zod';
import { hasInvisible } from '../lib/access/accountName.ts';
import { named, textOrNull, textUpTo, timestamp } from './fields.ts';

/** A browser that is locked to Pick, where pickers sign in with a PIN. See the contract, sections 15 and 16. */
export const kioskSchema = named('Kiosk', {
  id: z.string(),
  name: z.string(),
  created: timestamp,
  sessions: z.int().describe('Number of open sessions that were started at this kiosk with a PIN.'),
});
export type Kiosk = z.infer<typeof kioskSchema>;

export const newKioskSchema = named('NewKiosk', {
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name for the kiosk, such as that of its place.')
    .max(100)
    .refine((name) => !hasInvisible(name), 'A name is one line of visible characters.')
    .describe('Name in the list of kiosks. Unique, ignoring case.'),
});
export type NewKiosk = z.infer<typeof newKioskSchema>;

export const kioskScreenSchema = named('KioskScreen', {
  kiosk: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .describe('Null if the request does not come from a kiosk.'),
  people: z
    .array(z.object({ username: z.string(), color: textOrNull.describe('Null if not chosen yet.') }))
    .describe('Pickers who have a PIN.'),
});
export type KioskScreen = z.infer<typeof kioskScreenSchema>;

export const pinSignInSchema = named('PinSignIn', {
  username: textUpTo(200).describe('Case-insensitive.'),
  pin: textUpTo(100).describe('4 to 8 digits.'),
});

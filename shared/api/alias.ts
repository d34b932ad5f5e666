import { z } from 'zod';
import { DEVICE_IS, parseDeviceIs } from '../lib/devices/deviceIs.ts';
import { deviceIdSchema, givenDeviceIdSchema, MAX_NAME_CHARACTERS } from './device.ts';
import { afterId, described, named, oneOf, textBut, withoutControl } from './fields.ts';

const PHRASES = DEVICE_IS.join(', ');
const NO_PHRASE = `deviceIs says where the device is, seen from the place. Use one of: ${PHRASES}.`;
const NO_NAME = 'An alias needs a name: the text that requests send in location.';

export const locationAliasSchema = described('LocationAlias', 'An additional place name for a device.', {
  id: z.int().describe('Assigned by the station and never reused.'),
  name: z.string(),
  deviceid: deviceIdSchema,
  deviceIs: oneOf(DEVICE_IS).describe(
    'Where the device is, seen from the place. The arrow on its display points the other way.',
  ),
});
export type LocationAlias = z.infer<typeof locationAliasSchema>;

export const newLocationAliasSchema = named('NewLocationAlias', {
  name: withoutControl(textBut(NO_NAME).trim().min(1, NO_NAME).max(MAX_NAME_CHARACTERS)).describe(
    'The text that requests send in `location`. Unique among aliases, ignoring case.',
  ),
  deviceid: givenDeviceIdSchema.describe('DeviceID of the device for this place, in upper or lower case.'),
  deviceIs: z
    .string({ error: NO_PHRASE })
    .transform((text, context) => {
      const phrase = parseDeviceIs(text);
      if (phrase !== undefined) return phrase;
      context.issues.push({ code: 'custom', message: NO_PHRASE, input: text });
      return z.NEVER;
    })
    .describe(`Where the device is, seen from the place: ${PHRASES}. Case and extra spaces are ignored.`),
});
export type NewLocationAlias = z.infer<typeof newLocationAliasSchema>;

export const locationAliasQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100_000).optional().describe('Defaults to all.'),
  after: afterId('an alias'),
});
export type LocationAliasQuery = z.infer<typeof locationAliasQuerySchema>;

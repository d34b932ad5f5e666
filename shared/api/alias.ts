import { z } from 'zod';
import { DEVICE_IS, parseDeviceIs } from '../lib/deviceIs.ts';
import { deviceIdSchema, givenDeviceIdSchema, MAX_NAME_CHARACTERS } from './device.ts';

const PHRASES = DEVICE_IS.join(', ');
const NO_PHRASE = `deviceIs says where the device is, seen from the place. Use one of: ${PHRASES}.`;
const NO_NAME = 'An alias needs a name: the text that location in a request says.';

export const locationAliasSchema = z
  .object({
    id: z.int().describe('Given by the station, and not given again.'),
    name: z.string(),
    deviceid: deviceIdSchema,
    deviceIs: z
      .enum(DEVICE_IS)
      .describe('Where the device is, seen from the place. The arrow on its display points the other way.'),
  })
  .meta({ id: 'LocationAlias', description: 'One more place that a device stands for.' });
export type LocationAlias = z.infer<typeof locationAliasSchema>;

export const newLocationAliasSchema = z
  .object({
    name: z
      .string({ error: NO_NAME })
      .trim()
      .min(1)
      .max(MAX_NAME_CHARACTERS)
      .describe('What `location` in a request says. No other alias has it, in any case.'),
    deviceid: givenDeviceIdSchema.describe('The device that stands for the place: its DeviceID, in either case.'),
    deviceIs: z
      .string({ error: NO_PHRASE })
      .transform((text, context) => {
        const phrase = parseDeviceIs(text);
        if (phrase !== undefined) return phrase;
        context.issues.push({ code: 'custom', message: NO_PHRASE, input: text });
        return z.NEVER;
      })
      .describe(`Where the device is, seen from the place: ${PHRASES}. Neither case nor extra spaces matter.`),
  })
  .meta({ id: 'NewLocationAlias' });
export type NewLocationAlias = z.infer<typeof newLocationAliasSchema>;

export const locationAliasQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100_000).optional().describe('All, where it is left out.'),
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'This is no id of an alias.')
    .optional()
    .describe('The last id of the page before.'),
});
export type LocationAliasQuery = z.infer<typeof locationAliasQuerySchema>;

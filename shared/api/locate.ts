import { z } from 'zod';
import { parseColor } from '../led/color.ts';
import { colorProblem } from '../lib/requests/deviceRequest.ts';
import { MAX_FIND_CHARACTERS } from '../lib/text/findLimits.ts';
import { deviceIdSchema } from './device.ts';
import { named, oneOf, textOrNull, whole } from './fields.ts';
import { MATCHED_FIELDS } from './find.ts';

const wanted = z
  .string()
  .trim()
  .min(1)
  .max(MAX_FIND_CHARACTERS)
  .describe('An article, alias, label or DeviceID, or part of one. Case-insensitive.');

export const locateQuerySchema = z.object({ q: wanted });
export type LocateQuery = z.output<typeof locateQuerySchema>;

/**
 * Maximum time in seconds for which a device is lit so that people can find it, longer than any walk to a shelf. A light without a time
 * limit would have to be a command.
 */
const MAX_LOCATE_SECONDS = 300;

export const locateSchema = named('Locate', {
  q: wanted,
  seconds: whole(1, MAX_LOCATE_SECONDS).optional().describe('Duration of the light in seconds. Defaults to 10.'),
  color: z
    .string()
    .refine((color) => parseColor(color) !== undefined, { error: ({ input }) => colorProblem(String(input)) })
    .optional()
    .describe('Defaults to magenta, which no order uses by default.'),
});

const place = {
  deviceid: deviceIdSchema,
  location: z
    .string()
    .describe('The location alias, otherwise the label, or the DeviceID of a device without a label.'),
  article: z
    .string()
    .describe('The article at the place: the text that matched, or the first static line; may be empty.'),
  matched: oneOf(MATCHED_FIELDS).describe('Where the text was found, as in GET /api/find/.'),
  order_number: textOrNull.describe('The order for which the device is currently lit; null if none.'),
  is_lit: z.boolean().describe('Whether the device is already lit for work.'),
};

export const locatedPlaceSchema = named('LocatedPlace', place);
export type LocatedPlace = z.infer<typeof locatedPlaceSchema>;

export const lightedPlaceSchema = named('LightedPlace', {
  ...place,
  command_id: textOrNull.describe('The command that lights the device; null if the device is already lit for work.'),
});
export type LightedPlace = z.infer<typeof lightedPlaceSchema>;

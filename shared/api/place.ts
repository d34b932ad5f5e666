import { z } from 'zod';
import { MAX_RENAMED } from '../lib/places/mapLimits.ts';
import { articleLocationSchema } from './article.ts';
import { deviceIdSchema } from './device.ts';
import { described, intOrNull, named, oneOf, readFlag, textUpTo } from './fields.ts';
import { cellSchema } from './map.ts';
import { placeRenameSchema } from './placeRename.ts';

const MAX_NOTE_CHARACTERS = 1_000;
const MAX_LISTED = 1_000;

/** One place to rename, or several that are renamed together. */
export const placeRenamesSchema = z.union([
  placeRenameSchema,
  z
    .array(placeRenameSchema)
    .min(1, 'Name at least one place.')
    .max(MAX_RENAMED, `At most ${MAX_RENAMED} places. Send the rest in another call.`),
]);

export const renamedPlaceSchema = named('RenamedPlace', {
  from: z.string(),
  to: z.string(),
  articles: z.array(z.string()).describe('SKUs of the articles there. Their stock has the new name too.'),
  tasks: z.int().describe('Number of open tasks there.'),
  lines: z.int().describe('Number of open lines there.'),
  aliases: z.array(z.int()).describe('Ids of the renamed location aliases.'),
  devices: z.array(deviceIdSchema).describe('DeviceIDs of the devices whose label was renamed.'),
});
export type RenamedPlace = z.infer<typeof renamedPlaceSchema>;

export const renamedPlacesSchema = named('RenamedPlaces', {
  renamed: z.array(renamedPlaceSchema).describe('In the order of the request.'),
});
export type RenamedPlaces = z.infer<typeof renamedPlacesSchema>;

const note = textUpTo(MAX_NOTE_CHARACTERS).describe('A note for people.');

export const goodsPlaceSchema = described('GoodsPlace', 'A place by its name, with or without a device.', {
  name: z.string(),
  deviceid: deviceIdSchema.nullable().describe('The device that hangs there; null if there is none.'),
  aliases: z.array(z.string()).describe('Further places that this device serves, by their aliases.'),
  articles: z
    .array(z.object({ sku: z.string(), name: z.string(), on_hand: intOrNull.describe('Null if not counted.') }))
    .describe('The goods there.'),
  cell: cellSchema
    .nullable()
    .describe('Where it is on the map: the cell of its device or, without a device, of its name; null if it has none.'),
  note,
});
export type GoodsPlace = z.infer<typeof goodsPlaceSchema>;

export const newPlaceSchema = named('NewPlace', {
  name: articleLocationSchema.describe('Name of a place that no article, device or alias has yet.'),
  note: note.default(''),
});
export type NewPlace = z.infer<typeof newPlaceSchema>;

const flag = oneOf(['0', '1', 'false', 'true']).transform(readFlag).optional();

export const placeQuerySchema = z.object({
  q: textUpTo(1_000).optional().describe('Only places whose name contains this text, ignoring case.'),
  light: flag.describe('1: only places with a device; 0: only places without one.'),
  empty: flag.describe('1: only places without goods; 0: only places with goods.'),
  limit: z.coerce.number().int().min(1).max(MAX_LISTED).default(MAX_LISTED).describe('Maximum number of places.'),
  after: textUpTo(1_000).optional().describe('Name of the last place of the previous page.'),
});
export type PlaceQuery = z.output<typeof placeQuerySchema>;

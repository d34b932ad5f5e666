import { z } from 'zod';
import {
  MAX_COLUMNS,
  MAX_RACK_CHARACTERS,
  MAX_RACKS,
  MAX_RENAMED,
  MAX_SHELVES,
  MAX_ZONES,
} from '../lib/places/mapLimits.ts';
import { deviceIdSchema, givenDeviceIdSchema } from './device.ts';
import { named, whole, withoutControl } from './fields.ts';
import { placeRenameSchema } from './placeRename.ts';

const MAX_PLACES = 10_000;

const name = withoutControl(z.string().trim().min(1).max(MAX_RACK_CHARACTERS)).describe('Name for people.');
const note = z.string().trim().max(1_000).describe('A note for people, such as where the rack is and what it holds.');
const columns = whole(1, MAX_COLUMNS).describe('Number of cells per shelf.');
const id = z.string().min(1).max(MAX_RACK_CHARACTERS);
const column = z.int().min(0).describe('Column of the cell, counted from the left; the first is 0.');

export const shelfSchema = named('Shelf', {
  id: id.describe('Assigned by the station. Unchanged when the shelf is renamed or moved.'),
  name,
});
export type Shelf = z.infer<typeof shelfSchema>;

export const rackSchema = named('Rack', {
  id,
  name,
  note,
  columns,
  shelves: z.array(shelfSchema).describe('From top to bottom.'),
});
export type Rack = z.infer<typeof rackSchema>;

const zoneRacks = z.array(id).max(MAX_RACKS).describe('Ids of the racks in the zone. A rack can be in several zones.');

/** A named area of the shop, such as "Cold room". It contains all devices on its racks, including later ones. */
export const zoneSchema = named('Zone', {
  id: id.describe('Assigned by the station. Unchanged when the zone is renamed.'),
  name: name.describe('Unique among zones, ignoring case.'),
  racks: zoneRacks,
});
export type Zone = z.infer<typeof zoneSchema>;

/** Position of a device. A cell holds one device; a device without a place is in the tray of the map. */
export const placeSchema = named('Place', {
  deviceid: deviceIdSchema,
  shelf: id.describe('Id of the shelf.'),
  column,
});
export type Place = z.infer<typeof placeSchema>;

export const mapSchema = named('Map', {
  racks: z.array(rackSchema).describe('Racks in drawing order.'),
  places: z.array(placeSchema).describe('Places of devices, sorted by DeviceID.'),
  zones: z.array(zoneSchema).describe('Zones in the order of creation.'),
});
export type StationMap = z.infer<typeof mapSchema>;

export const arrangedMapSchema = named('ArrangedMap', {
  ...mapSchema.shape,
  not_arranged: z
    .array(
      z.object({
        deviceid: deviceIdSchema,
        label: z.string(),
        message: z.string().describe('Why the device was not placed, and what to do.'),
      }),
    )
    .describe('Devices that were not placed.'),
});
export type ArrangedMap = z.infer<typeof arrangedMapSchema>;

/** A moved device in the event stream. Without a place, the device is now in the tray. */
export const placedSchema = z.object({
  deviceid: deviceIdSchema,
  place: z.object({ shelf: z.string(), column }).nullable(),
});
export type Placed = z.infer<typeof placedSchema>;

const givenId = id
  .optional()
  .describe('Id of an existing rack, shelf or zone, to keep it. If omitted, a new one is created.');
const wantedShelf = z.object({ id: givenId, name });

/** A whole map. Racks, shelves and zones without an id get a new id. */
export const mapReplacementSchema = named('MapReplacement', {
  racks: z
    .array(
      z.object({
        id: givenId,
        name,
        note: note.default(''),
        columns,
        shelves: z.array(wantedShelf).max(MAX_SHELVES).describe('From top to bottom.'),
      }),
    )
    .max(MAX_RACKS)
    .describe('All racks, in drawing order.'),
  places: z
    .array(placeSchema.extend({ deviceid: givenDeviceIdSchema.describe('DeviceID, in upper or lower case.') }))
    .max(MAX_PLACES)
    .describe('All places. An omitted device is in the tray of the map.'),
  zones: z
    .array(z.object({ id: givenId, name, racks: zoneRacks }))
    .max(MAX_ZONES)
    .optional()
    .describe('All zones. If omitted, zones stay unchanged, except that deleted racks are removed from them.'),
});
export type MapReplacement = z.infer<typeof mapReplacementSchema>;

export const newRackSchema = named('NewRack', {
  name,
  note: note.default(''),
  columns: columns.default(4),
  shelves: z.array(name).max(MAX_SHELVES).default(['1']).describe('Names of the shelves, from top to bottom.'),
});
export type NewRack = z.infer<typeof newRackSchema>;

export const rackChangeSchema = z
  .strictObject({
    name,
    note,
    columns,
    index: z.int().min(0).describe('Position among the racks. A number beyond the last moves the rack to the end.'),
    shelves: z
      .array(wantedShelf)
      .max(MAX_SHELVES)
      .describe('All shelves, from top to bottom. An omitted shelf is deleted.'),
    rename_places: z
      .array(placeRenameSchema)
      .max(MAX_RENAMED)
      .describe(
        'Places to rename in the same commit, once the rack is changed: as with POST /api/places/rename/, and with the same right. If one of them cannot be renamed, nothing is changed.',
      ),
  })
  .partial()
  .meta({ id: 'RackChange' });
export type RackChange = z.infer<typeof rackChangeSchema>;

export const newZoneSchema = named('NewZone', { name, racks: zoneRacks.default([]) });
export type NewZone = z.infer<typeof newZoneSchema>;

export const zoneChangeSchema = z.strictObject({ name, racks: zoneRacks }).partial().meta({ id: 'ZoneChange' });
export type ZoneChange = z.infer<typeof zoneChangeSchema>;

export const cellSchema = named('Cell', { shelf: id.describe('Id of the shelf.'), column });
export type Cell = z.infer<typeof cellSchema>;

export const placedResultSchema = named('PlacedResult', {
  places: z
    .array(placedSchema)
    .describe('Changed places: of the device, and of the device that it swapped places with.'),
});
export type PlacedResult = z.infer<typeof placedResultSchema>;

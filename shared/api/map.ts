import { z } from 'zod';
import { MAX_COLUMNS, MAX_RACKS, MAX_SHELVES, MAX_ZONES } from '../lib/mapLimits.ts';
import { deviceIdSchema, givenDeviceIdSchema } from './device.ts';

const MAX_PLACES = 10_000;
const MAX_NAME_CHARACTERS = 100;

const name = z.string().trim().min(1).max(MAX_NAME_CHARACTERS).describe('For people.');
const note = z.string().trim().max(1_000).describe('A line for people: where it stands, what it holds.');
const columns = z.int().min(1).max(MAX_COLUMNS).describe('Cells of each shelf, from left to right.');
const id = z.string().min(1).max(MAX_NAME_CHARACTERS);
const column = z.int().min(0).describe('From the left, the first is 0.');

export const shelfSchema = z
  .object({ id: id.describe('Made by the station, and kept through renaming and moving.'), name })
  .meta({ id: 'Shelf' });
export type Shelf = z.infer<typeof shelfSchema>;

export const rackSchema = z
  .object({ id, name, note, columns, shelves: z.array(shelfSchema).describe('From top to bottom.') })
  .meta({ id: 'Rack' });
export type Rack = z.infer<typeof rackSchema>;

const zoneRacks = z.array(id).max(MAX_RACKS).describe('The ids of its racks; a rack may be in several zones.');

/** An area of the shop with a name, such as "Cold room": what hangs on its racks, now and later. */
export const zoneSchema = z
  .object({
    id: id.describe('Made by the station, and kept through renaming.'),
    name: name.describe('No two zones have the same, whether in capitals or not.'),
    racks: zoneRacks,
  })
  .meta({ id: 'Zone' });
export type Zone = z.infer<typeof zoneSchema>;

/** Where a device hangs. One cell holds one device; a device without a place is in the tray. */
export const placeSchema = z
  .object({ deviceid: deviceIdSchema, shelf: id.describe('The id of a shelf.'), column })
  .meta({ id: 'Place' });
export type Place = z.infer<typeof placeSchema>;

export const mapSchema = z
  .object({
    racks: z.array(rackSchema).describe('In the order in which they are drawn.'),
    places: z.array(placeSchema).describe('In the order of DeviceIDs.'),
    zones: z.array(zoneSchema).describe('In the order in which they were made.'),
  })
  .meta({ id: 'Map' });
export type StationMap = z.infer<typeof mapSchema>;

/** What the stream tells of a moved device; without a place it went to the tray. */
export const placedSchema = z.object({
  deviceid: deviceIdSchema,
  place: z.object({ shelf: z.string(), column }).nullable(),
});
export type Placed = z.infer<typeof placedSchema>;

const givenId = id.optional().describe('Of one that is there: it stays that one. Left out: a new one.');
const wantedShelf = z.object({ id: givenId, name });

/** A whole map. Racks, shelves and zones without an id are given one. */
export const mapReplacementSchema = z
  .object({
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
      .describe('All of them, in the order in which they are drawn.'),
    places: z
      .array(placeSchema.extend({ deviceid: givenDeviceIdSchema.describe('DeviceID, in either case.') }))
      .max(MAX_PLACES)
      .describe('All of them; a device that is left out is unplaced.'),
    zones: z
      .array(z.object({ id: givenId, name, racks: zoneRacks }))
      .max(MAX_ZONES)
      .optional()
      .describe('All of them. Left out: they stay, without the racks that are gone.'),
  })
  .meta({ id: 'MapReplacement' });
export type MapReplacement = z.infer<typeof mapReplacementSchema>;

export const newRackSchema = z
  .object({
    name,
    note: note.default(''),
    columns: columns.default(4),
    shelves: z.array(name).max(MAX_SHELVES).default(['1']).describe('Names, from top to bottom.'),
  })
  .meta({ id: 'NewRack' });
export type NewRack = z.infer<typeof newRackSchema>;

export const rackChangeSchema = z
  .strictObject({
    name,
    note,
    columns,
    index: z.int().min(0).describe('Its place among the racks; beyond the last: at the end.'),
    shelves: z
      .array(wantedShelf)
      .max(MAX_SHELVES)
      .describe('All of them, from top to bottom; one that is left out is taken away.'),
  })
  .partial()
  .meta({ id: 'RackChange' });
export type RackChange = z.infer<typeof rackChangeSchema>;

export const newZoneSchema = z.object({ name, racks: zoneRacks.default([]) }).meta({ id: 'NewZone' });
export type NewZone = z.infer<typeof newZoneSchema>;

export const zoneChangeSchema = z.strictObject({ name, racks: zoneRacks }).partial().meta({ id: 'ZoneChange' });
export type ZoneChange = z.infer<typeof zoneChangeSchema>;

export const cellSchema = z.object({ shelf: id.describe('The id of a shelf.'), column }).meta({ id: 'Cell' });
export type Cell = z.infer<typeof cellSchema>;

export const placedResultSchema = z
  .object({
    places: z.array(placedSchema).describe('What changed: the device, and the one that it changed places with.'),
  })
  .meta({ id: 'PlacedResult' });
export type PlacedResult = z.infer<typeof placedResultSchema>;

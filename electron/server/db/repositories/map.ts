import type { Place, Rack, Shelf, StationMap, Zone } from '#shared/api/map.ts';
import type { Db } from '../db.ts';

type RackRow = { id: string; name: string; note: string; columns: number };
type ShelfRow = { id: string; rack_id: string; name: string };

export type MapRows = ReturnType<typeof mapRows>;

/** Racks, shelves, places of devices, and zones of racks. */
export function mapRows(db: Db) {
  const racks = db.prepare<[], RackRow>('SELECT id, name, note, columns FROM racks ORDER BY position');
  const shelves = db.prepare<[], ShelfRow>('SELECT id, rack_id, name FROM shelves ORDER BY position');
  const places = db.prepare<[], Place>(
    'SELECT device_id AS deviceid, shelf_id AS shelf, column_index AS "column" FROM places ORDER BY device_id',
  );
  const zones = db.prepare<[], { id: string; name: string }>('SELECT id, name FROM zones ORDER BY position');
  const zoneRacks = db.prepare<[], { zone_id: string; rack_id: string }>(
    'SELECT zone_id, rack_id FROM zone_racks ORDER BY zone_id, position',
  );
  const insertZone = db.prepare('INSERT INTO zones (id, position, name) VALUES (?, ?, ?)');
  const insertZoneRack = db.prepare('INSERT INTO zone_racks (zone_id, position, rack_id) VALUES (?, ?, ?)');
  const removeZoneRacks = db.prepare('DELETE FROM zone_racks');
  const removeZones = db.prepare('DELETE FROM zones');
  const putRack = db.prepare(
    `INSERT INTO racks (id, position, name, note, columns) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET position = excluded.position, name = excluded.name, note = excluded.note,
       columns = excluded.columns`,
  );
  const putShelf = db.prepare(
    `INSERT INTO shelves (id, rack_id, position, name) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET rack_id = excluded.rack_id, position = excluded.position, name = excluded.name`,
  );
  const insertPlace = db.prepare('INSERT INTO places (device_id, shelf_id, column_index) VALUES (?, ?, ?)');
  const removePlace = db.prepare('DELETE FROM places WHERE device_id = ?');
  const removeShelf = db.prepare('DELETE FROM shelves WHERE id = ?');
  const removeRack = db.prepare('DELETE FROM racks WHERE id = ?');

  return {
    get(): StationMap {
      const byRack = Map.groupBy(shelves.all(), (shelf) => shelf.rack_id);
      const byZone = Map.groupBy(zoneRacks.all(), (row) => row.zone_id);
      return {
        racks: racks.all().map((rack) => ({ ...rack, shelves: (byRack.get(rack.id) ?? []).map(shelfOf) })),
        places: places.all(),
        zones: zones.all().map((zone) => ({ ...zone, racks: (byZone.get(zone.id) ?? []).map((row) => row.rack_id) })),
      };
    },
    /** Writes racks and shelves. Devices leave deleted shelves before, and move to new ones after. */
    saveRacks(before: readonly Rack[], after: readonly Rack[]): void {
      for (const [position, { id, name, note, columns, shelves: own }] of after.entries()) {
        putRack.run(id, position, name, note, columns);
        for (const [place, shelf] of own.entries()) putShelf.run(shelf.id, id, place, shelf.name);
      }
      const kept = new Set(after.flatMap((rack) => [rack.id, ...rack.shelves.map((shelf) => `shelf ${shelf.id}`)]));
      for (const rack of before) {
        for (const shelf of rack.shelves) if (!kept.has(`shelf ${shelf.id}`)) removeShelf.run(shelf.id);
      }
      for (const rack of before) if (!kept.has(rack.id)) removeRack.run(rack.id);
    },
    /** Call before saving racks: a rack to be deleted must not be in a zone. */
    removeZones(): void {
      removeZoneRacks.run();
      removeZones.run();
    },
    insertZones(all: readonly Zone[]): void {
      for (const [position, { id, name, racks: own }] of all.entries()) {
        insertZone.run(id, position, name);
        for (const [place, rack] of own.entries()) insertZoneRack.run(id, place, rack);
      }
    },
    place: ({ deviceid, shelf, column }: Place): void => void insertPlace.run(deviceid, shelf, column),
    unplace: (deviceId: string): void => void removePlace.run(deviceId),
  };
}

function shelfOf({ id, name }: ShelfRow): Shelf {
  return { id, name };
}

import type { Cell, Place, Rack, Shelf, StationMap, Zone } from '#shared/api/map.ts';
import type { Db } from '../db.ts';
import { statements } from './statements.ts';

type RackRow = { id: string; name: string; note: string; columns: number };
type ShelfRow = { id: string; rack_id: string; name: string };

/** Reads and writes racks, shelves, device places, and zones. */
export function mapRows(db: Db) {
  const { find, list, run, value } = statements(db);
  const racks = list<[], RackRow>('SELECT id, name, note, columns FROM racks ORDER BY position');
  const shelves = list<[], ShelfRow>('SELECT id, rack_id, name FROM shelves ORDER BY position');
  const places = list<[], Place>(
    'SELECT device_id AS deviceid, shelf_id AS shelf, column_index AS "column" FROM places ORDER BY device_id',
  );
  const zones = list<[], { id: string; name: string }>('SELECT id, name FROM zones ORDER BY position');
  const zoneRacks = list<[], { zone_id: string; rack_id: string }>(
    'SELECT zone_id, rack_id FROM zone_racks ORDER BY zone_id, position',
  );
  const insertZone = run<[id: string, position: number, name: string]>(
    'INSERT INTO zones (id, position, name) VALUES (?, ?, ?)',
  );
  const insertZoneRack = run<[zone: string, position: number, rack: string]>(
    'INSERT INTO zone_racks (zone_id, position, rack_id) VALUES (?, ?, ?)',
  );
  const removeZoneRacks = run<[]>('DELETE FROM zone_racks');
  const removeZones = run<[]>('DELETE FROM zones');
  const putRack = run<[rack: RackRow & { position: number }]>(
    `INSERT INTO racks (id, position, name, note, columns) VALUES (:id, :position, :name, :note, :columns)
     ON CONFLICT (id) DO UPDATE SET position = excluded.position, name = excluded.name, note = excluded.note,
       columns = excluded.columns`,
  );
  const putShelf = run<[shelf: ShelfRow & { position: number }]>(
    `INSERT INTO shelves (id, rack_id, position, name) VALUES (:id, :rack_id, :position, :name)
     ON CONFLICT (id) DO UPDATE SET rack_id = excluded.rack_id, position = excluded.position, name = excluded.name`,
  );
  const ofDevice = find<[deviceId: string], Cell>(
    'SELECT shelf_id AS shelf, column_index AS "column" FROM places WHERE device_id = ?',
  );
  const deviceAt = value<[cell: Cell], string>(
    'SELECT device_id FROM places WHERE shelf_id = :shelf AND column_index = :column',
  );
  const removeShelf = run<[id: string]>('DELETE FROM shelves WHERE id = ?');
  const removeRack = run<[id: string]>('DELETE FROM racks WHERE id = ?');

  function listRacks(): Rack[] {
    const byRack = Map.groupBy(shelves(), (shelf) => shelf.rack_id);
    return racks().map((rack) => ({ ...rack, shelves: (byRack.get(rack.id) ?? []).map(shelfOf) }));
  }

  return {
    listRacks,
    /** Finds the cell of a device. */
    findCell: ofDevice,
    /** Finds the device in a cell. */
    findDevice: deviceAt,
    get(): StationMap {
      const byZone = Map.groupBy(zoneRacks(), (row) => row.zone_id);
      return {
        racks: listRacks(),
        places: places(),
        zones: zones().map((zone) => ({ ...zone, racks: (byZone.get(zone.id) ?? []).map((row) => row.rack_id) })),
      };
    },
    /** Saves racks and shelves. Devices must be removed from deleted shelves before, and can be placed on new shelves afterwards. */
    saveRacks(before: readonly Rack[], after: readonly Rack[]): void {
      for (const [position, { id, name, note, columns, shelves: own }] of after.entries()) {
        putRack({ id, position, name, note, columns });
        for (const [place, shelf] of own.entries()) putShelf({ ...shelf, rack_id: id, position: place });
      }
      const kept = new Set(after.flatMap((rack) => [rack.id, ...rack.shelves.map((shelf) => `shelf ${shelf.id}`)]));
      for (const rack of before) {
        for (const shelf of rack.shelves) if (!kept.has(`shelf ${shelf.id}`)) removeShelf(shelf.id);
      }
      for (const rack of before) if (!kept.has(rack.id)) removeRack(rack.id);
    },
    /** Removes all zones. Call before `saveRacks`, because a deleted rack must not be in a zone. */
    removeZones(): void {
      removeZoneRacks();
      removeZones();
    },
    insertZones(all: readonly Zone[]): void {
      for (const [position, { id, name, racks: own }] of all.entries()) {
        insertZone(id, position, name);
        for (const [place, rack] of own.entries()) insertZoneRack(id, place, rack);
      }
    },
    place: run<[place: Place]>(
      'INSERT INTO places (device_id, shelf_id, column_index) VALUES (:deviceid, :shelf, :column)',
    ),
    unplace: run<[deviceId: string]>('DELETE FROM places WHERE device_id = ?'),
  };
}

function shelfOf({ id, name }: ShelfRow): Shelf {
  return { id, name };
}

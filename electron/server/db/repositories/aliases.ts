import type { LocationAlias } from '#shared/api/alias.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { Db } from '../db.ts';

/** No limit in SQLite. */
const NO_LIMIT = -1;

export type AliasRows = ReturnType<typeof aliasRows>;

/** Location aliases: names of places, each with its device. */
export function aliasRows(db: Db) {
  const columns = 'id, name, device_id AS deviceid, device_is AS deviceIs';
  const one = db.prepare<[number], LocationAlias>(`SELECT ${columns} FROM location_aliases WHERE id = ?`);
  const byName = db.prepare<[string], LocationAlias>(`SELECT ${columns} FROM location_aliases WHERE name_key = ?`);
  const page = db.prepare<[number, number], LocationAlias>(
    `SELECT ${columns} FROM location_aliases WHERE id > ? ORDER BY id LIMIT ?`,
  );
  const ofDevice = db.prepare<[string], LocationAlias>(
    `SELECT ${columns} FROM location_aliases WHERE device_id = ? ORDER BY id`,
  );
  const insert = db.prepare('INSERT INTO location_aliases (name, name_key, device_id, device_is) VALUES (?, ?, ?, ?)');
  const update = db.prepare(
    'UPDATE location_aliases SET name = ?, name_key = ?, device_id = ?, device_is = ? WHERE id = ?',
  );
  const remove = db.prepare('DELETE FROM location_aliases WHERE id = ?');

  return {
    find: (id: number): LocationAlias | undefined => one.get(id),
    /** Ignores case. */
    findByName: (name: string): LocationAlias | undefined => byName.get(nameKey(name)),
    /** Sorted by id, beginning after `after`. */
    list: ({ after, limit }: { after: number; limit: number }): LocationAlias[] => page.all(after, limit),
    listAll: (): LocationAlias[] => page.all(0, NO_LIMIT),
    listByDevice: (deviceId: string): LocationAlias[] => ofDevice.all(deviceId),
    /** Returns the id. */
    insert: ({ name, deviceid, deviceIs }: Omit<LocationAlias, 'id'>): number =>
      Number(insert.run(name, nameKey(name), deviceid, deviceIs).lastInsertRowid),
    update: ({ id, name, deviceid, deviceIs }: LocationAlias): void =>
      void update.run(name, nameKey(name), deviceid, deviceIs, id),
    remove: (id: number): void => void remove.run(id),
  };
}

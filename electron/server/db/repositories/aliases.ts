import type { LocationAlias } from '#shared/api/alias.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** In SQLite, a negative limit means no limit. */
const NO_LIMIT = -1;

/** Reads and writes location aliases: place names, each with its device. */
export function aliasRows(db: Db) {
  const { find, insert, list, run } = statements(db);
  const aliases = 'SELECT id, name, device_id AS deviceid, device_is AS deviceIs FROM location_aliases';
  type Keyed = Omit<LocationAlias, 'id'> & { key: string };
  const byName = find<[key: string], LocationAlias>(`${aliases} WHERE name_key = ?`);
  const page = list<[after: number, limit: number], LocationAlias>(`${aliases} WHERE id > ? ORDER BY id LIMIT ?`);
  const add = insert<[alias: Keyed]>(
    'INSERT INTO location_aliases (name, name_key, device_id, device_is) VALUES (:name, :key, :deviceid, :deviceIs)',
  );
  const update = run<[alias: Keyed & { id: number }]>(
    'UPDATE location_aliases SET name = :name, name_key = :key, device_id = :deviceid, device_is = :deviceIs WHERE id = :id',
  );

  return {
    find: find<[id: number], LocationAlias>(`${aliases} WHERE id = ?`),
    /** Finds an alias by name, ignoring case. */
    findByName: (name: string) => byName(nameKey(name)),
    /** Lists aliases by id, starting after `after`. */
    list: ({ after, limit }: { after: number; limit: number }) => page(after, limit),
    listAll: () => page(0, NO_LIMIT),
    listByDevice: list<[deviceId: string], LocationAlias>(`${aliases} WHERE device_id = ? ORDER BY id`),
    /** Returns the id. */
    insert: (alias: Omit<LocationAlias, 'id'>) => add({ ...alias, key: nameKey(alias.name) }),
    update: (alias: LocationAlias) => update({ ...alias, key: nameKey(alias.name) }),
    remove: run<[id: number]>('DELETE FROM location_aliases WHERE id = ?'),
  };
}

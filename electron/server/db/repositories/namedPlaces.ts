import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Db } from '../db.ts';
import { mapped, statements } from './statements.ts';

/** A place that somebody created or described, or that lost its last light. */
export type NamedPlaceRow = {
  name: string;
  note: string;
  /** Whether somebody created the place, so that it exists without goods and without a light. */
  isMade: boolean;
  /** When the place lost its last light although it had goods; null if it did not, or if it has a light again. */
  darkAt: number | null;
};

type Raw = Omit<NamedPlaceRow, 'isMade'> & { isMade: 0 | 1 };

const PLACES = 'SELECT name, note, is_made AS isMade, dark_at AS darkAt FROM named_places';

/** Reads and writes what is known of places in addition to their goods and lights. */
export function namedPlaceRows(db: Db) {
  const { find, list, run } = statements(db);
  const one = find<[key: string], Raw>(`${PLACES} WHERE name_key = ?`);
  const all = list<[], Raw>(`${PLACES} ORDER BY name_key`);
  const dark = list<[], Raw>(`${PLACES} WHERE dark_at IS NOT NULL ORDER BY name_key`);
  const save = run<[row: Raw & { key: string }]>(
    `INSERT OR REPLACE INTO named_places (name_key, name, note, is_made, dark_at) VALUES (:key, :name, :note, :isMade, :darkAt)`,
  );
  const remove = run<[key: string]>('DELETE FROM named_places WHERE name_key = ?');

  return {
    find: (name: string): NamedPlaceRow | undefined => mapped(one(nameKey(name)), fromRaw),
    list: (): NamedPlaceRow[] => all().map(fromRaw),
    /** Lists the places with goods that have lost their last light. */
    listDark: (): NamedPlaceRow[] => dark().map(fromRaw),
    /** Saves a place, or removes its row if it says nothing. */
    save(row: NamedPlaceRow): void {
      const key = nameKey(row.name);
      if (!row.isMade && row.note === '' && row.darkAt === null) remove(key);
      else save({ ...row, key, isMade: row.isMade ? 1 : 0 });
    },
    remove: (name: string) => remove(nameKey(name)),
  };
}

function fromRaw(row: Raw): NamedPlaceRow {
  return { ...row, isMade: row.isMade === 1 };
}

/** Stores imports of locations with the other imports, and the places that each created or changed. */
export const importedPlaces = {
  name: '0025-importedPlaces',
  sql: `
    ALTER TABLE imports ADD COLUMN kind TEXT NOT NULL DEFAULT 'orders' CHECK (kind IN ('orders', 'articles', 'locations'));
    -- Places that it created or changed, by line of the file. Some may have been deleted since.
    CREATE TABLE import_places (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      -- Of the use-case that wrote it: an undo goes backwards.
      step INTEGER NOT NULL,
      line INTEGER NOT NULL,
      -- The alias as imported; all null: none.
      alias_id INTEGER,
      name TEXT,
      alias_device TEXT,
      device_is TEXT,
      -- The imported label of this device; both null: none.
      label_device TEXT,
      label TEXT,
      -- Previous values, JSON: {alias, label}, null for a new alias and without a label.
      before TEXT NOT NULL,
      PRIMARY KEY (import_id, step, line)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO imports (kind, source, name, state, at, done_by, counts)
      SELECT 'locations', 'api', '', 'imported', at, done_by, json_object('orders', 0, 'new', counts ->> '$.new',
        'changed', counts ->> '$.changed', 'known', counts ->> '$.unchanged', 'held', 0, 'refused', counts ->> '$.refused', 'left_out', 0)
      FROM location_imports;
    INSERT INTO import_places
      SELECT (SELECT max(id) FROM imports), key, key, value ->> '$.alias.id', value ->> '$.alias.after.name', value ->> '$.alias.after.deviceid',
        value ->> '$.alias.after.deviceIs', value ->> '$.label.deviceid', value ->> '$.label.after',
        json_object('alias', json(coalesce(value -> '$.alias.before', 'null')), 'label', value ->> '$.label.before')
      FROM location_imports, json_each(changes);
    DROP TABLE location_imports;
  `,
};

/** Stores places without a device, which device had its label first, and which places have lost their last light. */
export const namedPlaces = {
  name: '0005-namedPlaces',
  sql: `
    -- Of the devices with the same label, the one with the lowest number had it first.
    ALTER TABLE devices ADD COLUMN label_order INTEGER NOT NULL DEFAULT 0;
    DROP INDEX devices_label;
    CREATE INDEX devices_label ON devices (label_key, label_order, device_id) WHERE label_key <> '';

    -- What is known of a place in addition to its goods and its light.
    CREATE TABLE named_places (
      name_key TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      note TEXT NOT NULL DEFAULT '',
      -- 1: somebody created it, so that it is a place even without goods and a light.
      is_made INTEGER NOT NULL DEFAULT 0,
      -- When it lost its last light although it had goods. Null: it did not, or it has a light again.
      dark_at INTEGER
    ) STRICT, WITHOUT ROWID;

    -- Lines that were lit by a label. Those that name their device keep the target of the device.
    UPDATE commands SET target = 'label' WHERE target = 'device' AND owner_kind = 'item'
      AND EXISTS (SELECT 1 FROM items WHERE items.id = owner_id AND items.device_id IS NOT commands.device_id);

    CREATE INDEX items_unassigned ON items (order_id) WHERE state = 'open' AND trouble = 'unassigned';
  `,
};

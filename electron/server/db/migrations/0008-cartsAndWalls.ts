/** Carts and walls with their slots, and batches of orders. The lights of a batch are commands too. A shop without carts has no rows here. */
export const cartsAndWalls = {
  name: '0008-cartsAndWalls',
  sql: `
    -- Keys are names in the form in which they are compared.
    CREATE TABLE carriers (
      -- No id is used twice: batches name it.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('cart', 'wall')),
      name TEXT NOT NULL,
      name_key TEXT NOT NULL UNIQUE,
      -- Empty: none.
      code TEXT NOT NULL,
      code_key TEXT NOT NULL,
      row_count INTEGER NOT NULL,
      column_count INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX carriers_code ON carriers (code_key) WHERE code_key <> '';
    CREATE TABLE carrier_slots (
      carrier_id INTEGER NOT NULL REFERENCES carriers ON DELETE CASCADE,
      slot TEXT NOT NULL,
      code TEXT NOT NULL,
      code_key TEXT NOT NULL,
      PRIMARY KEY (carrier_id, slot)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX carrier_slots_code ON carrier_slots (code_key) WHERE code_key <> '';
    -- A device serves one side of one slot, and is no place.
    CREATE TABLE slot_devices (
      device_id TEXT PRIMARY KEY REFERENCES devices,
      carrier_id INTEGER NOT NULL,
      slot TEXT NOT NULL,
      side TEXT NOT NULL CHECK (side IN ('front', 'back')),
      FOREIGN KEY (carrier_id, slot) REFERENCES carrier_slots ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX slot_devices_side ON slot_devices (carrier_id, slot, side);

    CREATE TABLE batches (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      mode TEXT NOT NULL CHECK (mode IN ('cart', 'wall')),
      carrier_id INTEGER NOT NULL,
      -- Of its time: the cart may have been renamed or removed since.
      carrier_name TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('loading', 'picking', 'paused', 'done')),
      put_confirmation TEXT NOT NULL CHECK (put_confirmation IN ('each', 'once', 'none')),
      -- Who picks it, and in which color; null: nobody in particular.
      picker TEXT,
      color TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX batches_live ON batches (carrier_id) WHERE state <> 'done';
    CREATE TABLE batch_slots (
      -- Commands name it.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      batch_id INTEGER NOT NULL REFERENCES batches,
      slot TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('free', 'open', 'complete', 'stopped')),
      -- The shipment that it holds or held; null: none since it is free.
      order_id INTEGER,
      order_number TEXT,
      shipment_id INTEGER,
      shipment_number TEXT,
      tote TEXT,
      tote_key TEXT,
      -- When it was freed, and what it was; null: it holds something, or never did.
      freed_at INTEGER,
      freed_state TEXT CHECK (freed_state IN ('complete', 'stopped'))
    ) STRICT;
    CREATE UNIQUE INDEX batch_slots_batch ON batch_slots (batch_id, slot);
    -- Lights and lines at places.
    CREATE TABLE batch_picks (
      -- Commands name it.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      batch_id INTEGER NOT NULL REFERENCES batches,
      -- Null: a line without a light.
      device_id TEXT,
      -- As of a command.
      target TEXT NOT NULL,
      alias TEXT NOT NULL,
      location TEXT NOT NULL
    ) STRICT;
    CREATE INDEX batch_picks_batch ON batch_picks (batch_id);
    CREATE TABLE batch_shares (
      batch_id INTEGER NOT NULL REFERENCES batches,
      id INTEGER NOT NULL,
      -- Orders, shipments and items may have been removed since.
      order_id INTEGER NOT NULL,
      order_number TEXT NOT NULL,
      shipment_id INTEGER NOT NULL,
      shipment_number TEXT NOT NULL,
      item_id INTEGER NOT NULL,
      slot TEXT,
      article TEXT NOT NULL,
      quantity INTEGER NOT NULL,
      picked INTEGER NOT NULL,
      put INTEGER NOT NULL,
      put_back INTEGER NOT NULL,
      ending TEXT CHECK (ending IN ('short', 'stopped')),
      reason TEXT NOT NULL,
      pick_id INTEGER,
      found INTEGER,
      priority INTEGER NOT NULL,
      due_at INTEGER,
      age_at INTEGER NOT NULL,
      PRIMARY KEY (batch_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE batch_hands (
      batch_id INTEGER NOT NULL REFERENCES batches,
      position INTEGER NOT NULL,
      held_by TEXT NOT NULL,
      share_id INTEGER NOT NULL,
      quantity INTEGER NOT NULL,
      PRIMARY KEY (batch_id, position)
    ) STRICT, WITHOUT ROWID;
    -- Orders of live batches, each in one. Pieces of an item that were picked before the batch stay out of its shares.
    CREATE TABLE batch_orders (
      order_id INTEGER PRIMARY KEY,
      batch_id INTEGER NOT NULL REFERENCES batches
    ) STRICT;
    CREATE INDEX batch_orders_batch ON batch_orders (batch_id);

    -- The same table with further owners. Its ids go on: they are tokens of screens.
    CREATE TABLE commands_new (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      device_id TEXT NOT NULL REFERENCES devices,
      position INTEGER NOT NULL,
      target TEXT NOT NULL,
      alias TEXT NOT NULL,
      nonce TEXT NOT NULL,
      -- CRC-32 of the content, by which commands without a nonce are compared; 0 with a nonce.
      look INTEGER NOT NULL,
      content TEXT NOT NULL,
      arrow_added INTEGER NOT NULL,
      adjusted INTEGER,
      adjusted_at INTEGER,
      adjusted_by TEXT,
      state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'shown')),
      sender TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      -- Null while it waits behind another command.
      first_at INTEGER,
      sent_at INTEGER,
      shown_at INTEGER,
      -- The last period in which no turbo reached the device; reached_at is null until it ends.
      unreachable_at INTEGER,
      reached_at INTEGER,
      due_at INTEGER,
      -- The step, item, pick or slot that lit it, and its sequenceid, order_number or batch; all null if a caller sent it.
      owner_kind TEXT CHECK (owner_kind IN ('step', 'item', 'pick', 'slot')),
      owner_id INTEGER,
      owner_of TEXT,
      -- Milliseconds that the device may take to show the command once it is first: 0 unless the device is slow.
      latency_ms INTEGER NOT NULL DEFAULT 0,
      -- Pieces that the item had when this was shown: a press counts from here.
      base INTEGER
    ) STRICT;
    INSERT INTO commands_new SELECT id, device_id, position, target, alias, nonce, look, content, arrow_added, adjusted,
      adjusted_at, adjusted_by, state, sender, created_at, first_at, sent_at, shown_at, unreachable_at, reached_at, due_at,
      owner_kind, owner_id, owner_of, latency_ms, base FROM commands;
    DELETE FROM sqlite_sequence WHERE name = 'commands_new';
    INSERT INTO sqlite_sequence (name, seq) SELECT 'commands_new', seq FROM sqlite_sequence WHERE name = 'commands';
    DROP TABLE commands;
    ALTER TABLE commands_new RENAME TO commands;
    CREATE UNIQUE INDEX commands_queue ON commands (device_id, position);
    -- Only commands that wait, so that one that is shown at once writes no page here.
    CREATE INDEX commands_waiting ON commands (device_id, nonce, look) WHERE first_at IS NULL;
    CREATE INDEX commands_owner ON commands (owner_kind, owner_id) WHERE owner_kind IS NOT NULL;
    CREATE INDEX commands_due ON commands (due_at) WHERE due_at IS NOT NULL;
  `,
};

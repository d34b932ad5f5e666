/** The first schema: devices, the command queue, history, the outbox of callbacks, accounts and the table of commits. */
export const firstSchema = {
  name: '0001-firstSchema',
  sql: `
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    -- A name_key is the name as it is compared: without regard to case, or to how accents are written.
    CREATE TABLE users (
      name_key TEXT PRIMARY KEY,
      username TEXT NOT NULL,
      password_hash TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('admin', 'picker')),
      created_at INTEGER NOT NULL,
      signed_in_at INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE api_users (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name_key TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      scope TEXT NOT NULL CHECK (scope IN ('read', 'control', 'admin', 'turbo')),
      -- Made by PICKSTATION_API_KEY: another key there takes the place of this one.
      of_environment INTEGER NOT NULL,
      key_hash TEXT NOT NULL UNIQUE,
      client_id TEXT UNIQUE,
      secret_hash TEXT,
      -- Those before the last rotation.
      old_key_hash TEXT UNIQUE,
      old_secret_hash TEXT,
      old_until INTEGER,
      created_at INTEGER NOT NULL,
      used_at INTEGER
    ) STRICT;

    CREATE TABLE sessions (
      id_hash TEXT PRIMARY KEY,
      name_key TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
      token_hash TEXT NOT NULL,
      key_hash TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      ends_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_end ON sessions (ends_at);
    CREATE INDEX sessions_user ON sessions (name_key);

    -- Access tokens of OAuth2.
    CREATE TABLE tokens (
      hash TEXT PRIMARY KEY,
      api_user_id INTEGER NOT NULL REFERENCES api_users ON DELETE CASCADE,
      scope TEXT NOT NULL CHECK (scope IN ('read', 'control', 'admin')),
      ends_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tokens_user ON tokens (api_user_id);

    -- Who did what. The newest row is never removed. Sign-ins are counted apart, refused ones again, and what is done to
    -- location aliases: a program that signs in for each call or moves aliases all day, and somebody who guesses, push
    -- out nothing else.
    CREATE TABLE audit (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      action TEXT NOT NULL,
      done_by TEXT NOT NULL,
      subject TEXT NOT NULL,
      address TEXT NOT NULL,
      detail TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_refused ON audit (id) WHERE action = 'session.refused';
    CREATE INDEX audit_sessions ON audit (id) WHERE action IN ('session.opened', 'session.ended');
    CREATE INDEX audit_aliases ON audit (id) WHERE action GLOB 'alias*';
    CREATE INDEX audit_changes ON audit (id)
      WHERE action NOT IN ('session.refused', 'session.opened', 'session.ended') AND action NOT GLOB 'alias*';

    CREATE TABLE devices (
      device_id TEXT PRIMARY KEY,
      label TEXT NOT NULL DEFAULT '',
      label_key TEXT NOT NULL DEFAULT '',
      statica TEXT NOT NULL DEFAULT '',
      staticb TEXT NOT NULL DEFAULT '',
      staticc TEXT NOT NULL DEFAULT '',
      staticd TEXT NOT NULL DEFAULT '',
      statice TEXT NOT NULL DEFAULT '',
      arrow TEXT NOT NULL DEFAULT '',
      barcode TEXT NOT NULL DEFAULT '',
      qrcode TEXT NOT NULL DEFAULT '',
      icon TEXT NOT NULL DEFAULT '',
      quantity INTEGER,
      unsolicited_nonce TEXT NOT NULL DEFAULT '',
      brightness INTEGER NOT NULL DEFAULT 100,
      buttons INTEGER NOT NULL DEFAULT 1,
      firmware INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      battery_mv INTEGER,
      rssi_dbm INTEGER,
      uptime_s INTEGER,
      last_seen_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX devices_label ON devices (label_key, device_id) WHERE label_key <> '';

    -- Devices that a turbo may hear and that shall not become known, whatever the settings say of new ones.
    CREATE TABLE refused_devices (device_id TEXT PRIMARY KEY, refused_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

    -- A name_key is the name as it is compared. An id is never used twice.
    CREATE TABLE location_aliases (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL UNIQUE,
      device_id TEXT NOT NULL REFERENCES devices,
      device_is TEXT NOT NULL
    ) STRICT;
    CREATE INDEX location_aliases_device ON location_aliases (device_id);

    -- The last import of places alone, with what it changed: so long it can be taken back. An id is never used twice.
    CREATE TABLE location_imports (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      done_by TEXT NOT NULL,
      counts TEXT NOT NULL,
      changes TEXT NOT NULL
    ) STRICT;

    -- A random mark of the names of places as they are now: another one after each change, and the one before again where a
    -- change is taken back. Whoever keeps the names in memory knows by it whether they are still these.
    INSERT INTO meta (key, value) VALUES ('place_names', '');
    CREATE TRIGGER place_names_alias_added AFTER INSERT ON location_aliases
      BEGIN UPDATE meta SET value = hex(randomblob(8)) WHERE key = 'place_names'; END;
    CREATE TRIGGER place_names_alias_named AFTER UPDATE OF name_key ON location_aliases WHEN OLD.name_key <> NEW.name_key
      BEGIN UPDATE meta SET value = hex(randomblob(8)) WHERE key = 'place_names'; END;
    CREATE TRIGGER place_names_alias_removed AFTER DELETE ON location_aliases
      BEGIN UPDATE meta SET value = hex(randomblob(8)) WHERE key = 'place_names'; END;
    CREATE TRIGGER place_names_labelled AFTER UPDATE OF label_key ON devices WHEN OLD.label_key <> NEW.label_key
      BEGIN UPDATE meta SET value = hex(randomblob(8)) WHERE key = 'place_names'; END;
    CREATE TRIGGER place_names_device_removed AFTER DELETE ON devices WHEN OLD.label_key <> ''
      BEGIN UPDATE meta SET value = hex(randomblob(8)) WHERE key = 'place_names'; END;

    -- The map. A shelf is of one rack, a cell of a shelf holds one device; a device without a row is unplaced.
    CREATE TABLE racks (
      id TEXT PRIMARY KEY,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      note TEXT NOT NULL,
      columns INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE shelves (
      id TEXT PRIMARY KEY,
      rack_id TEXT NOT NULL REFERENCES racks,
      position INTEGER NOT NULL,
      name TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX shelves_rack ON shelves (rack_id);
    CREATE TABLE places (
      device_id TEXT PRIMARY KEY REFERENCES devices,
      shelf_id TEXT NOT NULL REFERENCES shelves,
      column_index INTEGER NOT NULL,
      UNIQUE (shelf_id, column_index)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE zones (
      id TEXT PRIMARY KEY,
      position INTEGER NOT NULL,
      name TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE zone_racks (
      zone_id TEXT NOT NULL REFERENCES zones,
      position INTEGER NOT NULL,
      rack_id TEXT NOT NULL REFERENCES racks,
      PRIMARY KEY (zone_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX zone_racks_rack ON zone_racks (rack_id);

    -- The population of the built-in simulator, so that it is there again after a start, as real devices would be.
    -- Serial ports that are kept open for turbos. A USB device is found by what it is, others by their path.
    CREATE TABLE serial_links (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      path TEXT NOT NULL,
      vendor_id TEXT NOT NULL,
      product_id TEXT NOT NULL,
      serial_number TEXT NOT NULL,
      baud_rate INTEGER NOT NULL,
      flow_control INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE turbo_names (
      serial_number TEXT PRIMARY KEY,
      name TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE simulated_devices (
      device_id TEXT PRIMARY KEY REFERENCES devices,
      buttons INTEGER NOT NULL,
      firmware INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Open commands only: whatever has ended is in history. The id is also the token of what is shown.
    CREATE TABLE commands (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      device_id TEXT NOT NULL REFERENCES devices,
      position INTEGER NOT NULL,
      target TEXT NOT NULL,
      alias TEXT NOT NULL,
      nonce TEXT NOT NULL,
      -- CRC-32 of what makes two commands without a nonce the same; 0 with a nonce.
      look INTEGER NOT NULL,
      content TEXT NOT NULL,
      arrow_added INTEGER NOT NULL,
      adjusted INTEGER,
      adjusted_at INTEGER,
      adjusted_by TEXT,
      state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'shown')),
      sender TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      -- Null while it waits behind another one.
      first_at INTEGER,
      sent_at INTEGER,
      shown_at INTEGER,
      -- The last time in which no turbo reached the device while this was to be shown; without an end while it lasts.
      unreachable_at INTEGER,
      reached_at INTEGER,
      due_at INTEGER,
      -- The step or item that lit it, and its sequenceid or order_number; all null of what a caller sent by itself.
      owner_kind TEXT CHECK (owner_kind IN ('step', 'item')),
      owner_id INTEGER,
      owner_of TEXT
    ) STRICT;
    CREATE UNIQUE INDEX commands_queue ON commands (device_id, position);
    -- Only what waits behind another one: a command that is shown at once costs no page here.
    CREATE INDEX commands_waiting ON commands (device_id, nonce, look) WHERE first_at IS NULL;
    CREATE INDEX commands_owner ON commands (owner_kind, owner_id) WHERE owner_kind IS NOT NULL;
    CREATE INDEX commands_due ON commands (due_at) WHERE due_at IS NOT NULL;

    -- An id of either is never used twice: an open command names the step that lit it.
    CREATE TABLE sequences (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sequence_id TEXT NOT NULL UNIQUE,
      nonce TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('unstarted', 'in-progress', 'stalled', 'completed')),
      -- Who launched it last: the sender of what it lights.
      launched_by TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      started_at INTEGER,
      completed_at INTEGER
    ) STRICT;
    CREATE TABLE steps (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sequence INTEGER NOT NULL REFERENCES sequences,
      -- Its place among the steps as they were given, from 0.
      position INTEGER NOT NULL,
      step_order INTEGER NOT NULL,
      -- The DeviceID that was given; null: location says where.
      device TEXT,
      location TEXT,
      nonce TEXT NOT NULL,
      -- What it shows, as it was given.
      content TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'active', 'acknowledged', 'timed_out', 'cancelled')),
      -- Found at the launch, and with target, alias and arrow null before it; then where it was lit.
      device_id TEXT,
      target TEXT,
      alias TEXT,
      arrow TEXT,
      qty INTEGER,
      finished_at INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX steps_sequence ON steps (sequence, position);
    CREATE INDEX steps_device ON steps (device) WHERE device IS NOT NULL;
    CREATE INDEX steps_found ON steps (device_id) WHERE device_id IS NOT NULL;

    -- Orders, their shipments and items. A press on an item changes one row of each: what the items come to is counted on
    -- both. A nonce that is null was not given; an empty one says that there is none.
    CREATE TABLE orders (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_number TEXT NOT NULL UNIQUE,
      -- Random: part of the nonce of items that have none of their own.
      token TEXT NOT NULL,
      ordernonce TEXT,
      color TEXT,
      seconds INTEGER,
      sound TEXT,
      -- It was made with items in place of shipments.
      has_items INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      launched_at INTEGER,
      fulfilled_at INTEGER,
      state TEXT NOT NULL CHECK (state IN ('open', 'in_progress', 'fulfilled', 'aborted')),
      -- That it is fulfilled was told since the last launch.
      is_told INTEGER NOT NULL,
      item_count INTEGER NOT NULL,
      done_count INTEGER NOT NULL,
      short_count INTEGER NOT NULL,
      active_count INTEGER NOT NULL,
      unassigned_count INTEGER NOT NULL,
      ordered_quantity INTEGER NOT NULL,
      quantity_fulfilled INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX orders_state ON orders (state, order_number);
    CREATE TABLE shipments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id INTEGER NOT NULL REFERENCES orders,
      shipment_number TEXT NOT NULL,
      shipmentnonce TEXT,
      state TEXT NOT NULL CHECK (state IN ('open', 'in_progress', 'fulfilled', 'aborted')),
      is_told INTEGER NOT NULL,
      item_count INTEGER NOT NULL,
      done_count INTEGER NOT NULL,
      short_count INTEGER NOT NULL,
      active_count INTEGER NOT NULL,
      unassigned_count INTEGER NOT NULL,
      ordered_quantity INTEGER NOT NULL,
      quantity_fulfilled INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX shipments_order ON shipments (order_id);
    CREATE TABLE items (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id INTEGER NOT NULL REFERENCES orders,
      -- Of the same order: they go together.
      shipment_id INTEGER NOT NULL,
      ordered_quantity INTEGER NOT NULL,
      quantity_fulfilled INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('open', 'active', 'done', 'short', 'cancelled')),
      -- The last launch found no device for it.
      is_unassigned INTEGER NOT NULL,
      -- As it was given, and where it was lit last: neither has to be known any more.
      device_id TEXT,
      found_device_id TEXT,
      name TEXT,
      sku TEXT,
      upc TEXT,
      description TEXT,
      warehouse_location TEXT,
      callback_nonce TEXT
    ) STRICT;
    CREATE INDEX items_order ON items (order_id);
    CREATE INDEX items_device ON items (device_id) WHERE device_id IS NOT NULL;
    CREATE INDEX items_found_device ON items (found_device_id) WHERE found_device_id IS NOT NULL;

    -- Which reports of a device were taken: the highest counter of an epoch and a mask of the 32 before it.
    CREATE TABLE report_windows (
      device_id TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      highest INTEGER NOT NULL,
      seen INTEGER NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (device_id, epoch)
    ) STRICT, WITHOUT ROWID;

    -- What lasts and somebody has to look after: of a device or of a turbo. Of one kind each has one that is open, at most.
    CREATE TABLE alerts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      since INTEGER NOT NULL,
      value INTEGER,
      threshold INTEGER,
      problem TEXT,
      acknowledged_at INTEGER,
      acknowledged_by TEXT,
      ended_at INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX alerts_open ON alerts (kind, subject) WHERE ended_at IS NULL;
    CREATE INDEX alerts_ended ON alerts (id) WHERE ended_at IS NOT NULL;

    -- Turbos that were online once: missed where they are not, until somebody says that they will not come back.
    CREATE TABLE expected_turbos (serial_number TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

    -- The newest row is never removed, so ids are not used twice; every index costs a page in the commit of a press.
    CREATE TABLE history (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      device_id TEXT NOT NULL,
      command_id INTEGER,
      nonce TEXT NOT NULL,
      location TEXT NOT NULL,
      qty INTEGER NOT NULL,
      detail TEXT NOT NULL,
      -- The sequence or order that it is about, as 'sequence:' or 'order:' and its name.
      work TEXT
    ) STRICT;
    CREATE INDEX history_work ON history (work, id) WHERE work IS NOT NULL;
    -- In blocks of rows: among a million rows each device has a page of its own, and a thousand presses would write a
    -- thousand of them. Of the newest block there are few.
    CREATE INDEX history_device ON history ((id >> 14), device_id, id);
    CREATE INDEX history_replaced ON history (command_id) WHERE kind = 'replaced';
    CREATE INDEX history_others ON history (kind, id) WHERE kind <> 'acknowledged';

    -- Which rows of history are about a command: written a few thousand at a time, after the presses and not by them. What
    -- is newer than the row that history_indexed in meta names is found in history itself.
    CREATE TABLE history_commands (
      command_id INTEGER NOT NULL,
      history_id INTEGER NOT NULL,
      PRIMARY KEY (command_id, history_id)
    ) STRICT, WITHOUT ROWID;

    -- The newest row is never removed. Each start of a station has a random mark of its own, which makes a row's webhook id
    -- differ from that of the same row number in another life of the same data folder.
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY,
      run_mark TEXT NOT NULL,
      history_id INTEGER,
      family TEXT NOT NULL,
      payload TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
      attempts INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      -- Start of the 72 hours: when it was made, or replayed.
      since_at INTEGER NOT NULL,
      next_attempt_at INTEGER,
      last_attempt_at INTEGER,
      last_status INTEGER,
      last_error TEXT,
      last_url TEXT
    ) STRICT;
    CREATE INDEX outbox_due ON outbox (next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
    CREATE INDEX outbox_dead ON outbox (id) WHERE state = 'dead';
    -- A press that is told by the family device alone costs no page here.
    CREATE INDEX outbox_family ON outbox (family, id) WHERE family <> 'device';

    -- What was sent and answered at the last attempt, for people. Apart from the outbox: its rows do not grow when they are sent.
    CREATE TABLE outbox_attempts (
      outbox_id INTEGER PRIMARY KEY,
      milliseconds INTEGER NOT NULL,
      request TEXT NOT NULL,
      answer TEXT
    ) STRICT;

    -- One row a commit that told something: the event stream resumes from here. Numbers rise; each start leaves some out.
    CREATE TABLE commits (revision INTEGER PRIMARY KEY, at INTEGER NOT NULL, facts TEXT NOT NULL) STRICT;
  `,
} as const;

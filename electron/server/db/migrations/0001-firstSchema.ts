/** The first schema. */
export const firstSchema = {
  name: '0001-firstSchema',
  sql: `
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    -- A name_key is the name in the form in which names are compared: case and the encoding of accents do not count.
    CREATE TABLE users (
      name_key TEXT PRIMARY KEY,
      username TEXT NOT NULL,
      password_hash TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('picker', 'control', 'admin')),
      created_at INTEGER NOT NULL,
      signed_in_at INTEGER,
      color TEXT,
      pin_hash TEXT
    ) STRICT, WITHOUT ROWID;

    -- Browsers where pickers sign in with a PIN.
    CREATE TABLE kiosks (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      token_hash TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE api_users (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name_key TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      scope TEXT NOT NULL CHECK (scope IN ('read', 'control', 'admin', 'turbo')),
      -- 1: created from PICKSTATION_API_KEY, which also replaces it.
      of_environment INTEGER NOT NULL,
      key_hash TEXT NOT NULL UNIQUE,
      client_id TEXT UNIQUE,
      secret_hash TEXT,
      -- Valid until old_until: key and secret before the last rotation.
      old_key_hash TEXT UNIQUE,
      old_secret_hash TEXT,
      old_until INTEGER,
      created_at INTEGER NOT NULL,
      used_at INTEGER,
      -- Serial number of the only turbo that may use the key; null: any turbo.
      turbo TEXT
    ) STRICT;

    CREATE TABLE sessions (
      id_hash TEXT PRIMARY KEY,
      name_key TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
      token_hash TEXT NOT NULL,
      key_hash TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      ends_at INTEGER NOT NULL,
      -- The kiosk where it began; null: it began with a password.
      kiosk_id INTEGER REFERENCES kiosks ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_end ON sessions (ends_at);
    CREATE INDEX sessions_user ON sessions (name_key);
    CREATE INDEX sessions_kiosk ON sessions (kiosk_id) WHERE kiosk_id IS NOT NULL;

    -- Access tokens of OAuth2.
    CREATE TABLE tokens (
      hash TEXT PRIMARY KEY,
      api_user_id INTEGER NOT NULL REFERENCES api_users ON DELETE CASCADE,
      scope TEXT NOT NULL CHECK (scope IN ('read', 'control', 'admin')),
      ends_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tokens_user ON tokens (api_user_id);

    -- The activity log. The newest row is never removed. Sessions, refusals and changes of places are limited separately, so
    -- that a program that signs in for each call, or somebody who guesses passwords, cannot displace other rows.
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
    CREATE INDEX audit_rights ON audit (id) WHERE action = 'right.refused';
    CREATE INDEX audit_places ON audit (id)
      WHERE action IN ('alias.added', 'alias.changed', 'alias.removed', 'aliases.imported', 'aliases.importUndone',
        'label.changed', 'map.changed');
    CREATE INDEX audit_changes ON audit (id)
      WHERE action NOT IN ('session.refused', 'session.opened', 'session.ended', 'right.refused',
        'alias.added', 'alias.changed', 'alias.removed', 'aliases.imported', 'aliases.importUndone',
        'label.changed', 'map.changed');

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
      last_seen_at INTEGER,
      screen INTEGER NOT NULL DEFAULT 1,
      led INTEGER NOT NULL DEFAULT 1,
      -- 1: it only asks now and then for what to show.
      slow INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX devices_label ON devices (label_key, device_id) WHERE label_key <> '';

    -- Devices that are never registered, even if the settings register new ones.
    CREATE TABLE refused_devices (device_id TEXT PRIMARY KEY, refused_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

    -- An id is never used twice.
    CREATE TABLE location_aliases (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL UNIQUE,
      device_id TEXT NOT NULL REFERENCES devices,
      device_is TEXT NOT NULL
    ) STRICT;
    CREATE INDEX location_aliases_device ON location_aliases (device_id);

    -- The map. A cell of a shelf holds one device; a device without a row is unplaced.
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

    -- Hardware that the station connects to by itself. The kind 'usb' is a serial port: a USB device is found by its identity,
    -- another one by its path.
    CREATE TABLE turbo_links (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      path TEXT NOT NULL,
      vendor_id TEXT NOT NULL,
      product_id TEXT NOT NULL,
      serial_number TEXT NOT NULL,
      baud_rate INTEGER NOT NULL,
      flow_control INTEGER NOT NULL,
      kind TEXT NOT NULL DEFAULT 'usb',
      -- Of the other kinds: the address, its name for people, and the number of the next place.
      url TEXT NOT NULL DEFAULT '',
      name TEXT NOT NULL DEFAULT '',
      next_place INTEGER NOT NULL DEFAULT 1,
      -- Sealed: the secret that the hardware shares with the station; null: it does not encrypt.
      key TEXT
    ) STRICT;
    -- Ranges of LEDs on a strip: each is a device. A link never uses a number twice.
    CREATE TABLE link_places (
      link_id INTEGER NOT NULL REFERENCES turbo_links ON DELETE CASCADE,
      number INTEGER NOT NULL,
      label TEXT NOT NULL,
      start INTEGER NOT NULL,
      count INTEGER NOT NULL,
      -- 1: its device does not have the label yet.
      is_new INTEGER NOT NULL,
      PRIMARY KEY (link_id, number)
    ) STRICT, WITHOUT ROWID;
    -- What a link remembers of its hardware, such as what each tag shows.
    CREATE TABLE link_memory (
      link_id INTEGER NOT NULL REFERENCES turbo_links ON DELETE CASCADE,
      key TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (link_id, key)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE turbo_names (
      serial_number TEXT PRIMARY KEY,
      name TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Devices of the built-in simulator.
    CREATE TABLE simulated_devices (
      device_id TEXT PRIMARY KEY REFERENCES devices,
      buttons INTEGER NOT NULL,
      firmware INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Open commands; history has the others. On the wire, the id is the token of what is shown.
    CREATE TABLE commands (
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
      -- The step or item that lit it, and its sequenceid or order_number; all null if a caller sent it.
      owner_kind TEXT CHECK (owner_kind IN ('step', 'item')),
      owner_id INTEGER,
      owner_of TEXT,
      -- Milliseconds that the device may take to show the command once it is first: 0 unless the device is slow.
      latency_ms INTEGER NOT NULL DEFAULT 0,
      -- Pieces that the item had when this was shown: a press counts from here.
      base INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX commands_queue ON commands (device_id, position);
    -- Only commands that wait, so that one that is shown at once writes no page here.
    CREATE INDEX commands_waiting ON commands (device_id, nonce, look) WHERE first_at IS NULL;
    CREATE INDEX commands_owner ON commands (owner_kind, owner_id) WHERE owner_kind IS NOT NULL;
    CREATE INDEX commands_due ON commands (due_at) WHERE due_at IS NOT NULL;

    -- No id is used twice: an open command names the step that lit it.
    CREATE TABLE sequences (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sequence_id TEXT NOT NULL UNIQUE,
      nonce TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('unstarted', 'in-progress', 'stalled', 'completed')),
      -- Who launched it last: the sender of its commands.
      launched_by TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      started_at INTEGER,
      completed_at INTEGER
    ) STRICT;
    CREATE TABLE steps (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sequence INTEGER NOT NULL REFERENCES sequences,
      -- Index in the request.
      position INTEGER NOT NULL,
      step_order INTEGER NOT NULL,
      -- DeviceID of the request; null: location says where.
      device TEXT,
      location TEXT,
      nonce TEXT NOT NULL,
      -- What it shows, as in the request.
      content TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'active', 'acknowledged', 'timed_out', 'cancelled')),
      -- Where it was lit. Null before the launch, like target, alias and arrow.
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

    -- Orders and shipments have the counts of their items, so that a press on an item changes one row of each. A nonce that
    -- is null was not given; an empty one says that there is none.
    CREATE TABLE orders (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_number TEXT NOT NULL UNIQUE,
      -- Random: part of the nonce of items without a callback_nonce.
      token TEXT NOT NULL,
      ordernonce TEXT,
      color TEXT,
      seconds INTEGER,
      sound TEXT,
      -- Created with items instead of shipments.
      has_items INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      launched_at INTEGER,
      fulfilled_at INTEGER,
      state TEXT NOT NULL CHECK (state IN ('open', 'in_progress', 'fulfilled', 'aborted')),
      -- 1: its completion was reported since the last launch.
      is_told INTEGER NOT NULL,
      item_count INTEGER NOT NULL,
      done_count INTEGER NOT NULL,
      short_count INTEGER NOT NULL,
      active_count INTEGER NOT NULL,
      unassigned_count INTEGER NOT NULL,
      ordered_quantity INTEGER NOT NULL,
      quantity_fulfilled INTEGER NOT NULL,
      -- Items of quantity 0, which are done from the start.
      zero_count INTEGER NOT NULL DEFAULT 0,
      timed_out_count INTEGER NOT NULL DEFAULT 0,
      unreachable_count INTEGER NOT NULL DEFAULT 0,
      -- 1: something of it is lit, and nobody has pressed for too long.
      is_stalled INTEGER NOT NULL DEFAULT 0,
      priority INTEGER NOT NULL DEFAULT 0,
      due_at INTEGER,
      scan_required INTEGER,
      dismissed_count INTEGER NOT NULL DEFAULT 0,
      customer TEXT,
      note TEXT,
      updated_at INTEGER NOT NULL DEFAULT 0,
      unscanned_count INTEGER NOT NULL DEFAULT 0,
      -- Digest of the content when a file last created or changed the order; null: no file did.
      import_digest TEXT,
      guessed_count INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX orders_state ON orders (state, order_number);
    -- For scanned numbers, which may be in any case.
    CREATE INDEX orders_number ON orders (order_number COLLATE NOCASE);
    CREATE INDEX orders_attention ON orders (order_number)
      WHERE state IN ('open', 'in_progress')
          AND (timed_out_count > 0 OR unassigned_count > 0 OR unreachable_count > 0 OR guessed_count > 0 OR is_stalled = 1)
        OR state = 'fulfilled' AND unassigned_count > 0;
    -- Ended orders only, so that a press writes no page here.
    CREATE INDEX orders_ended ON orders (state, updated_at) WHERE state IN ('fulfilled', 'aborted');
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
      quantity_fulfilled INTEGER NOT NULL,
      zero_count INTEGER NOT NULL DEFAULT 0,
      timed_out_count INTEGER NOT NULL DEFAULT 0,
      unreachable_count INTEGER NOT NULL DEFAULT 0,
      dismissed_count INTEGER NOT NULL DEFAULT 0,
      unscanned_count INTEGER NOT NULL DEFAULT 0,
      guessed_count INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX shipments_order ON shipments (order_id);
    CREATE TABLE items (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id INTEGER NOT NULL REFERENCES orders,
      -- Of the same order.
      shipment_id INTEGER NOT NULL,
      ordered_quantity INTEGER NOT NULL,
      quantity_fulfilled INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('open', 'active', 'done', 'short', 'cancelled')),
      -- The device of the request, and the one that was lit last. Either may have been removed.
      device_id TEXT,
      found_device_id TEXT,
      name TEXT,
      sku TEXT,
      upc TEXT,
      description TEXT,
      warehouse_location TEXT,
      callback_nonce TEXT,
      -- The person who has the line, or who finished it.
      picker TEXT,
      -- 1: a scan of the article confirmed it.
      is_verified INTEGER NOT NULL DEFAULT 0,
      -- Why it waits or is left out; null: nothing is wrong.
      trouble TEXT CHECK (trouble IN ('timed_out', 'unreachable', 'unassigned', 'no_light', 'dismissed')),
      -- Pieces that its last confirmation added.
      last_booked INTEGER NOT NULL DEFAULT 0,
      awaits_scan INTEGER NOT NULL DEFAULT 0,
      -- 1: its place was guessed.
      is_guessed INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX items_order ON items (order_id);
    CREATE INDEX items_device ON items (device_id) WHERE device_id IS NOT NULL;
    CREATE INDEX items_found_device ON items (found_device_id) WHERE found_device_id IS NOT NULL;
    -- Articles found by a scanned code.
    CREATE INDEX items_sku ON items (sku COLLATE NOCASE) WHERE sku IS NOT NULL;
    CREATE INDEX items_upc ON items (upc COLLATE NOCASE) WHERE upc IS NOT NULL;
    CREATE INDEX items_name ON items (name COLLATE NOCASE) WHERE name IS NOT NULL;
    CREATE INDEX items_without_light ON items (order_id) WHERE state = 'active' AND trouble = 'no_light';

    CREATE TABLE order_pickers (
      order_id INTEGER NOT NULL REFERENCES orders,
      name TEXT NOT NULL,
      color TEXT NOT NULL,
      is_paused INTEGER NOT NULL,
      -- Device of the last confirmed line.
      device_id TEXT,
      -- When that line was confirmed, or the order was taken.
      confirmed_at INTEGER NOT NULL,
      joined_at INTEGER NOT NULL,
      -- When the picker signed out, in forward time of the station; null: is signed in.
      away_at INTEGER,
      -- 1: launched for a person who picks another order.
      waits INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (order_id, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX order_pickers_name ON order_pickers (name COLLATE NOCASE);
    CREATE INDEX order_pickers_away ON order_pickers (away_at) WHERE away_at IS NOT NULL;

    -- Confirmed lines, for figures.
    CREATE TABLE picks (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      picker TEXT NOT NULL,
      item_id INTEGER NOT NULL,
      units INTEGER NOT NULL,
      is_short INTEGER NOT NULL,
      -- Since the previous line; null after a longer break.
      took_ms INTEGER,
      -- 0: counted pieces that did not finish a line.
      is_line INTEGER NOT NULL DEFAULT 1
    ) STRICT;
    CREATE INDEX picks_at ON picks (at);

    CREATE TABLE imports (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      source TEXT NOT NULL CHECK (source IN ('api', 'inbox', 'sheet')),
      -- Of the file; empty: not given.
      name TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('preview', 'importing', 'imported', 'undone')),
      at INTEGER NOT NULL,
      done_by TEXT NOT NULL,
      counts TEXT NOT NULL,
      undone_at INTEGER,
      -- Of a preview: how to read the file, and its cells, as deflated JSON in base64.
      file TEXT,
      kind TEXT NOT NULL DEFAULT 'orders' CHECK (kind IN ('orders', 'articles', 'locations'))
    ) STRICT;
    CREATE INDEX imports_by ON imports (done_by, id);
    -- The answer to each row, JSON.
    CREATE TABLE import_rows (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      line INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      answer TEXT NOT NULL,
      PRIMARY KEY (import_id, line)
    ) STRICT, WITHOUT ROWID;
    -- Orders that an import created or changed. Some may have been deleted since. before: previous content as JSON; null: created.
    CREATE TABLE import_orders (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      order_id INTEGER NOT NULL,
      before TEXT,
      PRIMARY KEY (import_id, order_id)
    ) STRICT, WITHOUT ROWID;
    -- Places that an import created or changed, by line of the file. Some may have been deleted since.
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
    CREATE TABLE remembered_columns (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('orders', 'locations')),
      -- The sorted column names, JSON.
      names TEXT NOT NULL,
      -- How to read these files, JSON.
      answers TEXT NOT NULL,
      used_at INTEGER NOT NULL,
      done_by TEXT NOT NULL,
      UNIQUE (kind, names)
    ) STRICT;

    -- Files in the inbox folder.
    CREATE TABLE inbox_files (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- SHA-256 of the content, hexadecimal.
      hash TEXT NOT NULL,
      name TEXT NOT NULL,
      begun_at INTEGER NOT NULL,
      -- importing: some of its orders may be missing; imported: the file must still be moved; moved.
      state TEXT NOT NULL,
      -- Whether it goes to failed, and its name there; null while importing.
      is_failed INTEGER NOT NULL,
      target TEXT
    ) STRICT;
    CREATE INDEX inbox_files_hash ON inbox_files (hash);
    CREATE INDEX inbox_files_imported ON inbox_files (id) WHERE state = 'imported';
    -- Orders that a file created, until it is moved.
    CREATE TABLE inbox_orders (
      file_id INTEGER NOT NULL REFERENCES inbox_files ON DELETE CASCADE,
      order_number TEXT NOT NULL,
      PRIMARY KEY (file_id, order_number)
    ) STRICT, WITHOUT ROWID;
    -- Orders that ended and have no file in the outbox folder yet.
    CREATE TABLE ended_orders (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_number TEXT NOT NULL UNIQUE,
      -- The answer as JSON if the order was deleted meanwhile; null: read the order.
      answer TEXT
    ) STRICT;

    -- Reports that were accepted from a device: the highest counter of an epoch, and a mask of the 32 before it.
    CREATE TABLE report_windows (
      device_id TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      highest INTEGER NOT NULL,
      seen INTEGER NOT NULL,
      at INTEGER NOT NULL,
      -- When the device was last pressed.
      pressed_at INTEGER,
      PRIMARY KEY (device_id, epoch)
    ) STRICT, WITHOUT ROWID;

    -- A subject has at most one open alert of each kind.
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

    -- E-mails that were not sent yet.
    CREATE TABLE mails (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- JSON: an alert that was raised or has ended.
      notice TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;

    -- Turbos that were online once, until somebody removes them.
    CREATE TABLE expected_turbos (serial_number TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

    -- The newest row is never removed, so that no id is used twice. Each index costs a page in the commit of a press.
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
      -- Its sequence or order, as 'sequence:' or 'order:' and its name.
      work TEXT
    ) STRICT;
    CREATE INDEX history_work ON history (work, id) WHERE work IS NOT NULL;
    CREATE INDEX history_command ON history (command_id) WHERE command_id IS NOT NULL;
    CREATE INDEX history_device ON history (device_id, id);
    CREATE INDEX history_replaced ON history (command_id) WHERE kind = 'replaced';
    CREATE INDEX history_others ON history (kind, id) WHERE kind <> 'acknowledged';

    -- One row. Forward time is the wall clock, but it never goes back; saved_at is the wall clock itself.
    CREATE TABLE station_time (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      ran_ms INTEGER NOT NULL,
      forward_at INTEGER NOT NULL,
      saved_at INTEGER NOT NULL
    ) STRICT;

    -- The newest row is never removed. run_mark is random at each start: it makes a webhook id differ from the same number
    -- after a restore of the data folder.
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY,
      run_mark TEXT NOT NULL,
      history_id INTEGER,
      family TEXT NOT NULL,
      payload TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
      attempts INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      -- In forward time.
      next_attempt_at INTEGER,
      last_attempt_at INTEGER,
      last_status INTEGER,
      last_error TEXT,
      last_url TEXT,
      -- How long the station had run when the delivery was created or replayed: start of the 72 hours.
      since_ran_ms INTEGER NOT NULL DEFAULT 0,
      -- 0: HTTP, 1: MQTT, else the id of a further receiver.
      receiver INTEGER NOT NULL DEFAULT 0,
      -- The row whose number its webhook id has; null: its own. All rows of one callback have the same webhook id.
      webhook_number INTEGER,
      -- Revision of the commit that wrote it.
      revision INTEGER NOT NULL,
      event_at INTEGER NOT NULL,
      -- Quantity that the event added to its item.
      picked INTEGER NOT NULL,
      -- Attempts before they were due, and those before a replay.
      uncounted_attempts INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX outbox_due ON outbox (receiver, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
    CREATE INDEX outbox_dead ON outbox (id, receiver) WHERE state = 'dead';
    -- A callback of the family device, or for the callback URL only, costs no page here.
    CREATE INDEX outbox_family ON outbox (family, id) WHERE family <> 'device';
    CREATE INDEX outbox_receiver ON outbox (receiver, id) WHERE receiver > 0;

    -- Request and answer of the last attempt, for people. Separate, so that rows of the outbox do not grow.
    CREATE TABLE outbox_attempts (
      outbox_id INTEGER PRIMARY KEY,
      milliseconds INTEGER NOT NULL,
      request TEXT NOT NULL,
      answer TEXT
    ) STRICT;

    -- Further receivers of callbacks. An id is never used twice. families: JSON. api_key and signing_secret are sealed.
    CREATE TABLE callback_receivers (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name_key TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      url TEXT NOT NULL,
      families TEXT NOT NULL,
      paused INTEGER NOT NULL,
      -- How long the station had run when it was last resumed, in milliseconds.
      resumed_ran_ms INTEGER NOT NULL,
      api_key TEXT,
      signing_secret TEXT
    ) STRICT;
    -- In outbox, 0 is HTTP and 1 is MQTT.
    INSERT INTO sqlite_sequence (name, seq) VALUES ('callback_receivers', 1);

    -- Requests with a key.
    CREATE TABLE keyed_requests (
      id INTEGER PRIMARY KEY,
      caller TEXT NOT NULL,
      key TEXT NOT NULL,
      -- Of method, path and body.
      digest TEXT NOT NULL,
      at INTEGER NOT NULL,
      -- HTTP status; null: not answered yet.
      status INTEGER,
      -- JSON, without secrets; null: an answer without a body.
      answer TEXT,
      UNIQUE (caller, key)
    ) STRICT;
    CREATE INDEX keyed_requests_at ON keyed_requests (at);
    -- JSON results of its use-cases until it is answered: after a stop, a repeated request continues behind them.
    CREATE TABLE keyed_steps (
      request_id INTEGER NOT NULL REFERENCES keyed_requests (id) ON DELETE CASCADE,
      step INTEGER NOT NULL,
      item INTEGER NOT NULL,
      result TEXT NOT NULL,
      PRIMARY KEY (request_id, step, item)
    ) STRICT, WITHOUT ROWID;

    -- One row per commit with facts: the event stream resumes from here. Each start skips some revisions.
    CREATE TABLE commits (revision INTEGER PRIMARY KEY, at INTEGER NOT NULL, facts TEXT NOT NULL) STRICT;
  `,
} as const;

/** The first schema. */
export const firstSchema = {
  name: '0001-firstSchema',
  sql: `
    -- name_key, sku_key, place_key and the like have names in the form in which they are compared: case and the encoding of accents
    -- do not count.

    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

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

    -- Screens that show the wall board.
    CREATE TABLE screens (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      secret_hash TEXT NOT NULL UNIQUE,
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
      brightness INTEGER NOT NULL DEFAULT 100,
      -- Nonce of callbacks of presses without a command.
      unsolicited_nonce TEXT NOT NULL DEFAULT '',
      -- What it shows without a command.
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
      -- Its hardware.
      buttons INTEGER NOT NULL,
      screen INTEGER NOT NULL,
      led INTEGER NOT NULL,
      -- 1: it only asks now and then for what to show.
      slow INTEGER NOT NULL,
      firmware INTEGER NOT NULL,
      -- Its last saved condition; null: none yet.
      battery_mv INTEGER,
      rssi_dbm INTEGER,
      uptime_s INTEGER,
      last_seen_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX devices_label ON devices (label_key, device_id) WHERE label_key <> '';

    -- Devices that are never registered, even if the settings register new ones.
    CREATE TABLE refused_devices (device_id TEXT PRIMARY KEY, refused_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

    -- What the template of screens wrote to a device, five lines joined by line feeds; fixed: without the figures of the stock.
    CREATE TABLE template_screens (
      device_id TEXT PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
      lines TEXT NOT NULL,
      fixed TEXT NOT NULL,
      written_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

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
      kind TEXT NOT NULL,
      path TEXT NOT NULL,
      vendor_id TEXT NOT NULL,
      product_id TEXT NOT NULL,
      serial_number TEXT NOT NULL,
      baud_rate INTEGER NOT NULL,
      flow_control INTEGER NOT NULL,
      -- Of the other kinds: the address, its name for people, and the number of the next place.
      url TEXT NOT NULL,
      name TEXT NOT NULL,
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
      -- The step, item, pick or slot that lit it, and its sequenceid, order_number or batch; all null if a caller sent it.
      owner_kind TEXT CHECK (owner_kind IN ('step', 'item', 'pick', 'slot')),
      owner_id INTEGER,
      owner_of TEXT,
      -- Milliseconds that the device may take to show the command once it is first: 0 unless the device is slow.
      latency_ms INTEGER NOT NULL,
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
      priority INTEGER NOT NULL,
      due_at INTEGER,
      customer TEXT,
      note TEXT,
      scan_required INTEGER,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      launched_at INTEGER,
      fulfilled_at INTEGER,
      state TEXT NOT NULL CHECK (state IN ('open', 'in_progress', 'fulfilled', 'aborted')),
      -- 1: its completion was reported since the last launch.
      is_told INTEGER NOT NULL,
      -- 1: something of it is lit, and nobody has pressed for too long.
      is_stalled INTEGER NOT NULL DEFAULT 0,
      item_count INTEGER NOT NULL,
      done_count INTEGER NOT NULL,
      short_count INTEGER NOT NULL,
      active_count INTEGER NOT NULL,
      unassigned_count INTEGER NOT NULL,
      timed_out_count INTEGER NOT NULL,
      unreachable_count INTEGER NOT NULL,
      dismissed_count INTEGER NOT NULL,
      unscanned_count INTEGER NOT NULL,
      guessed_count INTEGER NOT NULL,
      no_stock_count INTEGER NOT NULL,
      ordered_quantity INTEGER NOT NULL,
      quantity_fulfilled INTEGER NOT NULL,
      -- Items of quantity 0, which are done from the start.
      zero_count INTEGER NOT NULL,
      -- Digest of the content when a file last created or changed the order; null: no file did.
      import_digest TEXT
    ) STRICT;
    CREATE INDEX orders_state ON orders (state, order_number);
    -- For scanned numbers, which may be in any case.
    CREATE INDEX orders_number ON orders (order_number COLLATE NOCASE);
    CREATE INDEX orders_attention ON orders (order_number)
      WHERE state IN ('open', 'in_progress')
          AND (timed_out_count > 0 OR unassigned_count > 0 OR unreachable_count > 0 OR guessed_count > 0 OR no_stock_count > 0 OR is_stalled = 1)
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
      timed_out_count INTEGER NOT NULL,
      unreachable_count INTEGER NOT NULL,
      dismissed_count INTEGER NOT NULL,
      unscanned_count INTEGER NOT NULL,
      guessed_count INTEGER NOT NULL,
      no_stock_count INTEGER NOT NULL,
      ordered_quantity INTEGER NOT NULL,
      quantity_fulfilled INTEGER NOT NULL,
      zero_count INTEGER NOT NULL
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
      -- Why it waits or is left out; null: nothing is wrong.
      trouble TEXT CHECK (trouble IN ('timed_out', 'unreachable', 'unassigned', 'no_light', 'dismissed')),
      -- The device of the request, and the one that was lit last. Either may have been removed.
      device_id TEXT,
      found_device_id TEXT,
      name TEXT,
      sku TEXT,
      upc TEXT,
      description TEXT,
      warehouse_location TEXT,
      callback_nonce TEXT,
      -- Its article, and the place that it took when it was launched; null: none yet.
      article_id INTEGER,
      place TEXT,
      place_key TEXT,
      -- Copied from the article; null: none. They stay when the article is changed or removed while the line is lit.
      article_name TEXT,
      article_description TEXT,
      -- 1: no place of its article had any pieces when it was lit.
      lacks_stock INTEGER NOT NULL DEFAULT 0,
      -- 1: its place was guessed.
      is_guessed INTEGER NOT NULL,
      -- The person who has the line, or who finished it.
      picker TEXT,
      -- 1: a scan of the article confirmed it.
      is_verified INTEGER NOT NULL DEFAULT 0,
      -- 1: it is picked, and a scan of its article is missing; 2: somebody decided that its article cannot be scanned.
      awaits_scan INTEGER NOT NULL DEFAULT 0,
      -- Pieces that its last confirmation added.
      last_booked INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX items_order ON items (order_id);
    CREATE INDEX items_device ON items (device_id) WHERE device_id IS NOT NULL;
    CREATE INDEX items_found_device ON items (found_device_id) WHERE found_device_id IS NOT NULL;
    -- Articles found by a scanned code.
    CREATE INDEX items_sku ON items (sku COLLATE NOCASE) WHERE sku IS NOT NULL;
    CREATE INDEX items_upc ON items (upc COLLATE NOCASE) WHERE upc IS NOT NULL;
    CREATE INDEX items_name ON items (name COLLATE NOCASE) WHERE name IS NOT NULL;
    CREATE INDEX items_without_light ON items (order_id) WHERE state = 'active' AND trouble = 'no_light';
    CREATE INDEX items_article ON items (article_id) WHERE article_id IS NOT NULL;
    -- What is allocated. A press of an item without an article writes no page here.
    CREATE INDEX items_allocated ON items (article_id, place_key)
      WHERE article_id IS NOT NULL AND state IN ('open', 'active');
    CREATE INDEX items_place ON items (place_key) WHERE place_key IS NOT NULL;

    CREATE TABLE order_pickers (
      order_id INTEGER NOT NULL REFERENCES orders,
      name TEXT NOT NULL,
      color TEXT NOT NULL,
      is_paused INTEGER NOT NULL,
      -- 1: launched for a person who picks another order.
      waits INTEGER NOT NULL,
      -- Device of the last confirmed line.
      device_id TEXT,
      -- When that line was confirmed, or the order was taken.
      confirmed_at INTEGER NOT NULL,
      joined_at INTEGER NOT NULL,
      -- When the picker signed out, in forward time of the station; null: is signed in.
      away_at INTEGER,
      PRIMARY KEY (order_id, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX order_pickers_name ON order_pickers (name COLLATE NOCASE);

    -- Confirmed lines, for figures. Orders are removed sooner.
    CREATE TABLE picks (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      -- Empty: the line belonged to nobody.
      picker TEXT NOT NULL,
      item_id INTEGER NOT NULL,
      units INTEGER NOT NULL,
      -- 0: counted pieces that did not finish a line.
      is_line INTEGER NOT NULL,
      is_short INTEGER NOT NULL,
      -- Since the previous line; null after a longer break.
      took_ms INTEGER,
      -- Of the item; empty: not given.
      sku TEXT NOT NULL,
      name TEXT NOT NULL,
      -- The alias, the label or the DeviceID; without a device the text of the order.
      place TEXT NOT NULL,
      -- Of a short; empty: not given.
      reason TEXT NOT NULL,
      -- From the light to the press; null: not pressed, or not known.
      light_ms INTEGER
    ) STRICT;
    CREATE INDEX picks_at ON picks (at);

    -- Articles, their places and what moved there. A shop without articles has no rows here.
    CREATE TABLE articles (
      -- No id is used twice: movements name it.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sku TEXT NOT NULL,
      sku_key TEXT NOT NULL UNIQUE,
      -- Empty: not given, as for the other texts.
      name TEXT NOT NULL,
      name_key TEXT NOT NULL,
      description TEXT NOT NULL,
      unit TEXT NOT NULL,
      note TEXT NOT NULL,
      is_active INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX articles_name ON articles (name_key, id);
    CREATE INDEX articles_updated ON articles (updated_at, id);

    CREATE TABLE article_barcodes (
      code_key TEXT PRIMARY KEY,
      code TEXT NOT NULL,
      article_id INTEGER NOT NULL REFERENCES articles ON DELETE CASCADE,
      position INTEGER NOT NULL,
      -- Pieces that the code stands for.
      quantity INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX article_barcodes_article ON article_barcodes (article_id, position);

    -- Pictures of articles: in the database, so that backups contain them.
    CREATE TABLE article_pictures (
      article_id INTEGER PRIMARY KEY REFERENCES articles ON DELETE CASCADE,
      -- Of the content: the same picture has the same version.
      version TEXT NOT NULL CHECK (length(version) = 12 AND version NOT GLOB '*[^0-9a-f]*'),
      -- WebP, and a small one for lists.
      content BLOB NOT NULL,
      small BLOB NOT NULL
    ) STRICT;

    CREATE TABLE article_places (
      article_id INTEGER NOT NULL REFERENCES articles ON DELETE CASCADE,
      place_key TEXT NOT NULL,
      place TEXT NOT NULL,
      position INTEGER NOT NULL,
      priority INTEGER,
      minimum INTEGER,
      maximum INTEGER,
      -- Null: not counted.
      on_hand INTEGER,
      -- 1: somebody found the place empty, and it is not counted.
      is_empty INTEGER NOT NULL DEFAULT 0,
      -- The last movement here; null: none.
      movement_id INTEGER,
      -- How many lines were picked there, for the setting count_every.
      visits INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (article_id, place_key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX article_places_place ON article_places (place_key);

    -- Keeps the names of its time: article, order and place may have been removed since.
    CREATE TABLE movements (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('pick', 'short', 'put_away', 'count', 'adjust', 'transfer', 'import')),
      article_id INTEGER NOT NULL,
      place TEXT NOT NULL,
      place_key TEXT NOT NULL,
      device_id TEXT NOT NULL,
      delta INTEGER NOT NULL,
      -- Afterwards; null: not counted, or the article does not have the place.
      on_hand INTEGER,
      sku TEXT NOT NULL,
      order_number TEXT,
      shipment_number TEXT,
      item_id INTEGER,
      ordered INTEGER,
      fulfilled INTEGER,
      reason TEXT NOT NULL,
      picker TEXT NOT NULL,
      done_by TEXT NOT NULL,
      nonce TEXT NOT NULL,
      -- Key of the caller who posted it, and what was posted as JSON; null: none.
      key TEXT,
      asked TEXT
    ) STRICT;
    CREATE INDEX movements_key ON movements (key, done_by) WHERE key IS NOT NULL;
    CREATE INDEX movements_article ON movements (article_id, id);
    CREATE INDEX movements_order ON movements (order_number, id) WHERE order_number IS NOT NULL;

    -- How many pieces of an item came from which place, in the order in which they were picked.
    CREATE TABLE item_sources (
      item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
      position INTEGER NOT NULL,
      article_id INTEGER NOT NULL,
      place TEXT NOT NULL,
      place_key TEXT NOT NULL,
      quantity INTEGER NOT NULL,
      PRIMARY KEY (item_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX item_sources_place ON item_sources (place_key);
    CREATE INDEX item_sources_article ON item_sources (article_id);

    -- Places that a short found empty, until it is undone.
    CREATE TABLE emptied_places (
      item_id INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE,
      article_id INTEGER NOT NULL,
      place_key TEXT NOT NULL,
      -- The movement that emptied it.
      movement_id INTEGER NOT NULL,
      -- Before; null: not counted.
      on_hand INTEGER,
      -- Whether it was known to be empty before.
      was_empty INTEGER NOT NULL
    ) STRICT;

    -- Tasks about stock.
    CREATE TABLE tasks (
      -- No id is used twice: callbacks and alerts name it.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('replenish', 'count', 'put_back')),
      state TEXT NOT NULL CHECK (state IN ('open', 'done', 'dismissed', 'ended')),
      article_id INTEGER NOT NULL,
      -- As they were named when the task was opened or renamed.
      sku TEXT NOT NULL,
      place TEXT NOT NULL,
      place_key TEXT NOT NULL,
      -- Null: nobody knows how many.
      quantity INTEGER,
      created_at INTEGER NOT NULL,
      created_by TEXT NOT NULL,
      -- Of a put_back.
      order_number TEXT,
      -- Null: no put_back, or its order is deleted.
      item_id INTEGER,
      -- Of a put_back of a deleted order: JSON, how many pieces came from which place.
      sources TEXT,
      -- Null while it is open.
      ended_at INTEGER,
      ended_by TEXT NOT NULL DEFAULT '',
      -- 1: it was told that it is overdue.
      is_overdue INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE UNIQUE INDEX tasks_open_place ON tasks (article_id, place_key, kind) WHERE state = 'open' AND kind <> 'put_back';
    CREATE UNIQUE INDEX tasks_open_item ON tasks (item_id) WHERE state = 'open' AND item_id IS NOT NULL;
    CREATE INDEX tasks_open_order ON tasks (order_number) WHERE state = 'open' AND order_number IS NOT NULL;
    CREATE INDEX tasks_open ON tasks (created_at) WHERE state = 'open';

    -- Carts and walls with their slots, and batches of orders. A shop without carts has no rows here.
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
    -- A device of a slot serves one side of it, and is not a place.
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
      -- The cart or wall whose slots it uses, with its name of that time: it may have been renamed or removed since.
      carrier_id INTEGER NOT NULL,
      carrier_name TEXT NOT NULL,
      -- The cart onto which a batch for a wall is picked in bulk; null: none.
      cart_id INTEGER,
      cart_name TEXT,
      -- 1: shipments of one piece take no slot of a wall.
      has_singles INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('loading', 'picking', 'paused', 'done')),
      -- 1: launched (state 'picking'), and its pieces go into the wall now.
      is_sorting INTEGER NOT NULL DEFAULT 0,
      put_confirmation TEXT NOT NULL CHECK (put_confirmation IN ('each', 'once', 'none')),
      -- Who picks it, and in which color; null: nobody in particular.
      picker TEXT,
      color TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX batches_live ON batches (carrier_id) WHERE state <> 'done';
    CREATE UNIQUE INDEX batches_live_cart ON batches (cart_id) WHERE cart_id IS NOT NULL AND state <> 'done';
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
    -- Pieces that somebody picked, and that are not in their slots yet.
    CREATE TABLE batch_hands (
      batch_id INTEGER NOT NULL REFERENCES batches,
      position INTEGER NOT NULL,
      held_by TEXT NOT NULL,
      share_id INTEGER NOT NULL,
      quantity INTEGER NOT NULL,
      PRIMARY KEY (batch_id, position)
    ) STRICT, WITHOUT ROWID;
    -- Pieces that somebody scanned at the wall, and that are not in their slots yet.
    CREATE TABLE batch_scanned (
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

    CREATE TABLE imports (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('orders', 'articles', 'locations')),
      source TEXT NOT NULL CHECK (source IN ('api', 'inbox', 'sheet')),
      -- Of the file; empty: not given.
      name TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('preview', 'importing', 'imported', 'undone')),
      at INTEGER NOT NULL,
      done_by TEXT NOT NULL,
      counts TEXT NOT NULL,
      undone_at INTEGER,
      -- Of a preview: how to read the file, and its cells, as deflated JSON in base64.
      file TEXT
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
    -- Articles that an import created or changed. Some may have been deleted since.
    CREATE TABLE import_articles (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      article_id INTEGER NOT NULL,
      -- The changed fields and the stock of places, JSON: as they were (null: the import created the article), and as imported.
      before TEXT,
      after TEXT NOT NULL,
      PRIMARY KEY (import_id, article_id)
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
    -- Drafts: orders of imported files, kept for correction.
    CREATE TABLE import_drafts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- May have been deleted since.
      import_id INTEGER NOT NULL,
      -- Of the file; empty: not given.
      name TEXT NOT NULL,
      at INTEGER NOT NULL,
      done_by TEXT NOT NULL,
      order_number TEXT NOT NULL,
      -- Why it is not an order; empty: it can be created.
      message TEXT NOT NULL,
      -- Its rows, and how to read them: JSON.
      file TEXT NOT NULL,
      -- Of the rows as in the file.
      digest TEXT NOT NULL
    ) STRICT;
    CREATE INDEX import_drafts_number ON import_drafts (order_number);
    CREATE INDEX import_drafts_import ON import_drafts (import_id);
    CREATE INDEX import_drafts_at ON import_drafts (at);
    CREATE TABLE remembered_columns (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('orders', 'articles', 'locations')),
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
      -- 0: HTTP, 1: MQTT, else the id of a further receiver.
      receiver INTEGER NOT NULL,
      -- The row whose number its webhook id has; null: its own. All rows of one callback have the same webhook id.
      webhook_number INTEGER,
      run_mark TEXT NOT NULL,
      history_id INTEGER,
      family TEXT NOT NULL,
      payload TEXT NOT NULL,
      -- Revision of the commit that wrote it.
      revision INTEGER NOT NULL,
      event_at INTEGER NOT NULL,
      -- Quantity that the event added to its item.
      picked INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
      attempts INTEGER NOT NULL DEFAULT 0,
      -- Attempts before they were due, and those before a replay.
      uncounted_attempts INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      -- How long the station had run when the delivery was created or replayed: start of the 72 hours.
      since_ran_ms INTEGER NOT NULL,
      -- In forward time.
      next_attempt_at INTEGER,
      last_attempt_at INTEGER,
      last_status INTEGER,
      last_error TEXT,
      last_url TEXT
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

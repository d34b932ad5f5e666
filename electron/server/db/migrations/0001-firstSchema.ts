/** The first schema: devices, the command queue, history, the outbox of callbacks, accounts and the table of commits. */
export const firstSchema = {
  name: '0001-firstSchema',
  sql: `
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    CREATE TABLE users (
      username TEXT PRIMARY KEY COLLATE NOCASE,
      password_hash TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('admin', 'picker')),
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE api_users (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      scope TEXT NOT NULL CHECK (scope IN ('read', 'control', 'admin', 'turbo')),
      key_hash TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE sessions (
      id_hash TEXT PRIMARY KEY,
      username TEXT NOT NULL COLLATE NOCASE REFERENCES users ON DELETE CASCADE,
      token_hash TEXT NOT NULL,
      key_hash TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      ends_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_end ON sessions (ends_at);

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

    -- The population of the built-in simulator, so that it is there again after a start, as real devices would be.
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
      location TEXT NOT NULL,
      nonce TEXT NOT NULL,
      content TEXT NOT NULL,
      adjusted INTEGER,
      state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'shown')),
      sender TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      first_at INTEGER,
      sent_at INTEGER,
      shown_at INTEGER,
      due_at INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX commands_queue ON commands (device_id, position);
    CREATE INDEX commands_due ON commands (due_at) WHERE due_at IS NOT NULL;

    -- Which reports of a device were taken: the highest counter of an epoch and a mask of the 32 before it.
    CREATE TABLE report_windows (
      device_id TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      highest INTEGER NOT NULL,
      seen INTEGER NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (device_id, epoch)
    ) STRICT, WITHOUT ROWID;

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
      detail TEXT NOT NULL
    ) STRICT;
    CREATE INDEX history_device ON history (device_id, id);
    CREATE INDEX history_replaced ON history (command_id) WHERE kind = 'replaced';

    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY,
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

    -- One row a commit that told something: the event stream resumes from here.
    CREATE TABLE commits (revision INTEGER PRIMARY KEY, at INTEGER NOT NULL, facts TEXT NOT NULL) STRICT;
  `,
} as const;

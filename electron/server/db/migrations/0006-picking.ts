/**
 * Picking: why an item waits, who picks an order and in which colour, keys of confirmations, and the sign-in at a kiosk.
 * Lights of orders stay on; a station that ran before keeps the seconds after which they went out.
 */
export const picking = {
  name: '0006-picking',
  sql: `
    ALTER TABLE items ADD COLUMN trouble TEXT CHECK (trouble IN ('timed_out', 'unreachable', 'unassigned'));
    UPDATE items SET trouble = 'unassigned' WHERE is_unassigned = 1;
    ALTER TABLE items DROP COLUMN is_unassigned;
    -- The person whose line it is, or who finished it.
    ALTER TABLE items ADD COLUMN picker TEXT;
    -- A scan of the article confirmed it.
    ALTER TABLE items ADD COLUMN is_verified INTEGER NOT NULL DEFAULT 0;

    ALTER TABLE orders ADD COLUMN timed_out_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE orders ADD COLUMN unreachable_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE shipments ADD COLUMN timed_out_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE shipments ADD COLUMN unreachable_count INTEGER NOT NULL DEFAULT 0;
    -- Something of it is lit, and nobody pressed for too long.
    ALTER TABLE orders ADD COLUMN is_stalled INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE orders ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE orders ADD COLUMN due_at INTEGER;
    ALTER TABLE orders ADD COLUMN scan_required INTEGER;
    CREATE INDEX orders_attention ON orders (order_number)
      WHERE state IN ('open', 'in_progress')
        AND (timed_out_count > 0 OR unassigned_count > 0 OR unreachable_count > 0 OR is_stalled = 1);

    -- Scanned numbers count in any case.
    CREATE INDEX orders_number ON orders (order_number COLLATE NOCASE);

    CREATE TABLE order_pickers (
      order_id INTEGER NOT NULL REFERENCES orders,
      name TEXT NOT NULL,
      color TEXT NOT NULL,
      is_paused INTEGER NOT NULL,
      -- The device of the line confirmed last.
      device_id TEXT,
      -- When it was confirmed, or the order taken.
      confirmed_at INTEGER NOT NULL,
      joined_at INTEGER NOT NULL,
      PRIMARY KEY (order_id, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX order_pickers_name ON order_pickers (name COLLATE NOCASE);

    -- Lines that pickers finished, for figures.
    CREATE TABLE picks (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      picker TEXT NOT NULL,
      item_id INTEGER NOT NULL,
      units INTEGER NOT NULL,
      is_short INTEGER NOT NULL,
      -- Since the line before; null after a longer break.
      took_ms INTEGER
    ) STRICT;
    CREATE INDEX picks_at ON picks (at);

    -- What a caller was answered to a confirmation with this key.
    CREATE TABLE confirmations (
      caller TEXT NOT NULL,
      key TEXT NOT NULL,
      answer TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (caller, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX confirmations_at ON confirmations (at);

    ALTER TABLE users ADD COLUMN color TEXT;
    ALTER TABLE users ADD COLUMN pin_hash TEXT;
    -- Browsers at which pickers sign in with a PIN.
    CREATE TABLE kiosks (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      token_hash TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL
    ) STRICT;

    INSERT INTO settings (key, value)
      SELECT 'order_seconds', coalesce((SELECT value FROM settings WHERE key = 'default_seconds'), '60')
      WHERE EXISTS (SELECT 1 FROM users);
  `,
};

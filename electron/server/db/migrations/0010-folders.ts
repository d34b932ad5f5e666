/** Files of orders: which were imported, and orders that ended and have no file yet. */
export const folders = {
  name: '0010-folders',
  sql: `
    CREATE TABLE inbox_files (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- SHA-256 of the content, hexadecimal.
      hash TEXT NOT NULL,
      name TEXT NOT NULL,
      begun_at INTEGER NOT NULL,
      -- importing: some of its orders may be missing; imported: the file is still to be moved; moved.
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

    CREATE TABLE ended_orders (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_number TEXT NOT NULL UNIQUE,
      -- The answer as JSON, of an order that was deleted meanwhile; null: the order says it.
      answer TEXT
    ) STRICT;
  `,
};

/** Stores a history of imports with rows and orders, instead of only the last import. Adds digests of imported orders. */
export const imports = {
  name: '0023-imports',
  sql: `
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
      file TEXT
    ) STRICT;
    CREATE INDEX imports_by ON imports (done_by, id);
    -- As answered, JSON.
    CREATE TABLE import_rows (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      line INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      answer TEXT NOT NULL,
      PRIMARY KEY (import_id, line)
    ) STRICT, WITHOUT ROWID;
    -- Orders that it created or changed. Some may have been deleted since. before: previous content as JSON; null: created.
    CREATE TABLE import_orders (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      order_id INTEGER NOT NULL,
      before TEXT,
      PRIMARY KEY (import_id, order_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO imports (id, source, name, state, at, done_by, counts)
      SELECT id, 'api', '', 'imported', at, done_by, json_set(counts, '$.changed', 0, '$.left_out', 0) FROM order_imports;
    INSERT INTO import_orders (import_id, order_id)
      SELECT imports.id, order_id FROM imported_orders, imports WHERE imports.id = (SELECT max(id) FROM imports);
    DROP TABLE imported_orders;
    DROP TABLE order_imports;

    -- Digest of the content when a file last created or changed the order; null: no file did.
    ALTER TABLE orders ADD COLUMN import_digest TEXT;
  `,
};

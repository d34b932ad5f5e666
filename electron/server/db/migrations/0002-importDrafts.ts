/** Drafts: orders of imported files, kept for correction. */
export const importDrafts = {
  name: '0002-importDrafts',
  sql: `
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
  `,
};

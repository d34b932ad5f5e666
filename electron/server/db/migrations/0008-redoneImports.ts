/** Keeps what an import wrote into an order, and what an undo removed or reverted, so that a redo can restore it. */
export const redoneImports = {
  name: '0008-redoneImports',
  sql: `
    -- The imported content, JSON. Null: imported by an earlier version.
    ALTER TABLE import_orders ADD COLUMN after TEXT;
    -- What the undo of an import changed, in the order of the undo.
    CREATE TABLE import_undone (
      id INTEGER PRIMARY KEY,
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      -- The order or article, which may have been removed; 0: none.
      subject INTEGER NOT NULL,
      -- Its content before and after the undo, JSON: {order}, {draft}, {article} or {places}.
      content TEXT NOT NULL
    ) STRICT;
    CREATE INDEX import_undone_imports ON import_undone (import_id, id);
  `,
};

/** Items of 0, and the last import of orders. */
export const orderImports = {
  name: '0002-orderImports',
  sql: `
    -- Items of 0, which are done from the start. Until now there were none.
    ALTER TABLE orders ADD COLUMN zero_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE shipments ADD COLUMN zero_count INTEGER NOT NULL DEFAULT 0;

    -- The last import of orders. An id is never used twice.
    CREATE TABLE order_imports (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      done_by TEXT NOT NULL,
      counts TEXT NOT NULL
    ) STRICT;
    -- The orders that it created and that can still be removed with it. Some may have been deleted since.
    CREATE TABLE imported_orders (order_id INTEGER PRIMARY KEY) STRICT;
  `,
};

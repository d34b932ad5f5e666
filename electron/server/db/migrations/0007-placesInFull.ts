/** What a line takes from its article when it is created or lit. */
export const placesInFull = {
  name: '0007-placesInFull',
  sql: `
    -- Copied from the article; null: none. They stay when the article is changed or removed while the line is lit.
    ALTER TABLE items ADD COLUMN article_name TEXT;
    ALTER TABLE items ADD COLUMN article_description TEXT;
    -- 1: no place of its article had any pieces when it was lit.
    ALTER TABLE items ADD COLUMN lacks_stock INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE orders ADD COLUMN no_stock_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE shipments ADD COLUMN no_stock_count INTEGER NOT NULL DEFAULT 0;

    -- What the template of screens wrote to a device, five lines joined by line feeds; fixed: without the figures of the stock.
    CREATE TABLE template_screens (
      device_id TEXT PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
      lines TEXT NOT NULL,
      fixed TEXT NOT NULL,
      written_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    DROP INDEX orders_attention;
    CREATE INDEX orders_attention ON orders (order_number)
      WHERE state IN ('open', 'in_progress')
          AND (timed_out_count > 0 OR unassigned_count > 0 OR unreachable_count > 0 OR guessed_count > 0 OR no_stock_count > 0 OR is_stalled = 1)
        OR state = 'fulfilled' AND unassigned_count > 0;
  `,
};

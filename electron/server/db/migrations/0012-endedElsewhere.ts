/** Stores what a file says about an order that somebody has started, so that it is not offered until somebody decides. */
export const endedElsewhere = {
  name: '0012-endedElsewhere',
  sql: `
    -- What happened to the order elsewhere, according to a file: shipped, canceled or refunded. Null if nothing did.
    ALTER TABLE orders ADD COLUMN ended_elsewhere TEXT;
    -- 1: somebody decided to continue it nevertheless.
    ALTER TABLE orders ADD COLUMN is_continued INTEGER NOT NULL DEFAULT 0;
    DROP INDEX orders_attention;
    CREATE INDEX orders_attention ON orders (order_number)
      WHERE state IN ('open', 'in_progress')
          AND (timed_out_count > 0 OR unassigned_count > 0 OR unreachable_count > 0 OR guessed_count > 0 OR no_stock_count > 0 OR is_stalled = 1
            OR ended_elsewhere IS NOT NULL AND is_continued = 0)
        OR state = 'fulfilled' AND unassigned_count > 0;
  `,
};

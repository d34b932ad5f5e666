/**
 * Lines of pickers that no device serves, and items that nobody is to pick; orders that wait for a busy picker; what an undo takes
 * back; for whom an order is. Fulfilled orders with items that have no device wait for somebody from now on.
 */
export const workWithoutLight = {
  name: '0021-workWithoutLight',
  sql: `
    ALTER TABLE items RENAME COLUMN trouble TO trouble_before;
    ALTER TABLE items ADD COLUMN trouble TEXT
      CHECK (trouble IN ('timed_out', 'unreachable', 'unassigned', 'no_light', 'dismissed'));
    UPDATE items SET trouble = trouble_before WHERE trouble_before IS NOT NULL;
    ALTER TABLE items DROP COLUMN trouble_before;
    -- Pieces that its last confirmation counted.
    ALTER TABLE items ADD COLUMN last_booked INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX items_without_light ON items (order_id) WHERE state = 'active' AND trouble = 'no_light';

    ALTER TABLE orders ADD COLUMN dismissed_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE shipments ADD COLUMN dismissed_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE orders ADD COLUMN customer TEXT;
    ALTER TABLE orders ADD COLUMN note TEXT;
    -- It was launched for a person who picks another one.
    ALTER TABLE order_pickers ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;

    DROP INDEX orders_attention;
    CREATE INDEX orders_attention ON orders (order_number)
      WHERE state IN ('open', 'in_progress')
          AND (timed_out_count > 0 OR unassigned_count > 0 OR unreachable_count > 0 OR is_stalled = 1)
        OR state = 'fulfilled' AND unassigned_count > 0;
  `,
};

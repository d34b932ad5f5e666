/**
 * Adds the time of an order's last change, items that wait for a scan of their article (none yet), and counted pieces that do not finish
 * a line.
 */
export const ordersChanged = {
  name: '0022-ordersChanged',
  sql: `
    ALTER TABLE orders ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
    UPDATE orders SET updated_at = max(created_at, coalesce(launched_at, 0), coalesce(fulfilled_at, 0));
    -- Of ended orders only: each press would write to an index of all.
    CREATE INDEX orders_ended ON orders (updated_at) WHERE state IN ('fulfilled', 'aborted');

    ALTER TABLE items ADD COLUMN awaits_scan INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE orders ADD COLUMN unscanned_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE shipments ADD COLUMN unscanned_count INTEGER NOT NULL DEFAULT 0;

    ALTER TABLE picks ADD COLUMN is_line INTEGER NOT NULL DEFAULT 1;
  `,
};

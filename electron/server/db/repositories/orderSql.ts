/** Count columns that change during picking. Excludes `zero_count`, which never changes. */
export const COUNTS = `item_count, done_count, short_count, active_count, unassigned_count, timed_out_count, unreachable_count,
  dismissed_count, unscanned_count, guessed_count, no_stock_count, ordered_quantity, quantity_fulfilled`;

const WORK = `id, state, is_told AS isTold, item_count AS items, done_count AS done, short_count AS short, active_count AS active,
  unassigned_count AS unassigned, timed_out_count AS timedOut, unreachable_count AS unreachable, dismissed_count AS dismissed, unscanned_count AS unscanned, guessed_count AS guessed, no_stock_count AS noStock, zero_count AS zero, ordered_quantity AS ordered, quantity_fulfilled AS fulfilled`;
export const ORDERS = `SELECT ${WORK}, order_number AS orderNumber, token, ordernonce, color, seconds, sound, has_items AS hasItems,
  priority, due_at AS dueAt, customer, note, ordered_at AS orderedAt, is_paid AS isPaid, scan_required AS scanRequired, ended_elsewhere AS endedElsewhere, is_continued AS isContinued, created_at AS createdAt, updated_at AS updatedAt, revision, launched_at AS launchedAt,
  fulfilled_at AS fulfilledAt, is_stalled AS isStalled,
  (SELECT json_group_array(json_object('name', name, 'color', order_pickers.color, 'isPaused', json(iif(is_paused, 'true', 'false')),
     'waits', json(iif(waits, 'true', 'false')),
     'deviceId', device_id, 'confirmedAt', confirmed_at, 'joinedAt', joined_at, 'awayAt', away_at)) FROM order_pickers WHERE order_id = orders.id) AS pickers FROM orders`;
/** SQL condition for orders that need attention. It must match the index `orders_attention`; otherwise SQLite does not use the index. */
export const NEEDS_ATTENTION = `(state IN ('open', 'in_progress')
    AND (timed_out_count > 0 OR unassigned_count > 0 OR unreachable_count > 0 OR guessed_count > 0 OR no_stock_count > 0 OR is_stalled = 1
      OR ended_elsewhere IS NOT NULL AND is_continued = 0)
  OR state = 'fulfilled' AND unassigned_count > 0)`;
export const SHIPMENTS = `SELECT ${WORK}, order_id AS orderId, shipment_number AS shipmentNumber, shipmentnonce FROM shipments`;
/** SQL condition for orders that a file does not report as ended elsewhere, or that somebody continues nevertheless. */
export const NOT_ENDED_ELSEWHERE = '(ended_elsewhere IS NULL OR is_continued = 1)';
/** SQL condition for orders without a picker or batch that have something to pick, including items without a light. */
export const FREE = `state IN ('open', 'in_progress') AND item_count > done_count + dismissed_count AND ${NOT_ENDED_ELSEWHERE}
  AND NOT EXISTS (SELECT 1 FROM order_pickers WHERE order_id = orders.id)
  AND NOT EXISTS (SELECT 1 FROM batch_orders WHERE order_id = orders.id)`;

import type { Db } from '../db.ts';
import { NOT_ENDED_ELSEWHERE } from './orderSql.ts';
import { statements } from './statements.ts';

/** A person who picks an order. `deviceId` is where the person last confirmed a pick. */
export type OrderPickerRow = {
  name: string;
  color: string;
  isPaused: boolean;
  /**
   * Whether the order was launched for this person while the person was working on another order. It is not lit until the person takes it.
   */
  waits: boolean;
  deviceId: string | null;
  /** When the person last confirmed a pick, or took the order. */
  confirmedAt: number;
  joinedAt: number;
  /** When the person signed out, in forward time; null if signed in. */
  awayAt: number | null;
};

/** A picker who signed out but still has the order. */
export type AwayPicker = { orderNumber: string; name: string; awayAt: number };

/** SQL for unfinished orders in which a person (by name) has lines to pick. */
const OWN_LINES = `FROM order_pickers JOIN orders ON orders.id = order_id
  WHERE name = ? COLLATE NOCASE AND orders.state IN ('open', 'in_progress')
    AND EXISTS (SELECT 1 FROM items WHERE items.order_id = orders.id AND items.picker = order_pickers.name
      AND items.state IN ('open', 'active'))`;

/** Reads and writes the people who pick orders. Queries for orders include their pickers. */
export function orderPickerRows(db: Db) {
  const { list, run, values } = statements(db);
  const save = run(
    `INSERT INTO order_pickers (order_id, name, color, is_paused, waits, device_id, confirmed_at, joined_at, away_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET color = excluded.color, is_paused = excluded.is_paused, waits = excluded.waits, device_id = excluded.device_id,
       confirmed_at = excluded.confirmed_at, away_at = excluded.away_at`,
  );
  const setAway = run<[at: number, name: string]>(
    `UPDATE order_pickers SET away_at = ? WHERE name = ? COLLATE NOCASE AND away_at IS NULL
       AND order_id IN (SELECT id FROM orders WHERE state IN ('open', 'in_progress'))`,
  );
  const numbersOf = values<[page: { name: string; after: string }], string>(
    `SELECT order_number FROM order_pickers JOIN orders ON orders.id = order_id
     WHERE name = :name COLLATE NOCASE AND state IN ('open', 'in_progress')
       AND (joined_at, order_number) > (coalesce((SELECT joined_at FROM order_pickers WHERE name = :name COLLATE NOCASE
         AND order_id = (SELECT id FROM orders WHERE order_number = :after)), 0), :after)
     ORDER BY joined_at, order_number`,
  );

  return {
    /** Adds a picker to an order, or updates one. */
    save(orderId: number, picker: OrderPickerRow) {
      const { name, color, isPaused, waits, deviceId, confirmedAt, joinedAt, awayAt } = picker;
      save(orderId, name, color, isPaused ? 1 : 0, waits ? 1 : 0, deviceId, confirmedAt, joinedAt, awayAt);
    },
    /** Lists ids of the unfinished orders that this person is picking: not paused, and with lines for the person. */
    listPicking: values<[name: string], number>(
      `SELECT orders.id ${OWN_LINES} AND is_paused = 0 ORDER BY joined_at, orders.id`,
    ),
    /**
     * Lists ids of unfinished orders that this picker can continue: waiting orders first, then paused ones. Orders that ended elsewhere are
     * not among them.
     */
    listDark: values<[name: string], number>(
      `SELECT orders.id ${OWN_LINES} AND is_paused = 1 AND ${NOT_ENDED_ELSEWHERE} ORDER BY waits DESC, joined_at, orders.id`,
    ),
    remove: run<[orderId: number, name: string]>('DELETE FROM order_pickers WHERE order_id = ? AND name = ?'),
    /**
     * Lists the numbers of the unfinished orders that this person (by name, ignoring case) picks, by the time of joining. Starts after the
     * order `after`, or lists all orders if the person no longer picks that order.
     */
    listNumbersOf: (name: string, after = ''): string[] => numbersOf({ name, after }),
    /** Records the time at which a person signed out, in the person's unfinished orders. */
    setAway: (name: string, at: number) => setAway(at, name),
    /** Clears the time that `setAway` recorded. Call when the person signs in again. */
    setBack: run<[name: string]>(
      'UPDATE order_pickers SET away_at = NULL WHERE name = ? COLLATE NOCASE AND away_at IS NOT NULL',
    ),
    /** Lists signed-out pickers of unfinished orders, the longest absent first. */
    listAway: list<[], AwayPicker>(
      `SELECT order_number AS orderNumber, name, away_at AS awayAt FROM order_pickers JOIN orders ON orders.id = order_id
       WHERE away_at IS NOT NULL AND state IN ('open', 'in_progress') ORDER BY away_at`,
    ),
  };
}

import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** An ended order whose file has not been written yet. `answer` is the order as JSON, if the order has since been deleted. */
export type EndedOrderRow = { id: number; order_number: string; answer: string | null };

export function endedOrderRows(db: Db) {
  const { list, number, run } = statements(db);
  const waiting = number<[orderNumber: string]>('SELECT count(*) FROM ended_orders WHERE order_number = ?');
  return {
    /** Queues the order's file for writing, or for rewriting if the order ended again. */
    add: run<[orderNumber: string]>('INSERT OR REPLACE INTO ended_orders (order_number) VALUES (?)'),
    /** Whether the order's file is queued. */
    isWaiting: (orderNumber: string): boolean => waiting(orderNumber) > 0,
    /** Stores the API form of an order that is about to be deleted. */
    keep: run<[answer: string, orderNumber: string]>('UPDATE ended_orders SET answer = ? WHERE order_number = ?'),
    /** Lists orders after this id, oldest first. */
    listAfter: list<[id: number, limit: number], EndedOrderRow>(
      'SELECT * FROM ended_orders WHERE id > ? ORDER BY id LIMIT ?',
    ),
    count: number<[]>('SELECT count(*) FROM ended_orders'),
    remove: run<[id: number]>('DELETE FROM ended_orders WHERE id = ?'),
    clear: run<[]>('DELETE FROM ended_orders'),
  };
}

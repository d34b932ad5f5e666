import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** Work on all items of a large order, of which each commit does a part. */
export type OrderTaskRow = {
  orderId: number;
  kind: 'launch' | 'abort' | 'remove';
  askedBy: string;
  /** Of a launch. */
  color: string | null;
  lines: 'all' | 'free' | 'picker' | null;
  picker: string | null;
  /** Items up to this id are done, of a launch. */
  doneTo: number;
};

const TASKS = `SELECT order_id AS orderId, kind, asked_by AS askedBy, color, lines, picker, done_to AS doneTo FROM order_tasks`;

export function orderTaskRows(db: Db) {
  const { find, list, run } = statements(db);
  return {
    /** Replaces the task of the same order. */
    put: run<[task: OrderTaskRow]>(
      `INSERT OR REPLACE INTO order_tasks (order_id, kind, asked_by, color, lines, picker, done_to)
       VALUES (:orderId, :kind, :askedBy, :color, :lines, :picker, :doneTo)`,
    ),
    find: find<[orderId: number], OrderTaskRow>(`${TASKS} WHERE order_id = ?`),
    list: list<[], OrderTaskRow>(`${TASKS} ORDER BY order_id`),
    advance: run<[doneTo: number, orderId: number]>('UPDATE order_tasks SET done_to = ? WHERE order_id = ?'),
    remove: run<[orderId: number]>('DELETE FROM order_tasks WHERE order_id = ?'),
  };
}

import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** Work on many items of an order, of which each commit does a part. */
export type OrderTaskRow = {
  orderId: number;
  kind: 'launch' | 'recolor' | 'pause' | 'abort' | 'remove';
  askedBy: string;
  /** Of a launch. */
  color: string | null;
  lines: 'all' | 'free' | 'picker' | null;
  /** Of a new color or a pause: whose lines; null: those of nobody. */
  picker: string | null;
  /** Items up to this id are done, of a launch or a new color. */
  doneTo: number;
};

const TASKS = `SELECT order_id AS orderId, kind, asked_by AS askedBy, color, lines, picker, done_to AS doneTo FROM order_tasks`;

export function orderTaskRows(db: Db) {
  const { find, list, run } = statements(db);
  return {
    /** Replaces the task of the same order and kind. */
    put: run<[task: OrderTaskRow]>(
      `INSERT OR REPLACE INTO order_tasks (order_id, kind, asked_by, color, lines, picker, done_to)
       VALUES (:orderId, :kind, :askedBy, :color, :lines, :picker, :doneTo)`,
    ),
    find: find<[orderId: number, kind: string], OrderTaskRow>(`${TASKS} WHERE order_id = ? AND kind = ?`),
    /** In the order in which they are done: a launch before a new color. */
    listOf: list<[orderId: number], OrderTaskRow>(`${TASKS} WHERE order_id = ? ORDER BY kind`),
    list: list<[], OrderTaskRow>(`${TASKS} ORDER BY order_id, kind`),
    advance: run<[doneTo: number, orderId: number, kind: string]>(
      'UPDATE order_tasks SET done_to = ? WHERE order_id = ? AND kind = ?',
    ),
    remove: run<[orderId: number, kind: string]>('DELETE FROM order_tasks WHERE order_id = ? AND kind = ?'),
    removeAll: run<[orderId: number]>('DELETE FROM order_tasks WHERE order_id = ?'),
  };
}

import type { LastOrderImport } from '#shared/api/orderImport.ts';
import type { Db } from '../db.ts';

type Row = { id: number; at: number; by: string; counts: string };

export type OrderImportRows = ReturnType<typeof orderImportRows>;

/** The last import of orders, with the orders that it created. */
export function orderImportRows(db: Db) {
  const last = db.prepare<[], Row>('SELECT id, at, done_by AS "by", counts FROM order_imports');
  // Nobody has worked on them: never launched or aborted, and nothing counted.
  const undoable = db
    .prepare<[], number>(
      `SELECT count(*) FROM imported_orders JOIN orders ON orders.id = order_id
       WHERE launched_at IS NULL AND state <> 'aborted' AND quantity_fulfilled = 0`,
    )
    .pluck();
  const removeImport = db.prepare('DELETE FROM order_imports');
  const removeOrders = db.prepare('DELETE FROM imported_orders');
  const insert = db.prepare('INSERT INTO order_imports (at, done_by, counts) VALUES (?, ?, ?)');
  const setCounts = db.prepare('UPDATE order_imports SET counts = ?');
  const insertOrder = db.prepare('INSERT INTO imported_orders (order_id) VALUES (?)');
  const orders = db.prepare<[], number>('SELECT order_id FROM imported_orders ORDER BY order_id').pluck();
  const removeOrder = db.prepare('DELETE FROM imported_orders WHERE order_id = ?');

  return {
    last(): LastOrderImport | null {
      const row = last.get();
      if (row === undefined) return null;
      // Only this program writes it.
      const counts = JSON.parse(row.counts) as LastOrderImport['counts'];
      return { id: row.id, at: new Date(row.at).toISOString(), by: row.by, counts, undoable: undoable.get() ?? 0 };
    },
    /** Replaces the previous import. Returns the id. */
    begin(made: { at: number; by: string; counts: LastOrderImport['counts'] }): number {
      removeImport.run();
      removeOrders.run();
      return Number(insert.run(made.at, made.by, JSON.stringify(made.counts)).lastInsertRowid);
    },
    setCounts: (counts: LastOrderImport['counts']): void => void setCounts.run(JSON.stringify(counts)),
    addOrder: (orderId: number): void => void insertOrder.run(orderId),
    /** Ids of the created orders that have not been undone. */
    listOrders: (): number[] => orders.all(),
    removeOrder: (orderId: number): void => void removeOrder.run(orderId),
    forget(): void {
      removeImport.run();
      removeOrders.run();
    },
  };
}

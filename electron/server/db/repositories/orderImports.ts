import type { LastOrderImport } from '#shared/api/orderImport.ts';
import type { Db } from '../db.ts';
import { statements } from './statements.ts';

type Row = { id: number; at: number; by: string; counts: string };

/** The last import of orders, with the orders that it created. */
export function orderImportRows(db: Db) {
  const { find, insert, number, run, values } = statements(db);
  const last = find<[], Row>('SELECT id, at, done_by AS "by", counts FROM order_imports');
  // Nobody has worked on them: never launched or aborted, and nothing counted.
  const undoable = number<[]>(
    `SELECT count(*) FROM imported_orders JOIN orders ON orders.id = order_id
     WHERE launched_at IS NULL AND state <> 'aborted' AND quantity_fulfilled = 0`,
  );
  const removeImport = run<[]>('DELETE FROM order_imports');
  const removeOrders = run<[]>('DELETE FROM imported_orders');
  const add = insert<[at: number, by: string, counts: string]>(
    'INSERT INTO order_imports (at, done_by, counts) VALUES (?, ?, ?)',
  );
  const setCounts = run<[counts: string]>('UPDATE order_imports SET counts = ?');

  function forget(): void {
    removeImport();
    removeOrders();
  }

  return {
    last(): LastOrderImport | null {
      const row = last();
      if (row === undefined) return null;
      // Only this program writes it.
      const counts = JSON.parse(row.counts) as LastOrderImport['counts'];
      return { ...row, at: new Date(row.at).toISOString(), counts, undoable: undoable() };
    },
    /** Replaces the previous import. Returns the id. */
    begin(made: { at: number; by: string; counts: LastOrderImport['counts'] }): number {
      forget();
      return add(made.at, made.by, JSON.stringify(made.counts));
    },
    setCounts: (counts: LastOrderImport['counts']) => setCounts(JSON.stringify(counts)),
    addOrder: run<[orderId: number]>('INSERT INTO imported_orders (order_id) VALUES (?)'),
    /** Ids of the created orders that have not been undone. */
    listOrders: values<[], number>('SELECT order_id FROM imported_orders ORDER BY order_id'),
    removeOrder: run<[orderId: number]>('DELETE FROM imported_orders WHERE order_id = ?'),
    forget,
  };
}

import type { NewOrder } from '#shared/api/order.ts';
import type { ImportCounts, ImportEntry, ImportRow, ImportRowOutcome } from '#shared/api/imports.ts';
import type { Db } from '../db.ts';
import { mapped, statements } from './statements.ts';

type StoredImport = {
  id: number;
  source: ImportEntry['source'];
  name: string;
  state: ImportEntry['state'];
  at: number;
  by: string;
  counts: string;
  undone_at: number | null;
};

/** An order that an import created or changed. `before`: its content before the change; null: it was created. */
export type ImportedOrder = { orderId: number; before: NewOrder | null };

const ENTRIES = 'SELECT id, source, name, state, at, done_by AS "by", counts, undone_at FROM imports';

/** Number of imports that are kept, and for how long. */
const KEPT = 50;
const DAY_MS = 24 * 60 * 60_000;
const KEPT_MS = 30 * DAY_MS;
const KEPT_PREVIEW_MS = 7 * DAY_MS;

/** Imports of files, with their rows and the orders that they created or changed. */
export function importRows(db: Db) {
  const { change, find, insert, list, number, run, value } = statements(db);
  const byId = find<[id: number], StoredImport>(`${ENTRIES} WHERE id = ?`);
  const newest = list<[limit: number], StoredImport>(`${ENTRIES} ORDER BY id DESC LIMIT ?`);
  const lastOf = find<[by: string], StoredImport>(
    `${ENTRIES} WHERE done_by = ? AND state IN ('importing', 'imported')
       AND EXISTS (SELECT 1 FROM import_orders WHERE import_id = imports.id) ORDER BY id DESC LIMIT 1`,
  );
  // Nobody has worked on them: never launched or aborted, and nothing counted.
  const undoable = number<[id: number]>(
    `SELECT count(*) FROM import_orders JOIN orders ON orders.id = order_id
     WHERE import_id = ? AND launched_at IS NULL AND state <> 'aborted' AND quantity_fulfilled = 0`,
  );
  const add = insert<[source: string, name: string, state: string, at: number, by: string, counts: string]>(
    'INSERT INTO imports (source, name, state, at, done_by, counts) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const save = run<[state: string, counts: string, id: number]>(
    'UPDATE imports SET state = ?, counts = ? WHERE id = ?',
  );
  const setRow = run<[id: number, line: number, outcome: string, answer: string]>(
    'INSERT OR REPLACE INTO import_rows (import_id, line, outcome, answer) VALUES (?, ?, ?, ?)',
  );
  const rows = list<[page: { id: number; outcome: string | null; after: number; limit: number }], { answer: string }>(
    `SELECT answer FROM import_rows WHERE import_id = :id AND line > :after AND (:outcome IS NULL OR outcome = :outcome)
     ORDER BY line LIMIT :limit`,
  );
  const addOrder = run<[id: number, orderId: number, before: string | null]>(
    'INSERT OR IGNORE INTO import_orders (import_id, order_id, before) VALUES (?, ?, ?)',
  );
  const orders = list<[id: number], { orderId: number; before: string | null }>(
    'SELECT order_id AS orderId, before FROM import_orders WHERE import_id = ? ORDER BY order_id',
  );
  const file = value<[id: number], string>('SELECT file FROM imports WHERE id = ?');
  const setFile = run<[file: string | null, id: number]>('UPDATE imports SET file = ? WHERE id = ?');
  const prune = change<[times: { keep: number; old: number; oldPreview: number }]>(
    `DELETE FROM imports WHERE at < :old OR state = 'preview' AND at < :oldPreview
       OR state <> 'importing' AND id <= coalesce((SELECT id FROM imports ORDER BY id DESC LIMIT 1 OFFSET :keep), 0)`,
  );

  function entryOf({ undone_at: undoneAt, at, counts, ...row }: StoredImport): ImportEntry {
    return {
      ...row,
      kind: 'orders',
      at: new Date(at).toISOString(),
      // Only this program writes it.
      counts: JSON.parse(counts) as ImportCounts,
      undoable: row.state === 'imported' || row.state === 'importing' ? undoable(row.id) : 0,
      undone_time: undoneAt === null ? null : new Date(undoneAt).toISOString(),
    };
  }

  return {
    find: (id: number): ImportEntry | undefined => mapped(byId(id), entryOf),
    /** The newest first. */
    list: (): ImportEntry[] => newest(KEPT).map(entryOf),
    /** The last import of this person or program that created or changed orders, unless it was undone. */
    lastOf: (by: string): ImportEntry | undefined => mapped(lastOf(by), entryOf),
    /** Also forgets old imports. Returns the id. */
    add(made: Pick<ImportEntry, 'source' | 'name' | 'state' | 'by' | 'counts'> & { at: number }): number {
      prune({ keep: KEPT, old: made.at - KEPT_MS, oldPreview: made.at - KEPT_PREVIEW_MS });
      return add(made.source, made.name, made.state, made.at, made.by, JSON.stringify(made.counts));
    },
    remove: run<[id: number]>('DELETE FROM imports WHERE id = ?'),
    save: (id: number, state: ImportEntry['state'], counts: ImportCounts): void =>
      save(state, JSON.stringify(counts), id),
    setUndone: run<[at: number, id: number]>("UPDATE imports SET state = 'undone', undone_at = ? WHERE id = ?"),
    /** Replaces the row of this line. */
    setRow: (id: number, row: ImportRow): void => setRow(id, row.line, row.outcome, JSON.stringify(row)),
    listRows: (
      id: number,
      page: { outcome: ImportRowOutcome | undefined; after: number; limit: number },
    ): ImportRow[] =>
      // Only this program writes it.
      rows({ id, ...page, outcome: page.outcome ?? null }).map(({ answer }) => JSON.parse(answer) as ImportRow),
    /** Keeps the content that the order had before this import changed it first. */
    addOrder: (id: number, orderId: number, before: NewOrder | null): void =>
      addOrder(id, orderId, before === null ? null : JSON.stringify(before)),
    listOrders: (id: number): ImportedOrder[] =>
      orders(id).map(({ orderId, before }) => ({
        orderId,
        // Only this program writes it.
        before: before === null ? null : (JSON.parse(before) as NewOrder),
      })),
    /** The options and cells of a preview; undefined: not a preview. */
    findFile: (id: number): Uint8Array | undefined => mapped(file(id), (text) => Buffer.from(text, 'base64')),
    setFile: (id: number, bytes: Uint8Array | null): void =>
      setFile(bytes === null ? null : Buffer.from(bytes).toString('base64'), id),
    /** Digest of the content when a file last created or changed the order. Undefined: no file did. */
    findDigest: value<[orderId: number], string>('SELECT import_digest FROM orders WHERE id = ?'),
    setDigest: run<[digest: string, orderId: number]>('UPDATE orders SET import_digest = ? WHERE id = ?'),
  };
}

import type { Db } from '../db.ts';
import { mapped, statements } from './statements.ts';

/** A file of the inbox. `target` is its name in `done` or `failed` once it is imported. Times are epoch milliseconds. */
export type InboxFileRow = {
  id: number;
  hash: string;
  name: string;
  begunAt: number;
  state: 'importing' | 'imported' | 'moved';
  isFailed: boolean;
  target: string | null;
};

type StoredFile = {
  id: number;
  hash: string;
  name: string;
  begun_at: number;
  state: InboxFileRow['state'];
  is_failed: number;
  target: string | null;
};

/**
 * A file in `done` or `failed` that the station watches for growth. `size` and `hash` (SHA-256) describe the content that was imported.
 * `name` is its name in the inbox, and `target` its name in `folder`.
 */
export type MovedFileRow = {
  folder: string;
  target: string;
  name: string;
  size: number;
  hash: string;
  movedAt: number;
};

/**
 * A file of the inbox that is being read, or that the station was reading when it ended. `name` is its name in the inbox, and `begun` how
 * often reading it began without an end.
 */
export type ReadingRow = { hash: string; name: string; begun: number };

/** The last imported content of the published sheet. */
export type SheetMemory = { url: string; hash: string };

export function inboxFileRows(db: Db) {
  const { find, insert, list, meta, run, values } = statements(db);
  const newest = find<[hash: string], StoredFile>('SELECT * FROM inbox_files WHERE hash = ? ORDER BY id DESC LIMIT 1');
  const imported = list<[], StoredFile>("SELECT * FROM inbox_files WHERE state = 'imported'");
  const sheet = meta('orders_sheet');
  const reading = meta('inbox_reading');
  return {
    /** Finds the newest file with this content. */
    findByHash: (hash: string): InboxFileRow | undefined => mapped(newest(hash), rowOf),
    /** Lists imported files that have not been moved yet. */
    listImported: (): InboxFileRow[] => imported().map(rowOf),
    insert: insert<[hash: string, name: string, at: number]>(
      "INSERT INTO inbox_files (hash, name, begun_at, state, is_failed) VALUES (?, ?, ?, 'importing', 0)",
    ),
    rename: run<[name: string, id: number]>('UPDATE inbox_files SET name = ? WHERE id = ?'),
    setImported: run<[isFailed: number, target: string, id: number]>(
      "UPDATE inbox_files SET state = 'imported', is_failed = ?, target = ? WHERE id = ?",
    ),
    setMoved: run<[id: number]>("UPDATE inbox_files SET state = 'moved' WHERE id = ?"),
    /** Deletes files whose import began before `at`, except imported files that have not been moved yet. */
    prune: run<[at: number]>("DELETE FROM inbox_files WHERE begun_at < ? AND state <> 'imported'"),
    addOrder: run<[id: number, orderNumber: string]>('INSERT INTO inbox_orders (file_id, order_number) VALUES (?, ?)'),
    listOrders: values<[id: number], string>('SELECT order_number FROM inbox_orders WHERE file_id = ?'),
    forgetOrders: run<[id: number]>('DELETE FROM inbox_orders WHERE file_id = ?'),
    /** Lists the watched files in this folder. */
    listMoved: list<[folder: string], MovedFileRow>(
      'SELECT folder, target, name, size, hash, moved_at AS movedAt FROM moved_files WHERE folder = ? ORDER BY target',
    ),
    addMoved: run<[row: MovedFileRow]>(
      `INSERT OR REPLACE INTO moved_files (folder, target, name, size, hash, moved_at)
       VALUES (:folder, :target, :name, :size, :hash, :movedAt)`,
    ),
    removeMoved: run<[row: MovedFileRow]>('DELETE FROM moved_files WHERE folder = :folder AND target = :target'),
    /** Deletes moved files except those that moved less than `ms` before or after `now`. */
    pruneMoved: run<[times: { now: number; ms: number }]>('DELETE FROM moved_files WHERE abs(moved_at - :now) >= :ms'),
    listReading: (): ReadingRow[] => (reading.getJson() as ReadingRow[] | undefined) ?? [],
    saveReading: (rows: readonly ReadingRow[]): void =>
      rows.length === 0 ? reading.remove() : reading.set(JSON.stringify(rows)),
    findSheet: (): SheetMemory | undefined => sheet.getJson() as SheetMemory | undefined,
    saveSheet: (memory: SheetMemory): void => sheet.set(JSON.stringify(memory)),
  };
}

function rowOf({ begun_at: begunAt, is_failed: isFailed, ...row }: StoredFile): InboxFileRow {
  return { ...row, begunAt, isFailed: isFailed === 1 };
}

import type { DraftEntry } from '#shared/api/importDrafts.ts';
import type { Db } from '../db.ts';
import { mapped, statements } from './statements.ts';

type Row = {
  id: number;
  import_id: number;
  name: string;
  at: number;
  by: string;
  order_number: string;
  message: string;
  exists: number;
};

/** A draft with its packed rows. */
export type StoredDraft = DraftEntry & { file: string };
/** A draft with its columns as stored. */
export type NewDraft = Omit<Row, 'exists' | 'id'> & { file: string; digest: string };

const KEPT_MS = 30 * 24 * 60 * 60_000;
const FIELDS = `id, import_id, name, at, done_by AS "by", order_number, message,
  EXISTS (SELECT 1 FROM orders WHERE orders.order_number = import_drafts.order_number) AS "exists"`;

/** Reads and writes drafts: orders from imported files, kept for correction. */
export function importDraftRows(db: Db) {
  const { change, find, list, number, run } = statements(db);
  const byId = find<[id: number], Row & { file: string }>(`SELECT ${FIELDS}, file FROM import_drafts WHERE id = ?`);
  const page = list<[before: number, limit: number], Row>(
    `SELECT ${FIELDS} FROM import_drafts WHERE id < ? ORDER BY id DESC LIMIT ?`,
  );
  const add = run<[draft: NewDraft]>(
    `INSERT INTO import_drafts (import_id, name, at, done_by, order_number, message, file, digest)
     SELECT :import_id, :name, :at, :by, :order_number, :message, :file, :digest
     WHERE NOT EXISTS (SELECT 1 FROM import_drafts WHERE order_number = :order_number AND digest = :digest)`,
  );
  const save = run<[orderNumber: string, message: string, file: string, id: number]>(
    'UPDATE import_drafts SET order_number = ?, message = ?, file = ? WHERE id = ?',
  );
  const prune = run<[old: number]>('DELETE FROM import_drafts WHERE at < ?');
  const hasOld = number<[old: number]>('SELECT EXISTS (SELECT 1 FROM import_drafts WHERE at < ?)');

  const entryOf = ({ at, exists, ...row }: Row): DraftEntry => ({
    ...row,
    at: new Date(at).toISOString(),
    expires_time: new Date(at + KEPT_MS).toISOString(),
    exists: exists === 1,
  });
  const oldAt = (now: number, mostMs: number): number => now - Math.min(KEPT_MS, mostMs);

  return {
    /** Lists drafts, newest first. `before` is the id of the last draft on the previous page. */
    list: (before: number, limit: number): DraftEntry[] => page(before, limit).map(entryOf),
    find: (id: number): StoredDraft | undefined => mapped(byId(id), ({ file, ...row }) => ({ ...entryOf(row), file })),
    /** Adds a draft. Does nothing if a draft for the same order has the same rows. */
    add,
    save: (
      id: number,
      { order_number: orderNumber, message, file }: Pick<StoredDraft, 'file' | 'message' | 'order_number'>,
    ): void => save(orderNumber, message, file, id),
    /** Returns the number of removed drafts. */
    remove: change<[id: number]>('DELETE FROM import_drafts WHERE id = ?'),
    /** Lists the drafts of an import as they are stored, oldest first. */
    listOfImport: list<[importId: number], NewDraft>(
      `SELECT import_id, name, at, done_by AS "by", order_number, message, file, digest FROM import_drafts
       WHERE import_id = ? ORDER BY id`,
    ),
    removeOfImport: run<[importId: number]>('DELETE FROM import_drafts WHERE import_id = ?'),
    /** Removes drafts that are older than 30 days or than `mostMs`. */
    prune: (now: number, mostMs: number): void => prune(oldAt(now, mostMs)),
    hasOld: (now: number, mostMs: number): boolean => hasOld(oldAt(now, mostMs)) === 1,
  };
}

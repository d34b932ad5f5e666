import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** An additional receiver of callbacks. */
export type CallbackReceiverRow = {
  id: number;
  name: string;
  url: string;
  /** Whether the receiver gets each family of callbacks, as JSON. */
  families: string;
  paused: 0 | 1;
  /** The station's running time when the receiver was last resumed, in milliseconds. */
  resumed_ran_ms: number;
  /** Encrypted, like `signing_secret`. */
  api_key: string | null;
  signing_secret: string | null;
};

export function callbackReceiverRows(db: Db) {
  const { change, insertInto, list, run } = statements(db);
  const columns = 'name, url, families, paused, resumed_ran_ms, api_key, signing_secret';
  type New = Omit<CallbackReceiverRow, 'id'> & { name_key: string };
  const insert = insertInto<New>('callback_receivers', `name_key, ${columns}`);
  const save = run<[row: New & { id: number }]>(
    `UPDATE callback_receivers SET name_key = :name_key, name = :name, url = :url, families = :families, paused = :paused,
       resumed_ran_ms = :resumed_ran_ms, api_key = :api_key, signing_secret = :signing_secret WHERE id = :id`,
  );
  const remove = change<[id: number]>('DELETE FROM callback_receivers WHERE id = ?');
  return {
    /** Lists receivers, sorted by id. */
    list: list<[], CallbackReceiverRow>(`SELECT id, ${columns} FROM callback_receivers ORDER BY id`),
    /** Returns the id. */
    insert: (row: Omit<CallbackReceiverRow, 'id'>) => insert({ ...row, name_key: nameKey(row.name) }),
    save: (row: CallbackReceiverRow) => save({ ...row, name_key: nameKey(row.name) }),
    remove: (id: number) => remove(id) > 0,
  };
}

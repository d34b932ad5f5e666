import type { Db } from '../db.ts';
import { statements } from './statements.ts';

export type ScreenRow = { id: number; name: string; secret_hash: string; created_at: number };

/** Reads and writes screens, which are browsers that show the wall board. */
export function screenRows(db: Db) {
  const { find, insertInto, list, run } = statements(db);
  const screens = 'SELECT id, name, secret_hash, created_at FROM screens';
  return {
    listScreens: list<[], ScreenRow>(`${screens} ORDER BY id`),
    findScreen: find<[id: number], ScreenRow>(`${screens} WHERE id = ?`),
    findScreenBySecret: find<[hash: string], ScreenRow>(`${screens} WHERE secret_hash = ?`),
    /** Returns the id. */
    insertScreen: insertInto<Omit<ScreenRow, 'id'>>('screens', 'name, secret_hash, created_at'),
    removeScreen: run<[id: number]>('DELETE FROM screens WHERE id = ?'),
  };
}

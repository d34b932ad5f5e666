import type { Db } from '../db.ts';
import { statements } from './statements.ts';

export type KioskRow = { id: number; name: string; token_hash: string; created_at: number };

/** Reads and writes kiosks, which are browsers at which pickers sign in with a PIN. */
export function kioskRows(db: Db) {
  const { find, insertInto, list, run } = statements(db);
  const kiosks = 'SELECT id, name, token_hash, created_at FROM kiosks';
  return {
    listKiosks: list<[], KioskRow>(`${kiosks} ORDER BY id`),
    findKiosk: find<[id: number], KioskRow>(`${kiosks} WHERE id = ?`),
    findKioskByToken: find<[hash: string], KioskRow>(`${kiosks} WHERE token_hash = ?`),
    /** Returns the id. */
    insertKiosk: insertInto<Omit<KioskRow, 'id'>>('kiosks', 'name, token_hash, created_at'),
    /** Removes a kiosk and the sessions that began there. */
    removeKiosk: run<[id: number]>('DELETE FROM kiosks WHERE id = ?'),
  };
}

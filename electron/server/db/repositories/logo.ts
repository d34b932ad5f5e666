import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** Reads and writes the shop's logo. `version` is a hash of the content. */
export function logoRows(db: Db) {
  const { change, find, run, value } = statements(db);
  const version = value<[], string>('SELECT version FROM logo');
  return {
    /** Returns the version of the logo; empty if there is none. */
    version: (): string => version() ?? '',
    find: find<[], { version: string; bytes: Uint8Array }>('SELECT version, content AS bytes FROM logo'),
    put: run<[version: string, content: Uint8Array]>(
      'INSERT OR REPLACE INTO logo (id, version, content) VALUES (1, ?, ?)',
    ),
    /** Returns the number of removed logos. */
    remove: change<[]>('DELETE FROM logo'),
  };
}

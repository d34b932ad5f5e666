import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** What callers were answered to confirmations with a key. */
export function confirmationRows(db: Db) {
  const { run, value } = statements(db);
  const find = value<[caller: string, key: string, since: number], string>(
    'SELECT answer FROM confirmations WHERE caller = ? AND key = ? AND at > ?',
  );
  const insert = run<[caller: string, key: string, answer: string, at: number]>(
    'INSERT OR REPLACE INTO confirmations (caller, key, answer, at) VALUES (?, ?, ?, ?)',
  );
  return {
    /** The answer to this key, if it was given after `since`. */
    find(caller: string, key: string, since: number): unknown {
      const answer = find(caller, key, since);
      return answer === undefined ? undefined : JSON.parse(answer);
    },
    insert: (caller: string, key: string, answer: unknown, at: number) =>
      insert(caller, key, JSON.stringify(answer), at),
    forget: run<[before: number]>('DELETE FROM confirmations WHERE at <= ?'),
  };
}

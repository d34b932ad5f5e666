import type { Db } from '../db.ts';
import { statements } from './statements.ts';

export type CommitRow = { revision: number; facts: string };

/** Reads and writes commits with their facts, for resuming streams. */
export function commitRows(db: Db) {
  const { find, list, number, value } = statements(db);
  const one = value<[revision: number], number>('SELECT 1 FROM commits WHERE revision = ?');
  const range = find<[], { oldest: number | null; newest: number | null }>(
    'SELECT (SELECT min(revision) FROM commits) AS oldest, (SELECT max(revision) FROM commits) AS newest',
  );
  return {
    /** Returns the time of the last commit with facts, in epoch milliseconds, or 0 if there is none. */
    lastAt: number<[]>('SELECT at FROM commits ORDER BY revision DESC LIMIT 1'),
    isKept: (revision: number) => one(revision) !== undefined,
    /** Returns the number of commits after `revision`, counted up to `limit`. */
    countSince: number<[revision: number, limit: number]>(
      'SELECT count(*) FROM (SELECT 1 FROM commits WHERE revision > ? LIMIT ?)',
    ),
    listSince: list<[revision: number, limit: number], CommitRow>(
      'SELECT revision, facts FROM commits WHERE revision > ? ORDER BY revision LIMIT ?',
    ),
    /** Returns the number of bytes that `listSince` would return without a limit. Does not read the rows' facts. */
    bytesSince: number<[revision: number]>('SELECT sum(octet_length(facts)) FROM commits WHERE revision > ?'),
    /** Returns the oldest and newest stored revision, or nulls if there are none. */
    range: () => range() ?? { oldest: null, newest: null },
  };
}

import type { Db } from '../db.ts';
import { statements } from './statements.ts';

export type CommitRow = { revision: number; facts: string };

/** Commits with their facts, for resuming streams. */
export function commitRows(db: Db) {
  const { find, list, number, value } = statements(db);
  const one = value<[revision: number], number>('SELECT 1 FROM commits WHERE revision = ?');
  const range = find<[], { oldest: number | null; newest: number | null }>(
    'SELECT (SELECT min(revision) FROM commits) AS oldest, (SELECT max(revision) FROM commits) AS newest',
  );
  return {
    /** Time of the last commit with facts, in epoch milliseconds. 0: none. */
    lastAt: number<[]>('SELECT at FROM commits ORDER BY revision DESC LIMIT 1'),
    isKept: (revision: number) => one(revision) !== undefined,
    /** Number of commits after `revision`, counted up to `limit`. */
    countSince: number<[revision: number, limit: number]>(
      'SELECT count(*) FROM (SELECT 1 FROM commits WHERE revision > ? LIMIT ?)',
    ),
    listSince: list<[revision: number, limit: number], CommitRow>(
      'SELECT revision, facts FROM commits WHERE revision > ? ORDER BY revision LIMIT ?',
    ),
    /** Number of bytes that `listSince` would return. Does not read them. */
    bytesSince: number<[revision: number]>('SELECT sum(octet_length(facts)) FROM commits WHERE revision > ?'),
    /** Oldest and newest kept revision, or nulls if there are none. */
    range: () => range() ?? { oldest: null, newest: null },
  };
}

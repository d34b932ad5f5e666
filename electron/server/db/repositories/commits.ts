import type { Db } from '../db.ts';

export type CommitRow = { revision: number; facts: string };

export type CommitRows = ReturnType<typeof commitRows>;

/** Commits with their facts, for streams that resume. */
export function commitRows(db: Db) {
  const since = db.prepare<[number, number], CommitRow>(
    'SELECT revision, facts FROM commits WHERE revision > ? ORDER BY revision LIMIT ?',
  );
  const one = db.prepare<[number], number>('SELECT 1 FROM commits WHERE revision = ?').pluck();
  const count = db
    .prepare<[number, number], number>('SELECT count(*) FROM (SELECT 1 FROM commits WHERE revision > ? LIMIT ?)')
    .pluck();
  const bytes = db
    .prepare<[number], number | null>('SELECT sum(octet_length(facts)) FROM commits WHERE revision > ?')
    .pluck();
  const range = db.prepare<[], { oldest: number | null; newest: number | null }>(
    'SELECT (SELECT min(revision) FROM commits) AS oldest, (SELECT max(revision) FROM commits) AS newest',
  );
  const lastAt = db.prepare<[], number>('SELECT at FROM commits ORDER BY revision DESC LIMIT 1').pluck();
  return {
    /** Time of the last commit with facts, epoch milliseconds; 0: never. */
    lastAt: (): number => lastAt.get() ?? 0,
    isKept: (revision: number): boolean => one.get(revision) !== undefined,
    /** Number of commits after `revision`; counts up to `limit`. */
    countSince: (revision: number, limit: number): number => count.get(revision, limit) ?? 0,
    listSince: (revision: number, limit: number): CommitRow[] => since.all(revision, limit),
    /** Size of all that `listSince` would return; does not read it. */
    bytesSince: (revision: number): number => bytes.get(revision) ?? 0,
    /** Oldest and newest kept revision, or nulls without any. */
    range: () => range.get() ?? { oldest: null, newest: null },
  };
}

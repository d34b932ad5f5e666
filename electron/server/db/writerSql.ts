import type { Db } from './db.ts';

/** Number of commits to remove from the table per statement. */
export const PRUNE_EVERY = 1_000;

/** Prepares the statements that the writer itself runs. */
export function prepareWriterSql(db: Db) {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    rollback: db.prepare('ROLLBACK'),
    savepoint: db.prepare('SAVEPOINT use_case'),
    release: db.prepare('RELEASE use_case'),
    rollbackTo: db.prepare('ROLLBACK TO use_case'),
    insertCommit: db.prepare('INSERT INTO commits (revision, at, facts) VALUES (?, ?, ?)'),
    pruneCommits: db.prepare(
      `DELETE FROM commits WHERE revision IN (SELECT revision FROM commits ORDER BY revision LIMIT ${PRUNE_EVERY})`,
    ),
    lastRevision: db.prepare('SELECT coalesce(max(revision), 0) FROM commits').pluck(),
    countCommits: db.prepare('SELECT count(*) FROM commits').pluck(),
  };
}

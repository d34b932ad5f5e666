import type { AuditAction, AuditDetail } from '#shared/api/access.ts';
import type { Db } from '../db.ts';

export type AuditRow = {
  id: number;
  at: number;
  action: AuditAction;
  by: string;
  subject: string;
  address: string;
  detail: AuditDetail;
};

type Row = Omit<AuditRow, 'detail'> & { detail: string };

/** Actions on places, exactly as in the migration 0005-roles. */
const PLACES = `'alias.added', 'alias.changed', 'alias.removed', 'aliases.imported', 'aliases.importUndone', 'label.changed', 'map.changed'`;

export type AuditRows = ReturnType<typeof auditRows>;

/** Who did what, when, and from where. */
export function auditRows(db: Db) {
  const insert = db.prepare(
    'INSERT INTO audit (at, action, done_by, subject, address, detail) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const page = db.prepare<[number, number], Row>(
    'SELECT id, at, action, done_by AS "by", subject, address, detail FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?',
  );
  // Worded as in the partial indexes, so that SQLite uses them.
  const pruneRefused = prune("action = 'session.refused'");
  const pruneSessions = prune("action IN ('session.opened', 'session.ended')");
  const pruneRights = prune("action = 'right.refused'");
  const prunePlaces = prune(`action IN (${PLACES})`);
  const pruneChanges = prune(
    `action NOT IN ('session.refused', 'session.opened', 'session.ended', 'right.refused', ${PLACES})`,
  );
  const setDetail = db.prepare('UPDATE audit SET detail = ? WHERE id = ?');

  function prune(which: string) {
    return db.prepare<[number]>(
      `DELETE FROM audit WHERE ${which} AND id <= (SELECT id FROM audit WHERE ${which} ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    );
  }

  return {
    /** Returns the id. */
    insert: ({ at, action, by, subject, address, detail }: Omit<AuditRow, 'id'>): number =>
      Number(insert.run(at, action, by, subject, address, JSON.stringify(detail)).lastInsertRowid),
    /** Newest first; `after` is the last id of the previous page. */
    list: (after: number | undefined, limit: number): AuditRow[] =>
      page.all(after ?? Number.MAX_SAFE_INTEGER, limit).map(fromRow),
    setDetail(id: number, detail: AuditDetail): void {
      setDetail.run(JSON.stringify(detail), id);
    },
    /** Keeps this many of the newest of each kind. */
    prune(keep: { refused: number; rights: number; sessions: number; places: number; changes: number }): void {
      pruneRefused.run(keep.refused);
      pruneSessions.run(keep.sessions);
      pruneRights.run(keep.rights);
      prunePlaces.run(keep.places);
      pruneChanges.run(keep.changes);
    },
  };
}

function fromRow(row: Row): AuditRow {
  // Only this program writes it.
  return { ...row, detail: JSON.parse(row.detail) as AuditDetail };
}

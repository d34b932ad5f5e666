import type { AuditAction, AuditDetail } from '#shared/api/access.ts';
import type { Db } from '../db.ts';
import { parseObject } from '../parseJson.ts';
import { statements } from './statements.ts';

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

/** Actions on places. Must match the partial indexes `audit_places` and `audit_changes`; otherwise SQLite does not use them. */
const PLACES = `'alias.added', 'alias.changed', 'alias.removed', 'aliases.imported', 'aliases.importUndone', 'label.changed', 'map.changed'`;

/** Each condition must match its partial index; otherwise SQLite does not use it. */
const KINDS = [
  ['refused', "action = 'session.refused'"],
  ['sessions', "action IN ('session.opened', 'session.ended')"],
  ['rights', "action = 'right.refused'"],
  ['places', `action IN (${PLACES})`],
  ['changes', `action NOT IN ('session.refused', 'session.opened', 'session.ended', 'right.refused', ${PLACES})`],
] as const;

/** Reads and writes the audit log: who did what, when, and from where. */
export function auditRows(db: Db) {
  const { insert, list, run } = statements(db);
  const add = insert<[row: Omit<Row, 'id'>]>(
    `INSERT INTO audit (at, action, done_by, subject, address, detail)
     VALUES (:at, :action, :by, :subject, :address, :detail)`,
  );
  const page = list<[before: number, limit: number], Row>(
    'SELECT id, at, action, done_by AS "by", subject, address, detail FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?',
  );
  const setDetail = run<[detail: string, id: number]>('UPDATE audit SET detail = ? WHERE id = ?');
  const pruneEach = KINDS.map(([kind, which]) => {
    const ofKind = `FROM audit WHERE ${which}`;
    const prune = run<[keep: number]>(
      `DELETE ${ofKind} AND id <= (SELECT id ${ofKind} ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    );
    return [kind, prune] as const;
  });

  return {
    /** Returns the id. */
    insert: (row: Omit<AuditRow, 'id'>) => add({ ...row, detail: JSON.stringify(row.detail) }),
    /** Lists entries, newest first. `after` is the last id of the previous page. */
    list: (after: number | undefined, limit: number): AuditRow[] =>
      page(after ?? Number.MAX_SAFE_INTEGER, limit).map(fromRow),
    setDetail: (id: number, detail: AuditDetail) => setDetail(JSON.stringify(detail), id),
    /** Removes all but this many newest entries of each kind. */
    prune(keep: Record<(typeof KINDS)[number][0], number>): void {
      for (const [kind, prune] of pruneEach) prune(keep[kind]);
    },
  };
}

function fromRow(row: Row): AuditRow {
  return { ...row, detail: parseObject(row.detail) };
}

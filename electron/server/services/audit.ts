import type { AuditAction, AuditDetail, AuditEntry, AuditQuery } from '#shared/api/access.ts';
import type { AuditRow } from '../db/repositories/audit.ts';
import type { Rows } from '../db/rows.ts';
import type { Unit } from '../db/writer.ts';

/** Who does something, and the network address that he does it from. */
export type By = { name: string; address: string };

/** The program itself, which nobody asked. */
export const STATION: By = { name: '', address: '' };

/** Who did what. Written in the use-case that does it: what is not recorded was not done. */
export type Audit = {
  record(unit: Unit, entry: { action: AuditAction; by: By; subject: string; detail: AuditDetail }): void;
  list(query: AuditQuery): AuditEntry[];
};

/** Of each kind apart: anybody can have a sign-in refused as often as he likes, and a program may sign in for each call. */
const KEPT = { refused: 2_000, sessions: 10_000, changes: 20_000 };
const PRUNE_EVERY = 100;

export function createAudit(parts: { rows: Rows; reads: Rows }): Audit {
  const { rows, reads } = parts;
  return {
    record(unit, { action, by, subject, detail }) {
      const { name, address } = by;
      const id = rows.audit.insert({ at: unit.now, action, by: name, subject, address, detail });
      if (id % PRUNE_EVERY === 0) rows.audit.prune(KEPT);
    },
    list: ({ after, limit }) =>
      reads.audit.list(after === undefined ? undefined : Number(after), limit).map(auditEntry),
  };
}

function auditEntry({ id, at, ...entry }: AuditRow): AuditEntry {
  return { id: String(id), at: new Date(at).toISOString(), ...entry };
}

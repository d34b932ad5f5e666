import type { AuditAction, AuditDetail, AuditEntry, AuditQuery } from '#shared/api/access.ts';
import type { AuditRow } from '../../db/repositories/audit.ts';
import type { BaseRepositories } from './types.ts';
import type { Transaction } from '../../db/writer.ts';

/** The person or program that acts, and its network address. */
export type By = { name: string; address: string };

/** The station, acting by itself. */
export const STATION: By = { name: '', address: '' };

/** Entries to keep of each kind, limited separately: anybody can cause refusals, and a program can sign in or move aliases all day. */
const KEPT = { refused: 2_000, rights: 2_000, sessions: 10_000, places: 10_000, changes: 20_000 };
const PRUNE_EVERY = 100;
/** The stream only announces these new entries, because the list is for admins. */
const ACCESS = /^(?:user|apiUser|password|kiosk|screen)\./;

/** Records who did what, in the same use-case, so that no change goes unrecorded. */
export function createAudit(parts: { repositories: BaseRepositories; reads: BaseRepositories }) {
  const { repositories, reads } = parts;
  return {
    /** Returns the number of the entry. */
    record(
      tx: Transaction,
      { action, by, subject, detail }: { action: AuditAction; by: By; subject: string; detail: AuditDetail },
    ): number {
      const { name, address } = by;
      const id = repositories.audit.insert({ at: tx.now, action, by: name, subject, address, detail });
      if (id % PRUNE_EVERY === 0) repositories.audit.prune(KEPT);
      if (ACCESS.test(action)) tx.emit({ type: 'access.changed' });
      return id;
    },
    /** Replaces the detail of an entry within a use-case. Does nothing if the entry was pruned. */
    amend: (id: number, detail: AuditDetail): void => repositories.audit.setDetail(id, detail),
    list: ({ after, limit }: AuditQuery): AuditEntry[] =>
      reads.audit.list(after === undefined ? undefined : Number(after), limit).map(auditEntry),
  };
}

export type Audit = ReturnType<typeof createAudit>;

function auditEntry({ id, at, ...entry }: AuditRow): AuditEntry {
  return { id: String(id), at: new Date(at).toISOString(), ...entry };
}

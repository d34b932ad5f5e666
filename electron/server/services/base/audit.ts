import type { AuditAction, AuditDetail, AuditEntry, AuditQuery } from '#shared/api/access.ts';
import type { AuditRow } from '../../db/repositories/audit.ts';
import type { BaseRepositories } from './types.ts';
import type { Transaction } from '../../db/writer.ts';

/** The person or program that acts, and its network address. */
export type By = { name: string; address: string };

/** Identifies the station when it acts on its own. */
export const STATION: By = { name: '', address: '' };

/**
 * Number of entries to keep of each kind. The limits are separate because anybody can cause refusals, and a program can sign in or move
 * aliases all day.
 */
const KEPT = { refused: 2_000, rights: 2_000, sessions: 10_000, places: 10_000, changes: 20_000 };
const PRUNE_EVERY = 100;
/** For these actions, the event stream only announces that there is a new entry, because the list is for admins. */
const ACCESS = /^(?:user|apiUser|password|kiosk|screen)\./;

/** Records who did what in the transaction of the change, so that no change goes unrecorded. */
export function createAudit(parts: { repositories: BaseRepositories; reads: BaseRepositories }) {
  const { repositories, reads } = parts;
  return {
    /** Adds an entry and returns its number. */
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
    /** Replaces the detail of an entry, inside a transaction. Does nothing if the entry was pruned. */
    amend: (id: number, detail: AuditDetail): void => repositories.audit.setDetail(id, detail),
    list: ({ after, limit }: AuditQuery): AuditEntry[] =>
      reads.audit.list(after === undefined ? undefined : Number(after), limit).map(auditEntry),
  };
}

export type Audit = ReturnType<typeof createAudit>;

function auditEntry({ id, at, ...entry }: AuditRow): AuditEntry {
  return { id: String(id), at: new Date(at).toISOString(), ...entry };
}

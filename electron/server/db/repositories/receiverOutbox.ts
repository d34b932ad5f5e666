import type { CallbackReceiver } from '#shared/api/callback.ts';
import type { Db } from '../db.ts';
import { numberOf, type OutboxRow } from './outboxRow.ts';
import { statements } from './statements.ts';

/** State of a recovery. `notBefore` is the earliest forward time for early retries. */
export type SavedRecovery = {
  isRecovering: boolean;
  notBefore: number;
  /** Forward time at which the outage began; null if there is no outage. */
  failingSince: number | null;
};

/**
 * Known problem with a receiver: when it began, in epoch milliseconds, and the last result. `isFailing` tells whether the problem is
 * confirmed.
 */
export type SavedTrouble = { isFailing: boolean; since: number; status: number | null; error: string };

/** Returns a function that gives access to the deliveries of one receiver. Prepares their statements only once. */
export function receiverOutboxes(db: Db) {
  const known = new Map<CallbackReceiver, ReturnType<typeof receiverOutbox>>();
  return (receiver: CallbackReceiver) => {
    const outbox = known.get(receiver) ?? receiverOutbox(db, receiver);
    known.set(receiver, outbox);
    return outbox;
  };
}

/** Gives access to the deliveries and the stored state of one receiver. */
function receiverOutbox(db: Db, receiver: CallbackReceiver) {
  const { find, list, meta, number, value, values } = statements(db);
  const mine = `receiver = ${numberOf(receiver)} AND`;
  const earliest = value<[now: number], number>(
    `SELECT min(next_attempt_at) FROM outbox WHERE ${mine} next_attempt_at > ?`,
  );
  // Keys of the main receiver have no suffix, because it was once the only receiver.
  const ofMeta = receiver === 'http' ? '' : `_${receiver}`;
  const trouble = meta(`callback_trouble${ofMeta}`);
  const recovery = meta(`callback_recovery${ofMeta}`);
  return {
    /** Lists ids of due deliveries, the longest waiting first. `now` is forward time. */
    listDue: values<[now: number, limit: number], number>(
      `SELECT id FROM outbox WHERE ${mine} next_attempt_at <= ? ORDER BY next_attempt_at, id LIMIT ?`,
    ),
    /**
     * Lists pending deliveries with an id above `after`, due or not, oldest first. `device` is empty if the delivery is not about a device.
     */
    listWaiting: list<[after: number, limit: number], { id: number; device: string }>(
      // The index is sorted by time, so sort only its ids, and read only the payloads of the page.
      `SELECT id, iif(json_valid(payload), coalesce(json_extract(payload, '$.deviceid'), ''), '') AS device FROM outbox WHERE id IN
         (SELECT id FROM outbox INDEXED BY outbox_due WHERE ${mine} next_attempt_at IS NOT NULL AND id > ? ORDER BY id LIMIT ?)
       ORDER BY id`,
    ),
    /** Returns the number of pending deliveries. */
    countPending: number<[]>(
      `SELECT count(*) FROM outbox INDEXED BY outbox_due WHERE ${mine} next_attempt_at IS NOT NULL`,
    ),
    /** Returns the number of dead deliveries. */
    countDead: number<[]>(`SELECT count(*) FROM outbox INDEXED BY outbox_dead WHERE ${mine} state = 'dead'`),
    /** Finds the newest delivery that has been attempted. Always undefined for the main receiver, whose rows are not in the index. */
    findTried: find<[], Pick<OutboxRow, 'last_attempt_at' | 'last_status' | 'last_error'>>(
      `SELECT last_attempt_at, last_status, last_error FROM outbox INDEXED BY outbox_receiver
       WHERE ${mine} receiver > 0 AND last_attempt_at IS NOT NULL ORDER BY id DESC LIMIT 1`,
    ),
    /** Returns the first due time after `now`, or null if there is none. */
    earliestDueAfter: (now: number): number | null => earliest(now) ?? null,
    /** Returns the receiver's problem as stored by the last run, or null if there was none. */
    findTrouble: (): SavedTrouble | null => (trouble.getJson() ?? null) as SavedTrouble | null,
    saveTrouble: (saved: SavedTrouble | null) => trouble.set(JSON.stringify(saved)),
    /** Returns the stored state of the receiver's recovery. */
    findRecovery: (): SavedRecovery =>
      (recovery.getJson() as SavedRecovery | undefined) ?? { isRecovering: false, notBefore: 0, failingSince: null },
    saveRecovery: (saved: SavedRecovery) => recovery.set(JSON.stringify(saved)),
    /** Removes the stored state of a deleted receiver. */
    forget(): void {
      trouble.remove();
      recovery.remove();
    },
  };
}

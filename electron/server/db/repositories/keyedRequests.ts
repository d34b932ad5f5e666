import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** Maximum number of old requests to delete per call. */
const PRUNED_AT_ONCE = 1_000;

/** `status` is null until the request is answered. `answer` is JSON, or null if the answer has no body. */
export type KeyedRequestRow = { id: number; digest: string; status: number | null; answer: string | null };

/** `item` is the index in a `writeEach`, otherwise 0. `result` is JSON. */
export type KeyedStepRow = { step: number; item: number; result: string };

/** Reads and writes requests with an idempotency key, and their answers. Contract, section 2. */
export function keyedRequestRows(db: Db) {
  const { change, find, insert, list, number, run } = statements(db);
  const removeExpired = run<[caller: string, key: string, before: number]>(
    'DELETE FROM keyed_requests WHERE caller = ? AND key = ? AND at <= ?',
  );
  const findId = number<[caller: string, key: string]>('SELECT id FROM keyed_requests WHERE caller = ? AND key = ?');
  const add = insert<[caller: string, key: string, digest: string, at: number]>(
    'INSERT INTO keyed_requests (caller, key, digest, at) VALUES (?, ?, ?, ?)',
  );
  const finish = run<[status: number, answer: string | null, id: number]>(
    'UPDATE keyed_requests SET status = ?, answer = ? WHERE id = ?',
  );
  const removeSteps = run<[id: number]>('DELETE FROM keyed_steps WHERE request_id = ?');
  return {
    /** Finds a request that is newer than `since` (epoch milliseconds). */
    find: find<[caller: string, key: string, since: number], KeyedRequestRow>(
      'SELECT id, digest, status, answer FROM keyed_requests WHERE caller = ? AND key = ? AND at > ?',
    ),
    /** Returns the id of the request, creating it if necessary. Replaces a request with this key that is not newer than `since`. */
    ensure(
      { caller, key, digest }: { caller: string; key: string; digest: string },
      at: number,
      since: number,
    ): number {
      removeExpired(caller, key, since);
      const known = findId(caller, key);
      return known === 0 ? add(caller, key, digest, at) : known;
    },
    /** Stores the answer and deletes the steps. */
    finish(id: number, { status, answer }: { status: number; answer: string | null }): void {
      finish(status, answer, id);
      removeSteps(id);
    },
    remove: run<[caller: string, key: string]>('DELETE FROM keyed_requests WHERE caller = ? AND key = ?'),
    hasBefore: number<[at: number]>('SELECT EXISTS (SELECT 1 FROM keyed_requests WHERE at <= ?)'),
    removeBefore: change<[at: number]>(
      `DELETE FROM keyed_requests WHERE id IN (SELECT id FROM keyed_requests WHERE at <= ? ORDER BY at LIMIT ${PRUNED_AT_ONCE})`,
    ),
    addStep: run<[id: number, step: number, item: number, result: string]>(
      'INSERT INTO keyed_steps (request_id, step, item, result) VALUES (?, ?, ?, ?)',
    ),
    listSteps: list<[id: number], KeyedStepRow>('SELECT step, item, result FROM keyed_steps WHERE request_id = ?'),
    /** Returns the number of rows that this connection has changed since it was opened. */
    countChanges: number<[]>('SELECT total_changes()'),
  };
}

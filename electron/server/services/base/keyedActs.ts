import { createHash } from 'node:crypto';
import { storedJson } from '../../db/storedJson.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { contentText } from './contentText.ts';
import { DAMAGED_ANSWER, KEYS_REMEMBERED_MS, refuseReuse } from './keyedRequests.ts';
import type { BaseRepositories } from './types.ts';

/** An act with its own key. `content` is what a repetition must have in common with the first act. */
type KeyedAct = { caller: string; key: string; content: unknown };

/**
 * Runs an act and stores its outcome, or returns the first outcome for its key. Call inside a transaction. Shares its keys with
 * `KeyedRequests`. Throws `key_reused`, and `conflict` if the stored outcome is damaged.
 */
export function actOnce<T extends { status: number }>(
  { keyedRequests: rows }: Pick<BaseRepositories, 'keyedRequests'>,
  tx: Transaction,
  { caller, key, content }: KeyedAct,
  run: () => T,
): { outcome: T; isRepeated: boolean } {
  const digest = createHash('sha256')
    .update(`act ${contentText(content)}`)
    .digest('base64url');
  const since = tx.now - KEYS_REMEMBERED_MS;
  const row = rows.find(caller, key, since);
  if (row === undefined) {
    const outcome = run();
    rows.finish(rows.ensure({ caller, key, digest }, tx.now, since), {
      status: outcome.status,
      answer: JSON.stringify(outcome),
    });
    return { outcome, isRepeated: false };
  }
  refuseReuse({ key, digest }, row.digest);
  const stored = row.answer === null ? undefined : storedJson('keyed_requests.answer', row.answer);
  if (stored === undefined) throw new StationError('conflict', DAMAGED_ANSWER);
  // Safe cast: an act with this digest stored its outcome.
  return { outcome: stored as T, isRepeated: true };
}

/** Returns the HTTP status with which an act ended, or undefined if none with this key arrived in the last 24 hours. */
export function statusOfAct(
  { keyedRequests: rows }: Pick<BaseRepositories, 'keyedRequests'>,
  tx: Transaction,
  { caller, key }: Pick<KeyedAct, 'caller' | 'key'>,
): number | undefined {
  return rows.find(caller, key, tx.now - KEYS_REMEMBERED_MS)?.status ?? undefined;
}

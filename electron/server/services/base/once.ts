import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';

/** How long a key is remembered. Contract, section 16. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;

/**
 * Within a use-case: confirms once for this key of this caller, and later gives the first answer again. Without a key it always
 * confirms. The answer has to survive JSON.
 */
export function once<T extends object>(
  { confirmations }: Pick<Repositories, 'confirmations'>,
  tx: Transaction,
  { by, key }: { by: string; key: string | undefined },
  confirm: () => T,
): T {
  if (key === undefined) return confirm();
  const before = confirmations.find(by, key, tx.now - REMEMBERED_MS);
  if (before !== undefined) return before as T;
  const answer = confirm();
  confirmations.forget(tx.now - REMEMBERED_MS);
  confirmations.insert(by, key, answer, tx.now);
  return answer;
}

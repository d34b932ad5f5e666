import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';

/** How long a key is remembered. Contract, section 16. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;

/** `what`: the kind of confirmation. */
type Confirmed = { what: string; answer: object };

/**
 * Within a use-case: confirms once for this key of this caller, and later gives the first answer again. Without a key it always
 * confirms. The answer has to survive JSON. `isKept`: whether this answer confirmed anything; otherwise the next request with
 * the key is evaluated again. Throws `conflict` if the key was used for another kind of request.
 */
export function once<T extends object>(
  { confirmations }: Pick<Repositories, 'confirmations'>,
  tx: Transaction,
  { by, key, what }: { by: string; key: string | undefined; what: string },
  confirm: () => T,
  isKept: (answer: T) => boolean = () => true,
): T {
  if (key === undefined) return confirm();
  const before = confirmations.find(by, key, tx.now - REMEMBERED_MS) as Confirmed | undefined;
  if (before?.what === what) return before.answer as T;
  if (before !== undefined) {
    throw new StationError(
      'conflict',
      `The key ${key} was used to ${before.what} before. Use a new key for each confirmation.`,
    );
  }
  const answer = confirm();
  if (!isKept(answer)) return answer;
  confirmations.forget(tx.now - REMEMBERED_MS);
  confirmations.insert(by, key, { what, answer } satisfies Confirmed, tx.now);
  return answer;
}

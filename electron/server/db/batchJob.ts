import type { OpenCommit, Transaction } from './transaction.ts';
import { failureOf, NOTHING } from './writerErrors.ts';

/** Maximum number of items and of milliseconds per turn, so that presses do not wait long. */
const MAX_PART = 40;
const MAX_PART_MS = 2;

/** The remaining items of a `writeEach`. */
export type BatchJob = {
  /** Runs the items of one turn. Returns true if none are left. */
  step(transaction: OpenCommit): boolean;
  /** Call if a commit with some of the items failed. */
  reject(error: unknown): void;
};

type Result<T> = { value: T } | { error: unknown };

export function createBatchJob<E, T>(parts: {
  items: readonly E[];
  useCase: (tx: Transaction, item: E) => T;
  failed: (error: unknown, item: E) => T;
  inSavepoint: (transaction: OpenCommit, run: () => Result<T>, failed: (error: unknown) => Result<T>) => Result<T>;
  monotonic: () => number;
}): { job: BatchJob; results: Promise<T[]> } {
  const { items, useCase, failed, inSavepoint, monotonic } = parts;
  const { promise, resolve, reject } = Promise.withResolvers<T[]>();
  const results: T[] = [];
  /** The first error that `failed` threw. */
  let thrown: { error: unknown } | undefined;
  let done = 0;
  let onDisk = 0;

  function runItem(transaction: OpenCommit, item: E): Result<T> {
    return inSavepoint(
      transaction,
      () => ({ value: useCase(transaction.tx, item) }),
      (error) => {
        try {
          return { value: failed(error, item) };
        } catch (unexpected) {
          return { error: unexpected };
        }
      },
    );
  }

  const job: BatchJob = {
    step(transaction) {
      // Also limit the time, because a single item may take long, for example if a kill empties a whole queue.
      const until = monotonic() + MAX_PART_MS;
      for (const item of items.slice(done, done + MAX_PART)) {
        const result = runItem(transaction, item);
        if ('value' in result) results.push(result.value);
        else thrown ??= result;
        done += 1;
        if (monotonic() >= until) break;
      }
      const end = done;
      transaction.settle.push(() => {
        onDisk = end;
        if (end < items.length) return;
        if (thrown === undefined) resolve(results);
        else reject(thrown.error);
      });
      return done === items.length;
    },
    reject: (error) =>
      reject(failureOf(error, onDisk === 0 ? NOTHING : `Only the first ${onDisk} of ${items.length} were done`)),
  };
  return { job, results: promise };
}

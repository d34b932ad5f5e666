import type { TablesOf } from '../../../core.ts';
import type { ImportedOrder } from '../../../db/repositories/imports.ts';
import type { OrderRow } from '../../../db/repositories/orders.ts';
import { digestOf } from './orderContent.ts';

/** Returns the import that ended an order, or undefined if none did or its record was deleted. */
export function findEndingImport(
  { imports }: Pick<TablesOf<'imports'>, 'imports'>,
  order: OrderRow,
): number | undefined {
  if (!isEndedUnstarted(order)) return undefined;
  const id = imports.findLastOf(order.id);
  const record = id === undefined ? undefined : imports.findOrder(id, order.id);
  return record !== undefined && isEnd(record) ? id : undefined;
}

/** Whether an import ended an order: it recorded the order, but did not change its content. */
export function isEnd({ before, after }: Pick<ImportedOrder, 'after' | 'before'>): boolean {
  return before !== null && before !== 'damaged' && after !== undefined && digestOf(before) === digestOf(after);
}

/** Returns why a file can no longer change an order, as part of a sentence, or '' if nobody has started the order. */
export function startedWords({ state, launchedAt, counts, pickers }: OrderRow): string {
  if (state === 'aborted') return 'was aborted';
  if (launchedAt !== null || pickers.length > 0) return 'was launched';
  return counts.fulfilled > 0 ? 'has pieces that were counted' : '';
}

/** Like `startedWords`, also for an order that waits in a batch. */
export function startedIn({ batches }: Pick<TablesOf<'imports'>, 'batches'>, order: OrderRow): string {
  const started = startedWords(order);
  return started === '' && batches.findOf(order.id) !== undefined ? 'is in a batch' : started;
}

/** Whether a file has ended an order that nobody had started. */
export function isEndedUnstarted({ state, endedElsewhere, launchedAt, counts, pickers }: OrderRow): boolean {
  const isUntouched = launchedAt === null && pickers.length === 0 && counts.fulfilled === 0;
  return state === 'aborted' && endedElsewhere !== null && isUntouched;
}

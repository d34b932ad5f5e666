import type { OrderRow } from '../../../db/repositories/orders.ts';

/** Returns why a file can no longer change an order, as part of a sentence, or '' if nobody has started the order. */
export function startedWords({ state, launchedAt, counts, pickers }: OrderRow): string {
  if (state === 'aborted') return 'was aborted';
  if (launchedAt !== null || pickers.length > 0) return 'was launched';
  return counts.fulfilled > 0 ? 'has pieces that were counted' : '';
}

/** Whether a file has ended an order that nobody had started. */
export function isEndedUnstarted({ state, endedElsewhere, launchedAt, counts, pickers }: OrderRow): boolean {
  const isUntouched = launchedAt === null && pickers.length === 0 && counts.fulfilled === 0;
  return state === 'aborted' && endedElsewhere !== null && isUntouched;
}

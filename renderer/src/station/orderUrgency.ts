import type { OrderProgress } from '#shared/api/order.ts';
import { MAX_PRIORITY } from '#shared/lib/orders/orderLimits.ts';

/** Whether the order may still be picked. */
export function isOpen({ state }: Pick<OrderProgress, 'state'>): boolean {
  return state === 'open' || state === 'in_progress';
}

/** Whether the order is overdue at `now`, a time in epoch milliseconds of the station's clock. */
export function isLate({ state, due_time: due }: Pick<OrderProgress, 'state' | 'due_time'>, now: number): boolean {
  return isOpen({ state }) && due !== null && Date.parse(due) < now;
}

/**
 * Returns a key by which to sort orders as the station suggests them: orders that need attention come first, then
 * priority, due time and age decide. Completed and aborted orders come last.
 */
export function urgencyOf({ state, attention, priority, due_time: due, created_time: created }: OrderProgress): string {
  if (!isOpen({ state })) return '2';
  const rank = attention.length > 0 ? '0' : '1';
  return [rank, String(MAX_PRIORITY - priority).padStart(4, '0'), due ?? 'none', created].join(' ');
}

import type { OrderProgress } from '#shared/api/order.ts';
import { isLate } from './orderUrgency.ts';
import { useTimed } from './time.ts';

/** Whether an order is overdue now. Rerenders when it becomes late. */
export function useIsLate(order: Pick<OrderProgress, 'state' | 'due_time'> | undefined): boolean {
  return useTimed((now) => (order !== undefined && isLate(order, now) ? 'late' : '')) !== '';
}

import type { OrderProgress, OrderState } from '#shared/api/order.ts';
import { isLate } from '../../station/orderUrgency.ts';
import type { Tone } from '../../kit/feedback/StateTag.tsx';
import { compare } from '../../kit/list/columns.ts';
import type { WorkRows } from '../../shop/work/workRows.ts';

export const ORDER_FILTERS = [
  'all',
  'attention',
  'open',
  'in_progress',
  'short',
  'late',
  'fulfilled',
  'aborted',
] as const;
export type OrderFilter = (typeof ORDER_FILTERS)[number];

/** A row with an order. `key` is the order number. */
export type OrderTableRow = { key: string; order: OrderProgress };

export const ORDER_TONES: Readonly<Record<OrderState, Tone>> = {
  open: 'open',
  in_progress: 'lit',
  fulfilled: 'done',
  aborted: 'off',
};

export function listOrderRows(orders: readonly OrderProgress[]): readonly OrderTableRow[] {
  return orders.map((order) => ({ key: order.order_number, order }));
}

/** The states in sort order: in progress, open, aborted, completed. */
export const STATE_RANK: readonly OrderState[] = ['in_progress', 'open', 'aborted', 'fulfilled'];

/** Tests for the filters that are not states. */
const HAS: Partial<Record<OrderFilter, (order: OrderProgress) => boolean>> = {
  attention: ({ attention }) => attention.length > 0,
  short: ({ short_count: short }) => short > 0,
  late: (order) => isLate(order, Date.now()),
};

/** How rows are filtered and sorted. Orders that are equal in the sorted column are listed newest first. */
export const ORDER_ROWS: WorkRows<OrderTableRow, OrderFilter> = {
  filters: ORDER_FILTERS,
  isLeft: ({ order }, filter) => HAS[filter]?.(order) ?? order.state === filter,
  tie: ({ order: a }, { order: b }) => compare(b.created_time, a.created_time) || b.id - a.id,
};

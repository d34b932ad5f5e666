import type { OrderProgress, OrderState } from '#shared/api/order.ts';
import type { TableSort } from '../../ui/DataTable.tsx';
import type { Tone } from '../../ui/StateTag.tsx';
import { compare, naturally, sortRows } from '../work/workRows.ts';

export const ORDER_FILTERS = ['all', 'open', 'in_progress', 'short', 'fulfilled', 'aborted'] as const;
export type OrderFilter = (typeof ORDER_FILTERS)[number];

export const ORDER_COLUMNS = ['order', 'state', 'progress', 'quantity', 'created'] as const;
export type OrderSort = TableSort<(typeof ORDER_COLUMNS)[number]>;

/** An order in the table: `key` is its number. */
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

/** Whether the filter leaves it. */
export function isOrderLeft({ order }: OrderTableRow, filter: OrderFilter): boolean {
  if (filter === 'all') return true;
  return filter === 'short' ? order.short_count > 0 : order.state === filter;
}

/** How many orders each filter leaves. */
export function countOrders(rows: readonly OrderTableRow[]): Readonly<Record<OrderFilter, number>> {
  const counts = { all: rows.length, short: 0, open: 0, in_progress: 0, fulfilled: 0, aborted: 0 };
  for (const { order } of rows) {
    counts[order.state] += 1;
    if (order.short_count > 0) counts.short += 1;
  }
  return counts;
}

/** In the order of a column; what is equal there, the newest first. */
export function sortOrders(rows: readonly OrderTableRow[], { by, descending }: OrderSort): readonly OrderTableRow[] {
  const sign = descending ? -1 : 1;
  if (by === 'order') return rows.toSorted((a, b) => sign * naturally.compare(a.key, b.key) || newest(a, b));
  return sortRows(rows, descending, ({ order }) => SORT_KEYS[by](order), newest);
}

/** Orders under way first, then open ones, then ended ones. */
const STATE_RANK: readonly OrderState[] = ['in_progress', 'open', 'aborted', 'fulfilled'];

const SORT_KEYS: Record<Exclude<OrderSort['by'], 'order'>, (order: OrderProgress) => number | string> = {
  state: ({ state }) => STATE_RANK.indexOf(state),
  progress: ({ done_count, item_count }) => (item_count === 0 ? 0 : done_count / item_count),
  quantity: ({ ordered_quantity }) => ordered_quantity,
  created: ({ created_time }) => created_time,
};

function newest(a: OrderTableRow, b: OrderTableRow): number {
  return compare(b.order.created_time, a.order.created_time) || b.order.id - a.order.id;
}

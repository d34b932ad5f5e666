import type { OrderProgress } from '#shared/api/order.ts';
import { isLate, isOpen, urgencyOf } from '../../station/orderUrgency.ts';

/** A person who picks an order, with the order's progress. `isPaused` tells whether the person has paused it. */
export type PickerAtOrder = {
  picker: string;
  color: string;
  orderNumber: string;
  done: number;
  all: number;
  isPaused: boolean;
  /** What decides whether the order is late. */
  order: Pick<OrderProgress, 'state' | 'due_time'>;
};

/** The counts of unfinished orders, and the people who pick them, most urgent order first. */
export type DayPicture = { open: number; in_progress: number; short: number; picking: readonly PickerAtOrder[] };

export function dayOf(orders: readonly OrderProgress[]): DayPicture {
  const live = orders.filter(isOpen);
  const count = (test: (order: OrderProgress) => boolean): number => live.filter(test).length;
  return {
    open: count(({ state }) => state === 'open'),
    in_progress: count(({ state }) => state === 'in_progress'),
    short: count(({ short_count: short }) => short > 0),
    picking: live
      .map((order) => ({ order, urgency: urgencyOf(order) }))
      .toSorted((one, other) => (one.urgency < other.urgency ? -1 : 1))
      .flatMap(({ order }) =>
        order.pickers.map(({ name: picker, color, paused: isPaused }) => ({
          picker,
          color,
          orderNumber: order.order_number,
          done: order.done_count,
          all: order.item_count,
          isPaused,
          order: { state: order.state, due_time: order.due_time },
        })),
      ),
  };
}

/** Returns the number of orders that are overdue at `now`, in epoch milliseconds of the station's clock. */
export function countLate(orders: readonly OrderProgress[], now: number): number {
  return orders.filter((order) => isLate(order, now)).length;
}

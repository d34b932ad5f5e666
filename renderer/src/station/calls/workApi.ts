import type { Order, OrderChange, OrderProgress, OrderState } from '#shared/api/order.ts';
import type { SequenceProgress } from '#shared/api/sequence.ts';
import { type ApiCall, type TagOf } from './call.ts';

/** Number of rows per request, the maximum that the station supports. */
const PAGE = 10_000;

/** Loads a whole list page by page. */
async function allPages<T>(
  load: (after: { after?: string }) => Promise<readonly T[]>,
  keyOf: (row: T) => string,
): Promise<readonly T[]> {
  const rows: T[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await load(last === undefined ? {} : { after: keyOf(last) });
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}

/** The fields of an order that a person can change. */
export type SeenOrder = Pick<Order, 'priority' | 'due_time' | 'customer' | 'note' | 'address' | 'color'>;

/** Returns the calls for orders and sequences. */
export function workApi(call: ApiCall, tagOf: TagOf) {
  return {
    /** Loads the progress of every order. */
    loadOrders: (): Promise<readonly OrderProgress[]> =>
      allPages(
        (after) => call('listOrderProgress', { query: { limit: PAGE, ...after } }),
        ({ order_number }) => order_number,
      ),
    /** Loads the progress of the orders in one state. */
    loadOrdersIn: (state: OrderState): Promise<readonly OrderProgress[]> =>
      allPages(
        (after) => call('listOrderProgress', { query: { state, limit: PAGE, ...after } }),
        ({ order_number }) => order_number,
      ),
    /**
     * Changes an order. `seen` is the state that the person saw. Rejects with `changed` if somebody else has since
     * changed one of the fields.
     */
    async changeOrder({ order_number, change, seen }: { order_number: string; change: OrderChange; seen: SeenOrder }) {
      const path = { order_number };
      const { priority, due_time, customer, note, address, color } = seen;
      // Compare omitted fields too.
      const base: SeenOrder = { priority, due_time, customer, note, address, color };
      const ifMatch = await tagOf(change, base, (options) => call('getOrder', { path }, options));
      return call('changeOrder', { path, body: change }, { ifMatch });
    },
    /** Loads the progress of every sequence. */
    loadSequences: (): Promise<readonly SequenceProgress[]> =>
      allPages(
        (after) => call('listSequenceProgress', { query: { limit: PAGE, ...after } }),
        ({ sequenceid }) => sequenceid,
      ),
  };
}

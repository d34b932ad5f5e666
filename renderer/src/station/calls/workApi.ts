import type { Correction, Launch, NewOrder, Order, OrderChange, OrderProgress, OrderState } from '#shared/api/order.ts';
import type { ChangedSequence, NewSequence, SequenceProgress } from '#shared/api/sequence.ts';
import type { InputOf } from '#shared/api/routes.ts';
import { type ApiCall, type CallOptions, done, type TagOf } from './call.ts';

/** The largest page that the station supports. */
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
export type SeenOrder = Pick<Order, 'priority' | 'due_time' | 'customer' | 'note' | 'color'>;

/** Orders and sequences, and the search over everything. */
export function workApi(call: ApiCall, tagOf: TagOf) {
  const getOrder = (order_number: string, options: CallOptions = {}) =>
    call('getOrder', { path: { order_number } }, options);
  return {
    find: (q: string, signal: AbortSignal) => call('find', { query: { q } }, { signal }),
    /** Finds places of an article or name, without lighting them. */
    locate: (q: string, signal: AbortSignal) => call('locate', { query: { q } }, { signal }),
    /** All stations below the topic prefix of the broker. */
    getFleet: () => call('getFleet'),
    findInFleet: (q: string, signal: AbortSignal) => call('findInFleet', { query: { q } }, { signal }),
    /** Rejects with the other station's refusal, and with `conflict` if it is offline. */
    sendFleetOrder: ({ station, order, isLaunched }: { station: string; order: NewOrder; isLaunched: boolean }) =>
      call('sendFleetOrder', { path: { station }, query: { launch: isLaunched ? '1' : '0' }, body: order }),
    lightLocated: (q: string) => call('lightLocated', { body: { q } }),
    /** The progress of every order. */
    loadOrders: (): Promise<readonly OrderProgress[]> =>
      allPages(
        (after) => call('listOrderProgress', { query: { limit: PAGE, ...after } }),
        ({ order_number }) => order_number,
      ),
    /** The progress of the orders in one state. */
    loadOrdersIn: (state: OrderState): Promise<readonly OrderProgress[]> =>
      allPages(
        (after) => call('listOrderProgress', { query: { state, limit: PAGE, ...after } }),
        ({ order_number }) => order_number,
      ),
    /** Rejects with `not_found` for an unknown number. */
    getOrder,
    /** `seen`: the state that the person changes. Rejects with `changed` if somebody else has changed one of these fields since. */
    async changeOrder({ order_number, change, seen }: { order_number: string; change: OrderChange; seen: SeenOrder }) {
      const path = { order_number };
      const { priority, due_time, customer, note, color } = seen;
      // Compare omitted fields too.
      const base: SeenOrder = { priority, due_time, customer, note, color };
      const ifMatch = await tagOf(change, base, (options) => getOrder(order_number, options));
      return call('changeOrder', { path, body: change }, { ifMatch });
    },
    /** Rejects with `conflict` if the number is taken. */
    addOrder: (order: NewOrder, signal?: AbortSignal): Promise<Order> => call('addOrder', { body: order }, { signal }),
    /** Deletes the orders in this state that ended, and changed last, before this time. Returns their number. */
    async removeEndedOrders(query: InputOf<'removeEndedOrders'>['query']): Promise<number> {
      const { deleted } = await call('removeEndedOrders', { query });
      return deleted;
    },
    removeOrder: (order_number: string) => call('removeOrder', { path: { order_number } }),
    /** Returns the order after the launch. Rejects with `conflict` if nothing can be lit. */
    launchOrder: (order_number: string, how: Launch = {}) => call('launchOrder', { path: { order_number }, body: how }),
    abortOrder: (order_number: string) => done(call('abortOrder', { path: { order_number } })),
    correctItem: ({ order_number, id, ...body }: { order_number: string; id: number } & Correction) =>
      done(call('correctItem', { path: { order_number, id }, body })),
    /** The progress of every sequence. */
    loadSequences: (): Promise<readonly SequenceProgress[]> =>
      allPages(
        (after) => call('listSequenceProgress', { query: { limit: PAGE, ...after } }),
        ({ sequenceid }) => sequenceid,
      ),
    /** Rejects with `not_found` for an unknown id. */
    getSequence: (seqID: string) => call('getSequence', { path: { seqID } }),
    /** Rejects with `conflict` if the id is taken. */
    addSequence: (sequence: NewSequence) => call('addSequence', { body: sequence }),
    /** Turns off its lights and resets it. */
    replaceSequence: (seqID: string, sequence: ChangedSequence) =>
      call('replaceSequence', { path: { seqID }, body: sequence }),
    removeSequence: (seqID: string) => call('removeSequence', { path: { seqID } }),
    /** Starts or continues it; `restart`: from the beginning. Rejects with `conflict` if a step has no device. */
    launchSequence: (seqID: string, { restart }: { restart: boolean }) =>
      call('launchSequence', { path: { seqID }, query: restart ? { restart: '1' } : {} }),
  };
}

import type { Order, OrderProgress } from '#shared/api/order.ts';
import type { Sequence, SequenceProgress } from '#shared/api/sequence.ts';
import { ApiError } from '../words/apiError.ts';
import { useStationContext } from './context.ts';
import { type FollowedSubject, type FollowedValues, MISSING } from './live/followed.ts';
import { type Loaded, useStationQuery } from './useStationQuery.ts';

/** Returns the progress of all orders, which is loaded on first use. */
export function useOrders(): Loaded<readonly OrderProgress[]> {
  const { api } = useStationContext();
  return useFollowed(['orders'], () => api.loadOrders(), true);
}

/** Returns the progress of all open orders and those in progress, kept current while in use. */
export function useOpenOrders(): Loaded<readonly OrderProgress[]> {
  const { api } = useStationContext();
  return useFollowed(['openOrders'], async () => {
    const [waiting, begun] = await Promise.all([api.loadOrdersIn('open'), api.loadOrdersIn('in_progress')]);
    // An order launched between the two requests is in both answers.
    return [...new Map([...waiting, ...begun].map((order) => [order.order_number, order])).values()];
  });
}

/** Returns the progress of all sequences, which is loaded on first use. */
export function useSequences(): Loaded<readonly SequenceProgress[]> {
  const { api } = useStationContext();
  return useFollowed(['sequences'], () => api.loadSequences(), true);
}

/** A single order or sequence, with the state of loading it. */
export type Opened<T> =
  | Loaded<T>
  /** The order or sequence was not found, or was deleted. */
  | { status: 'missing'; value: undefined };

/** Returns one order with its items, kept current by the event stream. */
export function useOrder(orderNumber: string): Opened<Order> {
  const { api } = useStationContext();
  return opened(
    useFollowed(['order', orderNumber], () => orMissing(api.getOrder({ path: { order_number: orderNumber } }))),
  );
}

/** Returns one sequence with its steps, kept current by the event stream. */
export function useSequence(sequenceId: string): Opened<Sequence> {
  const { api } = useStationContext();
  return opened(
    useFollowed(['sequence', sequenceId], () => orMissing(api.getSequence({ path: { seqID: sequenceId } }))),
  );
}

/**
 * Reads a value once, and then applies facts to it, so that a press in an order of 500 items transfers only one item.
 * Reads the value again if a fact is incomplete, and after a snapshot, because facts may have been skipped.
 */
function useFollowed<S extends FollowedSubject>(
  key: readonly [S, ...string[]],
  load: () => Promise<FollowedValues[S]>,
  isKept = false,
): Loaded<FollowedValues[S]> {
  const { queries } = useStationContext();
  return useStationQuery<FollowedValues[S]>(key, () => queries.follow(key, load), { isKept });
}

async function orMissing<T>(asked: Promise<T>): Promise<T | typeof MISSING> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return MISSING;
    throw error;
  }
}

function opened<T extends Order | Sequence>(loaded: Loaded<T | typeof MISSING>): Opened<T> {
  if (loaded.value === MISSING) return { status: 'missing', value: undefined };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above, which does not narrow the union
  return loaded as Loaded<T>;
}

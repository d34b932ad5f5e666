import { useCallback, useEffect, useState } from 'react';
import type { Order } from '#shared/api/order.ts';
import type { Sequence } from '#shared/api/sequence.ts';
import { useLoaded, type Loaded } from '../features/devicePanel/useLoaded.ts';
import { texts } from '../ui/texts.ts';
import type { Api } from './api.ts';
import { ApiError, sentenceOf } from './apiError.ts';
import { useStationContext, useStationState } from './context.ts';
import { answer, ask, fail, KEY_OF, type ListingKind, type Listings } from './listings.ts';
import type { StationStore } from './store.ts';

/** How far every order is, from when somebody first wants to know. */
export function useOrders(): Listings['orders'] & { reload(): void } {
  return { ...useStationState(({ orders }) => orders), reload: useListing('orders') };
}

/** How far every sequence is, from when somebody first wants to know. */
export function useSequences(): Listings['sequences'] & { reload(): void } {
  return { ...useStationState(({ sequences }) => sequences), reload: useListing('sequences') };
}

/** Asks where it was not asked since the newest snapshot; answers what asks in any case. */
function useListing(kind: ListingKind): () => void {
  const { store, api } = useStationContext();
  const snapshot = useStationState((state) => state.snapshots);
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  useEffect(() => {
    if (!isLost && store.getState()[kind].askedAfter !== snapshot) void load(kind, store, api);
  }, [kind, store, api, snapshot, isLost]);
  return useCallback(() => void load(kind, store, api), [kind, store, api]);
}

function load(kind: ListingKind, store: StationStore, api: Api): Promise<void> {
  return kind === 'orders' ? loadOrders(store, api) : loadSequences(store, api);
}

async function loadOrders(store: StationStore, api: Api): Promise<void> {
  const { snapshots } = store.getState();
  store.setState(({ orders }) => ({ orders: ask(orders, snapshots) }));
  // Somebody else may have signed in meanwhile, or a newer snapshot asked again.
  const isCurrent = () => store.getState().orders.askedAfter === snapshots;
  try {
    const rows = await api.loadOrders();
    if (isCurrent()) store.setState(({ orders }) => ({ orders: answer(orders, rows, KEY_OF.orders) }));
  } catch (error) {
    const words = sentenceOf(error, texts.failure.other);
    if (isCurrent()) store.setState(({ orders }) => ({ orders: fail(orders, words) }));
  }
}

async function loadSequences(store: StationStore, api: Api): Promise<void> {
  const { snapshots } = store.getState();
  store.setState(({ sequences }) => ({ sequences: ask(sequences, snapshots) }));
  const isCurrent = () => store.getState().sequences.askedAfter === snapshots;
  try {
    const rows = await api.loadSequences();
    if (isCurrent()) store.setState(({ sequences }) => ({ sequences: answer(sequences, rows, KEY_OF.sequences) }));
  } catch (error) {
    const words = sentenceOf(error, texts.failure.other);
    if (isCurrent()) store.setState(({ sequences }) => ({ sequences: fail(sequences, words) }));
  }
}

/** Something that is looked at alone. */
export type Opened<T> = Loaded<T> & {
  /** There is none, or no more. */
  isMissing: boolean;
};

/** One order with its items, asked for again whenever something is told of it. */
export function useOrder(orderNumber: string): Opened<Order> {
  const { api } = useStationContext();
  const version = useTold('orders', orderNumber);
  return opened(useLoaded(`order ${orderNumber}`, version, () => orMissing(api.loadOrder(orderNumber))));
}

/** One sequence with its steps, asked for again whenever something is told of it. */
export function useSequence(sequenceId: string): Opened<Sequence> {
  const { api } = useStationContext();
  const version = useTold('sequences', sequenceId);
  return opened(useLoaded(`sequence ${sequenceId}`, version, () => orMissing(api.loadSequence(sequenceId))));
}

async function orMissing<T>(asked: Promise<T>): Promise<T | 'missing'> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return 'missing';
    throw error;
  }
}

function opened<T>({ value, ...loaded }: Loaded<T | 'missing'>): Opened<T> {
  return value === 'missing'
    ? { ...loaded, value: undefined, isMissing: true }
    : { ...loaded, value, isMissing: false };
}

/** Another text whenever something was told of this one, or a snapshot may have leapt over it. */
function useTold(kind: ListingKind, key: string): string {
  const { store } = useStationContext();
  const snapshot = useStationState((state) => state.snapshots);
  const [count, setCount] = useState(0);
  useEffect(
    () =>
      store.subscribe(({ told }, before) => {
        if (told !== before.told && told[kind].has(key)) setCount((counted) => counted + 1);
      }),
    [store, kind, key],
  );
  return `${snapshot} ${count}`;
}

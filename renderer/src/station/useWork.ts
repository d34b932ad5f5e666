import { useCallback, useEffect, useEffectEvent } from 'react';
import type { Order } from '#shared/api/order.ts';
import type { Sequence } from '#shared/api/sequence.ts';
import { texts } from '../ui/texts.ts';
import type { Api } from './api.ts';
import { ApiError, sentenceOf } from './apiError.ts';
import { useStationContext, useStationState } from './context.ts';
import {
  followOrder,
  followSequence,
  isWorkFact,
  orderTold,
  sequenceTold,
  type Followed,
  type WorkFact,
} from './followed.ts';
import { beginLoad, completeLoad, failLoad, KEY_OF, type ListingKind, type Listings } from './listings.ts';
import type { Key } from './queries.ts';
import type { StationStore } from './store.ts';
import { type Loaded, useStationQuery } from './useStationQuery.ts';

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
  store.setState(({ orders }) => ({ orders: beginLoad(orders, snapshots) }));
  // Somebody else may have signed in meanwhile, or a newer snapshot asked again.
  const isCurrent = () => store.getState().orders.askedAfter === snapshots;
  try {
    const rows = await api.loadOrders();
    if (isCurrent()) store.setState(({ orders }) => ({ orders: completeLoad(orders, rows, KEY_OF.orders) }));
  } catch (error) {
    const words = sentenceOf(error, texts.failure.other);
    if (isCurrent()) store.setState(({ orders }) => ({ orders: failLoad(orders, words) }));
  }
}

async function loadSequences(store: StationStore, api: Api): Promise<void> {
  const { snapshots } = store.getState();
  store.setState(({ sequences }) => ({ sequences: beginLoad(sequences, snapshots) }));
  const isCurrent = () => store.getState().sequences.askedAfter === snapshots;
  try {
    const rows = await api.loadSequences();
    if (isCurrent())
      store.setState(({ sequences }) => ({ sequences: completeLoad(sequences, rows, KEY_OF.sequences) }));
  } catch (error) {
    const words = sentenceOf(error, texts.failure.other);
    if (isCurrent()) store.setState(({ sequences }) => ({ sequences: failLoad(sequences, words) }));
  }
}

/** Something that is looked at alone. */
export type Opened<T> = Loaded<T> & {
  /** There is none, or no more. */
  isMissing: boolean;
};

/** One order with its items, as it was read and as it was told since. */
export function useOrder(orderNumber: string): Opened<Order> {
  const { api } = useStationContext();
  return useFollowed(['order', orderNumber], () => api.loadOrder(orderNumber), {
    isOf: useCallback((fact: WorkFact) => orderTold(fact) === orderNumber, [orderNumber]),
    follow: followOrder,
  });
}

/** One sequence with its steps, as it was read and as it was told since. */
export function useSequence(sequenceId: string): Opened<Sequence> {
  const { api } = useStationContext();
  return useFollowed(['sequence', sequenceId], () => api.loadSequence(sequenceId), {
    isOf: useCallback((fact: WorkFact) => sequenceTold(fact) === sequenceId, [sequenceId]),
    follow: followSequence,
  });
}

async function orMissing<T>(asked: Promise<T>): Promise<T | 'missing'> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return 'missing';
    throw error;
  }
}

/**
 * Read once, and then kept by what is told: of an order of five hundred items a press tells one. It is read again where the
 * facts do not say all, and after a snapshot, which may have leapt over some.
 */
function useFollowed<T>(
  key: Key,
  load: () => Promise<T>,
  { isOf, follow }: { isOf(fact: WorkFact): boolean; follow(value: T, fact: WorkFact): Followed<T> },
): Opened<T> {
  const { store, queries } = useStationContext();
  const subscribe = useCallback(
    (hear: (facts: readonly WorkFact[]) => void) =>
      store.subscribe(({ told }, before) => {
        const mine = told === before.told ? [] : told.filter(isWorkFact).filter(isOf);
        if (mine.length > 0) hear(mine);
      }),
    [store, isOf],
  );
  /** What it is after these facts; reads it again where they do not say all. */
  const apply = (value: T | 'missing', facts: readonly WorkFact[]): T | 'missing' => {
    let now = value;
    let isWhole = true;
    for (const fact of facts) {
      const next = now === 'missing' ? { value: now, isWhole: false } : follow(now, fact);
      now = next.value;
      isWhole &&= next.isWhole;
    }
    // Not while the store tells of these facts: the reading would hear them as newer than its answer.
    if (!isWhole) queueMicrotask(() => queries.refresh(key));
    return now;
  };

  const { value, ...loaded } = useStationQuery(key, async () => {
    // What is told from now on is as new as the answer, or newer.
    const heard: WorkFact[] = [];
    const stop = subscribe((facts) => heard.push(...facts));
    try {
      return apply(await orMissing(load()), heard);
    } finally {
      stop();
    }
  });
  const hear = useEffectEvent((facts: readonly WorkFact[]) => {
    queries.client.setQueryData<{ value: T | 'missing' | undefined }>(
      key,
      (known) => known && { ...known, value: known.value === undefined ? undefined : apply(known.value, facts) },
    );
  });
  useEffect(() => subscribe(hear), [subscribe]);

  return value === 'missing'
    ? { ...loaded, value: undefined, isMissing: true }
    : { ...loaded, value, isMissing: false };
}

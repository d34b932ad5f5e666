import { hashKey, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { sentenceOf } from './apiError.ts';
import { useStationContext, useStationState } from './context.ts';
import type { Key } from './queries.ts';

type Answer<T> = {
  /** Undefined until it was there once; what was there stays while newer is asked for. */
  value: T | undefined;
  /** Why the last try failed; empty where it did not. */
  failure: string;
};

export type Loaded<T> = Answer<T> & { reload(): void };

type Options<T> = {
  /** Another one says that the same thing may be another now. */
  version?: unknown;
  /** How long after each answer to ask again while somebody can see this page. `reads`: how often it was read. */
  everyMs?: number | ((value: T | undefined, reads: number) => number | false);
  isOn?: boolean;
  /** Stays when nobody looks at it any more, and is read again only after it was invalidated. */
  isKept?: boolean;
};

/** Long lists: to compare each row with the one before at each fact would take longer than to draw them. */
const KEPT = {
  gcTime: Number.POSITIVE_INFINITY,
  staleTime: ({ state }: { state: { dataUpdatedAt: number } }) =>
    state.dataUpdatedAt === 0 ? 0 : Number.POSITIVE_INFINITY,
  structuralSharing: false,
};

const NO_ANSWER = { value: undefined, failure: '' };

/** Something of the station that is no part of its live copy. `queries.ts` says which facts invalidate which keys. */
export function useStationQuery<T>(
  key: Key,
  load: (signal: AbortSignal) => Promise<T>,
  { version, everyMs = Number.NaN, isOn = true, isKept = false }: Options<T> = {},
): Loaded<T> {
  const { queries } = useStationContext();
  const { client } = queries;
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  const { data, refetch } = useQuery<Answer<T>>(
    {
      queryKey: key,
      async queryFn({ signal }) {
        try {
          return { value: await load(signal), failure: '' };
        } catch (error) {
          const failure = sentenceOf(error);
          return { value: client.getQueryData<Answer<T>>(key)?.value, failure };
        }
      },
      ...(isKept ? KEPT : {}),
      initialData: NO_ANSWER,
      initialDataUpdatedAt: 0,
      enabled: isOn && !isLost,
      refetchInterval: ({ state }) =>
        typeof everyMs === 'number' ? everyMs || false : everyMs(state.data?.value, state.dataUpdateCount),
    },
    client,
  );

  const hash = hashKey(key);
  const known = useRef({ hash, version });
  const wanted = useRef(key);
  useEffect(() => {
    wanted.current = key;
  });
  useEffect(() => {
    const before = known.current;
    known.current = { hash, version };
    if (before.hash === hash && before.version !== version) queries.refresh(wanted.current);
  }, [queries, hash, version]);

  const reload = useCallback(() => void refetch(), [refetch]);
  return { ...data, reload };
}

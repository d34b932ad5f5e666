import { hashKey, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { sentenceOf } from '../words/apiError.ts';
import { useStationContext, useStationState } from './context.ts';
import type { Key } from './queries.ts';

/**
 * State of a read. A reload keeps the last answer until the next one arrives. `failure` is a sentence for the user.
 * The `value` of a failed read is that of the last successful one.
 */
export type ReadAnswer<T> =
  | { status: 'waiting'; value: undefined }
  | { status: 'loaded'; value: T }
  | { status: 'failed'; value: T | undefined; failure: string };

export type Loaded<T> = ReadAnswer<T> & { reload(): void };

type Options<T> = {
  /** A value whose change triggers a reload. */
  version?: unknown;
  /**
   * Polling interval in milliseconds while the page is visible, or a function that returns it. `reads` is the number
   * of answers so far.
   */
  everyMs?: number | ((value: T | undefined, reads: number) => number | false);
  isOn?: boolean;
  /** Whether to keep the value after the last component has unmounted, and to read it again only after an invalidation. */
  isKept?: boolean;
  /** Whether to keep each answer as the object that was read, because the API client finds the ETag of an answer by that object. */
  isTagged?: boolean;
};

/** Options for long lists. Comparing all rows after each fact would take longer than drawing them. */
const KEPT = {
  gcTime: Number.POSITIVE_INFINITY,
  staleTime: ({ state }: { state: { dataUpdatedAt: number } }) =>
    state.dataUpdatedAt === 0 ? 0 : Number.POSITIVE_INFINITY,
  structuralSharing: false,
};

const WAITING = { status: 'waiting', value: undefined } as const;

/** Reads data of the station that is not part of the store. `queries.ts` lists the keys that each fact invalidates. */
export function useStationQuery<T>(
  key: Key,
  load: (signal: AbortSignal) => Promise<T>,
  { version, everyMs = Number.NaN, isOn = true, isKept = false, isTagged = false }: Options<T> = {},
): Loaded<T> & { write(value: T): void } {
  const { queries } = useStationContext();
  const { client } = queries;
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  const { data, refetch } = useQuery<ReadAnswer<T>>(
    {
      queryKey: key,
      async queryFn({ signal }) {
        try {
          return { status: 'loaded', value: await load(signal) };
        } catch (error) {
          const failure = sentenceOf(error);
          return { status: 'failed', value: client.getQueryData<ReadAnswer<T>>(key)?.value, failure };
        }
      },
      ...(isTagged ? { structuralSharing: false } : {}),
      ...(isKept ? KEPT : {}),
      initialData: WAITING,
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
  const write = useCallback(
    (value: T) => void client.setQueryData<ReadAnswer<T>>(wanted.current, { status: 'loaded', value }),
    [client],
  );
  return { ...data, reload, write };
}

import { useEffect, useRef, useState } from 'react';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { HistorySummary } from '#shared/api/historySummary.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useDayStart, useTimed } from '../../station/time.ts';
import { usePagedList, type PagedList } from '../../station/usePagedList.ts';
import { useStationQuery, type Loaded } from '../../station/useStationQuery.ts';
import { useLatest } from '../../kit/useLatest.ts';
import { shopClock } from '../../words/shopClock.ts';
import { isOfNow, queryOf, writeFilter, type PastFilter } from './pastFilter.ts';

const PAGE = 100;
/** Minimum time between updates of the list and of the figures, in milliseconds. */
const LIST_CALM_MS = 1_000;
const FIGURES_CALM_MS = 5_000;
/**
 * The figures are updated after at least this multiple of the time that counting them takes, so that slow figures are
 * updated less often.
 */
const REST = 5;
const MINUTE_MS = 60_000;

/** Returns the history, newest first, with live updates. To change the filter, remount the component. */
export function usePast(filter: PastFilter): PagedList<HistoryEntry> {
  const { api, store } = useStationContext();
  const now = () => Date.now() - store.getState().clockSkewMs;
  const day = useDayStart();
  const version = `${useNews(filter, () => LIST_CALM_MS)} ${day}`;
  const newest = useStationQuery(
    ['history', keyOf(filter)],
    () => api.listHistory({ query: { ...queryOf(filter, now()), limit: PAGE } }),
    { version },
  );
  return usePagedList(newest, {
    of: keyOf(filter),
    size: PAGE,
    load: (after) => api.listHistory({ query: { ...queryOf(filter, now()), limit: PAGE, after } }),
  });
}

/** Returns the figures for the filtered history. */
export function useSummary(filter: PastFilter): Loaded<HistorySummary> {
  const { api, store } = useStationContext();
  const tookMs = useRef(0);
  // Recalculate "last hour" every minute, and other ranges when the day changes.
  const turn = useTimed((at) => (filter.range === 'hour' ? String(Math.floor(at / MINUTE_MS)) : shopClock().dayOf(at)));
  const version = `${useNews(filter, () => Math.max(FIGURES_CALM_MS, tookMs.current * REST))} ${turn}`;
  return useStationQuery(
    ['historySummary', keyOf(filter)],
    async (signal) => {
      const startedAt = performance.now();
      const now = Date.now() - store.getState().clockSkewMs;
      const summary = await api.summarizeHistory({ query: queryOf(filter, now) }, { signal });
      tookMs.current = performance.now() - startedAt;
      return summary;
    },
    { version },
  );
}

export function keyOf(filter: PastFilter): string {
  return JSON.stringify(writeFilter(filter));
}

/** Returns a value that changes when an event may match the filter, at most once per interval (`calmMs`). */
function useNews(filter: PastFilter, calmMs: () => number): string {
  const { store } = useStationContext();
  const revision = useStationState(({ station }) => station?.revision ?? 0);
  const [taken, setTaken] = useState(revision);
  const takenAt = useRef(Number.NEGATIVE_INFINITY);
  const wait = useLatest(calmMs);
  const followed = useLatest(filter);
  useEffect(() => {
    const now = Date.now() - store.getState().clockSkewMs;
    if (revision === taken || !isOfNow(followed.current, now)) return undefined;
    const timer = setTimeout(
      () => {
        takenAt.current = performance.now();
        setTaken(revision);
      },
      Math.max(0, takenAt.current + wait.current() - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [revision, taken, store, wait, followed]);
  return String(taken);
}

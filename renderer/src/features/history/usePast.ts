import { useEffect, useRef, useState } from 'react';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { HistorySummary } from '#shared/api/historySummary.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { usePages, type Pages, useStationQuery, type Loaded } from '../../station/useStationQuery.ts';
import { useLatest } from '../../kit/useLatest.ts';
import { isOfNow, queryOf, writeFilter, type PastFilter } from './pastFilter.ts';

const PAGE = 100;
/** How soon what happened is in the list, and in the figures. */
const LIST_CALM_MS = 1_000;
const FIGURES_CALM_MS = 5_000;
/** Figures that take long to count are counted more seldom: so many times as long passes in between. */
const REST = 5;
const MINUTE_MS = 60_000;

/** What happened, the newest first; what happens now comes by itself. Another filter wants another component. */
export function usePast(filter: PastFilter): Pages<HistoryEntry> {
  const { api, store } = useStationContext();
  const now = () => Date.now() - store.getState().clockSkewMs;
  const day = useTimed((at) => new Date(at).toDateString());
  const version = `${useNews(filter, () => LIST_CALM_MS)} ${day}`;
  const newest = useStationQuery(
    ['history', keyOf(filter)],
    () => api.loadHistory({ ...queryOf(filter, now()), limit: PAGE }),
    { version },
  );
  return usePages(newest, {
    size: PAGE,
    load: (after) => api.loadHistory({ ...queryOf(filter, now()), limit: PAGE, after }),
  });
}

/** How well it went. */
export function useSummary(filter: PastFilter): Loaded<HistorySummary> {
  const { api, store } = useStationContext();
  const tookMs = useRef(0);
  // The last hour moves, and a day ends.
  const turn = useTimed((at) =>
    filter.range === 'hour' ? String(Math.floor(at / MINUTE_MS)) : new Date(at).toDateString(),
  );
  const version = `${useNews(filter, () => Math.max(FIGURES_CALM_MS, tookMs.current * REST))} ${turn}`;
  return useStationQuery(
    ['historySummary', keyOf(filter)],
    async (signal) => {
      const startedAt = performance.now();
      const now = Date.now() - store.getState().clockSkewMs;
      const summary = await api.loadHistorySummary(queryOf(filter, now), signal);
      tookMs.current = performance.now() - startedAt;
      return summary;
    },
    { version },
  );
}

export function keyOf(filter: PastFilter): string {
  return JSON.stringify(writeFilter(filter));
}

/** Another text when something happened that may belong to it, at most once in so long. */
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

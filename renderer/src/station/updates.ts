import { useEffect, useState } from 'react';
import type { UpdateState, UpdateStatus } from '#shared/api/updates.ts';
import * as texts from '../words/texts.ts';
import { useRight, useStationContext, useStationState } from './context.ts';
import { useTimed } from './time.ts';
import { type Loaded, useStationQuery } from './useStationQuery.ts';

const words = texts.updates;

/** Polling interval in milliseconds for the progress of an update. No event reports the progress. */
const MOVING_EVERY_MS = 1_000;
/** Delay before the first request in milliseconds, so that it does not slow down requests that the page needs first. */
const NEWS_AFTER_MS = 5_000;
/** Interval in milliseconds between later requests. The station itself checks for updates only once a day. */
const NEWS_EVERY_MS = 3_600_000;
/** Age in milliseconds above which failures are not shown. */
const FAILED_NEWS_MS = 7 * 86_400_000;

const MOVING: ReadonlySet<UpdateState> = new Set(['checking', 'downloading', 'installing']);

/** Returns the update status, polled while an update is in progress. */
export function useUpdates(): Loaded<UpdateStatus> {
  const { api } = useStationContext();
  return useStationQuery(['updates'], () => api.getUpdates(), {
    everyMs: (status) => (status !== undefined && MOVING.has(status.state) ? MOVING_EVERY_MS : false),
  });
}

/** Returns a short notice about updates for admins; empty if there is none. */
export function useUpdateNews(): string {
  const { api } = useStationContext();
  const isAdmin = useRight('change_settings');
  const isSignedIn = useStationState(({ session }) => session !== 'signedOut');
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), NEWS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const { value } = useStationQuery(['updates'], () => api.getUpdates(), {
    isOn: isAdmin && isSignedIn && isDue,
    everyMs: NEWS_EVERY_MS,
  });
  return useTimed((now) => (isAdmin && value !== undefined ? newsOf(value, now) : ''));
}

/** Returns a short notice about updates; empty if there is none. `now` is the time in epoch milliseconds. */
export function newsOf({ state, mode, can, found, failed }: UpdateStatus, now: number): string {
  const isSuperseded = found !== null && found !== failed?.version;
  if (failed !== null && !isSuperseded && now - Date.parse(failed.at) < FAILED_NEWS_MS)
    return words.didNotStart(failed.version);
  if (found === null) return '';
  if (state === 'ready') return words.ready(found);
  // If the program cannot install updates, a person must.
  const isForPerson = mode === 'notify' || (mode === 'auto' && can === 'check');
  return state === 'available' && isForPerson ? words.available(found) : '';
}

import { useEffect, useRef } from 'react';
import type { TimelineCallback } from '#shared/api/history.ts';
import { useLoaded, type Loaded } from '../../station/useLoaded.ts';

const FIRST_LOOK_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** The timeline of a command, an order or a delivery: loaded when `version` changes, and until its callbacks are delivered. */
export function useTimeline<T extends { callbacks: readonly Pick<TimelineCallback, 'state'>[] }>(
  subject: string,
  version: string,
  load: () => Promise<T>,
): Loaded<T> {
  const loaded = useLoaded(subject, version, load);
  const { value, reload } = loaded;

  // No fact tells of a delivery: look again, ever more rarely.
  const waitMs = useRef(FIRST_LOOK_MS);
  useEffect(() => {
    if (value === undefined || value.callbacks.every(({ state }) => state !== 'pending')) {
      waitMs.current = FIRST_LOOK_MS;
      return undefined;
    }
    const timer = setTimeout(() => {
      waitMs.current = Math.min(LONGEST_WAIT_MS, waitMs.current * 2);
      reload();
    }, waitMs.current);
    return () => clearTimeout(timer);
  }, [value, reload]);

  return loaded;
}

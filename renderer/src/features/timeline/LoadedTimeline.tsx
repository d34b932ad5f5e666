import { type ReactNode, useRef } from 'react';
import type { TimelineCallback } from '#shared/api/history.ts';
import type { Key } from '../../station/queries.ts';
import { type Loaded, useStationQuery } from '../../station/useStationQuery.ts';
import parts from '../../ui/parts.module.css';
import { LoadFailure } from '../../ui/Failure.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './LoadedTimeline.module.css';

type Props<T> = { loaded: Loaded<T>; title?: string; children(timeline: T): ReactNode };

/** A timeline, or its loading or error state. */
export function LoadedTimeline<T>({ loaded: { value, failure, reload }, title, children }: Props<T>) {
  return (
    <>
      {value !== undefined && children(value)}
      {value === undefined && title !== undefined && <h3 className={parts.title}>{title}</h3>}
      {value === undefined && failure === '' && <p className={parts.quiet}>{texts.frame.loading}</p>}
      {failure !== '' && (
        <LoadFailure className={styles.failure} reload={reload}>
          {texts.why.failed} {failure}
        </LoadFailure>
      )}
    </>
  );
}

const FIRST_LOOK_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** The timeline of a command, an order or a delivery: loaded when `version` changes, and until its callbacks are delivered. */
export function useTimeline<T extends { callbacks: readonly Pick<TimelineCallback, 'state'>[] }>(
  key: Key,
  load: () => Promise<T>,
  version = '',
): Loaded<T> {
  /** How often it had been read when the first callback was waiting. */
  const first = useRef<number>(undefined);
  return useStationQuery(key, load, {
    version,
    // No fact tells everybody of a delivery: look again, ever more rarely.
    everyMs(value, reads) {
      if (value?.callbacks.some(({ state }) => state === 'pending') !== true) {
        first.current = undefined;
        return false;
      }
      first.current ??= reads;
      return Math.min(LONGEST_WAIT_MS, FIRST_LOOK_MS * 2 ** (reads - first.current));
    },
  });
}

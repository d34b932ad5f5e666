import { type ReactNode, useEffect, useRef } from 'react';
import type { TimelineCallback } from '#shared/api/history.ts';
import { type Loaded, useLoaded } from '../../station/useLoaded.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './LoadedTimeline.module.css';

type Props<T> = { loaded: Loaded<T>; title?: string; children(timeline: T): ReactNode };

/** A timeline as soon as it is there; before that, that it is asked for or why it did not come. */
export function LoadedTimeline<T>({ loaded: { value, failure, reload }, title, children }: Props<T>) {
  return (
    <>
      {value !== undefined && children(value)}
      {value === undefined && title !== undefined && <h3 className={styles.title}>{title}</h3>}
      {value === undefined && failure === '' && <p className={styles.quiet}>{texts.why.loading}</p>}
      {failure !== '' && (
        <div role="alert" className={styles.failure}>
          <p>
            {texts.why.failed} {failure}
          </p>
          <Button onPress={reload}>{texts.why.again}</Button>
        </div>
      )}
    </>
  );
}

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

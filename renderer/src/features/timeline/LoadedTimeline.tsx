import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './LoadedTimeline.module.css';
import type { Loaded } from '../../station/useLoaded.ts';

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

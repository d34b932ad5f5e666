import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { texts } from '../../ui/texts.ts';
import type { Loaded } from '../../station/useLoaded.ts';
import styles from '../../ui/lists.module.css';

type Props = {
  /** What the list is, in a sentence. */
  lead: string;
  /** The first thing to do here. */
  action?: ReactNode;
  loaded: Loaded<unknown>;
  children: ReactNode;
};

/** One of the page's lists: what it is, what to do here, and the list once it is there. */
export function ListPart({ lead, action, loaded, children }: Props) {
  const { value, failure, reload } = loaded;
  const head = useRef<HTMLDivElement>(null);
  const last = useRef<Element>(null);

  // The row or the dialog that had the focus is gone: it goes on at the first thing to do here.
  useEffect(() => {
    const gone = last.current;
    if (gone === null || gone.isConnected) return;
    // What gives the focus back by itself does so in the next frame.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (last.current !== gone) return;
        last.current = null;
        if (document.activeElement === document.body) head.current?.querySelector('button')?.focus();
      }),
    );
  });

  if (value === undefined && failure !== '') {
    return (
      <ErrorState
        title={texts.users.notLoaded}
        body={failure}
        action={<Button onPress={reload}>{texts.users.again}</Button>}
      />
    );
  }
  return (
    <div className={styles.part} onFocus={({ target }) => (last.current = target)}>
      <div ref={head} className={styles.head}>
        <p className={styles.lead}>{lead}</p>
        {action}
      </div>
      {value === undefined ? <p className={styles.quiet}>{texts.frame.loading}</p> : children}
      <div role="alert">
        {value !== undefined && failure !== '' && (
          <p className={styles.failure}>
            {texts.users.notNewest} {failure} <Button onPress={reload}>{texts.users.again}</Button>
          </p>
        )}
      </div>
    </div>
  );
}

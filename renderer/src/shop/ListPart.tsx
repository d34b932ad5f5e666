import { type ReactNode, useEffect } from 'react';
import type { Subject } from '../station/queries.ts';
import { type Loaded, useStationQuery } from '../station/useStationQuery.ts';
import { Button } from '../kit/button/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import { NotLoaded } from '../kit/feedback/EmptyState.tsx';
import { useLeaveGuard } from '../kit/dialog/leaveGuard.tsx';
import styles from '../kit/list/lists.module.css';
import parts from '../kit/parts.module.css';
import * as texts from '../words/texts.ts';

type Props = {
  /** A sentence that describes the list. */
  lead: string;
  /** The main action. */
  action?: ReactNode;
  loaded: Loaded<unknown>;
  children: ReactNode;
};

/** A list on a page with several lists, with its lead, action and rows. */
export function ListPart({ lead, action, loaded, children }: Props) {
  const isFailed = loaded.status === 'failed';
  if (isFailed && loaded.value === undefined) return <NotLoaded of={loaded} title={texts.users.notLoaded} />;
  return (
    <div className={parts.column4}>
      <div className={styles.head}>
        <p className={`${parts.quiet} ${styles.lead}`}>{lead}</p>
        {action}
      </div>
      {loaded.value === undefined ? <NotLoaded of={loaded} /> : children}
      <div role="alert">
        {isFailed && (
          <p className={parts.failure}>
            {texts.users.notNewest} {loaded.failure} <Button onPress={loaded.reload}>{texts.frame.broken.again}</Button>
          </p>
        )}
      </div>
    </div>
  );
}

type RowsProps = { label: string; nothing: ReactNode; children: readonly ReactNode[] };

/** The rows of a list, or `nothing` if there are none. */
export function Rows({ label, nothing, children }: RowsProps) {
  if (children.length === 0) return nothing;
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  );
}

type ShownOnceProps = { title: string; lead: string; done: string; onDone(): void; children: ReactNode };

/**
 * A dialog for secrets that the station shows only once. The dialog is closed only by its button, and leaving the
 * page asks for confirmation.
 */
export function ShownOnce({ title, lead, done, onDone, children }: ShownOnceProps) {
  useLeaveGuard(true);
  return (
    <Dialog
      title={title}
      role="alertdialog"
      size="large"
      isOpen
      onClose={() => undefined}
      actions={<Button words={done} look="primary" onPress={onDone} />}
    >
      <div className={parts.column5}>
        <p>{lead}</p>
        {children}
      </div>
    </Dialog>
  );
}

/**
 * Loads a list. Reloads it when the stream reports a change, and when the window becomes visible or gets the focus,
 * because the stream does not report some changes, such as the time of a sign-in.
 */
export function useList<T>(subject: Subject, load: () => Promise<T>): Loaded<T> {
  const loaded = useStationQuery([subject], load);
  const { reload } = loaded;
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') reload();
    };
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [reload]);
  return loaded;
}

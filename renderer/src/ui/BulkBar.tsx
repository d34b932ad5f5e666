import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import styles from './BulkBar.module.css';
import type { BulkRun } from './bulkOutcome.ts';
import { Button } from './Button.tsx';
import parts from './parts.module.css';
import { Progress } from './Progress.tsx';
import { texts } from './texts.ts';
import { useToastOffset } from './useToastOffset.ts';

type Props<Kind extends string> = {
  said: { bar: string; count(many: number): string; running: Record<Kind, (many: number) => string> };
  /** How many are chosen. */
  many: number;
  /** How many of them filter and search leave out. */
  hidden: number;
  bulk: BulkRun<Kind>;
  clear(): void;
  /** What to do with all of them. */
  children: ReactNode;
};

/** How many are chosen, what to do with all of them, and how far that is; nothing where none is. */
export function BulkBar<Kind extends string>(props: Props<Kind>) {
  return props.many > 0 || props.bulk.running !== undefined ? <Bar {...props} /> : null;
}

function Bar<Kind extends string>({ said, many, hidden, bulk, clear, children }: Props<Kind>) {
  const bar = useRef<HTMLElement>(null);
  useToastOffset(bar);
  const { running } = bulk;
  useFocusKept(bar, running !== undefined);
  return (
    <section ref={bar} tabIndex={-1} className={styles.bar} aria-label={said.bar}>
      <div className={styles.words}>
        <p role="status" className={styles.count}>
          {many > 0 && said.count(many)}
        </p>
        {hidden > 0 && <p>{texts.bulk.hidden(hidden)}</p>}
      </div>
      {running === undefined ? (
        <div className={parts.row}>
          <Button words={texts.bulk.clear} look="quiet" onPress={clear} />
          {children}
        </div>
      ) : (
        <div className={styles.progress}>
          <Progress
            label={said.running[running.kind](running.all)}
            value={running.done}
            max={running.all}
            onCancel={bulk.cancel}
          />
        </div>
      )}
    </section>
  );
}

/** The button that was pressed goes: the focus stays on the bar while something runs, and goes back to the table with its end. */
function useFocusKept(bar: RefObject<HTMLElement | null>, isRunning: boolean): void {
  useEffect(() => {
    if (isRunning && document.activeElement === document.body) bar.current?.focus({ preventScroll: true });
  }, [bar, isRunning]);
  useLayoutEffect(() => {
    const here = bar.current;
    return () => {
      if (here?.contains(document.activeElement) !== true) return;
      const row = document.querySelector<HTMLElement>('[role="grid"] [data-control][tabindex="0"]');
      row?.focus({ preventScroll: true });
    };
  }, [bar]);
}

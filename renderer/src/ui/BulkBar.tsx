import { useRef, type ReactNode } from 'react';
import styles from './BulkBar.module.css';
import { Button } from './Button.tsx';
import { useFoot } from './foot.ts';
import { Progress } from './Progress.tsx';
import { texts } from './texts.ts';
import type { BulkRun } from './useBulkRun.ts';

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
  useFoot(bar);
  const { running } = bulk;
  return (
    <section ref={bar} className={styles.bar} aria-label={said.bar}>
      <div className={styles.words}>
        <p role="status" className={styles.count}>
          {many > 0 && said.count(many)}
        </p>
        {hidden > 0 && <p>{texts.bulk.hidden(hidden)}</p>}
      </div>
      {running === undefined ? (
        <div className={styles.actions}>
          <Button look="quiet" onPress={clear}>
            {texts.bulk.clear}
          </Button>
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

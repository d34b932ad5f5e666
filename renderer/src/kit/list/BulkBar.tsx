import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { FileSpreadsheet } from 'lucide-react';
import { writeCsv } from '#shared/lib/tables/cells/csv.ts';
import styles from './BulkBar.module.css';
import type { BulkRun } from './bulkRun.ts';
import { Button } from '../button/Button.tsx';
import parts from '../parts.module.css';
import { Progress } from '../feedback/Progress.tsx';
import * as texts from '../../words/texts.ts';
import { useToastOffset } from '../feedback/useToastOffset.ts';
import result from './BulkResult.module.css';
import { Dialog } from '../dialog/Dialog.tsx';
import { saveFile } from '../download.ts';

type Props<Kind extends string> = {
  said: { bar: string; count(many: number): string; running: Record<Kind, (many: number) => string> };
  /** Number of chosen rows. */
  many: number;
  /** Number of chosen rows that filter and search hide. */
  hidden: number;
  bulk: BulkRun<Kind>;
  clear(): void;
  /** Buttons for actions on all chosen rows. */
  children: ReactNode;
};

/** Shows the number of chosen rows, the actions on them, and the progress of an action. Hidden if no row is chosen. */
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

/**
 * Keeps the focus on the bar while an action runs, because the pressed button disappears, and returns the focus to
 * the table afterwards.
 */
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

const words = texts.bulk.result;
const MAX_DRAWN = 100;

type BulkResultProps = {
  bulk: Pick<BulkRun<string>, 'outcome' | 'forget'>;
  /** Name of the column for the keys in the saved file. */
  keyField: string;
  /** Returns the name of the row with this key, if the name differs from the key. */
  nameOf?(key: string): string;
};

/** Lists all failures of a bulk action. Hidden if there are none. */
export function BulkResult({ bulk: { outcome, forget }, keyField, nameOf }: BulkResultProps) {
  if (outcome === undefined) return null;
  const { done, failed, left, isCancelled } = outcome;

  function save(): void {
    const named = (key: string): string[] => (nameOf === undefined ? [key] : [key, nameOf(key)]);
    const rows = [
      [keyField, ...(nameOf === undefined ? [] : ['name']), 'result', 'detail'],
      ...done.map((key) => [...named(key), words.states.done, '']),
      ...failed.map((each) => [...named(each.key), words.states.failed, each.words]),
      ...left.map((key) => [...named(key), words.states.left, '']),
    ];
    saveFile('results.csv', 'text/csv;charset=utf-8', writeCsv(rows));
  }

  return (
    <Dialog
      title={isCancelled ? words.cancelled : words.title}
      isOpen
      onClose={forget}
      actions={
        <>
          <Button icon={FileSpreadsheet} words={words.csv} onPress={save} />
          <Button words={words.seen} look="primary" onPress={forget} autoFocus />
        </>
      }
    >
      <p>
        {words.summary(done.length, failed.length, left.length)} {words.kept}
      </p>
      {failed.length > 0 && (
        <ul className={`${parts.panel} ${result.list}`} aria-label={words.list}>
          {failed.slice(0, MAX_DRAWN).map((each) => (
            <li key={each.key}>
              <strong>{nameOf?.(each.key) ?? each.key}</strong> {each.words}
            </li>
          ))}
          {failed.length > MAX_DRAWN && <li>{words.more(failed.length - MAX_DRAWN)}</li>}
        </ul>
      )}
    </Dialog>
  );
}

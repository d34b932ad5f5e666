import { Ellipsis } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'wouter';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { texts } from '../../ui/texts.ts';
import { Moment } from '../people/Moment.tsx';
import { sequenceAddress } from '../work/addresses.ts';
import { Meter } from '../work/Meter.tsx';
import { StateTag } from '../work/StateTag.tsx';
import styles from '../work/WorkTable.module.css';
import { sequenceMenu } from './sequenceMenu.tsx';
import { SEQUENCE_COLUMNS, SEQUENCE_TONES, type SequenceRow, type SequenceSort } from './sequenceRows.ts';
import type { SequenceActions } from './useSequenceActions.ts';

const ROW_HEIGHT = 60;
const words = texts.sequences;
const CLASSES = {
  sequence: styles.name,
  state: styles.state,
  progress: styles.progress,
  started: styles.figures,
  created: styles.when,
};
const HEADINGS = SEQUENCE_COLUMNS.map((by) => ({ by, words: words.columns[by], className: CLASSES[by] ?? '' }));

type Props = {
  rows: readonly SequenceRow[];
  sort: SequenceSort;
  onSort(sort: SequenceSort): void;
  chosen: ReadonlySet<string>;
  choose(keys: readonly string[], isChosen: boolean): void;
  mayChoose: boolean;
  actions: SequenceActions;
};

/** Sequences and where they stand, a line each. */
export function SequenceTable({ mayChoose, ...table }: Props) {
  return (
    <DataTable
      {...table}
      label={words.table}
      rowHeight={ROW_HEIGHT}
      columns={styles.columns ?? ''}
      headings={HEADINGS}
      checkOf={mayChoose ? checkOf : nothing}
      chooseAllWords={words.selectAll}
      line={SequenceLine}
    />
  );
}

const checkOf = ({ key }: SequenceRow): string => words.select(key);
const nothing = (): undefined => undefined;

type LineProps = { row: SequenceRow; isCurrent: boolean; actions: SequenceActions };

const SequenceLine = memo(function SequenceLine({ row: { key, sequence }, isCurrent, actions }: LineProps) {
  const { state, acknowledged_count: done, step_count: all, active_count: lit, halted_count: halted } = sequence;
  const notes = words.counts(lit, halted);
  return (
    <>
      <div role="gridcell" className={styles.name}>
        <Link
          href={sequenceAddress(key)}
          className={styles.link ?? ''}
          tabIndex={isCurrent ? 0 : -1}
          data-control="sequence"
        >
          <span className={styles.strong} title={key}>
            {key}
          </span>
        </Link>
      </div>
      <div role="gridcell" className={styles.state}>
        <StateTag tone={SEQUENCE_TONES[state]} words={words.states[state]} />
      </div>
      <div role="gridcell" className={styles.progress}>
        <Meter done={done} all={all} />
        <span className={styles.said}>
          <span>{words.progressOf(done, all)}</span>
          {notes !== '' && (
            <span className={styles.quiet} data-care={halted > 0 || undefined}>
              {notes}
            </span>
          )}
        </span>
      </div>
      <div role="gridcell" className={styles.figures}>
        {sequence.start_time === null ? texts.work.never : <Moment at={sequence.start_time} words={same} />}
      </div>
      <div role="gridcell" className={styles.when}>
        <Moment at={sequence.created_time} words={same} />
      </div>
      <div role="gridcell" className={styles.actions}>
        <Menu
          label={texts.work.more(key)}
          placement="bottom end"
          trigger={
            <Button look="icon" aria-label={texts.work.more(key)} excludeFromTabOrder={!isCurrent} data-control="menu">
              <Ellipsis size={20} aria-hidden="true" />
            </Button>
          }
          groups={sequenceMenu(sequence, actions)}
        />
      </div>
    </>
  );
});

const same = (ago: string): string => ago;

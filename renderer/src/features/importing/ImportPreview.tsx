import { Download } from 'lucide-react';
import { type ComponentType, type ReactNode, useMemo, useState } from 'react';
import { rejectedRows } from '#shared/lib/rejectedRows.ts';
import { Button } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/download.ts';
import { Grid, useTable } from '../../ui/Grid.tsx';
import parts from '../../ui/parts.module.css';
import { Filters } from '../../ui/Segments.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './ImportPreview.module.css';

const ROW_HEIGHT = 56;
const shared = texts.importing;

type Look = 'new' | 'changed' | 'unchanged' | 'refused';

type RowsProps<Row, Outcome extends string> = {
  rows: readonly Row[];
  /** Over each column, and how each outcome is called. */
  words: { columns: Readonly<Record<string, string>>; outcomes: Readonly<Record<Outcome | 'all', string>> };
  looks: Readonly<Record<Outcome, Look>>;
  /** The class of a row that sets its columns. */
  columns: string;
  /** The cells of a row after its line and its outcome. */
  cells: ComponentType<{ row: Row }>;
};

type Props<Row, Outcome extends string> = RowsProps<Row, Outcome> & {
  /** How the file was read. */
  readAs: string;
  /** Names of columns that were left alone. */
  ignored: readonly string[];
  outcomes: readonly Outcome[];
  counts: Readonly<Record<Outcome, number>>;
  /** What the import does, and what it leaves out. */
  said: ReactNode;
  /** Saves the rows that are left out. */
  rejected: ReactNode;
  /** What the button is called that does it; undefined: there is nothing to do. */
  submit: string | undefined;
  run(): void;
  /** To choose something else. */
  back(): void;
};

/** What each row of a file becomes, before anything is done. */
export function ImportPreview<Row extends { line: number; outcome: Outcome }, Outcome extends string>(
  props: Props<Row, Outcome>,
) {
  const { readAs, ignored, outcomes, counts, said, rejected, submit, run, back, rows: all, ...table } = props;
  const [outcome, setOutcome] = useState<Outcome | 'all'>('all');
  const rows = useMemo(() => (outcome === 'all' ? all : all.filter((row) => row.outcome === outcome)), [all, outcome]);
  return (
    <div className={styles.preview}>
      <p className={parts.quiet}>
        {readAs}
        {ignored.length > 0 && ` ${shared.ignored(ignored)}`}
      </p>
      <div className={styles.strip}>
        <Filters<Outcome | 'all'>
          label={shared.outcomeFilter}
          words={table.words.outcomes}
          filters={['all', ...outcomes.filter((each) => counts[each] > 0)]}
          counts={{ ...counts, all: all.length }}
          value={outcome}
          onChange={setOutcome}
        />
      </div>
      <Rows {...table} rows={rows} />
      <footer className={`${parts.rowMiddle} ${styles.foot}`}>
        <div className={styles.said}>{said}</div>
        {rejected}
        <Button onPress={back}>{shared.other}</Button>
        {submit !== undefined && <Button words={submit} look="primary" onPress={run} autoFocus />}
      </footer>
    </div>
  );
}

function Rows<Row extends { line: number; outcome: Outcome }, Outcome extends string>(props: RowsProps<Row, Outcome>) {
  const { rows, words, looks, columns, cells: Cells } = props;
  const table = useTable({ rows, by: 'line', rowHeight: ROW_HEIGHT });
  const head = Object.entries(words.columns).map(([column, heading]) => (
    <div key={column} role="columnheader">
      {heading}
    </div>
  ));
  return (
    <div className={styles.frame}>
      <Grid
        table={table}
        label={shared.rows}
        look={{ ...styles, head: `${styles.head} ${columns}`, line: `${styles.row} ${columns}` }}
        head={head}
        renderLine={(row) => (
          <>
            <div role="cell" className={parts.figures}>
              {row.line}
            </div>
            <div role="cell">
              <span className={styles.tag} data-outcome={looks[row.outcome]}>
                {words.outcomes[row.outcome]}
              </span>
            </div>
            <Cells row={row} />
          </>
        )}
        role="table"
      />
    </div>
  );
}

type RejectedRowsProps = {
  /** The file as it was chosen. */
  csv: string;
  /** Whether its first row names the columns. */
  hasHead: boolean;
  /** Those that are left out. */
  rows: readonly { line: number; message: string }[];
};

/** Saves the rows that an import leaves out, each with its reason. */
export function RejectedRows({ csv, hasHead, rows }: RejectedRowsProps) {
  if (rows.length === 0) return null;
  const reasons = () => new Map(rows.map(({ line, message }) => [line, message]));
  return (
    <Button
      icon={Download}
      words={texts.importing.saveRejected}
      onPress={() => saveFile('rejected.csv', 'text/csv;charset=utf-8', rejectedRows(csv, reasons(), hasHead))}
    />
  );
}

import { Columns3, Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { AnyImportRow, ImportCounts, ImportRowOutcome } from '#shared/api/imports.ts';
import { writeCsv } from '#shared/lib/tables/cells/csv.ts';
import type { TableField } from '#shared/lib/tables/fields.ts';
import type { ImportOptions } from '../station/calls/importApi.ts';
import { Button } from '../kit/button/Button.tsx';
import { saveFile } from '../kit/download.ts';
import { Failure } from '../kit/feedback/EmptyState.tsx';
import { SwitchField } from '../kit/field/fields.tsx';
import parts from '../kit/parts.module.css';
import { Filters } from '../kit/field/Segments.tsx';
import * as texts from '../words/texts.ts';
import look from './ImportPreview.module.css';
import { OpenValues } from './ImportQuestion.tsx';
import { type Correct, ImportRows } from './ImportRows.tsx';
import type { ImportKind } from './kind.ts';
import type { Aside, PreviewStep } from './useImportStep.ts';

type Props<Row extends AnyImportRow> = {
  kind: ImportKind<Row>;
  step: PreviewStep;
  failure: string;
  answer(given: ImportOptions): void;
  correct: Correct;
  setAside(key: string, line: number): void;
  openColumns(): void;
  /** Makes the station forget the column mapping that it remembers for files with these columns. */
  forget(): void;
  run(): void;
  /** Returns to file selection. */
  back(): void;
};

const words = texts.importing;
const OUTCOMES = ['new', 'changed', 'known', 'held', 'refused', 'left_out'] as const satisfies ImportRowOutcome[];

/** A filter for rows: all rows, an outcome, or a mark that this kind of file has. */
type RowFilter<Row> = { id: string; words: string; count: number; has(row: Row): boolean };

/**
 * Returns the filters that match at least one row: each outcome, then each mark. The filter for all rows comes first,
 * even if there are none.
 */
function filtersOf<Row extends AnyImportRow>(
  { words: { outcomes }, marks = [] }: ImportKind<Row>,
  counts: ImportCounts,
  rows: readonly Row[],
): RowFilter<Row>[] {
  const isConflict = (row: Row): boolean => row.conflict;
  const conflicts = rows.filter(isConflict).length;
  const conflict = { id: 'conflict', words: outcomes.conflict, count: conflicts, has: isConflict };
  const ofOutcome = OUTCOMES.flatMap((id): RowFilter<Row>[] => {
    const one = { id, words: outcomes[id], count: counts[id], has: (row: Row) => row.outcome === id };
    if (id !== 'refused') return [one];
    return [{ ...one, count: one.count - conflicts, has: (row) => one.has(row) && !isConflict(row) }, conflict];
  });
  const marked = marks.map(({ id, words: name, has }) => ({ id, words: name, count: rows.filter(has).length, has }));
  const all = { id: 'all', words: outcomes.all, count: rows.length, has: () => true };
  return [all, ...[...ofOutcome, ...marked].filter(({ count }) => count > 0)];
}

/** Shows the station's preview: the outcome of each row. */
export function ImportPreview<Row extends AnyImportRow>(props: Props<Row>) {
  const { kind, step, failure, answer, correct, setAside, openColumns, forget, run, back } = props;
  const { preview, answers, aside } = step;
  const { mapping } = preview;
  const all = useMemo(() => preview.rows.filter(kind.isRow), [preview, kind]);
  const keys = useMemo(() => kind.orderKeys?.(all), [kind, all]);
  const counts = useMemo(() => countsWithout(preview.counts, all, { keys, aside }), [preview, all, keys, aside]);
  const [filter, setFilter] = useState('all');
  const filters = useMemo(() => filtersOf(kind, counts, all), [kind, counts, all]);
  // Fall back to the first filter, because no rows may match the filter after a correction.
  const shown = filters.find(({ id }) => id === filter) ?? filters[0];
  const rows = useMemo(() => (shown === undefined ? all : all.filter(shown.has)), [all, shown]);
  const fields = useMemo(
    () => new Set(mapping.flatMap(({ field }): TableField[] => (field === null ? [] : [field]))),
    [mapping],
  );
  // Focus the main button only before the first correction, so that a correction keeps the focus.
  const isNew = Object.keys(step.corrections).length === 0;
  const hasWork = counts.new + counts.changed > 0;
  const { leftOutToo, stockToo } = kind.words;
  return (
    <div className={look.preview}>
      <div className={`${parts.rowMiddle} ${look.top}`}>
        <p className={parts.quiet}>{readingWords(step, keys !== undefined)}</p>
        {preview.remembered !== null && <Button words={words.forget} onPress={forget} />}
        <Button icon={Columns3} words={words.columnsStep.open} onPress={openColumns} />
      </div>
      <OpenValues
        preview={preview}
        unclear={findUnclear(kind, all)}
        dark={darkIn(kind, all)}
        answers={answers}
        answer={answer}
      />
      <div className={`${parts.rowMiddle} ${look.top}`}>
        <Filters
          label={words.outcomeFilter}
          words={Object.fromEntries(filters.map((each) => [each.id, each.words]))}
          filters={filters.map(({ id }) => id)}
          counts={Object.fromEntries(filters.map((each) => [each.id, each.count]))}
          value={shown?.id ?? 'all'}
          onChange={setFilter}
        />
        {leftOutToo !== undefined && (counts.left_out > 0 || answers.include_left_out === true) && (
          <SwitchField
            label={leftOutToo}
            value={answers.include_left_out ?? false}
            onChange={(include) => answer({ include_left_out: include })}
          />
        )}
        {stockToo !== undefined && fields.has('on_hand') && (
          <SwitchField label={stockToo} value={answers.stock ?? false} onChange={(stock) => answer({ stock })} />
        )}
      </div>
      <ImportRows
        kind={kind}
        rows={rows}
        fields={fields}
        correct={correct}
        {...(keys === undefined ? {} : { aside: { keys, has: aside, toggle: setAside } })}
      />
      <footer className={`${parts.rowMiddle} ${look.foot}`}>
        <div className={look.said}>
          <Summary kind={kind} counts={counts} rows={all} />
          <Failure>{failure}</Failure>
        </div>
        <RejectedRows saved={kind.saved} rows={all} />
        <Button onPress={back}>{words.other}</Button>
        {hasWork && <Button words={kind.words.submit(counts)} look="primary" onPress={run} autoFocus={isNew} />}
      </footer>
    </div>
  );
}

/** Moves the rows of orders that are set aside as drafts from the new and changed counts to the held count. */
function countsWithout(
  counts: ImportCounts,
  rows: readonly AnyImportRow[],
  { keys, aside }: { keys: ReadonlyMap<number, string> | undefined; aside: Aside },
): ImportCounts {
  if (keys === undefined || aside.size === 0) return counts;
  const set = rows.filter(
    ({ line, outcome }) => (outcome === 'new' || outcome === 'changed') && aside.has(keys.get(line) ?? ''),
  );
  const isNew = set.filter(({ outcome }) => outcome === 'new');
  const orders = new Set(isNew.map(({ line }) => keys.get(line)));
  return {
    ...counts,
    orders: counts.orders - orders.size,
    new: counts.new - isNew.length,
    changed: counts.changed - (set.length - isNew.length),
    held: counts.held + set.length,
  };
}

function readingWords({ preview }: Pick<PreviewStep, 'preview'>, canSetAside: boolean): string {
  const { ignored, notes, skipped } = preview;
  return [
    words.readAs(preview),
    ignored.length > 0 ? words.ignored(ignored) : '',
    words.hidden(skipped.hidden_rows, skipped.hidden_columns),
    ...notes,
    preview.remembered === null ? '' : words.remembered,
    words.rowsHint,
    canSetAside ? words.asideHint : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

type Rows<Row extends AnyImportRow> = { kind: ImportKind<Row>; rows: readonly Row[] };

function findUnclear<Row extends AnyImportRow>(kind: ImportKind<Row>, rows: readonly Row[]): string | undefined {
  for (const row of rows) {
    const text = row.outcome === 'refused' ? kind.findUnclear?.(row) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Returns the places with goods that rows would leave without a light. */
function darkIn<Row extends AnyImportRow>({ findDark }: ImportKind<Row>, rows: readonly Row[]): string[] {
  const places = rows.map((row) => findDark?.(row) ?? '').filter((place) => place !== '');
  return [...new Set(places)];
}

function Summary<Row extends AnyImportRow>({ kind, counts, rows }: Rows<Row> & { counts: ImportCounts }) {
  const left = kind.leftOut(counts);
  return (
    <>
      <p>{kind.summary(counts, rows).join(' ')}</p>
      {kind.marks?.map(({ id, has, summary }) => {
        const many = rows.filter(has).length;
        return many > 0 && <p key={id}>{summary(many)}</p>;
      })}
      {left > 0 && <p className={parts.careStrong}>{words.leavesOut(left)}</p>}
      {kind.draftsHint !== undefined && counts.held + counts.refused > 0 && <p>{kind.draftsHint}</p>}
      {counts.new + counts.changed === 0 && <p className={parts.careStrong}>{kind.words.nothingNew}</p>}
    </>
  );
}

type RejectedProps<Row extends AnyImportRow> = { saved: ImportKind<Row>['saved']; rows: readonly Row[] };

/** Saves the refused and held rows with their reasons, as a file to correct and import. */
function RejectedRows<Row extends AnyImportRow>({ saved, rows }: RejectedProps<Row>) {
  const rejected = rows.filter(({ outcome }) => outcome === 'refused' || outcome === 'held');
  if (rejected.length === 0) return null;
  const lines = () => rejected.map((row) => [...saved.map((field) => String(row[field])), row.message]);
  return (
    <Button
      icon={Download}
      words={words.saveRejected}
      onPress={() => saveFile('rejected.csv', 'text/csv;charset=utf-8', writeCsv([[...saved, 'reason'], ...lines()]))}
    />
  );
}

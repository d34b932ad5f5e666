import { Columns3, Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ImportRow, ImportRowOutcome } from '#shared/api/imports.ts';
import { writeCsv } from '#shared/lib/csv.ts';
import type { TableField } from '#shared/lib/tables/fields.ts';
import type { ImportOptions } from '../../../station/workApi.ts';
import { Button } from '../../../ui/Button.tsx';
import { saveFile } from '../../../ui/download.ts';
import { Failure } from '../../../ui/EmptyState.tsx';
import { SwitchField } from '../../../ui/fields.tsx';
import parts from '../../../ui/parts.module.css';
import { Filters } from '../../../ui/Segments.tsx';
import { texts } from '../../../ui/texts.ts';
import look from '../../importing/ImportPreview.module.css';
import { OpenValues } from './ImportQuestion.tsx';
import { type Correct, ImportRows } from './ImportRows.tsx';
import own from './OrderImport.module.css';
import type { PreviewStep } from './useOrderImport.ts';

type Props = {
  step: PreviewStep;
  failure: string;
  answer(given: ImportOptions): void;
  correct: Correct;
  openColumns(): void;
  /** Forgets what the station remembers for these columns. */
  forget(): void;
  run(): void;
  /** Returns to the choice of a file. */
  back(): void;
};

const words = texts.orderImport;
const OUTCOMES = ['new', 'changed', 'known', 'held', 'refused', 'left_out'] as const satisfies ImportRowOutcome[];
type Filter = ImportRowOutcome | 'all';

/** Shows the station's preview: the outcome of each row. */
export function OrderPreview({ step, failure, answer, correct, openColumns, forget, run, back }: Props) {
  const { preview, answers } = step;
  const { counts, rows: all, mapping } = preview;
  const [filter, setFilter] = useState<Filter>('all');
  // After a correction, the filtered outcome may have no rows left.
  const shown = filter === 'all' || counts[filter] > 0 ? filter : 'all';
  const rows = useMemo(() => (shown === 'all' ? all : all.filter(({ outcome }) => outcome === shown)), [all, shown]);
  const fields = useMemo(
    () => new Set(mapping.flatMap(({ field }): TableField[] => (field === null ? [] : [field]))),
    [mapping],
  );
  // Keep the focus after a correction.
  const isNew = Object.keys(step.corrections).length === 0;
  const hasWork = counts.orders + counts.changed > 0;
  return (
    <div className={look.preview}>
      <div className={`${parts.rowMiddle} ${own.top}`}>
        <p className={parts.quiet}>{readingWords(step)}</p>
        {preview.remembered !== null && <Button words={words.forget} onPress={forget} />}
        <Button icon={Columns3} words={words.columnsStep.open} onPress={openColumns} />
      </div>
      <OpenValues preview={preview} answers={answers} answer={answer} />
      <div className={`${parts.rowMiddle} ${own.top}`}>
        <Filters<Filter>
          label={texts.importing.outcomeFilter}
          words={words.outcomes}
          filters={['all', ...OUTCOMES.filter((each) => counts[each] > 0)]}
          counts={{ ...counts, all: all.length }}
          value={shown}
          onChange={setFilter}
        />
        {(counts.left_out > 0 || answers.include_left_out === true) && (
          <SwitchField
            label={words.leftOutToo}
            value={answers.include_left_out ?? false}
            onChange={(include) => answer({ include_left_out: include })}
          />
        )}
      </div>
      <ImportRows rows={rows} fields={fields} correct={correct} />
      <footer className={`${parts.rowMiddle} ${look.foot}`}>
        <div className={look.said}>
          <Summary preview={preview} />
          <Failure>{failure}</Failure>
        </div>
        <RejectedOrders rows={all} />
        <Button onPress={back}>{texts.importing.other}</Button>
        {hasWork && <Button words={words.submit(counts.orders)} look="primary" onPress={run} autoFocus={isNew} />}
      </footer>
    </div>
  );
}

function readingWords({ preview }: Pick<PreviewStep, 'preview'>): string {
  const { ignored, notes, skipped } = preview;
  return [
    words.readAs(preview),
    ignored.length > 0 ? texts.importing.ignored(ignored) : '',
    words.hidden(skipped.hidden_rows, skipped.hidden_columns),
    ...notes,
    preview.remembered === null ? '' : words.remembered,
    words.rowsHint,
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function Summary({ preview: { counts, rows } }: Pick<PreviewStep, 'preview'>) {
  const withoutDevice = rows.filter(({ outcome, deviceid }) => outcome === 'new' && deviceid === null).length;
  const left = counts.known + counts.held + counts.refused + counts.left_out;
  const said = [
    counts.orders > 0 ? words.summary(counts.orders, counts.new) : '',
    counts.changed > 0 ? words.changes(counts.changed) : '',
    withoutDevice > 0 ? words.withoutDevice(withoutDevice) : '',
  ];
  return (
    <>
      <p>{said.filter((text) => text !== '').join(' ')}</p>
      {left > 0 && <p className={parts.careStrong}>{words.leavesOut(left)}</p>}
      {counts.orders + counts.changed === 0 && <p className={parts.careStrong}>{words.nothingNew}</p>}
    </>
  );
}

const SAVED = [
  'order_number',
  'shipment_number',
  'SKU',
  'UPC',
  'name',
  'ordered_quantity',
  'warehouse_location',
] as const satisfies (keyof ImportRow)[];

/** Saves the rows of refused orders with their reasons, as a file to correct and import. */
function RejectedOrders({ rows }: { rows: readonly ImportRow[] }) {
  const rejected = rows.filter(({ outcome }) => outcome === 'refused' || outcome === 'held');
  if (rejected.length === 0) return null;
  return (
    <Button
      icon={Download}
      words={texts.importing.saveRejected}
      onPress={() =>
        saveFile(
          'rejected.csv',
          'text/csv;charset=utf-8',
          writeCsv([
            [...SAVED, 'reason'],
            ...rejected.map((row) => [...SAVED.map((field) => row[field]), row.message]),
          ]),
        )
      }
    />
  );
}

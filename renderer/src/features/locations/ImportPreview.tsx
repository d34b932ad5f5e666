import { useMemo, useRef, useState } from 'react';
import type { ImportedRow, LocationImport } from '#shared/api/locationImport.ts';
import { arrowToPlace, parseDeviceIs } from '#shared/lib/deviceIs.ts';
import { IMPORT_OUTCOMES, type ImportOutcome } from '#shared/lib/locationCsv.ts';
import { Button } from '../../ui/Button.tsx';
import { Count } from '../../ui/Count.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { texts } from '../../ui/texts.ts';
import { ArrowPaper } from './ArrowPaper.tsx';
import styles from './ImportPreview.module.css';
import { useTable } from '../../ui/useTable.ts';

type Props = {
  preview: LocationImport;
  failure: string;
  run(): void;
  /** To choose something else. */
  back(): void;
};

const ROW_HEIGHT = 56;

/** What each row of a file becomes, before anything is done. */
export function ImportPreview({ preview, failure, run, back }: Props) {
  const { counts, columns, delimiter, ignored } = preview;
  const words = texts.locations.importing;
  const [outcome, setOutcome] = useState<ImportOutcome | 'all'>('all');
  const rows = useMemo(
    () => (outcome === 'all' ? preview.rows : preview.rows.filter((row) => row.outcome === outcome)),
    [preview, outcome],
  );
  const effective = counts.new + counts.changed;
  const read = columns === null ? words.noHeader : words.columnsOf(columns);
  const left = preview.rows.length === counts.refused ? words.allRefused : words.leavesOut(counts.refused);

  return (
    <div className={styles.preview}>
      <p className={styles.quiet}>
        {words.readAs(words.delimiters[delimiter], read)}
        {ignored.length > 0 && ` ${words.ignored(ignored)}`}
      </p>
      <div className={styles.strip}>
        <Segments
          label={words.outcomeFilter}
          value={outcome}
          onChange={setOutcome}
          choices={[
            { id: 'all', words: <Count words={words.outcomes.all} count={preview.rows.length} /> },
            ...IMPORT_OUTCOMES.filter((each) => counts[each] > 0).map((each) => ({
              id: each,
              words: <Count words={words.outcomes[each]} count={counts[each]} />,
            })),
          ]}
        />
      </div>
      <Rows rows={rows} />
      <footer className={styles.foot}>
        <div className={styles.said}>
          {counts.refused > 0 && <p className={styles.care}>{left}</p>}
          {effective === 0 && counts.refused === 0 && <p>{words.nothingNew}</p>}
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
        </div>
        <Button onPress={back}>{words.other}</Button>
        {effective > 0 && (
          <Button look="primary" onPress={run} autoFocus>
            {words.submit(effective)}
          </Button>
        )}
      </footer>
    </div>
  );
}

function Rows({ rows }: { rows: readonly ImportedRow[] }) {
  const words = texts.locations.importing;
  const keys = useMemo(() => rows.map(({ line }) => String(line)), [rows]);
  const scroll = useRef<HTMLDivElement>(null);
  const table = useTable({ scroll, keys, rowHeight: ROW_HEIGHT, above: 0 });
  return (
    <div className={styles.frame}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
      <div
        role="table"
        className={styles.table}
        aria-label={words.rows}
        aria-rowcount={rows.length + 1}
        ref={scroll}
        tabIndex={0}
      >
        <div role="row" aria-rowindex={1} className={styles.head}>
          {(['line', 'outcome', 'name', 'device', 'deviceIs'] as const).map((column) => (
            <div key={column} role="columnheader" className={styles[column]}>
              {words.columns[column]}
            </div>
          ))}
        </div>
        <div role="rowgroup" className={styles.lines} style={{ height: table.height }}>
          {table.items.map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <div
                  key={key}
                  role="row"
                  aria-rowindex={index + 2}
                  className={styles.row}
                  data-outcome={row.outcome}
                  style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
                >
                  <Cells row={row} />
                </div>
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Cells({ row }: { row: ImportedRow }) {
  const words = texts.locations.importing;
  const { line, outcome, name, deviceid, deviceIs, label, message, before, label_before } = row;
  const phrase = parseDeviceIs(deviceIs);
  const isLabel = name === '' && label !== null;
  return (
    <>
      <div role="cell" className={styles.line}>
        {line}
      </div>
      <div role="cell" className={styles.outcome}>
        <span className={styles.tag} data-outcome={outcome}>
          {words.outcomes[outcome]}
        </span>
      </div>
      <div role="cell" className={styles.name}>
        {isLabel ? <LabelCell label={label} before={label_before} /> : <span className={styles.strong}>{name}</span>}
        {before !== null && before.name !== name && <span className={styles.quiet}>{words.wasName(before.name)}</span>}
      </div>
      {outcome === 'refused' ? (
        <div role="cell" className={styles.reason} title={message}>
          <span>{message}</span>
          <span className={styles.quiet}>{[deviceid, deviceIs].filter((each) => each !== '').join(', ')}</span>
        </div>
      ) : (
        <>
          <div role="cell" className={styles.device}>
            <span>{deviceid}</span>
            {before !== null && (before.deviceid !== deviceid || before.deviceIs !== deviceIs) && (
              <span className={styles.quiet}>{words.was(before.deviceid, before.deviceIs)}</span>
            )}
            {!isLabel && label !== null && label_before !== null && (
              <span className={styles.quiet}>
                {words.labelled(label)}, {words.wasLabel(label_before)}
              </span>
            )}
          </div>
          <div role="cell" className={styles.deviceIs}>
            {message !== '' && (
              <span className={styles.look} title={message}>
                {message}
              </span>
            )}
            {message === '' && isLabel && <span className={styles.quiet}>{texts.locations.itself}</span>}
            {message === '' && phrase !== undefined && (
              <>
                <ArrowPaper arrow={arrowToPlace(phrase)} />
                <span className={styles.phrase}>{deviceIs}</span>
              </>
            )}
          </div>
        </>
      )}
    </>
  );
}

/** A label that a device gets or has, and what it had. */
function LabelCell({ label, before }: { label: string; before: string | null }) {
  const words = texts.locations.importing;
  return (
    <>
      <span className={label === '' ? styles.quiet : styles.strong}>
        {label !== '' ? label : before === null ? texts.locations.nameless : words.cleared}
      </span>
      {before !== null && <span className={styles.quiet}>{words.wasLabel(before)}</span>}
    </>
  );
}

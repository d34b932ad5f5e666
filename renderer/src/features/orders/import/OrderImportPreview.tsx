import { useMemo, useRef, useState } from 'react';
import type { OrderFile } from '#shared/lib/orderCsv.ts';
import { Button } from '../../../ui/Button.tsx';
import { Count } from '../../../ui/Count.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { texts } from '../../../ui/texts.ts';
import { useTable } from '../../../ui/useTable.ts';
import styles from '../../locations/ImportPreview.module.css';
import { ROW_OUTCOMES, type Judged, type JudgedRow, type RowOutcome } from './judgeRows.ts';
import own from './OrderImport.module.css';

type Props = {
  file: Extract<OrderFile, { ok: true }>;
  judged: Judged;
  run(): void;
  /** To choose something else. */
  back(): void;
};

const ROW_HEIGHT = 56;
const words = texts.orderImport;
/** How the rows of another import look that become the same. */
const LOOKS: Readonly<Record<RowOutcome, string>> = {
  new: 'new',
  known: 'unchanged',
  held: 'changed',
  refused: 'refused',
};

/** What each row of a file becomes, before anything is done. */
export function OrderImportPreview({ file, judged, run, back }: Props) {
  const { counts, orders, withoutDevice } = judged;
  const [outcome, setOutcome] = useState<RowOutcome | 'all'>('all');
  const rows = useMemo(
    () => (outcome === 'all' ? judged.rows : judged.rows.filter((row) => row.outcome === outcome)),
    [judged, outcome],
  );
  const leftOut = counts.known + counts.held + counts.refused;

  return (
    <div className={styles.preview}>
      <p className={styles.quiet}>
        {words.readAs(words.delimiters[file.delimiter], file.columns)}
        {file.ignored.length > 0 && ` ${words.ignored(file.ignored)}`}
      </p>
      <div className={styles.strip}>
        <Segments
          label={words.outcomeFilter}
          value={outcome}
          onChange={setOutcome}
          choices={[
            { id: 'all', words: <Count words={words.outcomes.all} count={judged.rows.length} /> },
            ...ROW_OUTCOMES.filter((each) => counts[each] > 0).map((each) => ({
              id: each,
              words: <Count words={words.outcomes[each]} count={counts[each]} />,
            })),
          ]}
        />
      </div>
      <Rows rows={rows} />
      <footer className={styles.foot}>
        <div className={styles.said}>
          <p>
            {orders.length > 0 && words.summary(orders.length, counts.new)}{' '}
            {withoutDevice > 0 && words.withoutDevice(withoutDevice)}
          </p>
          {orders.length > 0 && <p className={styles.quiet}>{words.undoHint}</p>}
          {leftOut > 0 && <p className={styles.care}>{words.leavesOut(leftOut)}</p>}
          {orders.length === 0 && <p className={styles.care}>{words.nothingNew}</p>}
        </div>
        <Button onPress={back}>{words.other}</Button>
        {orders.length > 0 && (
          <Button look="primary" onPress={run} autoFocus>
            {words.submit(orders.length)}
          </Button>
        )}
      </footer>
    </div>
  );
}

const COLUMNS = ['line', 'outcome', 'order', 'item', 'place'] as const;

function Rows({ rows }: { rows: readonly JudgedRow[] }) {
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
        <div role="row" aria-rowindex={1} className={`${styles.head} ${own.columns}`}>
          {COLUMNS.map((column) => (
            <div key={column} role="columnheader">
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
                  className={`${styles.row} ${own.columns}`}
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

function Cells({ row }: { row: JudgedRow }) {
  const { line, outcome, cells } = row;
  const [named = '', ...others] = [cells.name, cells.SKU, cells.UPC].filter((text) => text !== '');
  return (
    <>
      <div role="cell" className={styles.line}>
        {line}
      </div>
      <div role="cell">
        <span className={styles.tag} data-outcome={LOOKS[outcome]}>
          {words.outcomes[outcome]}
        </span>
      </div>
      <div role="cell" className={styles.name}>
        <span className={styles.strong}>{cells.order_number}</span>
        {cells.shipment_number !== '' && <span className={styles.quiet}>{words.shipment(cells.shipment_number)}</span>}
      </div>
      <div role="cell" className={styles.device}>
        <span>{[cells.ordered_quantity === '' ? '' : `${cells.ordered_quantity} ×`, named].join(' ').trim()}</span>
        {others.length > 0 && <span className={styles.quiet}>{others.join(' · ')}</span>}
      </div>
      <div role="cell" className={styles.device}>
        <Becomes row={row} />
      </div>
    </>
  );
}

/** Which device it lights, or why nothing becomes of it. */
function Becomes({ row: { outcome, message, heldBy, device, cells } }: { row: JudgedRow }) {
  const place = cells.warehouse_location;
  if (outcome === 'refused') return <Reason words={message} />;
  if (outcome === 'held') return <Reason words={words.heldBy(heldBy ?? 0)} />;
  if (outcome === 'known') return <span className={styles.quiet}>{words.knownHint}</span>;
  if (device === undefined) {
    return (
      <>
        {place !== '' && <span>{place}</span>}
        <span className={own.care} title={words.noDeviceHint}>
          {words.noDevice}
        </span>
      </>
    );
  }
  return (
    <>
      <span>{device.name}</span>
      {place !== '' && place.toLowerCase() !== device.name.toLowerCase() && (
        <span className={styles.quiet}>{texts.orders.one.atPlace(place)}</span>
      )}
    </>
  );
}

function Reason({ words: said }: { words: string }) {
  return (
    <span className={own.reason} title={said}>
      {said}
    </span>
  );
}

import { useMemo, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { ImportRow } from '#shared/api/imports.ts';
import type { TableField } from '#shared/lib/tables/fields.ts';
import { useStationState } from '../../../station/context.ts';
import type { ImportCells } from '../../../station/workApi.ts';
import { Grid, useTable } from '../../../ui/Grid.tsx';
import parts from '../../../ui/parts.module.css';
import { useIsBar } from '../../../ui/Rail.tsx';
import { texts } from '../../../ui/texts.ts';
import look from '../../importing/ImportPreview.module.css';
import styles from './ImportRows.module.css';

export type Correct = (line: number, cells: ImportCells) => Promise<void>;
type Props = {
  rows: readonly ImportRow[];
  /** Fields with a column in the file. Only these can be corrected. */
  fields: ReadonlySet<TableField>;
  correct: Correct;
};

const words = texts.orderImport;
const LOOKS = {
  new: 'new',
  changed: 'changed',
  known: 'unchanged',
  held: 'refused',
  refused: 'refused',
  left_out: 'unchanged',
} as const;
const ROW_HEIGHT = 56;
/** Two lines of cells, with the reason below. */
const PHONE_ROW_HEIGHT = 136;

/** Shows the outcome of each row, with cells that can be corrected. */
export function ImportRows(props: Props) {
  const rowHeight = useIsBar() ? PHONE_ROW_HEIGHT : ROW_HEIGHT;
  // Remount when the height changes: the table caches measured heights.
  return <Rows key={rowHeight} {...props} rowHeight={rowHeight} />;
}

function Rows({ rows, fields, correct, rowHeight }: Props & { rowHeight: number }) {
  const table = useTable({ rows, by: 'line', rowHeight });
  const css = useMemo(
    () => ({ ...look, head: `${look.head} ${styles.row} ${styles.head}`, line: `${look.row} ${styles.row}` }),
    [],
  );
  return (
    <div className={`${look.frame} ${styles.frame}`}>
      <Grid
        table={table}
        label={texts.importing.rows}
        look={css}
        isExplained
        head={Object.entries(words.columns).map(([column, heading]) => (
          <div key={column} role="columnheader">
            {heading}
          </div>
        ))}
        renderLine={(row, isCurrent) => <Cells row={row} isCurrent={isCurrent} fields={fields} correct={correct} />}
      />
    </div>
  );
}

type RowProps = Omit<Props, 'rows'> & { row: ImportRow; isCurrent: boolean };

function Cells(props: RowProps) {
  const { row, fields } = props;
  const { line, outcome, shipment_number: shipment, quantity, ordered_quantity: ordered, SKU, UPC, message } = row;
  const isAsRead = quantity === null || String(quantity) === ordered.trim();
  const code = fields.has('SKU') ? 'SKU' : 'UPC';
  return (
    <>
      <div role="gridcell" className={`${parts.figures} ${styles.line}`}>
        {line}
      </div>
      <div role="gridcell" className={styles.outcome}>
        <span className={look.tag} data-outcome={LOOKS[outcome]}>
          {words.outcomes[outcome]}
        </span>
      </div>
      <Cell {...props} className={styles.order} field="order_number" text={row.order_number} isStrong>
        {shipment !== '' && words.shipment(shipment)}
      </Cell>
      <Cell
        {...props}
        className={styles.quantity}
        field={fields.has('quantity_to_ship') ? 'quantity_to_ship' : 'ordered_quantity'}
        text={ordered}
      >
        {!isAsRead && words.readQuantity(quantity)}
      </Cell>
      <Cell {...props} className={styles.item} field="name" text={row.name} />
      <Cell {...props} className={styles.code} field={code} text={code === 'SKU' ? SKU : UPC}>
        {code === 'SKU' && UPC !== SKU && UPC}
      </Cell>
      <Cell {...props} className={styles.place} field="warehouse_location" text={row.warehouse_location}>
        <Lights row={row} />
      </Cell>
      <div role="gridcell" className={styles.reason} title={message}>
        <span>{message}</span>
      </div>
    </>
  );
}

type CellProps = RowProps & {
  field: TableField;
  text: string;
  className: string | undefined;
  isStrong?: boolean;
  /** Shown below the text. */
  children?: React.ReactNode;
};

/** A cell of the file. A press opens it for correction. */
function Cell({
  row: { line },
  isCurrent,
  fields,
  correct,
  field,
  text,
  className = '',
  isStrong,
  children,
}: CellProps) {
  const [isOpen, setOpen] = useState(false);
  const [isFocused, setFocused] = useState(false);
  /** The typed text, until the station has checked it. */
  const [pending, setPending] = useState<string>();
  const name = words.fields[field] ?? field;
  const content = (
    <>
      <span className={isStrong ? parts.strong : undefined}>{pending ?? text}</span>
      {pending !== undefined && <span className={parts.quiet}>{words.judging}</span>}
      {pending === undefined && children !== undefined && children !== false && children !== '' && (
        <span className={parts.quiet}>{children}</span>
      )}
    </>
  );
  return (
    <div role="gridcell" className={`${styles.cell} ${className}`}>
      {!fields.has(field) && <div className={styles.text}>{content}</div>}
      {fields.has(field) && !isOpen && (
        <AriaButton
          className={`${styles.text} ${styles.correctable}`}
          aria-label={words.correct(name, line, text)}
          excludeFromTabOrder={!isCurrent}
          data-control={field}
          autoFocus={isFocused}
          onPress={() => setOpen(true)}
        >
          {content}
        </AriaButton>
      )}
      {isOpen && (
        <Correction
          label={words.correcting(name, line)}
          text={text}
          close={(next, byKey) => {
            setOpen(false);
            setFocused(byKey);
            if (next === text) return;
            setPending(next);
            void correct(line, { [field]: next }).then(() => setPending(undefined));
          }}
        />
      )}
    </div>
  );
}

type CorrectionProps = { label: string; text: string; close(text: string, byKey: boolean): void };

/** Enter or leaving the field keeps the text. Escape discards it. */
function Correction({ label, text, close }: CorrectionProps) {
  const [typed, setTyped] = useState(text);
  const isDone = useRef(false);
  function end(next: string, byKey: boolean): void {
    // Ignore the blur that follows a key.
    if (isDone.current) return;
    isDone.current = true;
    close(next, byKey);
  }
  return (
    <input
      className={styles.input}
      aria-label={label}
      autoFocus
      spellCheck={false}
      value={typed}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => end(typed, false)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end(typed, true);
        else if (event.key === 'Escape') end(text, true);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

/** Names the device that the row lights, unless it is the name of its place. */
function Lights({ row: { outcome, deviceid, warehouse_location: place } }: { row: ImportRow }) {
  const device = useStationState(({ places }) => places.find((each) => each.deviceid === deviceid));
  if (outcome !== 'new' && outcome !== 'changed') return null;
  if (deviceid === null) {
    return (
      <span className={parts.care} title={words.noDeviceHint}>
        {words.noDevice}
      </span>
    );
  }
  const name = device?.name ?? deviceid;
  return name.toLowerCase() === place.toLowerCase() ? null : <span>{name}</span>;
}

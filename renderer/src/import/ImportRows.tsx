import { type CSSProperties, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { AnyImportRow, ImportRowOutcome } from '#shared/api/imports.ts';
import type { TableField } from '#shared/lib/tables/fields.ts';
import type { ImportCells } from '../station/calls/importApi.ts';
import { Grid, useTable } from '../kit/list/Grid.tsx';
import parts from '../kit/parts.module.css';
import { useIsNarrow } from '../kit/useIsNarrow.ts';
import * as texts from '../words/texts.ts';
import look from './ImportPreview.module.css';
import styles from './ImportRows.module.css';
import type { ImportColumn, ImportKind } from './kind.ts';

export type Correct = (line: number, cells: ImportCells) => Promise<void>;
type Props<Row extends AnyImportRow> = {
  kind: ImportKind<Row>;
  rows: readonly Row[];
  /** Fields with a column in the file. Only these can be corrected. */
  fields: ReadonlySet<TableField>;
  correct: Correct;
  /** Orders that are set aside as drafts, or undefined if this kind of file has no drafts. */
  aside?: {
    keys: ReadonlyMap<number, string>;
    has: ReadonlyMap<string, number>;
    toggle(key: string, line: number): void;
  };
};

const words = texts.importing;
/** Style of each outcome. Only new, changed and wrong rows are highlighted. */
const LOOKS: Readonly<Record<ImportRowOutcome, string>> = {
  new: 'new',
  changed: 'changed',
  known: 'unchanged',
  held: 'refused',
  refused: 'refused',
  left_out: 'unchanged',
};
const ROW_HEIGHT = 56;
/** Height of a row on a phone: two lines of cells, with the reason below. */
const PHONE_ROW_HEIGHT = 136;
/** Media query for windows in which reasons are below the cells. Keep the width in sync with the CSS. */
const MIDDLE = '(max-width: 1200px)';

/**
 * Height of a line of the reason in pixels, and the number of characters that always fit in a line next to or below
 * the cells.
 */
const REASON_LINE = 14;
const BESIDE_CHARACTERS = 38;
const BELOW_CHARACTERS = 80;
const REASON_PADDING = 12;

type Layout = 'phone' | 'middle' | 'wide';

/** Shows the outcome of each row, with cells that can be corrected. */
export function ImportRows<Row extends AnyImportRow>(props: Props<Row>) {
  const isPhone = useIsNarrow();
  const isMiddle = useIsNarrow(MIDDLE);
  const layout = isPhone ? 'phone' : isMiddle ? 'middle' : 'wide';
  // Remount when the heights change: the table caches measured heights.
  return <Rows key={layout} {...props} layout={layout} />;
}

/** Returns the height of a row. Reasons are never cut off, except on a phone. */
function heightOf({ message }: AnyImportRow, layout: Layout): number {
  if (layout === 'phone') return PHONE_ROW_HEIGHT;
  if (message === '') return ROW_HEIGHT;
  const lines = Math.ceil(message.length / (layout === 'wide' ? BESIDE_CHARACTERS : BELOW_CHARACTERS));
  const height = lines * REASON_LINE + REASON_PADDING;
  return layout === 'wide' ? Math.max(ROW_HEIGHT, height) : ROW_HEIGHT + height;
}

function Rows<Row extends AnyImportRow>(props: Props<Row> & { layout: Layout }) {
  const { kind, rows, layout, ...cells } = props;
  const rowHeight = layout === 'phone' ? PHONE_ROW_HEIGHT : ROW_HEIGHT;
  const table = useTable<Row>({ rows, by: 'line', rowHeight, heightOf: (row) => heightOf(row, layout), name: 'rows' });
  const columns = kind.columns.filter(({ isFilled }) => isFilled?.(cells.fields) ?? true);
  const css = useMemo(() => {
    const row = `${styles.row} ${kind.rowClass}`;
    return { ...look, head: `${look.head} ${row} ${styles.head}`, line: `${look.row} ${row}` };
  }, [kind]);
  const headings = [words.columns.line, words.columns.outcome, ...columns.map(({ heading }) => heading)];
  return (
    <div className={`${look.frame} ${styles.frame}`}>
      <Grid
        table={table}
        label={words.rows}
        look={css}
        style={tracksOf(columns)}
        isExplained
        head={[...headings, words.columns.reason].map((heading) => (
          <div key={heading} role="columnheader">
            {heading}
          </div>
        ))}
        renderLine={(row, isCurrent) => (
          <Cells kind={kind} columns={columns} row={row} isCurrent={isCurrent} {...cells} />
        )}
      />
    </div>
  );
}

/** Returns the grid tracks of the columns and their minimum total width. */
function tracksOf(columns: readonly { width: string }[]): CSSProperties {
  const smallest = columns.reduce((sum, { width }) => sum + Number(/\d+/.exec(width)?.[0] ?? 0), 0);
  // The type `CSSProperties` does not allow custom properties.
  return {
    '--tracks': columns.map(({ width }) => width).join(' '),
    '--tracks-width': `${smallest}px`,
  } as CSSProperties;
}

type RowProps<Row extends AnyImportRow> = Omit<Props<Row>, 'rows'> & {
  columns: readonly ImportColumn<Row>[];
  row: Row;
  isCurrent: boolean;
};

function Cells<Row extends AnyImportRow>({ kind, columns, row, aside, ...cell }: RowProps<Row>) {
  const { line } = row;
  const message = kind.reason?.(row) ?? inPageWords(row.message, kind.words.fields);
  return (
    <>
      <div role="gridcell" className={`${parts.figures} ${styles.line}`}>
        {line}
      </div>
      <div role="gridcell" className={styles.outcome}>
        <Outcome kind={kind} row={row} aside={aside} isCurrent={cell.isCurrent} />
      </div>
      {columns.map((column) => (
        <ColumnCell key={column.heading} {...cell} names={kind.words.fields} row={row} column={column} />
      ))}
      <div role="gridcell" className={styles.reason} title={message}>
        <span>{message}</span>
      </div>
    </>
  );
}

/** Replaces API field names such as `deviceIs` in a message with the names that the page uses. Quoted texts stay unchanged. */
function inPageWords(message: string, names: CellProps['names']): string {
  return message.replaceAll(/(?<!["\w])[a-z]+(?:_[a-z]+|[A-Z][a-z]+)+(?!["\w])/g, (word) => {
    const name = names[word as TableField];
    // Omit the explanation in parentheses from the field's name.
    return name === undefined ? word : name.replace(/ \(.*\)$/, '');
  });
}

type CellProps = {
  names: Readonly<Partial<Record<TableField, string>>>;
  isCurrent: boolean;
  fields: ReadonlySet<TableField>;
  correct: Correct;
};

type OutcomeProps<Row extends AnyImportRow> = {
  kind: Pick<ImportKind<Row>, 'words'>;
  row: Row;
  aside: Props<AnyImportRow>['aside'];
  isCurrent: boolean;
};

/** The outcome of a row. Pressing it sets the row's order aside as a draft, or includes the order again. */
function Outcome<Row extends AnyImportRow>({ kind, row, aside, isCurrent }: OutcomeProps<Row>) {
  const { line, outcome } = row;
  const { outcomes } = kind.words;
  const name = outcomes[row.conflict ? 'conflict' : outcome];
  const key = aside?.keys.get(line) ?? '';
  const isAside = aside?.has.has(key) === true;
  if (aside === undefined || key === '' || (outcome !== 'new' && outcome !== 'changed')) {
    return (
      <span className={look.tag} data-outcome={LOOKS[outcome]}>
        {name}
      </span>
    );
  }
  return (
    <AriaButton
      className={`${look.tag} ${styles.toggle}`}
      data-outcome={isAside ? 'unchanged' : LOOKS[outcome]}
      aria-label={isAside ? words.include(key) : words.setAside(outcomes[outcome], key)}
      excludeFromTabOrder={!isCurrent}
      data-control="outcome"
      onPress={() => aside.toggle(key, line)}
    >
      {isAside ? words.aside : outcomes[outcome]}
    </AriaButton>
  );
}

function ColumnCell<Row extends AnyImportRow>({
  row,
  column,
  ...props
}: CellProps & { row: Row; column: ImportColumn<Row> }) {
  const { className, sign: Sign, below, isStrong } = column;
  const field = column.field(props.fields);
  return (
    <Cell
      {...props}
      line={row.line}
      field={field}
      text={column.text(row, field)}
      className={className}
      isStrong={isStrong}
      sign={Sign !== undefined && <Sign row={row} />}
    >
      {below?.(row, field)}
    </Cell>
  );
}

type OneCellProps = CellProps & {
  line: number;
  field: TableField;
  text: string;
  className: string | undefined;
  isStrong: boolean | undefined;
  sign: ReactNode;
  /** Shown below the text. */
  children: ReactNode;
};

/** A cell of the file. Pressing it opens the cell for correction. */
function Cell(props: OneCellProps) {
  const { line, isCurrent, fields, correct, names, field, text, className, isStrong, sign, children } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [isFocused, setFocused] = useState(false);
  /** The typed text, or undefined once the station has checked it. */
  const [pending, setPending] = useState<string>();
  const name = names[field] ?? field;
  const content = (
    <>
      <span id={`${id}-text`} className={isStrong === true ? parts.strong : undefined}>
        {sign}
        {pending ?? text}
      </span>
      {pending !== undefined && <span className={parts.quiet}>{words.assessing}</span>}
      {pending === undefined && children !== undefined && children !== null && (
        <span id={`${id}-below`} className={parts.quiet}>
          {children}
        </span>
      )}
    </>
  );
  return (
    <div role="gridcell" className={`${styles.cell} ${className}`}>
      {!fields.has(field) && <div className={styles.text}>{content}</div>}
      {fields.has(field) && !isOpen && (
        <AriaButton
          id={id}
          className={`${styles.text} ${styles.correctable}`}
          aria-label={words.correct(name, line)}
          // Names the label first, then everything shown in the cell.
          aria-labelledby={`${id} ${id}-text ${id}-below`}
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

/** An input for the corrected text. Pressing Enter or leaving the field keeps the text; Escape discards it. */
function Correction({ label, text, close }: CorrectionProps) {
  const [typed, setTyped] = useState(text);
  const isDone = useRef(false);
  function end(next: string, byKey: boolean): void {
    // Ignore the blur event that a key has caused.
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

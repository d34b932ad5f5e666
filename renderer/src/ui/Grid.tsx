import { type HTMLAttributes, type ReactNode, type RefObject, useId } from 'react';
import { texts } from './texts.ts';
import type { Table } from './useTable.ts';

/** A CSS module with the classes `table`, `head`, `lines` and `line`, and one for each column. */
type Look = Readonly<Record<string, string>>;

type Props<Row extends object> = {
  table: Table<Row>;
  /** Names the table for screen readers. */
  label: string;
  look: Look;
  /** Beside that of the look. */
  className?: string | undefined;
  /** The column headers. */
  head: ReactNode;
  /** The cells of a row; `isCurrent`: it is on the way of Tab. */
  renderLine(row: Row, isCurrent: boolean): ReactNode;
  /** What else the element of a row has. */
  marks?(row: Row): object;
  columnCount?: number;
  /** False: more rows can be loaded. */
  isWhole?: boolean;
  /** `table`: there is nothing in it to reach by keys, and it is scrolled as a whole. */
  role?: 'grid' | 'table';
  /** Says to screen readers which keys work here. */
  isExplained?: boolean;
  /** Where the rows are. */
  lines?: RefObject<HTMLDivElement | null>;
};

/** A long table, of which only the rows in sight are drawn. */
export function Grid<Row extends object>(props: Props<Row>) {
  const {
    table,
    label,
    look,
    className,
    head,
    renderLine,
    marks,
    columnCount,
    isWhole = true,
    isExplained = false,
  } = props;
  const { box, items, height, count, keyboard } = table;
  const { role = 'grid', lines } = props;
  const isGrid = role === 'grid';
  const hint = useId();
  return (
    <>
      {isExplained && (
        <p id={hint} className="visuallyHidden">
          {texts.frame.tableKeys}
        </p>
      )}
      <div
        {...(isGrid ? keyboard : { tabIndex: 0 })}
        role={role}
        className={[className, look['table']].filter(Boolean).join(' ')}
        aria-label={label}
        aria-describedby={isExplained ? hint : undefined}
        aria-rowcount={isWhole ? count + 1 : -1}
        aria-colcount={columnCount}
        ref={box}
      >
        <div role="row" aria-rowindex={1} className={look['head']}>
          {head}
        </div>
        <div role="rowgroup" ref={lines} className={look['lines']} style={{ height }}>
          {items.map(({ row, key, index, style, isCurrent }) => (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              className={look['line']}
              style={style}
              data-row={isGrid ? index : undefined}
              {...marks?.(row)}
            >
              {renderLine(row, isCurrent)}
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

type HeadsProps<Column extends string> = {
  look: Look;
  columns: readonly Column[];
  words: Readonly<Record<NoInfer<Column>, string>>;
  /** Of the last column, for screen readers. */
  end: string;
};

/** Column headers that only name their columns. */
export function Heads<Column extends string>({ look, columns, words, end }: HeadsProps<Column>) {
  return (
    <>
      {columns.map((column) => (
        <div key={column} role="columnheader" className={look[column]}>
          {words[column]}
        </div>
      ))}
      <div role="columnheader">
        <span className="visuallyHidden">{end}</span>
      </div>
    </>
  );
}

type CellsProps<Column extends string> = {
  look: Look;
  /** What each column has, in their order. */
  of: Readonly<Record<Column, ReactNode>>;
  /** What else the element of a cell has. */
  marks?: Readonly<Partial<Record<NoInfer<Column>, HTMLAttributes<HTMLElement> & { 'data-care'?: true | undefined }>>>;
};

/** The cells of a row, each with the class of its column. */
export function Cells<Column extends string>({ look, of, marks }: CellsProps<Column>) {
  return (Object.keys(of) as Column[]).map((column) => (
    <div key={column} role="gridcell" className={look[column]} {...marks?.[column]}>
      {of[column]}
    </div>
  ));
}

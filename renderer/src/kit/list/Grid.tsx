import {
  type CSSProperties,
  type FocusEvent,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { defaultRangeExtractor, observeElementRect, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { useKeptScroll } from './entryState.ts';
import * as texts from '../../words/texts.ts';

/** A CSS module with the classes `table`, `head`, `lines` and `line`, and one for each column. */
type Look = Readonly<Record<string, string>>;

type Props<Row extends object> = {
  table: Table<Row>;
  /** Names the table for screen readers. */
  label: string;
  look: Look;
  /** Beside that of the look. */
  className?: string | undefined;
  style?: CSSProperties | undefined;
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
    style,
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
        style={style}
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
  of: Readonly<Partial<Record<Column, ReactNode>>>;
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

/** Until the first layout, and where there is none. */
const FIRST_BOX = { width: 1_160, height: 720 };
const OVERSCAN = 6;

type Given<Row extends object> = {
  rows: readonly Row[];
  /** The field that tells rows apart. */
  by: keyof Row;
  rowHeight: number;
  /** What scrolls, and how far below its beginning the rows begin, in pixels; without them the table scrolls by itself. */
  scroll?: RefObject<HTMLElement | null>;
  above?: number;
  /** Tells the lists of a page apart, in the entry of the history that keeps how far they are scrolled. */
  name: string;
};

/** The row that keys went to last, and what was around it when it was scrolled into view. */
type Shown = { wanted: object; height: number; above: number; top: number };

export type Table<Row extends object> = ReturnType<typeof useTable<Row>>;

/**
 * The rows of a long table that are to be drawn, and its keys: arrow keys go up and down in one column and along a row; one row
 * is on the way of Tab. Rows carry `data-row`, their index; what can be reached in them `data-control`.
 */
export function useTable<Row extends object>({ rows, by, rowHeight, scroll: page, above = 0, name }: Given<Row>) {
  const keys = useMemo(() => rows.map((row) => String(row[by])), [rows, by]);
  const box = useRef<HTMLDivElement>(null);
  const scroll = page ?? box;
  const [current, setCurrent] = useState<string>();
  const currentIndex = Math.max(0, current === undefined ? 0 : keys.indexOf(current));
  const [wanted, setWanted] = useState<{ index: number; control: string }>();
  const shown = useRef<Shown>(undefined);

  const rangeOf = useCallback(
    (range: Range) => {
      const rows = new Set(defaultRangeExtractor(range));
      // Always draw the row that has the focus, even when it is out of view.
      if (currentIndex < keys.length) rows.add(currentIndex);
      return [...rows].toSorted((a, b) => a - b);
    },
    [currentIndex, keys.length],
  );
  // Keep the function while the rows are the same: a new one makes the library measure all rows at each step of scrolling.
  const itemKey = useCallback((index: number) => keys[index] ?? index, [keys]);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is compiled by the React Compiler
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: keys.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    getItemKey: itemKey,
    rangeExtractor: rangeOf,
    overscan: OVERSCAN,
    scrollMargin: above,
    initialRect: FIRST_BOX,
    observeElementRect: (instance, hear) =>
      observeElementRect(instance, (rect) => {
        if (rect.height > 0) hear(rect);
      }),
  });

  // After the virtualizer, which begins at the top.
  useKeptScroll(name, scroll, keys.length > 0);

  useLayoutEffect(() => {
    const page = scroll.current;
    if (wanted === undefined || page === null) return;
    const row = page.querySelector<HTMLElement>(`[data-row="${wanted.index}"]`);
    if (row === null) return;
    const height = page.clientHeight;
    const before = shown.current;
    if (before?.wanted === wanted) {
      // What is around the rows has changed: follow, unless somebody has scrolled or gone elsewhere since.
      if (before.height === height && before.above === above) return;
      const isFollowed = row.contains(document.activeElement) && Math.abs(page.scrollTop - before.top) < 1;
      if (!isFollowed) return;
    } else {
      const there = row.querySelector<HTMLElement>(`[data-control="${wanted.control}"]`);
      (there ?? row.querySelector<HTMLElement>('[data-control]'))?.focus({ preventScroll: true });
    }
    // The browser knows where the row is; computed from indexes it would lack the header, and be late by a scroll event.
    row.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    shown.current = { wanted, height, above, top: page.scrollTop };
  });

  function goTo(index: number, control: string): void {
    // The current row is always drawn, and scrolled to then.
    setCurrent(keys[index]);
    setWanted({ index, control });
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (!(event.target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const control = event.target.closest<HTMLElement>('[data-control]');
    const row = control?.closest<HTMLElement>('[data-row]');
    if (control === null || row === null || row === undefined) return;
    const index = Number(row.dataset['row']);
    const controls = [...row.querySelectorAll<HTMLElement>('[data-control]')];
    const along = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (along !== undefined) controls[controls.indexOf(control) + along]?.focus();
    else {
      const next = nextRow(event.key, index, keys.length);
      if (next === undefined) return;
      goTo(next, control.dataset['control'] ?? '');
    }
    event.preventDefault();
    event.stopPropagation();
  }

  function onFocus({ target }: FocusEvent<HTMLElement>): void {
    const index = Number(target.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? Number.NaN);
    const key = keys[index];
    if (key !== undefined) setCurrent(key);
  }

  const items = virtualizer.getVirtualItems();
  return {
    items: items.flatMap(({ index, key, start }) => {
      const row = rows[index];
      const style = { height: rowHeight, transform: `translateY(${start - above}px)` };
      return row === undefined ? [] : [{ row, key, index, style, isCurrent: index === currentIndex }];
    }),
    keys,
    count: keys.length,
    lastDrawn: items.at(-1)?.index ?? 0,
    height: virtualizer.getTotalSize(),
    keyboard: { onKeyDown, onFocus },
    /** For the element that scrolls, where that is the table itself. */
    box,
    rowHeight,
    scroll,
    above,
  };
}

const PAGE = 10;

function nextRow(key: string, index: number, count: number): number | undefined {
  const last = count - 1;
  switch (key) {
    case 'ArrowUp':
      return Math.max(0, index - 1);
    case 'ArrowDown':
      return Math.min(last, index + 1);
    case 'PageUp':
      return Math.max(0, index - PAGE);
    case 'PageDown':
      return Math.min(last, index + PAGE);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

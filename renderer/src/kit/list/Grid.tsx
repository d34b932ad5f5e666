import {
  type CSSProperties,
  type FocusEvent,
  type HTMLAttributes,
  type KeyboardEvent,
  type MouseEvent,
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
import { readEntry, useKeptScroll, writeEntry } from './entryState.ts';
import * as texts from '../../words/texts.ts';

/** A CSS module with the classes `table`, `head`, `lines` and `line`, and one for each column. */
type Look = Readonly<Record<string, string>>;

type Props<Row extends object> = {
  table: Table<Row>;
  /** Names the table for screen readers. */
  label: string;
  look: Look;
  className?: string | undefined;
  style?: CSSProperties | undefined;
  head: ReactNode;
  /** Draws the cells of a row. `isCurrent` tells whether Tab stops in this row. */
  renderLine(row: Row, isCurrent: boolean): ReactNode;
  /** Returns additional attributes of a row. */
  marks?(row: Row): object;
  columnCount?: number;
  /** Whether all rows are loaded. */
  isWhole?: boolean;
  /** A `table` contains nothing to focus, and scrolls as a whole. */
  role?: 'grid' | 'table';
  /** Whether to tell screen readers which keys work here. */
  isExplained?: boolean;
  /** Ref to the element with the rows. */
  lines?: RefObject<HTMLDivElement | null>;
};

/** A long table that draws only visible rows. */
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
  /** Heading of the last column, for screen readers. */
  end: string;
};

/** Column headers that only show the names of the columns. */
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
  /** Content of the cells by column, in order. */
  of: Readonly<Partial<Record<Column, ReactNode>>>;
  /** Additional attributes by column. */
  marks?: Readonly<Partial<Record<NoInfer<Column>, HTMLAttributes<HTMLElement> & { 'data-care'?: true | undefined }>>>;
};

/** The cells of a row, each with the CSS class of its column. */
export function Cells<Column extends string>({ look, of, marks }: CellsProps<Column>) {
  return (Object.keys(of) as Column[]).map((column) => (
    <div key={column} role="gridcell" className={look[column]} {...marks?.[column]}>
      {of[column]}
    </div>
  ));
}

/** Size in pixels used before the first layout and in environments without layout. */
const FIRST_BOX = { width: 1_160, height: 720 };
const OVERSCAN = 6;

type Given<Row extends object> = {
  rows: readonly Row[];
  /** Name of the field that identifies rows. */
  by: keyof Row;
  rowHeight: number;
  /** Returns the height of a row, if not all rows are equally high. */
  heightOf?(row: Row): number;
  /** The scrolling element and the distance in pixels from its top to the rows. By default, the table itself scrolls. */
  scroll?: RefObject<HTMLElement | null>;
  above?: number;
  /** Name of the list, which distinguishes the lists of a page in the history entry that stores scroll positions. */
  name: string;
};

/** The row that was last reached by keyboard, and the control in it to focus. */
type Wanted = { index: number; control: string };

/** The row last reached by keyboard and the layout when it was scrolled into view. */
type Shown = { wanted: object; height: number; above: number; top: number };

export type Table<Row extends object> = ReturnType<typeof useTable<Row>>;

/**
 * Returns the visible rows of a long table, and its keyboard handling: the Up and Down keys move within a column,
 * Left and Right along a row. Tab stops in one row. Rows have a `data-row` attribute with their index; focusable
 * elements have a `data-control` attribute.
 */
export function useTable<Row extends object>({
  rows,
  by,
  rowHeight,
  heightOf = () => rowHeight,
  scroll: page,
  above = 0,
  name,
}: Given<Row>) {
  const keys = useMemo(() => rows.map((row) => String(row[by])), [rows, by]);
  const box = useRef<HTMLDivElement>(null);
  const scroll = page ?? box;
  const [kept] = useState(() => readEntry().row?.[name]);
  const [current, setCurrent] = useState({ key: kept?.key, index: 0 });
  const known = current.key === undefined ? 0 : keys.indexOf(current.key);
  // If the current row is gone, use the row that took its place.
  const currentIndex = known < 0 ? Math.max(0, Math.min(current.index, keys.length - 1)) : known;
  const [wanted, setWanted] = useState<Wanted>();

  const rangeOf = useCallback(
    (range: Range) => {
      const rows = new Set(defaultRangeExtractor(range));
      // Always draw the focused row, even if it is not visible.
      if (currentIndex < keys.length) rows.add(currentIndex);
      return [...rows].toSorted((a, b) => a - b);
    },
    [currentIndex, keys.length],
  );
  // Keep the function while the rows are the same: a new one makes the library measure all rows at each scroll step.
  const itemKey = useCallback((index: number) => keys[index] ?? index, [keys]);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is compiled by the React Compiler
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: keys.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => {
      const row = rows[index];
      return row === undefined ? rowHeight : heightOf(row);
    },
    getItemKey: itemKey,
    rangeExtractor: rangeOf,
    overscan: OVERSCAN,
    scrollMargin: above,
    initialRect: FIRST_BOX,
    observeElementRect: (instance, onResize) =>
      observeElementRect(instance, (rect) => {
        if (rect.height > 0) onResize(rect);
      }),
  });

  // Restore the scroll position after the virtualizer, which starts at the top.
  useKeptScroll(name, scroll, keys.length > 0);

  useKeptFocus(scroll, { kept, keys, currentIndex });
  useShownRow(scroll, { wanted, above });

  function goTo(index: number, control: string): void {
    // Make the row current, because the current row is always rendered, and scroll to it afterwards.
    setCurrent({ key: keys[index], index });
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
    if (key !== undefined) setCurrent({ key, index });
  }

  /** Remembers the row whose link was followed, so that Back can return the focus to it. */
  function onClickCapture({ target }: MouseEvent): void {
    const link = target instanceof Element ? target.closest<HTMLElement>('a[href][data-control]') : null;
    const key = keys[Number(link?.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? Number.NaN)];
    if (link === null || key === undefined) return;
    writeEntry({ row: { ...readEntry().row, [name]: { key, control: link.dataset['control'] ?? '' } } });
  }

  const items = virtualizer.getVirtualItems();
  return {
    items: items.flatMap(({ index, key, start }) => {
      const row = rows[index];
      if (row === undefined) return [];
      const style = { height: heightOf(row), transform: `translateY(${start - above}px)` };
      return [{ row, key, index, style, isCurrent: index === currentIndex }];
    }),
    keys,
    count: keys.length,
    lastDrawn: items.at(-1)?.index ?? 0,
    height: virtualizer.getTotalSize(),
    keyboard: { onKeyDown, onFocus, onClickCapture },
    /** Ref for the scrolling element, if the table itself scrolls. */
    box,
    rowHeight,
    scroll,
    above,
  };
}

type Kept = { kept: { key: string; control: string } | undefined; keys: readonly string[]; currentIndex: number };

/**
 * Restores the focus of the row whose link was followed from here, unless another element has the focus. Call this after the hook that
 * restores the scroll position.
 */
function useKeptFocus(scroll: RefObject<HTMLElement | null>, { kept, keys, currentIndex }: Kept): void {
  const isFocusKept = useRef(kept === undefined);
  useLayoutEffect(() => {
    if (isFocusKept.current || kept === undefined || keys.length === 0) return;
    isFocusKept.current = true;
    if (keys[currentIndex] !== kept.key || document.activeElement !== document.body) return;
    const row = scroll.current?.querySelector(`[data-row="${currentIndex}"]`);
    row?.querySelector<HTMLElement>(`[data-control="${kept.control}"]`)?.focus({ preventScroll: true });
  }, [kept, keys, currentIndex, scroll]);
}

/** Focuses the wanted row and scrolls it into view; keeps it visible while the layout around the rows changes. */
function useShownRow(
  scroll: RefObject<HTMLElement | null>,
  { wanted, above }: { wanted: Wanted | undefined; above: number },
): void {
  const shown = useRef<Shown>(undefined);
  useLayoutEffect(() => {
    const page = scroll.current;
    if (wanted === undefined || page === null) return;
    const row = page.querySelector<HTMLElement>(`[data-row="${wanted.index}"]`);
    if (row === null) return;
    const height = page.clientHeight;
    const before = shown.current;
    if (before?.wanted === wanted) {
      // The layout around the rows changed: keep the row visible, unless the person has scrolled or moved on since.
      if (before.height === height && before.above === above) return;
      const isFollowed = row.contains(document.activeElement) && Math.abs(page.scrollTop - before.top) < 1;
      if (!isFollowed) return;
    } else {
      const there = row.querySelector<HTMLElement>(`[data-control="${wanted.control}"]`);
      (there ?? row.querySelector<HTMLElement>('[data-control]'))?.focus({ preventScroll: true });
    }
    // Let the browser find the row: a position computed from indexes would ignore the header and lag by a scroll event.
    row.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    shown.current = { wanted, height, above, top: page.scrollTop };
  });
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

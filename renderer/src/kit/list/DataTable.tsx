import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  type CSSProperties,
  memo,
  type ReactElement,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from 'react-aria-components';
import type { Column, TableSort } from './columns.ts';
import styles from './DataTable.module.css';
import { readEntry, writeEntry } from './entryState.ts';
import { Grid, useTable } from './Grid.tsx';
import { type MenuGroup, MoreMenu } from '../menu/Menu.tsx';
import parts from '../parts.module.css';
import * as texts from '../../words/texts.ts';

type Choice<Row> = {
  chosen: ReadonlySet<string>;
  choose(keys: readonly string[], isChosen: boolean): void;
  /** Returns the label of a row's checkbox, or undefined if the row cannot be chosen. */
  checkOf(row: Row): string | undefined;
  chooseAllWords: string;
};

type Props<Row extends { key: string }, By extends string, Actions> = {
  /** Names the table for screen readers. */
  label: string;
  rows: readonly Row[];
  /** Height in pixels, equal for all rows. */
  rowHeight: number;
  /** Columns between the checkbox and the menu. */
  columns: readonly Column<Row, By, Actions>[];
  /** A class that can place the cells of a narrow table differently. */
  className?: string;
  sort: TableSort<NoInfer<By>>;
  onSort(sort: TableSort<By>): void;
  choice: Choice<Row>;
  /** Returns the actions on a row and the label of the menu with these actions. */
  menuOf(row: Row, actions: Actions): { label: string; groups: readonly MenuGroup[] };
  /** Functions that cells and menus can call. */
  actions: Actions;
};

/** Grid tracks of the checkbox and the menu. */
const CHECK = 'minmax(40px, 48px)';
const MENU = 'minmax(44px, 52px)';

/**
 * A long table that draws only visible rows. Pressing a heading sorts the rows. Rows can be chosen individually, as a
 * range with Shift, or all at once. Arrow keys move between rows and, within a row, between elements with
 * `data-control`. A narrow table omits columns.
 */
export function DataTable<Row extends { key: string }, By extends string, Actions>(props: Props<Row, By, Actions>) {
  const { label, rows, rowHeight, className, sort, onSort, choice, menuOf, actions } = props;
  const frame = useRef<HTMLDivElement>(null);
  const columns = useFittingColumns(frame, props.columns);
  const table = useTable({ rows, by: 'key', rowHeight, name: label });
  const boxes = useCheckboxes(rows, choice);

  const head = (
    <>
      {boxes.head}
      {columns.map((column) => (
        <Heading key={column.id} column={column} sort={sort} onSort={onSort} />
      ))}
      <div role="columnheader" className={styles.end}>
        <span className="visuallyHidden">{texts.actions.more}</span>
      </div>
    </>
  );

  function renderLine(row: Row, isCurrent: boolean) {
    return (
      <>
        {boxes.cellOf(row, isCurrent)}
        <Line row={row} columns={columns} menuOf={menuOf} isCurrent={isCurrent} actions={actions} />
      </>
    );
  }

  return (
    <div className={styles.frame} ref={frame}>
      <Grid
        table={table}
        label={label}
        look={styles}
        className={className}
        style={tracksOf(columns)}
        head={head}
        renderLine={renderLine}
        marks={boxes.marks}
        columnCount={columns.length + 2}
        isExplained
      />
    </div>
  );
}

/** Returns the checkboxes of a table: one in the heading for all rows, and one in each row, which chooses a range with Shift. */
export function useCheckboxes<Row extends { key: string }>(rows: readonly Row[], choice: Choice<Row>) {
  const { chosen, choose, checkOf, chooseAllWords } = choice;
  const lastChosen = useRef<string>(undefined);
  const isChoosable = rows.some((row) => checkOf(row) !== undefined);
  // List the keys only on demand: for each letter of a search among thousands of rows, that would take longer than
  // rendering.
  const listChoosable = () => rows.filter((row) => checkOf(row) !== undefined).map(({ key }) => key);
  const marked = useMemo(() => {
    const isMarked = ({ key }: Row) => chosen.has(key);
    if (chosen.size === 0 || !rows.some(isMarked)) return 'none';
    return rows.every((row) => isMarked(row) || checkOf(row) === undefined) ? 'all' : 'some';
  }, [rows, chosen, checkOf]);

  function chooseOne(key: string, isChosen: boolean, upToHere: boolean): void {
    const choosable = listChoosable();
    const from = lastChosen.current === undefined ? -1 : choosable.indexOf(lastChosen.current);
    const to = choosable.indexOf(key);
    lastChosen.current = key;
    if (!upToHere || from < 0) return choose([key], isChosen);
    choose(choosable.slice(Math.min(from, to), Math.max(from, to) + 1), isChosen);
  }

  function cellOf(row: Row, isCurrent: boolean) {
    const check = checkOf(row);
    return (
      <div role="gridcell" className={parts.centered}>
        {check !== undefined && (
          <label className={styles.box}>
            <input
              type="checkbox"
              tabIndex={isCurrent ? 0 : -1}
              data-control="check"
              aria-label={check}
              checked={chosen.has(row.key)}
              onChange={({ target, nativeEvent }) =>
                chooseOne(row.key, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
              }
            />
          </label>
        )}
      </div>
    );
  }

  return {
    cellOf,
    marks: ({ key }: Row) => ({ 'aria-selected': chosen.has(key) }),
    head: (
      <div role="columnheader" className={parts.centered}>
        <label className={styles.box}>
          <input
            type="checkbox"
            aria-label={chooseAllWords}
            disabled={!isChoosable}
            checked={marked === 'all'}
            ref={(input) => {
              if (input !== null) input.indeterminate = marked === 'some';
            }}
            onChange={() => choose(listChoosable(), marked !== 'all')}
          />
        </label>
      </div>
    ),
  };
}

/** Returns the columns that fit the width of the table. */
function useFittingColumns<C extends { hidesBelow?: number }>(
  frame: RefObject<HTMLElement | null>,
  columns: readonly C[],
): readonly C[] {
  // Store the limit instead of the width, so that the table rerenders only when a column appears or disappears.
  const [from, setFrom] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const box = frame.current;
    if (box === null) return undefined;
    const limits = [0, ...columns.flatMap(({ hidesBelow }) => hidesBelow ?? [])];
    const measure = () => {
      // If the table has no layout, its width is 0.
      if (box.clientWidth > 0) setFrom(Math.max(...limits.filter((limit) => limit <= box.clientWidth)));
    };
    measure();
    if (typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [frame, columns]);
  return useMemo(() => columns.filter(({ hidesBelow = 0 }) => hidesBelow <= from), [columns, from]);
}

function tracksOf(columns: readonly { width: string }[]): CSSProperties {
  // The type `CSSProperties` does not allow custom properties.
  return { '--tracks': [CHECK, ...columns.map(({ width }) => width), MENU].join(' ') } as CSSProperties;
}

type LineProps<Row, Actions> = {
  row: Row;
  columns: readonly Column<Row, string, Actions>[];
  menuOf(row: Row, actions: Actions): { label: string; groups: readonly MenuGroup[] };
  isCurrent: boolean;
  actions: Actions;
};

/** The cells and the menu of a row, without its checkbox. */
const Line = memo(function Line<Row, Actions>(props: LineProps<Row, Actions>) {
  const { row, columns, menuOf, isCurrent, actions } = props;
  const { label, groups } = menuOf(row, actions);
  return (
    <>
      {columns.map(({ id, className, cell: Cell }) => (
        <div key={id} role="gridcell" className={[styles.cell, className].filter(Boolean).join(' ')}>
          <Cell row={row} tab={isCurrent ? 0 : -1} actions={actions} />
        </div>
      ))}
      <div role="gridcell" className={styles.end}>
        <MoreMenu label={label} groups={groups} isCurrent={isCurrent} />
      </div>
    </>
  );
}) as <Row, Actions>(props: LineProps<Row, Actions>) => ReactElement;

type HeadingProps<By extends string> = {
  column: { id: By; words: string; className?: string | undefined; sort?: unknown };
  sort: TableSort<By>;
  onSort(sort: TableSort<By>): void;
};

function Heading<By extends string>({ column, sort, onSort }: HeadingProps<By>) {
  const { id, words } = column;
  const className = [styles.cell, column.className].filter(Boolean).join(' ');
  if (column.sort === undefined) {
    return (
      <div role="columnheader" className={className}>
        {words}
      </div>
    );
  }
  const isBy = sort.by === id;
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  return (
    <div
      role="columnheader"
      className={className}
      aria-sort={isBy ? (sort.descending ? 'descending' : 'ascending') : 'none'}
    >
      <Button className={styles.sort ?? ''} onPress={() => onSort({ by: id, descending: isBy && !sort.descending })}>
        {words}
        {isBy && <Arrow size={14} aria-hidden="true" />}
      </Button>
    </div>
  );
}

export type ChosenRows = {
  chosen: ReadonlySet<string>;
  /** Keys of the chosen rows that still exist, in the order of the rows. */
  keys: readonly string[];
  /** Number of chosen rows that are not visible. */
  hidden: number;
  choose(keys: readonly string[], isChosen: boolean): void;
  clear(): void;
};

/** Returns the keys of the chosen rows after some rows have been chosen or unchosen. */
export function withChosen(
  chosen: ReadonlySet<string>,
  keys: readonly string[],
  isChosen: boolean,
): ReadonlySet<string> {
  const gone = new Set(keys);
  return new Set(isChosen ? [...chosen, ...keys] : [...chosen].filter((key) => !gone.has(key)));
}

/**
 * Returns the chosen rows of a table. `all` contains all rows, `shown` the visible ones. The choice is stored in the
 * history entry, because an address with thousands of keys would be too long.
 */
export function useChosenRows(all: readonly { key: string }[], shown: readonly { key: string }[]): ChosenRows {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(readEntry().chosen));
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) writeEntry({ chosen: [...chosen] });
    isFirst.current = false;
  }, [chosen]);
  const choose = useCallback((keys: readonly string[], isChosen: boolean) => {
    setChosen((before) => withChosen(before, keys, isChosen));
  }, []);
  const clear = useCallback(() => setChosen(new Set()), []);
  const keys = useMemo(() => all.filter(({ key }) => chosen.has(key)).map(({ key }) => key), [all, chosen]);
  const inSight = useMemo(() => shown.reduce((count, { key }) => count + Number(chosen.has(key)), 0), [shown, chosen]);
  return { chosen, keys, hidden: keys.length - inSight, choose, clear };
}

import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ComponentType, useId, useMemo, useRef } from 'react';
import { Button } from 'react-aria-components';
import styles from './DataTable.module.css';
import parts from './parts.module.css';
import { texts } from './texts.ts';
import { useTable } from './useTable.ts';

export type TableSort<By extends string> = { by: By; descending: boolean };

type Props<Row extends { key: string }, By extends string, Actions> = {
  /** Names the table for screen readers. */
  label: string;
  rows: readonly Row[];
  /** In pixels, the same for each row. */
  rowHeight: number;
  /** The class that sets `--columns`: the widths of the check, these, and the menu. */
  columns: string;
  /** The columns, each of which sorts, with the class of its cells. */
  headings: readonly { by: NoInfer<By>; words: string; className: string }[];
  sort: TableSort<By>;
  onSort(sort: TableSort<By>): void;
  chosen: ReadonlySet<string>;
  choose(keys: readonly string[], isChosen: boolean): void;
  /** Whether a row can be chosen, and what its check is called. Undefined: it cannot. */
  checkOf(row: Row): string | undefined;
  chooseAllWords: string;
  /** Draws the cells of a row after its check; `isCurrent`: it is on the way of Tab. */
  line: ComponentType<{ row: Row; isCurrent: boolean; actions: Actions }>;
  /** What can be done with a row. */
  actions: Actions;
};

/**
 * A long table: only rows in sight are drawn. Headings sort; rows are chosen one by one, from one to another with Shift, or
 * all; arrow keys go from row to row and, between elements with `data-control`, along a row.
 */
export function DataTable<Row extends { key: string }, By extends string, Actions>(props: Props<Row, By, Actions>) {
  const { label, rows, rowHeight, columns, headings, sort, onSort, chosen, choose, checkOf, chooseAllWords } = props;
  const { line: Line, actions } = props;
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const scroll = useRef<HTMLDivElement>(null);
  const lastChosen = useRef<string>(undefined);
  const hint = useId();
  const table = useTable({ scroll, keys, rowHeight, above: 0 });
  const choosable = useMemo(
    () => rows.filter((row) => checkOf(row) !== undefined).map(({ key }) => key),
    [rows, checkOf],
  );
  const chosenHere = useMemo(() => choosable.filter((key) => chosen.has(key)).length, [choosable, chosen]);
  const all = choosable.length > 0 && chosenHere === choosable.length;

  function chooseOne(key: string, isChosen: boolean, upToHere: boolean): void {
    const from = lastChosen.current === undefined ? -1 : choosable.indexOf(lastChosen.current);
    const to = choosable.indexOf(key);
    lastChosen.current = key;
    if (!upToHere || from < 0) return choose([key], isChosen);
    choose(choosable.slice(Math.min(from, to), Math.max(from, to) + 1), isChosen);
  }

  return (
    <div className={styles.frame}>
      <p id={hint} className="visuallyHidden">
        {texts.frame.tableKeys}
      </p>
      <div
        role="grid"
        className={`${styles.table} ${columns}`}
        aria-label={label}
        aria-describedby={hint}
        aria-rowcount={rows.length + 1}
        aria-colcount={headings.length + 2}
        ref={scroll}
        onKeyDown={table.onKeyDown}
        onFocus={table.onFocus}
      >
        <div role="row" aria-rowindex={1} className={styles.head}>
          <div role="columnheader" className={parts.centered}>
            <label className={styles.box}>
              <input
                type="checkbox"
                aria-label={chooseAllWords}
                disabled={choosable.length === 0}
                checked={all}
                ref={(input) => {
                  if (input !== null) input.indeterminate = !all && chosenHere > 0;
                }}
                onChange={() => choose(choosable, !all)}
              />
            </label>
          </div>
          {headings.map((heading) => (
            <Heading key={heading.by} {...heading} sort={sort} onSort={onSort} />
          ))}
          <div role="columnheader" className={styles.end}>
            <span className="visuallyHidden">{texts.actions.more}</span>
          </div>
        </div>
        <div role="rowgroup" className={styles.lines} style={{ height: table.height }}>
          {table.items.map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const isCurrent = index === table.currentIndex;
            const check = checkOf(row);
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={chosen.has(row.key)}
                className={styles.line}
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                data-row={index}
              >
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
                <Line row={row} isCurrent={isCurrent} actions={actions} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

type HeadingProps<By extends string> = {
  by: By;
  words: string;
  className: string;
  sort: TableSort<By>;
  onSort(sort: TableSort<By>): void;
};

function Heading<By extends string>({ by, words, className, sort, onSort }: HeadingProps<By>) {
  const isBy = sort.by === by;
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  return (
    <div
      role="columnheader"
      className={className}
      aria-sort={isBy ? (sort.descending ? 'descending' : 'ascending') : 'none'}
    >
      <Button className={styles.sort ?? ''} onPress={() => onSort({ by, descending: isBy && !sort.descending })}>
        {words}
        {isBy && <Arrow size={14} aria-hidden="true" />}
      </Button>
    </div>
  );
}

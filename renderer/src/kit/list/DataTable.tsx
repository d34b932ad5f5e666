import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ComponentType, useCallback, useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import styles from './DataTable.module.css';
import { Grid, useTable } from './Grid.tsx';
import parts from '../parts.module.css';
import * as texts from '../../words/texts.ts';

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
  const lastChosen = useRef<string>(undefined);
  const table = useTable({ rows, by: 'key', rowHeight });
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

  const head = (
    <>
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
    </>
  );

  function renderLine(row: Row, isCurrent: boolean) {
    const check = checkOf(row);
    return (
      <>
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
      </>
    );
  }

  return (
    <div className={styles.frame}>
      <Grid
        table={table}
        label={label}
        look={styles}
        className={columns}
        head={head}
        renderLine={renderLine}
        marks={(row) => ({ 'aria-selected': chosen.has(row.key) })}
        columnCount={headings.length + 2}
        isExplained
      />
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

const NOTHING: ReadonlySet<string> = new Set();

export type ChosenRows = {
  chosen: ReadonlySet<string>;
  /** Of those that there are, in their order. */
  keys: readonly string[];
  /** How many of these are not in sight. */
  hidden: number;
  choose(keys: readonly string[], isChosen: boolean): void;
  clear(): void;
};

/** These keys after some of them were chosen, or are not chosen any more. */
export function withChosen(
  chosen: ReadonlySet<string>,
  keys: readonly string[],
  isChosen: boolean,
): ReadonlySet<string> {
  const gone = new Set(keys);
  return new Set(isChosen ? [...chosen, ...keys] : [...chosen].filter((key) => !gone.has(key)));
}

/** Which rows of a table are chosen. `all`: those that there are, in sight or not; `shown`: those in sight. */
export function useChosenRows(all: readonly { key: string }[], shown: readonly { key: string }[]): ChosenRows {
  const [chosen, setChosen] = useState(NOTHING);
  const choose = useCallback((keys: readonly string[], isChosen: boolean) => {
    setChosen((before) => withChosen(before, keys, isChosen));
  }, []);
  const clear = useCallback(() => setChosen(NOTHING), []);
  const keys = useMemo(() => all.filter(({ key }) => chosen.has(key)).map(({ key }) => key), [all, chosen]);
  const inSight = useMemo(() => shown.reduce((count, { key }) => count + Number(chosen.has(key)), 0), [shown, chosen]);
  return { chosen, keys, hidden: keys.length - inSight, choose, clear };
}

import { ArrowDown, ArrowUp } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { Button } from 'react-aria-components';
import { texts } from '../../ui/texts.ts';
import type { LocationActions } from './actions.ts';
import { LocationLine } from './LocationLine.tsx';
import type { LocationRow, Sort } from './locationRows.ts';
import styles from './LocationTable.module.css';
import { useTable } from './useTable.ts';

const ROW_HEIGHT = 60;
const SORTS = ['place', 'device', 'deviceIs', 'kind'] as const satisfies readonly Sort['by'][];

type Props = {
  rows: readonly LocationRow[];
  sort: Sort;
  onSort(sort: Sort): void;
  chosen: ReadonlySet<string>;
  choose(keys: readonly string[], isChosen: boolean): void;
  actions: LocationActions;
};

/** Places and their devices, a line each; only those in sight are drawn. */
export function LocationTable({ rows, sort, onSort, chosen, choose, actions }: Props) {
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const scroll = useRef<HTMLDivElement>(null);
  const table = useTable({ scroll, keys, rowHeight: ROW_HEIGHT });
  const named = useMemo(() => rows.filter(({ kind }) => kind !== 'none').map(({ key }) => key), [rows]);
  const chosenHere = named.filter((key) => chosen.has(key)).length;
  const all = named.length > 0 && chosenHere === named.length;

  return (
    <div className={styles.frame}>
      <p id="location-keys" className="visuallyHidden">
        {texts.locations.keys}
      </p>
      <div
        role="grid"
        className={styles.table}
        aria-label={texts.locations.table}
        aria-describedby="location-keys"
        aria-rowcount={rows.length + 1}
        aria-colcount={6}
        ref={scroll}
        onKeyDown={table.onKeyDown}
        onFocus={table.onFocus}
      >
        <div role="row" aria-rowindex={1} className={styles.head}>
          <div role="columnheader" className={styles.check}>
            <label className={styles.box}>
              <input
                type="checkbox"
                aria-label={texts.locations.selectAll}
                disabled={named.length === 0}
                checked={all}
                ref={(input) => {
                  if (input !== null) input.indeterminate = !all && chosenHere > 0;
                }}
                onChange={() => choose(named, !all)}
              />
            </label>
          </div>
          {SORTS.map((by) => (
            <Heading key={by} by={by} sort={sort} onSort={onSort} />
          ))}
          <div role="columnheader" className={styles.actions}>
            <span className="visuallyHidden">{texts.actions.more}</span>
          </div>
        </div>
        <div role="rowgroup" className={styles.lines} style={{ height: table.height }}>
          {table.items.map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={chosen.has(row.key)}
                className={styles.line}
                style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
                data-row={index}
              >
                <LocationLine
                  row={row}
                  isChosen={chosen.has(row.key)}
                  choose={choose}
                  isCurrent={index === table.currentIndex}
                  actions={actions}
                />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Heading({ by, sort, onSort }: { by: Sort['by']; sort: Sort; onSort(sort: Sort): void }) {
  const isBy = sort.by === by;
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  return (
    <div
      role="columnheader"
      className={styles[by]}
      aria-sort={isBy ? (sort.descending ? 'descending' : 'ascending') : 'none'}
    >
      <Button className={styles.sort ?? ''} onPress={() => onSort({ by, descending: isBy && !sort.descending })}>
        {texts.locations.columns[by]}
        {isBy && <Arrow size={14} aria-hidden="true" />}
      </Button>
    </div>
  );
}

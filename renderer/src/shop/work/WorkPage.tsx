import { Play, Trash2 } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { FoundThing } from '#shared/api/find.ts';
import { useRight } from '../../station/context.ts';
import { useFind } from '../../station/useFind.ts';
import { BulkBar, BulkResult } from '../../kit/list/BulkBar.tsx';
import { askForEach, useBulkRun } from '../../kit/list/bulkRun.ts';
import { Button } from '../../kit/button/Button.tsx';
import { type Column, sortRows, type TableSort } from '../../kit/list/columns.ts';
import { type ChosenRows, DataTable, useChosenRows } from '../../kit/list/DataTable.tsx';
import { useListState } from '../../kit/list/useListParams.ts';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { TablePage, type TableWords } from '../TablePage.tsx';
import * as texts from '../../words/texts.ts';
import { useToasts } from '../toasts.ts';
import type { MenuGroup } from '../../kit/menu/Menu.tsx';
import type { Loaded } from '../../station/useStationQuery.ts';
import { ListState } from './Notice.tsx';
import { WorkSearch } from './WorkSearch.tsx';
import { filterRows, findRows, type WorkRows } from './workRows.ts';
import styles from './WorkTable.module.css';

const ROW_HEIGHT = 60;
const NONE: readonly never[] = [];
const NOTHING_INSIDE: ReadonlyMap<string, string> = new Map();

type Row = { key: string };

/** The differences between the pages of orders and sequences. */
export type WorkKind<R extends Row, Filter extends string, By extends string, Actions> = {
  words: TableWords<Filter> &
    Pick<typeof texts.orders | typeof texts.sequences, 'summary' | 'some' | 'table' | 'select' | 'selectAll' | 'bulk'>;
  /** Name of the key field in the API. */
  keyField: string;
  address(key: string): string;
  /**
   * Returns the keys of rows in which the station's search found something, with the text to show there. Without this
   * function, a search matches names only.
   */
  containing?(found: readonly FoundThing[]): ReadonlyMap<string, string>;
  rows: WorkRows<R, Filter>;
  columns: readonly Column<R, By, Actions>[];
  menuOf(row: R, actions: Actions): MenuGroup[];
  /** The filter whose count is shown next to the title. */
  said: Filter;
  /** The initial sort order. */
  sorted: TableSort<By>;
  /** Returns whether the row is in progress, so that deleting it ends running work. */
  isGoing(row: R): boolean;
};

type Props<R extends Row, Filter extends string, By extends string, Actions> = {
  kind: WorkKind<R, Filter, By, Actions>;
  /** All rows, or undefined until they are loaded. */
  rows: readonly R[] | undefined;
  /** Loading state of the rows. */
  loaded: Loaded<unknown>;
  actions: Actions;
  ways: WorkWays;
  /** Returns additional buttons for actions on all chosen rows. */
  renderBulk?(keys: readonly string[]): ReactNode;
  /** Buttons next to the search, for users who are allowed to change something. */
  buttons: ReactNode;
  above?: ReactNode;
  /** Content that replaces the table if there are no rows at all. */
  nothing: ReactNode;
  /** Dialogs of the page. */
  children: ReactNode;
};

/** The page of all orders or all sequences: a table for searching and for acting on several rows at once. */
export function WorkPage<R extends Row, Filter extends string, By extends string, Actions>(
  props: Props<R, Filter | 'all', By, Actions>,
) {
  const { kind, rows: known, loaded, actions, ways, renderBulk, buttons, above, nothing, children } = props;
  const { words } = kind;
  const { filters, tie } = kind.rows;
  const mayWork = useRight('work');
  const { filter, setFilter, search, sort, setSort } = useListState(filters, kind.columns, kind.sorted);
  const [, navigate] = useLocation();
  const rows = known ?? NONE;
  const counts = useMemo(() => {
    const count = (each: Filter | 'all') => [each, filterRows(rows, each, kind.rows).length] as const;
    return Object.fromEntries(kind.rows.filters.map(count)) as Record<Filter | 'all', number>;
  }, [kind, rows]);
  const found = useFind(kind.containing === undefined ? '' : search.typed);
  const containing = useMemo(() => kind.containing?.(found) ?? NOTHING_INSIDE, [kind, found]);
  // Memoize this separately from the search, so that typing a letter does not sort thousands of rows again.
  const sorted = useMemo(
    () =>
      sortRows(filterRows(rows, filter, kind.rows), kind.columns, { by: sort.by, descending: sort.descending }, tie),
    [kind, tie, rows, filter, sort.by, sort.descending],
  );
  const shown = useMemo(() => findRows(sorted, search.typed, containing), [sorted, search.typed, containing]);
  const choice = useChosenRows(rows, shown);
  const menuOf = useCallback(
    (row: R, given: Actions) => ({ label: texts.work.more(row.key), groups: kind.menuOf(row, given) }),
    [kind],
  );
  const checkOf = useCallback(({ key }: R) => (mayWork ? words.select(key) : undefined), [mayWork, words]);

  return (
    <TablePage
      words={words}
      note={
        rows.length > 0 &&
        (filter === 'all' && search.isEmpty
          ? words.summary(rows.length, counts[kind.said])
          : words.some(shown.length, rows.length))
      }
      search={search}
      hasSearch={rows.length > 0}
      onSubmit={() => {
        const [first] = shown;
        if (first !== undefined && !search.isEmpty) navigate(kind.address(first.key));
      }}
      buttons={known !== undefined && buttons}
      instead={known === undefined ? <ListState of={loaded} /> : rows.length === 0 ? nothing : undefined}
      above={above}
      filter={{ filters, counts, value: filter, onChange: setFilter }}
      table={
        shown.length > 0 && (
          <WorkSearch wanted={search.typed} containing={containing}>
            <DataTable
              label={words.table}
              rows={shown}
              rowHeight={ROW_HEIGHT}
              columns={kind.columns}
              className={styles.columns ?? ''}
              sort={sort}
              onSort={setSort}
              choice={{ chosen: choice.chosen, choose: choice.choose, checkOf, chooseAllWords: words.selectAll }}
              menuOf={menuOf}
              actions={actions}
            />
          </WorkSearch>
        )
      }
    >
      <WorkBulk
        said={words.bulk}
        choice={choice}
        keyField={kind.keyField}
        going={rows.filter((row) => choice.chosen.has(row.key) && kind.isGoing(row)).length}
        ways={ways}
        more={renderBulk?.(choice.keys)}
      />
      {children}
    </TablePage>
  );
}

const words = texts.work.bulk;

type Kind = 'launch' | 'remove';

/** An action on a row. `all` contains the keys of all chosen rows. */
type Way = (key: string, all: readonly string[]) => Promise<void>;

/** Actions on the row with this key. `remove` is missing if the person lacks the right to delete. */
type WorkWays = { launch: Way; remove?: Way };

type WorkBulkProps = {
  said: typeof texts.orders.bulk | typeof texts.sequences.bulk;
  choice: ChosenRows;
  /** Name of the key field in the API. */
  keyField: string;
  /** Number of chosen rows in progress. Deleting these rows would end their work. */
  going: number;
  ways: WorkWays;
  more: ReactNode;
};

/** Buttons for actions on all chosen orders or sequences, the confirmation of a deletion, and failures. */
function WorkBulk({ said, choice: { keys, hidden, choose, clear }, keyField, going, ways, more }: WorkBulkProps) {
  const toasts = useToasts();
  const [asksRemove, setAsksRemove] = useState(false);
  const bulk = useBulkRun<Kind>((kind, done, isWhole) => {
    if (isWhole) toasts.show(said.done[kind](done.length));
    // Keep failed rows selected, so that the action can be repeated.
    choose(done, false);
  });

  function run(kind: Kind): void {
    const way = ways[kind];
    if (way === undefined) return;
    void bulk.begin(kind, keys.length, (progress, isCancelled) =>
      askForEach(keys, (key) => way(key, keys), progress, isCancelled),
    );
  }

  return (
    <>
      <BulkBar said={said} many={keys.length} hidden={hidden} bulk={bulk} clear={clear}>
        <Button icon={Play} words={words.launch} onPress={() => run('launch')} />
        {more}
        {ways.remove !== undefined && <Button icon={Trash2} words={words.remove} onPress={() => setAsksRemove(true)} />}
      </BulkBar>
      <ConfirmDialog
        title={said.askTitle(keys.length)}
        body={said.askBody(going)}
        confirm={words.confirm}
        danger
        isOpen={asksRemove}
        // The deletion continues after the dialog closes, and the bar shows its progress.
        onConfirm={() => run('remove')}
        onClose={() => setAsksRemove(false)}
      />
      <BulkResult bulk={bulk} keyField={keyField} />
    </>
  );
}

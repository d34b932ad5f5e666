import type { ReactNode } from 'react';
import { useStationState } from '../station/context.ts';
import { Button } from '../kit/button/Button.tsx';
import { Filters, type FilterProps } from '../kit/field/Segments.tsx';
import { PageHeader } from '../kit/page/PageHeader.tsx';
import { SearchBox, type SearchState } from '../kit/field/SearchBox.tsx';
import styles from '../kit/page/TablePage.module.css';

export type TableWords<Filter extends string> = {
  title: string;
  search: string;
  clearSearch: string;
  filters: Readonly<Record<Filter, string>> & { title: string };
  /** Texts for a search or filter without results, and for the link that shows all rows again. */
  noMatch: string;
  noMatchHint: string;
  noneOf: Readonly<Record<Filter, string>>;
  noneOfHint?: string;
  showAll: string;
};

type Props<Filter extends string> = {
  words: TableWords<Filter>;
  /** A short status line next to the title, announced when it changes. */
  note: ReactNode;
  search: SearchState;
  /** Whether the page has a search. */
  hasSearch?: boolean;
  /** Called when Enter is pressed in the search. */
  onSubmit?(): void;
  /** Buttons next to the search. */
  buttons: ReactNode;
  /** Content that replaces everything below the header while the list is empty or loading. */
  instead: ReactNode;
  /** Content above the filters and the table. */
  above?: ReactNode;
  filter: FilterProps<Filter>;
  /** Buttons for actions on the shown rows, next to the filters. */
  tools?: ReactNode;
  /** The table, or false if filter and search leave no rows. */
  table: ReactNode;
  /** Content below the table, and dialogs. */
  children: ReactNode;
};

/** A page with one long table that can be searched and filtered. */
export function TablePage<Filter extends string>(props: Props<Filter | 'all'>) {
  const { words, note, search, hasSearch = true, onSubmit, buttons, instead, above, filter, tools, table } = props;
  const stale = useStationState(({ connection }) => connection.kind === 'lost');
  const hint = search.isEmpty ? words.noneOfHint : words.noMatchHint;
  return (
    <div className={styles.page} data-stale={stale || undefined}>
      <PageHeader title={words.title} note={<span role="status">{note}</span>}>
        {hasSearch && (
          <SearchBox
            label={words.search}
            clearLabel={words.clearSearch}
            input={search.input}
            value={search.value}
            onChange={search.onChange}
            {...(onSubmit === undefined ? {} : { onSubmit })}
          />
        )}
        {buttons}
      </PageHeader>
      {instead !== undefined ? (
        <main className={styles.empty}>{instead}</main>
      ) : (
        <main className={styles.content}>
          {above}
          <div className={styles.strip}>
            <Filters {...filter} label={words.filters.title} words={words.filters} />
            {tools !== undefined && <div className={styles.tools}>{tools}</div>}
          </div>
          {table || (
            <div className={styles.none}>
              <h2>{search.isEmpty ? words.noneOf[filter.value] : words.noMatch}</h2>
              {hint !== undefined && <p>{hint}</p>}
              <Button
                words={words.showAll}
                onPress={({ pointerType }) => {
                  search.onChange('');
                  filter.onChange('all');
                  // This button disappears, so move the focus to the search. Do not do so after a touch, which would
                  // open the on-screen keyboard.
                  if (pointerType === 'keyboard') search.input.current?.focus();
                }}
              />
            </div>
          )}
        </main>
      )}
      {props.children}
    </div>
  );
}

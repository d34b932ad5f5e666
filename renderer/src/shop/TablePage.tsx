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
  /** Where the search finds nothing; where the filter leaves nothing; and the way back from there. */
  noMatch: string;
  noMatchHint: string;
  noneOf: Readonly<Record<Filter, string>>;
  noneOfHint?: string;
  showAll: string;
};

type Props<Filter extends string> = {
  words: TableWords<Filter>;
  /** One quiet line beside the title, said whenever it changes. */
  note: ReactNode;
  search: SearchState;
  /** False: there is nothing to find. */
  hasSearch?: boolean;
  /** Enter in the search. */
  onSubmit?(): void;
  /** What can be done here, beside the search. */
  buttons: ReactNode;
  /** Shown instead of everything below while the list is empty or loading. */
  instead: ReactNode;
  /** Above the filters and the table. */
  above?: ReactNode;
  filter: FilterProps<Filter>;
  /** What can be done with what is shown, beside the filters. */
  tools?: ReactNode;
  /** False: filter and search leave nothing. */
  table: ReactNode;
  /** Below the table, and dialogs. */
  children: ReactNode;
};

/** A page that is one long table, searched and filtered. */
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
                  // This button goes; a finger wants no keyboard on its screen.
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

import { useCallback, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type SearchState, useSearchOf } from '../field/SearchBox.tsx';
import type { TableSort } from './columns.ts';

/**
 * Returns the parameters of the address, and a function that sets one of them; null removes it. Other state of the
 * history entry is kept.
 */
function useParams(): [URLSearchParams, (name: string, value: string | null, replace?: boolean) => void] {
  const [params, setParams] = useSearchParams();
  const put = useCallback(
    (name: string, value: string | null, replace = true) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === null) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace, state: window.history.state as unknown },
      ),
    [setParams],
  );
  return [params, put];
}

/** Keeps the filters of a list in the address, so that links, reloads and Back restore them. */
export function useListParams<Filter extends string>(
  filters: readonly Filter[],
  all: NoInfer<Filter>,
): { filter: Filter; setFilter(filter: Filter): void; view: string | null; open(view: string | null): void } {
  const [params, put] = useParams();
  return {
    filter: filters.find((each) => each === params.get('show')) ?? all,
    setFilter: useCallback((next) => put('show', next === all ? null : next), [put, all]),
    view: params.get('view'),
    open: useCallback((view) => put('view', view, false), [put]),
  };
}

/** Returns the choice that is stored in the address under this name. The first choice is the default, which the address omits. */
export function useChoiceParam<Choice extends string>(
  name: string,
  choices: readonly Choice[],
): [Choice, (choice: Choice) => void] {
  const [params, put] = useParams();
  const [first] = choices;
  const named = choices.find((each) => each === params.get(name));
  const set = useCallback((next: Choice) => put(name, next === first ? null : next), [put, name, first]);
  return [named ?? (first as Choice), set];
}

/** Returns the search text of a list, stored in the address. */
export function useListSearch(): SearchState {
  const [params, put] = useParams();
  const named = params.get('q') ?? '';
  const [before, setBefore] = useState(named);
  const [value, setValue] = useState(named);
  if (named !== before) {
    // The address was changed by a link or Back.
    setBefore(named);
    setValue(named);
  }
  const onChange = useCallback(
    (text: string) => {
      setValue(text);
      try {
        put('q', text === '' ? null : text);
      } catch {
        // Ignore the error: browsers limit how often the address changes, but the search works anyway.
      }
    },
    [put],
  );
  return useSearchOf(value, onChange);
}

export type ListState<Filter extends string, By extends string> = {
  filter: Filter;
  setFilter(filter: Filter): void;
  search: SearchState;
  sort: TableSort<By>;
  setSort(sort: TableSort<By>): void;
};

/**
 * Returns the search, filter and sort order of a list. They are stored in the address as `q`, `show` and `sort`,
 * where a minus means descending order. Defaults are omitted.
 */
export function useListState<Filter extends string, By extends string>(
  filters: readonly Filter[],
  columns: readonly { id: By; sort?: unknown }[],
  usual: TableSort<NoInfer<By>>,
): ListState<Filter, By> {
  const [filter, setFilter] = useChoiceParam('show', filters);
  const search = useListSearch();
  const [params, put] = useParams();
  const { by, descending } = usual;
  const setSort = useCallback(
    (sort: TableSort<By>) =>
      put('sort', sort.by === by && sort.descending === descending ? null : `${sort.descending ? '-' : ''}${sort.by}`),
    [put, by, descending],
  );
  return { filter, setFilter, search, sort: sortNamed(params.get('sort'), columns) ?? usual, setSort };
}

function sortNamed<By extends string>(
  text: string | null,
  columns: readonly { id: By; sort?: unknown }[],
): TableSort<By> | undefined {
  const descending = text?.startsWith('-') === true;
  const named = descending ? text.slice(1) : text;
  const column = columns.find(({ id, sort }) => sort !== undefined && id === named);
  return column && { by: column.id, descending };
}

import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** Keeps the filters of a list in the address, so that links, reloads and Back restore them. */
export function useListParams<Filter extends string>(
  filters: readonly Filter[],
  all: NoInfer<Filter>,
): { filter: Filter; setFilter(filter: Filter): void; view: string | null; open(view: string | null): void } {
  const [params, setParams] = useSearchParams();
  const put = useCallback(
    (name: string, value: string | null, replace: boolean) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === null) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace },
      ),
    [setParams],
  );
  return {
    filter: filters.find((each) => each === params.get('show')) ?? all,
    setFilter: useCallback((next) => put('show', next === all ? null : next, true), [put, all]),
    view: params.get('view'),
    open: useCallback((view) => put('view', view, false), [put]),
  };
}

import { useState } from 'react';

type Row = { key: string };

/**
 * Those whose key contains what is looked for, and those in which the station found it; the one that is called so comes
 * first.
 */
export function findRows<T extends Row>(
  rows: readonly T[],
  search: string,
  containing: ReadonlyMap<string, string>,
): readonly T[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return rows;
  const found = rows.filter(({ key }) => containing.has(key) || key.toLowerCase().includes(wanted));
  const exact = found.find(({ key }) => key.toLowerCase() === wanted);
  return exact === undefined ? found : [exact, ...found.filter((row) => row !== exact)];
}

/** How the rows of a list are filtered, and in which order they are where a column has equal ones. */
export type WorkRows<R extends Row, Filter extends string> = {
  /** The first leaves all of them. */
  filters: readonly Filter[];
  /** Whether a filter other than the first leaves it. */
  isLeft(row: R, filter: Filter): boolean;
  /** Which of two comes first that are equal in a column. */
  tie(a: R, b: R): number;
};

export function filterRows<R extends Row, Filter extends string>(
  rows: readonly R[],
  filter: Filter,
  { filters, isLeft }: Pick<WorkRows<R, Filter>, 'filters' | 'isLeft'>,
): readonly R[] {
  return filter === filters[0] ? rows : rows.filter((row) => isLeft(row, filter));
}

const MAX_NAMED = 4;

/** Names in a sentence, each once; of many only the first. */
export function someNames(names: readonly string[]): string {
  const all = [...new Set(names)];
  const named = all.slice(0, MAX_NAMED).join(', ');
  return all.length > MAX_NAMED ? `${named}, …` : named;
}

/** What is at work here, until it is done; a second press meanwhile does nothing. */
export function useRunning() {
  const [running, setRunning] = useState<string>();

  function run(what: string, act: () => Promise<void>): void {
    if (running !== undefined) return;
    setRunning(what);
    void act().finally(() => setRunning(undefined));
  }

  return { running, run };
}

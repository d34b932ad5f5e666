import { useState } from 'react';

type Row = { key: string };

/**
 * Returns the rows whose key contains the search, and those in which the station found the searched text. An exact
 * match comes first.
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

/** How to filter the rows of a list, and how to order rows that are equal in a column. */
export type WorkRows<R extends Row, Filter extends string> = {
  /** The filters of the list. The first filter keeps all rows. */
  filters: readonly Filter[];
  /** Returns whether a filter keeps the row. Never called for the first filter. */
  isLeft(row: R, filter: Filter): boolean;
  /** Compares two rows that are equal in the sorted column. */
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

/** Lists distinct names for a sentence. Only the first few are listed. */
export function someNames(names: readonly string[]): string {
  const all = [...new Set(names)];
  const named = all.slice(0, MAX_NAMED).join(', ');
  return all.length > MAX_NAMED ? `${named}, …` : named;
}

/** Tracks the action that is running. Ignores presses until the action ends. */
export function useRunning() {
  const [running, setRunning] = useState<string>();

  function run(what: string, act: () => Promise<void>): void {
    if (running !== undefined) return;
    setRunning(what);
    void act().finally(() => setRunning(undefined));
  }

  return { running, run };
}

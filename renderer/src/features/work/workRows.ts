import { useState } from 'react';

type Row = { key: string };
type Key = number | string;

export const naturally = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Those whose key contains what is looked for; the one that is called so comes first. */
export function findRows<T extends Row>(rows: readonly T[], search: string): readonly T[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return rows;
  const found = rows.filter(({ key }) => key.toLowerCase().includes(wanted));
  const exact = found.find(({ key }) => key.toLowerCase() === wanted);
  return exact === undefined ? found : [exact, ...found.filter((row) => row !== exact)];
}

/** By a key of each, which is made once; `tie` says which of two comes first whose keys are equal. */
export function sortRows<T extends Row>(
  rows: readonly T[],
  descending: boolean,
  keyOf: (row: T) => Key,
  tie: (a: T, b: T) => number,
): readonly T[] {
  const sign = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .toSorted((a, b) => sign * compare(a.key, b.key) || tie(a.row, b.row))
    .map(({ row }) => row);
}

export function compare(a: Key, b: Key): number {
  return a === b ? 0 : a < b ? -1 : 1;
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

import { isSame } from '../isSame.ts';

/**
 * Returns the fields of a request that the person has changed. Unchanged fields are left out, so that other people's
 * changes to them are kept.
 */
export function changesIn<Request extends object, Draft extends { [Name in keyof Request]: unknown }>(
  request: Request,
  { first, draft }: { first: Draft; draft: Draft },
): Partial<Request> {
  const names = (Object.keys(request) as (keyof Request)[]).filter((name) => !isSame(draft[name], first[name]));
  return Object.fromEntries(names.map((name) => [name, request[name]])) as Partial<Request>;
}

/** Returns functions that change the rows of a draft. A row keeps its `id` when other rows are added or removed. */
export function rowsOf<Row extends { id: number }>(rows: readonly Row[], set: (rows: readonly Row[]) => void) {
  return {
    change: (id: number, part: Partial<Row>) => set(rows.map((row) => (row.id === id ? { ...row, ...part } : row))),
    remove: (id: number) => set(rows.filter((row) => row.id !== id)),
    /** Adds a row. Returns its id. */
    add(row: Omit<Row, 'id'>): number {
      const id = Math.max(0, ...rows.map((each) => each.id)) + 1;
      set([...rows, { ...row, id } as Row]);
      return id;
    },
  };
}

/** Returns the entries of a field with one entry per line: trimmed, without empty lines. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

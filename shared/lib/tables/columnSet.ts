import { columnNames } from './headColumns.ts';
import { SEARCHED } from './mapping.ts';
import type { FileTable } from './table.ts';

/** Maximum number of characters in a set to remember. No program exports that many names. */
const MAX_CHARACTERS = 20_000;

/** Returns a key for a set of column names, regardless of their order. Returns undefined if the set is empty or too long to remember. */
export function columnSetOf(names: readonly string[]): string | undefined {
  const text = JSON.stringify(names.toSorted());
  return names.length === 0 || text.length > MAX_CHARACTERS ? undefined : text;
}

/** Returns the candidate sets of column names, one for each row in which the names are searched for. */
export function possibleColumnSets({ rows }: Pick<FileTable, 'rows'>): string[] {
  const searched = rows.filter(({ isHidden }) => !isHidden).slice(0, SEARCHED);
  return searched.flatMap((row) => columnSetOf(columnNames(row).map(({ name }) => name)) ?? []);
}

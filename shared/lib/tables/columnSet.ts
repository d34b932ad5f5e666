import { columnNames } from './headRow.ts';
import { SEARCHED } from './mapping.ts';
import type { FileTable } from './table.ts';

/** Longer sets are not kept: no program exports as many names. */
const MAX_CHARACTERS = 20_000;

/** A text that is equal for equal sets of column names, in any order. Undefined: there are too many to keep. */
export function columnSetOf(names: readonly string[]): string | undefined {
  const text = JSON.stringify(names.toSorted());
  return names.length === 0 || text.length > MAX_CHARACTERS ? undefined : text;
}

/** The sets of column names that a table can have: one for each row in which the names are searched. */
export function possibleColumnSets({ rows }: Pick<FileTable, 'rows'>): string[] {
  const searched = rows.filter(({ isHidden }) => !isHidden).slice(0, SEARCHED);
  return searched.flatMap((row) => columnSetOf(columnNames(row).map(({ name }) => name)) ?? []);
}

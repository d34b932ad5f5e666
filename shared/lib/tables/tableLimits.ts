/** More columns than a real file has. */
export const MAX_COLUMNS = 2_000;
/** Cells of all sheets of a file. Limits the memory for a file that consists of separators. */
export const MAX_CELLS = 2_000_000;
/** Thirty times the limit of Excel. */
export const MAX_CELL_CHARACTERS = 1_048_576;

export const TOO_MANY_CELLS = `The file has more than ${MAX_CELLS.toLocaleString('en')} cells. Remove columns, or split it into several files.`;

/** `where`: the row, as the subject of the sentence. */
export function tooManyColumns(where: string): string {
  return `${where} has more than ${MAX_COLUMNS.toLocaleString('en')} columns. Export only the columns that are needed.`;
}

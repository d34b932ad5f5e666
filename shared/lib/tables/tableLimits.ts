/** More columns than any real file. */
export const MAX_COLUMNS = 2_000;
/** Of all rows and sheets of a file. Bounds the memory that a file of separators takes. */
export const MAX_CELLS = 2_000_000;
/** Thirty times what a cell of Excel can hold. */
export const MAX_CELL_CHARACTERS = 1_048_576;

export const TOO_MANY_CELLS = `The file has more than ${MAX_CELLS.toLocaleString('en')} cells. Remove columns, or split it into several files.`;

/** `where`: where the row is, as the beginning of the sentence. */
export function tooManyColumns(where: string): string {
  return `${where} has more than ${MAX_COLUMNS.toLocaleString('en')} columns. Export only the columns that are needed.`;
}

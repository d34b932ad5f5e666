import { countText } from '../text/locale.ts';

/** Maximum number of columns, more than a real file has. */
export const MAX_COLUMNS = 2_000;
/** Maximum number of cells in all sheets of a file, because a file full of separators could fill memory. */
export const MAX_CELLS = 2_000_000;
/** Maximum number of rows in a CSV file or sheet, including titles and totals. Limits the time to read a file. */
export const MAX_ROWS = 100_000;
/** Maximum number of rows below the column names of orders, including those that are left out. Each can be an order, which takes memory. */
export const MAX_ROWS_OF_ORDERS = 30_000;
/**
 * Maximum number of values in all sheets of a file. Equal texts in consecutive rows of a column are one value, because they take memory only
 * once.
 */
export const MAX_VALUES = 500_000;
/** Maximum number of characters in a cell: four times the limit of Excel. */
export const MAX_CELL_CHARACTERS = 131_072;

/** Maximum number of characters in the mapped columns: 800 for each of 10,000 lines. Limits how much one import stores. */
export const MAX_READ_CHARACTERS = 8_000_000;

/** Maximum number of states whose meaning a caller can give, and of characters of each. */
export const MAX_STATES = 100;
export const MAX_STATE_CHARACTERS = 100;
/** Maximum number of units that a caller can give, and of characters of each. */
export const MAX_UNITS = 100;
export const MAX_UNIT_CHARACTERS = 40;
/** Maximum number of paths of one place that a caller can give, and of characters of each. */
export const MAX_PLACE_PATHS = 100;
export const MAX_PATH_CHARACTERS = 200;

export const TOO_MUCH_TEXT = `The columns that are read have more than ${countText(MAX_READ_CHARACTERS)} characters. Shorten long texts, or split the file.`;

export const TOO_MANY_CELLS = `The file has more than ${countText(MAX_CELLS)} cells. Remove columns, or split it into several files.`;

export const TOO_MANY_ROWS = `The file has more than ${countText(MAX_ROWS)} rows. Remove rows, or split it into several files.`;

export const TOO_MANY_ROWS_OF_ORDERS = `The file has more than ${countText(MAX_ROWS_OF_ORDERS)} rows. Export only orders that are still open, or split it into several files.`;

export const TOO_MANY_VALUES = `The file has more than ${countText(MAX_VALUES)} different values. Remove columns or sheets that are not needed, or split it into several files.`;

/** Returns the message about too many columns. `where` names the row, as the subject of the sentence. */
export function tooManyColumns(where: string): string {
  return `${where} has more than ${countText(MAX_COLUMNS)} columns. Export only the columns that are needed.`;
}

/** Returns the message about a cell that is too long. `where` names the row, as the subject of the sentence. */
export function tooLongCell(where: string): string {
  return `${where} has a cell with more than ${countText(MAX_CELL_CHARACTERS)} characters. Shorten it, or check the quotes around it.`;
}

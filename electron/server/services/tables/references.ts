/** Range of cells. Columns and rows count from 1. */
export type CellRange = { left: number; top: number; right: number; bottom: number };

/** Numbers of the last column (XFD) and the last row that a sheet can have. */
export const LAST_COLUMN = 16_384;
export const LAST_ROW = 1_048_576;

/** Returns the column number in a reference, such as 28 for `AB12`, or 0 if the text is not a reference. */
export function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Za-z]{1,3}/.exec(reference)?.[0].toUpperCase() ?? '') {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column;
}

/** Returns the letters of a column number, such as `AB` for 28. */
export function lettersOf(column: number): string {
  let letters = '';
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  }
  return letters;
}

/** Parses a range such as `A2:B5`. Returns undefined if the text is not a range. */
export function rangeOf(reference: string): CellRange | undefined {
  const [, left = '', top, right = '', bottom] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(reference) ?? [];
  if (top === undefined) return undefined;
  return { left: columnOf(left), top: Number(top), right: columnOf(right), bottom: Number(bottom) };
}

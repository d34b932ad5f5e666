import { MAX_CELLS, TOO_MANY_CELLS } from '#shared/lib/tables/tableLimits.ts';
import { countText } from '#shared/lib/text/locale.ts';
import { StationError } from '../../errors.ts';

/**
 * Maximum number of each kind of element in all sheets of a workbook. Elements are counted while the file is read, before they take memory,
 * because a small file can contain millions of them.
 */
const LIMITS = {
  cells: MAX_CELLS,
  /** Rows with cells. */
  rows: 400_000,
  /** Cells with an error or without a stored result. Each takes memory for its message. */
  faults: 200_000,
  merged: 100_000,
  texts: 1_000_000,
  /** Cell styles and number formats. Spreadsheets allow 65,490 styles. */
  styles: 65_536,
  sheets: 1_000,
  /** References between parts of the workbook, such as to its sheets and links. */
  relations: 20_000,
} as const;

/** Numbers of elements that the rest of a workbook may have. */
export type Budget = Record<keyof typeof LIMITS, number>;

const TOO_MANY = {
  cells: TOO_MANY_CELLS,
  rows: tooMany('rows', 'Remove rows or sheets, or split it into several files.'),
  faults: tooMany('faults', 'Correct the formulas, or remove their columns.', 'cells with errors'),
  merged: tooMany('merged', 'Unmerge cells, or split it into several files.', 'merged cells'),
  texts: tooMany('texts', 'Remove columns or sheets, or split it into several files.', 'different texts'),
  styles: tooMany('styles', 'Copy the cells into a new workbook, save it as .xlsx, and send that file.', 'cell styles'),
  sheets: tooMany('sheets', 'Remove sheets, or split it into several files.'),
  relations: tooMany('relations', 'Copy the cells into a new workbook, save it as .xlsx, and send that file.', 'links'),
} as const satisfies Record<keyof Budget, string>;

function tooMany(what: keyof Budget, remedy: string, name: string = what): string {
  return `The workbook has more than ${countText(LIMITS[what])} ${name}. ${remedy}`;
}

export function createBudget(): Budget {
  return { ...LIMITS };
}

/** Counts elements. Throws `invalid` if the workbook has too many. */
export function spend(budget: Budget, what: keyof Budget, count: number): void {
  budget[what] -= count;
  if (budget[what] < 0) throw new StationError('invalid', TOO_MANY[what]);
}

import type { Separator } from '../csvSplit.ts';

/**
 * A cell as a person reads it. A text: cells of CSV as they are written, and text cells, booleans and
 * times without a day of a workbook. Numbers and dates come only from a workbook.
 */
export type FileCell = string | NumberCell | DateCell | FaultCell;

/** `text`: the number in full (`4006381333948`, `2.5`), with the zeros of a format of zeros (`00123`). */
export type NumberCell = { kind: 'number'; value: number; text: string };

/** A day, or a day and a time, without a zone. `text`: as ISO 8601, `2026-11-26`, `2026-11-26T14:30` or with seconds. */
export type DateCell = { kind: 'date'; text: string };

/** A cell that cannot be read, such as a formula without a result, or quotes that do not enclose it. `message`: a sentence that says why and what to do. */
export type FaultCell = { kind: 'fault'; text: string; message: string };

/** `line`: where the row begins in the file, from 1; of a workbook the number of the row. */
export type TableRow = {
  line: number;
  cells: readonly FileCell[];
  /** Hidden or filtered in the workbook: not read, but an order that is partly hidden is refused. */
  isHidden: boolean;
  /** At least one empty row comes before it. */
  followsGap: boolean;
};

/** One sheet: of CSV the whole file. Empty rows are left out; hidden columns have no cells. */
export type FileTable = {
  /** Name of the sheet; null: CSV. */
  sheet: string | null;
  /** Null: a workbook. */
  delimiter: Separator | null;
  rows: readonly TableRow[];
  /** Rows and columns with cells that are hidden. */
  hiddenRows: number;
  hiddenColumns: number;
  /** Sentences about what was read in an unusual way, such as a quote that is text. */
  notes: readonly string[];
};

/** What kind of file a reader found. `encoding`: as a WHATWG label; null: a workbook. */
export type TableFile =
  | { ok: true; encoding: string | null; sheets: readonly FileTable[] }
  /**
   * `message`: why the file cannot be read, and what to do. `words`: for `encoding`, up to ten words that differ between the
   * encodings in question, as each of them reads it.
   */
  | { ok: false; ask: 'encoding' | null; message: string; words?: readonly Record<string, string>[] };

/** The words of a cell, without surrounding blanks. */
export function textOf(cell: FileCell | undefined): string {
  if (cell === undefined) return '';
  return (typeof cell === 'string' ? cell : cell.text).trim();
}

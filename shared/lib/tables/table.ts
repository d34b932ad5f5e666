import type { Separator } from './cells/csvSplit.ts';

/**
 * A cell as people see it. Strings are cells of CSV files, and text, booleans and times without a date in workbooks. Only workbooks have
 * number and date cells.
 */
export type FileCell = string | NumberCell | DateCell | FaultCell;

/**
 * A number. `text` is the number without an exponent (`4006381333948`, `2.5`), padded if the cell's format consists of zeros (`00123`). `unit`
 * is the text with letters that the format shows beside the number, such as `Karton`. `code` is the number as the format shows it, if that is
 * another code: with letters before it (`SO-1001`), or zeros after its decimals (`1.10`).
 */
export type NumberCell = { kind: 'number'; value: number; text: string; unit?: string; code?: string };

/** A date, with or without a time, without a time zone. `text` is in ISO 8601, such as `2026-11-26`, `2026-11-26T14:30` or with seconds. */
export type DateCell = { kind: 'date'; text: string };

/** An unreadable cell, such as a formula without a result. `text` is never blank. `message` explains the reason and what to do. */
export type FaultCell = { kind: 'fault'; text: string; message: string };

/**
 * Text of an unreadable cell without a value, such as a formula without a result. The text is not blank, because a row with a blank order
 * number can belong to the order above.
 */
export const NO_RESULT = '=…';

/** A row. `line` is the line of the file in which the row starts, counted from 1, or the row number in a workbook. */
export type TableRow = {
  line: number;
  cells: readonly FileCell[];
  /**
   * Whether the row is hidden or filtered out in the workbook. Such rows are not imported, and an order that is partly hidden is refused.
   */
  isHidden: boolean;
  /** Whether the row follows an empty row directly. */
  followsGap: boolean;
};

/** One sheet, or a whole CSV file, without empty rows and hidden columns. */
export type FileTable = {
  /** Name of the sheet, or null for a CSV file. */
  sheet: string | null;
  /** Delimiter of a CSV file, or null for a workbook. */
  delimiter: Separator | null;
  rows: readonly TableRow[];
  /** Number of hidden rows and columns that contain cells. */
  hiddenRows: number;
  hiddenColumns: number;
  /** Sentences about unusual readings, such as a quote that was read as text. */
  notes: readonly string[];
};

/** The sheets of a file, or why the file is refused. `encoding` is a WHATWG label, or null for a workbook. */
export type TableFile =
  | { ok: true; encoding: string | null; sheets: readonly FileTable[] }
  /**
   * `message` explains why the file is refused and what to do. If `ask` is `encoding`, `words` contains up to ten words that differ between
   * the likely encodings, by encoding.
   */
  | { ok: false; ask: 'encoding' | null; message: string; words?: readonly Record<string, string>[] };

/** Invisible characters that `trim` keeps. Text copied from web pages and dialogs contains them. */
const INVISIBLE = new Set(['\u200b', '\u200e', '\u200f', '\u2060']);

/** Returns the text of a cell without surrounding blanks and invisible characters. */
export function textOf(cell: FileCell | undefined): string {
  if (cell === undefined) return '';
  let text = (typeof cell === 'string' ? cell : cell.text).trim();
  while (INVISIBLE.has(text.charAt(0))) text = text.slice(1).trim();
  while (INVISIBLE.has(text.charAt(text.length - 1))) text = text.slice(0, -1).trim();
  return text;
}

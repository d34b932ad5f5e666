import { isSpreadsheetError } from './faults.ts';

export const BYTE_ORDER_MARK = '\ufeff';
/** Texts that spreadsheets would run as formulas, in East Asia also with full-width signs. A leading apostrophe marks them as text. */
const FORMULA = /^(?:'*[=+\-@＝＋－＠\t\r\n]|'+\d)/;

/** A cell to write. `explicit` is a code that spreadsheets must not change, which is written as the formula `="0012"`. */
export type CsvCell = string | number | { explicit: string };

/**
 * Writes rows per RFC 4180 with CR LF, for spreadsheets: with a byte order mark, so that Excel reads UTF-8, and with an apostrophe before
 * texts that would run as formulas. `separator` should be `;` where the decimal separator is a comma.
 */
export function writeCsv(rows: readonly (readonly CsvCell[])[], separator: ',' | ';' = ','): string {
  return BYTE_ORDER_MARK + csvLines(rows, separator);
}

/** Like `writeCsv`, without the byte order mark, for subsequent parts of a file. */
export function csvLines(rows: readonly (readonly CsvCell[])[], separator: ',' | ';' = ','): string {
  return rows.map((cells) => `${cells.map(written).join(separator)}\r\n`).join('');
}

/** Whether a spreadsheet could run the text, or a part of it, as a formula. */
export function couldRun(text: string): boolean {
  return FORMULA.test(text) || harmless(text) !== text;
}

/**
 * Makes a text safe for one cell. Replaces line breaks, and puts an apostrophe before each part that could begin a formula if a spreadsheet
 * splits the text at another delimiter, against which quotes do not help. The apostrophe remains visible.
 */
export function harmless(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/([;\t]\s*)(?=[=+\-@＝＋－＠])/g, "$1'");
}

function written(cell: CsvCell): string {
  if (typeof cell === 'object') return quoted(`=${quoted(cell.explicit)}`);
  if (typeof cell === 'number') return String(cell);
  // The import would take it for an error of a spreadsheet program.
  if (isSpreadsheetError(cell.trim())) return written({ explicit: cell });
  const guarded = FORMULA.test(cell) ? `'${cell}` : cell;
  // Also quote cells with semicolons and tabs, because some spreadsheets split there in any file.
  if (!/[",;\t\r\n]|^\s|\s$/.test(guarded)) return guarded;
  return quoted(guarded);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

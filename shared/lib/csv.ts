import { splitRows, type Separator, type SplitFile } from './csvSplit.ts';

/** Delimiters that are detected here; `tables/csvTable.ts` knows more. On a tie, the one rarer in texts wins. */
const DELIMITERS = ['\t', ';', ','] as const satisfies readonly Separator[];
export type Delimiter = (typeof DELIMITERS)[number];

/** A row of cells, and the line of the file on which it begins (from 1). */
export type CsvRecord = { line: number; cells: string[] };

export type Csv = {
  delimiter: Delimiter;
  /** Rows that are not empty. */
  records: CsvRecord[];
  /** Line of a quote that is never closed: the rest of the file cannot be split into cells. */
  unclosedLine: number | undefined;
};

/** Rows examined to detect the delimiter, and characters. */
const LOOKED_AT = 50;
const LOOKED_AT_CHARACTERS = 65_536;
/** More columns than any real file; bounds the memory that a line of delimiters takes. */
const MAX_CELLS = 1_000;
/** Limit of a cell in Excel. */
const MAX_CELL_CHARACTERS = 32_767;
export const BYTE_ORDER_MARK = '\ufeff';
/** A spreadsheet runs such a cell as a formula. A leading apostrophe marks it as text. */
const FORMULA = /^(?:'*[=+\-@\t\r\n]|'+\d)/;

/** `explicit`: a code that spreadsheets must not change, written as the formula `="0012"`. */
export type CsvCell = string | number | { explicit: string };

/**
 * Reads comma, semicolon or tab separated values: RFC 4180, any line end, a byte order mark, Excel's `sep=;` line.
 * Never throws: a misplaced quote is a character, and cells after the thousandth of a row are dropped.
 */
export function readCsv(text: string): Csv {
  const whole = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
  const said = /^"?sep=([,;\t])"?(?:\r\n|\r|\n)/i.exec(whole);
  const delimiter = DELIMITERS.find((each) => each === said?.[1]) ?? recognize(whole.slice(0, LOOKED_AT_CHARACTERS));
  const reader = split(whole.slice(said?.[0].length ?? 0), delimiter);
  const skipped = said === null ? 0 : 1;
  const records: CsvRecord[] = [];
  for (const record of reader.records) {
    if (record === undefined || record.cells.every((cell) => cell.trim() === '')) continue;
    records.push({ line: record.line + skipped, cells: record.cells.map(withoutGuard) });
  }
  const unclosed = reader.unclosedLine();
  return { delimiter, records, unclosedLine: unclosed === undefined ? undefined : unclosed + skipped };
}

/**
 * Writes rows per RFC 4180 with CR LF, for `readCsv` and spreadsheets: with a byte order mark, so that Excel reads
 * UTF-8, and an apostrophe before texts that would run as formulas. `separator`: `;` where the decimal sign is a comma.
 */
export function writeCsv(rows: readonly (readonly CsvCell[])[], separator: ',' | ';' = ','): string {
  return BYTE_ORDER_MARK + csvLines(rows, separator);
}

/** The same without the byte order mark, which only a file begins with. */
export function csvLines(rows: readonly (readonly CsvCell[])[], separator: ',' | ';' = ','): string {
  return rows.map((cells) => `${cells.map(written).join(separator)}\r\n`).join('');
}

/**
 * A text as one cell. Quotes do not help a spreadsheet that splits at another delimiter, so a part that could begin
 * such a cell gets an apostrophe, which remains.
 */
export function harmless(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/([;\t]\s*)(?=[=+\-@])/g, "$1'");
}

/** Decodes a file: UTF-8, UTF-16 with a byte order mark, otherwise Windows-1252, which accepts every byte. */
export function decodeCsv(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function written(cell: CsvCell): string {
  if (typeof cell === 'object') return quoted(`=${quoted(cell.explicit)}`);
  if (typeof cell === 'number') return String(cell);
  const guarded = FORMULA.test(cell) ? `'${cell}` : cell;
  // Also quotes semicolons and tabs: some spreadsheets split there in any file.
  if (!/[",;\t\r\n]|^\s|\s$/.test(guarded)) return guarded;
  return quoted(guarded);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function withoutGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** The delimiter that splits most rows into the same number of cells, and into the most cells. */
function recognize(text: string): Delimiter {
  let best: Delimiter = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const counts: number[] = [];
    for (const record of split(text, delimiter).records) {
      if (record !== undefined) counts.push(record.cells.length);
      if (counts.length === LOOKED_AT) break;
    }
    const parted = counts.filter((count) => count > 1);
    const usual = Math.max(0, ...parted.map((count) => parted.filter((other) => other === count).length));
    const score = usual + Math.max(0, ...parted) / 1_000;
    if (score <= bestScore) continue;
    best = delimiter;
    bestScore = score;
  }
  return best;
}

function split(text: string, delimiter: Delimiter): SplitFile<string> {
  return splitRows(text, delimiter, { maxCells: MAX_CELLS, maxCellCharacters: MAX_CELL_CHARACTERS });
}

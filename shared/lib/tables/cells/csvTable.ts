import { BYTE_ORDER_MARK } from './csv.ts';
import { splitRows, type Separator, type MisquotedCell, type SplitFile } from './csvSplit.ts';
import { createPace, type InParts } from '../../station/inParts.ts';
import {
  MAX_CELL_CHARACTERS,
  MAX_CELLS,
  MAX_COLUMNS,
  MAX_ROWS,
  TOO_MANY_CELLS,
  TOO_MANY_ROWS,
  tooLongCell,
  tooManyColumns,
} from '../tableLimits.ts';
import { AMBIGUOUS } from '../ambiguous.ts';
import { columnKey } from '../columnKey.ts';
import { TABLE_KINDS } from '../fields.ts';
import { FIELD_BY_KEY } from '../profiles/synonyms.ts';
import { type FileCell, type FileTable, type TableRow, textOf } from '../table.ts';

/** Possible delimiters, rarest in text first. In a tie, the first one wins. */
const DELIMITERS = ['\t', '|', ';', ','] as const satisfies readonly Separator[];

/** Number of rows and characters to examine when detecting the delimiter. */
const LOOKED_AT = 50;
const LOOKED_AT_CHARACTERS = 65_536;
/** Number of non-empty rows in which to search for the column names. */
const HEAD_ROWS = 20;

const RULES = { maxCells: MAX_COLUMNS, maxCellCharacters: MAX_CELL_CHARACTERS } as const;

/** Result of reading a file. `message` explains why the file is refused and what to do. */
export type CsvTable = { ok: true; table: FileTable } | { ok: false; message: string };

/**
 * Reads values separated by comma, semicolon, tab or `|`: RFC 4180 with any line ending, a byte order mark, and Excel's `sep=;` line. Keeps
 * the text of cells unchanged. Never throws.
 */
export function* csvTable(text: string): InParts<CsvTable> {
  const whole = withoutDrawnLines(text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text);
  const said = /^"?sep=([^\r\n"]*)"?(?:\r\n|\r|\n|$)/i.exec(whole);
  const named = said === null ? undefined : DELIMITERS.find((each) => each === said[1]);
  if (said !== null && named === undefined) {
    return refused(`Line 1 names the separator "${excerpt(said[1] ?? '')}". Use a comma, a semicolon, a tab or |.`);
  }
  const delimiter = named ?? (yield* recognize(whole));
  const skipped = said === null ? 0 : 1;
  const file = splitRows(whole.slice(said?.[0].length ?? 0), delimiter, RULES);
  const rows: TableRow[] = [];
  let expected = 1;
  let cells = 0;
  let followsGap = false;
  for (const record of file.records) {
    if (file.tooWideLine() !== undefined || file.tooLongLine() !== undefined) break;
    if (record === undefined) {
      yield;
      continue;
    }
    if (record.line > expected) followsGap = true;
    expected = record.line + record.lines;
    if (record.cells.every((cell) => typeof cell === 'string' && cell.trim() === '')) {
      followsGap = true;
      continue;
    }
    cells += record.cells.length;
    if (cells > MAX_CELLS) return refused(TOO_MANY_CELLS);
    if (rows.length === MAX_ROWS) return refused(TOO_MANY_ROWS);
    const line = record.line + skipped;
    rows.push({ line, cells: record.cells.map((cell) => cellOf(cell, line)), isHidden: false, followsGap });
    followsGap = false;
  }
  const message = problemOf(file, skipped);
  if (message !== undefined) return refused(message);
  const framed = delimiter === '|' ? yield* withoutFrame(rows) : rows;
  const table = {
    sheet: null,
    delimiter,
    rows: framed,
    hiddenRows: 0,
    hiddenColumns: 0,
    notes: notesOf(file, skipped),
  };
  return { ok: true, table };
}

/** A line that begins with a drawn line, as in a list with frames. */
const DRAWN = /^[ \t]*[\u2500-\u257F]/m;

/** Replaces the drawn lines between the cells of a list by `|`. In any other file they are text. */
function withoutDrawnLines(text: string): string {
  return DRAWN.test(text.slice(0, LOOKED_AT_CHARACTERS)) ? text.replaceAll(/[\u2502\u2503\u2551]/g, '|') : text;
}

/** A cell of a ruled line, also of a table in Markdown. */
const RULED = /^[-=_+:\u2500-\u257F]*$/;
/** Minimum number of characters of a ruled line. */
const MIN_RULED = 3;

/** Removes ruled lines, as in SAP lists. Also removes the blank cells before the first and after the last `|` if all rows have them. */
function* withoutFrame(rows: readonly TableRow[]): InParts<readonly TableRow[]> {
  const pace = createPace();
  const inside: TableRow[] = [];
  let isFramed = true;
  let followsGap = false;
  for (const row of rows) {
    if (pace.isDue()) yield* pace.rest();
    followsGap ||= row.followsGap;
    if (isRuled(row)) continue;
    inside.push(followsGap === row.followsGap ? row : { ...row, followsGap });
    followsGap = false;
    // A title has one cell.
    isFramed &&= row.cells.length === 1 || (textOf(row.cells[0]) === '' && textOf(row.cells.at(-1)) === '');
  }
  if (!isFramed) return inside;
  const bare: TableRow[] = [];
  for (const row of inside) {
    if (pace.isDue()) yield* pace.rest();
    bare.push(row.cells.length === 1 ? row : { ...row, cells: row.cells.slice(1, -1) });
  }
  return bare;
}

function isRuled({ cells }: TableRow): boolean {
  const texts = cells.map(textOf);
  return texts.every((text) => RULED.test(text)) && texts.join('').length >= MIN_RULED;
}

function refused(message: string): CsvTable {
  return { ok: false, message };
}

function cellOf(cell: string | MisquotedCell, line: number): FileCell {
  if (typeof cell === 'string') return cell;
  const { text } = cell;
  const message = `The quotes in ${excerpt(text)} in line ${line} do not enclose the whole cell. Double the quotes within it, or remove them.`;
  return { kind: 'fault', text, message };
}

function excerpt(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40).toWellFormed()}…`;
}

/** Returns the reason to refuse the file, or undefined if there is none. */
function problemOf(file: SplitFile<unknown>, skipped: number): string | undefined {
  const unclosed = file.unclosedLine();
  const misquoted = file.misquoted();
  const wide = file.tooWideLine();
  const long = file.tooLongLine();
  if (misquoted !== undefined) {
    const [line, closed] = [misquoted.line + skipped, misquoted.closed + skipped];
    return `The quote that begins in line ${line} ends within a cell in line ${closed}, so a quote is missing between them. Close or remove it.`;
  }
  if (unclosed !== undefined) {
    return `The quote that begins in line ${unclosed + skipped} is not closed. Close or remove it; if the file is incomplete, export it again.`;
  }
  if (long !== undefined) return tooLongCell(`Line ${long + skipped}`);
  return wide === undefined ? undefined : tooManyColumns(`Line ${wide + skipped}`);
}

function notesOf(file: SplitFile<unknown>, skipped: number): string[] {
  const { count, line } = file.quotedAsText();
  if (count === 0) return [];
  const first = line + skipped;
  if (count === 1) return [`The quote in line ${first} is read as text.`];
  return [`Quotes in ${count} cells, the first in line ${first}, are read as text.`];
}

/**
 * Chooses a delimiter with which column names are found. If there are several, or none, most rows must have as many cells as the row of
 * column names. In a tie, the delimiter with more cells wins.
 */
function* recognize(text: string): InParts<Separator> {
  const looked = text.slice(0, LOOKED_AT_CHARACTERS);
  let best: Separator = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const counts: number[] = [];
    let hasNames = false;
    for (const record of splitRows(looked, delimiter, RULES).records) {
      if (record === undefined) yield;
      else {
        hasNames ||= counts.length < HEAD_ROWS && isHead(record.cells);
        counts.push(record.cells.length);
      }
      if (counts.length === LOOKED_AT) break;
    }
    // Ignore the last row if the text was cut there, because it may be incomplete.
    if (counts.length > 1 && counts.length < LOOKED_AT && looked.length < text.length) counts.pop();
    const score =
      (hasNames ? 1 : 0) +
      Math.max(0, ...counts.slice(0, HEAD_ROWS).map((count, index) => scoreOf(counts, count, index)));
    if (score > bestScore) [best, bestScore] = [delimiter, score];
    yield;
  }
  return best;
}

/** Number of column names that make a row one of column names. */
const FEWEST_NAMES = 2;

function isHead(cells: readonly (string | MisquotedCell)[]): boolean {
  const names = new Set(cells.map((cell) => (typeof cell === 'string' ? columnKey(cell) : '')).filter(isName));
  return names.size >= FEWEST_NAMES;
}

function isName(key: string): boolean {
  return TABLE_KINDS.some((kind) => FIELD_BY_KEY[kind].has(key) || AMBIGUOUS[kind].has(key));
}

/**
 * Returns the fraction of rows with as many cells as the row at `index`, plus a little for each cell. Uses a fraction instead of a count,
 * because a wrong delimiter can split quoted cells into more rows.
 */
function scoreOf(counts: readonly number[], names: number, index: number): number {
  if (names < 2) return 0;
  const matching = counts.slice(index).filter((count) => count === names).length;
  return matching / counts.length + Math.min(names, MAX_COLUMNS) / 10_000;
}

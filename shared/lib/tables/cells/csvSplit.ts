/** A character that separates the cells of a row. */
export type Separator = '\t' | '|' | ';' | ',';

/** A cell with text after its closing quote. `text` includes the quotes. */
export type MisquotedCell = { text: string };

/** A row. `line` is the line of the file on which the row begins, counted from 1, and `lines` its number of lines. */
export type SplitRow<C> = { line: number; lines: number; cells: C[] };

export type SplitFile<C> = {
  /** The rows, without empty lines. Yields undefined about every PART_CHARACTERS characters so that the caller can pause. */
  records: Generator<SplitRow<C> | undefined, void, void>;
  /** Line of the first quote that is not closed within `maxCellCharacters`. */
  unclosedLine(): number | undefined;
  /**
   * Returns the lines of the opening and closing quotes of the first multiline cell with text after its closing quote. Such a cell means
   * that a quote is missing between the two lines.
   */
  misquoted(): { line: number; closed: number } | undefined;
  /** Number of cells with quotes that are read as text, in a file with tabs, and the line of the first one. */
  quotedAsText(): { count: number; line: number };
  /** Line of the first row with a filled cell beyond `maxCells`. */
  tooWideLine(): number | undefined;
  /** Line of the first row with a cell without quotes that is longer than `maxCellCharacters`. */
  tooLongLine(): number | undefined;
};

type SplitRules = { maxCells: number; maxCellCharacters: number };

type Found<C> = { cell: C; end: number; lines: number };

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** Number of characters to split per step, which takes a few milliseconds. */
const PART_CHARACTERS = 16_384;

/**
 * Splits text into rows and cells. Text after a closing quote is a fault. In a file with tabs, quotes enclose only whole cells on one line.
 * Never throws.
 */
export function splitRows(
  text: string,
  delimiter: Separator,
  { maxCells, maxCellCharacters }: SplitRules,
): SplitFile<string | MisquotedCell> {
  const length = text.length;
  const special = new RegExp(`[${delimiter}\\r\\n]`, 'g');
  const isSpecial = (letter: string | undefined) => letter === delimiter || letter === '\n' || letter === '\r';
  const hasLineQuotes = delimiter === '\t';
  const quotedAsText = { count: 0, line: 0 };
  let unclosedLine: number | undefined;
  let misquoted: { line: number; closed: number } | undefined;
  let tooWideLine: number | undefined;
  let tooLongLine: number | undefined;

  const endFrom = (at: number): number => {
    if (at >= length || isSpecial(text[at])) return at;
    special.lastIndex = at;
    return special.exec(text)?.index ?? length;
  };

  function plain(at: number, line: number): Found<string> {
    const end = endFrom(at);
    if (end - at > maxCellCharacters) {
      tooLongLine ??= line;
      return { cell: '', end, lines: 0 };
    }
    const cell = text.slice(at, end);
    if (hasLineQuotes && cell.includes('"')) {
      if (quotedAsText.count === 0) quotedAsText.line = line;
      quotedAsText.count += 1;
    }
    return { cell, end, lines: 0 };
  }

  function quoted(at: number, line: number): Found<string | MisquotedCell> {
    const closing = closingQuote(text, at + 1, maxCellCharacters);
    if (closing < 0) {
      unclosedLine ??= line;
      // The file is refused, so skip the rest.
      return { cell: '', end: length, lines: 0 };
    }
    const cell = text.slice(at + 1, closing).replaceAll('""', '"');
    const lines = countLines(cell);
    const end = endFrom(closing + 1);
    const rest = text.slice(closing + 1, end);
    if (rest.trim() === '') return { cell, end, lines };
    if (lines > 0) misquoted ??= { line, closed: line + lines };
    return { cell: { text: text.slice(at, end) }, end, lines };
  }

  function inLine(at: number, line: number): Found<string> {
    const closing = closingInLine(text, at + 1);
    if (closing < 0) return plain(at, line);
    return { cell: text.slice(at + 1, closing).replaceAll('""', '"'), end: closing + 1, lines: 0 };
  }

  const readQuoted = hasLineQuotes ? inLine : quoted;

  function add(record: SplitRow<string | MisquotedCell>, cell: string | MisquotedCell): void {
    if (record.cells.length < maxCells) record.cells.push(cell);
    else if (cell !== '') tooWideLine ??= record.line;
  }

  function* records(): SplitFile<string | MisquotedCell>['records'] {
    let line = 1;
    let pause = PART_CHARACTERS;
    let record: SplitRow<string | MisquotedCell> = { line, lines: 1, cells: [] };
    for (let at = 0; at < length;) {
      if (at >= pause) {
        yield undefined;
        pause = at + PART_CHARACTERS;
      }
      const { cell, end, lines } = text[at] === '"' ? readQuoted(at, line) : plain(at, line);
      add(record, cell);
      line += lines;
      record.lines += lines;
      at = end + 1;
      if (text[end] === delimiter) {
        // A trailing delimiter adds an empty cell.
        if (at === length) add(record, '');
        continue;
      }
      if (text[end] === '\r' && text[at] === '\n') at += 1;
      line += 1;
      // Skip empty lines.
      if (record.cells.length > 1 || record.cells[0] !== '') yield record;
      record = { line, lines: 1, cells: [] };
    }
    if (record.cells.length > 0) yield record;
  }

  return {
    records: records(),
    unclosedLine: () => unclosedLine,
    misquoted: () => misquoted,
    quotedAsText: () => quotedAsText,
    tooWideLine: () => tooWideLine,
    tooLongLine: () => tooLongLine,
  };
}

/** Returns the position of the closing quote, or -1 if there is none within `most` characters. Skips doubled quotes. */
function closingQuote(text: string, from: number, most: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"' && at - from <= most) at = text.indexOf('"', at + 2);
  return at - from > most ? -1 : at;
}

/**
 * Returns the position of the closing quote before a tab or the end of the line, or -1 if there is none, so that the opening quote is part
 * of the text.
 */
function closingInLine(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '\n' || letter === '\r') return -1;
    if (letter !== '"') continue;
    const next = text[at + 1];
    if (next === undefined || next === '\t' || next === '\n' || next === '\r') return at;
    if (next !== '"') return -1;
    at += 1;
  }
  return -1;
}

/** Counts line breaks. A regular expression would collect all matches in memory. */
function countLines(text: string): number {
  let lines = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED ? text.charCodeAt(at - 1) !== CARRIAGE_RETURN : code === CARRIAGE_RETURN) lines += 1;
  }
  return lines;
}

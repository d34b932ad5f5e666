/** What may stand between two cells: which one it is, is recognised. Where several would do, the one that is rarer in texts. */
const DELIMITERS = ['\t', ';', ','] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** A row of cells, and the line of the file where it begins, the first being 1. */
export type CsvRecord = { line: number; cells: string[] };

export type Csv = {
  delimiter: Delimiter;
  /** Rows in which something stands. */
  records: CsvRecord[];
  /** The line of a quote that is never closed: what follows it cannot be told apart. */
  unclosedLine: number | undefined;
};

/** Rows that are looked at to recognise what stands between cells, and characters that are. */
const LOOKED_AT = 50;
const LOOKED_AT_CHARACTERS = 65_536;
/** No list has as many columns: a line of delimiters alone costs no memory. */
const MAX_CELLS = 1_000;
/** As many as a cell of Excel can have. */
const MAX_CELL_CHARACTERS = 32_767;
/** Read in a few milliseconds. */
const PART_CHARACTERS = 16_384;
export const BYTE_ORDER_MARK = '\ufeff';
/** A spreadsheet runs a cell that begins so as a formula. An apostrophe before it says that it is text. */
const FORMULA = /^'*[=+\-@\t\r\n]/;

/** A file that is read row by row. */
export type OpenCsv = {
  delimiter: Delimiter;
  /** Rows in which something stands. Undefined: PART_CHARACTERS more were read. */
  records: Generator<CsvRecord | undefined, void, void>;
  /** As far as it was read: the line of a quote that is never closed, or not within MAX_CELL_CHARACTERS. */
  unclosedLine(): number | undefined;
};

/**
 * The cells of a file of comma, semicolon or tab separated values: RFC 4180, any line end, a byte order mark, the line
 * `sep=;` of Excel. Never throws: a quote that is out of place stands for itself, and cells after the thousandth of a row
 * are left out.
 */
export function openCsv(text: string): OpenCsv {
  const whole = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
  const said = /^"?sep=([,;\t])"?(?:\r\n|\r|\n)/i.exec(whole);
  const delimiter = DELIMITERS.find((each) => each === said?.[1]) ?? recognise(whole.slice(0, LOOKED_AT_CHARACTERS));
  const reader = split(whole.slice(said?.[0].length ?? 0), delimiter);
  const skipped = said === null ? 0 : 1;
  function* records(): OpenCsv['records'] {
    for (const record of reader.records) {
      if (record === undefined) yield undefined;
      else if (record.cells.some((cell) => cell.trim() !== '')) {
        yield { line: record.line + skipped, cells: record.cells.map(withoutGuard) };
      }
    }
  }
  return {
    delimiter,
    records: records(),
    unclosedLine() {
      const line = reader.unclosedLine();
      return line === undefined ? undefined : line + skipped;
    },
  };
}

/** Why a file cannot be read to its end, as far as it was read; empty: it can. */
export function quoteProblem(file: Pick<OpenCsv, 'unclosedLine'>): string {
  const line = file.unclosedLine();
  if (line === undefined) return '';
  return `The quote that begins in line ${line} is never closed, or not within ${MAX_CELL_CHARACTERS.toLocaleString('en')} characters. Close it, or remove it.`;
}

/** All of it at once. */
export function readCsv(text: string): Csv {
  const file = openCsv(text);
  const records = [...file.records].filter((record) => record !== undefined);
  return { delimiter: file.delimiter, records, unclosedLine: file.unclosedLine() };
}

/**
 * Rows as RFC 4180 has them, lines ending with CR LF, for `readCsv` and for spreadsheets: with a byte order mark, so that
 * Excel reads UTF-8, and with an apostrophe before a text that it would take for a formula.
 */
export function writeCsv(rows: readonly (readonly (string | number)[])[]): string {
  return BYTE_ORDER_MARK + csvLines(rows);
}

/** The same without the mark, which stands at the beginning of a file alone. */
export function csvLines(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((cells) => `${cells.map(written).join(',')}\r\n`).join('');
}

/**
 * A text on one line. Behind a comma quotes help no spreadsheet that parts cells otherwise: what would begin a cell there is
 * made text by an apostrophe, which stays.
 */
export function harmless(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/([;\t]\s*)(?=[=+\-@])/g, "$1'");
}

/** The text of a file: UTF-8, UTF-16 with its mark, else Windows-1252, which takes every byte. */
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

function written(cell: string | number): string {
  if (typeof cell === 'number') return String(cell);
  const guarded = FORMULA.test(cell) ? `'${cell}` : cell;
  // Semicolons and tabs too: some spreadsheets part cells there, whatever the file says.
  if (!/[",;\t\r\n]|^\s|\s$/.test(guarded)) return guarded;
  return `"${guarded.replaceAll('"', '""')}"`;
}

function withoutGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** The one by which most rows fall into equally many cells, and into the most of them. */
function recognise(text: string): Delimiter {
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

function split(text: string, delimiter: Delimiter): Omit<OpenCsv, 'delimiter'> {
  const length = text.length;
  const special = new RegExp(`[${delimiter}\\r\\n]`, 'g');
  const isSpecial = (letter: string | undefined) => letter === delimiter || letter === '\n' || letter === '\r';
  let unclosedLine: number | undefined;

  function* records(): OpenCsv['records'] {
    let line = 1;
    let pause = PART_CHARACTERS;
    let record: CsvRecord = { line, cells: [] };
    for (let at = 0; at < length;) {
      if (at >= pause) {
        yield undefined;
        pause = at + PART_CHARACTERS;
      }
      let cell = '';
      if (text[at] === '"') {
        const opened = line;
        const end = closingQuote(text, at + 1);
        if (end < 0) unclosedLine ??= opened;
        cell = text.slice(at + 1, end < 0 ? length : end).replaceAll('""', '"');
        line += countLines(cell);
        at = end < 0 ? length : end + 1;
      }
      let end = at;
      if (!isSpecial(text[at])) {
        special.lastIndex = at;
        end = special.exec(text)?.index ?? length;
        cell += text.slice(at, end);
      }
      if (record.cells.length < MAX_CELLS) record.cells.push(cell);
      at = end + 1;
      if (text[end] === delimiter) {
        // What ends with a delimiter ends with an empty cell.
        if (at === length && record.cells.length < MAX_CELLS) record.cells.push('');
        continue;
      }
      if (text[end] === '\r' && text[at] === '\n') at += 1;
      line += 1;
      // A line in which nothing stands is no row.
      if (record.cells.length > 1 || record.cells[0] !== '') yield record;
      record = { line, cells: [] };
    }
    if (record.cells.length > 0) yield record;
  }

  return { records: records(), unclosedLine: () => unclosedLine };
}

/** A doubled quote is none. -1: there is none, or it is too far away. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"' && at - from <= MAX_CELL_CHARACTERS) at = text.indexOf('"', at + 2);
  return at - from > MAX_CELL_CHARACTERS ? -1 : at;
}

function countLines(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

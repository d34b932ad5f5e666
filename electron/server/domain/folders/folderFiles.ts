import { type ImportRequest, MOVES } from '#shared/api/imports.ts';
import { csvLines, writeCsv } from '#shared/lib/tables/cells/csv.ts';
import type { InParts } from '#shared/lib/station/inParts.ts';
import type { TableKind } from '#shared/lib/tables/fields.ts';

/** How to read a file from the inbox. */
export type OrderFormat = 'table' | 'json' | 'xml';

/** Formats by file extension. Tables are later identified by their content; unsupported tables are refused with advice. */
const FORMATS: ReadonlyMap<string, OrderFormat> = new Map([
  ...['csv', 'tsv', 'tab', 'txt', 'xlsx', 'xls', 'ods'].map((ending) => [ending, 'table'] as const),
  ['json', 'json'] as const,
  ['xml', 'xml'] as const,
]);

const RESULT = '.result.csv';
/** Number of rows to write per step. */
const PART = 200;
/** Incomplete files of other programs, system files, and the station's result files. */
const IGNORED = /^(?:\.|~\$)|\.(?:tmp|part|crdownload)$|^(?:thumbs\.db|desktop\.ini)$|\.result\.csv$/i;

/** Endings that programs add to the name of a file while they write it. */
const UNFINISHED = new Set(
  'filepart partial uploading upload download opdownload incomplete inprogress writing transfer pending temp aria2 !qb !ut lock swp'.split(
    ' ',
  ),
);

/** Whether the inbox ignores files with this name. */
export function isIgnored(name: string): boolean {
  const [, whole = '', ending = ''] = /^(.+)\.([^.]+)$/.exec(name) ?? [];
  return IGNORED.test(name) || (UNFINISHED.has(ending.toLowerCase()) && formatOf(whole) !== undefined);
}

/** Returns the format for the extension of the name; undefined if the file is not imported. */
export function formatOf(name: string): OrderFormat | undefined {
  return FORMATS.get(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');
}

/** Returns what a file of places means that moves labels, as its name says: `racks moves=rename.csv`. */
export function movesIn(name: string): ImportRequest['moves'] {
  const said = /\bmoves=(devices|rename)\b/i.exec(name)?.[1]?.toLowerCase();
  return MOVES.find((each) => each === said);
}

/** Returns the name of the result file that belongs to a file. */
export function resultName(name: string): string {
  return name + RESULT;
}

/** Adds a number before the extension: `orders.csv`, `orders (2).csv`, `orders (3).csv`. */
export function numberedName(name: string, number: number): string {
  if (number < 2) return name;
  const dot = name.lastIndexOf('.');
  const end = dot > 0 ? dot : name.length;
  return `${name.slice(0, end)} (${number})${name.slice(end)}`;
}

/** File names can have 255 bytes. This limit leaves room for a number and the extension of the result file. */
const MAX_KEPT_BYTES = 230;

/**
 * Returns the name of a file in `done` or `failed`. Shortens a name that is too long for its result file. `digest` returns a hash of the
 * name.
 */
export function keptName(name: string, digest: (text: string) => string): string {
  if (Buffer.byteLength(name) <= MAX_KEPT_BYTES) return name;
  const [ending = ''] = /\.[^.]{1,9}$/.exec(name) ?? [];
  const room = MAX_KEPT_BYTES - Buffer.byteLength(ending) - digest(name).length - 1;
  // Drop the incomplete character at the cut.
  const begin = Buffer.from(name)
    .subarray(0, room)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return `${begin}~${digest(name)}${ending}`;
}

/**
 * The result for a line. In a JSON or XML file, `line` is the position of the order, starting at 1. It is null for the whole file.
 * `subject` is the order number, the SKU of the article or the name of the location.
 */
export type ResultRow = { line: number | null; subject: string; outcome: string; reason: string };

/** Name of the subject column, by kind of file. */
const SUBJECTS = { orders: 'order', articles: 'SKU', locations: 'name' } as const satisfies Record<TableKind, string>;

/** Creates the result file in parts. */
export function* resultCsv(kind: TableKind, rows: readonly ResultRow[]): InParts<string> {
  const texts = [writeCsv([['line', SUBJECTS[kind], 'outcome', 'reason']])];
  for (let from = 0; from < rows.length; from += PART) {
    const part = rows.slice(from, from + PART);
    texts.push(csvLines(part.map(({ line, subject, outcome, reason }) => [line ?? '', subject, outcome, reason])));
    yield;
  }
  return texts.join('');
}

/** Characters that Windows does not allow in file names, and the percent sign, which is used for encoding. */
// oxlint-disable-next-line no-control-regex -- the expression finds control characters
const UNFIT = /[\u0000-\u001f\u007f<>:"/\\|?*%]/g;
/** Device names that Windows reserves, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;
/** Maximum length of an encoded name. File systems allow 255 bytes. */
const MAX_BYTES = 200;

/**
 * Returns the file name for an order: its number with unsuitable characters percent-encoded. `digest` returns a hash of a number that is
 * too long, so that numbers with the same beginning get different names.
 */
export function orderFileName(orderNumber: string, digest: (text: string) => string): string {
  const encoded = orderNumber
    .toWellFormed()
    .replace(UNFIT, percent)
    .replace(/^[. ~]/, percent)
    .replace(RESERVED, (name) => percent(name.slice(0, 1)) + name.slice(1));
  if (Buffer.byteLength(encoded) <= MAX_BYTES) return `${encoded}.json`;
  return `${encoded.slice(0, 40).toWellFormed()}~${digest(orderNumber)}.json`;
}

function percent(text: string): string {
  return `%${text.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

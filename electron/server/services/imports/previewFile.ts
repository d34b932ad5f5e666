import { promisify } from 'node:util';
import { createDeflate, inflate } from 'node:zlib';
import { fileImportRequestSchema } from '#shared/api/imports.ts';
import type { InParts } from '#shared/lib/station/inParts.ts';
import type { FileTable, TableRow } from '#shared/lib/tables/table.ts';
import type { StepQueue } from '../../scheduling/index.ts';
import {
  areTexts,
  type Check,
  isObject,
  isText,
  isWhole,
  listOf,
  objectOf,
  optional,
  orNull,
} from '../../db/checks.ts';
import { isTableRow } from '../../db/storedJson.ts';
import { StationError } from '../../errors.ts';
import type { PreviewFile } from './types.ts';

type Queue = Pick<StepQueue, 'takeAll'>;

/** Maximum size of an unpacked preview, in bytes. The largest file needs much less. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Number of characters to write or read per step. */
const PART_CHARACTERS = 65_536;
const LINE_FEED = 10;

const unpack = promisify(inflate);

/** Packs a file as one line of JSON without the rows, followed by one line for each row. */
export async function packPreview(queue: Queue, file: PreviewFile): Promise<Uint8Array> {
  const packed: Buffer[] = [];
  // The text of a large file would take several times as much memory as its packed form.
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const deflate = createDeflate()
    .on('data', (chunk: Buffer) => packed.push(chunk))
    .once('end', resolve)
    .once('error', reject);
  await queue.takeAll(writeLines(file, (text) => deflate.write(text)));
  deflate.end();
  await promise;
  return Buffer.concat(packed);
}

function* writeLines(
  { table: { rows, ...table }, ...rest }: PreviewFile,
  write: (text: string) => void,
): InParts<void> {
  let text = JSON.stringify({ ...rest, table });
  for (const row of rows) {
    text += `\n${JSON.stringify(row)}`;
    if (text.length < PART_CHARACTERS) continue;
    write(text);
    text = '';
    yield;
  }
  write(text);
}

const storedOptionsSchema = fileImportRequestSchema.partial();
/** Whether the text is a column index. Checked because a huge index in a manipulated backup could exhaust the memory. */
const isColumn = (name: string): boolean => /^\d{1,4}$/.test(name);
const isCorrections: Check = (value) =>
  isObject(value) &&
  Object.values(value as object).every((cells) => areTexts(cells) && Object.keys(cells as object).every(isColumn));
const isFile = objectOf({
  encoding: orNull(isText),
  sheets: listOf(isText),
  table: objectOf({
    sheet: orNull(isText),
    delimiter: orNull(isText),
    rows: optional(listOf(isTableRow)),
    hiddenRows: isWhole,
    hiddenColumns: isWhole,
    notes: listOf(isText),
  }),
  options: (value) => storedOptionsSchema.safeParse(value).success,
  remembered: optional(orNull(isObject)),
  said: optional(orNull(isObject)),
  corrections: isCorrections,
});

/** Throws if the station cannot have written this value. */
function refuseUnless(check: Check, value: unknown): void {
  if (!check(value)) throw new TypeError('The station could not have written it.');
}

/**
 * Unpacks a file that `packPreview` packed, and adds the corrections, which are stored separately as JSON. Rejects if the station cannot
 * have written them.
 */
export async function unpackPreview(
  queue: Queue,
  bytes: Uint8Array,
  corrections: string | undefined,
): Promise<PreviewFile> {
  const file = await queue.takeAll(fileIn(await unpack(bytes, { maxOutputLength: MAX_BYTES })));
  // Older previews contain their corrections in the file.
  if (corrections === undefined) return file;
  const stored = JSON.parse(corrections) as PreviewFile['corrections'];
  refuseUnless(isCorrections, stored);
  return { ...file, corrections: stored };
}

function* fileIn(bytes: Buffer): InParts<PreviewFile> {
  const end = endOfLine(bytes, 0);
  const file = JSON.parse(bytes.toString('utf8', 0, end)) as PreviewFile;
  refuseUnless(isFile, file);
  // Older previews have their rows in the first line, and lack the last two fields.
  const rows: TableRow[] = [...((file.table.rows as readonly TableRow[] | undefined) ?? [])];
  let pause = end + PART_CHARACTERS;
  for (let at = end + 1; at < bytes.length;) {
    const next = endOfLine(bytes, at);
    const row = JSON.parse(bytes.toString('utf8', at, next)) as TableRow;
    refuseUnless(isTableRow, row);
    rows.push(row);
    at = next + 1;
    if (at < pause) continue;
    pause = at + PART_CHARACTERS;
    yield;
  }
  return {
    ...file,
    table: { ...file.table, rows },
    remembered: file.remembered ?? null,
    said: file.said ?? null,
  };
}

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(LINE_FEED, from);
  return end < 0 ? bytes.length : end;
}

export function correctedTable({ table, corrections }: PreviewFile): FileTable {
  return { ...table, rows: table.rows.map((row) => correctedRow(row, corrections[row.line])) };
}

/** Returns the row with its corrected cells, which are given by column index. */
export function correctedRow(row: TableRow, cells: Record<string, string> | undefined): TableRow {
  if (cells === undefined) return row;
  const corrected = [...row.cells];
  for (const [index, text] of Object.entries(cells)) {
    while (corrected.length <= Number(index)) corrected.push('');
    corrected[Number(index)] = text;
  }
  return { ...row, cells: corrected };
}

/** Creates the error for a missing column. `path` names the field of the request. */
export function noColumn(field: string, path: string): StationError {
  const message = `The file has no column for ${field}. Say in columns which one it is, and send the file again.`;
  return new StationError('invalid', message, [{ path, message }]);
}

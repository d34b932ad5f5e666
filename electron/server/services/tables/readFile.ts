import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import { csvTable } from '#shared/lib/tables/cells/csvTable.ts';
import type { FileTable, TableFile, TableRow } from '#shared/lib/tables/table.ts';
import { MAX_VALUES, TOO_MANY_VALUES } from '#shared/lib/tables/tableLimits.ts';
import { StationError } from '../../errors.ts';
import { decodeText } from './decodeText.ts';
import { refused, type Refusal } from './refusals.ts';
import { readWorkbook } from './workbook.ts';

const MAX_BYTES = 16 * 1024 * 1024;
/** Name of a part in a password-protected .xlsx file, which is a compound file like .xls. */
const ENCRYPTED_PART = Buffer.from('EncryptedPackage', 'utf16le');

/** Kinds of files by their first bytes. */
const BEGINNINGS: readonly (readonly [bytes: readonly number[], kind: Refusal | 'zip'])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'zip'],
  [[0x50, 0x4b, 0x05, 0x06], 'zip'],
  [[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], 'xls'],
  // Excel 2, 3, 4 and later, without an OLE container.
  [[0x09, 0x00, 0x04, 0x00], 'xls'],
  [[0x09, 0x02, 0x06, 0x00], 'xls'],
  [[0x09, 0x04, 0x06, 0x00], 'xls'],
  [[0x09, 0x08], 'xls'],
  [[0x25, 0x50, 0x44, 0x46], 'pdf'],
  [[0x89, 0x50, 0x4e, 0x47], 'picture'],
  [[0xff, 0xd8, 0xff], 'picture'],
  [[0x47, 0x49, 0x46, 0x38], 'picture'],
  [[0x1f, 0x8b], 'packed'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'packed'],
  [[0x52, 0x61, 0x72, 0x21], 'packed'],
];

/** Beginnings of text files that are not tables. */
const MARKUP: readonly (readonly [beginning: RegExp, kind: Refusal])[] = [
  [/^(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body|table|meta|script|title)\b/i, 'html'],
  [/^<\?xml[^>]*>\s*(?:<\?mso-application[^>]*>\s*)?<(?:\w+:)?Workbook\b/, 'xmlSpreadsheet'],
  [/^<\?xml\b/, 'xml'],
];
const LOOKED_AT = 2_048;

/** Reads a CSV file or a workbook, which is detected by its content. Never throws because of the content. */
export function* readFile(bytes: Uint8Array, encoding: string | null): InParts<TableFile> {
  try {
    const file = yield* readKind(bytes, encoding);
    if (file.ok) yield* countValues(file.sheets);
    return file;
  } catch (error) {
    // Treat an unknown error as a damaged file, because a second attempt would fail too.
    return { ok: false, ask: null, message: (error instanceof StationError ? error : refused('unreadable')).message };
  }
}

/** Throws `invalid` if the sheets have more values than the station can keep. */
function* countValues(sheets: readonly FileTable[]): InParts<void> {
  const pace = createPace();
  let values = 0;
  let above: TableRow['cells'] = [];
  for (const { rows } of sheets) {
    for (const { cells } of rows) {
      for (const [index, cell] of cells.entries()) {
        if (typeof cell !== 'string' || cell !== above[index]) values += 1;
      }
      above = cells;
      if (values > MAX_VALUES) throw new StationError('invalid', TOO_MANY_VALUES);
      if (pace.isDue()) yield* pace.rest();
    }
  }
}

/** Whether a file is an archive, such as a workbook. */
export function isArchive(bytes: Uint8Array): boolean {
  return kindOf(bytes) === 'zip';
}

function kindOf(bytes: Uint8Array): Refusal | 'zip' | undefined {
  return BEGINNINGS.find(([beginning]) => beginning.every((byte, index) => bytes[index] === byte))?.[1];
}

function* readKind(bytes: Uint8Array, encoding: string | null): InParts<TableFile> {
  if (bytes.length === 0) throw refused('empty');
  if (bytes.length > MAX_BYTES) throw refused('tooManyBytes');
  const kind = kindOf(bytes);
  if (kind === 'zip') return { ok: true, encoding: null, sheets: yield* readWorkbook(bytes) };
  if (kind === 'xls')
    throw refused(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(ENCRYPTED_PART) ? 'password' : 'xls',
    );
  if (kind !== undefined) throw refused(kind);
  const decoded = yield* decodeText(bytes, encoding);
  if (decoded.encoding === null) {
    return {
      ok: false,
      ask: 'encoding',
      message:
        'The file is not UTF-8, and it does not say how its letters are encoded. Save it as "CSV UTF-8" or .xlsx, or give the encoding, such as windows-1252.',
      words: decoded.words,
    };
  }
  return yield* readText(decoded.text, decoded.encoding);
}

/** Reads a table from decoded text. */
export function* readText(text: string, encoding: string): InParts<TableFile> {
  const beginning = withoutComments(text.slice(0, LOOKED_AT));
  const markup = MARKUP.find(([pattern]) => pattern.test(beginning))?.[1];
  const read = markup === undefined ? yield* csvTable(text) : { ok: false as const, message: refused(markup).message };
  if (!read.ok) return { ok: false, ask: null, message: read.message };
  return { ok: true, encoding, sheets: [read.table] };
}

/** Removes comments from markup. A regular expression is not used, because repeated comments could make it extremely slow. */
function withoutComments(beginning: string): string {
  let rest = beginning;
  for (let from = rest.indexOf('<!--'); from >= 0; from = rest.indexOf('<!--', from)) {
    const end = rest.indexOf('-->', from + 4);
    if (end < 0) break;
    rest = rest.slice(0, from) + rest.slice(end + 3);
  }
  return rest.trimStart();
}

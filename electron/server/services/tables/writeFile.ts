import { Zip, ZipDeflate } from 'fflate';
import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import { isSpreadsheetError } from '#shared/lib/tables/cells/faults.ts';
import { lettersOf } from './references.ts';

/**
 * Cell to write, or null for an empty cell. `explicit` is a code that neither spreadsheets nor the import may reinterpret, so it is written
 * as `="…"`.
 */
export type WrittenCell = string | number | null | { explicit: string };

/** Number of characters to compress together. Independent of the elapsed time, so that equal rows produce equal bytes. */
const PART_CHARACTERS = 16_384;
/** Compression level. The fastest level takes a fifth of the time of the best level, and produces files twice as large. */
const LEVEL = 1;
/** Creation time in the file. It is fixed, so that equal rows produce equal bytes. */
const WRITTEN_AT = '2000-01-01T00:00:00';

/** Index of the style for text cells (number format 49). */
const TEXT_STYLE = 1;
/** Index of the style for column names, which are bold. */
const HEAD_STYLE = 2;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const CONTENT_TYPES = `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`;
const ARCHIVE_RELATIONS = `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;
const WORKBOOK_RELATIONS = `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`;
const STYLES = `${DECLARATION}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf xfId="0"/><xf xfId="0" numFmtId="49" applyNumberFormat="1"/><xf xfId="0" numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** Writes a workbook with one sheet and a frozen first row. */
export function* writeFile(
  sheetName: string,
  head: readonly string[],
  rows: readonly (readonly WrittenCell[])[],
): InParts<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    // Only options that are not used here can fail.
    if (error !== null) throw error;
    chunks.push(chunk);
  });
  const add = (name: string): ZipDeflate => {
    const file = new ZipDeflate(name, { level: LEVEL });
    file.mtime = WRITTEN_AT;
    zip.add(file);
    return file;
  };
  for (const [name, text] of [
    ['[Content_Types].xml', CONTENT_TYPES],
    ['_rels/.rels', ARCHIVE_RELATIONS],
    ['xl/workbook.xml', workbookXml(sheetName)],
    ['xl/_rels/workbook.xml.rels', WORKBOOK_RELATIONS],
    ['xl/styles.xml', STYLES],
  ] as const) {
    add(name).push(Buffer.from(text), true);
  }
  const sheet = add('xl/worksheets/sheet1.xml');
  sheet.push(Buffer.from(`${SHEET_START}${rowXml(head, 1, HEAD_STYLE)}`));
  const pace = createPace();
  let text = '';
  for (const [index, cells] of rows.entries()) {
    text += rowXml(cells, index + 2, TEXT_STYLE);
    if (text.length >= PART_CHARACTERS) {
      sheet.push(Buffer.from(text));
      text = '';
    }
    if (pace.isDue()) yield* pace.rest();
  }
  sheet.push(Buffer.from(text));
  sheet.push(Buffer.from('</sheetData></worksheet>'), true);
  zip.end();
  yield;
  return Buffer.concat(chunks);
}

const SHEET_START = `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;

function workbookXml(sheetName: string): string {
  const name = escaped(sheetNameOf(sheetName));
  return `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
}

/** Returns a valid sheet name. Excel rejects some characters, and names of more than 31 characters. */
function sheetNameOf(name: string): string {
  const cleaned = name
    .replaceAll(/[[\]:*?/\\']/g, ' ')
    .trim()
    .slice(0, 31);
  return cleaned.toWellFormed() || 'Sheet1';
}

function rowXml(cells: readonly WrittenCell[], line: number, style: number): string {
  return `<row r="${line}">${cells.map((cell, at) => cellXml(cell, `${lettersOf(at + 1)}${line}`, style)).join('')}</row>`;
}

function cellXml(cell: WrittenCell, reference: string, style: number): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(typeof cell === 'object' ? explicit(cell.explicit) : guarded(cell))}</t></is></c>`;
}

/**
 * Protects text from the import, which rejects text that begins with `=` and drops an apostrophe before digits and formulas. With an
 * additional apostrophe in front, the import reads the text back unchanged.
 */
function guarded(text: string): string {
  if (isSpreadsheetError(text.trim())) return explicit(text);
  return /^(?:=|'+[\d=+\-@＝＋－＠])/.test(text) ? `'${text}` : text;
}

function explicit(text: string): string {
  return `="${text.replaceAll('"', '""')}"`;
}

/** Escapes characters that XML cannot contain, such as `_x0001_`, and text that looks like such an escape. */
function escaped(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll(/(?![\t\n])\p{Cc}|[\uFFFE\uFFFF]|\p{Surrogate}/gu, (letter) => {
      return `_x${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
    })
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

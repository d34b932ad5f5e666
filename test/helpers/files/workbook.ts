import { zipSync } from 'fflate';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const STRICT_MAIN = 'http://purl.oclc.org/ooxml/spreadsheetml/main';
const STRICT_RELATIONS = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

export type WorkbookXml = {
  /** Worksheets. `xml` is the content of the worksheet element, such as `<sheetData>…`. */
  sheets?: readonly { name: string; xml: string; state?: 'hidden' | 'veryHidden' }[];
  /** Content of the `sst` element (shared strings). */
  texts?: string;
  /** Number format codes. A cell's style n refers to the nth code, counted from 1. */
  formats?: readonly string[];
  /** XML between the start of the `workbook` element and the list of sheets. */
  properties?: string;
  /** XML after the list of sheets. */
  calculation?: string;
  isStrict?: boolean;
  /** Files to add or replace, by path. */
  files?: Readonly<Record<string, string | Uint8Array>>;
};

/** Creates an .xlsx file from hand-written XML. */
export function workbookOf({
  sheets = [],
  texts = '',
  formats = [],
  properties = '',
  calculation = '',
  isStrict = false,
  files = {},
}: WorkbookXml): Uint8Array {
  const [main, relations] = isStrict ? [STRICT_MAIN, STRICT_RELATIONS] : [MAIN, RELATIONS];
  const parts: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relationsXml([['rId1', `${relations}/officeDocument`, 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}">${properties}<sheets>${sheets
      .map(
        ({ name, state = 'visible' }, at) =>
          `<sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="s${at}"/>`,
      )
      .join('')}</sheets>${calculation}</workbook>`,
    'xl/_rels/workbook.xml.rels': relationsXml([
      ...sheets.map((_sheet, at) => [`s${at}`, `${relations}/worksheet`, `worksheets/sheet${at}.xml`] as const),
      ['texts', `${relations}/sharedStrings`, '/xl/sharedStrings.xml'],
      ['styles', `${relations}/styles`, 'styles.xml'],
    ]),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${texts}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${formats
      .map((code, at) => `<numFmt numFmtId="${at + 164}" formatCode="${code.replaceAll('"', '&quot;')}"/>`)
      .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((_code, at) => `<xf numFmtId="${at + 164}"/>`)
      .join('')}<xf numFmtId="14"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ xml }, at) => [`xl/worksheets/sheet${at}.xml`, `<worksheet xmlns="${main}">${xml}</worksheet>`]),
    ),
    ...files,
  };
  return zipOf(parts);
}

export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const bytes = Object.entries(files).map(([name, content]) => [name, Buffer.from(content)] as const);
  return zipSync(Object.fromEntries(bytes));
}

/** Creates a workbook with one sheet. */
export function sheetOf(xml: string, others: Omit<WorkbookXml, 'sheets'> = {}): Uint8Array {
  return workbookOf({ ...others, sheets: [{ name: 'Sheet1', xml }] });
}

function relationsXml(relations: readonly (readonly [id: string, type: string, target: string])[]): string {
  const each = relations.map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`);
  return `<Relationships xmlns="${PACKAGE}">${each.join('')}</Relationships>`;
}

/** Creates a workbook with text cells. `sheets` contains the rows by sheet name. */
export function textWorkbook(sheets: Readonly<Record<string, readonly (readonly string[])[]>>): Uint8Array {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const row = (cells: readonly string[]) => `<row>${cells.map(cell).join('')}</row>`;
  return workbookOf({
    sheets: Object.entries(sheets).map(([name, rows]) => ({
      name,
      xml: `<sheetData>${rows.map(row).join('')}</sheetData>`,
    })),
  });
}

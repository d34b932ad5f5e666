import type { InParts } from '#shared/lib/station/inParts.ts';
import type { FileTable } from '#shared/lib/tables/table.ts';
import { shortened } from '#shared/lib/tables/cells/texts.ts';
import { MAX_CELL_CHARACTERS } from '#shared/lib/tables/tableLimits.ts';
import { readEscapes, type CellContext } from './cellValue.ts';
import { builtInFormat, parseFormat, type NumberFormat } from './numberFormats.ts';
import { damaged, refused } from './refusals.ts';
import { sheetReader } from './sheet.ts';
import { type Budget, createBudget, spend } from './workbookLimits.ts';
import { xmlParts, type XmlHandler } from './xmlParts.ts';
import { listEntries, MAX_UNPACKED, normalized, unpack, type Unpacking, type ZipEntry } from './zip.ts';

type Archive = { bytes: Uint8Array; entries: ReadonlyMap<string, ZipEntry>; unpacking: Unpacking; budget: Budget };
type Relation = { type: string; target: string };
type Sheet = { name: string; relation: string; isVisible: boolean };
type Outline = { sheets: Sheet[]; is1904: boolean; isStale: boolean };

/** Maximum number of characters in a number format: four times the limit of Excel. */
const MAX_FORMAT_CHARACTERS = 1_024;

const NOTHING = (): void => undefined;

/** Other kinds of files that are zip archives, recognized by a file that they contain. */
const OTHER_KINDS = [
  ['xl/workbook.bin', 'xlsb'],
  ['index/document.iwa', 'numbers'],
  ['index.zip', 'numbers'],
  ['content.xml', 'ods'],
] as const;

/** Reads the visible sheets of an .xlsx file in parts. Throws `invalid` for damaged files and for other kinds of archives. */
export function* readWorkbook(bytes: Uint8Array): InParts<FileTable[]> {
  const entries = yield* listEntries(bytes);
  const archive = { bytes, entries, unpacking: { left: MAX_UNPACKED }, budget: createBudget() };
  const other = OTHER_KINDS.find(([name]) => entries.has(name));
  if (other !== undefined) throw refused(other[1]);
  const start = [...(yield* relationsOf(archive, '')).values()].find(({ type }) => type === 'officeDocument');
  if (start === undefined) throw refused('zip');
  const outline = yield* readOutline(archive, start.target);
  const relations = yield* relationsOf(archive, start.target);
  const byType = (wanted: string) => [...relations.values()].find(({ type }) => type === wanted)?.target;
  const context: CellContext = {
    texts: yield* readTexts(archive, byType('sharedStrings')),
    formats: yield* readFormats(archive, byType('styles')),
    is1904: outline.is1904,
    isStale: outline.isStale,
  };
  const tables: FileTable[] = [];
  const left: string[] = [];
  for (const { name, relation, isVisible } of outline.sheets) {
    const found = relations.get(relation);
    // Skip chart sheets, which have another type.
    if (found?.type !== 'worksheet') continue;
    if (!isVisible) left.push(name);
    if (!isVisible) continue;
    const reader = sheetReader(name, context, archive.budget);
    yield* readPart(archive, found.target, reader);
    tables.push(yield* reader.finish());
  }
  const [first, ...others] = tables;
  if (first === undefined) throw refused('noSheet');
  return [
    {
      ...first,
      notes: [...first.notes, ...left.map((name) => `The sheet "${shortened(name)}" is hidden and is not read.`)],
    },
    ...others,
  ];
}

function* readPart({ bytes, entries, unpacking }: Archive, name: string, handler: XmlHandler): InParts<void> {
  const entry = entries.get(normalized(name));
  if (entry === undefined) throw damaged(`${shortened(name)} is missing`);
  const xml = xmlParts(entry.name, handler);
  yield* unpack(bytes, entry, unpacking, (chunk) => xml.write(chunk));
  xml.end();
}

/** Returns the relations of a part, by id. `name` is the name of the part, or '' for the archive itself. */
function* relationsOf(archive: Archive, name: string): InParts<Map<string, Relation>> {
  const at = name.lastIndexOf('/') + 1;
  const folder = name.slice(0, at);
  const file = `${folder}_rels/${name.slice(at)}.rels`;
  const relations = new Map<string, Relation>();
  if (!archive.entries.has(normalized(file))) return relations;
  yield* readPart(archive, file, {
    open(element, { Id = '', Type = '', Target = '' }) {
      if (element !== 'Relationship') return;
      spend(archive.budget, 'relations', 1);
      relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target: resolved(folder, Target) });
    },
    text: NOTHING,
    close: NOTHING,
  });
  return relations;
}

function resolved(folder: string, target: string): string {
  return decodeURI(new URL(target.replaceAll('\\', '/'), `file:///${folder}`).pathname.slice(1));
}

function* readOutline(archive: Archive, name: string): InParts<Outline> {
  const outline: Outline = { sheets: [], is1904: false, isStale: false };
  yield* readPart(archive, name, {
    open(element, attributes) {
      if (element === 'workbookPr') outline.is1904 = isTrue(attributes['date1904']);
      if (element === 'calcPr') outline.isStale = isTrue(attributes['fullCalcOnLoad']);
      if (element !== 'sheet') return;
      spend(archive.budget, 'sheets', 1);
      const relation = Object.keys(attributes).find((key) => key.endsWith(':id')) ?? 'id';
      outline.sheets.push({
        name: attributes['name'] ?? '',
        relation: attributes[relation] ?? '',
        isVisible: (attributes['state'] ?? 'visible') === 'visible',
      });
    },
    text: NOTHING,
    close: NOTHING,
  });
  return outline;
}

/** Returns the workbook's shared strings, without formatting or phonetic guides. */
function* readTexts(archive: Archive, name: string | undefined): InParts<string[]> {
  const texts: string[] = [];
  if (name === undefined) return texts;
  let text = '';
  let isText = false;
  let isPhonetic = false;
  yield* readPart(archive, name, {
    open(element) {
      if (element === 'si') text = '';
      if (element === 'rPh') isPhonetic = true;
      if (element === 't') isText = !isPhonetic;
    },
    text(part) {
      if (isText) text += part;
      if (text.length > MAX_CELL_CHARACTERS) throw damaged('a text is too long');
    },
    close(element) {
      if (element === 'si') {
        spend(archive.budget, 'texts', 1);
        texts.push(readEscapes(text));
      }
      if (element === 'rPh') isPhonetic = false;
      if (element === 't') isText = false;
    },
  });
  return texts;
}

/** Returns the number format of each cell style. */
function* readFormats(archive: Archive, name: string | undefined): InParts<NumberFormat[]> {
  const formats: NumberFormat[] = [];
  if (name === undefined) return formats;
  const custom = new Map<number, NumberFormat>();
  let isInStyles = false;
  yield* readPart(archive, name, {
    open(element, { numFmtId = '0', formatCode = '' }) {
      if (element === 'cellXfs') isInStyles = true;
      if (element === 'numFmt') {
        spend(archive.budget, 'styles', 1);
        if (formatCode.length > MAX_FORMAT_CHARACTERS) throw damaged('a number format is too long');
        custom.set(Number(numFmtId), parseFormat(formatCode));
      }
      if (element === 'xf' && isInStyles) {
        spend(archive.budget, 'styles', 1);
        formats.push(custom.get(Number(numFmtId)) ?? builtInFormat(Number(numFmtId)));
      }
    },
    text: NOTHING,
    close(element) {
      if (element === 'cellXfs') isInStyles = false;
    },
  });
  return formats;
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}

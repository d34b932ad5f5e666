import { MAX_COLUMNS, MAX_RACK_CHARACTERS } from '../places/mapLimits.ts';
import { createPace, type InParts } from '../station/inParts.ts';
import { explicitText, readCode } from './cells/codes.ts';
import type { CsvCell } from './cells/csv.ts';
import { LOCATION_FIELDS, type LocationField } from './fields.ts';
import { isRepeatedHead } from './mapping.ts';
import { isTotal, REPEATED_HEAD, SUMS_UP, surplusOf } from './orderRows.ts';
import { type FileCell, type TableRow, textOf } from './table.ts';
import { plainText } from './cells/texts.ts';
import type { MappedColumns } from './types.ts';

/** A row of a location file: an alias, a device's label, both, or a place that waits for a device. */
export type ReadPlace = {
  line: number;
  /** Trimmed texts of the row's cells. Empty if the cell is blank or the column is missing. */
  said: Record<LocationField, string>;
  /** Why the row is wrong or left out. Empty if it is neither. */
  problem: string;
  isLeftOut: boolean;
  /** The values to import. */
  name: string;
  /** Empty for a place that waits for a device. */
  device: string;
  deviceIs: string;
  /** The new label: null for no change, or empty to clear the label. */
  label: string | null;
  /** Note on the place. Empty for no change. */
  note: string;
  /** SKUs, barcodes or names of articles that get the place. */
  articles: readonly string[];
  /** Position on the map, or null if the row has none that can be read. */
  position: MapPosition | null;
  /** Why the position is left out, or an empty text. */
  unplaced: string;
};

/** Position on the map by names of rack and shelf. Columns start at 1, as in labels. */
export type MapPosition = { rack: string; shelf: string; column: number };

export type PlacesOfFile = { ok: true; places: readonly ReadPlace[] } | { ok: false; message: string };

/** Fields with codes and place names, whose texts a spreadsheet can change. */
const CODES = ['name', 'deviceid', 'label', 'rack', 'shelf', 'column'] as const satisfies readonly LocationField[];

/** Texts that the station knows: whether a place or device has this name, and the SKU of the article that it names. */
export type KnownTexts = { isPlace(text: string): boolean; findArticle(text: string): string | undefined };

/** Reads the rows below the column names. */
export function* readPlaceRows(mapped: MappedColumns, known: KnownTexts): InParts<PlacesOfFile> {
  const pace = createPace();
  const places: ReadPlace[] = [];
  for (const row of mapped.body) {
    if (pace.isDue()) yield* pace.rest();
    if (!row.isHidden) places.push(readPlace(mapped, row, known));
  }
  if (places.length > 0) return { ok: true, places };
  return { ok: false, message: 'The file has column names, but no locations. Add a line for each location.' };
}

function readPlace(mapped: MappedColumns, row: TableRow, known: KnownTexts): ReadPlace {
  const isKnown = (text: string): boolean => known.isPlace(text) || known.findArticle(text) !== undefined;
  const { fields } = mapped;
  const cellOf = (field: LocationField) => row.cells[fields.get(field) ?? -1];
  const said = Object.fromEntries(LOCATION_FIELDS.map((field) => [field, textOf(cellOf(field))])) as ReadPlace['said'];
  const values = {
    name: said.name,
    device: said.deviceid,
    deviceIs: said.deviceIs,
    label: null,
    note: '',
    articles: [],
    position: null,
    unplaced: '',
  };
  const none: ReadPlace = { line: row.line, said, problem: '', isLeftOut: false, ...values };
  if (isRepeatedHead(row, mapped)) return { ...none, problem: REPEATED_HEAD, isLeftOut: true };
  // Our own export, which has notes, has no sums, but can have a place with such a name.
  const canHaveSums = mapped.profile?.id !== 'pickstation_locations' || !fields.has('note');
  if (canHaveSums && said.deviceid === '' && isTotal(textOf(row.cells[0])))
    return { ...none, problem: SUMS_UP, isLeftOut: true };
  const surplus = surplusOf(row, mapped);
  if (surplus !== '') return { ...none, problem: surplus };
  const codes = Object.fromEntries(CODES.map((field) => [field, ''])) as Record<(typeof CODES)[number], string>;
  for (const field of CODES) {
    const code = readCode(cellOf(field), isKnown);
    if (!code.ok) return { ...none, problem: code.message };
    codes[field] = code.value;
  }
  const direction = plainText(cellOf('deviceIs'));
  if (!direction.ok) return { ...none, problem: direction.message };
  const note = plainText(cellOf('note'));
  if (!note.ok) return { ...none, problem: note.message };
  const articles = readArticles(cellOf('article'), isKnown);
  if (!articles.ok) return { ...none, problem: articles.message };
  const deviceIs = direction.value;
  const { name, deviceid, label } = codes;
  const texts = { name, device: deviceid, deviceIs, note: note.value, articles: articles.values };
  const read = { ...none, ...texts, ...readPosition(codes) };
  if (deviceid === '') return waiting(read, label);
  const isAlias = name !== '' || deviceIs !== '' || !fields.has('label');
  // In a row with a name, an empty label means no change.
  const given = fields.has('label') && (label !== '' || !isAlias) ? label : null;
  if (isAlias && name === '') return { ...read, label: given, problem: 'It has no name.' };
  return { ...read, label: given };
}

const COLUMN = /^0*(\d{1,3})(?:[.,]0+)?$/;

function readPosition({
  rack,
  shelf,
  column,
}: Record<'rack' | 'shelf' | 'column', string>): Pick<ReadPlace, 'position' | 'unplaced'> {
  if (rack === '' && shelf === '' && column === '') return { position: null, unplaced: '' };
  const left = (why: string) => ({ position: null, unplaced: why });
  if (rack === '' || shelf === '' || column === '')
    return left('The position is left out: it needs a rack, a shelf and a column.');
  if (Math.max(rack.length, shelf.length) > MAX_RACK_CHARACTERS)
    return left(`A rack or shelf has at most ${MAX_RACK_CHARACTERS} characters, so the position is left out.`);
  const number = Number(COLUMN.exec(column)?.[1]);
  if (number >= 1 && number <= MAX_COLUMNS) return { position: { rack, shelf, column: number }, unplaced: '' };
  return left(
    `The column "${column.slice(0, MAX_SHOWN)}" is not a number from 1 to ${MAX_COLUMNS}, so the position is left out.`,
  );
}

const MAX_SHOWN = 60;

/** Reads the articles at a place: one, or one in each line of the cell, as in our export. */
function readArticles(
  cell: FileCell | undefined,
  isKnown: (text: string) => boolean,
): { ok: true; values: string[] } | { ok: false; message: string } {
  const text = plainText(cell);
  if (!text.ok) return text;
  if (LINE_BREAK.test(text.value)) {
    const lines = text.value.split(LINE_BREAK).map((line) => line.trim());
    return { ok: true, values: lines.filter((line) => line !== '') };
  }
  const code = readCode(cell, isKnown);
  return code.ok ? { ok: true, values: code.value === '' ? [] : [code.value] } : code;
}

const LINE_BREAK = /\r\n|\r|\n/;

/** Writes the articles at a place so that `readPlaceRows` reads them. */
export function articlesText(skus: readonly string[]): CsvCell {
  const [first = ''] = skus;
  return skus.length > 1 ? skus.join('\n') : explicitText(first);
}

/** Reads a row without a device, whose name is in the column of names or of labels. */
function waiting(read: ReadPlace, label: string): ReadPlace {
  const name = read.name === '' ? label : read.name;
  if (read.deviceIs !== '' || (label !== '' && label !== name)) return { ...read, problem: 'It names no device.' };
  return name === '' ? { ...read, problem: 'It has no name.' } : { ...read, name };
}

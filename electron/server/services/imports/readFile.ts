import { MAX_LOCATION_ROWS, MAX_ORDER_ROWS } from '#shared/api/imports.ts';
import { barcodeKey } from '#shared/lib/articles/barcodeKey.ts';
import { readArticleRows } from '#shared/lib/tables/articles.ts';
import { createWhenReader } from '#shared/lib/tables/cells/whenIs.ts';
import { columnKey } from '#shared/lib/tables/columnKey.ts';
import { type Mapping, mapColumns } from '#shared/lib/tables/mapping.ts';
import { readOrderRows } from '#shared/lib/tables/orders.ts';
import { type KnownTexts, readPlaceRows } from '#shared/lib/tables/places.ts';
import { MAX_TEXT } from '#shared/lib/orders/orderLimits.ts';
import type { ReadMemo } from '#shared/lib/tables/readMemo.ts';
import type { StateMeaning } from '#shared/lib/tables/states.ts';
import type { FileTable, TableFile } from '#shared/lib/tables/table.ts';
import {
  MAX_READ_CHARACTERS,
  MAX_ROWS_OF_ORDERS,
  TOO_MANY_ROWS_OF_ORDERS,
  TOO_MUCH_TEXT,
} from '#shared/lib/tables/tableLimits.ts';
import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import { StationError } from '../../errors.ts';
import { findArticle, meantSku } from '../articles/index.ts';
import { isPlaceName } from '../devices/index.ts';
import { answersOf, recallIn, withRemembered } from './rememberedColumns.ts';
import type {
  ReadingContext,
  ArticlesReading,
  ReadingOptions,
  RowOptions,
  OpenedFile,
  PlacesReading,
  FileReading,
  Recall,
} from './types.ts';
import type { MappedColumns, OrderReading } from '#shared/lib/tables/types.ts';

/**
 * Opens a file, selects a sheet, and adds the remembered answers for its columns to the options. Throws `invalid` if the file cannot be
 * read.
 */
export async function openFile(context: ReadingContext, bytes: Uint8Array, given: ReadingOptions): Promise<OpenedFile> {
  const recall = recallIn(context.reads, given);
  const file = await readCells(context, bytes, { given, recall });
  if (!file.ok) throw file.ask === 'encoding' ? unknownEncoding(file) : unreadable(file.message);
  const sheets = file.sheets.flatMap(({ sheet }) => sheet ?? []);
  const table = await chooseSheet(context, file.sheets, { given, recall });
  const remembered = recall(table) ?? null;
  const options = withRemembered(given, remembered);
  const said = answersOf(given, options, { encoding: file.encoding, sheets });
  return { encoding: file.encoding, sheets, table, options, remembered, said };
}

type Given = { given: ReadingOptions; recall: Recall };

/** Reads the cells, with the encoding from the request, the remembered answers or the settings. */
async function readCells(
  { tables, reads, settings }: ReadingContext,
  bytes: Uint8Array,
  { given, recall }: Given,
): Promise<TableFile> {
  const file = await tables.readTable(bytes, { encoding: given.encoding ?? null });
  if (file.ok || file.ask !== 'encoding') return file;
  for (const encoding of given.remembered === false ? [] : reads.rememberedColumns.listEncodings()) {
    const read = await tables.readTable(bytes, { encoding });
    if (read.ok && read.sheets.some((table) => recall(table)?.encoding === encoding)) return read;
  }
  const { file_encoding: encoding } = settings.current();
  return encoding === null ? file : tables.readTable(bytes, { encoding });
}

async function chooseSheet(
  context: ReadingContext,
  sheets: readonly FileTable[],
  { given, recall }: Given,
): Promise<FileTable> {
  const names = sheets.map(({ sheet }) => `"${sheet ?? ''}"`).join(', ');
  if (given.sheet !== undefined && sheets.some(({ sheet }) => sheet !== null)) {
    const named = sheets.find(({ sheet }) => sheet === given.sheet);
    if (named !== undefined) return named;
    throw unreadable(`The workbook has no visible sheet "${given.sheet}". It has ${names}.`, '/sheet');
  }
  const [only, ...others] = sheets;
  if (only === undefined) throw unreadable('The file has no visible sheet with cells.');
  if (others.length === 0) return only;
  const found: FileTable[] = [];
  for (const table of sheets) {
    const options = withRemembered(given, recall(table) ?? null);
    const mapping = await mapFile(context, { table, options });
    if (mapping.ok || mapping.hasNames) found.push(table);
  }
  const [remembered, ...more] = found.filter((table) => table.sheet !== null && recall(table)?.sheet === table.sheet);
  if (found.length > 1 && remembered !== undefined && more.length === 0) return remembered;
  if (found.length > 1) {
    const several = found.map(({ sheet }) => `"${sheet ?? ''}"`).join(', ');
    throw asking(
      'sheet',
      `The sheets ${several} have the columns of ${given.kind ?? 'orders'}. Give sheet to say which one is meant.`,
      found.map(({ sheet }) => [sheet ?? '', '']),
    );
  }
  return found[0] ?? only;
}

/** Reads the orders in a file. Throws `invalid` with advice if the file cannot be read. */
export async function readOrders(context: ReadingContext, opened: OpenedFile, memo?: ReadMemo): Promise<FileReading> {
  const { foregroundReads } = context;
  const { options } = opened;
  const mapping = await mapOrRefuse(context, opened);
  if (!mapping.ok) return { ...opened, mapping, orders: undefined };
  if (mapping.body.length > MAX_ROWS_OF_ORDERS) throw unreadable(TOO_MANY_ROWS_OF_ORDERS);
  const orders = await foregroundReads.takeAll(readOrderRows(mapping, readingWith(context, options), memo));
  if (!orders.ok) throw unreadable(orders.message);
  return { ...opened, mapping, orders };
}

function timeZoneOf({ settings }: Pick<ReadingContext, 'settings'>): string {
  return settings.current().time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns the options for reading order rows. */
export function readingWith(
  context: Pick<ReadingContext, 'clock' | 'reads' | 'settings'>,
  options: RowOptions,
  sharedPlaces: readonly string[] = [],
): OrderReading {
  return {
    decimal: options.decimal,
    dateOrder: options.date_order,
    timeZone: timeZoneOf(context),
    orderPrefix: options.order_prefix ?? '',
    takesLeftOut: options.include_left_out ?? false,
    answers: {
      unpaid: options.unpaid,
      states: statesIn(options.states),
    },
    now: context.clock.now(),
    maxLines: MAX_ORDER_ROWS,
    units: options.units ?? {},
    placePaths: options.place_paths ?? [],
    sharedPlaces,
    isPlace: isPlaceIn(context),
    articleUnit: articleUnitIn(context),
    findArticle: findArticleIn(context),
    meantSku: meantSkuIn(context),
  };
}

/** Reads the places in a file. Throws `invalid` with advice if the file cannot be read. */
export async function readPlaces(context: ReadingContext, opened: OpenedFile): Promise<PlacesReading> {
  const mapping = await mapOrRefuse(context, opened);
  if (!mapping.ok) return { ...opened, mapping, places: undefined };
  const read = await context.foregroundReads.takeAll(readPlaceRows(mapping, knownIn(context)));
  if (!read.ok) throw unreadable(read.message);
  const rows = read.places.filter(({ isLeftOut }) => !isLeftOut).length;
  if (rows > MAX_LOCATION_ROWS) throw tooMany(MAX_LOCATION_ROWS, 'rows');
  return { ...opened, mapping, places: read.places };
}

/** Reads the articles in a file. Throws `invalid` with advice if the file cannot be read. */
export async function readArticles(context: ReadingContext, opened: OpenedFile): Promise<ArticlesReading> {
  const mapping = await mapOrRefuse(context, opened);
  if (!mapping.ok) return { ...opened, mapping, articles: undefined };
  const { isPlace, findArticle: find } = knownIn(context);
  const { decimal, place_paths: placePaths = [] } = opened.options;
  const how = { decimal, placePaths, isPlace, isArticle: (text: string) => find(text) !== undefined };
  const articles = await context.foregroundReads.takeAll(readArticleRows(mapping, how));
  if (!articles.ok) throw unreadable(articles.message);
  const rows = articles.articles.reduce((sum, each) => sum + each.rows.length, 0);
  if (rows > MAX_ORDER_ROWS) throw tooMany(MAX_ORDER_ROWS, 'rows of articles');
  return { ...opened, mapping, articles };
}

/**
 * Maps the columns of a file to fields. Throws `invalid` if the file has too much text, or if answers to its questions about columns cannot
 * make it readable.
 */
async function mapOrRefuse(context: ReadingContext, opened: OpenedFile): Promise<Mapping> {
  const mapping = await mapFile(context, opened);
  if (mapping.ok && (await context.foregroundReads.takeAll(charactersIn(mapping))) > MAX_READ_CHARACTERS)
    throw unreadable(TOO_MUCH_TEXT);
  if (mapping.ok || (mapping.badColumn === null && mapping.questions.length > 0)) return mapping;
  throw unreadable(mapping.message, mapping.badColumn === null ? '/csv' : `/columns/${mapping.badColumn}`);
}

/** Counts the characters in the mapped columns. */
function* charactersIn({ body, fields }: MappedColumns): InParts<number> {
  const pace = createPace();
  const columns = [...fields.values()];
  let sum = 0;
  for (const { cells } of body) {
    for (const column of columns) {
      const cell = cells[column] ?? '';
      sum += (typeof cell === 'string' ? cell : cell.text).length;
    }
    if (pace.isDue()) yield* pace.rest();
  }
  return sum;
}

/** Maps the columns of a file to fields. */
export function mapFile(
  context: ReadingContext,
  { table, options }: Pick<OpenedFile, 'options' | 'table'>,
): Promise<Mapping> {
  const { columns, states, kind = 'orders', date_order: dateOrder } = options;
  const given = {
    ...(columns === undefined ? {} : { columns }),
    states: statesIn(states),
    whenIs: createWhenReader({ dateOrder, timeZone: timeZoneOf(context), now: context.clock.now() }),
    ...knownIn(context),
  };
  return context.foregroundReads.takeAll(mapColumns(kind, table, given));
}

/** Returns the meaning of states by their key. */
function statesIn(states: ReadingOptions['states'] = {}): ReadonlyMap<string, StateMeaning> {
  return new Map(Object.entries(states).map(([word, meaning]) => [columnKey(word), meaning]));
}

/** Creates a function that checks whether a text names a device, or a place, also one without a light. */
function isPlaceIn({ reads, isPlace }: Pick<ReadingContext, 'isPlace' | 'reads'>): (text: string) => boolean {
  if (isPlace !== undefined) return isPlace;
  return cached((text) => isPlaceName(reads, text), false);
}

/** Creates functions that look up names of places and articles. */
function knownIn(context: Pick<ReadingContext, 'isPlace' | 'reads'>): KnownTexts {
  return {
    isPlace: isPlaceIn(context),
    findArticle: findArticleIn(context),
  };
}

/** Creates a function that returns the SKU of the article that a text names. */
function findArticleIn({ reads }: Pick<ReadingContext, 'reads'>): KnownTexts['findArticle'] {
  return cached((text) => findArticle(reads.articles, text)?.sku, undefined);
}

/** Creates a function that returns the unit of the article that a text names. */
function articleUnitIn({ reads }: Pick<ReadingContext, 'reads'>): OrderReading['articleUnit'] {
  return cached((text) => findArticle(reads.articles, text)?.unit, undefined);
}

/** Caches the results of a lookup. A text that is too long for a name is not looked up. */
function cached<T>(look: (text: string) => T, none: T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > MAX_TEXT) return none;
    if (!known.has(text)) known.set(text, look(text));
    return known.get(text) ?? none;
  };
}

/**
 * Creates a function that finds the SKU that a number with missing or extra leading zeros may mean, unless the number is a place or a
 * barcode.
 */
function meantSkuIn({ reads }: Pick<ReadingContext, 'reads'>): OrderReading['meantSku'] {
  const isPlace = isPlaceIn({ reads });
  return (sku) => {
    const meant = meantSku(reads, sku);
    const isKnown = meant !== undefined && (isPlace(sku) || reads.articles.findBarcode(barcodeKey(sku)) !== undefined);
    return isKnown ? undefined : meant;
  };
}

/** Creates an error that lists the possible encodings, each with sample words that it decodes. */
function unknownEncoding({ message, words = [] }: Extract<TableFile, { ok: false }>): StationError {
  const encodings = Object.keys(words[0] ?? {});
  return asking(
    'encoding',
    message,
    encodings.map((each) => [each, words.map((word) => word[each] ?? '').join(', ')]),
  );
}

/** Creates an error that asks for an option. Each possible value has its own path, such as `/sheet/Week 12`. */
function asking(option: string, message: string, values: readonly (readonly [string, string])[]): StationError {
  const path = `/${option}`;
  const each = values.map(([value, said]) => ({ path: `${path}/${value}`, message: said }));
  return new StationError('invalid', message, [{ path, message }, ...each]);
}

function tooMany(most: number, what: string): StationError {
  return unreadable(`The file has more than ${most.toLocaleString('en')} ${what}. Split it.`);
}

function unreadable(message: string, path = '/csv'): StationError {
  return new StationError('invalid', message, [{ path, message }]);
}

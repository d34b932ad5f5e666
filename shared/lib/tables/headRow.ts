import { AMBIGUOUS, type AmbiguousName } from './ambiguous.ts';
import { isSpreadsheetError } from './cells/faults.ts';
import { hasUnits } from './cells/units.ts';
import { askedCounts, countField, COUNTS } from './headCounts.ts';
import type { WhenIs } from './cells/whenIs.ts';
import { columnKey } from './columnKey.ts';
import { isEventDate } from './doneNames.ts';
import { fieldOf, FIELDS_OF, REQUIRED, type TableField, type TableKind } from './fields.ts';
import { fits, isDeviceId, type FitColumn } from './fits.ts';
import type { InParts } from '../station/inParts.ts';
import type { TableProfile } from './profiles/profile.ts';
import { recognize } from './profiles/profiles.ts';
import { readStates, type StateColumn } from './stateColumns.ts';
import { isStateField, namedState } from './stateNames.ts';
import type { StateMeaning } from './states.ts';
import { FIELD_BY_KEY } from './profiles/synonyms.ts';
import { namedCount } from './quantityNames.ts';
import { textOf, type TableRow } from './table.ts';
import { mayBeUnits } from './unitNames.ts';

/**
 * Information from the caller. `columns` contains the field for each column, by the column's name in the file, or null to ignore the
 * column. `findArticle` returns the SKU of the article with this SKU, barcode or unique name; without it, no article is known.
 */
export type GivenColumns = {
  columns?: Readonly<Record<string, string | null>>;
  /** Meaning of states that are not understood, by `columnKey`. */
  states?: ReadonlyMap<string, StateMeaning>;
  /** Tells when a date is. Without it, nothing is known about dates. */
  whenIs?: WhenIs;
  isPlace(text: string): boolean;
  findArticle?(text: string): string | undefined;
};

/**
 * A column. `name` is unique, so that a repeated `Qty` becomes `Qty (2)`; `key` does not include this number. `samples` are the first
 * filled values.
 */
export type HeadColumn = {
  name: string;
  key: string;
  index: number;
  values: readonly string[];
  samples: readonly string[];
};

/** A column that can be several fields. `unknown` contains values that are not understood as states. */
export type OpenColumn = { column: HeadColumn; fields: TableField[]; unknown?: readonly string[] };

/** A row read as column names. `missing` contains, for each unmet requirement, the fields that would meet it. */
export type HeadReading = {
  head: TableRow;
  columns: readonly HeadColumn[];
  fields: Map<TableField, number>;
  profile: TableProfile | null;
  /** Columns that say whether rows are picked, apart from those of the profile. */
  states: StateColumn[];
  open: OpenColumn[];
  missing: (readonly TableField[])[];
  /** The first column name from the caller that this row lacks. */
  lacking: string | undefined;
};

/** Column names that only Pickstation uses. */
const OWN_NAMES: readonly TableField[] = ['warehouse_location', 'light_color', 'due_time'];
const SKU_KEY = columnKey('SKU');
const SAMPLES = 3;
/** Number of rows in which to search for samples. */
const SAMPLED_ROWS = 2_000;
/** Maximum number of characters of a value to use for detecting its column and for the preview. */
const MAX_VALUE = 500;
/** Fields that identify the article. */
export const ARTICLE_FIELDS: readonly TableField[] = ['name', 'SKU', 'UPC', 'sku_and_name'];

/** Reads a row as column names, yielding after each column whose values matter. `body` contains the rows below. */
export function* readHead(
  kind: TableKind,
  head: TableRow,
  body: readonly TableRow[],
  given: GivenColumns,
): InParts<HeadReading> {
  const columns = columnsOf(head, body);
  const reading: HeadReading = {
    head,
    columns,
    fields: new Map(),
    profile: recognize(
      kind,
      columns.map(({ name }) => name),
    ),
    states: [],
    open: [],
    missing: [],
    lacking: undefined,
  };
  const free = takeGiven(kind, reading, given);
  const { profile } = reading;
  if (profile !== null) takeProfile(kind, reading, profile, free);
  const takesOthers = profile === null || profile.takesOthers === true;
  if (takesOthers) {
    yield* takeSynonyms(kind, reading, free, given);
    yield* takeAmbiguous(kind, reading, free, given);
  } else if (kind === 'orders') yield* takeCounts(reading, free, given);
  reading.missing = missingOf(kind, reading.fields);
  // Other rows are not the column names.
  if (kind === 'orders' && reading.missing.length === 0) {
    yield* askCounts(reading, free, takesOthers);
    yield* askUnits(reading, free, takesOthers);
    yield* takeStates(reading, free, given);
  }
  if (takesOthers) yield* openAmbiguous(kind, reading, free, given);
  if (kind === 'locations') {
    labelByName(reading, free);
    if (isNamesOnly(reading)) reading.missing = isExplained(reading, free, body) ? [] : [['deviceid']];
  }
  return reading;
}

/**
 * Whether a column `SKU` names the article, because another column names the place. Otherwise, it names the place, because requests
 * address places by SKU.
 */
function namesArticle({ fields }: HeadReading, free: ReadonlySet<HeadColumn>): boolean {
  const others = [...free].filter(({ key }) => key !== SKU_KEY).map(({ key }) => FIELD_BY_KEY.locations.get(key));
  const has = (field: TableField): boolean => fields.has(field) || others.includes(field);
  return has('name') || (has('label') && !has('deviceIs'));
}

/** Fields of a position, and names that mean them only beside the name of the place and the other field. Otherwise, they can name the place. */
const POSITIONS: readonly (readonly [TableField, ReadonlySet<string>])[] = [
  ['rack', new Set(['rack', 'Regal', 'étagère', 'estantería'].map(columnKey))],
  ['shelf', new Set(['shelf', 'estante'].map(columnKey))],
];

/** Maps columns such as `Rack` and `Shelf` to the position of the place, if another column names the place. */
function takePosition({ fields }: HeadReading, free: Set<HeadColumn>): void {
  const found = POSITIONS.map(([field, keys]) => ({
    field,
    columns: [...free].filter(({ key }) => keys.has(key) || FIELD_BY_KEY.locations.get(key) === field),
  }));
  if (!found.every(({ field, columns }) => fields.has(field) !== (columns.length === 1))) return;
  const positions = new Set(found.flatMap(({ columns }) => columns));
  const others = [...free].filter((column) => !positions.has(column)).map(({ key }) => FIELD_BY_KEY.locations.get(key));
  const isNamed = NAMES.some((field) => fields.has(field) || others.includes(field));
  if (!isNamed) return;
  for (const { field, columns } of found) {
    for (const column of columns) {
      fields.set(field, column.index);
      free.delete(column);
    }
  }
}

const NAMES: readonly TableField[] = ['name', 'label'];

/** Whether every column of the file is known, or can only be that of the articles. A title above the column names has fewer cells than the row below it. */
function isExplained({ head, open }: HeadReading, free: ReadonlySet<HeadColumn>, body: readonly TableRow[]): boolean {
  const asked = new Set(open.map(({ column }) => column));
  const isAsked = open.every(({ fields }) => fields.every((field) => field === 'article'));
  return isAsked && [...free].every((column) => asked.has(column)) && filledIn(body[0]) <= filledIn(head);
}

const filledIn = (row: TableRow | undefined): number => row?.cells.filter((cell) => textOf(cell) !== '').length ?? 0;

/** Whether the file names places, but no devices. */
function isNamesOnly({ fields }: HeadReading): boolean {
  return fields.has('name') !== fields.has('label') && !fields.has('deviceid') && !fields.has('deviceIs');
}

/**
 * Maps the column of names to device labels if the file contains only names and devices. Does nothing while another column is unexplained,
 * because it may be the direction of aliases, or if the column has Pickstation's own name `name`, which means aliases.
 */
function labelByName(reading: HeadReading, free: ReadonlySet<HeadColumn>): void {
  const { fields } = reading;
  const name = fields.get('name');
  if (name === undefined || !fields.has('deviceid') || fields.has('deviceIs') || fields.has('label')) return;
  const isOwnName = reading.columns.some(({ index, key }) => index === name && key === 'name');
  if (isOwnName || free.size > 0 || reading.open.length > 0) return;
  fields.delete('name');
  fields.set('label', name);
  reading.missing = missingOf('locations', fields);
}

function columnsOf(head: TableRow, body: readonly TableRow[]): HeadColumn[] {
  return columnNames(head).map(({ name, index }) => {
    let values: string[] | undefined;
    return {
      name,
      key: columnKey(plainName(name)),
      index,
      get values() {
        return (values ??= body.map((row) => textOf(row.cells[index]).slice(0, MAX_VALUE)));
      },
      get samples() {
        return samplesOf(body, index);
      },
    };
  });
}

/** Returns the named columns of a row. Numbers repeated names: a second `Qty` becomes `Qty (2)`. */
export function columnNames(head: TableRow): { name: string; index: number }[] {
  const taken = new Set(head.cells.map((cell) => textOf(cell)));
  const counts = new Map<string, number>();
  return head.cells.flatMap((cell, index) => {
    const text = textOf(cell);
    if (text === '') return [];
    let count = (counts.get(text) ?? 0) + 1;
    while (count > 1 && taken.has(`${text} (${count})`)) count += 1;
    counts.set(text, count);
    return [{ name: count === 1 ? text : `${text} (${count})`, index }];
  });
}

/** Reads the values of each column, one per step. */
function* readValues(columns: readonly HeadColumn[]): InParts<void> {
  for (const column of columns) {
    yield;
    void column.values;
  }
}

function samplesOf(rows: readonly TableRow[], index: number): string[] {
  const samples: string[] = [];
  for (const { cells } of rows.slice(0, SAMPLED_ROWS)) {
    const text = textOf(cells[index]);
    if (text !== '') samples.push(text.slice(0, MAX_VALUE));
    if (samples.length === SAMPLES) break;
  }
  return samples;
}

/** Maps the columns that the caller named. Returns the remaining columns. */
function takeGiven(kind: TableKind, reading: HeadReading, { columns: given = {} }: GivenColumns): Set<HeadColumn> {
  const free = new Set(reading.columns);
  for (const [name, text] of Object.entries(given)) {
    const column = findColumn(reading.columns, name);
    if (column === undefined) {
      reading.lacking ??= name;
      continue;
    }
    free.delete(column);
    const field = text === null ? undefined : fieldOf(kind, text);
    if (field !== undefined) reading.fields.set(field, column.index);
  }
  return free;
}

/** Maps the columns of the profile, and other columns with names that only Pickstation uses. */
function takeProfile(kind: TableKind, reading: HeadReading, profile: TableProfile, free: Set<HeadColumn>): void {
  for (const field of FIELDS_OF[kind]) {
    if (reading.fields.has(field)) continue;
    const names = profile.fields[field] ?? [];
    const column =
      names.map((name) => findColumn([...free], name)).find((each) => each !== undefined) ??
      [...free].find(({ name }) => name === field && OWN_NAMES.includes(name));
    if (column === undefined) continue;
    reading.fields.set(field, column.index);
    free.delete(column);
  }
}

function* takeSynonyms(
  kind: TableKind,
  reading: HeadReading,
  free: Set<HeadColumn>,
  given: GivenColumns,
): InParts<void> {
  if (kind === 'locations') takePosition(reading, free);
  const isArticle = kind === 'locations' && namesArticle(reading, free);
  const byField = Map.groupBy(free, (column) =>
    isArticle && column.key === SKU_KEY ? 'article' : synonymOf(kind, column),
  );
  for (const [field, columns] of byField) {
    // A file can have several columns of states.
    if (field === undefined || isStateField(field)) continue;
    if (field === 'article') {
      columns.push(...(yield* alsoArticles(reading, free, given)));
      columns.sort((one, other) => one.index - other.index);
    }
    if (!reading.fields.has(field)) {
      if (field === 'unit') yield* readValues(columns);
      // Shops also call prices of one piece a unit.
      const claiming = field === 'unit' ? columns.filter(({ values }) => hasUnits(values)) : columns;
      if (claiming.length > 0 && !isSubtracted(reading, field)) yield* claim(reading, field, claiming, given);
    }
    for (const column of columns) free.delete(column);
  }
}

function synonymOf(kind: TableKind, { key, name }: HeadColumn): TableField | undefined {
  return FIELD_BY_KEY[kind].get(key) ?? (kind === 'orders' ? countField(plainName(name)) : undefined);
}

/** Whether the ordered quantity is without these pieces, such as `Quantity (- Refund)`. */
function isSubtracted({ columns, fields }: HeadReading, field: TableField): boolean {
  const ordered = columns.find(({ index }) => index === fields.get('ordered_quantity'));
  return ordered !== undefined && (namedCount(ordered.name)?.fields.some((each) => each === field) ?? false);
}

/** Columns of states, quantities and units that the profile does not want to be read. */
function ignoredBy(profile: TableProfile | null): ReadonlySet<string> {
  return new Set([...(profile?.ignores ?? []), ...Object.keys(profile?.unread ?? {})].map(columnKey));
}

/** Maps the columns of quantities and units that the profile does not know. */
function* takeCounts(reading: HeadReading, free: Set<HeadColumn>, given: GivenColumns): InParts<void> {
  const ignored = ignoredBy(reading.profile);
  const counts = [...free].filter((column) => {
    const field = synonymOf('orders', column);
    return COUNTS.some((each) => each === field) && !ignored.has(column.key);
  });
  const found = new Set(counts);
  yield* takeSynonyms('orders', reading, found, given);
  for (const column of counts) free.delete(column);
}

/** Adds questions about columns whose names may say which pieces they count. */
function* askCounts(reading: HeadReading, free: Set<HeadColumn>, takesOthers: boolean): InParts<void> {
  const { columns, fields, profile } = reading;
  const ordered = columns.find(({ index }) => index === fields.get('ordered_quantity'));
  if (ordered === undefined || fields.has('quantity_to_ship')) return;
  const ignored = ignoredBy(profile);
  for (const column of free) {
    const name = plainName(column.name);
    const isAmbiguous = takesOthers && ambiguousOf('orders', column) !== undefined;
    if (isAmbiguous || ignored.has(column.key) || isStateField(namedState(name))) continue;
    if (namedCount(name) === undefined) continue;
    yield* readValues([ordered, column]);
    const asked = askedCounts({ name, values: column.values, ordered: ordered.values }).filter(
      (field) => isFree(reading, field) && !isSubtracted(reading, field),
    );
    if (asked.length === 0) continue;
    reading.open.push({ column, fields: [...asked] });
    free.delete(column);
  }
}

/** Adds questions about columns whose values can be the units of the quantities. */
function* askUnits(reading: HeadReading, free: Set<HeadColumn>, takesOthers: boolean): InParts<void> {
  const { fields, profile } = reading;
  const ignored = ignoredBy(profile);
  for (const column of free) {
    if (!isFree(reading, 'unit') || fields.has('stock_quantity')) return;
    const isAmbiguous = takesOthers && ambiguousOf('orders', column) !== undefined;
    if (isAmbiguous || ignored.has(column.key)) continue;
    yield* readValues([column]);
    if (!mayBeUnits(plainName(column.name), column.values)) continue;
    reading.open.push({ column, fields: ['unit'] });
    free.delete(column);
  }
}

/** Returns the columns with ambiguous names that contain articles too, so that they may contradict the column of articles. */
function* alsoArticles(
  reading: HeadReading,
  free: ReadonlySet<HeadColumn>,
  given: GivenColumns,
): InParts<readonly HeadColumn[]> {
  const found: HeadColumn[] = [];
  for (const column of free) {
    const [field, fit] = ambiguousOf('locations', column)?.may[0] ?? [];
    if (field !== 'article' || fit === undefined) continue;
    yield* readValues([column]);
    if (fits(fit, fitColumn(reading, column, given))) found.push(column);
  }
  return found;
}

/** Fields of remarks, which may say that an order is canceled. */
const REMARKS: readonly TableField[] = ['note', 'description'];

/** Finds the columns that say whether rows are picked, by their names and values. Adds questions about those that are not understood. */
function* takeStates(
  reading: HeadReading,
  free: Set<HeadColumn>,
  { columns: given = {}, states, whenIs = () => undefined }: GivenColumns,
): InParts<void> {
  const { columns, fields, profile } = reading;
  let ofOrders: OrderValues | undefined;
  const isOwn = profile?.rules.length === 0;
  const takesOthers = profile === null || profile.takesOthers === true;
  const ignored = ignoredBy(profile);
  const fieldAt = new Map([...fields].map(([field, index]) => [index, field]));
  const saidOf = ({ name }: HeadColumn) => Object.entries(given).find(([each]) => columnKey(each) === columnKey(name));
  for (const column of columns) {
    const mapped = fieldAt.get(column.index);
    const [, answer] = saidOf(column) ?? [];
    const field = answer === undefined || answer === null ? undefined : fieldOf('orders', answer);
    const isRuled = profile?.rules.some((rule) => rule.field === field) ?? false;
    const said = isStateField(field) && !isRuled ? field : undefined;
    const isRemark = mapped !== undefined && REMARKS.includes(mapped) && answer === undefined && !isOwn;
    const isDue = mapped === 'due_time' && answer === undefined && takesOthers && isEventDate(plainName(column.name));
    if ((!free.has(column) && said === undefined && !isRemark && !isDue) || ignored.has(column.key)) continue;
    yield* readValues([column]);
    const synonym = takesOthers ? FIELD_BY_KEY.orders.get(column.key) : undefined;
    ofOrders ??= yield* orderValues(reading);
    const read = readStates({
      name: isRemark ? 'note' : plainName(column.name),
      field: said ?? (isStateField(synonym) ? synonym : undefined),
      values: column.values,
      ...ofOrders,
      isSaid: said !== undefined,
      known: states ?? new Map(),
      whenIs,
    });
    if (read === undefined) continue;
    if (!isRemark) free.delete(column);
    if ('asks' in read) {
      if (isDue) fields.delete('due_time');
      reading.open.push({
        column,
        fields: read.asks,
        ...(read.unknown === undefined ? {} : { unknown: read.unknown }),
      });
      continue;
    }
    reading.states.push({ index: column.index, field: read.field, rules: read.rules });
    if (!isRemark && !fields.has(read.field)) fields.set(read.field, column.index);
  }
}

/** Order number and quantity of each row. */
type OrderValues = { orders: readonly string[] | null; quantities: readonly string[] | null };

/** Reads the order number, repeated for blank cells below it, and the quantity of each row. */
function* orderValues({ columns, fields }: HeadReading): InParts<OrderValues> {
  const find = (field: TableField) => columns.find(({ index }) => index === fields.get(field));
  const [orders, quantities] = [find('order_number'), find('ordered_quantity') ?? find('quantity_to_ship')];
  yield* readValues([orders, quantities].filter((column) => column !== undefined));
  yield;
  return { orders: orders === undefined ? null : carriedDown(orders.values), quantities: quantities?.values ?? null };
}

/** Number of rows to compare per step, in which articles are looked up. */
const COMPARED = 100;

/**
 * Maps the first of several columns for one field if all of them have the same values or name the same articles. Otherwise adds a question
 * about each.
 */
function* claim(
  reading: HeadReading,
  field: TableField,
  columns: readonly HeadColumn[],
  given: GivenColumns,
): InParts<void> {
  const [only, ...rest] = columns;
  if (only !== undefined && rest.length === 0) {
    reading.fields.set(field, only.index);
    return;
  }
  yield* readValues(columns);
  const filled = columns.filter(({ values }) => values.some((value) => value !== ''));
  const [first, ...others] = filled.length === 0 ? columns : filled;
  if (first === undefined) return;
  const articleOf = (text: string): string => given.findArticle?.(text) ?? text;
  const isSame = (one: string, other: string): boolean =>
    one === other || (field === 'article' && articleOf(one) === articleOf(other));
  for (const { values } of others) {
    for (const [index, value] of values.entries()) {
      if (index % COMPARED === COMPARED - 1) yield;
      if (isSame(value, first.values[index] ?? '')) continue;
      for (const column of filled) reading.open.push({ column, fields: [field] });
      return;
    }
  }
  reading.fields.set(field, first.index);
}

/** Maps ambiguous names by their values. `Name` comes last, because it is the customer only if another column names the article. */
function* takeAmbiguous(
  kind: TableKind,
  reading: HeadReading,
  free: Set<HeadColumn>,
  given: GivenColumns,
): InParts<void> {
  const isLast = ({ may }: AmbiguousName) => may.some(([field]) => field === 'customer');
  for (const last of [false, true]) {
    const claims = new Map<TableField, HeadColumn[]>();
    for (const column of free) {
      const ambiguous = ambiguousOf(kind, column);
      if (ambiguous === undefined || isLast(ambiguous) !== last) continue;
      yield* readValues([column]);
      const values = fitColumn(reading, column, given);
      const field = ambiguous.may.find(([each, fit]) => isFree(reading, each) && fits(fit, values))?.[0];
      if (field !== undefined) claims.set(field, [...(claims.get(field) ?? []), column]);
    }
    const codes = claims.get('SKU') ?? [];
    if (codes.some(({ key }) => PRODUCTS.has(key)))
      claims.set('SKU', yield* codesOfArticles(kind, reading, { free, given, codes }));
    for (const [field, columns] of claims) {
      yield* claim(reading, field, columns, given);
      for (const column of columns) free.delete(column);
    }
  }
}

/**
 * Adds a column such as `Reference` to `codes`, columns such as `Part` with codes, if it can be the article's code as well. If only one of
 * them contains known articles, returns that one.
 */
function* codesOfArticles(
  kind: TableKind,
  reading: HeadReading,
  { free, given, codes }: { free: ReadonlySet<HeadColumn>; given: GivenColumns; codes: readonly HeadColumn[] },
): InParts<HeadColumn[]> {
  const all = [...codes];
  for (const column of free) {
    const [, doubt] = ambiguousOf(kind, column)?.doubt ?? [];
    if (doubt === undefined || codes.includes(column)) continue;
    yield* readValues([column]);
    const values = fitColumn(reading, column, given);
    if (fits(doubt, values) || fits('articles', values)) all.push(column);
  }
  if (all.length === 1) return all;
  const known: HeadColumn[] = [];
  for (const column of all) {
    yield;
    if (fits('articles', fitColumn(reading, column, given))) known.push(column);
  }
  return known.length === 1 ? known : all;
}

/** Adds questions about the remaining ambiguous names if the answer can change what is picked. */
function* openAmbiguous(
  kind: TableKind,
  reading: HeadReading,
  free: ReadonlySet<HeadColumn>,
  given: GivenColumns,
): InParts<void> {
  const isMissing = (field: TableField) => reading.missing.some((each) => each.includes(field));
  for (const column of free) {
    const ambiguous = ambiguousOf(kind, column);
    if (ambiguous === undefined || ambiguous.ask === 'never') continue;
    yield* readValues([column]);
    const [doubtful, doubt] = ambiguous.doubt ?? [];
    if (
      doubt !== undefined &&
      doubtful !== undefined &&
      isFree(reading, doubtful) &&
      fits(doubt, fitColumn(reading, column, given))
    ) {
      reading.open.push({ column, fields: [doubtful] });
      continue;
    }
    const isEmpty = column.values.every((value) => value === '');
    const fields = ambiguous.may
      .map(([field]) => field)
      .filter((field) => {
        if (isMissing(field)) return true;
        if (ambiguous.ask === 'needed' || isEmpty || !isFree(reading, field) || field === 'order_number') return false;
        // Offer `deviceid` only if the column contains DeviceIDs, because other programs use these names for tills, lamps, and tags on
        // goods.
        return field !== 'deviceid' || column.values.some(isDeviceId);
      });
    // Put missing required fields first, because they are the most likely answers.
    fields.sort((a, b) => Number(isMissing(b)) - Number(isMissing(a)));
    if (fields.length > 0) reading.open.push({ column, fields });
  }
}

function isFree({ fields, open }: HeadReading, field: TableField): boolean {
  return !fields.has(field) && !open.some(({ fields: asked }) => asked.length === 1 && asked[0] === field);
}

function ambiguousOf(kind: TableKind, { key }: HeadColumn): AmbiguousName | undefined {
  return AMBIGUOUS[kind].get(key);
}

function fitColumn(
  { columns, fields }: HeadReading,
  column: HeadColumn,
  { isPlace, findArticle = () => undefined }: GivenColumns,
): FitColumn {
  const ordersAt = fields.get('order_number');
  const numbers = columns.find(({ index }) => index === ordersAt)?.values;
  const articles = ARTICLE_FIELDS.map((field) => fields.get(field)).filter((index) => index !== undefined);
  const products = columns.filter((each) => each !== column && PRODUCTS.has(each.key));
  const naming = [...new Set([...products, ...columns.filter(({ index }) => articles.includes(index))])];
  const named = naming.filter((each) => each !== column);
  return {
    values: column.values,
    orders: numbers === undefined ? null : carriedDown(numbers),
    hasArticle: articles.length > 0,
    hasCode: fields.has('SKU') || fields.has('UPC'),
    followsArticle: articles.includes(column.index - 1),
    besideName: (['name', 'description'] as const).some(
      (field) => Math.abs((fields.get(field) ?? Number.NaN) - column.index) === 1,
    ),
    articles:
      named.length === 0
        ? null
        : column.values.map((_value, row) =>
            named
              .map(({ values }) => values[row] ?? '')
              .filter((value) => !isSpreadsheetError(value))
              .join('\n')
              .trim(),
          ),
    besideProduct: products.length > 0,
    isPlace,
    findArticle,
  };
}

/** Names of columns with the article's name or code, by `columnKey`. */
const PRODUCTS = new Set(
  [
    'part',
    'parts',
    'product',
    'products',
    'item',
    'items',
    'article',
    'articles',
    'Artikel',
    'Produkt',
    'Produkte',
    'Teil',
    'Teile',
  ]
    .concat(['produit', 'produits', 'artículo', 'artículos', 'producto', 'productos', 'prodotto', 'articolo'])
    .map(columnKey),
);

function carriedDown(values: readonly string[]): string[] {
  let last = '';
  return values.map((value) => {
    if (value !== '') last = value;
    return last;
  });
}

/** Returns the unmet requirements, from the list of requirements that the file most likely fits. */
function missingOf(kind: TableKind, fields: ReadonlyMap<TableField, number>): (readonly TableField[])[] {
  const lists = REQUIRED[kind].map((list) => ({
    missing: list.filter((each) => !each.some((field) => fields.has(field))),
    met: list.filter((each) => each.some((field) => fields.has(field))).length,
  }));
  // If a column is required only by the first list, use that list. For example, a file with names and labels lacks directions.
  const [first] = lists;
  const isFirst = REQUIRED[kind][0]?.some((each) => each.some((field) => field !== 'deviceid' && fields.has(field)));
  if (first !== undefined && isFirst === true) return first.missing;
  return lists.toSorted((a, b) => a.missing.length - b.missing.length)[0]?.missing ?? [];
}

function findColumn(columns: readonly HeadColumn[], name: string): HeadColumn | undefined {
  return (
    columns.find((column) => column.name === name.trim()) ??
    columns.find((column) => columnKey(column.name) === columnKey(name))
  );
}

/** Removes the number of a repeated name. */
function plainName(name: string): string {
  return name.replace(/ \(\d\)$/, '');
}

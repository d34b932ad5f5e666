import { createPace, type InParts } from '../station/inParts.ts';
import { hasUnits } from './cells/units.ts';
import { COUNT_FIELDS, FIELDS_OF, type TableField, type TableKind, UNIT_FIELDS, fieldOf } from './fields.ts';
import { alsoArticles, ambiguousOf, claim, isFree, openAmbiguous, takeAmbiguous } from './headAmbiguous.ts';
import {
  type FindColumn,
  type GivenColumns,
  type HeadColumn,
  type HeadReading,
  columnFinder,
  columnsOf,
  ignoredBy,
  missingOf,
  plainName,
  readValues,
} from './headColumns.ts';
import { askedCounts, countField } from './headCounts.ts';
import { askNothingLeft } from './headNothingLeft.ts';
import { SKU_KEY, isExplained, isNamesOnly, labelByName, namesArticle, takePosition } from './headPlaces.ts';
import { takeShop } from './headShops.ts';
import { takeStates } from './headStates.ts';
import { takeVariants } from './headVariants.ts';
import type { TableProfile } from './profiles/profile.ts';
import { recognize } from './profiles/profiles.ts';
import { FIELD_BY_KEY } from './profiles/synonyms.ts';
import { namedCount } from './quantityNames.ts';
import { isStateField, namedState } from './stateNames.ts';
import type { TableRow } from './table.ts';
import { mayBeUnits } from './unitNames.ts';

/** Column names that only Pickstation uses. */
const OWN_NAMES: readonly TableField[] = ['warehouse_location', 'light_color', 'due_time'];

/** Reads a row as column names, yielding after each column whose values matter. `body` contains the rows below. */
export function* readHead(
  kind: TableKind,
  head: TableRow,
  body: readonly TableRow[],
  given: GivenColumns,
): InParts<HeadReading> {
  const columns = yield* columnsOf(head, body);
  const find = yield* columnFinder(columns);
  const profile = yield* recognize(
    kind,
    columns.map(({ name }) => name),
  );
  const takesOthers = profile === null || profile.takesOthers === true;
  const reading: HeadReading = {
    head,
    columns,
    fields: new Map(),
    profile,
    takesOthers,
    ignored: ignoredBy(profile),
    setAside: new Set(),
    states: [],
    open: [],
    missing: [],
    lacking: undefined,
  };
  const free = yield* takeGiven(kind, reading, { given, find });
  if (profile !== null) takeProfile(kind, reading, profile, { free, find });
  if (takesOthers) {
    yield* takeSynonyms(kind, reading, free, given);
    if (kind === 'orders') yield* takeVariants(reading, free);
    yield* takeAmbiguous(kind, reading, free, given);
    if (kind === 'orders') yield* takeShop(reading, free);
  } else if (kind === 'orders') yield* takeCounts(reading, free, given);
  reading.missing = missingOf(kind, reading.fields);
  // Other rows are not the column names.
  if (kind === 'orders' && reading.missing.length === 0) {
    yield* askCounts(reading, free);
    yield* askUnits(reading, free);
    yield* takeStates(reading, free, given);
    yield* askNothingLeft(reading, given);
  }
  if (takesOthers) yield* openAmbiguous(kind, reading, free, given);
  if (kind === 'locations') {
    labelByName(reading, free);
    if (isNamesOnly(reading)) reading.missing = isExplained(reading, free, body) ? [] : [['deviceid']];
  }
  return reading;
}

/** Maps the columns that the caller named. Returns the remaining columns. */
function* takeGiven(
  kind: TableKind,
  reading: HeadReading,
  { given, find }: { given: GivenColumns; find: FindColumn },
): InParts<Set<HeadColumn>> {
  const pace = createPace();
  const all = new Set(reading.columns);
  const free = new Set(all);
  for (const [name, text] of Object.entries(given.columns ?? {})) {
    if (pace.isDue()) yield* pace.rest();
    const column = find(all, name);
    if (column === undefined) {
      reading.lacking ??= name;
      continue;
    }
    free.delete(column);
    const field = text === null ? undefined : fieldOf(kind, text);
    if (field !== undefined) reading.fields.set(field, column.index);
    if (text === null) reading.setAside.add(column.index);
  }
  return free;
}

/** Maps the columns of the profile, and other columns with names that only Pickstation uses. */
function takeProfile(
  kind: TableKind,
  reading: HeadReading,
  profile: TableProfile,
  { free, find }: { free: Set<HeadColumn>; find: FindColumn },
): void {
  for (const field of FIELDS_OF[kind]) {
    if (reading.fields.has(field)) continue;
    const names = profile.fields[field] ?? [];
    const column =
      names.map((name) => find(free, name)).find((each) => each !== undefined) ??
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
  for (const [field, columns] of yield* bySynonym(kind, free, isArticle)) {
    // A file can have several columns of states.
    if (isStateField(field)) continue;
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

/** Groups columns by the fields of which their names are synonyms. */
function* bySynonym(
  kind: TableKind,
  columns: Iterable<HeadColumn>,
  isArticle = false,
): InParts<Map<TableField, HeadColumn[]>> {
  const pace = createPace();
  const byField = new Map<TableField, HeadColumn[]>();
  for (const column of columns) {
    if (pace.isDue()) yield* pace.rest();
    const field = isArticle && column.key === SKU_KEY ? 'article' : synonymOf(kind, column);
    if (field === undefined) continue;
    const same = byField.get(field);
    if (same === undefined) byField.set(field, [column]);
    else same.push(column);
  }
  return byField;
}

function synonymOf(kind: TableKind, { key, name }: HeadColumn): TableField | undefined {
  return FIELD_BY_KEY[kind].get(key) ?? (kind === 'orders' ? countField(plainName(name)) : undefined);
}

/** Whether the ordered quantity already excludes these pieces, such as `Quantity (- Refund)`. */
function isSubtracted({ columns, fields }: HeadReading, field: TableField): boolean {
  const ordered = columns.find(({ index }) => index === fields.get('ordered_quantity'));
  return ordered !== undefined && (namedCount(ordered.name)?.fields.some((each) => each === field) ?? false);
}

/** Fields of quantities and units, which are read in any file. */
const COUNTS: ReadonlySet<TableField> = new Set([...COUNT_FIELDS, ...UNIT_FIELDS]);

/** Maps the columns of quantities and units that the profile does not know. */
function* takeCounts(reading: HeadReading, free: Set<HeadColumn>, given: GivenColumns): InParts<void> {
  const named = [...(yield* bySynonym('orders', free))].flatMap(([field, columns]) =>
    COUNTS.has(field) ? columns : [],
  );
  const counts = named.filter(({ key }) => !reading.ignored.has(key));
  const found = new Set(counts);
  yield* takeSynonyms('orders', reading, found, given);
  for (const column of counts) free.delete(column);
}

/** Adds questions about columns that may count pieces, according to their names. */
function* askCounts(reading: HeadReading, free: Set<HeadColumn>): InParts<void> {
  const { columns, fields } = reading;
  const pace = createPace();
  const ordered = columns.find(({ index }) => index === fields.get('ordered_quantity'));
  if (ordered === undefined || fields.has('quantity_to_ship')) return;
  for (const column of free) {
    if (pace.isDue()) yield* pace.rest();
    const name = plainName(column.name);
    if (!mayAsk(reading, column) || isStateField(namedState(name)) || namedCount(name) === undefined) continue;
    yield* readValues([ordered, column]);
    const asked = (yield* askedCounts({ name, values: column.values, ordered: ordered.values })).filter(
      (field) => isFree(reading, field) && !isSubtracted(reading, field),
    );
    if (asked.length === 0) continue;
    reading.open.push({ column, fields: [...asked] });
    free.delete(column);
  }
}

/** Whether to ask about a column because it may count pieces. Other functions ask about ambiguous names. */
function mayAsk({ takesOthers, ignored }: HeadReading, column: HeadColumn): boolean {
  return !ignored.has(column.key) && !(takesOthers && ambiguousOf('orders', column) !== undefined);
}

/** Adds questions about columns that may contain the units of the quantities, according to their values. */
function* askUnits(reading: HeadReading, free: Set<HeadColumn>): InParts<void> {
  for (const column of free) {
    if (!isFree(reading, 'unit') || reading.fields.has('stock_quantity')) return;
    if (!mayAsk(reading, column)) continue;
    yield* readValues([column]);
    if (!mayBeUnits(plainName(column.name), column.values)) continue;
    reading.open.push({ column, fields: ['unit'] });
    free.delete(column);
  }
}

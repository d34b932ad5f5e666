import { createPace, type InParts } from '../station/inParts.ts';
import { AMBIGUOUS, type AmbiguousName } from './ambiguous.ts';
import { isSpreadsheetError } from './cells/faults.ts';
import { meansSameUnit } from './cells/units.ts';
import { columnKeySet } from './columnKey.ts';
import { ARTICLE_FIELDS, type TableField, type TableKind } from './fields.ts';
import { type FitColumn, fits, isDeviceId } from './fits.ts';
import { type GivenColumns, type HeadColumn, type HeadReading, carriedDown, readValues } from './headColumns.ts';

/** Returns columns with ambiguous names that also contain articles, and may contradict the column of articles. */
export function* alsoArticles(
  reading: HeadReading,
  free: ReadonlySet<HeadColumn>,
  given: GivenColumns,
): InParts<readonly HeadColumn[]> {
  const found: HeadColumn[] = [];
  for (const column of free) {
    const [field, fit] = ambiguousOf('locations', column)?.may[0] ?? [];
    if (field !== 'article' || fit === undefined) continue;
    yield;
    if (fits(fit, fitColumn(reading, column, given))) found.push(column);
  }
  return found;
}

/**
 * Maps the first of several columns for one field if all of them have the same values, or name the same articles or units. Otherwise adds a
 * question about each.
 */
export function* claim(
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
    one === other ||
    (field === 'article' && articleOf(one) === articleOf(other)) ||
    (field === 'unit' && meansSameUnit(one, other));
  const pace = createPace();
  for (const { values } of others) {
    for (const [index, value] of values.entries()) {
      if (pace.isDue()) yield* pace.rest();
      if (isSame(value, first.values[index] ?? '')) continue;
      for (const column of filled) reading.open.push({ column, fields: [field] });
      return;
    }
  }
  reading.fields.set(field, first.index);
}

/** Maps ambiguous names by their values. `Name` comes last, because it is the customer only if another column names the article. */
export function* takeAmbiguous(
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
      yield;
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
 * Adds columns such as `Reference` to `codes`, which contains columns such as `Part`, if they can also be the article's code. If only one
 * column contains known articles, returns only that one.
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
    yield;
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

/** Matches the names of columns with postal codes, by `columnKey`. */
const POSTAL_CODES = /plz|postleitzahl|postal|postcode|zip|codigopostal|codepostal/;

/** Adds questions about the remaining ambiguous names if the answer can change what is picked. */
export function* openAmbiguous(
  kind: TableKind,
  reading: HeadReading,
  free: ReadonlySet<HeadColumn>,
  given: GivenColumns,
): InParts<void> {
  const isMissing = (field: TableField) => reading.missing.some((each) => each.includes(field));
  const isAddress = reading.columns.some(({ key }) => POSTAL_CODES.test(key));
  for (const column of free) {
    const ambiguous = ambiguousOf(kind, column);
    if (ambiguous === undefined || ambiguous.ask === 'never' || (ambiguous.isTown === true && isAddress)) continue;
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
        // A customer is a more likely answer, and contains last names too.
        if (field === 'customer_last_name') return false;
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

export function isFree({ fields, open }: HeadReading, field: TableField): boolean {
  return !fields.has(field) && !open.some(({ fields: asked }) => asked.length === 1 && asked[0] === field);
}

export function ambiguousOf(kind: TableKind, { key }: HeadColumn): AmbiguousName | undefined {
  return AMBIGUOUS[kind].get(key);
}

function fitColumn(
  { columns, fields }: HeadReading,
  column: HeadColumn,
  { isPlace, findArticle = () => undefined }: GivenColumns,
): FitColumn {
  const ordersAt = fields.get('order_number');
  const numbers = columns.find(({ index }) => index === ordersAt)?.first;
  const articles = ARTICLE_FIELDS.map((field) => fields.get(field)).filter((index) => index !== undefined);
  const products = columns.filter((each) => each !== column && PRODUCTS.has(each.key));
  const naming = [...new Set([...products, ...columns.filter(({ index }) => articles.includes(index))])];
  const named = naming.filter((each) => each !== column);
  return {
    values: column.first,
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
        : column.first.map((_value, row) =>
            named
              .map(({ first }) => first[row] ?? '')
              .filter((value) => !isSpreadsheetError(value))
              .join('\n')
              .trim(),
          ),
    besideProduct: products.length > 0,
    besideFirstName: columns.some(({ key }) => FIRST_NAMES.has(key)),
    isPlace,
    findArticle,
  };
}

/** Names of columns with first names of people, by `columnKey`. */
const FIRST_NAMES = columnKeySet(
  'first name; given name; Vorname; prénom; nombre de pila; primer nombre; voornaam; imię',
);

/** Names of columns with the article's name or code, by `columnKey`. */
const PRODUCTS = columnKeySet(
  `part; parts; product; products; item; items; article; articles; Artikel; Produkt; Produkte; Teil; Teile; produit; produits;
    artículo; artículos; producto; productos; prodotto; articolo`,
);

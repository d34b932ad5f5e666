import { createPace, type InParts } from '../station/inParts.ts';
import type { WhenIs } from './cells/whenIs.ts';
import { columnKey, MAX_NAME_CHARACTERS } from './columnKey.ts';
import { REQUIRED, type TableField, type TableKind } from './fields.ts';
import { FITTED_ROWS } from './fits.ts';
import type { TableProfile } from './profiles/profile.ts';
import type { StateColumn } from './stateColumns.ts';
import type { StateMeaning } from './states.ts';
import { type TableRow, textOf } from './table.ts';

/**
 * Information from the caller. `columns` contains the field for each column, by the column's name in the file, or null to ignore the
 * column. `findArticle` returns the SKU of the article with this SKU, barcode or unique name; without it, no article is known.
 */
export type GivenColumns = {
  columns?: Readonly<Record<string, string | null>>;
  /** Meaning of states that are not understood, by `columnKey`. */
  states?: ReadonlyMap<string, StateMeaning>;
  /** Compares a date with now. Without it, dates are neither past nor later. */
  whenIs?: WhenIs;
  isPlace(text: string): boolean;
  findArticle?(text: string): string | undefined;
};

/**
 * A column. `name` is unique, so that a repeated `Qty` becomes `Qty (2)`; `key` does not include this number. `first` contains the
 * values to test, `samples` the first filled values.
 */
export type HeadColumn = {
  name: string;
  key: string;
  index: number;
  values: readonly string[];
  first: readonly string[];
  samples: readonly string[];
  /** Frees the memory of `values` until they are read again. */
  forget(): void;
};

/** A column that can be several fields. `unknown` contains values that are not known states. */
export type OpenColumn = { column: HeadColumn; fields: TableField[]; unknown?: readonly string[] };

/** A row read as column names. `missing` contains, for each unmet requirement, the fields that would meet it. */
export type HeadReading = {
  head: TableRow;
  columns: readonly HeadColumn[];
  fields: Map<TableField, number>;
  profile: TableProfile | null;
  /** Whether columns that the profile does not know are read by their names and values. */
  takesOthers: boolean;
  /** Keys of the columns of states, quantities and units that the profile ignores. */
  ignored: ReadonlySet<string>;
  /** Indexes of the columns that the caller ignores. */
  setAside: Set<number>;
  /** Columns that say whether rows are picked, apart from those of the profile. */
  states: StateColumn[];
  open: OpenColumn[];
  missing: (readonly TableField[])[];
  /** The first column name from the caller that this row lacks. */
  lacking: string | undefined;
};

const SAMPLES = 3;
/** Number of rows in which to search for samples. */
const SAMPLED_ROWS = 2_000;
/** Maximum number of characters of a value to use for detecting its column and for the preview. */
const MAX_VALUE = 500;

export function* columnsOf(head: TableRow, body: readonly TableRow[]): InParts<HeadColumn[]> {
  const pace = createPace();
  const columnOf = ({ name, index }: { name: string; index: number }): HeadColumn => {
    const read = (rows: readonly TableRow[]) => rows.map((row) => textOf(row.cells[index]).slice(0, MAX_VALUE));
    let values: string[] | undefined;
    let first: string[] | undefined;
    return {
      name,
      key: columnKey(plainName(name)),
      index,
      get values() {
        return (values ??= read(body));
      },
      get first() {
        return (first ??= values?.slice(0, FITTED_ROWS) ?? read(body.slice(0, FITTED_ROWS)));
      },
      get samples() {
        return samplesOf(body, index);
      },
      forget() {
        values = undefined;
      },
    };
  };
  const columns: HeadColumn[] = [];
  for (const each of columnNames(head)) {
    columns.push(columnOf(each));
    if (pace.isDue()) yield* pace.rest();
  }
  return columns;
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
export function* readValues(columns: readonly HeadColumn[]): InParts<void> {
  for (const column of columns) {
    yield;
    void column.values;
  }
  yield;
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

export function carriedDown(values: readonly string[]): string[] {
  let last = '';
  return values.map((value) => {
    if (value !== '') last = value;
    return last;
  });
}

/** Returns the unmet requirements, from the list of requirements that the file most likely fits. */
export function missingOf(kind: TableKind, fields: ReadonlyMap<TableField, number>): (readonly TableField[])[] {
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

/** Finds one of the columns in `among` by its name, or by a name with the same key. */
export type FindColumn = (among: ReadonlySet<HeadColumn>, name: string) => HeadColumn | undefined;

export function* columnFinder(columns: readonly HeadColumn[]): InParts<FindColumn> {
  const pace = createPace();
  const byName = new Map<string, HeadColumn>();
  const byKey = new Map<string, HeadColumn[]>();
  for (const column of columns) {
    if (pace.isDue()) yield* pace.rest();
    byName.set(column.name, column);
    const key = columnKey(column.name);
    const alike = byKey.get(key);
    if (alike === undefined) byKey.set(key, [column]);
    else alike.push(column);
  }
  return (among, name) => {
    const exact = byName.get(name.trim());
    return exact !== undefined && among.has(exact)
      ? exact
      : byKey.get(columnKey(name))?.find((each) => among.has(each));
  };
}

/** Removes the number of a repeated name. A text that is too long for a name means nothing, and becomes an empty text. */
export function plainName(name: string): string {
  return name.length > MAX_NAME_CHARACTERS ? '' : name.replace(/ \(\d\)$/, '');
}

/** Returns the keys of the columns that the profile ignores. */
export function ignoredBy(profile: TableProfile | null): ReadonlySet<string> {
  return new Set([...(profile?.ignores ?? []), ...Object.keys(profile?.unread ?? {})].map(columnKey));
}

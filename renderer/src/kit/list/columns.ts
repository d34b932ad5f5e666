import { compareLabels } from '#shared/lib/text/locale.ts';
import type { ComponentType } from 'react';
import { writeCsv } from '#shared/lib/tables/cells/csv.ts';

/** A value to sort by, or null if it is unknown. */
export type SortValue = string | number | null;

export type TableSort<By extends string> = { by: By; descending: boolean };

export type CellProps<Row, Actions> = {
  row: Row;
  /** The `tabIndex` of focusable elements in the cell. */
  tab: 0 | -1;
  actions: Actions;
};

export type Column<Row, Id extends string = string, Actions = unknown> = {
  /** Id of the column in the address. */
  id: Id;
  words: string;
  /** Returns the value to sort by, or several values in order of significance. Undefined if the column is not sortable. */
  sort?: (row: Row) => SortValue | readonly SortValue[];
  /** Whether to compare texts naturally, so that A-2 comes before A-10. */
  isName?: true;
  cell: ComponentType<CellProps<Row, Actions>>;
  /** CSS class of the column's cells and heading. */
  className?: string | undefined;
  /** CSS grid track. */
  width: string;
  /** Width of the table in pixels below which the column is omitted. */
  hidesBelow?: number;
  /** Columns in exported files, by their names in the API. */
  csv?: Readonly<Record<string, (row: Row) => string | number | null>>;
};

/**
 * Sorts rows by a column. Unknown values come last in both directions. `tie` orders equal rows, in the same way for
 * both directions. Computes the values of each row only once.
 */
export function sortRows<Row, Id extends string>(
  rows: readonly Row[],
  columns: readonly Pick<Column<Row, Id>, 'id' | 'sort' | 'isName'>[],
  { by, descending }: TableSort<Id>,
  tie: (a: Row, b: Row) => number,
): readonly Row[] {
  const column = columns.find(({ id }) => id === by);
  const valuesOf = column?.sort;
  if (valuesOf === undefined) return rows;
  const sign = descending ? -1 : 1;
  const compareTexts = column?.isName === true ? compareLabels : compare;
  return rows
    .map((row) => ({ row, values: [valuesOf(row)].flat() as readonly SortValue[] }))
    .toSorted((a, b) => compareValues(a.values, b.values, sign, compareTexts) || tie(a.row, b.row))
    .map(({ row }) => row);
}

export function compare(a: string | number, b: string | number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function compareValues(
  a: readonly SortValue[],
  b: readonly SortValue[],
  sign: 1 | -1,
  compareTexts: (a: string, b: string) => number,
): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const left = a[index] ?? null;
    const right = b[index] ?? null;
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    const order =
      typeof left === 'string' && typeof right === 'string' ? compareTexts(left, right) : compare(left, right);
    if (order !== 0) return sign * order;
  }
  return 0;
}

/** Returns the rows as CSV, in their order, with column names. */
export function listCsv<Row>(columns: readonly Pick<Column<Row>, 'csv'>[], rows: readonly Row[]): string {
  const fields = columns.flatMap(({ csv }) => Object.entries(csv ?? {}));
  return writeCsv([fields.map(([name]) => name), ...rows.map((row) => fields.map(([, value]) => value(row) ?? ''))]);
}

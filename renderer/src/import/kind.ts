import type { ComponentType, ReactNode } from 'react';
import type { AnyImportRow, ImportCounts, ImportRowOutcome } from '#shared/api/imports.ts';
import type { TableField, TableKind } from '#shared/lib/tables/fields.ts';

type ImportWords = {
  title: string;
  back: string;
  lead: string;
  /** Names of the fields to which a column can be mapped, in the order of the menu. */
  fields: Readonly<Partial<Record<TableField, string>>>;
  outcomes: Readonly<Record<ImportRowOutcome | 'all' | 'conflict', string>>;
  sheet: string;
  running(counts: ImportCounts): string;
  submit(counts: ImportCounts): string;
  nothingNew: string;
  /** Offers to import left-out rows too. Undefined: no left-out row can be imported. */
  leftOutToo?: string;
  /** Offers to change the stock of existing articles. Undefined: the file has no stock. */
  stockToo?: string;
};

/** A column of the preview. Its cell shows one field of the file and can be corrected. */
export type ImportColumn<Row> = {
  heading: string;
  /** Grid track of the column in windows wider than a phone. */
  width: string;
  /** Whether the file has values for the column, so that it is shown. Default: always shown. */
  isFilled?(inFile: ReadonlySet<TableField>): boolean;
  className: string | undefined;
  /** The field that the column shows, depending on the fields of the file. */
  field(inFile: ReadonlySet<TableField>): TableField;
  text(row: Row, field: TableField): string;
  /** Drawn before the text. */
  sign?: ComponentType<{ row: Row }>;
  /** Drawn below the text. Returns null for nothing. */
  below?(row: Row, field: TableField): ReactNode;
  isStrong?: boolean;
};

/** A property of rows other than the outcome, by which they can be filtered. */
export type RowMark<Row> = {
  id: string;
  /** Name of the filter. */
  words: string;
  has(row: Row): boolean;
  /** Returns a sentence about the number of such rows. */
  summary(many: number): string;
};

/** The properties in which kinds of files differ on the import page. */
export type ImportKind<Row extends AnyImportRow> = {
  kind: TableKind;
  words: ImportWords;
  examples: readonly { title: string; csv: string }[];
  isRow(row: AnyImportRow): row is Row;
  columns: readonly ImportColumn<Row>[];
  /** Class of a row, which places the columns on a phone. */
  rowClass: string | undefined;
  marks?: readonly RowMark<Row>[];
  /** Fields of a saved file of rejected rows. */
  saved: readonly (keyof Row & string)[];
  /** The text of a number that can be read in two ways. Undefined: the row has none. */
  findUnclear?(row: Row): string | undefined;
  /** Number of left-out rows that a person should check. */
  leftOut(counts: ImportCounts): number;
  /** Groups rows that are held together as a draft, by line. Undefined: this kind of file has no drafts. */
  orderKeys?(rows: readonly Row[]): ReadonlyMap<number, string>;
  /** Hint that orders that are not imported become drafts. */
  draftsHint?: string;
  /** Returns sentences about what the import does. */
  summary(counts: ImportCounts, rows: readonly Row[]): string[];
  /** The field without which the station refuses every file, and the sentence that says so. */
  required?: { field: TableField; missing: string };
  /** Whether the options for decimal separator, date order and order prefix apply. */
  hasOrderOptions: boolean;
};

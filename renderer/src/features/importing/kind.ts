import type { ComponentType, ReactNode } from 'react';
import type { AnyImportRow, ImportCounts, ImportRowOutcome } from '#shared/api/imports.ts';
import type { TableField, TableKind } from '#shared/lib/tables/fields.ts';

type ImportWords = {
  title: string;
  back: string;
  lead: string;
  /** Names of the fields that a column can be, in the order in which the page offers them. */
  fields: Readonly<Partial<Record<TableField, string>>>;
  outcomes: Readonly<Record<ImportRowOutcome | 'all', string>>;
  sheet: string;
  running(counts: ImportCounts): string;
  submit(counts: ImportCounts): string;
  nothingNew: string;
  /** Offers to import rows that are left out; undefined: there are none that could be. */
  leftOutToo?: string;
};

/** A column of the preview. Its cell shows one field of the file and can be corrected. */
export type ImportColumn<Row> = {
  heading: string;
  className: string | undefined;
  /** The field, where the file has one of several. */
  field(inFile: ReadonlySet<TableField>): TableField;
  text(row: Row, field: TableField): string;
  /** Shown before the text. */
  sign?: ComponentType<{ row: Row }>;
  /** Shown below the text. Returns null for nothing. */
  below?(row: Row, field: TableField): ReactNode;
  isStrong?: boolean;
};

/** What the import page needs to know about a kind of file. */
export type ImportKind<Row extends AnyImportRow> = {
  kind: TableKind;
  words: ImportWords;
  examples: readonly { title: string; csv: string }[];
  isRow(row: AnyImportRow): row is Row;
  columns: readonly ImportColumn<Row>[];
  /** Class of a row, which places the columns. */
  rowClass: string | undefined;
  /** Fields of a saved file of rejected rows. */
  saved: readonly (keyof Row & string)[];
  /** The text of a number that can be read in two ways; undefined: there is none. */
  findUnclear?(row: Row): string | undefined;
  /** Rows that the import leaves out, so that a person should look at them. */
  leftOut(counts: ImportCounts): number;
  /** Sentences about what the import does. */
  summary(counts: ImportCounts, rows: readonly Row[]): string[];
  /** Whether the file has numbers, due times and a prefix, which options decide. */
  hasOrderOptions: boolean;
};

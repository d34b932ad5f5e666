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
  /** Text that offers to import left-out rows too, or undefined if no left-out row can be imported. */
  leftOutToo?: string;
  /** Text that offers to change the stock of existing articles, or undefined if the file has no stock. */
  stockToo?: string;
};

/** A column of the preview. Its cell shows one field of the file and can be corrected. */
export type ImportColumn<Row> = {
  heading: string;
  /** Grid track of the column in windows wider than a phone. */
  width: string;
  /**
   * Returns whether the file has values for the column; if not, the column is hidden. Without this function, the
   * column is always shown.
   */
  isFilled?(inFile: ReadonlySet<TableField>): boolean;
  className: string | undefined;
  /** Returns the field that the column shows, depending on the fields of the file. */
  field(inFile: ReadonlySet<TableField>): TableField;
  text(row: Row, field: TableField): string;
  /** A component drawn before the text. */
  sign?: ComponentType<{ row: Row }>;
  /** Returns content to draw below the text, or null if there is none. */
  below?(row: Row, field: TableField): ReactNode;
  isStrong?: boolean;
};

/** A property of rows other than the outcome. Rows can be filtered by this property. */
export type RowMark<Row> = {
  id: string;
  /** Name of the filter. */
  words: string;
  has(row: Row): boolean;
  /** Returns a sentence about the number of rows with this property. */
  summary(many: number): string;
};

/** The properties in which kinds of files differ on the import page. */
export type ImportKind<Row extends AnyImportRow> = {
  kind: TableKind;
  words: ImportWords;
  examples: readonly { title: string; csv: string }[];
  isRow(row: AnyImportRow): row is Row;
  columns: readonly ImportColumn<Row>[];
  /** CSS class of a row, which places the columns on a phone. */
  rowClass: string | undefined;
  marks?: readonly RowMark<Row>[];
  /** Fields of each row in the file of rejected rows. */
  saved: readonly (keyof Row & string)[];
  /** Returns the text of a number that can be read in two ways, or undefined if the row has none. */
  findUnclear?(row: Row): string | undefined;
  /** Returns the place with goods that the row would leave without a light; empty if none. */
  findDark?(row: Row): string;
  /** Returns the reason of a row if it differs from the message of the station. */
  reason?(row: Row): string | undefined;
  /** Returns the number of left-out rows that a person should check. */
  leftOut(counts: ImportCounts): number;
  /**
   * Returns the order key of each row by line number. Rows with the same key are set aside together as a draft.
   * Undefined if this kind of file has no drafts.
   */
  orderKeys?(rows: readonly Row[]): ReadonlyMap<number, string>;
  /** Hint that orders that are not imported become drafts. */
  draftsHint?: string;
  /** Returns sentences about what the import does. */
  summary(counts: ImportCounts, rows: readonly Row[]): string[];
  /** Whether the options for decimal separator, date order and order prefix apply. */
  hasOrderOptions: boolean;
};

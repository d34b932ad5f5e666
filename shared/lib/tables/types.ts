import type { NewOrder } from '../../api/order.ts';
import type { NewItem } from '../../api/orderItem.ts';
import type { DateOrder } from './cells/dateOrders.ts';
import type { TableField, OrderField } from './fields.ts';
import type { Mapping } from './mapping.ts';
import type { DecimalMark } from './cells/numbers.ts';
import type { StateAnswers } from './pickRules.ts';
import type { EndReason, LeaveOutReason } from './states.ts';
import type { FileCell, TableRow } from './table.ts';

export type MappedColumns = Extract<Mapping, { ok: true }>;

/** A row below the column names with its kind. */
export type SortedRow = {
  row: TableRow;
  /** Kind of the row. `hidden` rows are hidden in the workbook. */
  kind: 'line' | 'part' | 'left_out' | 'hidden';
  /** Why the row is left out or wrong. Empty if it is neither. */
  message: string;
  isWrong: boolean;
  /** Why the line is not picked, if its state says so. */
  reason: LeaveOutReason | undefined;
  /** Whether a column says that the line is open. */
  isOpen?: boolean;
  /**
   * The row's order number including the prefix, once it has been read. `isBlank` tells whether the cell is blank, so that the row belongs
   * to the order above.
   */
  order: { isBlank: boolean; number: string; problem: string } | undefined;
  /** Returns the cell of a field, or undefined if the column is missing or the row ends before it. */
  cellOf(field: TableField): FileCell | undefined;
};

/** Rows of one order. `problem` explains why the whole order is wrong, and is empty if it is not. */
export type OrderRows = { number: string; rows: SortedRow[]; problem: string };

/** Like `OrderRows`, without hidden rows. `all` also contains the hidden rows. */
export type NumberedRows = OrderRows & { all: readonly SortedRow[] };

/** Options from the caller and what is known about the shop. */
export type OrderReading = {
  /** Decimal separator for ambiguous numbers. If undefined, the other numbers in the column determine it. */
  decimal: DecimalMark | undefined;
  dateOrder: DateOrder | undefined;
  /** IANA time zone of due times without a zone. */
  timeZone: string;
  /** Prefix for each order number, to distinguish orders from two shops. */
  orderPrefix: string;
  /** Whether to include lines that the profile leaves out, such as shipped ones. */
  takesLeftOut: boolean;
  /** What is known about states that the file alone does not tell. */
  answers?: StateAnswers;
  /** Maximum number of lines to pick in a file, which is refused if it has more. Undefined for no limit. */
  maxLines?: number;
  /** Current time in milliseconds. Without it, no date is past. */
  now?: number;
  /** Paths before names of places, given by the caller. Equal names at these paths are one place. */
  placePaths: readonly string[];
  /** Keys of places to which several paths of an earlier file led. */
  sharedPlaces: readonly string[];
  isPlace(text: string): boolean;
  /** Number of pieces of each unit, given by the caller. */
  units: Readonly<Record<string, number>>;
  /** Finds an article by SKU, barcode or name, and returns its unit; undefined if none has this text. */
  articleUnit(text: string): string | undefined;
  /** Returns the SKU of the article that a SKU or barcode names, or undefined if there is none. */
  findArticle?(text: string): string | undefined;
  /** Returns the existing SKU that differs from this unknown one only in leading zeros, or undefined if there is none. */
  meantSku(sku: string): string | undefined;
};

/** A row in the file. */
export type ReadRow = {
  line: number;
  /** Texts of the row's cells by field, without empty ones. */
  said: Partial<Record<OrderField, string>>;
  /** `line` is an item, `part` is other data about the order, such as the customer, and `left_out` is neither. */
  kind: 'line' | 'part' | 'left_out';
  /** Why the row is wrong or left out, or a note about how it was read. Empty if there is nothing to report. */
  message: string;
  isWrong: boolean;
  /** Whether the row is wrong because it contradicts the station, although it can be read. */
  isConflict?: boolean;
  /** Why the line is not picked, if its state or its quantities say so. */
  reason?: LeaveOutReason;
  /** The unit because of which the row is wrong. */
  unknownUnit?: string;
  /** The item of a valid line. */
  item: NewItem | undefined;
};

/**
 * A line that is not picked here. `ends` tells how it ended elsewhere, and is undefined for a line that is never shipped. If the file does not
 * say how many pieces, the quantity is 0.
 */
export type EndedLine = { item: NewItem; ends: EndReason | undefined };

/** The state of an order according to a file. `isOpen` tells whether the file calls each line to pick open. */
export type SaidState = { ended: readonly EndedLine[]; isOpen: boolean };

/** The result of reading an order. `said` is undefined if the format has no states. */
export type OrderContent = {
  number: string;
  rows: readonly ReadRow[];
  said?: SaidState;
} & (
  | { problem: null; wanted: NewOrder }
  /** `line` is the first faulty row, or 0 if the fault concerns the whole order. */
  | { problem: { line: number; message: string }; wanted: undefined }
);

/**
 * An order without a line to pick, some of whose lines ended elsewhere. `ends` tells how. `isPart` tells whether other lines are left out only
 * for now, for example on hold. `isWhole` tells whether the file ends the order without naming articles.
 */
export type EndedOrder = {
  number: string;
  rows: readonly ReadRow[];
  ends: EndReason;
  lines: readonly EndedLine[];
  isPart: boolean;
  isWhole: boolean;
};

/** An order without a line to pick that waits, because it is on hold or the buyer asked to cancel it. */
export type WaitingOrder = Pick<EndedOrder, 'number' | 'rows'>;

/** An order in the file. `source` contains its rows, including hidden ones. */
export type ReadOrder = OrderContent & { source: readonly SortedRow[] };

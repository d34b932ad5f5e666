import type { NewLocationAlias } from '#shared/api/alias.ts';
import type { TablesOf } from '../../core.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import type { ImportedArticles } from '../articles/index.ts';
import type { Aliases } from '../aliases/index.ts';
import type { Audit, By } from '../base/index.ts';
import type { Lane, StepQueue } from '../../scheduling/index.ts';
import type { Devices } from '../devices/index.ts';
import type { Orders } from '../orders/index.ts';
import type { SheetFetcher } from './sheetFetcher.ts';
import type { SettingsService } from '../settings/index.ts';
import type { TableFiles } from '../tables/index.ts';
import type { RememberedAnswers, RememberedColumns } from '#shared/api/importColumns.ts';
import type { ImportRequest, AnyImportRow, ImportRow } from '#shared/api/imports.ts';
import type { NewOrder } from '#shared/api/order.ts';
import type { ArticlesOfFile } from '#shared/lib/tables/articles.ts';
import type { Mapping } from '#shared/lib/tables/mapping.ts';
import type { OrdersOfFile } from '#shared/lib/tables/orders.ts';
import type { ReadPlace } from '#shared/lib/tables/places.ts';
import type { ReadMemo } from '#shared/lib/tables/readMemo.ts';
import type { FileTable } from '#shared/lib/tables/table.ts';
import type { MappedColumns, ReadRow, ReadOrder } from '#shared/lib/tables/types.ts';

/** Table of imports, with their steps and previews. */
export type ImportTable = Pick<Repositories, 'imports'>;

/** State shared by the import functions. `alone`: runs imports, corrections and undos one at a time. */
export type ImportsContext = ReadingContext & {
  repositories: TablesOf<'imports'>;
  reads: TablesOf<'imports'>;
  writer: Pick<Writer, 'write' | 'writeEach' | 'writeLarge'>;
  orders: Pick<Orders, 'addWithin' | 'check' | 'removeWithin' | 'replaceWithin'>;
  aliases: Pick<Aliases, 'addWithin' | 'openCommands' | 'removeWithin' | 'replaceWithin'>;
  articles: ImportedArticles;
  devices: Pick<Devices, 'change'>;
  audit: Audit;
  sheets: SheetFetcher;
  alone: Lane;
  kept: KeptPreviews;
};

export type ReadingContext = {
  reads: TablesOf<'imports'>;
  foregroundReads: Pick<StepQueue, 'take' | 'takeAll'>;
  settings: Pick<SettingsService, 'current'>;
  tables: Pick<TableFiles, 'readTable' | 'writeWorkbook'>;
  /** Whether a place or device has this name. If undefined, the current places of the station are searched. */
  isPlace?: (text: string) => boolean;
};

export type ReadingOptions = Omit<Partial<ImportRequest>, 'csv' | 'dry_run' | 'url'>;

/** An opened file, with the cells of the selected sheet. */
export type OpenedFile = {
  /** Null for a workbook. */
  encoding: string | null;
  /** Names of the visible sheets in a workbook. */
  sheets: readonly string[];
  table: FileTable;
  /** Options of the request, completed with remembered ones. */
  options: ReadingOptions;
  /** The remembered answers that were used. */
  remembered: RememberedColumns | null;
  /** Answers to remember for these column names; null if the request has none. */
  said: RememberedAnswers | null;
};

export type MappedFile = OpenedFile & { mapping: Mapping };

/** A location file. `places`: undefined while questions about columns are open. */
export type PlacesReading = MappedFile & { places: readonly ReadPlace[] | undefined };

/** An article file. `articles`: undefined while questions about columns are open. */
export type ArticlesReading = MappedFile & { articles: Extract<ArticlesOfFile, { ok: true }> | undefined };

export type FileReading = MappedFile &
  (
    | { orders: Extract<OrdersOfFile, { ok: true }>; mapping: MappedColumns }
    /** Undefined while questions about columns are open. */
    | { orders: undefined }
  );

/** Finds the remembered answers for the column names of a table. */
export type Recall = (table: FileTable) => RememberedColumns | undefined;

/** The stored file of a preview. `corrections`: new cell texts, by line and column index. */
export type PreviewFile = OpenedFile & { corrections: Record<string, Record<string, string>> };

/**
 * The outcome of an order. `line`: the faulty row; 0 if the fault affects the whole order. `isConflict`: whether the order is readable but
 * conflicts with data in the station.
 */
export type OrderOutcome =
  | { outcome: 'new' | 'changed' }
  /** `held`: kept as a draft on request. */
  | { outcome: 'held' | 'known'; message: string }
  | { outcome: 'refused'; line: number; message: string; isConflict?: boolean };

export type Judgment =
  | Exclude<OrderOutcome, { outcome: 'new' | 'changed' }>
  | { outcome: 'new' | 'changed'; wanted: NewOrder };

/** An order in a file with its outcome. */
export type OrderOfFile = { number: string; rows: readonly ReadRow[]; judgment: OrderOutcome };

/** An order in a file before it is imported. `wanted`: the content to write. */
export type JudgedOrder = OrderOfFile & { judgment: Judgment };

/** An order file with the outcome of each order. */
export type JudgedOrders = { reading: FileReading; orders: readonly JudgedOrder[]; leftOut: readonly ReadRow[] };

/** A checked order. `read`: its content in the file. `rows`: its rows in the response, once computed. */
export type Evaluated = { read: ReadOrder; judged: JudgedOrder; rows?: readonly ImportRow[] };

/**
 * Results to reuse for the next version of a file: its parsed rows and orders, and the checked orders by number. Drops orders that later
 * changes to the station affect.
 */
export type Evaluation = { memo: ReadMemo; orders: Map<string, Evaluated>; leftOut: WeakMap<ReadRow, ImportRow> };

/** A preview in memory. `table` and `fields` include the corrections. `rows`: the stored rows, by line. */
export type KeptPreview = {
  file: PreviewFile;
  table: FileTable;
  fields: MappedColumns['fields'];
  rows: Map<number, AnyImportRow>;
  evaluation: Evaluation;
};

/** Previews that people are correcting. Kept so that after a correction only the affected orders are checked. */
export type KeptPreviews = {
  find(id: number): KeptPreview | undefined;
  keep(id: number, preview: KeptPreview): void;
  drop(id: number): void;
  /** Returns an empty evaluation. While it is in use, orders affected by changes to the station are dropped from it. */
  open(): Evaluation;
  stop(): void;
};

/** A file with its reading options. `name`: the file name to show to people. */
export type ImportFile = { bytes: Uint8Array; name: string; options: ReadingOptions };

/** Import options. `keeps`: whether a dry run stores a preview. */
export type ImportHow = { dryRun: boolean; keeps: boolean; by: By };

/** The changes that a row requests. `id` and `before` are null for a new alias. `isKnown`: whether the alias stays unchanged. */
export type WantedPlace = {
  deviceId: string;
  alias: { id: number | null; after: NewLocationAlias; before: NewLocationAlias | null; isKnown: boolean } | null;
  /** Null if the row has no label or the device already has it. */
  label: { after: string; before: string } | null;
};

/**
 * A row in a location file with its outcome. `warning`: empty if there is none. `isConflict`: whether a refused row is readable but
 * conflicts with another row or with data in the station.
 */
export type JudgedPlace = { read: ReadPlace } & (
  | { outcome: 'new' | 'changed' | 'known'; wanted: WantedPlace; warning: string }
  | { outcome: 'refused' | 'left_out'; message: string; isConflict?: boolean }
);

/** A location file with the outcome of each row. */
export type JudgedLocations = { reading: PlacesReading; places: readonly JudgedPlace[] };

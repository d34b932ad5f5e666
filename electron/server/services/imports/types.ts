import type { NewLocationAlias } from '#shared/api/alias.ts';
import type { TablesOf } from '../../core.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { GivenArticle } from '../../db/repositories/articles.ts';
import type { PlaceNote } from '../../db/repositories/imports.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock } from '../../ports.ts';
import type { ArticlePlaceNames, ImportedArticles } from '../articles/index.ts';
import type { Aliases } from '../aliases/index.ts';
import type { Audit, By } from '../base/index.ts';
import type { Lane, StepQueue } from '../../scheduling/index.ts';
import type { Devices, PlaceLights } from '../devices/index.ts';
import type { Orders } from '../orders/index.ts';
import type { MapService, PlaceService } from '../places/index.ts';
import type { Removed } from './orders/orderContent.ts';
import type { SheetFetcher } from './sheetFetcher.ts';
import type { SettingsService } from '../settings/index.ts';
import type { TableFiles } from '../tables/index.ts';
import type { RememberedAnswers, RememberedColumns } from '#shared/api/importColumns.ts';
import type { ImportRequest, AnyImportRow, ImportRow } from '#shared/api/imports.ts';
import type { NewOrder } from '#shared/api/order.ts';
import type { NewItem } from '#shared/api/orderItem.ts';
import type { PlaceRename } from '#shared/api/placeRename.ts';
import type { ArticlesOfFile } from '#shared/lib/tables/articles.ts';
import type { Mapping } from '#shared/lib/tables/mapping.ts';
import type { OrdersOfFile } from '#shared/lib/tables/orders.ts';
import type { MapPosition, ReadPlace } from '#shared/lib/tables/places.ts';
import type { ReadMemo } from '#shared/lib/tables/readMemo.ts';
import type { EndReason } from '#shared/lib/tables/states.ts';
import type { FileTable } from '#shared/lib/tables/table.ts';
import type { EndedOrder, MappedColumns, OrderContent, ReadOrder, ReadRow } from '#shared/lib/tables/types.ts';

/** Table of imports with their steps and previews. */
export type ImportTable = Pick<Repositories, 'imports'>;

/** State shared by the import functions. `alone` runs imports, corrections and undos one at a time. */
export type ImportsContext = ReadingContext & {
  repositories: TablesOf<'imports'>;
  reads: TablesOf<'imports'>;
  writer: Pick<Writer, 'write' | 'writeEach' | 'writeLarge'>;
  orders: Pick<Orders, 'addWithin' | 'check' | 'endWithin' | 'markEndedWithin' | 'removeWithin' | 'replaceWithin'>;
  aliases: Pick<Aliases, 'addWithin' | 'openCommands' | 'removeWithin' | 'replaceWithin'>;
  articles: ImportedArticles;
  placeNames: Pick<ArticlePlaceNames, 'give' | 'take'>;
  devices: Pick<Devices, 'change'>;
  placeLights: Pick<PlaceLights, 'together'>;
  places: Pick<PlaceService, 'renameWithin'>;
  map: Pick<MapService, 'move' | 'newId' | 'save'>;
  audit: Audit;
  sheets: SheetFetcher;
  alone: Lane;
  kept: KeptPreviews;
};

export type ReadingContext = {
  reads: TablesOf<'imports'>;
  foregroundReads: Pick<StepQueue, 'take' | 'takeAll'>;
  settings: Pick<SettingsService, 'current'>;
  clock: Pick<Clock, 'now'>;
  tables: Pick<TableFiles, 'readTable' | 'writeWorkbook'>;
  /** Whether a place or device has this name. If undefined, the station's current places are searched. */
  isPlace?: (text: string) => boolean;
};

export type ReadingOptions = Omit<Partial<ImportRequest>, 'csv' | 'dry_run' | 'url'>;

/** Options for reading the rows of orders. */
export type RowOptions = Pick<
  ReadingOptions,
  'date_order' | 'decimal' | 'include_left_out' | 'order_prefix' | 'place_paths' | 'states' | 'units' | 'unpaid'
>;

/** Opened file with the cells of the selected sheet. */
export type OpenedFile = {
  /** Encoding of a text file, or null for a workbook. */
  encoding: string | null;
  /** Names of the visible sheets in a workbook. */
  sheets: readonly string[];
  table: FileTable;
  /** Options of the request, completed with remembered answers. */
  options: ReadingOptions;
  /** Remembered answers that completed the options, or null if there are none. */
  remembered: RememberedColumns | null;
  /** Answers to remember for these column names, or null if the request contains none. */
  said: RememberedAnswers | null;
};

export type MappedFile = OpenedFile & { mapping: Mapping };

/** Location file that was read. `places` is undefined while questions about columns are unanswered. */
export type PlacesReading = MappedFile & { places: readonly ReadPlace[] | undefined };

/** Article file that was read. `articles` is undefined while questions about columns are unanswered. */
export type ArticlesReading = MappedFile & { articles: Extract<ArticlesOfFile, { ok: true }> | undefined };

export type FileReading = MappedFile &
  (
    | { orders: Extract<OrdersOfFile, { ok: true }>; mapping: MappedColumns }
    /** Order file with unanswered questions about columns. */
    | { orders: undefined }
  );

/** Finds the remembered answers for the column names of a table. */
export type Recall = (table: FileTable) => RememberedColumns | undefined;

/** Stored file of a preview. `corrections` contains new cell texts by line and column index. */
export type PreviewFile = OpenedFile & { corrections: Record<string, Record<string, string>> };

/**
 * Outcome of an order. `doubts` are warnings about its number, and about what a change removes. `ends` tells how the order ended elsewhere, and
 * `gone` contains the lines and pieces if only a part ended. A changed order with `ends` ends here too, and a refused one waits for a decision.
 * `line` is the line of the faulty row, or 0 if the fault affects the whole order. `isConflict` tells whether a readable order conflicts with
 * data in the station.
 */
export type OrderOutcome =
  | ({ outcome: 'new' | 'changed'; doubts?: readonly string[] } & Partial<SaidEnd>)
  /** An order without lines to pick, about which the station has nothing to do. */
  | { outcome: 'left_out'; doubts?: readonly string[] }
  /** `held` means that the order is kept as a draft on request. */
  | { outcome: 'held' | 'known'; message: string }
  | ({ outcome: 'refused'; line: number; message: string; isConflict?: boolean } & Partial<SaidEnd>);

/** How an order ended elsewhere according to a file, or only the lines and pieces in `gone`. */
export type SaidEnd = { ends: EndReason; gone?: readonly NewItem[] };

export type Assessment =
  | Exclude<OrderOutcome, { outcome: 'new' | 'changed' }>
  | { outcome: 'new' | 'changed'; wanted: NewOrder; removed?: Removed; doubts?: readonly string[] }
  | ({ outcome: 'changed'; doubts: readonly string[] } & SaidEnd);

/** Order in a file with its outcome. */
export type OrderOfFile = { number: string; rows: readonly ReadRow[]; assessment: OrderOutcome };

/**
 * Order in a file before the import. The content to write is `assessment.wanted`. `read` is an order with lines to pick as the file has it,
 * and `ended` an order without.
 */
export type AssessedOrder = OrderOfFile & { assessment: Assessment; read?: OrderContent; ended?: EndedOrder };

/** Order file with the outcome of each order. */
export type AssessedOrders = { reading: FileReading; orders: readonly AssessedOrder[]; leftOut: readonly ReadRow[] };

/** Checked order. `read` is its content in the file, and `rows` are its rows in the response once they are computed. */
export type Evaluated = { read: ReadOrder; assessed: AssessedOrder; rows?: readonly ImportRow[] };

/**
 * Results to reuse for the next version of a file: parsed rows and orders, and checked orders by number. Orders are dropped when the
 * station changes in a way that affects them.
 */
export type Evaluation = { memo: ReadMemo; orders: Map<string, Evaluated>; leftOut: WeakMap<ReadRow, ImportRow> };

/** Preview in memory. `table` and `fields` include the corrections. `rows` contains the stored rows by line. */
export type KeptPreview = {
  file: PreviewFile;
  table: FileTable;
  fields: MappedColumns['fields'];
  rows: Map<number, AnyImportRow>;
  evaluation: Evaluation;
};

/** Previews that people are correcting. They stay in memory, so that a correction checks only the orders that it affects. */
export type KeptPreviews = {
  find(id: number): KeptPreview | undefined;
  keep(id: number, preview: KeptPreview): void;
  drop(id: number): void;
  /**
   * Returns an empty evaluation, or undefined for a file that is too long. While it is in use, orders that a change to the station affects are
   * dropped from it.
   */
  openFor(table: Pick<FileTable, 'rows'>): Evaluation | undefined;
  stop(): void;
};

/** File with its reading options. `name` is the file name for display. */
export type ImportFile = { bytes: Uint8Array; name: string; options: ReadingOptions };

/** Import options. `keeps` makes a dry run store a preview. */
export type ImportHow = { dryRun: boolean; keeps: boolean; by: By };

/** Whether devices hang elsewhere or places have new names, if a file moves labels. */
export type Moves = NonNullable<ImportRequest['moves']>;

/**
 * Changes that a row requests. `deviceId` is null for a place that waits for a device. `id` and `before` are null for a new alias. `isKnown`
 * tells whether the alias stays unchanged.
 */
export type WantedPlace = {
  deviceId: string | null;
  alias: { id: number | null; after: NewLocationAlias; before: NewLocationAlias | null; isKnown: boolean } | null;
  /** Change of the device's label, or null if the row has no label or the device already has it. */
  label: { after: string; before: string } | null;
  /** Change of what is known of the place besides its goods and lights, or null for none. */
  named: { name: string; after: PlaceNote; before: PlaceNote } | null;
  /** Articles that get the place. */
  articles: readonly GivenArticle[];
  /** Places to rename instead of moving only their labels and aliases. */
  renames: readonly PlaceRename[];
  /** Position on the map to create or to put a device in, or null for no change. */
  cell: WantedCell | null;
};

/** Position on the map. `deviceId` is the device to put there, or null for a place that waits. `says` describes the change. */
export type WantedCell = { deviceId: string | null; position: MapPosition; says: string };

/**
 * Row in a location file with its outcome. `loses` is the place with goods that the row leaves without a light. `warning` is '' if there is
 * none. `isConflict` tells whether a refused row is readable but
 * conflicts with another row or with data in the station.
 */
export type AssessedPlace = { read: ReadPlace } & (
  | { outcome: 'new' | 'changed' | 'known'; wanted: WantedPlace; warning: string; loses?: string }
  | { outcome: 'refused' | 'left_out'; message: string; isConflict?: boolean; loses?: string }
);

/** Location file with the outcome of each row. */
export type AssessedLocations = { reading: PlacesReading; places: readonly AssessedPlace[] };

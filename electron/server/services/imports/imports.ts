import type { RememberedColumns } from '#shared/api/importColumns.ts';
import type { Draft, DraftCorrection, DraftsQuery, ImportRun } from '#shared/api/importDrafts.ts';
import type {
  AnyImport,
  AnyImportRow,
  AnyImportUndo,
  ImportCorrected,
  ImportEntry,
  ImportUndoForecast,
  ImportRowsQuery,
  ImportWithRows,
  ImportWithUndo,
  LastOrderImport,
  OrderImport,
  OrderImportUndo,
} from '#shared/api/imports.ts';
import type { NewOrder, OrderQuery } from '#shared/api/order.ts';
import type { TableField } from '#shared/lib/tables/fields.ts';
import { copiesKeptMs } from '../../domain/history/copiesKept.ts';
import { StationError } from '../../errors.ts';
import { type By } from '../base/index.ts';
import { createLane } from '../../scheduling/index.ts';
import { applyOrders, type AroundOrders } from './orders/applyOrders.ts';
import { type AroundImport, type BegunFile, getEntry, type MadeImport } from './applySteps.ts';
import type {
  ImportsContext,
  ImportFile,
  ImportHow,
  AssessedOrder,
  AssessedOrders,
  OrderOfFile,
  Evaluation,
  OpenedFile,
  ReadingOptions,
} from './types.ts';
import { correctDraft, createFromDraft, discardDraft, getDraft, listDrafts } from './drafts.ts';
import { findBegun } from './locations/begunLocations.ts';
import { undoArticles } from './articles/applyArticles.ts';
import { type ExportedArticles, exportArticlesCsv, exportArticlesWorkbook } from './articles/exportArticles.ts';
import { exportLocationsCsv, exportLocationsWorkbook } from './locations/exportLocations.ts';
import { exportOrdersCsv, exportOrdersWorkbook, nextExported } from './orders/exportOrders.ts';
import {
  type AssessedFile,
  assessArticleFile,
  assessFile,
  assessLocationFile,
  assessOrderFile,
  refuseUnclear,
} from './assessedFile.ts';
import { assessOrder, assessOrders } from './orders/assessOrders.ts';
import { getLastLocationImport, importLocations, undoLastLocationImport } from './locations/olderLocationImport.ts';
import { correctRow, keepPreview, runPreview } from './previews.ts';
import { forecastUndo } from './forecastUndo.ts';
import { openFile } from './readFile.ts';
import { forget, remember } from './rememberedColumns.ts';
import { undoLocations } from './locations/undoLocations.ts';
import { undoOrders } from './orders/undoOrders.ts';
import { redoImport } from './redoSteps.ts';
import { beginUndo } from './undoSteps.ts';

/** Default number of rows in a response. */
const PAGE_ROWS = 200;
/** Number of orders, articles or places to count per step. A step takes about 1 ms. */
const COUNTED = 500;

/** Creates the service that imports files, with previews, drafts and undo, and exports them. */
export function createImports(parts: Omit<ImportsContext, 'alone'>) {
  const context: ImportsContext = { ...parts, alone: createLane() };
  return {
    run: (file: ImportFile, how: ImportHow) => run(context, file, how),
    runOrders: (file: ImportFile, how: ImportHow) => runOrders(context, file, how),
    importLocations: (file: ImportFile, how: Omit<ImportHow, 'keeps'>) => importLocations(context, file, how),
    getLastLocationImport: () => getLastLocationImport(context),
    undoLastLocationImport: (id: number, by: By) => undoLastLocationImport(context, id, by),
    readSheet: (url: string) => readSheet(context, url),
    assess: (bytes: Uint8Array, options: ReadingOptions) => assess(context, bytes, options),
    assessDocument: (wanted: NewOrder) => assessDocument(context, wanted),
    /**
     * Checks a file. If `begun` names an interrupted import of this file, its locations are checked as they were when that import began.
     */
    assessFile: (bytes: Uint8Array, options: ReadingOptions, begun?: BegunFile) =>
      assessAny(context, bytes, options, begun),
    applyFile: (assessed: Pick<AssessedFile, 'apply'>, made: MadeImport, around: AroundImport) =>
      context.alone(() => assessed.apply(made, around)),
    apply: (assessed: Pick<AssessedOrders, 'orders' | 'leftOut'>, made: MadeImport, around?: AroundOrders) =>
      apply(context, assessed, made, around),
    /** Lists the rows of a finished inbox import. Returns undefined if the import is no longer stored. */
    listRowsOfFile: (kind: ImportEntry['kind'], file: BegunFile) => listRowsOfFile(context, kind, file),
    list: () => list(context),
    get: (id: number, query: ImportRowsQuery) => get(context, id, query),
    getWithUndo: (id: number, query: ImportRowsQuery) => getWithUndo(context, id, query),
    kindOf: (id: number) => kindOf(context, id),
    correct: (id: number, line: number, cells: Partial<Record<TableField, string>>, by: By) =>
      correct(context, id, line, cells, by),
    runPreview: (id: number, by: By, how: ImportRun) => runOne(context, id, by, how),
    listDrafts: (query: DraftsQuery) => listDrafts(context, query),
    getDraft: (id: number) => getDraft(context, id),
    correctDraft: (id: number, rows: DraftCorrection, refuseChanged: (current: Draft) => void) =>
      correctDraft(context, id, rows, refuseChanged),
    createFromDraft: (id: number, by: By, refuseChanged: (current: Draft) => void) =>
      createFromDraft(context, id, by, refuseChanged),
    discardDraft: (id: number, refuseChanged: (current: Draft) => void) => discardDraft(context, id, refuseChanged),
    undo: (id: number, by: By) => undo(context, id, by),
    redo: (id: number, by: By) => context.alone(() => redoImport(context, id, by)),
    listColumns: () => listColumns(context),
    forgetColumns: (id: number) => forget(context, id),
    last: (by: By) => last(context, by),
    undoLast: (id: number | undefined, by: By) => undoLast(context, id, by),
    exportCsv: (query: OrderQuery, separator: ',' | ';', signal: AbortSignal) =>
      exportOrdersCsv(context, query, separator, signal),
    exportWorkbook: (query: OrderQuery, signal: AbortSignal) => exportOrdersWorkbook(context, query, signal),
    exportNext: (query: OrderQuery) => nextExported(context, query),
    exportArticlesCsv: (wanted: ExportedArticles, separator: ',' | ';', signal: AbortSignal) =>
      exportArticlesCsv(context, wanted, separator, signal),
    exportArticlesWorkbook: (wanted: ExportedArticles, signal: AbortSignal) =>
      exportArticlesWorkbook(context, wanted, signal),
    exportLocationsCsv: (separator: ',' | ';', signal: AbortSignal) => exportLocationsCsv(context, separator, signal),
    exportLocationsWorkbook: (signal: AbortSignal) => exportLocationsWorkbook(context, signal),
  };
}

export type Imports = ReturnType<typeof createImports>;

/** Reads an order file and checks each order. Throws `invalid` if the file cannot be read. */
async function assess(context: ImportsContext, bytes: Uint8Array, options: ReadingOptions): Promise<AssessedOrders> {
  return assessOrders(context, await openFile(context, bytes, options));
}

/** Reads a file of the kind that its options name, and checks each row. Throws `invalid` if the file cannot be read. */
async function assessAny(
  context: ImportsContext,
  bytes: Uint8Array,
  options: ReadingOptions,
  file: BegunFile | undefined,
): Promise<AssessedFile> {
  const begun = file === undefined || options.kind !== 'locations' ? undefined : await findBegun(context, file);
  if (begun !== undefined) {
    const { isPlace } = begun;
    return assessLocationFile({ ...context, isPlace }, await openFile({ ...context, isPlace }, bytes, options), begun);
  }
  return assessFile(context, await openFile(context, bytes, options), undefined);
}

function assessDocument({ reads, orders }: ImportsContext, wanted: NewOrder): AssessedOrder {
  const number = wanted.order_number;
  return assessOrder(reads, orders, { number, rows: [], problem: null, wanted });
}

/** Imports a file of any kind. Throws the same errors as `runOrders`. */
function run(context: ImportsContext, file: ImportFile, how: ImportHow): Promise<AnyImport> {
  return {
    orders: () => runOrders(context, file, how),
    articles: () => runFile(context, file, { ...how, assess: assessArticleFile }),
    locations: () => runFile(context, file, { ...how, assess: (parts, opened) => assessLocationFile(parts, opened) }),
  }[file.options.kind ?? 'orders']();
}

/**
 * Creates the orders in a file and changes orders that nobody has started. Each order is written completely or not at all. A dry run
 * changes nothing; with `keeps`, it stores a preview. Throws `invalid` if the file cannot be read.
 */
function runOrders(context: ImportsContext, file: ImportFile, how: ImportHow): Promise<OrderImport> {
  return runFile(context, file, { ...how, assess: assessOrderFile });
}

async function runFile<Answer extends AnyImport>(
  context: ImportsContext,
  { bytes, name, options }: ImportFile,
  {
    dryRun,
    keeps,
    by,
    assess: assessOpened,
  }: ImportHow & {
    assess: (context: ImportsContext, opened: OpenedFile, evaluation?: Evaluation) => Promise<AssessedFile<Answer>>;
  },
): Promise<Answer> {
  const opened = await openFile(context, bytes, options);
  const evaluation = dryRun && keeps ? context.kept.openFor(opened.table) : undefined;
  const assessed = await assessOpened(context, opened, evaluation);
  const { reading } = assessed;
  if (!dryRun) {
    refuseUnclear(reading);
    const end: AroundOrders['end'] = (tx) => remember(context.repositories, tx, reading, by);
    const applied = await context.alone(() => assessed.apply({ source: 'api', name, by }, { end }));
    return assessed.answer({ id: applied.id, dryRun }, applied);
  }
  const counts = await assessed.counts();
  if (!reading.mapping.ok) return assessed.answer({ id: null, dryRun }, { counts, rows: [] });
  const rows = await assessed.rows();
  const file = { ...opened, corrections: {} };
  const { fields } = reading.mapping;
  const id = keeps ? await keepPreview(context, file, { counts, rows, name, by, evaluation, fields }) : null;
  return assessed.answer({ id, dryRun }, { counts, rows });
}

/**
 * Creates and changes the orders of a checked file. Resolves to the orders with their outcomes. `around` contains additional writes for the
 * same transactions.
 */
function apply(
  context: ImportsContext,
  assessed: Pick<AssessedOrders, 'orders' | 'leftOut'>,
  made: MadeImport,
  around?: AroundOrders,
): Promise<readonly OrderOfFile[]> {
  return context.alone(async () => (await applyOrders(context, assessed, made, around)).applied);
}

/** Changes cells in a row of a preview. Throws `not_found`, `invalid`, or `conflict` if the preview was already imported. */
function correct(
  context: ImportsContext,
  id: number,
  line: number,
  cells: Partial<Record<TableField, string>>,
  by: By,
): Promise<ImportCorrected> {
  return correctRow(context, id, { line, cells, by });
}

/** Imports a preview. Throws `not_found` or `conflict`. */
async function runOne(context: ImportsContext, id: number, by: By, how: ImportRun): Promise<ImportWithRows> {
  await runPreview(context, id, by, how);
  return get(context, id, {});
}

async function listRowsOfFile(
  { reads, foregroundReads }: ImportsContext,
  kind: ImportEntry['kind'],
  { name, since }: BegunFile,
): Promise<AnyImportRow[] | undefined> {
  const found = reads.imports.findOfFile(kind, 'inbox', name, since);
  if (found === undefined) return undefined;
  const rows: AnyImportRow[] = [];
  for (;;) {
    const after = rows.at(-1)?.line ?? 0;
    const page = { outcome: undefined, after, limit: PAGE_ROWS };
    const part = await foregroundReads.take(() => reads.imports.listRows(found.id, page));
    rows.push(...part);
    if (part.length < PAGE_ROWS) return rows;
  }
}

async function list(context: ImportsContext): Promise<ImportEntry[]> {
  const entries: ImportEntry[] = [];
  for (const entry of context.reads.imports.list(copiesKeptMs(context.settings.current())))
    entries.push(await withMostUndoable(context, entry));
  return entries;
}

/** Returns an import with its rows. Throws `not_found`. */
async function get(
  context: ImportsContext,
  id: number,
  { outcome, after = 0, limit = PAGE_ROWS }: ImportRowsQuery,
): Promise<ImportWithRows> {
  return {
    ...(await withMostUndoable(context, getEntry(context.reads, id, copiesKeptMs(context.settings.current())))),
    rows: context.reads.imports.listRows(id, { outcome, after, limit }),
  };
}

/** Returns an import with its rows and, on the first page, what an undo would do now. Throws `not_found`. */
async function getWithUndo(context: ImportsContext, id: number, query: ImportRowsQuery): Promise<ImportWithUndo> {
  const found = await get(context, id, query);
  const undo = query.after === undefined && canUndo(found) ? await forecastUndo(context, found) : null;
  return { ...found, ...(undo === null ? {} : { undoable: undoableIn(context, found, undo) }), undo };
}

/** Returns the kind of an import. Throws `not_found`. */
function kindOf({ reads }: ImportsContext, id: number): ImportEntry['kind'] {
  return getEntry(reads, id).kind;
}

function canUndo({ state }: Pick<ImportEntry, 'state'>): boolean {
  return state === 'imported' || state === 'importing';
}

/** Counts what an undo would do now. An undo that was interrupted after its last step can still be completed. */
function undoableIn(
  { reads }: ImportsContext,
  { id }: Pick<ImportEntry, 'id'>,
  { removed, restored }: Pick<ImportUndoForecast, 'removed' | 'restored'>,
): number {
  const count = removed.count + restored.count;
  return count === 0 ? reads.importUndone.count(id) : count;
}

/**
 * Adds the highest number of things that an undo could remove or restore. A forecast for each import in a list would take too long. Reads in
 * steps, so that a press waits for one step at most.
 */
async function withMostUndoable(
  { reads, foregroundReads }: ImportsContext,
  entry: Omit<ImportEntry, 'undoable'>,
): Promise<ImportEntry> {
  const { id, kind } = entry;
  if (!canUndo(entry)) return { ...entry, undoable: 0 };
  let undoable = 0;
  for (let offset = 0, size = COUNTED; size === COUNTED; offset += COUNTED) {
    const from = offset;
    const part = await foregroundReads.take(() =>
      reads.imports.countUndoable(id, kind, { offset: from, limit: COUNTED }),
    );
    undoable += part.undoable;
    size = part.size;
  }
  // Offer to complete an undo that was interrupted after its last step.
  return { ...entry, undoable: undoable === 0 ? reads.importUndone.count(id) : undoable };
}

/** Undoes an import. Throws `not_found`, or `conflict` if the import was already undone or is a preview. */
function undo(context: ImportsContext, id: number, by: By): Promise<AnyImportUndo> {
  return context.alone<AnyImportUndo>(async () => {
    const { kind } = await beginUndo(context, () => id);
    return { orders: undoOrders, articles: undoArticles, locations: undoLocations }[kind](context, id, by);
  });
}

/** Returns the caller's last import that created or changed orders. Throws `not_found`. */
async function last(context: ImportsContext, by: By): Promise<LastOrderImport> {
  const found = context.reads.imports.lastOf(by.name);
  if (found === undefined)
    throw new StationError('not_found', 'You have imported no orders. POST /api/order-import/ imports a file.');
  const { id, at, by: name, counts } = found;
  return { id, at, by: name, counts, undoable: undoableIn(context, found, await forecastUndo(context, found)) };
}

/** Undoes the caller's last import. If `id` is set, undoes it only if it is still the last one. Throws `not_found`. */
function undoLast(context: ImportsContext, id: number | undefined, by: By): Promise<OrderImportUndo> {
  return context.alone(async () => {
    const begun = await beginUndo(context, (imports) => {
      const found = imports.lastOf(by.name);
      if (found !== undefined && (id === undefined || id === found.id)) return found.id;
      throw new StationError(
        'not_found',
        'This import cannot be undone here: it was already undone, or another one of yours followed. GET /api/imports/ lists all of them.',
      );
    });
    return undoOrders(context, begun.id, by);
  });
}

function listColumns({ reads }: ImportsContext): RememberedColumns[] {
  return reads.rememberedColumns.list();
}

/** Downloads a sheet from its address. Throws `invalid` with the reason if this fails. */
function readSheet({ sheets }: ImportsContext, url: string): Promise<{ bytes: Uint8Array; name: string }> {
  return sheets.read(url);
}

import type { RememberedColumns } from '#shared/api/importColumns.ts';
import type { Draft, DraftCorrection, DraftEntry, DraftsQuery, ImportRun } from '#shared/api/importDrafts.ts';
import type {
  AnyImport,
  AnyImportUndo,
  ImportCorrected,
  ImportEntry,
  ImportRowsQuery,
  ImportWithRows,
  LastOrderImport,
  OrderImport,
  OrderImportUndo,
} from '#shared/api/imports.ts';
import type { ImportUndo, LastImport, LocationImport } from '#shared/api/locationImport.ts';
import type { NewOrder, OrderQuery } from '#shared/api/order.ts';
import type { TableField } from '#shared/lib/tables/fields.ts';
import { StationError } from '../../errors.ts';
import { bind, type By, createLane, type In } from '../base/index.ts';
import { applyOrders, type AroundOrders } from './applyOrders.ts';
import { getEntry, type MadeImport } from './applySteps.ts';
import type { ImportsContext } from './context.ts';
import { correctDraft, createFromDraft, discardDraft, getDraft, listDrafts } from './drafts.ts';
import { exportLocationsCsv, exportLocationsWorkbook } from './exportLocations.ts';
import { exportOrdersCsv, exportOrdersWorkbook, nextExported } from './exportOrders.ts';
import { type JudgedFile, judgeLocationFile, judgeOrderFile, refuseUnclear } from './judgedFile.ts';
import { type JudgedOrder, type JudgedOrders, judgeOrder, judgeOrders, type OrderOfFile } from './judgeOrders.ts';
import { getLastLocationImport, importLocations, undoLastLocationImport } from './olderLocationImport.ts';
import type { Evaluation } from './keptPreviews.ts';
import { correctRow, keepPreview, runPreview } from './previews.ts';
import { openFile, type OpenedFile, type ReadingOptions } from './readFile.ts';
import { forget, remember } from './rememberedColumns.ts';
import { undoLocations } from './undoLocations.ts';
import { undoOrders } from './undoOrders.ts';
import { beginUndo } from './undoSteps.ts';

/** A file and how to read it. `name`: of the file, for people. */
export type ImportFile = { bytes: Uint8Array; name: string; options: ReadingOptions };

export type Imports = {
  /** Imports a file of the kind in its options, like `runOrders` or `importLocations`. */
  run(file: ImportFile, how: ImportHow): Promise<AnyImport>;
  /**
   * Creates the orders of a file and changes those that nobody has started, each completely or not at all. A dry run changes nothing; with
   * `keeps`, it stores a preview. Throws `invalid`, without changes, if the file cannot be read.
   */
  runOrders(file: ImportFile, how: ImportHow): Promise<OrderImport>;
  /** Creates and changes the places of a file one by one. Throws `invalid`, without changes, if the file cannot be read. */
  importLocations(file: ImportFile, how: Omit<ImportHow, 'keeps'>): Promise<LocationImport>;
  /** The last import of locations, by any caller. Throws `not_found`. */
  getLastLocationImport(): LastImport;
  /** Undoes the last import of locations. Throws `not_found` unless `id` is that import. */
  undoLastLocationImport(id: number, by: By): Promise<ImportUndo>;
  /** Fetches a sheet from its address. Throws `invalid` with the reason. */
  readSheet(url: string): Promise<{ bytes: Uint8Array; name: string }>;
  /** Reads and judges a file of orders. Throws `invalid` if it cannot be read. */
  judge(bytes: Uint8Array, options: ReadingOptions): Promise<JudgedOrders>;
  /** Judges an order that was read from a document. */
  judgeDocument(wanted: NewOrder): JudgedOrder;
  /** Creates and changes the orders of a judged file. Returns them with their outcomes. `around`: additional writes in the same use-cases. */
  apply(
    judged: Pick<JudgedOrders, 'orders' | 'leftOut'>,
    made: MadeImport,
    around?: AroundOrders,
  ): Promise<readonly OrderOfFile[]>;
  list(): Promise<ImportEntry[]>;
  /** Throws `not_found`. */
  get(id: number, query: ImportRowsQuery): Promise<ImportWithRows>;
  /** Throws `not_found`. */
  kindOf(id: number): ImportEntry['kind'];
  /** Changes cells of a row of a preview. Throws `not_found`, `invalid`, or `conflict` if it was imported. */
  correct(id: number, line: number, cells: Partial<Record<TableField, string>>, by: By): Promise<ImportCorrected>;
  /** Imports a preview. Throws `not_found` or `conflict`. */
  runPreview(id: number, by: By, how: ImportRun): Promise<ImportWithRows>;
  /** Drafts: orders of files that are kept to be corrected. The newest first. */
  listDrafts(query: DraftsQuery): DraftEntry[];
  /** Throws `not_found`. */
  getDraft(id: number): Promise<Draft>;
  /** Changes cells of a draft. Throws `not_found`, `invalid`, or what `refuseChanged` throws. */
  correctDraft(id: number, rows: DraftCorrection, refuseChanged: (current: Draft) => void): Promise<Draft>;
  /**
   * Creates the order of a draft and removes the draft. Throws `not_found`, `invalid`, `conflict` if the order exists, or what
   * `refuseChanged` throws.
   */
  createFromDraft(id: number, by: By, refuseChanged: (current: Draft) => void): Promise<{ order_number: string }>;
  /** Throws `not_found`, or what `refuseChanged` throws. */
  discardDraft(id: number, refuseChanged: (current: Draft) => void): Promise<void>;
  /** Throws `not_found`, or `conflict` if it was undone or is a preview. */
  undo(id: number, by: By): Promise<AnyImportUndo>;
  /** Remembered columns, most recently used first. */
  listColumns(): RememberedColumns[];
  /** Throws `not_found`. */
  forgetColumns(id: number): Promise<void>;
  /** The last import of this caller that created or changed orders. Throws `not_found`. */
  last(by: By): Promise<LastOrderImport>;
  /** Undoes it. `id`: only if it is still the last one. Throws `not_found`. */
  undoLast(id: number | undefined, by: By): Promise<OrderImportUndo>;
  /** Exports orders as a file that the import reads back unchanged. */
  exportCsv(query: OrderQuery, separator: ',' | ';', signal: AbortSignal): AsyncGenerator<string, void, void>;
  exportWorkbook(query: OrderQuery, signal: AbortSignal): Promise<Uint8Array>;
  /** The order after which an export with a limit continues. Undefined: nothing follows. */
  exportNext(query: OrderQuery): string | undefined;
  /** Exports labels and aliases as a file that the import reads back unchanged. */
  exportLocationsCsv(separator: ',' | ';', signal: AbortSignal): AsyncGenerator<string, void, void>;
  exportLocationsWorkbook(signal: AbortSignal): Promise<Uint8Array>;
};

/** `keeps`: a dry run stores a preview. */
type ImportHow = { dryRun: boolean; keeps: boolean; by: By };

type InImports<K extends keyof Imports> = In<ImportsContext, Imports[K]>;

/** Default page size, in rows. */
const PAGE_ROWS = 200;
/** Orders or places counted in one step: about a millisecond. */
const COUNTED = 500;

export function createImports(parts: Omit<ImportsContext, 'alone'>): Imports {
  return bind(
    { ...parts, alone: createLane() },
    {
      run,
      runOrders,
      importLocations,
      getLastLocationImport,
      undoLastLocationImport,
      readSheet,
      judge,
      judgeDocument,
      apply,
      list,
      get,
      kindOf,
      correct,
      runPreview: runOne,
      listDrafts,
      getDraft,
      correctDraft,
      createFromDraft,
      discardDraft,
      undo,
      last,
      undoLast,
      listColumns,
      forgetColumns: forget,
      exportCsv: exportOrdersCsv,
      exportWorkbook: exportOrdersWorkbook,
      exportNext: nextExported,
      exportLocationsCsv,
      exportLocationsWorkbook,
    },
  );
}

const judge: InImports<'judge'> = async (context, bytes, options) =>
  judgeOrders(context, await openFile(context, bytes, options));

const judgeDocument: InImports<'judgeDocument'> = ({ reads, orders }, wanted) => {
  const number = wanted.order_number;
  return judgeOrder(reads, orders, { number, rows: [], problem: null, wanted });
};

const run: InImports<'run'> = (context, file, how) =>
  file.options.kind === 'locations'
    ? runFile(context, file, { ...how, judge: judgeLocationFile })
    : runOrders(context, file, how);

const runOrders: InImports<'runOrders'> = (context, file, how) =>
  runFile(context, file, { ...how, judge: judgeOrderFile });

async function runFile<Answer extends AnyImport>(
  context: ImportsContext,
  { bytes, name, options }: ImportFile,
  {
    dryRun,
    keeps,
    by,
    judge: judgeOpened,
  }: ImportHow & {
    judge: (context: ImportsContext, opened: OpenedFile, evaluation?: Evaluation) => Promise<JudgedFile<Answer>>;
  },
): Promise<Answer> {
  const opened = await openFile(context, bytes, options);
  const evaluation = dryRun && keeps ? context.kept.open() : undefined;
  const judged = await judgeOpened(context, opened, evaluation);
  const { reading, counts } = judged;
  if (!dryRun) {
    refuseUnclear(reading);
    const end: AroundOrders['end'] = (tx) => remember(context.repositories, tx, reading, by);
    const applied = await context.alone(() => judged.apply({ source: 'api', name, by }, { end }));
    return judged.answer({ id: applied.id, dryRun }, applied);
  }
  if (!reading.mapping.ok) return judged.answer({ id: null, dryRun }, { counts, rows: [] });
  const rows = await judged.rows();
  const file = { ...opened, corrections: {} };
  const id =
    evaluation === undefined
      ? null
      : await keepPreview(context, file, { counts, rows, name, by, evaluation, fields: reading.mapping.fields });
  return judged.answer({ id, dryRun }, { counts, rows });
}

const apply: InImports<'apply'> = (context, judged, made, around) =>
  context.alone(async () => (await applyOrders(context, judged, made, around)).applied);

const correct: InImports<'correct'> = (context, id, line, cells, by) => correctRow(context, id, { line, cells, by });

const runOne: InImports<'runPreview'> = async (context, id, by, how) => {
  await runPreview(context, id, by, how);
  return get(context, id, {});
};

const list: InImports<'list'> = async (context) => {
  const entries: ImportEntry[] = [];
  for (const entry of context.reads.imports.list()) entries.push(await withUndoable(context, entry));
  return entries;
};

const get: InImports<'get'> = async (context, id, { outcome, after = 0, limit = PAGE_ROWS }) => ({
  ...(await withUndoable(context, getEntry(context.reads, id))),
  rows: context.reads.imports.listRows(id, { outcome, after, limit }),
});

const kindOf: InImports<'kindOf'> = ({ reads }, id) => getEntry(reads, id).kind;

/** Counts what an undo would remove or restore now, in steps: a press waits for one of them only. */
async function withUndoable(
  { reads, backgroundReads }: ImportsContext,
  entry: Omit<ImportEntry, 'undoable'>,
): Promise<ImportEntry> {
  const { id, kind, state } = entry;
  if (state !== 'imported' && state !== 'importing') return { ...entry, undoable: 0 };
  let undoable = 0;
  for (let offset = 0, size = COUNTED; size === COUNTED; offset += COUNTED) {
    const from = offset;
    const part = await backgroundReads.take(() =>
      reads.imports.countUndoable(id, kind, { offset: from, limit: COUNTED }),
    );
    undoable += part.undoable;
    size = part.size;
  }
  return { ...entry, undoable };
}

const undo: InImports<'undo'> = (context, id, by) =>
  context.alone<AnyImportUndo>(async () => {
    const { kind } = await beginUndo(context, () => id);
    return kind === 'locations' ? undoLocations(context, id, by) : undoOrders(context, id, by);
  });

const last: InImports<'last'> = async (context, by) => {
  const found = context.reads.imports.lastOf(by.name);
  if (found === undefined)
    throw new StationError('not_found', 'You have imported no orders. POST /api/order-import/ imports a file.');
  const { id, at, by: name, counts, undoable } = await withUndoable(context, found);
  return { id, at, by: name, counts, undoable };
};

const undoLast: InImports<'undoLast'> = (context, id, by) =>
  context.alone(async () => {
    const begun = await beginUndo(context, (imports) => {
      const found = imports.lastOf(by.name);
      if (found !== undefined && (id === undefined || id === found.id)) return found.id;
      throw new StationError(
        'not_found',
        'This import cannot be undone here: it was undone already, or another one of yours followed. GET /api/imports/ lists all of them.',
      );
    });
    return undoOrders(context, begun.id, by);
  });

const listColumns: InImports<'listColumns'> = ({ reads }) => reads.rememberedColumns.list();

const readSheet: InImports<'readSheet'> = ({ sheets }, url) => sheets.read(url);

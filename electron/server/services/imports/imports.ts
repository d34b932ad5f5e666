import type {
  AnyImport,
  AnyImportUndo,
  ImportCorrected,
  ImportEntry,
  ImportRowsQuery,
  ImportWithRows,
  LastOrderImport,
  LocationFileImport,
  OrderImport,
  OrderImportUndo,
  RememberedColumns,
} from '#shared/api/imports.ts';
import type { ImportUndo, LastImport, LocationImport } from '#shared/api/locationImport.ts';
import type { NewOrder, OrderQuery } from '#shared/api/order.ts';
import type { TableField } from '#shared/lib/tables/fields.ts';
import { StationError } from '../../errors.ts';
import { bind, type By, createLane, type In } from '../base/index.ts';
import { importAliases, lastAliasImport, undoAliasImport } from './aliasImport.ts';
import { countsOf } from './apply.ts';
import { applyFile, type AroundImport, type MadeImport } from './applyFile.ts';
import { type ExportedFile, type ExportFormat, exportOrders } from './exportOrders.ts';
import { exportPlaces } from './exportPlaces.ts';
import { type JudgedOrder, judgeOrder } from './judge.ts';
import {
  answeredRows,
  answerOf,
  getEntry,
  type ImportsContext,
  judgeOpened,
  type JudgedFile,
  unclear,
} from './judgeFile.ts';
import { applyPlaces, clearPlaces, judgePlaceFile, placeCounts, placeRow, placesAnswer } from './placeFile.ts';
import { correctRow, keepPreview, runPreview } from './previews.ts';
import { openFile, type ReadingOptions } from './readFile.ts';
import { forget, remember } from './rememberedColumns.ts';
import { undoImport } from './undo.ts';
import { undoPlaces } from './undoPlaces.ts';

/** A file and how to read it. `name`: of the file, for people. */
export type ImportFile = { bytes: Uint8Array; name: string; options: ReadingOptions };

export type Imports = {
  /** Imports a file of the kind in its options, like `runOrders` or `importAliases`. */
  run(file: ImportFile, how: ImportHow): Promise<AnyImport>;
  /**
   * Creates the orders of a file and changes those that nobody has started, each completely or not at all. A dry run changes nothing; with
   * `keeps`, it stores a preview. Throws `invalid`, without changes, if the file cannot be read.
   */
  runOrders(file: ImportFile, how: ImportHow): Promise<OrderImport>;
  /** Creates and changes the places of a file one by one. Throws `invalid`, without changes, if the file cannot be read. */
  importAliases(file: ImportFile, how: Omit<ImportHow, 'keeps'>): Promise<LocationImport>;
  /** The last import of places, by any caller. Throws `not_found`. */
  lastAliasImport(): LastImport;
  /** Undoes the last import of places. Throws `not_found` unless `id` is that import. */
  undoAliasImport(id: number, by: By): Promise<ImportUndo>;
  /** Fetches a sheet from its address. Throws `invalid` with the reason. */
  readSheet(url: string): Promise<{ bytes: Uint8Array; name: string }>;
  /** Reads and judges a file. Throws `invalid` if it cannot be read. */
  judge(bytes: Uint8Array, options: ReadingOptions): Promise<JudgedFile>;
  /** Judges an order that was read from a document. */
  judgeDocument(wanted: NewOrder): JudgedOrder;
  /** Creates and changes the orders of a judged file. `around`: additional writes in the same commits. */
  apply(judged: Pick<JudgedFile, 'orders' | 'leftOut'>, made: MadeImport, around?: AroundImport): Promise<void>;
  list(): ImportEntry[];
  /** Throws `not_found`. */
  get(id: number, query: ImportRowsQuery): ImportWithRows;
  /** Changes cells of a row of a preview. Throws `not_found`, `invalid`, or `conflict` if it was imported. */
  correct(id: number, line: number, cells: Partial<Record<TableField, string>>, by: By): Promise<ImportCorrected>;
  /** Imports a preview. Throws `not_found` or `conflict`. */
  runPreview(id: number, by: By): Promise<ImportWithRows>;
  /** Throws `not_found`, or `conflict` if it was undone or is a preview. */
  undo(id: number, by: By): Promise<AnyImportUndo>;
  /** Remembered columns, most recently used first. */
  listColumns(): RememberedColumns[];
  /** Throws `not_found`. */
  forgetColumns(id: number): Promise<void>;
  /** The last import of this caller that created or changed orders. Throws `not_found`. */
  last(by: By): LastOrderImport;
  /** Undoes it. `id`: only if it is still the last one. Throws `not_found`. */
  undoLast(id: number | undefined, by: By): Promise<OrderImportUndo>;
  /** Exports orders as a file that the import reads back unchanged. */
  export(query: OrderQuery, how: ExportFormat): Promise<ExportedFile>;
  /** Exports labels and aliases as a file that the import reads back unchanged. */
  exportPlaces(how: ExportFormat): Promise<ExportedFile>;
};

/** `keeps`: a dry run stores a preview. */
type ImportHow = { dryRun: boolean; keeps: boolean; by: By };

type InImports<K extends keyof Imports> = In<ImportsContext, Imports[K]>;

/** Default page size, in rows. */
const PAGE_ROWS = 200;

export function createImports(parts: Omit<ImportsContext, 'alone'>): Imports {
  return bind(
    { ...parts, alone: createLane() },
    {
      run,
      runOrders,
      importAliases,
      lastAliasImport,
      undoAliasImport,
      readSheet,
      judge,
      judgeDocument,
      apply,
      list,
      get,
      correct,
      runPreview: runOne,
      undo,
      last,
      undoLast,
      listColumns,
      forgetColumns: forget,
      export: exportOrders,
      exportPlaces,
    },
  );
}

const judge: InImports<'judge'> = async (context, bytes, options) => {
  const opened = await openFile(context, bytes, options);
  return judgeOpened(context, opened, opened.options);
};

const judgeDocument: InImports<'judgeDocument'> = ({ reads, orders }, wanted) => {
  const number = wanted.order_number;
  return judgeOrder(reads, orders, { number, rows: [], problem: null, wanted });
};

const run: InImports<'run'> = (context, file, how) =>
  file.options.kind === 'locations' ? runPlaces(context, file, how) : runOrders(context, file, how);

const runOrders: InImports<'runOrders'> = async (context, { bytes, name, options }, { dryRun, keeps, by }) => {
  const opened = await openFile(context, bytes, options);
  const judged = await judgeOpened(context, opened, opened.options);
  if (judged.reading.orders === undefined) {
    if (dryRun) return answerOf(judged, { id: null, dryRun, rows: [] });
    throw unclear(judged.reading);
  }
  if (!dryRun) {
    const { id, rows } = await applyFile(context, judged, { source: 'api', name, by });
    await remember(context, judged.reading, by);
    const { orders, changed } = countsOf(judged.orders, judged.leftOut.length);
    return answerOf(judged, { id: orders + changed === 0 ? null : id, dryRun, rows });
  }
  const rows = await answeredRows(context, judged);
  const counts = countsOf(judged.orders, judged.leftOut.length);
  const id = keeps ? await keepPreview(context, { ...opened, corrections: {} }, { counts, rows, name, by }) : null;
  return answerOf(judged, { id, dryRun, rows });
};

async function runPlaces(
  context: ImportsContext,
  { bytes, name, options }: ImportFile,
  { dryRun, keeps, by }: ImportHow,
): Promise<LocationFileImport> {
  const opened = await openFile(context, bytes, options);
  const judged = await judgePlaceFile(context, opened, opened.options);
  if (dryRun && judged.reading.places === undefined) return placesAnswer(judged, { id: null, dryRun, rows: [] });
  clearPlaces(judged);
  if (!dryRun) {
    const { id, places, rows } = await applyPlaces(context, judged, { source: 'api', name, by });
    await remember(context, judged.reading, by);
    const counts = placeCounts(places);
    return placesAnswer({ ...judged, places }, { id: counts.new + counts.changed === 0 ? null : id, dryRun, rows });
  }
  const rows = judged.places.map(placeRow);
  const counts = placeCounts(judged.places);
  const id = keeps ? await keepPreview(context, { ...opened, corrections: {} }, { counts, rows, name, by }) : null;
  return placesAnswer(judged, { id, dryRun, rows });
}

const apply: InImports<'apply'> = async (context, judged, made, around) => {
  await applyFile(context, judged, made, around);
};

const correct: InImports<'correct'> = (context, id, line, cells, by) => correctRow(context, id, { line, cells, by });

const runOne: InImports<'runPreview'> = async (context, id, by) => {
  await runPreview(context, id, by);
  return get(context, id, {});
};

const list: InImports<'list'> = ({ reads }) => reads.imports.list();

const get: InImports<'get'> = ({ reads }, id, { outcome, after = 0, limit = PAGE_ROWS }) => ({
  ...getEntry(reads, id),
  rows: reads.imports.listRows(id, { outcome, after, limit }),
});

const undo: InImports<'undo'> = (context, id, by) =>
  context.alone<AnyImportUndo>(() => {
    const { kind, state } = getEntry(context.reads, id);
    if (state === 'undone') throw new StationError('conflict', `Import ${id} was undone already.`);
    if (state === 'preview') throw new StationError('conflict', `Import ${id} is a preview: nothing was imported.`);
    return kind === 'locations' ? undoPlaces(context, id, by) : undoImport(context, id, by);
  });

const last: InImports<'last'> = ({ reads }, by) => {
  const found = reads.imports.lastOf(by.name);
  if (found !== undefined) {
    const { id, at, counts, undoable } = found;
    return { id, at, by: found.by, counts, undoable };
  }
  throw new StationError('not_found', 'You have imported no orders. POST /api/order-import/ imports a file.');
};

const undoLast: InImports<'undoLast'> = async (context, id, by) => {
  const found = context.reads.imports.lastOf(by.name);
  if (found === undefined || (id !== undefined && id !== found.id)) {
    throw new StationError(
      'not_found',
      'This import cannot be undone here: it was undone already, or another one of yours followed. GET /api/imports/ lists all of them.',
    );
  }
  return context.alone(() => undoImport(context, found.id, by));
};

const listColumns: InImports<'listColumns'> = ({ reads }) => reads.rememberedColumns.list();

const readSheet: InImports<'readSheet'> = ({ sheets }, url) => sheets.read(url);

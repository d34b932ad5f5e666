import type {
  ImportCorrected,
  ImportCounts,
  ImportEntry,
  ImportRow,
  ImportRowsQuery,
  ImportWithRows,
  LastOrderImport,
  OrderImport,
  OrderImportUndo,
} from '#shared/api/imports.ts';
import type { NewOrder, OrderQuery } from '#shared/api/order.ts';
import type { OrderField } from '#shared/lib/tables/fields.ts';
import type { ReadRow } from '#shared/lib/tables/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { type Audit, bind, type By, createLane, type In, type Lane } from '../base/index.ts';
import type { TargetTables } from '../devices/index.ts';
import type { Orders } from '../orders/index.ts';
import { applyOrders, countsOf } from './apply.ts';
import { exportOrders, type OrderExport } from './exportOrders.ts';
import { compare, type JudgedOrder, judgeOrder } from './judge.ts';
import { correctedTable, packPreview, type PreviewFile, unpackPreview } from './previewFile.ts';
import {
  type FileReading,
  openFile,
  type OpenedFile,
  readOrders,
  type ReadingContext,
  type ReadingOptions,
} from './readFile.ts';
import { leftOutAnswer, rowAnswer } from './rowAnswer.ts';
import { undoImport } from './undo.ts';

/** A file and how to read it. `name`: of the file, for people. */
export type ImportFile = { bytes: Uint8Array; name: string; options: ReadingOptions };

/** A file that was read, and what would become of its orders. */
export type JudgedFile = { reading: FileReading; orders: readonly JudgedOrder[]; leftOut: readonly ReadRow[] };

export type Imports = {
  /**
   * Creates the orders of a file and changes those that nobody has started, each whole or not at all. A dry run only reports what
   * would happen; `keeps`: as a preview that can be corrected and imported. Throws `invalid`, before it changes anything, if the
   * file cannot be read.
   */
  run(file: ImportFile, how: { dryRun: boolean; keeps: boolean; by: By }): Promise<OrderImport>;
  /** Reads and judges a file. Throws `invalid` if it cannot be read. */
  judge(bytes: Uint8Array, options: ReadingOptions): Promise<JudgedFile>;
  /** Judges an order that was read from a document. */
  judgeDocument(wanted: NewOrder): JudgedOrder;
  /** Creates and changes the orders of a judged file. `around`: what is written with its orders. */
  apply(judged: Pick<JudgedFile, 'orders' | 'leftOut'>, made: MadeImport, around?: AroundImport): Promise<number>;
  list(): ImportEntry[];
  /** Throws `not_found`. */
  get(id: number, query: ImportRowsQuery): ImportWithRows;
  /** New texts of cells of a row of a preview. Throws `not_found`, `invalid`, or `conflict` if it was imported. */
  correct(id: number, line: number, cells: Partial<Record<OrderField, string>>, by: By): Promise<ImportCorrected>;
  /** Imports a preview. Throws `not_found` or `conflict`. */
  runPreview(id: number, by: By): Promise<ImportWithRows>;
  /** Throws `not_found`, or `conflict` if it was undone or is a preview. */
  undo(id: number, by: By): Promise<OrderImportUndo>;
  /** The last import of this caller that created or changed orders. Throws `not_found`. */
  last(by: By): LastOrderImport;
  /** Undoes it. `id`: only if it is still the last one. Throws `not_found`. */
  undoLast(id: number | undefined, by: By): Promise<OrderImportUndo>;
  /** Orders as a file that the import reads back unchanged. */
  export(query: OrderQuery, format: 'csv' | 'xlsx'): Promise<OrderExport>;
};

type MadeImport = { source: ImportEntry['source']; name: string; by: By; id?: number };
type AroundImport = {
  begin?(tx: Transaction): void;
  done?(tx: Transaction, order: JudgedOrder): void;
  end?(tx: Transaction, counts: ImportCounts): void;
};

/** One at a time, so that none undoes the orders of another. */
export type ImportsContext = ReadingContext & {
  repositories: Pick<Repositories, 'imports' | 'items' | 'orders'>;
  reads: Pick<Repositories, 'imports' | 'items' | 'orders'> & TargetTables;
  writer: Pick<Writer, 'write' | 'writeEach'>;
  orders: Pick<Orders, 'addWithin' | 'check' | 'removeWithin' | 'replaceWithin'>;
  audit: Audit;
  alone: Lane;
};

type InImports<K extends keyof Imports> = In<ImportsContext, Imports[K]>;

const KEPT_IMPORTS = 50;
const DAY_MS = 24 * 60 * 60_000;
const KEPT_MS = 30 * DAY_MS;
const KEPT_PREVIEW_MS = 7 * DAY_MS;
/** Rows judged, answered or stored in one step: about a millisecond each. */
const JUDGED_ORDERS = 20;
const ANSWERED_ROWS = 20;
const STORED_ROWS = 50;
const PAGE_ROWS = 200;
const NO_COUNTS: ImportCounts = { orders: 0, new: 0, changed: 0, known: 0, held: 0, refused: 0, left_out: 0 };

export function createImports(parts: Omit<ImportsContext, 'alone'>): Imports {
  return bind(
    { ...parts, alone: createLane() },
    { run, judge, judgeDocument, apply, list, get, correct, runPreview, undo, last, undoLast, export: exportOrders },
  );
}

const judge: InImports<'judge'> = async (context, bytes, options) =>
  judgeOpened(context, await openFile(context, bytes, options), options);

async function judgeOpened(context: ImportsContext, opened: OpenedFile, options: ReadingOptions): Promise<JudgedFile> {
  const { backgroundReads, reads } = context;
  const reading = await readOrders(context, opened, options);
  const orders: JudgedOrder[] = [];
  const read = reading.orders?.orders ?? [];
  for (let from = 0; from < read.length; from += JUDGED_ORDERS) {
    const part = read.slice(from, from + JUDGED_ORDERS);
    orders.push(...(await backgroundReads.take(() => part.map((each) => judgeOrder(reads, context.orders, each)))));
  }
  return { reading, orders, leftOut: reading.orders?.leftOut ?? [] };
}

const judgeDocument: InImports<'judgeDocument'> = ({ reads }, wanted) => ({
  number: wanted.order_number,
  rows: [],
  judgement: compare(reads, wanted),
});

const run: InImports<'run'> = async (context, { bytes, name, options }, { dryRun, keeps, by }) => {
  const opened = await openFile(context, bytes, options);
  const judged = await judgeOpened(context, opened, options);
  if (judged.reading.orders === undefined) {
    if (dryRun) return answerOf(judged, { id: null, dryRun, rows: [] });
    throw unclear(judged.reading);
  }
  if (!dryRun) {
    const id = await apply(context, judged, { source: 'api', name, by });
    const rows = await answeredRows(context, judged);
    await storeRows(context, id, rows);
    const { orders, changed } = countsOf(judged.orders, judged.leftOut.length);
    return answerOf(judged, { id: orders + changed === 0 ? null : id, dryRun, rows });
  }
  const rows = await answeredRows(context, judged);
  const id = keeps
    ? await keepPreview(context, { ...opened, options, corrections: {} }, { judged, rows, name, by })
    : null;
  return answerOf(judged, { id, dryRun, rows });
};

const apply: InImports<'apply'> = (context, judged, { source, name, by, id: preview }, around = {}) =>
  context.alone(async () => {
    const { repositories, audit } = context;
    const countNow = () => countsOf(judged.orders, judged.leftOut.length);
    let id = preview ?? 0;
    await applyOrders(context, judged.orders, {
      begin(tx) {
        repositories.imports.prune({ keep: KEPT_IMPORTS, old: tx.now - KEPT_MS, oldPreview: tx.now - KEPT_PREVIEW_MS });
        const made = { source, name, state: 'importing', by: by.name, counts: NO_COUNTS, at: tx.now } as const;
        if (preview === undefined) id = repositories.imports.add(made);
        else repositories.imports.save(id, 'importing', NO_COUNTS);
        around.begin?.(tx);
        return id;
      },
      ...(around.done === undefined ? {} : { done: around.done }),
      end(tx) {
        const counts = countNow();
        repositories.imports.save(id, 'imported', counts);
        repositories.imports.setFile(id, null);
        around.end?.(tx, counts);
        if (counts.orders + counts.changed === 0) return;
        const detail = { rows: { new: counts.orders } };
        audit.record(tx, { action: 'orders.imported', by, subject: source === 'inbox' ? name : '', detail });
      },
    });
    return id;
  });

/** Every row of the file with what became of it, or would become of it, in the order of the file. */
async function answeredRows({ reads, backgroundReads }: ImportsContext, judged: JudgedFile): Promise<ImportRow[]> {
  const answers: ImportRow[] = judged.leftOut.map(leftOutAnswer);
  const rows = judged.orders.flatMap((order) => order.rows.map((row) => ({ order, row })));
  for (let from = 0; from < rows.length; from += ANSWERED_ROWS) {
    const part = rows.slice(from, from + ANSWERED_ROWS);
    answers.push(...(await backgroundReads.take(() => part.map(({ order, row }) => rowAnswer(reads, order, row)))));
  }
  return answers.sort((a, b) => a.line - b.line);
}

async function storeRows(
  { repositories, writer }: ImportsContext,
  id: number,
  rows: readonly ImportRow[],
): Promise<void> {
  const parts: (readonly ImportRow[])[] = [];
  for (let from = 0; from < rows.length; from += STORED_ROWS) parts.push(rows.slice(from, from + STORED_ROWS));
  await writer.writeEach(
    parts,
    (_tx, part) => {
      for (const row of part) repositories.imports.setRow(id, row);
    },
    (error) => {
      throw error;
    },
  );
}

async function keepPreview(
  context: ImportsContext,
  file: PreviewFile,
  { judged, rows, name, by }: { judged: JudgedFile; rows: readonly ImportRow[]; name: string; by: By },
): Promise<number> {
  const { repositories, writer } = context;
  const bytes = await packPreview(file);
  const counts = countsOf(judged.orders, judged.leftOut.length);
  const id = await writer.write((tx) => {
    repositories.imports.prune({ keep: KEPT_IMPORTS, old: tx.now - KEPT_MS, oldPreview: tx.now - KEPT_PREVIEW_MS });
    const made = repositories.imports.add({ source: 'api', name, state: 'preview', by: by.name, counts, at: tx.now });
    repositories.imports.setFile(made, bytes);
    return made;
  });
  await storeRows(context, id, rows);
  return id;
}

const list: InImports<'list'> = ({ reads }) => reads.imports.list(KEPT_IMPORTS);

const get: InImports<'get'> = ({ reads }, id, { outcome, after = 0, limit = PAGE_ROWS }) => ({
  ...getEntry(reads, id),
  rows: reads.imports.listRows(id, { outcome, after, limit }),
});

function getEntry({ imports }: Pick<Repositories, 'imports'>, id: number): ImportEntry {
  const entry = imports.find(id);
  if (entry !== undefined) return entry;
  throw new StationError('not_found', `There is no import ${id}. GET /api/imports/ lists those that are kept.`);
}

const correct: InImports<'correct'> = async (context, id, line, cells, by) => {
  const { reads, repositories, writer } = context;
  const file = await getPreview(context, id, by);
  const before = await judgedPreview(context, file);
  const { mapping } = before.reading;
  const row = file.table.rows.find((each) => each.line === line);
  if (row === undefined) throw new StationError('not_found', `Import ${id} has no line ${line}.`);
  const corrected = { ...file.corrections[line] };
  for (const [field, text] of Object.entries(cells) as [OrderField, string][]) {
    const index = mapping.fields.get(field);
    if (index === undefined) throw noColumn(field);
    corrected[index] = text;
  }
  const next = { ...file, corrections: { ...file.corrections, [line]: corrected } };
  const judged = await judgedPreview(context, next);
  const rows = await answeredRows(context, judged);
  const known = new Map(
    reads.imports
      .listRows(id, { outcome: undefined, after: 0, limit: rows.length + 1 })
      .map((each) => [each.line, JSON.stringify(each)]),
  );
  const changed = rows.filter((each) => known.get(each.line) !== JSON.stringify(each));
  const bytes = await packPreview(next);
  const counts = countsOf(judged.orders, judged.leftOut.length);
  await writer.write(() => {
    if (repositories.imports.find(id)?.state !== 'preview') throw imported(id);
    repositories.imports.save(id, 'preview', counts);
    repositories.imports.setFile(id, bytes);
  });
  await storeRows(context, id, changed);
  return { counts, rows: changed };
};

const runPreview: InImports<'runPreview'> = async (context, id, by) => {
  const file = await getPreview(context, id, by);
  const judged = await judgedPreview(context, file);
  await apply(context, judged, { source: 'api', name: '', by, id });
  await storeRows(context, id, await answeredRows(context, judged));
  return get(context, id, {});
};

/** A preview belongs to the person who sent the file. */
async function getPreview({ reads }: ImportsContext, id: number, by: By): Promise<PreviewFile> {
  const entry = getEntry(reads, id);
  if (entry.by !== by.name) throw new StationError('not_found', `Import ${id} is the preview of somebody else.`);
  const bytes = reads.imports.findFile(id);
  if (entry.state !== 'preview' || bytes === undefined) throw imported(id);
  return unpackPreview(bytes);
}

async function judgedPreview(
  context: ImportsContext,
  file: PreviewFile,
): Promise<JudgedFile & { reading: Extract<FileReading, { orders: object }> }> {
  const judged = await judgeOpened(context, { ...file, table: correctedTable(file) }, file.options);
  if (judged.reading.orders === undefined) throw unclear(judged.reading);
  return { ...judged, reading: judged.reading };
}

const undo: InImports<'undo'> = async (context, id, by) => {
  const { state } = getEntry(context.reads, id);
  if (state === 'undone') throw new StationError('conflict', `Import ${id} was undone already.`);
  if (state === 'preview') throw new StationError('conflict', `Import ${id} is a preview: nothing was imported.`);
  return context.alone(() => undoImport(context, id, by));
};

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

function answerOf(
  { reading, orders, leftOut }: JudgedFile,
  { id, dryRun, rows }: { id: number | null; dryRun: boolean; rows: ImportRow[] },
): OrderImport {
  const { table, encoding, sheets, mapping } = reading;
  const fieldNames = mapping.columns.filter(({ field }) => field !== null).map(({ name }) => name);
  return {
    id,
    dry_run: dryRun,
    delimiter: table.delimiter,
    encoding,
    sheet: table.sheet,
    sheets: [...sheets],
    profile: mapping.ok ? (mapping.profile?.title ?? null) : null,
    columns: fieldNames,
    ignored: mapping.columns.filter(({ field }) => field === null).map(({ name }) => name),
    mapping: [...mapping.columns],
    questions: mapping.ok ? [] : mapping.questions,
    asks_date_order: reading.orders?.asksDateOrder ?? false,
    skipped: { hidden_rows: table.hiddenRows, hidden_columns: table.hiddenColumns },
    notes: [...table.notes],
    counts: countsOf(orders, leftOut.length),
    rows,
  };
}

function unclear({ mapping }: FileReading): StationError {
  const message = mapping.ok ? '' : mapping.message;
  return new StationError('invalid', message, [{ path: '/columns', message }]);
}

function noColumn(field: string): StationError {
  const message = `The file has no column for ${field}. Say in columns which one it is, and send the file again.`;
  return new StationError('invalid', message, [{ path: `/cells/${field}`, message }]);
}

function imported(id: number): StationError {
  return new StationError('conflict', `Import ${id} is not a preview any more. Send the file again to correct it.`);
}

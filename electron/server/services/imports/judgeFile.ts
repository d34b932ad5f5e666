import type { AnyImportRow, ImportEntry, ImportRow, OrderImport } from '#shared/api/imports.ts';
import type { ReadRow } from '#shared/lib/tables/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Aliases } from '../aliases/index.ts';
import type { Audit, Lane } from '../base/index.ts';
import type { Devices, TargetTables } from '../devices/index.ts';
import type { Orders } from '../orders/index.ts';
import { countsOf } from './apply.ts';
import { type JudgedOrder, judgeOrder } from './judge.ts';
import {
  type FileReading,
  type OpenedFile,
  type MappedFile,
  readOrders,
  type ReadingContext,
  type ReadingOptions,
} from './readFile.ts';
import type { SheetFetcher } from './sheetFetcher.ts';
import { fateOf, leftOutAnswer, rowAnswer } from './rowAnswer.ts';

/** A file with the outcome of each of its orders. */
export type JudgedFile = { reading: FileReading; orders: readonly JudgedOrder[]; leftOut: readonly ReadRow[] };

/** `alone`: runs imports, corrections and undos one at a time. */
export type ImportsContext = ReadingContext & {
  repositories: Pick<Repositories, 'aliases' | 'devices' | 'imports' | 'items' | 'orders' | 'rememberedColumns'>;
  reads: Pick<Repositories, 'accounts' | 'imports' | 'items' | 'orders' | 'rememberedColumns'> & TargetTables;
  writer: Pick<Writer, 'write' | 'writeEach'>;
  orders: Pick<Orders, 'addWithin' | 'check' | 'removeWithin' | 'replaceWithin'>;
  aliases: Pick<Aliases, 'addWithin' | 'openCommands' | 'removeWithin' | 'replaceWithin'>;
  devices: Pick<Devices, 'change'>;
  audit: Audit;
  sheets: SheetFetcher;
  alone: Lane;
};

/** Rows judged, answered or stored in one step: about a millisecond each. */
const JUDGED_ORDERS = 20;
const ANSWERED_ROWS = 20;
const STORED_ROWS = 50;

export async function judgeOpened(
  context: ImportsContext,
  opened: OpenedFile,
  options: ReadingOptions,
): Promise<JudgedFile> {
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

/** The outcome of every row, in the order of the file, with the device that a launch would light. */
export async function answeredRows(
  { reads, backgroundReads }: ImportsContext,
  judged: Pick<JudgedFile, 'leftOut' | 'orders'>,
): Promise<ImportRow[]> {
  const answers: ImportRow[] = judged.leftOut.map(leftOutAnswer);
  const rows = judged.orders.flatMap((order) => order.rows.map((row) => ({ order, row })));
  for (let from = 0; from < rows.length; from += ANSWERED_ROWS) {
    const part = rows.slice(from, from + ANSWERED_ROWS);
    answers.push(...(await backgroundReads.take(() => part.map(({ order, row }) => rowAnswer(reads, order, row)))));
  }
  return answers.sort((a, b) => a.line - b.line);
}

/** Like `answeredRows`, without devices. */
export function fatesOf({ orders, leftOut }: Pick<JudgedFile, 'leftOut' | 'orders'>): ImportRow[] {
  const answers = orders.flatMap((order) =>
    order.rows.map((row) => ({ ...leftOutAnswer(row), ...fateOf(order, row) })),
  );
  return [...leftOut.map(leftOutAnswer), ...answers].sort((a, b) => a.line - b.line);
}

export async function storeRows(
  { repositories, writer }: ImportsContext,
  id: number,
  rows: readonly AnyImportRow[],
): Promise<void> {
  const parts: (readonly AnyImportRow[])[] = [];
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

export function answerOf(
  { reading, orders, leftOut }: JudgedFile,
  { id, dryRun, rows }: { id: number | null; dryRun: boolean; rows: ImportRow[] },
): OrderImport {
  const asks = reading.orders?.asksDateOrder ?? false;
  const counts = countsOf(orders, leftOut.length);
  return { kind: 'orders', ...readAnswer(reading, { id, dryRun }), asks_date_order: asks, counts, rows };
}

/** The part of the answer that says how the file was read. */
export function readAnswer(
  { table, encoding, sheets, mapping, remembered }: MappedFile,
  { id, dryRun }: { id: number | null; dryRun: boolean },
): Omit<OrderImport, 'counts' | 'kind' | 'rows'> {
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
    remembered,
    asks_date_order: false,
    skipped: { hidden_rows: table.hiddenRows, hidden_columns: table.hiddenColumns },
    notes: [...table.notes],
  };
}

/** The error for a file with open questions about columns. */
export function unclear({ mapping }: Pick<MappedFile, 'mapping'>): StationError {
  const message = mapping.ok ? '' : mapping.message;
  return new StationError('invalid', message, [{ path: '/columns', message }]);
}

/** Throws `not_found`. */
export function getEntry({ imports }: Pick<Repositories, 'imports'>, id: number): ImportEntry {
  const entry = imports.find(id);
  if (entry !== undefined) return entry;
  throw new StationError('not_found', `There is no import ${id}. GET /api/imports/ lists those that are kept.`);
}

import type { AnyImportRow, ImportArticleRow, ImportRequest } from '#shared/api/imports.ts';
import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import type { OrderFormat, ResultRow } from '../../domain/folders/folderFiles.ts';
import { StationError } from '../../errors.ts';
import type { DocumentOrder } from '../../ports.ts';
import type { StepQueue } from '../../scheduling/index.ts';
import {
  type BegunFile,
  fateOf,
  type Imports,
  type AssessedOrder,
  type MadeImport,
  NO_LIGHT,
  type OrderOfFile,
  refuseRemoval,
} from '../imports/index.ts';
import type { ReadRow } from '#shared/lib/tables/types.ts';
import type { TableKind } from '#shared/lib/tables/fields.ts';
import type { Transaction } from '../../db/writer.ts';

/** Reads a document that contains one order or a list of orders. Throws a StationError if it cannot be read. */
export type ReadDocument = (bytes: Uint8Array, format: 'json' | 'xml') => InParts<DocumentOrder[]>;

/** The orders of a file, and rows without an order. Each order in a document counts as a row. */
export type FileContent = { orders: readonly AssessedOrder[]; leftOut: readonly ReadRow[] };

export type ContentContext = {
  imports: Pick<Imports, 'apply' | 'applyFile' | 'assess' | 'assessDocument' | 'assessFile' | 'listRowsOfFile'>;
  backgroundReads: Pick<StepQueue, 'take' | 'takeAll'>;
  readDocument: (...of: Parameters<ReadDocument>) => Promise<DocumentOrder[]>;
};

/** Returns the rows of the result file. `created` contains the numbers of the orders that the file created or changed. */
export type Results = (created: ReadonlySet<string>) => InParts<ResultRow[]>;

type AroundFile = {
  begin(tx: Transaction): void;
  /** Called in the transaction of each created or changed order. */
  done(number: string): void;
  end(): void;
};

/** A file from the inbox that was read but not imported. */
export type InboxContent = {
  /** Whether any row is refused. */
  isFailed: boolean;
  apply(made: MadeImport, around: AroundFile): Promise<Results>;
  /** Returns the results if the file was imported before. */
  resultsBefore(file: BegunFile): Promise<Results>;
};

/** Maximum size of a document, the same as over HTTP. Contract, section 2. */
const MAX_DOCUMENT_MIB = 4;
const SAY_MOVES = 'In the inbox, the name of the file says it, such as "racks moves=rename.csv".';

/** How to read a file. `moves` says what a file of places means that moves labels, if its name does. */
type ReadHow = { format: OrderFormat; moves: ImportRequest['moves']; begun: BegunFile | undefined };

/**
 * Reads a file from the inbox. `begun` is the file's interrupted import, if any. Throws a StationError with a one-sentence message if the
 * file cannot be read.
 */
export function readInboxContent(
  context: ContentContext,
  bytes: Uint8Array,
  { kind, ...how }: ReadHow & { kind: TableKind },
): Promise<InboxContent> {
  if (kind === 'orders') return readOrders(context, bytes, how.format);
  return readTable(context, bytes, { kind, ...how });
}

async function readOrders(context: ContentContext, bytes: Uint8Array, format: OrderFormat): Promise<InboxContent> {
  const read = await readContent(context, bytes, format);
  const content = { ...read, orders: read.orders.map(refuseRemoval) };
  const { orders, leftOut } = content;
  return {
    isFailed: orders.some(({ assessment }) => assessment.outcome === 'refused'),
    async apply(made, { begin, done, end }) {
      const around = { begin, end, done: (_tx: Transaction, { number }: OrderOfFile) => done(number) };
      const applied = await context.imports.apply(content, made, around);
      return (created) => resultsOf({ orders: applied, leftOut }, created);
    },
    resultsBefore: () => Promise.resolve((created) => resultsOf({ orders, leftOut }, created)),
  };
}

/** Reads articles or locations. The stock of existing articles is not changed. */
async function readTable(
  { imports }: ContentContext,
  bytes: Uint8Array,
  { kind, format, moves, begun }: ReadHow & { kind: 'articles' | 'locations' },
): Promise<InboxContent> {
  if (format !== 'table') throw unreadable(`Files of ${kind} end in .csv, .tsv, .txt or .xlsx.`);
  const assessed = await imports.assessFile(bytes, { kind, ...(moves === undefined ? {} : { moves }) }, begun);
  if (!assessed.reading.mapping.ok) throw unreadable(assessed.reading.mapping.message);
  const { refused } = await assessed.counts();
  return {
    isFailed: refused > 0,
    async apply(made, around) {
      const { rows } = await imports.applyFile(assessed, made, around);
      return () => rowResults(rows, moves);
    },
    async resultsBefore(file) {
      const rows = (await imports.listRowsOfFile(kind, file)) ?? (await assessed.rows());
      return () => rowResults(rows, moves);
    },
  };
}

/** `moves` is what the name of the file says about places that move labels. */
function* rowResults(rows: readonly AnyImportRow[], moves: ImportRequest['moves']): InParts<ResultRow[]> {
  yield;
  return rows.map((row) => {
    const { line, outcome, message } = row;
    const warning = 'without_light' in row && row.without_light ? NO_LIGHT : '';
    const figures = 'SKU' in row && 'level' in row ? figuresBefore(row) : '';
    const isAsked = moves === undefined && outcome === 'refused' && 'loses' in row && row.loses !== '';
    const reason = [message, isAsked ? SAY_MOVES : '', figures, warning].filter((text) => text !== '').join(' ');
    return { line, subject: 'SKU' in row ? row.SKU : row.name, outcome, reason };
  });
}

/** Describes the previous quantities of a changed article's place. */
function figuresBefore({ outcome, location, ...row }: ImportArticleRow): string {
  if (outcome !== 'changed') return '';
  const where = location === '' ? 'Its' : `At ${location}, the`;
  return [
    row.level === row.level_before ? '' : `${where} minimum was ${row.level_before ?? 'not set'}.`,
    row.stock === row.stock_before ? '' : `${where} stock was ${row.stock_before ?? 'not counted'}.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** Reads the orders in a file. Throws a StationError with a one-sentence message if the file cannot be read. */
export async function readContent(
  context: ContentContext,
  bytes: Uint8Array,
  format: OrderFormat,
): Promise<FileContent> {
  const { imports } = context;
  if (format !== 'table') {
    if (bytes.length > MAX_DOCUMENT_MIB * 1024 * 1024)
      throw unreadable(`A file of JSON or XML has at most ${MAX_DOCUMENT_MIB} MiB. Split it.`);
    return await documentOrders(context, bytes, format);
  }
  const { reading, orders, leftOut } = await imports.assess(bytes, {});
  if (reading.mapping.ok) return { orders, leftOut };
  throw unreadable(reading.mapping.message);
}

async function documentOrders(
  context: ContentContext,
  bytes: Uint8Array,
  format: 'json' | 'xml',
): Promise<FileContent> {
  const { backgroundReads, imports, readDocument } = context;
  const read = await readDocument(bytes, format);
  if (read.length === 0) throw unreadable('The file has no orders.');
  const seen = new Set<string>();
  const assessed: AssessedOrder[] = [];
  for (const [index, each] of read.entries()) {
    const { number } = each;
    const rows = [rowOf(index + 1, number)];
    const message = each.problem ?? (seen.has(number) ? `The file has order ${number} twice.` : '');
    seen.add(number);
    if (each.problem !== undefined || message !== '') {
      assessed.push({ number, rows, assessment: { outcome: 'refused', line: 0, message } });
    } else {
      assessed.push({ ...(await backgroundReads.take(() => imports.assessDocument(each.wanted))), rows });
    }
  }
  return { orders: assessed, leftOut: [] };
}

/** Represents an order in a document as a row with the order's position, starting at 1. */
function rowOf(line: number, number: string): ReadRow {
  return { line, said: { order_number: number }, kind: 'line', message: '', isWrong: false, item: undefined };
}

/** Returns the rows of the result file. `created` contains the numbers of the orders that this file created or changed. */
export function* resultsOf(
  { orders, leftOut }: { orders: readonly OrderOfFile[]; leftOut: readonly ReadRow[] },
  created: ReadonlySet<string>,
): InParts<ResultRow[]> {
  const pace = createPace();
  const rows = leftOut.map(({ line, said, message }): ResultRow => {
    return { line, subject: said.order_number ?? '', outcome: 'left_out', reason: message };
  });
  for (const order of orders) {
    // After a crash, orders that this file itself created are found as known, so report them as new.
    const isOurs = created.has(order.number) && order.assessment.outcome === 'known';
    for (const row of order.rows) {
      const { outcome, message } = fateOf(order, row);
      const fate =
        isOurs && outcome === 'known' ? { outcome: 'new', reason: row.message } : { outcome, reason: message };
      rows.push({ line: row.line, subject: order.number, ...fate });
    }
    if (pace.isDue()) yield* pace.rest();
  }
  return rows.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

function unreadable(message: string): StationError {
  return new StationError('invalid', message);
}

import { createHash } from 'node:crypto';
import type { Draft, DraftCorrection, DraftEntry, DraftsQuery } from '#shared/api/importDrafts.ts';
import type { NewOrder } from '#shared/api/order.ts';
import type { TableField } from '#shared/lib/tables/fields.ts';
import { readOrderRows } from '#shared/lib/tables/orders.ts';
import { PROFILES } from '#shared/lib/tables/profiles/profiles.ts';
import { type StateColumn, statesWithoutValues } from '#shared/lib/tables/stateColumns.ts';
import type { FileCell, TableRow } from '#shared/lib/tables/table.ts';
import type { StoredDraft } from '../../db/repositories/importDrafts.ts';
import { storedJson } from '../../db/storedJson.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import type { ImportsContext, AssessedOrder, OrderOutcome, FileReading, RowOptions } from './types.ts';
import { assessOrder } from './orders/assessOrders.ts';
import { digestOf } from './orders/orderContent.ts';
import { rowAnswer } from './orders/orderRows.ts';
import { correctedRow, noColumn } from './previewFile.ts';
import { readingWith } from './readFile.ts';
import type { MappedColumns, OrderContent, ReadOrder } from '#shared/lib/tables/types.ts';

/** Rows of one order, with the column mapping and the options of their file. */
type DraftFile = {
  head: readonly string[];
  fields: readonly (readonly [TableField, number])[];
  /** Id of the column profile, or null if none was recognized. */
  profile: string | null;
  /** Columns of states. Undefined for a draft of an earlier version. */
  states?: readonly StateColumn[];
  /** Columns that the importer ignored. Undefined for a draft of an earlier version. */
  setAside?: readonly number[];
  options: RowOptions;
  /** Keys of places to which several paths of the file led. Undefined for a draft of an earlier version. */
  sharedPlaces?: readonly string[];
  rows: readonly TableRow[];
};
type ReadFile = Extract<FileReading, { mapping: MappedColumns }>;
/** Draft with the order that its rows describe now. */
type OpenDraft = { stored: StoredDraft; file: DraftFile; order: OrderContent };

/** Default number of drafts in a response. */
const PAGE = 200;
const DAMAGED = 'The stored rows of this draft are damaged. Discard it, and import its file again.';
const NOTHING_TO_PICK = 'The rows of this draft have nothing to pick. Correct them, or discard the draft.';

/** Keeps a refused or held order as a draft, inside the transaction that would have created the order. */
export function keepDraft(
  { repositories }: Pick<ImportsContext, 'repositories'>,
  tx: Transaction,
  {
    reading,
    order,
    outcome,
    from,
  }: {
    reading: ReadFile;
    order: ReadOrder;
    outcome: Extract<OrderOutcome, { message: string }>;
    from: { id: number; by: By };
  },
): void {
  const file = draftFileOf(reading, order);
  repositories.importDrafts.add({
    import_id: from.id,
    name: repositories.imports.find(from.id)?.name ?? '',
    at: tx.now,
    by: from.by.name,
    order_number: order.number,
    message: outcome.outcome === 'refused' ? reasonOf(outcome) : '',
    file: JSON.stringify(file),
    digest: createHash('sha256')
      .update(JSON.stringify(file.rows.map(({ cells }) => cells)))
      .digest('base64'),
  });
}

function draftFileOf({ mapping, options, orders }: ReadFile, order: ReadOrder): DraftFile {
  const { head, fields, profile, states, setAside } = mapping;
  const { order_prefix, date_order, include_left_out, place_paths, states: meanings, units, unpaid } = options;
  const at = fields.get('order_number') ?? 0;
  // Each row gets the order number, because cells below the first one may be blank.
  const number = order.source[0]?.row.cells[at] ?? '';
  return {
    head,
    fields: [...fields],
    profile: profile?.id ?? null,
    states,
    setAside: [...setAside],
    options: {
      order_prefix,
      date_order,
      include_left_out,
      place_paths,
      units,
      decimal: orders.decimal,
      states: meanings,
      unpaid,
    },
    sharedPlaces: [...orders.sharedPlaces.keys],
    rows: order.source.map(({ row }) => ({ ...withCell(row, at, number), followsGap: false })),
  };
}

function withCell(row: TableRow, index: number, cell: FileCell): TableRow {
  const cells = [...row.cells];
  while (cells.length <= index) cells.push('');
  cells[index] = cell;
  return { ...row, cells };
}

/** Lists drafts, newest first. */
export function listDrafts({ reads }: ImportsContext, { after, limit = PAGE }: DraftsQuery): DraftEntry[] {
  return reads.importDrafts.list(after ?? Number.MAX_SAFE_INTEGER, limit);
}

/** Returns a draft. Throws `not_found`. */
export async function getDraft(context: ImportsContext, id: number): Promise<Draft> {
  const { stored, file, order } = await openDraft(context, findDraft(context.reads, id));
  return draftAnswer(context, { stored, file }, assessOrder(context.reads, context.orders, order));
}

/** Changes cells of a draft. Throws `not_found`, `invalid`, or an error from `refuseChanged`. */
export function correctDraft(
  context: ImportsContext,
  id: number,
  rows: DraftCorrection,
  refuseChanged: (current: Draft) => void,
): Promise<Draft> {
  const { reads, repositories, writer, orders } = context;
  return context.alone(async () => {
    const before = await openDraft(context, findDraft(reads, id));
    const next = await openDraft(context, {
      ...before.stored,
      file: JSON.stringify(rows.reduce(withCorrection, before.file)),
    });
    return writer.writeLarge(() => {
      refuseChanged(currentAnswer(context, id, before));
      const assessed = assessOrder(repositories, orders, next.order);
      const corrected = { ...next.stored, order_number: assessed.number, message: reasonOf(assessed.assessment) };
      repositories.importDrafts.save(id, corrected);
      return draftAnswer(context, { stored: findDraft(repositories, id), file: next.file }, assessed);
    });
  });
}

function withCorrection(file: DraftFile, { line, cells }: DraftCorrection[number], index: number): DraftFile {
  if (!file.rows.some((row) => row.line === line))
    throw new StationError('invalid', `The draft has no line ${line}.`, [
      { path: `/rows/${index}/line`, message: `The draft has no line ${line}.` },
    ]);
  const at = new Map(file.fields);
  let { rows } = file;
  for (const [field, text] of Object.entries(cells) as [TableField, string][]) {
    const column = at.get(field);
    if (column === undefined) throw noColumn(field, `/rows/${index}/cells/${field}`);
    const isOfAll = field === 'order_number';
    rows = rows.map((row) => (isOfAll || row.line === line ? correctedRow(row, { [column]: text }) : row));
  }
  return { ...file, rows };
}

/**
 * Creates the order of a draft and removes the draft. Resolves to the order number. Throws `not_found`, `invalid`, `conflict` if the order
 * exists, or an error from `refuseChanged`.
 */
export function createFromDraft(
  context: ImportsContext,
  id: number,
  by: By,
  refuseChanged: (current: Draft) => void,
): Promise<{ order_number: string }> {
  const { repositories, writer, orders, audit } = context;
  return context.alone(async () => {
    const draft = await findOpen(context, id);
    return writer.writeLarge((tx) => {
      if (draft === undefined) throw noDraft(id);
      const { order, stored } = draft;
      refuseChanged(currentAnswer(context, id, draft));
      const wanted = newOrderOf(context, order);
      const orderId = orders.addWithin(tx, wanted);
      repositories.imports.setDigest(digestOf(wanted), orderId);
      // Add the order to the import, so that undoing the import also removes it.
      const { state } = repositories.imports.find(stored.import_id) ?? {};
      if (state === 'imported' || state === 'importing')
        repositories.imports.addOrder(stored.import_id, orderId, { before: null, after: wanted });
      repositories.importDrafts.remove(id);
      audit.record(tx, {
        action: 'orders.imported',
        by,
        subject: stored.name,
        detail: { rows: { new: 1, changed: 0 } },
      });
      return { order_number: wanted.order_number };
    });
  });
}

/** Returns the order that a draft would create. Throws `conflict` if the order exists or was deleted, and `invalid` if it has errors. */
function newOrderOf({ repositories, orders }: ImportsContext, order: OrderContent): NewOrder {
  const { number } = order;
  if (repositories.orders.findByNumber(number) !== undefined) {
    const message = `Order ${number} already exists and was not changed. Change the order number of the draft, or discard the draft.`;
    throw new StationError('conflict', message);
  }
  const { assessment } = assessOrder(repositories, orders, order);
  if ('wanted' in assessment) return assessment.wanted;
  throw new StationError(assessment.outcome === 'refused' ? 'invalid' : 'conflict', reasonOf(assessment));
}

/** Returns why the order cannot be created, with the faulty line. Returns '' if the order can be created. */
function reasonOf(outcome: OrderOutcome): string {
  if (!('message' in outcome)) return '';
  const { message } = outcome;
  return outcome.outcome === 'refused' && outcome.line > 0 ? `Line ${outcome.line}: ${message}` : message;
}

/** Discards a draft. Throws `not_found`, or an error from `refuseChanged`. */
export function discardDraft(
  context: ImportsContext,
  id: number,
  refuseChanged: (current: Draft) => void,
): Promise<void> {
  const { repositories, writer } = context;
  return context.alone(async () => {
    const stored = context.reads.importDrafts.find(id);
    const draft = stored === undefined || isDamaged(stored) ? undefined : await openDraft(context, stored);
    return writer.write(() => {
      if (draft !== undefined) refuseChanged(currentAnswer(context, id, draft));
      if (repositories.importDrafts.remove(id) === 0) throw noDraft(id);
    });
  });
}

/**
 * Returns the current state of a draft, inside a transaction. The rows are still the ones in `draft`, because `alone` excludes other
 * changes. Throws `not_found`.
 */
function currentAnswer(context: ImportsContext, id: number, { file, order }: OpenDraft): Draft {
  const { repositories, orders } = context;
  return draftAnswer(context, { stored: findDraft(repositories, id), file }, assessOrder(repositories, orders, order));
}

function isDamaged({ file }: StoredDraft): boolean {
  return storedJson('import_drafts.file', file) === undefined;
}

async function openDraft(context: ImportsContext, stored: StoredDraft): Promise<OpenDraft> {
  const file = storedJson('import_drafts.file', stored.file) as DraftFile | undefined;
  if (file === undefined) throw new StationError('conflict', DAMAGED);
  const { head, fields, options, rows, sharedPlaces } = file;
  const profile = PROFILES.find(({ id }) => id === file.profile) ?? null;
  const mapping: MappedColumns = {
    ok: true,
    headLine: 0,
    head,
    body: rows,
    fields: new Map(fields),
    profile,
    states: file.states ?? (profile === null ? statesWithoutValues(new Map(fields)) : []),
    columns: [],
    ignored: [],
    setAside: new Set(file.setAside),
  };
  const how = readingWith(context, options, sharedPlaces);
  const read = await context.foregroundReads.takeAll(readOrderRows(mapping, how));
  const [order] = read.ok ? read.orders : [];
  if (order !== undefined) return { stored, file, order };
  const message = read.ok ? NOTHING_TO_PICK : read.message;
  const leftOut = read.ok ? read.leftOut : [];
  return {
    stored,
    file,
    order: { number: stored.order_number, rows: leftOut, problem: { line: 0, message }, wanted: undefined },
  };
}

function findDraft({ importDrafts }: Pick<ImportsContext['reads'], 'importDrafts'>, id: number): StoredDraft {
  const stored = importDrafts.find(id);
  if (stored === undefined) throw noDraft(id);
  return stored;
}

/**
 * Reads a draft. Resolves to undefined if the draft was removed, possibly by an earlier attempt of the same request. The transaction then
 * decides the response.
 */
async function findOpen(context: ImportsContext, id: number): Promise<OpenDraft | undefined> {
  const stored = context.reads.importDrafts.find(id);
  return stored === undefined ? undefined : openDraft(context, stored);
}

function noDraft(id: number): StationError {
  return new StationError(
    'not_found',
    `There is no draft ${id}. Its order was created, or it was discarded or has expired. GET /api/import-drafts/ lists all drafts.`,
  );
}

function draftAnswer(
  { reads }: ImportsContext,
  { stored: { file: _file, ...entry }, file: { fields } }: Pick<OpenDraft, 'file' | 'stored'>,
  assessed: AssessedOrder,
): Draft {
  return {
    ...entry,
    fields: fields.map(([field]) => field),
    rows: assessed.rows.map((row) => rowAnswer(reads, assessed, row)),
  };
}

import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import { newOrderSchema, type NewOrder } from '#shared/api/order.ts';
import { faultWords } from '#shared/api/schemaFaults.ts';
import type { OrderRow } from '../../../db/repositories/orders.ts';
import type { Repositories } from '../../../db/repositories.ts';
import { StationError } from '../../../errors.ts';
import { lineWarning, lookAlikeWarnings } from '../../base/index.ts';
import type { Orders, OrderTables } from '../../orders/index.ts';
import type {
  ImportsContext,
  ImportTable,
  Assessment,
  AssessedOrder,
  AssessedOrders,
  Evaluation,
  OpenedFile,
} from '../types.ts';
import {
  contentOf,
  differenceOf,
  digestOf,
  linesText,
  plainContent,
  removedBy,
  removedText,
  shownContentOf,
} from './orderContent.ts';
import { findEvaluated } from '../keptPreviews.ts';
import { articlesIn, itemsOf, missingIn, takeEnded, type Taken } from './linesElsewhere.ts';
import { createOrderDoubts } from './orderDoubts.ts';
import { elsewhereWords as words } from './elsewhereWords.ts';
import { assessEnded, assessPart, isDecided } from './ordersElsewhere.ts';
import { findEndingImport, startedIn } from './startedWords.ts';
import { readOrders } from '../readFile.ts';
import type { OrderContent, ReadOrder, ReadRow, SaidState } from '#shared/lib/tables/types.ts';

/** State of orders in a file without states. */
const SAYS_NOTHING: SaidState = { ended: [], isOpen: false };

type AssessTables = ImportTable & OrderTables & Pick<Repositories, 'articles' | 'batches' | 'lookAlikes'>;

/**
 * Reads an order file and checks each order. Reuses and updates the results for an earlier version of the file in `evaluation`.
 * `reading.orders` is undefined while questions about columns are unanswered. Throws `invalid` if the file cannot be read.
 */
export async function assessOrders(
  context: ImportsContext,
  opened: OpenedFile,
  evaluation?: Evaluation,
): Promise<AssessedOrders> {
  const { foregroundReads, reads } = context;
  const reading = await readOrders(context, opened, evaluation?.memo);
  const orders = await foregroundReads.takeAll(assessAll(context, reading.orders?.orders ?? [], evaluation));
  const { ended = [], waiting = [], leftOut: rest = [] } = reading.orders ?? {};
  const { orders: endedOrders, leftOut } = await foregroundReads.takeAll(
    assessEnded(reads, { ended, waiting, leftOut: rest }),
  );
  return { reading, orders: [...orders, ...endedOrders], leftOut };
}

function* assessAll(
  { reads, orders, clock }: Pick<ImportsContext, 'clock' | 'orders' | 'reads'>,
  read: readonly ReadOrder[],
  evaluation: Evaluation | undefined,
): InParts<AssessedOrder[]> {
  const pace = createPace();
  const assessed: AssessedOrder[] = [];
  const withDoubts = createOrderDoubts(reads, clock.now());
  for (const each of read) {
    const known = findEvaluated(evaluation, each);
    const now = known?.assessed ?? assessOrder(reads, orders, each);
    assessed.push(withDoubts(now));
    if (known === undefined) evaluation?.orders.set(each.number, { read: each, assessed: now });
    if (pace.isDue()) yield* pace.rest();
  }
  return assessed;
}

/** Decides the outcome of an order in a file. */
export function assessOrder(tables: AssessTables, orders: Pick<Orders, 'check'>, read: OrderContent): AssessedOrder {
  const { number } = read;
  const rows = read.rows.map((row) => withWarnings(tables, row));
  return { number, rows, read, assessment: assessmentOf(tables, orders, read) };
}

/** Fields of lines whose names people confuse, and the kinds of names to compare. */
const CONFUSED = [
  { field: 'SKU', kinds: ['sku', 'barcode'] },
  { field: 'warehouse_location', kinds: ['label', 'alias', 'place'] },
] as const;

/** Adds a note to a row whose article or place is unknown, but looks like a known one. */
function withWarnings(tables: AssessTables, row: ReadRow): ReadRow {
  const warnings = CONFUSED.flatMap(({ field, kinds }) => lineWarning(tables, row.item?.[field] ?? '', kinds) ?? []);
  return warnings.length === 0 ? row : { ...row, message: [row.message, ...warnings].join(' ').trim() };
}

function assessmentOf(tables: AssessTables, orders: Pick<Orders, 'check'>, read: OrderContent): Assessment {
  if (read.problem !== null) return { outcome: 'refused', ...read.problem };
  const message = faultOf(orders, read.wanted);
  if (message !== '') return { outcome: 'refused', line: 0, message };
  const compared = compare(tables, read.wanted, read.said);
  if (compared.outcome !== 'new') return compared;
  const doubts = lookAlikeWarnings(tables, 'order', read.wanted.order_number, { isOne: false });
  return doubts.length === 0 ? compared : { ...compared, doubts };
}

/**
 * Compares an order in a file with the station. Called again in the transaction that writes the order, because the station may have changed
 * since.
 */
export function compare(tables: AssessTables, wanted: NewOrder, said: SaidState = SAYS_NOTHING): Assessment {
  const number = wanted.order_number;
  const order = tables.orders.findByNumber(number);
  if (order === undefined && tables.orders.wasEnded(number)) {
    return {
      outcome: 'known',
      message: `Order ${number} ended and was deleted. To pick it again, create it with another number.`,
    };
  }
  if (order === undefined) return { outcome: 'new', wanted };
  const stored = contentOf(tables, order);
  const content = plainContent(stored);
  const file = plainContent(wanted);
  const digest = digestOf(wanted);
  const imported = tables.imports.findDigest(order.id);
  // An unchanged file counts as known, even if people edited the order. The same applies to an export, which has the names from the
  // articles, and to an order that was stored with entities.
  const isKnown =
    digest === imported || [stored, content, shownContentOf(tables, order)].some((each) => digest === digestOf(each));
  if (isKnown) return assessKnown(tables, order, said);
  const started = startedIn(tables, order);
  if (imported === digestOf(stored) && started === '') {
    const removed = removedBy(file, content);
    if (removed === undefined) return { outcome: 'changed', wanted };
    const doubts = [`The file removes ${removedText(removed)} from the order.`];
    // The file itself says what has become of lines that ended elsewhere.
    const isPart = removed.isPart && endedBy(tables, said, { wanted, content }).left.length > 0;
    return { outcome: 'changed', wanted, removed: { ...removed, isPart }, doubts };
  }
  const { gone, ends } = endedBy(tables, said, { wanted, content });
  if (ends !== undefined && isUnderWay(order) && !isDecided(tables, order, { gone, ends }))
    return assessPart(tables, order, { gone, ends });
  const why =
    started === '' ? (imported === undefined ? 'did not come from a file' : 'was edited since its import') : started;
  return {
    outcome: 'refused',
    line: 0,
    isConflict: true,
    message: `Order ${number} exists and ${why}, but ${differenceOf(file, content)}. Change the order itself, or remove it and import again.`,
  };
}

/**
 * Refuses a change by a file that may have only a part of the order, for callers that cannot ask anybody. Returns other orders unchanged.
 */
export function refuseRemoval(order: AssessedOrder): AssessedOrder {
  const { number, assessment } = order;
  if (!('removed' in assessment) || assessment.removed?.isPart !== true) return order;
  const message = `The file does not have ${linesText(assessment.removed.lines)} of order ${number}, so it may contain only a part of the order. Nothing was changed. Import the file on the page, or change the order itself.`;
  return { ...order, assessment: { outcome: 'refused', line: 0, isConflict: true, message } };
}

/** Compares the lines that a file no longer has with those that it reports as ended elsewhere. */
function endedBy(
  tables: AssessTables,
  { ended }: SaidState,
  { wanted, content }: { wanted: NewOrder; content: NewOrder },
): Taken {
  const articleOf = articlesIn(tables);
  return takeEnded(missingIn(itemsOf(wanted), itemsOf(content), articleOf), ended, articleOf);
}

/** Decides about an order with the same content as in the file. A file never opens an order again that another file has ended. */
function assessKnown(tables: AssessTables, order: OrderRow, { isOpen }: SaidState): Assessment {
  const { orderNumber: number, endedElsewhere: ends, isContinued } = order;
  const known = (message: string): Assessment => ({ outcome: 'known', message });
  const refused = (message: string): Assessment => ({ outcome: 'refused', line: 0, isConflict: true, message });
  if (order.state === 'aborted') {
    const id = findEndingImport(tables, order);
    if (id === undefined || ends === null) return known(words.aborted(number));
    const why = words.endedBy(id, ends);
    return isOpen ? refused(words.openAgain(number, why)) : known(why);
  }
  if (ends === null || isContinued || !isUnderWay(order)) return known(words.known(number));
  return isOpen ? refused(words.openButMarked(number, ends)) : known(words.marked(number, ends));
}

function isUnderWay({ state }: OrderRow): boolean {
  return state === 'open' || state === 'in_progress';
}

/** Returns why the station cannot accept the order, or '' if it can. */
function faultOf(orders: Pick<Orders, 'check'>, wanted: NewOrder): string {
  const { order_number, color, seconds, due_time, priority, customer, note } = wanted;
  // Lines were already validated when they were read.
  const own = { order_number, color, seconds, due_time, priority, customer, note, items: [] };
  const faults = faultWords(newOrderSchema, own);
  if (faults !== '') return faults;
  try {
    orders.check(wanted);
    return '';
  } catch (error) {
    if (error instanceof StationError) return error.message;
    throw error;
  }
}

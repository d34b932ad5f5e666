import { listText } from '#shared/lib/text/locale.ts';
import type { InParts } from '#shared/lib/station/inParts.ts';
import { newOrderSchema, type NewOrder } from '#shared/api/order.ts';
import { faultWords } from '#shared/api/schemaFaults.ts';
import type { Repositories } from '../../../db/repositories.ts';
import { StationError } from '../../../errors.ts';
import { lookAlikeWarnings } from '../../base/index.ts';
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
import { contentOf, shownContentOf, differenceOf, digestOf, type Removed, removedBy } from './orderContent.ts';
import { findEvaluated } from '../keptPreviews.ts';
import { assessEnded } from './endedOrders.ts';
import { isEndedUnstarted, startedWords } from './startedWords.ts';
import { readOrders } from '../readFile.ts';
import { END_REASONS } from '#shared/lib/tables/states.ts';
import type { OrderContent, ReadOrder } from '#shared/lib/tables/types.ts';

type AssessTables = ImportTable & OrderTables & Pick<Repositories, 'lookAlikes'>;

/** Cost of checking an order apart from its rows, in units of one row. */
const ORDER_COST = 5;
/** Maximum number of removed lines to name. */
const MOST_NAMED = 4;
/** Cost of an order whose earlier result is reused, in units of one row. */
const KNOWN_COST = 0.1;
/** Maximum cost of one step, in units of one row. A step takes about 1 ms. */
const JUDGED_COST = 120;

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
  const orders = await foregroundReads.takeAll(
    assessAll(reads, context.orders, reading.orders?.orders ?? [], evaluation),
  );
  const { ended = [], leftOut: rest = [] } = reading.orders ?? {};
  const { orders: endedOrders, leftOut } = await foregroundReads.takeAll(assessEnded(reads, ended, rest));
  return { reading, orders: [...orders, ...endedOrders], leftOut };
}

function* assessAll(
  tables: AssessTables,
  orders: Pick<Orders, 'check'>,
  read: readonly ReadOrder[],
  evaluation: Evaluation | undefined,
): InParts<AssessedOrder[]> {
  const assessed: AssessedOrder[] = [];
  let cost = 0;
  for (const each of read) {
    const known = findEvaluated(evaluation, each);
    const now = known?.assessed ?? assessOrder(tables, orders, each);
    assessed.push(now);
    if (known === undefined) evaluation?.orders.set(each.number, { read: each, assessed: now });
    cost += known === undefined ? ORDER_COST + each.rows.length : KNOWN_COST;
    if (cost < JUDGED_COST) continue;
    cost = 0;
    yield;
  }
  return assessed;
}

/** Decides the outcome of an order in a file. */
export function assessOrder(tables: AssessTables, orders: Pick<Orders, 'check'>, read: OrderContent): AssessedOrder {
  const { number, rows } = read;
  return { number, rows, assessment: assessmentOf(tables, orders, read) };
}

function assessmentOf(tables: AssessTables, orders: Pick<Orders, 'check'>, read: OrderContent): Assessment {
  if (read.problem !== null) return { outcome: 'refused', ...read.problem };
  const message = faultOf(orders, read.wanted);
  if (message !== '') return { outcome: 'refused', line: 0, message };
  const compared = compare(tables, read.wanted);
  if (compared.outcome !== 'new') return compared;
  const doubts = lookAlikeWarnings(tables, 'order', read.wanted.order_number, { isOne: false });
  return doubts.length === 0 ? compared : { ...compared, doubts };
}

/**
 * Compares an order in a file with the station. Called again in the transaction that writes the order, because the station may have changed
 * since.
 */
export function compare(tables: AssessTables, wanted: NewOrder): Assessment {
  const number = wanted.order_number;
  const order = tables.orders.findByNumber(number);
  if (order === undefined && tables.orders.wasEnded(number)) {
    return {
      outcome: 'known',
      message: `Order ${number} ended and was deleted. To pick it again, create it with another number.`,
    };
  }
  if (order === undefined) return { outcome: 'new', wanted };
  const content = contentOf(tables, order);
  const digest = digestOf(wanted);
  const imported = tables.imports.findDigest(order.id);
  // A file has ended the order, and now says that it is open again.
  const isReopened = isEndedUnstarted(order) && imported === digestOf(content);
  if (isReopened) return { outcome: 'changed', wanted };
  // An unchanged file counts as known, even if people edited the order. The same applies to an export, which has the names from the
  // articles.
  const isKnown =
    digest === imported || digest === digestOf(content) || digest === digestOf(shownContentOf(tables, order));
  if (isKnown) {
    return { outcome: 'known', message: `Order ${number} already exists and stays unchanged.` };
  }
  const started = startedWords(order);
  if (imported === digestOf(content) && started === '') {
    const removed = removedBy(wanted, content);
    if (removed === undefined) return { outcome: 'changed', wanted };
    return { outcome: 'changed', wanted, removed, doubts: [`It removes ${removedWords(removed)} from the order.`] };
  }
  const why =
    started === '' ? (imported === undefined ? 'did not come from a file' : 'was edited since its import') : started;
  return {
    outcome: 'refused',
    line: 0,
    isConflict: true,
    message: `Order ${number} exists and ${why}, but ${differenceOf(wanted, content)}. Change the order itself, or remove it and import again.`,
  };
}

/**
 * Refuses a change that only removes lines, for a caller who has nobody to ask: the file may have only a part of the order. Returns
 * other orders unchanged.
 */
export function refuseRemoval(order: AssessedOrder): AssessedOrder {
  const { number, assessment, rows } = order;
  if (!('removed' in assessment) || assessment.removed?.isAll !== true) return order;
  // The file itself says what has become of these lines.
  const ended = rows.filter(({ reason }) => END_REASONS.some((each) => each === reason)).length;
  if (ended >= assessment.removed.lines.length) return order;
  const message = `The file only removes ${removedWords(assessment.removed)} from order ${number}, so it may have only a part of the order. Nothing was changed. Import it on the page, or change the order itself.`;
  return { ...order, assessment: { outcome: 'refused', line: 0, isConflict: true, message } };
}

function removedWords({ lines }: Removed): string {
  const named = lines.length > MOST_NAMED ? lines.slice(0, MOST_NAMED - 1) : lines;
  return listText([...named, ...(named === lines ? [] : [`${lines.length - named.length} other lines`])]);
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

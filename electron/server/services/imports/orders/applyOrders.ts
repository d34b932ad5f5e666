import type { ImportRow } from '#shared/api/imports.ts';
import type { Transaction } from '../../../db/writer.ts';
import { StationError } from '../../../errors.ts';
import { type AppliedFile, applySteps, type AroundImport, type MadeImport } from '../applySteps.ts';
import type { ImportsContext, AssessedOrder, AssessedOrders, OrderOfFile, OrderOutcome } from '../types.ts';
import { compare } from './assessOrders.ts';
import { applyEnd, markEnded } from './ordersElsewhere.ts';
import { changedFields, contentOf, digestOf } from './orderContent.ts';
import { keepDraft } from '../drafts.ts';
import { answeredRows, fatesOf, orderCounts } from './orderRows.ts';

/** Additional writes of an order import. `done` is called in the transaction of each created or changed order. */
export type AroundOrders = AroundImport & { done?(tx: Transaction, order: OrderOfFile): void };
/** Checked file to import. `reading` is only needed to keep drafts. */
export type AppliedOrders = Pick<AssessedOrders, 'leftOut' | 'orders'> & { reading?: AssessedOrders['reading'] };

const SET_ASIDE = 'Set aside as a draft.';
const LEFT_AS_IS = 'Left as it is.';

/** Creates and changes the orders of a checked file, with one transaction for each order. */
export function applyOrders(
  context: ImportsContext,
  { orders: assessed, leftOut, reading }: AppliedOrders,
  made: MadeImport,
  around: AroundOrders = {},
): Promise<AppliedFile<ImportRow[], readonly OrderOfFile[]>> {
  function writeOrder(tx: Transaction, order: AssessedOrder, how: { id: number; by: string }): OrderOutcome {
    const outcome = applyOrder(context, tx, order, how);
    if (isChange(outcome)) around.done?.(tx, order);
    return outcome;
  }
  return applySteps(context, made, {
    kind: 'orders',
    action: 'orders.imported',
    around,
    // Include unchanged orders, so that a repeated request has the same list.
    steps: () => Promise.resolve(assessed),
    apply(tx, order, { id, index }): OrderOutcome {
      const how = { id, by: made.by.name };
      if (around.drafts === undefined || reading?.orders === undefined) return writeOrder(tx, order, how);
      const lines = around.drafts.setAside;
      const outcome = order.rows.some(({ line }) => lines.has(line))
        ? setAside(order)
        : attemptOrder(tx, () => writeOrder(tx, order, how));
      const source = reading.orders.orders[index];
      if (source !== undefined && (outcome.outcome === 'refused' || outcome.outcome === 'held'))
        keepDraft(context, tx, { reading, order: source, outcome, from: { id, by: made.by } });
      return outcome;
    },
    refuse: (_order, message): OrderOutcome => ({ outcome: 'refused', line: 0, message }),
    async outcome(outcomes) {
      const orders = assessed.map((order, index) => ({ ...order, assessment: outcomes[index] ?? order.assessment }));
      // Look up devices only for API callers, because each lookup is a search.
      const rows =
        made.source === 'api'
          ? await answeredRows(context, { orders, leftOut })
          : await fatesOf(context, { orders, leftOut });
      const counts = orderCounts({ orders, leftOut });
      const changed = orders.filter(({ assessment }) => assessment.outcome === 'changed').length;
      return { applied: orders, rows, counts, created: counts.orders, changed };
    },
  });
}

/** Creates or changes an order, after comparing the file with the stored order again. */
function applyOrder(
  { repositories, orders }: Pick<ImportsContext, 'orders' | 'repositories'>,
  tx: Transaction,
  { assessment, read, ended }: AssessedOrder,
  { id, by }: { id: number; by: string },
): OrderOutcome {
  if (ended !== undefined) return applyEnd({ repositories, orders }, tx, ended, { id, by });
  const isMarked = assessment.outcome === 'refused' && assessment.ends !== undefined;
  const wanted = 'wanted' in assessment ? assessment.wanted : isMarked ? read?.wanted : undefined;
  if (wanted === undefined) return assessment;
  const now = compare(repositories, wanted, read?.said);
  const order = repositories.orders.findByNumber(wanted.order_number);
  if (order !== undefined) markEnded({ repositories, orders }, tx, order, { now, by });
  if (!('wanted' in now)) return now;
  const before = order === undefined ? null : contentOf(repositories, order);
  let orderId: number;
  if (order === undefined || before === null) orderId = orders.addWithin(tx, wanted);
  else {
    orderId = order.id;
    orders.replaceWithin(tx, order, wanted, { by, changed: changedFields(wanted, before) });
  }
  repositories.imports.addOrder(id, orderId, { before, after: wanted });
  repositories.imports.setDigest(digestOf(wanted), orderId);
  const doubts = [...new Set([...(('doubts' in assessment && assessment.doubts) || []), ...(now.doubts ?? [])])];
  return { outcome: now.outcome, ...(doubts.length === 0 ? {} : { doubts }) };
}

/** Writes an order. A StationError refuses only this order, whose transaction continues so that it can store a draft. */
function attemptOrder(tx: Transaction, write: () => OrderOutcome): OrderOutcome {
  try {
    return tx.attempt(write);
  } catch (error) {
    if (error instanceof StationError) return { outcome: 'refused', line: 0, message: error.message };
    throw error;
  }
}

/**
 * Returns the outcome of an order that is kept as a draft instead of being written. Orders that would not have been written keep their
 * outcome.
 */
function setAside({ assessment, ended }: AssessedOrder): OrderOutcome {
  if (ended !== undefined && isChange(assessment)) return { outcome: 'known', message: LEFT_AS_IS };
  return isChange(assessment) ? { outcome: 'held', message: SET_ASIDE } : assessment;
}

function isChange(outcome: OrderOutcome): outcome is Extract<OrderOutcome, { outcome: 'new' | 'changed' }> {
  return outcome.outcome === 'new' || outcome.outcome === 'changed';
}

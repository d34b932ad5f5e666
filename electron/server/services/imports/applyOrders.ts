import type { ImportRow } from '#shared/api/imports.ts';
import type { Transaction } from '../../db/writer.ts';
import { type AppliedFile, applySteps, type AroundImport, type MadeImport } from './applySteps.ts';
import type { ImportsContext } from './context.ts';
import { compare, type JudgedOrder, type JudgedOrders, type OrderOfFile, type OrderOutcome } from './judgeOrders.ts';
import { changedFields, contentOf, digestOf } from './orderContent.ts';
import { answeredRows, fatesOf, orderCounts } from './orderRows.ts';

/** `done`: runs in the use-case of each order that was created or changed. */
export type AroundOrders = AroundImport & { done?(tx: Transaction, order: OrderOfFile): void };

/** Creates and changes the orders of a judged file, a use-case for each. */
export function applyOrders(
  context: ImportsContext,
  { orders: judged, leftOut }: Pick<JudgedOrders, 'leftOut' | 'orders'>,
  made: MadeImport,
  around: AroundOrders = {},
): Promise<AppliedFile<ImportRow[], readonly OrderOfFile[]>> {
  return applySteps(context, made, {
    kind: 'orders',
    action: 'orders.imported',
    around,
    // Includes unchanged orders, so that a repeated request has the same list.
    steps: () => Promise.resolve(judged),
    apply(tx, order, { id }): OrderOutcome {
      const outcome = applyOrder(context, tx, order, { id, by: made.by.name });
      if (isChange(outcome)) around.done?.(tx, order);
      return outcome;
    },
    refuse: (_order, message): OrderOutcome => ({ outcome: 'refused', line: 0, message }),
    async outcome(outcomes) {
      const orders = judged.map((order, index) => ({ ...order, judgment: outcomes[index] ?? order.judgment }));
      // Look up devices only for callers of the API: each lookup is a search.
      const rows =
        made.source === 'api'
          ? await answeredRows(context, { orders, leftOut })
          : await fatesOf(context, { orders, leftOut });
      const counts = orderCounts({ orders, leftOut });
      const changed = orders.filter(({ judgment }) => judgment.outcome === 'changed').length;
      return { applied: orders, rows, counts, created: counts.orders, changed };
    },
  });
}

/** Compares the order again, because it can have changed since, and creates or changes it. */
function applyOrder(
  { repositories, orders }: Pick<ImportsContext, 'orders' | 'repositories'>,
  tx: Transaction,
  { judgment }: JudgedOrder,
  { id, by }: { id: number; by: string },
): OrderOutcome {
  if (!('wanted' in judgment)) return judgment;
  const { wanted } = judgment;
  const now = compare(repositories, wanted);
  if (!isChange(now)) return now;
  const order = repositories.orders.findByNumber(wanted.order_number);
  const before = order === undefined ? null : contentOf(repositories, order);
  let orderId: number;
  if (order === undefined || before === null) orderId = orders.addWithin(tx, wanted);
  else {
    orderId = order.id;
    orders.replaceWithin(tx, order, wanted, { by, changed: changedFields(wanted, before) });
  }
  repositories.imports.addOrder(id, orderId, before);
  repositories.imports.setDigest(digestOf(wanted), orderId);
  return { outcome: now.outcome };
}

function isChange(outcome: OrderOutcome): outcome is Extract<OrderOutcome, { outcome: 'new' | 'changed' }> {
  return outcome.outcome === 'new' || outcome.outcome === 'changed';
}

import type { ImportCounts } from '#shared/api/imports.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { Orders } from '../orders/index.ts';
import { compare, type JudgedOrder } from './judge.ts';
import { changedFields, contentOf, digestOf } from './orderContent.ts';

export type ApplyContext = {
  repositories: Pick<Repositories, 'imports' | 'items' | 'orders'>;
  writer: Pick<Writer, 'writeEach'>;
  orders: Pick<Orders, 'addWithin' | 'check' | 'replaceWithin'>;
};

type Step = (tx: Transaction) => void;

/**
 * Creates and changes the orders of a file, in one use-case per order, so that presses are handled in between. `begin` runs in the commit
 * of the first order and returns the id of the import; `end` runs in the commit of the last one. A killed import leaves complete orders;
 * importing the file again creates the rest. Updates the judgment of each order.
 */
export async function applyOrders(
  { repositories, writer, orders }: ApplyContext,
  all: readonly JudgedOrder[],
  around: {
    by: string;
    begin(tx: Transaction): number;
    done?(tx: Transaction, order: JudgedOrder): void;
    end(tx: Transaction): void;
  },
): Promise<void> {
  let id = 0;
  let isBroken = false;

  function apply(tx: Transaction, judged: JudgedOrder): void {
    if (judged.judgment.outcome !== 'new' && judged.judgment.outcome !== 'changed') return;
    const { wanted } = judged.judgment;
    judged.judgment = compare(repositories, wanted);
    const { outcome } = judged.judgment;
    if (outcome === 'new') {
      const orderId = orders.addWithin(tx, wanted);
      repositories.imports.addOrder(id, orderId, null);
      repositories.imports.setDigest(digestOf(wanted), orderId);
    } else if (outcome === 'changed') {
      const order = repositories.orders.findByNumber(wanted.order_number);
      if (order === undefined) return;
      const before = contentOf(repositories, order);
      repositories.imports.addOrder(id, order.id, before);
      const changed = changedFields(wanted, before);
      orders.replaceWithin(tx, order, wanted, { by: around.by, changed });
      repositories.imports.setDigest(digestOf(wanted), order.id);
    } else return;
    around.done?.(tx, judged);
  }

  const steps: Step[] = [
    (tx) => {
      id = around.begin(tx);
    },
    ...all.map(
      (judged): Step =>
        (tx) =>
          apply(tx, judged),
    ),
    (tx) => {
      if (!isBroken) around.end(tx);
    },
  ];
  await writer.writeEach(
    steps,
    (tx, step) => step(tx),
    (error) => {
      isBroken = true;
      throw error;
    },
  );
}

export function countsOf(orders: readonly JudgedOrder[], leftOut: number): ImportCounts {
  const counts: ImportCounts = { orders: 0, new: 0, changed: 0, known: 0, held: 0, refused: 0, left_out: leftOut };
  for (const { judgment, rows } of orders) {
    const lines = rows.filter(({ kind }) => kind !== 'left_out');
    counts.left_out += rows.length - lines.length;
    const wrong = lines.filter(({ isWrong }) => isWrong).length;
    if (judgment.outcome === 'new') counts.orders += 1;
    if (judgment.outcome !== 'refused') counts[judgment.outcome] += lines.length;
    else if (judgment.line === 0) counts.refused += lines.length;
    else {
      counts.refused += wrong;
      counts.held += lines.length - wrong;
    }
  }
  return counts;
}

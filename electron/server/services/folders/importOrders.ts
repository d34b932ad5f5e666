import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { Orders } from '../orders/index.ts';
import type { FileOrder } from './content.ts';

export type FileImportContext = {
  repositories: Pick<Repositories, 'inboxFiles' | 'orders'>;
  writer: Pick<Writer, 'writeEach'>;
  orders: Pick<Orders, 'addAlone' | 'addWithin'>;
};

type Step = (tx: Transaction) => void;

/**
 * Creates those of the orders that do not exist. `begin` is in the commit of the first order, `end` in that of the last; between
 * them other work may commit. Returns how many were created.
 */
export async function importOrders(
  { repositories, writer, orders }: FileImportContext,
  all: readonly FileOrder[],
  around: { begin: Step; created(tx: Transaction, number: string): void; end(tx: Transaction, created: number): void },
): Promise<number> {
  let created = 0;
  let isBroken = false;
  let steps: Step[] = [around.begin];

  const isKnown = (number: string): boolean => repositories.orders.findByNumber(number) !== undefined;

  /** Unless another caller created it meanwhile. */
  function create(tx: Transaction, number: string, add: () => number): void {
    if (isKnown(number)) return;
    add();
    around.created(tx, number);
    created += 1;
  }

  async function takeSteps(): Promise<void> {
    const taken = steps;
    steps = [];
    await writer.writeEach(
      taken,
      (tx, step) => step(tx),
      (error) => {
        isBroken = true;
        throw error;
      },
    );
  }

  for (const { number, wanted, isLarge } of all) {
    if (wanted === undefined) continue;
    if (isLarge) {
      await takeSteps();
      if (!isKnown(number)) await orders.addAlone(wanted(), (tx, add) => create(tx, number, add));
    } else steps.push((tx) => create(tx, number, () => orders.addWithin(tx, wanted())));
  }
  steps.push((tx) => {
    if (!isBroken) around.end(tx, created);
  });
  await takeSteps();
  return created;
}

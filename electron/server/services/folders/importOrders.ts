import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { Orders } from '../orders/index.ts';
import type { FileOrder } from './content.ts';

export type FileImportContext = {
  repositories: Pick<Repositories, 'inboxFiles' | 'orders'>;
  writer: Pick<Writer, 'writeEach'>;
  orders: Pick<Orders, 'addWithin'>;
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
  const steps = all.flatMap(({ number, wanted }): Step[] => {
    if (wanted === undefined) return [];
    return [
      (tx) => {
        // Another caller may have created it meanwhile.
        if (repositories.orders.findByNumber(number) !== undefined) return;
        orders.addWithin(tx, wanted());
        around.created(tx, number);
        created += 1;
      },
    ];
  });
  let isBroken = false;
  const end: Step = (tx) => {
    if (!isBroken) around.end(tx, created);
  };
  await writer.writeEach(
    [around.begin, ...steps, end],
    (tx, step) => step(tx),
    (error) => {
      isBroken = true;
      throw error;
    },
  );
  return created;
}

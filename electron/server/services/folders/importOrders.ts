import type { NewOrder } from '#shared/api/order.ts';
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
  let isBroken = false;

  /** Unless another caller created it meanwhile. */
  function create(tx: Transaction, number: string, wanted: NewOrder): void {
    if (repositories.orders.findByNumber(number) !== undefined) return;
    orders.addWithin(tx, wanted);
    around.created(tx, number);
    created += 1;
  }

  const steps: Step[] = [
    around.begin,
    ...all.flatMap(({ number, wanted }): Step[] =>
      wanted === undefined ? [] : [(tx) => create(tx, number, wanted())],
    ),
    (tx) => {
      if (!isBroken) around.end(tx, created);
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
  return created;
}

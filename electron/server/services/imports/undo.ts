import type { OrderImportUndo } from '#shared/api/imports.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { ImportedOrder } from '../../db/repositories/imports.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { type Audit, type By } from '../base/index.ts';
import type { Orders } from '../orders/index.ts';
import { startedWords } from './judge.ts';
import { changedFields, contentOf, digestOf } from './orderContent.ts';

export type UndoContext = {
  repositories: Pick<Repositories, 'imports' | 'items' | 'orders'>;
  reads: Pick<Repositories, 'imports'>;
  writer: Pick<Writer, 'write' | 'writeEach'>;
  orders: Pick<Orders, 'removeWithin' | 'replaceWithin'>;
  audit: Audit;
};

/** Removes the orders that an import created and restores those that it changed, one use-case for each. */
export async function undoImport(context: UndoContext, id: number, by: By): Promise<OrderImportUndo> {
  const { reads, writer, repositories, audit } = context;
  const results = await writer.writeEach(
    reads.imports.listOrders(id),
    (tx, imported) => undoOrder(context, tx, imported, by),
    (error) => {
      throw error;
    },
  );
  const kept = results.flatMap(({ number, message }) => (message === '' ? [] : [{ order_number: number, message }]));
  const undone = results.filter(({ number, message }) => number !== '' && message === '').length;
  await writer.write((tx) => {
    repositories.imports.setUndone(tx.now, id);
    audit.record(tx, { action: 'orders.importUndone', by, subject: '', detail: { rows: { undone } } });
  });
  return { undone, kept };
}

/** Undoes one order. `number`: empty if the order was removed. `message`: why the order is kept, or empty. */
function undoOrder(
  { repositories, orders }: UndoContext,
  tx: Transaction,
  { orderId, before }: ImportedOrder,
  by: By,
): { number: string; message: string } {
  const order = repositories.orders.find(orderId);
  if (order === undefined) return { number: '', message: '' };
  const number = order.orderNumber;
  const started = startedWords(order);
  if (started !== '') return { number, message: `It ${started} since.` };
  if (before === null) {
    orders.removeWithin(tx, order, by.name);
    return { number, message: '' };
  }
  if (repositories.imports.findDigest(orderId) !== digestOf(contentOf(repositories, order))) {
    return { number, message: 'It was edited since.' };
  }
  const changed = changedFields(before, contentOf(repositories, order));
  orders.replaceWithin(tx, order, before, { by: by.name, changed });
  repositories.imports.setDigest(digestOf(before), orderId);
  return { number, message: '' };
}

import type { OrderImportUndo } from '#shared/api/imports.ts';
import type { ImportedOrder } from '../../../db/repositories/imports.ts';
import type { Transaction } from '../../../db/writer.ts';
import type { By } from '../../base/index.ts';
import type { ImportsContext } from '../types.ts';
import { startedWords } from './assessOrders.ts';
import { changedFields, contentOf, digestOf } from './orderContent.ts';
import { undoSteps, type Undone } from '../undoSteps.ts';

type UndoneOrder = Undone<OrderImportUndo['kept'][number]>;

/** Removes the orders that an import created, and restores those that it changed. */
export function undoOrders(context: ImportsContext, id: number, by: By): Promise<OrderImportUndo> {
  return undoSteps(
    context,
    { id, by },
    {
      steps: context.reads.imports.listOrders(id),
      undo: (tx, imported) => [undoOrder(context, tx, { ...imported, id }, by)],
      keep: ({ orderId }, message) => [
        keptOrder(orderId, context.repositories.orders.find(orderId)?.orderNumber ?? '', message),
      ],
      action: 'orders.importUndone',
      end: () => context.repositories.importDrafts.removeOfImport(id),
    },
  );
}

function undoOrder(
  { repositories, orders }: Pick<ImportsContext, 'orders' | 'repositories'>,
  tx: Transaction,
  { id, orderId, before }: ImportedOrder & { id: number },
  by: By,
): UndoneOrder {
  const order = repositories.orders.find(orderId);
  if (order === undefined) return { at: orderId, isUndone: false, kept: [] };
  const started = startedWords(order);
  if (started !== '') return keptOrder(orderId, order.orderNumber, `It ${started} since.`);
  const later = repositories.imports.findLaterOf({ id, orderId });
  if (later !== undefined) return keptOrder(orderId, order.orderNumber, `Import ${later} changed it since.`);
  if (before === 'damaged') return keptOrder(orderId, order.orderNumber, 'Its stored previous content is damaged.');
  if (before === null) orders.removeWithin(tx, order, by.name);
  else {
    const content = contentOf(repositories, order);
    if (repositories.imports.findDigest(orderId) !== digestOf(content))
      return keptOrder(orderId, order.orderNumber, 'It was edited since.');
    orders.replaceWithin(tx, order, before, { by: by.name, changed: changedFields(before, content) });
    repositories.imports.setDigest(digestOf(before), orderId);
  }
  return { at: orderId, isUndone: true, kept: [] };
}

function keptOrder(orderId: number, number: string, message: string): UndoneOrder {
  return { at: orderId, isUndone: false, kept: [{ order_number: number, message }] };
}

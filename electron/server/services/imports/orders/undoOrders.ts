import type { OrderImportUndo } from '#shared/api/imports.ts';
import type { ImportedOrder } from '../../../db/repositories/imports.ts';
import type { OrderRow } from '../../../db/repositories/orders.ts';
import type { Transaction } from '../../../db/writer.ts';
import type { By } from '../../base/index.ts';
import type { ImportsContext } from '../types.ts';
import { startedWords } from './assessOrders.ts';
import { changedFields, contentOf, digestOf } from './orderContent.ts';
import type { UndoFate } from '../undoForecast.ts';
import { undoSteps, type Undone } from '../undoSteps.ts';

type Tables = ImportsContext['reads'];
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

type Recorded = ImportedOrder & { id: number };

/** What an undo would do with an order now. `kept` is the reason to keep it, or an empty string. */
type OrderUndo = { order: OrderRow | undefined; kept: string };

function undoPlanOf(tables: Tables, { id, orderId, before }: Recorded): OrderUndo {
  const order = tables.orders.find(orderId);
  return { order, kept: order === undefined ? '' : keptWords(tables, order, { id, before }) };
}

function keptWords(tables: Tables, order: OrderRow, { id, before }: Omit<Recorded, 'orderId'>): string {
  const started = startedWords(order);
  if (started !== '') return `It ${started} since.`;
  const later = tables.imports.findLaterOf({ id, orderId: order.id });
  if (later !== undefined) return `Import ${later} changed it since.`;
  if (before === 'damaged') return 'Its stored previous content is damaged.';
  if (before === null || tables.imports.findDigest(order.id) === digestOf(contentOf(tables, order))) return '';
  return 'It was edited since.';
}

/** Returns what an undo would do now with an order of an import. */
export function orderFate({ reads }: Pick<ImportsContext, 'reads'>, recorded: Recorded): UndoFate {
  const { order, kept } = undoPlanOf(reads, recorded);
  if (order === undefined) return { name: '', fate: 'gone', messages: [] };
  if (kept !== '') return { name: order.orderNumber, fate: 'kept', messages: [kept] };
  return { name: order.orderNumber, fate: recorded.before === null ? 'removed' : 'restored', messages: [] };
}

function undoOrder(
  { repositories, orders }: Pick<ImportsContext, 'orders' | 'repositories'>,
  tx: Transaction,
  recorded: Recorded,
  by: By,
): UndoneOrder {
  const { orderId, before } = recorded;
  const { order, kept } = undoPlanOf(repositories, recorded);
  if (order === undefined) return { at: orderId, isUndone: false, kept: [] };
  if (kept !== '' || before === 'damaged') return keptOrder(orderId, order.orderNumber, kept);
  if (before === null) orders.removeWithin(tx, order, by.name);
  else {
    const changed = changedFields(before, contentOf(repositories, order));
    orders.replaceWithin(tx, order, before, { by: by.name, changed });
    repositories.imports.setDigest(digestOf(before), orderId);
  }
  return { at: orderId, isUndone: true, kept: [] };
}

function keptOrder(orderId: number, number: string, message: string): UndoneOrder {
  return { at: orderId, isUndone: false, kept: [{ order_number: number, message }] };
}

import type { OrderImportUndo } from '#shared/api/imports.ts';
import type { NewOrder } from '#shared/api/order.ts';
import { listText } from '#shared/lib/text/locale.ts';
import type { ImportedOrder } from '../../../db/repositories/imports.ts';
import type { Redone, UndoneContent, UndoneOrder } from '../../../db/repositories/importUndone.ts';
import type { OrderRow } from '../../../db/repositories/orders.ts';
import type { Transaction } from '../../../db/writer.ts';
import type { By } from '../../base/index.ts';
import type { ImportsContext } from '../types.ts';
import { isEnd, isEndedUnstarted, startedWords } from './startedWords.ts';
import { changedFields, contentOf, digestOf, reverted, wholeContentOf } from './orderContent.ts';
import type { UndoFate } from '../undoForecast.ts';
import { undoSteps, type Undone, type UndoneStep } from '../undoSteps.ts';

type Tables = ImportsContext['reads'];
type UndoneResult = Undone<OrderImportUndo['kept'][number]>;

/** Removes the orders that an import created, and restores those that it changed. */
export function undoOrders(context: ImportsContext, id: number, by: By): Promise<OrderImportUndo> {
  const { reads, repositories } = context;
  return undoSteps(
    context,
    { id, by },
    {
      steps: reads.imports.listOrderIds(id),
      undo(tx, orderId) {
        const imported = repositories.imports.findOrder(id, orderId);
        return imported === undefined ? { results: [] } : undoOrder(context, tx, { ...imported, id }, by);
      },
      keep: (orderId, message) => [keptOrder(orderId, repositories.orders.find(orderId)?.orderNumber ?? '', message)],
      action: 'orders.importUndone',
      end() {
        for (const draft of repositories.importDrafts.listOfImport(id)) repositories.importUndone.add(id, 0, { draft });
        repositories.importDrafts.removeOfImport(id);
      },
    },
  );
}

type Recorded = ImportedOrder & { id: number };

/**
 * What an undo or redo would do with an order now. `next` is the content to restore, null to remove the order, or undefined to leave it
 * unchanged. `kept` is the reason to keep it in whole or in part, or an empty string.
 */
type OrderUndo = { order: OrderRow | undefined; next: NewOrder | null | undefined; kept: string };

function undoPlanOf(tables: Tables, { id, orderId, before, after }: Recorded): OrderUndo {
  const order = tables.orders.find(orderId);
  if (order === undefined) return { order, next: undefined, kept: '' };
  if (isEnd({ before, after })) {
    const kept = isEndedUnstarted(order)
      ? laterWords(tables, order, id)
      : changedWords(tables, order, id) || 'It is already open again.';
    // Keep what people edited since the end.
    return { order, next: kept === '' ? contentOf(tables, order) : undefined, kept };
  }
  const changed = changedWords(tables, order, id);
  if (changed !== '') return { order, next: undefined, kept: changed };
  if (before === 'damaged') return { order, next: undefined, kept: 'Its stored previous content is damaged.' };
  if (before === null) return { order, next: null, kept: '' };
  const now = contentOf(tables, order);
  // An earlier version stored only the digest of the imported content.
  const isUnedited = tables.imports.findDigest(orderId) === digestOf(now);
  if (after === undefined && !isUnedited) return { order, next: undefined, kept: 'It was edited since.' };
  return { order, ...revertPlan(now, { before, after: after ?? now }) };
}

/** Returns why an order can neither be undone nor redone, or an empty string. */
function changedWords(tables: Tables, order: OrderRow, id: number): string {
  const started = startedWords(order);
  if (started !== '') return `It ${started} since.`;
  if (tables.batches.findOf(order.id) !== undefined) return 'It is in a batch.';
  return laterWords(tables, order, id);
}

function laterWords(tables: Tables, order: OrderRow, id: number): string {
  const later = tables.imports.findLaterOf({ id, orderId: order.id });
  return later === undefined ? '' : `Import ${later} changed it since.`;
}

function revertPlan(now: NewOrder, change: { before: NewOrder; after: NewOrder }): Pick<OrderUndo, 'next' | 'kept'> {
  const { next, kept, isChanged } = reverted(now, change);
  if (kept.length === 0) return { next: isChanged ? next : undefined, kept: '' };
  const words = `${listText(kept)} ${kept.length === 1 && kept[0] !== 'items' ? 'was' : 'were'} changed since.`;
  if (!isChanged) return { next: undefined, kept: `Its ${words}` };
  return { next, kept: `Only a part was restored: its ${words}` };
}

/** Returns what an undo would do now with an order of an import. */
export function orderFate({ reads }: Pick<ImportsContext, 'reads'>, recorded: Recorded): UndoFate {
  const { order, kept } = undoPlanOf(reads, recorded);
  if (order === undefined) return { name: '', fate: 'gone', messages: [] };
  if (kept !== '') return { name: order.orderNumber, fate: 'kept', messages: [kept] };
  return { name: order.orderNumber, fate: recorded.before === null ? 'removed' : 'restored', messages: [] };
}

type Writes = Pick<ImportsContext, 'orders' | 'repositories'>;

function undoOrder(
  { repositories, orders }: Writes,
  tx: Transaction,
  recorded: Recorded,
  by: By,
): UndoneStep<UndoneResult['kept'][number]> {
  const { orderId, before: previous } = recorded;
  const { order, next, kept } = undoPlanOf(repositories, recorded);
  if (order === undefined) return { results: [{ at: orderId, isUndone: false, kept: [] }] };
  let content: UndoneContent | undefined;
  if (next !== undefined) {
    const before = (next === null ? wholeContentOf : contentOf)(repositories, order);
    const ends = isEnd(recorded) ? order.endedElsewhere : null;
    content = {
      order: {
        digest: repositories.imports.findDigest(orderId) ?? '',
        before,
        after: next,
        ...(ends === null ? {} : { ends }),
      },
    };
    if (next === null) orders.removeWithin(tx, order, by.name);
    else if (ends !== null) {
      // Keep the mark as decided, so that the same file does not end the order again.
      orders.replaceWithin(tx, { ...order, isContinued: true }, next, { by: by.name, changed: ['ended_elsewhere'] });
    } else {
      orders.replaceWithin(tx, order, next, { by: by.name, changed: changedFields(next, before) });
      // Not that of `next`, which may contain edits: a later file must not overwrite them.
      if (previous !== null && previous !== 'damaged') repositories.imports.setDigest(digestOf(previous), orderId);
    }
  }
  const result = kept === '' ? { at: orderId, isUndone: true, kept: [] } : keptOrder(orderId, order.orderNumber, kept);
  return { results: [result], content };
}

function keptOrder(orderId: number, number: string, message: string): UndoneResult {
  return { at: orderId, isUndone: false, kept: [{ order_number: number, message }] };
}

/** Creates an order again that an undo has removed, or restores what an undo has reverted. */
export function redoOrder(
  { repositories, orders }: Writes,
  tx: Transaction,
  { id, subject, undone, by }: { id: number; subject: number; undone: UndoneOrder; by: By },
): Redone {
  const { before, after, digest, ends } = undone;
  const name = before.order_number;
  if (after === null) {
    if (repositories.orders.findByNumber(name) !== undefined || repositories.orders.wasEnded(name))
      return { name, message: 'An order with this number was created again.' };
    const orderId = orders.addWithin(tx, before);
    repositories.imports.renumberOrder(orderId, subject);
    repositories.importUndone.renumber('order', subject, orderId);
    repositories.imports.setDigest(digest, orderId);
    return { name, message: '' };
  }
  const order = repositories.orders.find(subject);
  if (order === undefined) return { name, message: 'It was removed since.' };
  const changed = changedWords(repositories, order, id);
  if (changed !== '') return { name, message: changed };
  if (ends !== undefined) {
    orders.endWithin(tx, order, { ends, by: by.name });
    return { name, message: '' };
  }
  const now = contentOf(repositories, order);
  // Restoring is the undo of the undo.
  const { next, kept } = revertPlan(now, { before, after });
  if (next !== undefined && next !== null) {
    orders.replaceWithin(tx, order, next, { by: by.name, changed: changedFields(next, now) });
    repositories.imports.setDigest(digest, subject);
  }
  return { name, message: kept };
}

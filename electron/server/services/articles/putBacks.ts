import type { Repositories } from '../../db/repositories.ts';
import type { SourceRow } from '../../db/repositories/stock.ts';
import type { TaskSource } from '../../db/repositories/tasks.ts';
import type { Transaction } from '../../db/writer.ts';
import type { TaskRecords } from './taskRecords.ts';
import type { NamingItem } from './types.ts';

/** A line of an order that was stopped. */
type StoppedItem = NamingItem & {
  id: number;
  fulfilled: number;
  place: string | null;
  warehouseLocation: string | null;
};

type StoppedOrder = { orderNumber: string; state: string };

/** The pieces of orders that were stopped go back to their places. Every function runs inside the use-case of its cause. */
export function createPutBacks({
  tables,
  records,
  findArticleId,
}: {
  tables: Pick<Repositories, 'articles' | 'stock' | 'tasks'>;
  records: TaskRecords;
  findArticleId: (item: NamingItem) => number | undefined;
}) {
  const { articles, stock, tasks } = tables;

  function open(tx: Transaction, orderNumber: string, items: readonly StoppedItem[], by: string): void {
    for (const item of items) {
      if (item.fulfilled <= 0) continue;
      const articleId = findArticleId(item);
      const article = articleId === undefined ? undefined : articles.find(articleId);
      if (article === undefined) continue;
      const place = stock.listSources(item.id).at(-1)?.place ?? textPlace(item);
      const { id, fulfilled: quantity } = item;
      records.open(tx, { kind: 'put_back', place, quantity, article, by, item: { id, orderNumber } });
    }
  }

  return {
    /** The order was aborted: one task for each picked line that has an article. */
    stopped(tx: Transaction, { orderNumber }: StoppedOrder, items: () => readonly StoppedItem[], by: string): void {
      if (articles.hasAny()) open(tx, orderNumber, items(), by);
    },
    /** The order is about to be deleted. What was dismissed since it was aborted is not asked for again. */
    removing(tx: Transaction, { orderNumber, state }: StoppedOrder, items: readonly StoppedItem[], by: string): void {
      if (!articles.hasAny()) return;
      if (state !== 'fulfilled' && state !== 'aborted') open(tx, orderNumber, items, by);
      for (const item of items) {
        const task = tasks.findOpenOfItem(item.id);
        if (task === undefined) continue;
        const { returned } = takenBack(stock.listSources(item.id), task.quantity ?? 0, task.place);
        tasks.setSources(JSON.stringify(returned), task.id);
      }
    },
    /** The order is picked again, or complete. Tasks of a deleted order with this number stay. */
    resumed(tx: Transaction, orderNumber: string): void {
      if (!articles.hasAny()) return;
      for (const task of tasks.listOpenOfOrder(orderNumber))
        if (task.itemId !== null) records.end(tx, task, { state: 'ended' });
    },
    /** The line has this many pieces now. */
    booked(tx: Transaction, itemId: number, fulfilled: number): void {
      const task = tasks.findOpenOfItem(itemId);
      if (task === undefined) return;
      if (fulfilled > 0) records.setQuantity(tx, task, fulfilled);
      else records.end(tx, task, { state: 'ended' });
    },
  };
}

export type PutBacks = ReturnType<typeof createPutBacks>;

function textPlace({ place, warehouseLocation }: StoppedItem): string {
  return place ?? warehouseLocation ?? '';
}

/**
 * Pieces that go back to where they came from, the last ones first; those that no source explains, to this place. `kept`: the
 * sources of the pieces that stay picked.
 */
export function takenBack(
  sources: readonly SourceRow[],
  pieces: number,
  place: string,
): { returned: TaskSource[]; kept: SourceRow[] } {
  const kept = [...sources];
  const returned: TaskSource[] = [];
  let rest = pieces;
  for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
    const quantity = Math.min(rest, last.quantity);
    if (quantity > 0) returned.push({ place: last.place, quantity });
    rest -= quantity;
    if (quantity === last.quantity) continue;
    kept.push({ ...last, quantity: last.quantity - quantity });
    break;
  }
  if (rest > 0) returned.push({ place, quantity: rest });
  return { returned, kept };
}

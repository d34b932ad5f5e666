import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { TablesOf } from '../../core.ts';
import type { SourceRow } from '../../db/repositories/stock.ts';
import type { TaskRow, TaskSource } from '../../db/repositories/tasks.ts';
import type { Transaction } from '../../db/writer.ts';
import type { TaskRecords } from './taskRecords.ts';
import type { NamingItem } from './types.ts';

/** A line of a stopped order. */
type StoppedItem = NamingItem & {
  id: number;
  fulfilled: number;
  place: string | null;
  warehouseLocation: string | null;
};

/** Pieces of an item that have to be put back because of a batch. `articleId` is undefined if no article matches the item. */
type BatchPieces = { itemId: number; orderNumber: string; articleId: number | undefined; pieces: number };

type StoppedOrder = { orderNumber: string; state: string };

/** State shared by the functions for pieces to put back. `findArticleId` finds the article of an order line. */
type PutBackContext = {
  tables: TablesOf<'articles'>;
  records: TaskRecords;
  findArticleId: (item: NamingItem) => number | undefined;
};

/** Opens and updates tasks to put back the pieces of stopped orders. Call these functions inside the transaction of the cause. */
export function createPutBacks(context: PutBackContext) {
  const { articles } = context.tables;
  return {
    /** Opens a task for each picked line with an article. Call after an order was aborted. */
    stopped(tx: Transaction, { orderNumber }: StoppedOrder, lines: () => readonly StoppedItem[], by: string): void {
      if (articles.hasAny()) openTasks(context, tx, { orderNumber, lines: lines(), by });
    },
    /**
     * Opens a task for each picked line of an order that will be deleted, and stores in the tasks where the pieces came from. Does not
     * reopen tasks that have been dismissed since the order was aborted.
     */
    removing(tx: Transaction, order: StoppedOrder, lines: readonly StoppedItem[], by: string): void {
      if (articles.hasAny()) keepTasks(context, tx, { order, lines, by });
    },
    /** Ends the tasks of an order that resumes or completes. Tasks of a deleted order with the same number remain open. */
    resumed(tx: Transaction, orderNumber: string): void {
      if (articles.hasAny()) endTasks(context, tx, orderNumber);
    },
    /**
     * Updates the task of a line whose picked quantity changed. Ignores lines in a batch, because the batch reports the pieces to put back.
     */
    booked: (tx: Transaction, itemId: number, counts: { fulfilled: number; pieces: number }): void =>
      adjustTask(context, tx, itemId, counts),
    /** Adds pieces from a batch's slot or from a picker's hand to the put-back task. */
    asked(tx: Transaction, asked: BatchPieces, by: string): void {
      if (articles.hasAny()) addPieces(context, tx, asked, by);
    },
    /** Subtracts from the task the pieces that no longer have to be put back. */
    unasked(tx: Transaction, asked: BatchPieces): void {
      const task = findTask(context, asked);
      if (task !== undefined) change(context, tx, task, (task.quantity ?? 0) - asked.pieces);
    },
    /**
     * Whether none of these pieces have been put back yet, so that a batch can withdraw its request. Also true for pieces without an
     * article, which have no task.
     */
    isOpen(asked: BatchPieces): boolean {
      const hasTask = asked.articleId !== undefined && articles.find(asked.articleId) !== undefined;
      return !hasTask || (findTask(context, asked)?.quantity ?? 0) >= asked.pieces;
    },
  };
}

type StoppedLines = { orderNumber: string; lines: readonly StoppedItem[]; by: string };

function openTasks(context: PutBackContext, tx: Transaction, { orderNumber, lines, by }: StoppedLines): void {
  const { batches } = context.tables;
  for (const item of lines) {
    // Leave out pieces in slots. They are added when their slot is freed.
    const quantity = item.fulfilled - batches.countInSlots(item.id);
    setPieces(context, tx, item, { orderNumber, quantity, by });
  }
}

/** Keeps the tasks of an order that is about to be deleted, with the places that its pieces came from. */
function keepTasks(
  context: PutBackContext,
  tx: Transaction,
  { order, lines, by }: { order: StoppedOrder; lines: readonly StoppedItem[]; by: string },
): void {
  const { stock, tasks } = context.tables;
  const { orderNumber, state } = order;
  if (state !== 'fulfilled' && state !== 'aborted') openTasks(context, tx, { orderNumber, lines, by });
  for (const item of lines) {
    const task = tasks.findOpenOfItem(item.id);
    if (task === undefined) continue;
    const { returned } = takenBack(stock.listSources(item.id), task.quantity ?? 0, task.place);
    tasks.setSources(JSON.stringify(returned), task.id);
  }
}

function endTasks({ tables, records }: PutBackContext, tx: Transaction, orderNumber: string): void {
  for (const task of tables.tasks.listOpenOfOrder(orderNumber))
    if (task.itemId !== null) records.end(tx, task, { state: 'ended' });
}

function adjustTask(
  context: PutBackContext,
  tx: Transaction,
  itemId: number,
  { fulfilled, pieces }: { fulfilled: number; pieces: number },
): void {
  const { batches, orders, tasks } = context.tables;
  const task = tasks.findOpenOfItem(itemId);
  if (task === undefined || task.orderNumber === null || batches.hasItem(itemId)) return;
  // Only pieces of an aborted order are returned to their place. An active order keeps the pieces picked for it.
  const isStopped = orders.findByNumber(task.orderNumber)?.state === 'aborted';
  const quantity = (task.quantity ?? 0) + (isStopped ? pieces : 0);
  change(context, tx, task, Math.min(quantity, fulfilled - batches.countInSlots(itemId)));
}

function addPieces(context: PutBackContext, tx: Transaction, asked: BatchPieces, by: string): void {
  const { items, tasks } = context.tables;
  const item = items.find(asked.itemId);
  if (item === undefined) return openDeleted(context, tx, asked, by);
  const quantity = (tasks.findOpenOfItem(item.id)?.quantity ?? 0) + asked.pieces;
  const { orderNumber } = asked;
  setPieces(context, tx, item, { orderNumber, quantity: Math.min(quantity, item.fulfilled), by });
}

/** Sets the quantity of the line's task, if the line has an article. */
function setPieces(
  context: PutBackContext,
  tx: Transaction,
  item: StoppedItem,
  { orderNumber, quantity, by }: { orderNumber: string; quantity: number; by: string },
): void {
  const { articles, stock, tasks } = context.tables;
  const task = tasks.findOpenOfItem(item.id);
  if (task !== undefined) return change(context, tx, task, quantity);
  const articleId = quantity > 0 ? context.findArticleId(item) : undefined;
  const article = articleId === undefined ? undefined : articles.find(articleId);
  if (article === undefined) return;
  const place = stock.listSources(item.id).at(-1)?.place ?? textPlace(item);
  context.records.open(tx, { kind: 'put_back', place, quantity, article, by, item: { id: item.id, orderNumber } });
}

/** Sets the quantity of a task, or ends the task if the quantity is 0. */
function change({ records }: PutBackContext, tx: Transaction, task: TaskRow, quantity: number): void {
  if (quantity > 0) records.setQuantity(tx, task, quantity);
  else records.end(tx, task, { state: 'ended' });
}

/**
 * Opens a task for pieces of a deleted line that were in a slot. Assumes that these pieces were picked first, because the pieces picked
 * last were in the picker's hand.
 */
function openDeleted(context: PutBackContext, tx: Transaction, asked: BatchPieces, by: string): void {
  const { itemId, orderNumber, articleId, pieces } = asked;
  const { articles, stock } = context.tables;
  const article = articleId === undefined ? undefined : articles.find(articleId);
  if (article === undefined) return;
  const from = stock.listPickedFrom(orderNumber, itemId);
  const place = from[0]?.place ?? '';
  const picked = from.toReversed().map((each) => ({ ...each, articleId: article.id, placeKey: nameKey(each.place) }));
  const { returned: sources } = takenBack(picked, pieces, place);
  const deleted = { orderNumber, sources };
  context.records.open(tx, { kind: 'put_back', place, quantity: pieces, article, by, deleted });
}

/** Finds the open task for putting back these pieces of a batch. */
function findTask({ tables }: PutBackContext, asked: BatchPieces): TaskRow | undefined {
  const { items, tasks } = tables;
  const { itemId, orderNumber, articleId, pieces } = asked;
  const isDeleted = (task: TaskRow): boolean =>
    task.itemId === null && task.articleId === articleId && task.quantity === pieces;
  return items.find(itemId) === undefined
    ? tasks.listOpenOfOrder(orderNumber).findLast(isDeleted)
    : tasks.findOpenOfItem(itemId);
}

export type PutBacks = ReturnType<typeof createPutBacks>;

function textPlace({ place, warehouseLocation }: StoppedItem): string {
  return place ?? warehouseLocation ?? '';
}

/**
 * Returns pieces to the places from which they came, last picked first. Pieces without a source go to `place`. `kept` contains the sources
 * of the pieces that stay picked.
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

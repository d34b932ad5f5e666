import type { Batch } from '#shared/api/batch.ts';
import type { NextOrder, Picker, ShortNumbers, WorkLine } from '#shared/api/picking.ts';
import type { FirstDay, FirstStep } from '#shared/api/setup.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ArticlesOf } from './findArticles.ts';
import type { StreamNews } from './live/followed.ts';

/**
 * Returns whether a loaded value may change because of a fact from the event stream. In a busy shop, most facts
 * concern other people's work.
 */
type Concern = (known: unknown, fact: StreamNews, key: readonly string[]) => boolean;

/** Whether a fact may change a picker's lines in an order. The query's key contains the order and the picker. */
const concernsWork: Concern = (known, fact, [, order, picker]) => {
  const lines = known as readonly WorkLine[];
  switch (fact.type) {
    case 'order.item':
      return (
        fact.order_number === order &&
        (fact.item.picker === picker || lines.some(({ item_id: id }) => id === fact.item.id))
      );
    case 'order.line':
    case 'order.removed':
      return fact.order_number === order;
    case 'order.changed':
      return false;
    case 'command.moved':
      return lines.some(({ deviceid: id }) => id === fact.deviceid || id === fact.to);
    default:
      // Another command may have moved ahead of one of the lines on its device, or may no longer be ahead of it.
      return !('deviceid' in fact) || lines.some(({ deviceid: id }) => id === fact.deviceid);
  }
};

/** Whether a fact may change the list of pickers and their orders. */
const concernsPickers: Concern = (known, fact) => {
  const pickers = known as readonly Picker[];
  if (fact.type === 'order.removed') return pickers.some(({ orders }) => orders.includes(fact.order_number));
  if (fact.type !== 'order.changed') return true;
  const { order_number: number, state, pickers: now } = fact.order;
  const isOver = state === 'fulfilled' || state === 'aborted';
  const names = new Set(isOver ? [] : now.map(({ name }) => name));
  const isColored = now.every(({ name }) => pickers.some((each) => each.name === name && each.color !== null));
  return !isColored || pickers.some(({ name, orders }) => orders.includes(number) !== names.has(name));
};

/** Whether a fact may change the suggested next order, for example because somebody picks this order. */
const concernsNext: Concern = (known, fact) => {
  const { order } = known as NextOrder;
  if (fact.type === 'order.removed') return fact.order_number === order?.order_number;
  if (fact.type !== 'order.changed') return true;
  return fact.order.order_number === order?.order_number || isOffered(fact.order);
};

function isOffered({ state, pickers }: OrderProgress): boolean {
  if (state !== 'open' && state !== 'in_progress') return false;
  return pickers.length === 0 || pickers.some(({ paused }) => paused);
}

/**
 * Whether a fact may change whether any name looks like a quantity. Only an order with such a number can change that,
 * and only if no such name was known. Other short names are noticed at the next read.
 */
const concernsShortNumbers: Concern = (known, fact) =>
  !(known as ShortNumbers).exist && fact.type === 'order.changed' && /^#?\d{1,3}$/.test(fact.order.order_number);

/** The first steps that a fact can complete, by type of fact. */
const STEPS_OF: Readonly<Partial<Record<StreamNews['type'], readonly FirstStep[]>>> = {
  'device.added': ['hardware'],
  'device.changed': ['places'],
  'map.placed': ['places'],
  'map.racks': ['shelves'],
  'article.changed': ['articles'],
  'order.changed': ['orders', 'pick'],
};

/**
 * Whether a fact may change an owner's first steps. Facts about completed steps are ignored, so that a busy shop
 * causes no reads.
 */
const concernsFirstDay: Concern = (known, fact) => {
  const { dismissed, demo, steps } = known as FirstDay;
  const wanted = STEPS_OF[fact.type];
  if (dismissed) return false;
  if (wanted === undefined) return demo || !fact.type.startsWith('order.');
  return steps.some(({ step, done }) => wanted.includes(step) && !done);
};

/**
 * Whether a fact may change the batch whose id is in the query's key. The batch's put-back tasks can change even
 * after it has ended.
 */
const concernsBatch: Concern = (known, fact, [, id]) => {
  if (fact.type === 'batch.changed') return String(fact.batch_id) === id;
  if (fact.type !== 'task.changed') return true;
  const { kind, order } = fact.task;
  return kind === 'put_back' && (known as Batch).put_back.some(({ order_number: number }) => number === order);
};

/** Whether a fact may change the content of a slot for packing. The query's key contains the order. */
const concernsPack: Concern = (_, fact, [, number]) =>
  fact.type !== 'order.changed' || fact.order.order_number === number;

/** Whether a fact may change the lines picked onto a cart. A cart without a batch may get one. */
const concernsCartWalk: Concern = (known, fact) => {
  const { batch, lines } = known as { batch?: Batch; lines: readonly WorkLine[] };
  if (fact.type === 'batch.changed') return batch === undefined || fact.batch_id === batch.id;
  return !('deviceid' in fact) || lines.some(({ deviceid: id }) => id === fact.deviceid);
};

/** Whether a fact may change the articles that a text finds. The query's key contains the text. */
const concernsFoundArticles: Concern = (known, fact, [, text = '']) => {
  const { articles } = known as ArticlesOf;
  if (fact.type !== 'article.changed') return true;
  const { id, sku, name, barcodes } = fact.article;
  const names = [sku, name ?? '', ...barcodes.map(({ code }) => code)];
  const isNew = text !== '' && names.some((each) => nameKey(each).includes(nameKey(text)));
  return isNew || articles.some((each) => each.id === id);
};

const CONCERNS = new Map(
  Object.entries<Concern>({
    articlesFound: concernsFoundArticles,
    batch: concernsBatch,
    cartWalk: concernsCartWalk,
    firstDay: concernsFirstDay,
    packGoods: concernsPack,
    work: concernsWork,
    pickers: concernsPickers,
    nextOrder: concernsNext,
    shortNumbers: concernsShortNumbers,
  }),
);

/** Returns whether any of these facts may change a query's value. All of the facts invalidate the query's subject. */
export function isConcerned(key: readonly string[], known: unknown, facts: readonly StreamNews[]): boolean {
  const concern = CONCERNS.get(key[0] ?? '');
  return concern === undefined || known === undefined || facts.some((fact) => concern(known, fact, key));
}

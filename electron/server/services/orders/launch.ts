import type { LitItemRow } from '../../db/repositories/items.ts';
import type { OrderPickerRow } from '../../db/repositories/orderPickers.ts';
import type { OrderRow, ShipmentRow } from '../../db/repositories/orders.ts';
import type { Transaction } from '../../db/writer.ts';
import {
  isUnassigned,
  isWithoutLight,
  nextItem,
  nextWork,
  type ItemEvent,
  type WorkCounts,
} from '../../domain/orders/order.ts';
import { StationError } from '../../errors.ts';
import { type Target, findById, pointed } from '../devices/index.ts';
import { type ItemTarget, itemTargets } from './articlePlaces.ts';
import { LOOKED_FOR } from './itemWords.ts';
import { contentOfItem, contentOfOrder } from './light.ts';
import { memoized } from '../base/index.ts';
import type { OrderContext } from './types.ts';
import { save, saveCounted } from './turnOff.ts';
import { doneBy } from './work/history.ts';
import type { Changed } from './work/settle.ts';
import type { Found } from './work/stock.ts';
import { findItem } from './work/work.ts';

/**
 * Options of a launch. `picker` gets the lit lines, in this person's color unless `color` is set. If `picker` is null, only lines without a
 * picker are lit.
 */
export type LaunchFor = {
  by: string;
  color?: string | undefined;
  picker?: OrderPickerRow | null | undefined;
  /** Whether this launch continues an earlier one, so that completion callbacks are not sent again. */
  isContinued?: boolean | undefined;
  /** Id of the only item to light. By default, all items of the order are lit. */
  only?: number | undefined;
  /** Ids of several items to light. */
  ids?: ReadonlySet<number> | undefined;
  /** Called with the items' places if a batch picks the items. The items then stay unlit, and they need no device. */
  batch?: ((placed: readonly Placed[]) => void) | undefined;
};

type Placed = { item: LitItemRow; target: Target };

/**
 * Lights every unlit item that has to be picked and has a place, or none if one of them fails. Skips lines of other pickers. An item
 * without a place becomes work without a light if it has a picker, and unassigned otherwise. Returns false if nothing changed. Throws
 * `conflict` if no item can be lit.
 */
export function launchOrder(context: OrderContext, tx: Transaction, order: OrderRow, launch: LaunchFor): boolean {
  const { repositories, work } = context;
  const { by, picker, isContinued = false, only, ids, batch } = launch;
  if (isOnlyWaiting(repositories, order, picker)) return false;
  const items = itemsToLight(repositories, order, picker).filter(
    ({ id }) => (only === undefined || id === only) && (ids === undefined || ids.has(id)),
  );
  const { found, changes: moved } = placesOf(context, order, items, launch);
  if (found.length === 0 && moved.length === 0) return false;
  for (const each of order.pickers) {
    if (!each.isPaused || !moved.some(({ before }) => before.picker === each.name)) continue;
    repositories.orderPickers.save(order.id, { ...each, isPaused: false, waits: false });
  }
  const historyId = work.record(tx, order, {
    kind: 'order_launched',
    qty: found.length,
    detail: doneBy(by, picker?.name),
  });
  const paused = new Set(order.pickers.filter(({ isPaused }) => isPaused).map(({ name }) => name));
  batch?.(found);
  const unreached = batch === undefined ? light(context, tx, { order, found, launch }) : new Set<number>();
  const changes = moved.map(({ before, after }): Changed<LitItemRow> => {
    if (after.state !== 'active') return { before, after };
    const lit = unreached.has(after.id) ? nextItem(after, { kind: 'reach', isReached: false }) : after;
    return { before, after: { ...lit, picker: picker?.name ?? lit.picker } };
  });
  const shipments = repositories.orders.listShipments(order.id);
  const { total, byShipment } = save(context, tx, { order, shipments, changes });
  // Lines that continue after a pause, or that are lit later, were launched before, so do not repeat their completion callback.
  const isNew = ({ before, after }: Changed<LitItemRow>): boolean =>
    !isContinued && after.state === 'active' && before.state !== 'active' && !paused.has(before.picker ?? '');
  const newIn = new Set(changes.filter(isNew).map(({ after }) => after.shipmentId));
  const workIn = new Set(changes.filter(({ after }) => after.state === 'active').map(({ after }) => after.shipmentId));
  const launched = (isLit: boolean, counts: WorkCounts) => ({ kind: 'launched', isLit, counts }) as const;
  const after: OrderRow = {
    ...order,
    launchedAt: tx.now,
    isStalled: false,
    isTold: order.isTold && newIn.size === 0,
    counts: total,
    state: nextWork(order.state, launched(total.active > 0, total)),
  };
  const settled = shipments.map((before): Changed<ShipmentRow> => {
    const counts = byShipment.get(before.id) ?? before.counts;
    const state = nextWork(before.state, launched(workIn.has(before.id), counts));
    return { before, after: { ...before, counts, state, isTold: before.isTold && !newIn.has(before.id) } };
  });
  work.settle(tx, { before: order, after }, settled, { historyId, by });
  // Lights that continue after a pause, and one line that lights again, do not count as a launch.
  if (!isContinued || order.state !== after.state)
    work.tellOrder(tx, after, { event: 'launched', historyId, picker: picker?.name ?? by });
  return true;
}

/** Whether a launch for this picker would find a device for any item. */
export function hasPlaced(
  context: Pick<OrderContext, 'repositories' | 'itemStock' | 'settings'>,
  order: OrderRow,
  { picker }: Pick<LaunchFor, 'picker'>,
): boolean {
  return itemTargets(context, itemsToLight(context.repositories, order, picker), () => false).some(
    ({ target }) => target !== undefined,
  );
}

function itemsToLight(
  { items }: OrderContext['repositories'],
  { id, pickers }: OrderRow,
  picker: LaunchFor['picker'],
): LitItemRow[] {
  const isWaiting = (item: LitItemRow): boolean =>
    picker === undefined && pickers.some(({ name, waits }) => waits && name === item.picker);
  return items.listToLight(id).filter((item) => isFor(item, picker) && !isWaiting(item));
}

/**
 * Whether all lines that a launch without a picker could light belong to people who are still picking other orders. These lines stay unlit.
 */
function isOnlyWaiting(
  repositories: OrderContext['repositories'],
  order: OrderRow,
  picker: LaunchFor['picker'],
): boolean {
  if (picker !== undefined || !order.pickers.some(({ waits }) => waits)) return false;
  return itemsToLight(repositories, order, picker).length === 0;
}

/** Throws `conflict` if a launch for this picker has nothing to light. */
export function checkLaunch(context: OrderContext, order: OrderRow, launch: LaunchFor): void {
  placesOf(context, order, itemsToLight(context.repositories, order, launch.picker), launch);
}

/** Whether a launch for this picker includes the item. */
export function isFor(item: Pick<LitItemRow, 'picker'>, picker: LaunchFor['picker']): boolean {
  return picker === undefined || item.picker === null || item.picker === picker?.name;
}

/** Where to light an item: at its current place, or where it was lit before. */
export type LightWhere = 'place' | 'before';

function targetOf(context: OrderContext, item: LitItemRow, where: LightWhere): ItemTarget {
  const [found = NOWHERE] = itemTargets(context, [item], ({ picker }) => picker !== null);
  const { foundDeviceId: before } = item;
  if (where === 'place' || before === null || found.target?.deviceId === before) return found;
  const target = findById(context.repositories, before);
  return target === undefined ? found : { ...found, target, place: undefined, lacksStock: item.lacksStock };
}

const NOWHERE: ItemTarget = { target: undefined, place: undefined, article: undefined, lacksStock: false };

/**
 * Lights one open item of a launched order. An item without a place becomes work without a light if it has a picker, and unassigned
 * otherwise.
 */
export function lightItem(
  context: OrderContext,
  tx: Transaction,
  itemId: number,
  { by, where }: { by: string; where: LightWhere },
): void {
  const { repositories, work } = context;
  const found = findItem(repositories, itemId);
  if (found === undefined) return;
  const { order, item } = found;
  const itemTarget = targetOf(context, item, where);
  const { target, article } = itemTarget;
  if (target === undefined && item.picker === null) return releaseWithoutPlace(context, tx, order, by);
  if (target === undefined) return turnDark(context, tx, found, by, takenPlace(item, itemTarget));
  const unreached = light(context, tx, {
    order,
    found: [{ item: { ...item, ...wordsOf(item, article) }, target }],
    launch: { by },
  });
  const isGuessed = where === 'before' ? item.isGuessed : target.warning !== undefined;
  const lit = nextItem(item, { kind: 'lit', isReached: unreached.size === 0 });
  const isKept = where === 'before' && item.place !== null && target.deviceId === item.foundDeviceId;
  const taken = isKept ? {} : takenPlace(item, itemTarget);
  const after = { ...lit, foundDeviceId: target.deviceId, isGuessed, ...taken };
  const place = { deviceId: target.deviceId, location: target.label };
  work.changeItem(tx, found, { after, place, events: [], cause: { historyId: 0, by } });
}

/** Makes an open line work without a light or, if it has no picker, unassigned. `taken` is what it takes from its article. */
export function turnDark(
  { work }: OrderContext,
  tx: Transaction,
  found: Found,
  by: string,
  taken: Partial<TakenPlace> = {},
): void {
  const { item } = found;
  const dark = { ...nextItem(item, withoutPlace(item.picker)), foundDeviceId: null, isGuessed: false, ...taken };
  const place = { deviceId: '', location: item.warehouseLocation ?? '' };
  work.changeItem(tx, found, { after: dark, place, events: [], cause: { historyId: 0, by } });
}

/** Lights a line without a light at its place, which got a light. The line keeps its place. */
export function lightAt(
  context: OrderContext,
  tx: Transaction,
  found: Found,
  { name, light: target, by }: { name: string; light: Target; by: string },
): void {
  const { itemStock, work } = context;
  const { order, item } = found;
  const [article] = itemStock.articlesOf([item]);
  const taken = takenPlace(item, {
    target,
    place: item.place ?? (article === undefined ? undefined : name),
    article,
    lacksStock: item.lacksStock,
  });
  const lit = [{ item: { ...item, ...wordsOf(item, article) }, target }];
  const unreached = light(context, tx, { order, found: lit, launch: { by } });
  const active = nextItem(item, { kind: 'lit', isReached: unreached.size === 0 });
  const after = { ...active, foundDeviceId: target.deviceId, isGuessed: target.warning !== undefined, ...taken };
  const place = { deviceId: target.deviceId, location: target.alias === '' ? target.label : target.alias };
  work.changeItem(tx, found, { after, place, events: [], cause: { historyId: 0, by } });
}

/** Returns the event for an item that no device serves. `picker` is the item's picker, or null if it has none. */
function withoutPlace(picker: string | null): ItemEvent {
  return { kind: picker === null ? 'notFound' : 'unlit' };
}

/** Marks lines as unassigned if they have neither a picker nor a device. The order stays in progress. */
export function releaseWithoutPlace(context: OrderContext, tx: Transaction, order: OrderRow, by: string): void {
  const { repositories, work } = context;
  const free = itemsToLight(repositories, order, null).filter(({ state }) => state !== 'cancelled');
  const targets = itemTargets(context, free, () => false);
  const changes = free.flatMap((before, index): Changed<LitItemRow>[] => {
    if (targets[index]?.target !== undefined && !isWithoutLight(before)) return [];
    const after = nextItem(before, { kind: 'notFound' });
    return after === before ? [] : [{ before, after: { ...after, foundDeviceId: null } }];
  });
  if (changes.length === 0) return;
  const { counts, shipments } = saveCounted(context, tx, order, changes);
  work.settle(tx, { before: order, after: { ...order, counts } }, shipments, { historyId: 0, by });
}

/** Returns the items that have a place, and all items that the launch changes. Throws `conflict` if nothing can be lit. */
function placesOf(
  context: Pick<OrderContext, 'repositories' | 'itemStock' | 'settings'>,
  order: OrderRow,
  items: readonly LitItemRow[],
  { picker, batch }: Pick<LaunchFor, 'picker' | 'batch'>,
): { found: Placed[]; changes: Changed<LitItemRow>[] } {
  const { orderNumber } = order;
  if (order.state === 'fulfilled' && !items.some(isUnassigned)) {
    throw new StationError('conflict', `Order ${orderNumber} is already fulfilled.`);
  }
  const inBatch = batch === undefined ? null : '';
  const ownerOf = (item: LitItemRow): string | null => picker?.name ?? item.picker ?? inBatch;
  const isLit = order.counts.active > 0;
  if (items.length === 0 && !isLit) {
    const { unscanned } = order.counts;
    const waits = unscanned === 1 ? '1 picked item waits' : `${unscanned} picked items wait`;
    const why = unscanned === 0 ? 'none of its items is open.' : `${waits} for a scan of the article.`;
    throw new StationError('conflict', `Order ${orderNumber} has nothing to light: ${why}`);
  }
  const targets = itemTargets(context, items, (item) => ownerOf(item) !== null);
  const found = items.flatMap((item, index) => {
    const { target, article } = targets[index] ?? NOWHERE;
    return target === undefined ? [] : [{ item: { ...item, ...wordsOf(item, article) }, target }];
  });
  if (found.length === 0 && !isLit && items.every((item) => ownerOf(item) === null)) {
    throw new StationError('conflict', `No line of order ${orderNumber} has a light. ${LOOKED_FOR} Nothing was lit.`);
  }
  const changes = items.flatMap((item, index): Changed<LitItemRow>[] => {
    const itemTarget = targets[index] ?? NOWHERE;
    const { target } = itemTarget;
    const event = target === undefined ? withoutPlace(ownerOf(item)) : ({ kind: 'lit', isReached: true } as const);
    const after = nextItem(item, event);
    if (after === item) return [];
    const place = { foundDeviceId: target?.deviceId ?? null, isGuessed: target?.warning !== undefined };
    return [{ before: item, after: { ...after, ...place, ...takenPlace(item, itemTarget) } }];
  });
  return { found, changes };
}

/** Returns the fields that an item copies from its article, and the name of the place whose stock the item reduces. */
function takenPlace(item: LitItemRow, { target, place, article, lacksStock }: ItemTarget): TakenPlace {
  const words = wordsOf(item, article);
  if (article === undefined) return { articleId: null, place: null, ...words, lacksStock: false };
  const names = [place, target?.alias, target?.label, item.warehouseLocation].filter((name) => (name ?? '') !== '');
  return { articleId: article.id, place: names[0] ?? null, ...words, lacksStock };
}

type ArticleWords = Pick<LitItemRow, 'articleName' | 'articleDescription'>;
type TakenPlace = Pick<LitItemRow, 'articleId' | 'place' | 'lacksStock'> & ArticleWords;

/** Returns the article's current name and description or, if the article no longer exists, the stored ones. */
function wordsOf({ articleName, articleDescription }: ArticleWords, article: ItemTarget['article']): ArticleWords {
  return article === undefined
    ? { articleName, articleDescription }
    : { articleName: article.name, articleDescription: article.description };
}

/** Lights the items. Returns the ids of the items whose device is unreachable. */
function light(
  { commands, settings }: OrderContext,
  tx: Transaction,
  { order, found, launch }: { order: OrderRow; found: readonly Placed[]; launch: LaunchFor },
): Set<number> {
  const { by, color, picker } = launch;
  const unreached = new Set<number>();
  const colorOf = new Map(order.pickers.map((each) => [each.name, each.color]));
  const contentIn = memoized((own: string | null) => contentOfOrder({ ...order, color: own }, settings.current()));
  for (const { item, target } of found) {
    const { deviceId, alias, label } = target;
    const own = color ?? picker?.color ?? colorOf.get(item.picker ?? '') ?? order.color;
    const common = contentIn(own);
    const { content, arrowAdded } = pointed(contentOfItem(common, item, alias === '' ? label : alias), target);
    const command = {
      deviceId,
      target: target.target,
      alias,
      label,
      nonce: item.callbackNonce ?? '',
      content,
      arrowAdded,
      sender: by,
      owner: { kind: 'item', id: item.id, of: order.orderNumber } as const,
      base: item.fulfilled,
    };
    try {
      if (commands.send(tx, command).delivery === 'unreachable') unreached.add(item.id);
    } catch (error) {
      // Fail the launch: if the item were skipped, the order would be completed without it.
      if (!(error instanceof StationError)) throw error;
      throw new StationError('conflict', `Order ${order.orderNumber} was not launched. ${error.message}`);
    }
  }
  return unreached;
}

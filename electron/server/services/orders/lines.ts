import type { Item } from '#shared/api/order.ts';
import type { ChangedItem, NewItem, NewLine } from '#shared/api/orderItem.ts';
import { ONE_NAME } from '#shared/api/orderItem.ts';
import type { Fact } from '#shared/api/station.ts';
import { MAX_ITEMS, TOO_MANY_ITEMS } from '#shared/lib/orders/orderLimits.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { OrderRow, ShipmentRow, Work } from '../../db/repositories/orders.ts';
import type { Transaction } from '../../db/writer.ts';
import {
  counted,
  isComplete,
  isLit,
  isOver,
  nextItem,
  nextWork,
  recounted,
  remainingOf,
  uncounted,
  type WorkCounts,
} from '../../domain/orders/order.ts';
import { StationError } from '../../errors.ts';
import { inWords, labelOf, refuseFaults } from '../commands/index.ts';
import { deviceOf, itemAnswer } from './answers.ts';
import { isBusy, lightAgain, placeOf, refuse, waitIfBusy } from './items.ts';
import { lineWords, titleOfItem } from './itemWords.ts';
import { lineReader } from './newOrder.ts';
import { doubtsAbout, doubtWarnings, placeItems, placeWarnings, sharedNonceWords } from './newOrderDoubts.ts';
import { getOrder } from './reading.ts';
import type { OrderContext } from './types.ts';
import type { Found } from './work/stock.ts';
import { findItem } from './work/work.ts';

type LineFact = Extract<Fact, { type: 'order.line' }>;
/** Who changes a line, and whether possible mistakes are refused. */
type Doer = { by: string; strict: boolean };
type ItemWithWarnings = Item & { warnings?: string[] };

/**
 * Adds a line to an order that has not ended. If the order is under way, the line is lit at once for one of its pickers. Throws `not_found`,
 * `invalid`, or `conflict` if the order has ended or is in a batch.
 */
export function addLine(
  context: OrderContext,
  orderNumber: string,
  { shipment_number: shipmentNumber, ...wanted }: NewLine,
  doer: Doer,
): Promise<ItemWithWarnings> {
  const { repositories, work, itemStock, writer } = context;
  return writer.write((tx) => {
    const order = getChangeable(context, orderNumber);
    if (order.counts.items >= MAX_ITEMS) throw new StationError('conflict', TOO_MANY_ITEMS);
    const shipment = shipmentOf(context, order, shipmentNumber);
    const asked = { order_number: order.orderNumber, items: [wanted] };
    const placed = placeItems(repositories, asked);
    const doubts = [...doubtsAbout(repositories, asked, placed), ...ownTwins(context, order, wanted.callback_nonce)];
    if (doer.strict) refuseFaults(doubts.map(atLine));
    const warnings = [
      ...doubtWarnings(repositories, asked, placed),
      ...ownTwins(context, order, wanted.callback_nonce),
      ...placeWarnings(repositories, asked, placed),
    ];
    const line = lineReader(placed)(wanted);
    const [article] = itemStock.articlesOf([{ ...line, articleId: null }]);
    const words = { articleName: article?.name ?? null, articleDescription: article?.description ?? null };
    const id = repositories.items.insert({ orderId: order.id, shipmentId: shipment.id, ...line, ...words });
    const picker = nextPicker(context, order);
    if (picker !== undefined)
      repositories.items.assign({
        orderId: order.id,
        from: null,
        to: picker,
        states: ['open'],
        ids: [id],
        now: tx.now,
      });
    const item = rowOf(context, id);
    if (item.state === 'open') waitIfBusy(context, item);
    const historyId = recordLine(context, tx, { order, item, by: doer.by, before: 0, ordered: item.ordered });
    const isTold = (told: boolean): boolean => told && isOver(item);
    const counts = counted(order.counts, item);
    const reopened = order.launchedAt === null ? 'open' : 'in_progress';
    const after: OrderRow = {
      ...order,
      counts,
      isTold: isTold(order.isTold),
      isStalled: false,
      state: nextWork(order.state, { kind: 'counted', counts, reopened }),
    };
    const shipmentCounts = counted(shipment.counts, item);
    const part: ShipmentRow = {
      ...shipment,
      counts: shipmentCounts,
      isTold: isTold(shipment.isTold),
      state: stateOfPart(shipmentCounts, order),
    };
    work.settle(tx, { before: order, after }, [{ before: shipment, after: part }], { historyId, by: doer.by });
    work.publishItems(tx, after, [id]);
    work.tellOrder(tx, again(context, order), { event: 'changed', historyId, picker: doer.by });
    if (item.state === 'open') lightAgain(context, tx, item, doer.by);
    publishLine(context, tx, { order, item: rowOf(context, id), change: 'added', before: 0, wasActive: false });
    return answer(context, id, warnings.map(atLine));
  });
}

/**
 * Removes a line without picked pieces. Removing the last open line completes the order. Throws `not_found`, or `conflict` if pieces of the
 * line are picked, if it is the only line, or if the order has ended or is in a batch.
 */
export function removeLine(context: OrderContext, orderNumber: string, itemId: number, by: string): Promise<void> {
  const { repositories, work, itemStock, commands, writer } = context;
  return writer.write((tx) => {
    const order = getChangeable(context, orderNumber);
    const { item, shipment } = getLine(context, order, itemId);
    if (item.fulfilled > 0) {
      const message = `${item.fulfilled} pieces of ${lineWords(item)} are picked. Set quantity_fulfilled to 0 first, and put them back, or set ordered_quantity to ${item.fulfilled}.`;
      throw new StationError('conflict', message);
    }
    if (order.counts.items === 1) {
      const message = `${lineWords(item)} is the only line of order ${order.orderNumber}. Abort or delete the order instead.`;
      throw new StationError('conflict', message);
    }
    const historyId = recordLine(context, tx, { order, item, by, before: item.ordered, ordered: 0 });
    const wasActive = item.state === 'active';
    publishLine(context, tx, {
      order,
      item: { ...item, ordered: 0 },
      change: 'removed',
      before: item.ordered,
      wasActive,
    });
    commands.withdraw(tx, { kind: 'item', id: item.id }, by);
    commands.endCurrent(tx, { kind: 'item', id: item.id });
    repositories.items.remove(item.id);
    if (item.articleId !== null) itemStock.publish(tx, item.articleId);
    const without = <T extends Work>(whole: T): T => ({ ...whole, counts: uncounted(whole.counts, item) });
    const after: OrderRow = { ...without(order), isStalled: false };
    const part = without(shipment);
    const event = { kind: 'counted', counts: after.counts, reopened: order.state } as const;
    const ofPart = { ...event, counts: part.counts };
    const settled = { ...part, state: part.counts.items === 0 ? 'open' : nextWork(part.state, ofPart) } as const;
    work.settle(
      tx,
      { before: order, after: { ...after, state: nextWork(order.state, event) } },
      [{ before: shipment, after: settled }],
      { historyId, by },
    );
    work.tellOrder(tx, again(context, order), { event: 'changed', historyId, picker: by });
  });
}

/**
 * Changes the ordered quantity of a line, at least to what is picked, inside a transaction. The light shows the new rest. A line that is
 * full is done; a finished line that needs more is open again.
 */
function setOrdered(context: OrderContext, tx: Transaction, found: Found, ordered: number, { by }: Doer): void {
  const { repositories, commands, work } = context;
  const { order, item } = found;
  if (ordered < item.fulfilled) {
    const message = `${item.fulfilled} pieces of ${lineWords(item)} are picked already. Correct quantity_fulfilled first, and put the rest back.`;
    throw new StationError('conflict', message);
  }
  const next = nextItem(item, { kind: 'asked', ordered });
  if (next === item) return;
  const isReopened = isOver(item) && !isOver(next);
  const hasLeft = isReopened && order.pickers.every(({ name }) => name !== item.picker);
  const scan = isReopened ? { isVerified: false, isScanWaived: false } : {};
  const after: LitItemRow = { ...next, ...scan, ...(hasLeft ? { picker: null } : {}) };
  const command = repositories.commands.findByOwner({ kind: 'item', id: item.id });
  const place = placeOf(repositories, item, command);
  const historyId = recordLine(context, tx, { order, item, by, before: item.ordered, ordered });
  if (command !== undefined) {
    if (isLit(after)) commands.showRest(tx, command, { quantity: remainingOf(after), by, base: after.fulfilled });
    else commands.withdraw(tx, { kind: 'item', id: item.id }, by);
  }
  repositories.items.saveAsked(after);
  work.changeItem(tx, found, { after, place, events: [], cause: { historyId, by }, isNewWork: isReopened });
  work.tellOrder(tx, again(context, order), { event: 'changed', historyId, picker: by });
  const wasActive = item.state === 'active';
  publishLine(context, tx, { order, item: after, change: 'changed', before: item.ordered, wasActive });
  if (!isReopened) return;
  waitIfBusy(context, after);
  lightAgain(context, tx, after, by, 'before');
}

/**
 * Changes what a line asks for, inside a transaction. Returns possible mistakes. Throws `conflict` if its order has ended or is in a batch, if
 * more pieces are picked, or if pieces of another article or place are.
 */
export function changeLine(
  context: OrderContext,
  tx: Transaction,
  found: Found,
  change: ChangedItem,
  doer: Doer,
): FieldError[] {
  refuseEnded(context, found.order);
  const faults = setTexts(context, tx, found, change, doer);
  const { ordered_quantity: ordered } = change;
  const now = findItem(context.repositories, found.item.id);
  if (ordered === undefined || now === undefined) return faults;
  setOrdered(context, tx, now, ordered, doer);
  const path = '/ordered_quantity';
  const message = 'It is 0: the item is done and never lit. DELETE removes the line.';
  return ordered === 0 ? [...faults, { path, message }] : faults;
}

/** Fields of the request that `setTexts` sets, each with its column. */
const TEXTS = [
  ['name', 'name'],
  ['SKU', 'sku'],
  ['UPC', 'upc'],
  ['description', 'description'],
  ['warehouse_location', 'warehouseLocation'],
  ['deviceid', 'deviceId'],
  ['callback_nonce', 'callbackNonce'],
] as const;
const ARTICLE: ReadonlySet<string> = new Set(['name', 'SKU', 'UPC']);
const PLACE: ReadonlySet<string> = new Set(['warehouse_location', 'deviceid']);

/**
 * Sets the texts, the place and the device of a line, inside a transaction. A lit line is lit again, at its new place. Returns possible
 * mistakes.
 */
function setTexts(
  context: OrderContext,
  tx: Transaction,
  { order, item: before, shipment }: Found,
  change: ChangedItem,
  { by, strict }: Doer,
): FieldError[] {
  const { repositories, work, itemStock, commands } = context;
  const changed = TEXTS.filter(([name, column]) => change[name] !== undefined && change[name] !== before[column]);
  if (changed.length === 0) return [];
  const names = changed.map(([name]) => name);
  const isOtherArticle = names.some((name) => ARTICLE.has(name));
  const isOtherPlace = names.some((name) => PLACE.has(name));
  refuseTexts(before, { isOtherArticle, isOtherPlace });
  const asked = { ...before, ...Object.fromEntries(changed.map(([name, column]) => [column, change[name] ?? null])) };
  if ([asked.name, asked.sku, asked.upc].every((text) => (text ?? '').trim() === '')) refuse('/name', ONE_NAME);
  const wanted = { order_number: order.orderNumber, items: [newItemOf(asked)] };
  const placed = placeItems(repositories, wanted);
  const isTwin = names.includes('callback_nonce');
  const twins = isTwin ? ownTwins(context, order, asked.callbackNonce ?? undefined, before.id) : [];
  const doubts = [...doubtsAbout(repositories, wanted, placed), ...twins].map(atLine).filter(isAbout(names));
  if (strict) refuseFaults(doubts);
  const faults = [...doubts, ...placeWarnings(repositories, wanted, placed).map(atLine).filter(isAbout(names))];
  if (before.state === 'active') {
    commands.withdraw(tx, { kind: 'item', id: before.id }, by);
    const dark = nextItem(before, { kind: 'killed' });
    const place = placeOf(repositories, before, undefined);
    const cause = { historyId: 0, by };
    work.changeItem(tx, { order, item: before, shipment }, { after: dark, place, events: [], cause, isPassive: true });
  }
  const item = rowOf(context, before.id);
  const [article] = isOtherArticle ? itemStock.articlesOf([{ ...asked, articleId: null }]) : [];
  const words = { articleName: article?.name ?? null, articleDescription: article?.description ?? null };
  const after: LitItemRow = {
    ...item,
    ...pickedTexts(asked),
    isGuessed: placed.some(({ target }) => target?.warning !== undefined),
    ...(isOtherArticle ? { articleId: null, place: null, lacksStock: false, ...words } : {}),
    ...(isOtherPlace && item.fulfilled === 0 ? { place: null, foundDeviceId: null } : {}),
  };
  repositories.items.save(item, after);
  repositories.items.saveAsked(after);
  for (const id of new Set([item.articleId, article?.id]))
    if (id !== null && id !== undefined) itemStock.publish(tx, id);
  const historyId = work.record(tx, order, {
    kind: 'order_changed',
    qty: after.ordered,
    ...placeOf(repositories, after, undefined),
    detail: { by, changed: names, item: { id: item.id, name: titleOfItem(after), before: after.ordered } },
  });
  const now = again(context, order);
  const part = repositories.orders.findShipment(shipment.id) ?? shipment;
  const recount = <T extends Work>(whole: T): T => ({ ...whole, counts: recounted(whole.counts, item, after) });
  work.settle(tx, { before: now, after: recount(now) }, [{ before: part, after: recount(part) }], { historyId, by });
  work.publishItems(tx, now, [item.id]);
  work.tellOrder(tx, again(context, order), { event: 'changed', historyId, picker: by });
  if (before.state === 'active') lightAgain(context, tx, after, by);
  const wasActive = before.state === 'active';
  publishLine(context, tx, {
    order,
    item: rowOf(context, item.id),
    change: 'changed',
    before: item.ordered,
    wasActive,
  });
  return faults;
}

/** Throws `conflict` if pieces of another article, or a finished line, would change. */
function refuseTexts(
  item: LitItemRow,
  { isOtherArticle, isOtherPlace }: Record<'isOtherArticle' | 'isOtherPlace', boolean>,
): void {
  if (isOtherArticle && item.fulfilled > 0) {
    const message = `${item.fulfilled} pieces of ${lineWords(item)} are picked already, so the line cannot be of another article. Add another line.`;
    throw new StationError('conflict', message);
  }
  if (!isOtherPlace || !isOver(item)) return;
  throw new StationError('conflict', `${lineWords(item)} is ${item.state}, so it has no place to pick any more.`);
}

/** Whether a fault is about one of these fields, or about the whole line. */
const isAbout =
  (names: readonly string[]) =>
  ({ path }: FieldError): boolean =>
    path === '' || names.includes(path.slice(1));

function newItemOf(item: LitItemRow): NewItem {
  const { name, sku, upc, description, warehouseLocation, deviceId, callbackNonce, ordered, fulfilled } = item;
  return {
    ordered_quantity: ordered,
    quantity_fulfilled: fulfilled,
    deviceid: deviceId,
    name: name ?? undefined,
    SKU: sku ?? undefined,
    UPC: upc ?? undefined,
    description: description ?? undefined,
    warehouse_location: warehouseLocation ?? undefined,
    callback_nonce: callbackNonce ?? undefined,
  };
}

function pickedTexts({ name, sku, upc, description, warehouseLocation, deviceId, callbackNonce }: LitItemRow) {
  return { name, sku, upc, description, warehouseLocation, deviceId, callbackNonce };
}

/** Finds an order whose lines can be changed. Throws `not_found`, or `conflict` if it has ended or is in a batch. */
function getChangeable(context: OrderContext, orderNumber: string): OrderRow {
  const order = getOrder(context.repositories, orderNumber);
  refuseEnded(context, order);
  return order;
}

/** Throws `conflict` if the order has ended or is in a batch. */
export function refuseEnded({ holds }: OrderContext, order: OrderRow): void {
  if (order.state === 'fulfilled' || order.state === 'aborted') {
    const message = `Order ${order.orderNumber} is ${order.state}, so its lines cannot be changed. Create another order.`;
    throw new StationError('conflict', message);
  }
  holds.refuse(order);
}

function getLine({ repositories }: OrderContext, order: OrderRow, itemId: number): Found {
  const found = findItem(repositories, itemId);
  if (found?.order.id === order.id) return found;
  throw new StationError(
    'not_found',
    `The line is not in order ${order.orderNumber}. GET /api/orders/{order_number}/ says the id of each.`,
  );
}

/** Finds the shipment of a new line: the one with this number or, by default, the only one. Throws `invalid`. */
function shipmentOf({ repositories }: OrderContext, order: OrderRow, wanted: string | undefined): ShipmentRow {
  const shipments = repositories.orders.listShipments(order.id);
  const [first, ...others] = shipments;
  const found =
    wanted === undefined && others.length === 0 ? first : shipments.find((one) => one.shipmentNumber === wanted);
  if (found !== undefined) return found;
  const named = shipments.map(({ shipmentNumber }) => shipmentNumber).join(', ');
  refuse('/shipment_number', `Give the shipment of the line, one of ${named}.`);
}

/**
 * Returns the person who gets a new line: the one with the fewest lines of those who pick this order now, otherwise of those who have not
 * paused, otherwise the first one.
 */
function nextPicker(context: OrderContext, { id, pickers }: OrderRow): string | undefined {
  const { repositories } = context;
  const lists = new Map(repositories.items.countOpenLines(id).map(({ picker, lines }) => [picker, lines]));
  const active = pickers.filter(({ isPaused }) => !isPaused);
  const free = active.filter(({ name }) => !isBusy(context, id, name));
  const [least] = (free.length > 0 ? free : active).toSorted(
    (one, other) => (lists.get(one.name) ?? 0) - (lists.get(other.name) ?? 0),
  );
  return (least ?? pickers[0])?.name;
}

/** Returns the state of a shipment whose lines were changed. Its open lines are as far as the order. */
function stateOfPart(counts: WorkCounts, order: OrderRow): ShipmentRow['state'] {
  if (counts.items === 0) return 'open';
  return isComplete(counts) ? 'fulfilled' : order.state;
}

/** Reports a nonce that another line of the same order has. */
function ownTwins({ repositories }: OrderContext, { id }: OrderRow, nonce: string | undefined, own = 0): FieldError[] {
  if (nonce === undefined || nonce.trim() === '') return [];
  const twin = repositories.items.listOf(id).find((item) => item.id !== own && item.callbackNonce === nonce);
  if (twin === undefined) return [];
  return [{ path: '/callback_nonce', message: sharedNonceWords(`The item ${lineWords(twin)} of this order`, nonce) }];
}

/** Removes the path of the list from a fault of the only line of a request. */
const atLine = ({ path, message }: FieldError): FieldError => ({ path: path.replace(/^\/items(?:\/0)?/, ''), message });

/** Writes the history of a line whose ordered quantity changed. */
function recordLine(
  { repositories, work }: OrderContext,
  tx: Transaction,
  {
    order,
    item,
    by,
    before,
    ordered,
  }: { order: OrderRow; item: LitItemRow; by: string; before: number; ordered: number },
): number {
  const command = repositories.commands.findByOwner({ kind: 'item', id: item.id });
  const detail = {
    by,
    changed: [before > 0 && ordered > 0 ? 'ordered_quantity' : 'items'],
    item: { id: item.id, name: titleOfItem(item), before },
  };
  return work.record(tx, order, {
    kind: 'order_changed',
    qty: ordered,
    ...placeOf(repositories, item, command),
    detail,
  });
}

function publishLine(
  { repositories }: OrderContext,
  tx: Transaction,
  {
    order,
    item,
    change,
    before,
    wasActive,
  }: { order: OrderRow; item: LitItemRow; change: LineFact['change']; before: number; wasActive: boolean },
): void {
  const alias = repositories.commands.findByOwner({ kind: 'item', id: item.id })?.alias ?? '';
  const label = labelOf(repositories.devices, deviceOf(item) ?? '');
  tx.emit({
    type: 'order.line',
    order_number: order.orderNumber,
    item_id: item.id,
    change,
    location: [item.place, alias, label, item.warehouseLocation].find((name) => (name ?? '') !== '') ?? '',
    name: titleOfItem(item),
    before,
    ordered_quantity: item.ordered,
    quantity_fulfilled: item.fulfilled,
    was_active: wasActive,
    picker: item.picker,
  });
}

function again({ repositories }: OrderContext, order: OrderRow): OrderRow {
  return repositories.orders.find(order.id) ?? order;
}

function rowOf({ repositories }: OrderContext, id: number): LitItemRow {
  const item = repositories.items.find(id);
  if (item === undefined) throw new Error(`Item ${id} was not stored.`);
  return item;
}

function answer(context: OrderContext, id: number, faults: readonly FieldError[]): ItemWithWarnings {
  const item = itemAnswer(rowOf(context, id));
  return faults.length === 0 ? item : { ...item, warnings: faults.map(inWords) };
}

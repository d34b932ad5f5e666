import type { NewOrder } from '#shared/api/order.ts';
import type { NewItem } from '#shared/api/orderItem.ts';
import type { NewItemRow } from '../../db/repositories/items.ts';
import type { NewOrderRow, OrderRow } from '../../db/repositories/orders.ts';
import type { Transaction } from '../../db/writer.ts';
import { counted, type ItemWork, newItem, newWork, NO_ITEMS, type WorkCounts } from '../../domain/orders/order.ts';
import { OrderExists } from '../../errors.ts';
import { storedAddress } from './address.ts';
import { itemPlaces, type OrderLight } from './light.ts';
import { type PlacedItem, placeItems } from './newOrderDoubts.ts';
import type { OrderContext } from './types.ts';

const TOKEN_BYTES = 9;

type NewShipment = NonNullable<NewOrder['shipments']>[number];

/** Returns the color, duration and sound of the order's commands. */
export function lightOf({ color, seconds, sound }: NewOrder): OrderLight {
  return { color: color ?? null, seconds: seconds ?? null, sound: sound ?? null };
}

/**
 * Adds a validated order inside a transaction. Returns the order's id. `placed` contains the places of the items, if they are already
 * known. Throws `conflict` if the order number exists.
 */
export function addWithin(
  context: OrderContext,
  tx: Transaction,
  wanted: NewOrder,
  placed: readonly PlacedItem[] = placeItems(context.repositories, wanted),
): number {
  const { orders } = context.repositories;
  const token = Buffer.from(context.ids.bytes(TOKEN_BYTES)).toString('base64url');
  const lineOf = lineReader(placed);
  const row = orderOf(wanted, { token, now: tx.now, lineOf });
  const known = orders.findByNumber(wanted.order_number);
  if (known !== undefined)
    throw exists(
      known,
      isSame({ ...known, address: orders.findAddress(known.id) ?? null }, row) &&
        hasSameLines(context, known.id, wanted, lineOf),
    );
  const orderId = orders.insertOrder(row, tx.revision);
  addLines(context, tx, orderId, wanted, lineOf);
  if (row.state === 'fulfilled') context.endedOrders.ended(tx, wanted.order_number);
  return orderId;
}

/**
 * Replaces the content of an order that nobody has started, inside a transaction. The items get new ids. `changed` lists the names of the
 * changed fields for the history. `isWhole` also removes the address, the date and the payment if they are left out.
 */
export function replaceWithin(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  wanted: NewOrder,
  { by, changed, isWhole = false }: { by: string; changed: readonly string[]; isWhole?: boolean },
): void {
  const { repositories, work, endedOrders, holds } = context;
  const { id, token, createdAt } = order;
  holds.stopped(tx, id, by);
  const lineOf = lineReader(placeItems(repositories, wanted));
  const given = orderOf(wanted, { token, now: tx.now, lineOf });
  // Files seldom have these fields, and never remove them.
  const { orderedAt, isPaid } = order;
  const kept = {
    orderedAt: given.orderedAt ?? orderedAt,
    isPaid: given.isPaid ?? isPaid,
    address: given.address ?? repositories.orders.findAddress(id) ?? null,
  };
  const row = { ...given, ...(isWhole ? {} : kept), createdAt };
  // Replacing an aborted order opens it and removes its mark, unless somebody decided to continue it. Other marks wait for a decision.
  const endedElsewhere = order.state === 'aborted' && !order.isContinued ? null : order.endedElsewhere;
  repositories.orders.replace(id, row, tx);
  repositories.orders.setEndedElsewhere({ id, endedElsewhere, isContinued: order.isContinued });
  addLines(context, tx, id, wanted, lineOf);
  tx.emit({ type: 'order.replaced', order_number: order.orderNumber });
  const historyId = work.record(tx, order, { kind: 'order_changed', qty: 0, detail: { by, changed } });
  work.tellOrder(tx, { ...order, ...row }, { event: 'changed', historyId, picker: by });
  if (row.state === 'fulfilled') endedOrders.ended(tx, wanted.order_number);
}

/** Creates a function that converts an item to its row, including whether its place is guessed. */
export function lineReader(placed: readonly PlacedItem[]): ItemLines {
  const guessed = new Set(placed.filter(({ target }) => target?.warning !== undefined).map(({ item }) => item));
  return (item) => itemOf(item, guessed.has(item));
}

/** Whether the order has the same shipments and items as the request, apart from picked quantities. */
function hasSameLines({ repositories }: OrderContext, orderId: number, wanted: NewOrder, lineOf: ItemLines): boolean {
  const shipments = repositories.orders.listShipments(orderId);
  const stored = repositories.items.listOf(orderId);
  const ours = shipments.map(({ id, shipmentNumber, shipmentnonce }) => [
    shipmentNumber,
    shipmentnonce,
    stored.filter(({ shipmentId }) => shipmentId === id).map(asked),
  ]);
  const theirs = shipmentsOf(wanted).map(({ shipment_number: number, shipmentnonce = null, items }) => [
    number,
    shipmentnonce,
    items.map((item) => asked(lineOf(item))),
  ]);
  return JSON.stringify(ours) === JSON.stringify(theirs);
}

function addLines(
  { repositories, work, itemStock }: OrderContext,
  tx: Transaction,
  orderId: number,
  wanted: NewOrder,
  lineOf: ItemLines,
): void {
  for (const { shipment_number: shipmentNumber, shipmentnonce = null, items } of shipmentsOf(wanted)) {
    const lines = items.map(lineOf);
    const counts = countsOf(lines);
    const state = newWork(counts);
    const shipment = { orderId, shipmentNumber, shipmentnonce, state, isTold: false, counts };
    const shipmentId = repositories.orders.insertShipment(shipment);
    const articles = itemStock.articlesOf(lines.map((line) => ({ ...line, articleId: null })));
    for (const [index, line] of lines.entries()) {
      const { name: articleName = null, description: articleDescription = null } = articles[index] ?? {};
      repositories.items.insert({ orderId, shipmentId, ...line, articleName, articleDescription });
    }
  }
  work.publishOrder(tx, orderId);
}

function exists({ orderNumber }: OrderRow, isSameOrder: boolean): OrderExists {
  const what = isSameOrder ? 'the same content' : 'different content';
  const message = `Order ${orderNumber} already exists, with ${what}. GET /api/orders/${encodeURIComponent(orderNumber)}/ shows it. Nothing was done.`;
  return new OrderExists(message, isSameOrder);
}

/** Whether both orders have the same fields, apart from shipments and items. */
function isSame(order: OrderRow & Pick<NewOrderRow, 'address'>, row: NewOrderRow): boolean {
  const own = ({ ordernonce, color, seconds, sound, hasItems, priority, dueAt, ...rest }: NewOrderRow) => {
    const { customer, note, orderedAt, isPaid, address, scanRequired } = rest;
    const words = [customer, note, orderedAt, isPaid, address];
    return JSON.stringify([ordernonce, color, seconds, sound, hasItems, priority, dueAt, words, scanRequired]);
  };
  return own(order) === own(row);
}

/** Returns the item fields that do not change during picking. */
function asked({ ordered, deviceId, warehouseLocation, sku, upc, name, description, callbackNonce }: ItemLine) {
  return [ordered, deviceId, warehouseLocation, sku, upc, name, description, callbackNonce];
}

function orderOf(
  wanted: NewOrder,
  { token, now, lineOf }: { token: string; now: number; lineOf: ItemLines },
): NewOrderRow {
  const counts = countsOf(shipmentsOf(wanted).flatMap(({ items }) => items.map(lineOf)));
  const state = newWork(counts);
  return {
    orderNumber: wanted.order_number,
    token,
    ordernonce: wanted.ordernonce ?? null,
    ...lightOf(wanted),
    hasItems: wanted.items !== undefined,
    priority: wanted.priority ?? 0,
    dueAt: wanted.due_time === undefined ? null : Date.parse(wanted.due_time),
    customer: wordsOrNull(wanted.customer),
    note: wordsOrNull(wanted.note),
    orderedAt: momentOrNull(wanted.ordered_at),
    isPaid: wanted.paid ?? null,
    address: storedAddress(wanted.address),
    scanRequired: wanted.scan_required ?? null,
    createdAt: now,
    launchedAt: null,
    fulfilledAt: state === 'fulfilled' ? now : null,
    state,
    isTold: false,
    counts,
  };
}

/** Trims a text. Returns null for a blank text, which counts as not set. */
export function wordsOrNull(text: string | null | undefined): string | null {
  const words = (text ?? '').trim();
  return words === '' ? null : words;
}

/** Returns a time in epoch milliseconds, or null if there is none. */
export const momentOrNull = (time: string | null | undefined): number | null =>
  time === null || time === undefined ? null : Date.parse(time);

function shipmentsOf({ order_number, shipments, items = [] }: NewOrder): readonly NewShipment[] {
  return shipments ?? [{ shipment_number: order_number, items }];
}

/** Row of an item, without the ids of its order and shipment. */
type ItemLine = Omit<NewItemRow, 'orderId' | 'shipmentId'>;
type ItemLines = (item: NewItem) => ItemLine;

function itemOf(item: NewItem, isGuessed: boolean): ItemLine {
  return {
    ...newItem(item.ordered_quantity, item.quantity_fulfilled ?? 0),
    ...itemPlaces(item),
    foundDeviceId: null,
    description: item.description ?? null,
    callbackNonce: item.callback_nonce ?? null,
    isGuessed,
    articleName: null,
    articleDescription: null,
  };
}

function countsOf(lines: readonly ItemWork[]): WorkCounts {
  return lines.reduce(counted, NO_ITEMS);
}
